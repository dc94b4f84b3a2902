// Adds a table of the events below a chart, which is filled when the reader opens it.
(function ({ option, figure }) {
  const details = add(figure, 'details');
  details.style.fontSize = `${option.scale}em`;
  add(details, 'summary', 'The same as a table');
  const most = 500; // rows at once

  function add(parent, name, text) {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    return parent.appendChild(element);
  }

  function addRow(parent, cell, texts) {
    const row = add(parent, 'tr');
    for (const text of texts) {
      const made = add(row, cell, text);
      const long = String(text).length > 20;
      made.style.cssText = `text-align: left; vertical-align: top; padding: .1em .8em .1em 0; white-space: ${long ? 'normal' : 'nowrap'}; overflow-wrap: anywhere;`;
      if (cell === 'th') made.scope = 'col';
    }
  }

  function addTable(story) {
    const box = add(details, 'div');
    box.style.cssText = 'overflow: auto; max-height: 24em;';
    box.tabIndex = 0; // to scroll by keyboard
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', 'Table: ' + story.title);
    const table = add(box, 'table');
    const caption = add(table, 'caption', story.title);
    caption.style.cssText = 'text-align: left; font-weight: 600; color: inherit;';
    addRow(add(table, 'thead'), 'th', story.columns || ['No.', 'When', 'Who', 'What happened', 'Led to by']);
    const body = add(table, 'tbody');
    const rows = story.rows || story.lines.map(l => [l.n, l.when, l.who, l.says, l.by ? 'no. ' + l.by : '']);
    const more = add(box, 'button', '');
    more.type = 'button';
    more.style.cssText = 'font: inherit; margin: .4em 0; padding: .2em .7em; border: 1px solid currentColor; border-radius: 4px; background: transparent; color: inherit; cursor: pointer;';
    // The reader, and a screen reader with it, goes on at the first row that is new.
    function show() {
      const shown = body.rows.length, next = rows.slice(shown, shown + most);
      for (const row of next) addRow(body, 'td', row);
      const left = rows.length - body.rows.length;
      more.textContent = `Show ${Math.min(most, left)} more rows: ${body.rows.length} of ${rows.length} are shown`;
      more.hidden = left === 0;
      return body.rows[shown];
    }
    more.addEventListener('click', () => {
      const first = show();
      first.tabIndex = -1;
      first.focus();
    });
    show();
  }

  details.addEventListener('toggle', () => (option.stories || [option.table]).forEach(addTable), { once: true });
})

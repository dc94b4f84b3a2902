// Adds a table of the events below a chart, which is filled when the reader opens it.
(function ({ option, figure }) {
  const details = add(figure, 'details');
  add(details, 'summary', 'The same as a table');
  const most = 500;

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
    addRow(add(table, 'thead'), 'th', story.columns || ['No.', 'Second', 'Who', 'What happened', 'Led to by']);
    const body = add(table, 'tbody');
    const rows = story.rows || story.lines.map(l => [l.n, l.at, l.who, l.says, l.by ? 'no. ' + l.by : '']);
    for (const row of rows.slice(0, most)) addRow(body, 'td', row);
    if (rows.length > most) add(box, 'p', `And ${rows.length - most} more.`);
  }

  details.addEventListener('toggle', () => (option.stories || [option.table]).forEach(addTable), { once: true });
})

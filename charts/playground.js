// Makes a playground of every element that has its id: JupyterLab may show the
// same output twice. All playgrounds of a page share one copy of the simulator
// and of ECharts. The scene on the screen is one text, the link; the simulator
// plays it and says what to show.
(function (id, assetsHost, zoom, cause, fill, flat, template, complete, firstLink) {
  const lab = document.getElementById('jupyter-config-data');

  // An exported page has its assets inside; a lesson has them from its server.
  async function asset(name, elsewhere = []) {
    if (window.__fencingAsset) return window.__fencingAsset(name);
    const places = lab ? [JSON.parse(lab.textContent).baseUrl + 'static/'] : [];
    for (const place of [...places, ...elsewhere]) {
      const response = await fetch(place + name).catch(() => null);
      if (response && response.ok) return response;
    }
    throw new Error(`${name} was not found`);
  }

  // A script is evaluated apart: a page such as JupyterLab may have a "define"
  // or a "require" that must not catch it.
  async function loadECharts() {
    const module = { exports: {} };
    new Function('exports', 'module', 'define', await (await asset('echarts.min.js', [assetsHost])).text())(module.exports, module);
    return module.exports;
  }

  async function loadSimulator() {
    new Function(await (await asset('wasm_exec.js')).text())();
    const go = new Go();
    go.env = { GOGC: '400' }; // a collection stops the page for some milliseconds
    const program = await (await asset('playground.wasm')).arrayBuffer();
    const { instance } = await WebAssembly.instantiate(program, go.importObject);
    go.run(instance); // returns when the program waits for calls
    return window.fencingPlayground;
  }

  const dark = () => {
    const light = document.body.dataset.jpThemeLight;
    return light ? light === 'false' : matchMedia('(prefers-color-scheme: dark)').matches;
  };

  // JupyterLab must not take keys pressed here for its own: "b" makes a cell.
  function element(tag, properties = {}, ...children) {
    const e = document.createElement(tag);
    for (const [key, value] of Object.entries(properties)) key in e ? (e[key] = value) : e.setAttribute(key, value);
    e.setAttribute('data-lm-suppress-shortcuts', 'true');
    e.append(...children);
    return e;
  }
  const button = (text, onclick, title = '') => element('button', { type: 'button', onclick, title }, text);
  // One that shows a sign, and has its title as its name.
  const signed = (sign, onclick, title) => Object.assign(button(sign, onclick, title), { ariaLabel: title });

  let controlsMade = 0;
  const newID = () => `${id}-${++controlsMade}`;

  function labelled(text, control) {
    control.id = newID();
    return [element('label', { htmlFor: control.id }, text), control];
  }

  function playground(root, echarts, simulator) {
    const k = template.scale; // how much larger than on a laptop
    let link = firstLink; // of what is shown
    let shown, screen, option, chart, clearCause, timer; // what is drawn, what is said of it

    // --- What the reader may change.

    let byMouse;
    const scenario = element('select', {
      onpointerdown: () => { byMouse = true; },
      onkeydown: () => { byMouse = false; },
      onchange: () => {
        choose(scenario.value);
        if (byMouse) root.focus({ preventScroll: true }); // or the next key would search the list
      },
    });
    for (const group of Map.groupBy(JSON.parse(simulator.scenarios()), s => s.group)) {
      scenario.append(element('optgroup', { label: group[0] }, ...group[1].map(s => element('option', { value: s.name }, s.name))));
    }
    const own = element('option'); // a preset with a name of your own
    const fencingName = newID();
    const fencing = Object.fromEntries(['off', 'on', 'both'].map(value => [value, element('input', { type: 'radio', name: fencingName, value, onchange: () => change({ fencing: value }) })]));
    const third = element('input', { type: 'checkbox', onchange: () => change({ clients: third.checked ? '3' : '' }) });
    const held = element('input', { type: 'checkbox', onchange: () => hold(held.checked) });
    const fullScreen = button('Full screen', () => document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen(), 'for a projector');
    const choices = element('div', { className: 'fp-row' },
      element('span', { className: 'fp-pair' }, ...labelled('Scenario', scenario)),
      element('fieldset', { className: 'fp-pair' }, element('legend', {}, 'Fencing'), ...Object.entries(fencing).flatMap(([value, radio]) => labelled(value, radio).reverse())),
      element('span', { className: 'fp-pair' }, ...labelled('third client', third).reverse()),
      button('Reset', reset), fullScreen);
    const sliders = {};
    const numbers = element('div', { className: 'fp-controls' });
    const hide = button('Hide the sliders', () => {
      const bare = root.toggleAttribute('data-bare');
      hide.textContent = bare ? 'Show the sliders' : 'Hide the sliders';
      refit();
    });
    hide.className = 'fp-hide';
    choices.append(hide);

    function addSlider(c) {
      const range = element('input', { type: 'range' });
      const number = element('input', { type: 'number', step: 'any' });
      const says = element('span', { className: 'fp-says', id: newID() });
      const move = from => {
        if (from.value === '' || !from.checkValidity()) return;
        (from === range ? number : range).value = from.value;
        soon(c.id, from.valueAsNumber);
      };
      range.oninput = () => move(range);
      number.oninput = () => move(number);
      number.onchange = () => number.reportValidity();
      const [label] = labelled(c.label, range);
      number.setAttribute('aria-label', `${c.label}, in ${c.unit === '%' ? 'percent' : 'seconds'}`);
      for (const e of [range, number]) e.setAttribute('aria-describedby', says.id);
      range.dataset.control = number.dataset.control = c.id;
      numbers.append(element('div', { className: 'fp-control' }, label, range, element('span', { className: 'fp-number' }, number, ` ${c.unit}`), says));
      sliders[c.id] = { range, number, says };
    }

    function setSlider(c) {
      if (!sliders[c.id]) addSlider(c);
      const { range, number, says } = sliders[c.id];
      Object.assign(range, { min: c.min, max: c.max, step: c.step }); // a number beyond has it stand at its end
      Object.assign(number, { min: c.least, max: c.most });
      for (const e of [range, number]) {
        e.disabled = !!c.off;
        const typing = e === document.activeElement && !e.validity.valid; // or what is typed is gone before it is said to be wrong
        if (e.valueAsNumber !== c.value && !typing) e.value = c.value;
      }
      range.setAttribute('aria-valuetext', `${c.value} ${c.unit}`);
      set(says, c.off || c.says);
    }

    // --- Step and play.

    const moment = element('input', { type: 'range', min: 0, step: 1, oninput: () => step(moment.valueAsNumber) });
    const now = element('output', { className: 'fp-now' });
    const play = button('Play', () => (timer ? stop() : start()));
    play.dataset.play = '';
    play.hidden = matchMedia('(prefers-reduced-motion: reduce)').matches; // nothing moves by itself for those who asked for that
    const more = element('span', { className: 'fp-more' });
    const steps = element('div', { className: 'fp-row fp-steps' },
      signed('|◀', () => step(0), 'to the beginning'), signed('◀', () => step(moment.valueAsNumber - 1), 'one event back (P)'),
      play, signed('▶', () => step(moment.valueAsNumber + 1), 'next event (N)'), signed('▶|', () => step(Infinity), 'to the end'),
      ...labelled('Moment', moment), now,
      element('span', { className: 'fp-pair' }, ...labelled('hold the outcome back', held).reverse()), more);

    function step(index) {
      const { moments } = latest();
      index = Math.max(0, Math.min(index, moments.length));
      change({ at: index < moments.length ? `${moments[index]}s` : '' });
    }
    function start() {
      if (screen.at < 0) step(0);
      play.textContent = 'Stop';
      timer = setInterval(() => { step(moment.valueAsNumber + 1); if (screen.at < 0 || !root.isConnected) stop(); }, 1000);
    }
    function stop() {
      clearInterval(timer);
      timer = undefined;
      play.textContent = 'Play';
    }

    // --- What it says.

    const picture = element('div', { className: 'fp-picture', role: 'img' });
    const frame = element('div', { className: 'fp-frame' }, picture);
    const part = element('div');
    const showPart = zoom(part, () => ({ chart, option }));
    const told = element('div', { className: 'fp-told', 'aria-live': 'polite' });
    const story = element('table', {});
    const storyBox = element('details', { ontoggle: () => { latest(); tellStory(); } }, element('summary', {}, 'The events, as a table'), element('div', { className: 'fp-scroll', tabIndex: 0, role: 'region', 'aria-label': 'The events' }, story));
    const code = element('pre', { tabIndex: 0, role: 'region', 'aria-label': 'The cell in Go' });
    const status = element('span', { role: 'status' });
    const linkField = element('input', { type: 'text', spellcheck: false, className: 'fp-link', onchange: () => { stop(); show(linkField.value.trim()); } });
    const share = element('details', {}, element('summary', {}, 'The same as a Go cell, and as a link'),
      element('div', { className: 'fp-row' }, button('Copy as Go', () => copy(latest().code)), button('Copy the link', () => copy(link)), status),
      code,
      element('div', { className: 'fp-row' }, ...labelled('Link (paste one to restore it)', linkField)));
    const keys = element('p', { className: 'fp-keys' }, 'Keys: F fencing on or off, B both, N next event, P previous, V the outcome. In the list of scenarios, letters search the list.');

    function set(e, text) { if (e.textContent !== text) e.textContent = text; }

    async function copy(text) {
      try {
        await navigator.clipboard.writeText(text);
        status.textContent = 'Copied.';
      } catch {
        status.textContent = 'The browser does not allow it: select the text and copy it.';
      }
    }

    function tellRun(run, i) {
      const lines = [element('strong', {}, run.name)];
      if (run.headline) {
        lines.push(element('p', { className: 'fp-headline' }, run.headline.replace(/^Fencing (on|off): /, '')));
        if (run.broken.length) lines.push(element('ul', {}, ...run.broken.map(b => element('li', {}, element('b', {}, 'Violated: '), b))));
      } else if (screen.held && screen.at < 0) {
        lines.push(element('p', {}, 'What happened, do you think? ', button('Show the outcome', () => hold(false))));
      } else {
        const last = storyOf(i).filter(l => l.at === screen.at);
        lines.push(element('p', {}, last.map(l => `${l.when}, ${l.who} ${l.says}.`).join(' ') || seconds(screen.at)));
      }
      lines.push(element('p', {}, `Storage: ${run.storage.join('; ')}.`));
      return element('div', { className: 'fp-run' }, ...lines);
    }

    const seconds = at => `${Number(at.toFixed(at < 0.1 ? 6 : 3))} s`;
    const storyOf = i => (shown.stories?.[i].lines ?? []).filter(l => l.step);

    function tellStory() {
      if (!storyBox.open) return;
      story.replaceChildren(...screen.runs.flatMap((run, i) => [
        element('caption', {}, run.name),
        element('tbody', {}, ...storyOf(i).map(l => element('tr', {}, element('td', {}, l.when), element('th', { scope: 'row' }, l.who), element('td', {}, l.says)))),
      ]));
    }

    // --- From the link to the screen.

    function change(values) {
      const parameters = new URLSearchParams(link);
      for (const [key, value] of Object.entries(values)) value ? parameters.set(key, value) : parameters.delete(key);
      show(parameters.toString());
    }

    // The outcome is held back from the first moment on: at the last one it can be seen.
    const hold = back => change(back ? { held: 'yes', at: '0s' } : { held: '', at: '' });

    function choose(name) {
      stop();
      const parameters = new URLSearchParams({ scenario: name });
      for (const key of ['fencing', 'held']) if (new URLSearchParams(link).has(key)) parameters.set(key, new URLSearchParams(link).get(key));
      if (parameters.has('held')) parameters.set('at', '0s');
      show(parameters.toString());
    }

    function reset() {
      stop();
      show(firstLink);
    }

    // Shows at once, but not more than once a frame: a busy machine is not made
    // to draw what nobody sees.
    let drawn = true, next;
    function soon(...move) {
      if (!drawn) return (next = move);
      drawn = false;
      requestAnimationFrame(() => {
        drawn = true;
        const last = next;
        next = undefined;
        if (last) soon(...last);
      });
      drag(...move);
    }

    function show(to) {
      if (draw(to)) describe();
    }

    // Only what the picture needs is on a slider's way to it; what is said of it
    // follows, some times a second.
    let untold;
    function drag(control, value) {
      if (draw(link, control, value)) untold ??= setTimeout(describe, 100);
    }

    // What cannot be shown is said, and the link stays the one of the picture.
    function draw(to, control = '', value = 0) {
      const [next, changes, width, height] = simulator.show(to, control, value, k > 1);
      if (changes === undefined) return refuse(next);
      simulator.shows = root;
      link = next;
      shown = { changes, width, height };
      paint();
      return true;
    }

    function refuse(sentence) {
      told.replaceChildren(element('p', { className: 'fp-error' }, sentence));
      return false;
    }

    function latest() {
      if (untold) describe();
      return screen;
    }

    function describe() {
      clearTimeout(untold);
      untold = undefined;
      if (simulator.shows !== root) { // but what another playground showed since
        simulator.show(link, '', 0, k > 1);
        simulator.shows = root;
      }
      const [said, stories] = simulator.tell();
      if (stories === undefined) return refuse(said);
      screen = JSON.parse(said);
      shown.stories = JSON.parse(stories);
      if (chart) {
        option.stories = shown.stories;
        picture.setAttribute('aria-label', option.aria.label.description);
        chart.dispatchAction({ type: 'hideTip' }); // it explains what was there before
      }
      if (screen.name === screen.base) own.remove();
      else if (own.value !== screen.name || !own.isConnected) scenario.prepend(Object.assign(own, { value: screen.name, textContent: screen.name }));
      scenario.value = screen.name;
      fencing[screen.fencing].checked = true;
      third.checked = screen.third;
      third.disabled = !screen.mayThird;
      held.checked = screen.held;
      screen.controls.forEach(setSlider);
      moment.max = screen.moments.length;
      moment.value = screen.at < 0 ? screen.moments.length : screen.moments.findLastIndex(m => m <= screen.at);
      set(now, screen.at < 0 ? 'the whole run' : seconds(screen.at));
      moment.setAttribute('aria-valuetext', now.textContent);
      const lines = screen.runs.map(tellRun);
      if (lines.map(e => e.textContent).join('') !== told.textContent) told.replaceChildren(...lines);
      set(code, screen.code);
      if (document.activeElement !== linkField) linkField.value = link;
      tellStory();
    }

    // The picture is as wide as there is room; on a full screen it is larger. Where
    // there is little, one for a projector gets smaller, down to the size on a laptop.
    // On a full screen no letter is smaller than 13 pixels (the labels have 12 k),
    // and there is room for what is said of the run, if there can be: what does not
    // fit is scrolled to.
    // To ask the page for its sizes costs time, so that a move of a slider does
    // not, unless the picture needs another room.
    let fitted = '';
    function fit() {
      const width = frame.clientWidth;
      if (!width) return; // hidden now; the observer calls again
      fitted = `${shown.width} ${shown.height}`;
      let scale = k > 1 ? Math.min(1, Math.max(1 / k, width / shown.width)) : 1;
      const full = document.fullscreenElement === root, room = innerHeight - frame.offsetTop;
      if (full) scale = Math.min(1.5, Math.max(13 / 12 / k, Math.min(width / shown.width, (room - 140) / shown.height)));
      set(more, full && shown.height * scale > room ? `More below: scroll${'bare' in root.dataset ? '' : ', or hide the sliders'}.` : '');
      const wide = Math.max(shown.width, width / scale);
      picture.style.transform = scale === 1 ? '' : `scale(${scale})`;
      frame.style.height = `${shown.height * scale + (wide * scale > width + 1 ? 16 : 0)}px`;
      Object.assign(picture.style, { width: `${wide}px`, height: `${shown.height}px` });
      const sharp = devicePixelRatio * scale; // a reader may enlarge the page at any time
      if (chart && chart.sharp === sharp) return chart.resize();
      if (chart) chart.dispose();
      chart = Object.assign(echarts.init(picture, null, { renderer: 'canvas', devicePixelRatio: sharp }), { sharp });
      clearCause = cause({ echarts, chart, get option() { return option ?? template; }, palette: () => option.palettes[dark() ? 'dark' : 'light'] });
    }

    function refit() {
      const before = chart;
      fit();
      if (chart !== before) paint();
    }

    function paint() {
      if (fitted !== `${shown.width} ${shown.height}`) fit();
      if (!chart) return;
      clearCause();
      const next = flat(fill(template, JSON.parse(shown.changes)));
      const form = [next.series.length, dark(), next.zoom > 1 && shown.changes].join();
      if (form !== chart.form || !option.redraw(chart, next)) {
        root.dataset.dark = dark();
        option = structuredClone(next);
        chart.setOption(complete(option, dark()), form === chart.form ? { replaceMerge: ['series'] } : true);
        chart.form = form;
      }
      option.stories = shown.stories;
      showPart();
    }

    const onKey = {
      f: () => change({ fencing: screen.fencing === 'on' ? 'off' : 'on' }),
      b: () => change({ fencing: screen.fencing === 'both' ? 'off' : 'both' }),
      n: () => step(moment.valueAsNumber + 1),
      p: () => step(moment.valueAsNumber - 1),
      v: () => hold(!screen.held),
    };
    root.addEventListener('keydown', event => {
      const typing = event.target.matches('select, input[type=text]'); // no letter is a number
      const action = onKey[event.key.toLowerCase()];
      if (!action || typing || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      action();
    });

    root.tabIndex = -1; // the keys work as well after a click on the picture
    root.setAttribute('data-lm-suppress-shortcuts', 'true');
    root.replaceChildren(choices, numbers, steps, part, frame, told, keys, storyBox, share);
    root.dataset.ready = 'true';
    root.dataset.projector = k > 1;
    show(firstLink);

    // The page has a playground's listeners, and ECharts its picture, only while the
    // playground is in the page: JupyterLab takes a cell out when it is scrolled away,
    // and for good when it is run again.
    let listening;
    function settle() {
      if (!root.isConnected) return leave();
      if (!listening) listen();
      refit();
    }
    function listen() {
      listening = new AbortController();
      const { signal } = listening;
      const theme = new MutationObserver(paint);
      theme.observe(document.body, { attributeFilter: ['data-jp-theme-light'] });
      signal.addEventListener('abort', () => theme.disconnect());
      document.addEventListener('fullscreenchange', refit, { signal });
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint, { signal });
    }
    function leave() {
      stop();
      listening?.abort();
      chart?.dispose();
      listening = chart = undefined;
    }
    new ResizeObserver(settle).observe(frame);
  }

  function fail(root, error) {
    console.error(error);
    root.querySelector('p').textContent = 'The playground cannot be shown here (' + error.message + '). Open this lesson with “go run ./notebooks” and run the cell again. Here is the run as a story:';
  }

  window.__fencingECharts ??= loadECharts();
  window.__fencingPlayground ??= loadSimulator();
  const elements = [...document.querySelectorAll(`[id="${id}"]:not([data-started])`)];
  for (const e of elements) e.dataset.started = 'true';
  Promise.all([window.__fencingECharts, window.__fencingPlayground]).then(
    ([echarts, simulator]) => {
      echarts.registerAction({ type: 'fencingRedraw', update: 'series.custom:render' }, () => {});
      for (const e of elements) {
        const story = [...e.childNodes];
        try {
          playground(e, echarts, simulator);
        } catch (error) {
          e.replaceChildren(...story);
          fail(e, error);
        }
      }
    },
    error => {
      delete window.__fencingECharts; // the next one tries again
      delete window.__fencingPlayground;
      elements.forEach(e => fail(e, error));
    },
  );
})

// A cursor in one run: buttons to the next and the previous event, to play, and
// to the event that decides; the story's line is shown and read out.
(function ({ echarts, chart, option, drawn, figure, palette }) {
  const story = option.stories[0];
  const title = option.title[0].text, label = option.aria.label.description; // they tell the outcome
  const steps = story.lines.filter(l => l.step);
  const decides = story.proof ? steps.findLastIndex(l => l.n <= story.proof) : -1;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const k = option.scale;
  const pace = 1500; // milliseconds an event
  let at = -1, timer, cursor;

  const controls = figure.querySelector('.fencing-steps');
  controls.hidden = false;
  controls.setAttribute('role', 'group');
  controls.setAttribute('aria-label', 'Step through the run');
  controls.dataset.lmSuppressShortcuts = 'true'; // JupyterLab has its own meaning for some keys

  function button(name, text, act) {
    const b = document.createElement('button');
    b.type = 'button';
    b.dataset.step = name;
    b.textContent = text;
    b.style.cssText = `font-size: ${14 * k}px; margin: 0 .4em .3em 0; padding: .3em .8em; border: 1px solid currentColor; border-radius: 4px; background: transparent; color: inherit; cursor: pointer;`;
    b.addEventListener('click', act);
    return controls.appendChild(b);
  }

  const start = button('start', 'Start over', () => go(-1));
  const previous = button('previous', '◀ Previous', () => go(at - 1));
  const next = button('next', 'Next ▶', () => go(at + 1));
  const play = button('play', 'Play', () => timer ? stop() : run());
  const violation = button('violation', 'To the violation', () => go(decides));
  play.hidden = calm; // nothing moves by itself for those who asked for that
  if (decides < 0) {
    violation.disabled = true;
    violation.title = story.noProof;
  }

  const told = controls.appendChild(document.createElement('p'));
  told.className = 'fencing-told';
  told.setAttribute('aria-live', 'polite');
  told.style.cssText = `font-size: ${15 * k}px; min-height: 2.8em; margin: .2em 0; overflow-wrap: anywhere;`;

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = 'Play';
  }

  function run() {
    if (at >= steps.length - 1) show(-1);
    play.textContent = 'Stop';
    timer = setInterval(() => {
      show(at + 1);
      if (at >= steps.length - 1) stop();
    }, pace);
  }

  function go(to) {
    stop();
    show(to);
  }

  function show(to) {
    at = Math.max(-1, Math.min(steps.length - 1, to));
    const step = steps[at];
    told.textContent = step ? `${at + 1} of ${steps.length} · ${step.when} · ${step.who} ${step.says}` : steps.length ? `Before the first of ${steps.length} events.` : 'Nothing happened in this run.';
    controls.dataset.at = step ? step.n : 0;
    start.disabled = previous.disabled = at < 0;
    next.disabled = at >= steps.length - 1;
    const known = at >= steps.length - 1 || decides >= 0 && at >= decides;
    cover(known);
    if (step) keepInView(step);
    mark();
  }

  // Takes out of the picture and its title what comes later. The option remembers it
  // for when all is painted anew.
  function cover(known) {
    const next = steps[at + 1];
    option.title[0].text = known ? title : story.asks;
    option.aria.label.description = known ? label : `Timeline up to the event that is told above it. ${story.asks} ${option.title[0].subtext}`;
    option.seen = drawn().seen = next && { before: next.n, at: at < 0 ? -1 : steps[at].at };
    chart.setOption({ title: [{ text: option.title[0].text }], aria: option.aria });
  }

  // Moves the window of a long run along with the cursor.
  function keepInView(step) {
    if (!(option.zoom > 1)) return;
    const { startValue, endValue } = chart.getOption().dataZoom[0];
    const width = endValue - startValue;
    if (step.at > startValue + width * 0.05 && step.at < endValue - width * 0.1) return;
    const from = Math.max(0, Math.floor((step.at - width / 3) / option.interval) * option.interval);
    chart.dispatchAction({ type: 'dataZoom', startValue: from, endValue: from + width });
  }

  // Marks the event.
  function mark() {
    const { Group, Line, Circle } = echarts.graphic;
    if (cursor) chart.getZr().remove(cursor);
    cursor = null;
    const step = steps[at];
    if (!step) return;
    cursor = new Group({ silent: true });
    const { height } = chart.getModel().getComponent('grid').coordinateSystem.getRect();
    const x = chart.convertToPixel({ xAxisIndex: 0 }, step.at);
    const style = { fill: 'none', stroke: palette().ink, lineWidth: 2 * k };
    cursor.add(new Line({ silent: true, z: 91, shape: { x1: x, y1: story.top * k, x2: x, y2: height }, style }));
    cursor.add(new Circle({ silent: true, z: 92, shape: { cx: x, cy: step.y * k, r: 13 * k }, style }));
    chart.getZr().add(cursor);
  }

  const keys = { ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(-1), End: () => go(steps.length - 1) };
  controls.addEventListener('keydown', event => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  new ResizeObserver(() => requestAnimationFrame(mark)).observe(chart.getDom());
  new MutationObserver(() => requestAnimationFrame(() => show(at))).observe(document.body, { attributeFilter: ['data-jp-theme-light'] });
  chart.on('datazoom', mark);
  show(-1);
})

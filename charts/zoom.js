// Buttons and keys for the window through which a long run is seen. They are
// hidden as long as all of a run is seen at once: call what is returned when the
// picture has changed.
(function (figure, now) {
  const group = document.createElement('div');
  group.className = 'fencing-zoom';
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', 'The part of the run that is seen: arrow keys move it, + and − change its width, Home and End lead to its ends');
  group.dataset.lmSuppressShortcuts = 'true'; // JupyterLab has its own meaning for some keys
  const part = () => now().chart.getOption().dataZoom[0];
  const second = n => +n.toFixed(1);

  function to(from, width) {
    const { chart, option } = now();
    const end = option.xAxis[0].max;
    width = Math.min(end, Math.max(2 * option.interval, width));
    from = Math.max(0, Math.min(end - width, from));
    chart.dispatchAction({ type: 'dataZoom', startValue: from, endValue: from + width });
    says.textContent = `${second(from)} s to ${second(from + width)} s of ${second(end)} s`;
  }
  const move = share => () => { const { startValue: from, endValue } = part(); to(from + share * (endValue - from), endValue - from); };
  const widen = times => () => { const { startValue: from, endValue } = part(), width = endValue - from; to(from + width * (1 - times) / 2, width * times); };

  const acts = [
    ['◀ Earlier', ['ArrowLeft'], move(-0.5)],
    ['Later ▶', ['ArrowRight'], move(0.5)],
    ['+ Closer', ['+', '='], widen(0.5)],
    ['− Wider', ['-', '−'], widen(2)],
    ['', ['Home'], () => to(0, part().endValue - part().startValue)],
    ['', ['End'], () => to(Infinity, part().endValue - part().startValue)],
  ];
  for (const [text, , act] of acts.filter(([text]) => text)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    button.style.cssText = 'font: inherit; margin: 0 .4em .3em 0; padding: .2em .7em; border: 1px solid currentColor; border-radius: 4px; background: transparent; color: inherit; cursor: pointer;';
    button.addEventListener('click', act);
    group.append(button);
  }
  const says = document.createElement('output');
  group.append(says);
  group.addEventListener('keydown', event => {
    const found = acts.find(([, keys]) => keys.includes(event.key));
    if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    found[2]();
  });
  figure.append(group);

  return () => {
    group.hidden = !(now().option.zoom > 1);
    says.textContent = '';
  };
})

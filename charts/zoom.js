// Buttons and keys for the window through which a long run is seen. They are
// hidden as long as all of a run is seen at once: call what is returned when the
// picture has changed.
(function (figure, now) {
  const group = document.createElement('div');
  group.className = 'fencing-zoom';
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', 'The part of the run that is seen: arrow keys move it, + and − change its width, 0 shows all of it, Home and End lead to its ends');
  group.dataset.lmSuppressShortcuts = 'true'; // JupyterLab has its own meaning for some keys
  const part = () => now().chart.getOption().dataZoom[0];
  group.append('The part that you see: ');
  const second = n => +n.toFixed(1);

  function to(from, width) {
    const { chart, option } = now();
    const end = option.xAxis[0].max;
    width = Math.min(end, Math.max(2 * option.interval, width));
    from = Math.max(0, Math.min(end - width, from));
    chart.dispatchAction({ type: 'dataZoom', startValue: from, endValue: from + width });
  }

  function tell() {
    const { startValue: from, endValue } = part(), end = now().option.xAxis[0].max;
    const x = at => now().chart.convertToPixel({ xAxisIndex: 0 }, at);
    const narrow = x(1) - x(0) < now().option.density; // see draw.js
    says.textContent = `${second(from)} s to ${second(endValue)} s of ${second(end)} s${narrow ? ' (texts need a closer look)' : ''}`;
    whole.disabled = endValue - from >= end;
  }
  const move = share => () => { const { startValue: from, endValue } = part(); to(from + share * (endValue - from), endValue - from); };
  const widen = times => () => { const { startValue: from, endValue } = part(), width = endValue - from; to(from + width * (1 - times) / 2, width * times); };

  const acts = [
    ['◀ Earlier', ['ArrowLeft'], move(-0.5)],
    ['Later ▶', ['ArrowRight'], move(0.5)],
    ['+ Closer', ['+', '='], widen(0.5)],
    ['− Wider', ['-', '−'], widen(2)],
    ['The whole run', ['0'], () => to(0, Infinity)],
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
  const whole = group.lastChild;
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

  let heard; // the chart that is listened to
  return () => {
    const { chart, option } = now();
    group.hidden = !(option.zoom > 1);
    if (group.hidden) return;
    if (chart !== heard) chart.on('datazoom', tell);
    heard = chart;
    tell();
  };
})

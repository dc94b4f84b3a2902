(id, seconds) => {
  const root = document.getElementById(id);
  const questions = [...root.querySelectorAll(':scope > ol > li')];
  const make = (tag, text, parent) => {
    const e = document.createElement(tag);
    e.textContent = text;
    parent.append(e);
    return e;
  };
  const bar = document.createElement('div');
  root.querySelector('ol').before(bar);
  const place = make('p', '', bar);
  place.setAttribute('role', 'status');
  const clock = make('p', '', bar);
  clock.style.fontVariantNumeric = 'tabular-nums';
  const buttons = document.createElement('div'); // below, where the tab key gets from the points
  root.querySelector('ol').after(buttons);
  const button = (text, act) => {
    const b = make('button', text, buttons);
    b.type = 'button';
    b.style.marginRight = '0.5em';
    b.addEventListener('click', act);
    return b;
  };
  const summary = document.createElement('div');
  summary.tabIndex = -1;
  root.append(summary);

  let at = -1; // before the first question
  let left = seconds; // of this question
  let since = 0; // when the clock was started, 0 while it stands
  const remaining = () => left - (since ? Math.floor((performance.now() - since) / 1000) : 0);
  const stop = () => {
    left = remaining();
    since = 0;
  };
  const spell = s => `${s < 0 ? 'over by ' : ''}${Math.floor(Math.abs(s) / 60)}:${String(Math.abs(s) % 60).padStart(2, '0')}`;
  const tick = () => {
    if (!root.isConnected) return clearInterval(timer);
    clock.textContent = at < 0 || at >= questions.length ? '' : `Time: ${spell(remaining())}${since ? '' : ' (paused)'}`;
  };
  const timer = setInterval(tick, 250);

  const checked = q => [...q.querySelectorAll('input')].filter(i => i.checked).length;
  const sumUp = () => {
    summary.replaceChildren();
    make('p', 'What you said, of the points of a good answer:', summary);
    const list = make('ul', '', summary);
    for (const topic of new Set(questions.map(q => q.dataset.topic))) {
      const of = questions.filter(q => q.dataset.topic === topic);
      const said = of.reduce((n, q) => n + checked(q), 0);
      const points = of.reduce((n, q) => n + q.querySelectorAll('input').length, 0);
      make('li', `${topic}: ${said} of ${points}`, list);
    }
    const again = questions.filter(q => checked(q) < q.querySelectorAll('input').length);
    make('p', again.length ? 'To look at again:' : 'Every point was said. Draw others with another seed.', summary);
    const links = make('ul', '', summary);
    for (const q of again) {
      const item = make('li', q.querySelector('.ask').textContent + ' ', links);
      item.append(q.querySelector('a').cloneNode(true));
    }
    summary.focus();
  };

  const go = to => {
    at = Math.max(0, Math.min(to, questions.length));
    left = seconds;
    since = at < questions.length ? performance.now() : 0;
    questions.forEach((q, i) => (q.hidden = i !== at));
    summary.hidden = at < questions.length;
    begin.hidden = true;
    back.hidden = hold.hidden = next.hidden = false;
    back.disabled = at === 0;
    hold.disabled = next.disabled = at === questions.length;
    hold.textContent = 'Stop the clock';
    next.textContent = at === questions.length - 1 ? 'Finish' : 'Next question';
    place.textContent = at < questions.length ? `Question ${at + 1} of ${questions.length}` : 'The interview is over.';
    if (at === questions.length) sumUp();
    else questions[at].querySelector('.ask').focus(); // and not a button that skips it
    tick();
  };
  const begin = button('Begin', () => go(0));
  const back = button('Back', () => go(at - 1));
  const hold = button('Stop the clock', () => {
    if (since) stop();
    else since = performance.now();
    hold.textContent = since ? 'Stop the clock' : 'Go on';
    tick();
  });
  const next = button('Next question', () => go(at + 1));
  back.hidden = hold.hidden = next.hidden = true;
  questions.forEach((q, i) => {
    q.hidden = true;
    q.value = i + 1; // hidden ones do not count
    q.querySelector('.ask').tabIndex = -1;
  });
  place.textContent = `${questions.length} questions, ${spell(seconds)} minutes each. Answer aloud, then open the points and tick what you said.`;
}

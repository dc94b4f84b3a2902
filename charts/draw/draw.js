// Completes the option that package draw made: paints it in the page's colours
// and gives ECharts the functions that JSON cannot carry. The option goes on to
// know the shapes, in series[i].data[j].value[2]; ECharts has their places only,
// and a few to spare, so that most other pictures can be drawn without a new option,
// which costs more than the drawing: see option.redraw.
(function (option, dark) {
  const palette = option.palettes[dark ? 'dark' : 'light'];
  const font = 'system-ui, -apple-system, Roboto, Arial, sans-serif';
  const k = option.scale || 1; // how much larger than on a laptop
  const dash = s => s.dash && s.dash.map(d => d * k);
  const colours = new Set(['color', 'fill', 'stroke', 'hatch', 'plate']);

  function painted(value) {
    for (const key of Object.keys(value)) {
      const v = value[key];
      if (typeof v === 'string' && colours.has(key) && v[0] === '$') value[key] = palette[v.slice(1)];
      else if (v && typeof v === 'object') painted(v);
    }
    return value;
  }

  // Outline (filled) and glyph (stroked) of each symbol, around 0,0.
  const circle = r => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  const symbols = {
    check: [circle(8), 'M-3.6 .2L-1 2.8L3.8 -2.6'],
    warning: ['M0 -10L11 8.5H-11z', 'M0 -3.8V2.2M0 5V6.2'],
    unseen: ['M0 10L11 -8.5H-11z', 'M0 -5.6V.4M0 3.2V4.4'],
    late: ['M-8 -8H8V8H-8z', 'M0 -4.6V.6H4'],
    cross: ['', 'M-6.5 -6.5L6.5 6.5M6.5 -6.5L-6.5 6.5'],
    dead: ['M0 -11L11 0L0 11L-11 0z', 'M-3.4 -3.4L3.4 3.4M3.4 -3.4L-3.4 3.4'],
    unknown: [circle(6.5), 'M-1.9 -1.6C-1.9 -4.2 2 -4 2 -1.7C2 .1 0 0 0 1.6M0 3.4V4'],
    clock: [circle(5), 'M0 -3V.2H2.4'],
    read: [circle(8), 'M-5 0Q0 -5 5 0Q0 5 -5 0zM-1 0A1 1 0 1 0 1 0A1 1 0 1 0 -1 0'],
    claim: [circle(8), 'M-2.5 4.5V-4.5L4 -2L-2.5 .5'],
    gone: [circle(8), 'M-4 0H4'],
    again: ['', 'M5.2 -4.2A7 7 0 1 0 7 1M7 -7V-3.2H3.2'],
    blocked: [circle(8), 'M-5 5L5 -5'],
    no: ['', 'M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5'],
    dot: [circle(4.5), ''],
    end: ['', 'M-4 -7H4M0 -7V7M-4 7H4'],
    bracket: ['', 'M-5 -14H5M0 -14V14M-5 14H5'],
  };
  const ringed = new Set(['unknown', 'clock', 'read', 'gone', 'blocked', 'dot']);

  function drawMark(s, x, y) {
    const [outline, glyph] = symbols[s.symbol];
    const children = [];
    if (outline) children.push({ type: 'path', shape: { pathData: outline }, style: { fill: s.fill, stroke: ringed.has(s.symbol) ? s.stroke : palette.ground, lineWidth: 1.2 } });
    if (outline === '') children.push({ type: 'path', shape: { pathData: glyph }, style: { fill: 'none', stroke: palette.ground, lineWidth: s.width + 3 } });
    children.push({ type: 'path', shape: { pathData: glyph }, style: { fill: 'none', stroke: s.stroke, lineWidth: s.width, lineCap: 'round', lineJoin: 'round' } });
    const scale = k * (s.size ? s.size / 16 : 1);
    return { type: 'group', x, y, scaleX: scale, scaleY: scale, children };
  }

  function drawLine(s, x, y, x2) {
    const y2 = s.y2 * k;
    const shape = { x1: x, y1: y, x2, y2 };
    const width = s.width * k;
    const children = [];
    if (s.halo) children.push({ type: 'line', shape, style: { stroke: palette.ground, lineWidth: width + 3 * k, opacity: 0.85 } });
    children.push({ type: 'line', shape, style: { stroke: s.stroke, lineWidth: width, lineDash: dash(s) } });
    const rotation = -Math.atan2(y2 - y, x2 - x);
    const at = { type: 'path', x: x2, y: y2, scaleX: k, scaleY: k };
    if (s.head) children.push({ ...at, rotation, shape: { pathData: 'M1 0L-8 -4.5V4.5z' }, style: { fill: s.stroke } });
    if (s.lost) children.push({ ...at, shape: { pathData: 'M-5 -5L5 5M5 -5L-5 5' }, style: { fill: 'none', stroke: palette.warn, lineWidth: 3 } });
    return { type: 'group', children };
  }

  function drawBar(s, x, y, x2) {
    const width = Math.max(x2 - x, 2), height = s.y2 * k - y;
    const style = { fill: s.fill, fillOpacity: s.opacity || 1, stroke: s.stroke, lineWidth: s.stroke ? s.width * k : 0, lineDash: dash(s) };
    const rect = { type: 'rect', shape: { x, y, width, height, r: 2 }, style };
    if (!s.hatch) return rect;
    return { type: 'group', children: [rect, { type: 'path', x, y, shape: { pathData: stripes(width, height) }, style: { fill: 'none', stroke: s.hatch, lineWidth: 1.4 * k } }] };
  }

  // Slanting lines across a rectangle.
  function stripes(width, height) {
    let path = 'M0 0';
    for (let c = 5 * k; c < width + height; c += 10.5 * k) {
      const right = Math.min(c, width), low = Math.min(c, height);
      path += `M${right} ${c - right}L${c - low} ${low}`;
    }
    return path;
  }

  function drawText(s, x, y) {
    const style = { text: s.text, x, y, align: s.align, verticalAlign: 'middle', fill: s.fill, font: `${s.bold ? 600 : 400} ${s.size * k}px ${font}` };
    if (s.halo) Object.assign(style, { stroke: palette.ground, lineWidth: 3 });
    if (s.plate) Object.assign(style, { backgroundColor: s.plate, width: s.room * k, padding: [k, 2 * k], x: x + { left: -2, center: 0, right: 2 }[s.align] * k });
    return { type: 'text', style };
  }

  function drawArea(s, x, y, x2) {
    const points = [[x, y], [x2, s.y2 * k], [x2, s.y3 * k], [x, s.y4 * k]];
    return { type: 'polygon', shape: { points }, style: { fill: s.fill, fillOpacity: s.opacity || 1 } };
  }

  // What a cursor in the run has come to: what was before an event, up to a time.
  // What lasts longer ends there as yet; a text about it comes when it has ended.
  function seen(s) {
    const { before, at } = option.seen, x = s.x || 0;
    if (s.event >= before || !s.fixed && Math.max(x, s.form === 'text' && s.x2 || x) > at) return null;
    if (s.fixed || !(s.x2 > at)) return s;
    return { ...s, x2: at, y2: s.form === 'line' ? s.y + (s.y2 - s.y) * (at - x) / (s.x2 - x) : s.y2, head: false, lost: false };
  }

  const drawers = { area: drawArea, mark: drawMark, line: drawLine, bar: drawBar, text: drawText };

  // Order is by number: ECharts adds new elements behind the others.
  function inOrder(element, z2) {
    if (element.children) for (const child of element.children) inOrder(child, z2);
    else element.z2 = z2;
    return element;
  }

  const redraw = 'fencingRedraw'; // an action: no more than shapes has changed

  function renderItem(n) {
    const drawn = []; // what each place shows, as text; '' is an element that is hidden
    // In a redraw ECharts does not let go of an element that it is told to take away,
    // and fails when it has to take it away again.
    function nothing(place, redrawn) {
      const hide = redrawn && drawn[place] !== undefined;
      drawn[place] = hide ? '' : undefined;
      return hide ? { ignore: true } : null;
    }
    return (params, api) => {
      const place = params.dataIndex, item = option.series[n].data[place];
      let s = item && item.value[2];
      if (s && option.seen) s = seen(s);
      const { x: left, width } = params.coordSys;
      const second = option.zoom > 1 ? api.size([1, 0])[0] : width / option.xAxis[0].max; // its width
      // Labels were given room at a certain width; in a narrower picture they
      // would lie on one another.
      if (!s || s.form === 'text' && !s.fixed && second < option.density) return nothing(place, params.actionType === redraw);
      const across = at => option.zoom > 1 && !s.fixed ? api.coord([at, 0])[0] : left + at * (s.fixed ? width : second);
      let x = across(s.x || 0) + (s.dx || 0) * k, x2 = across(s.x2 || 0) + (s.dx2 || 0) * k;
      if (s.sharp) x = x2 = Math.floor(x) + 0.5; // else the line lies across two columns of pixels
      const z2 = item.order ?? place;
      const before = drawn[place];
      drawn[place] = [item.text, x, x2, z2].join();
      if (params.actionType === redraw && drawn[place] === before) return {}; // stays as it is
      return { ...inOrder(drawers[s.form](painted(s), x, s.y * k, x2), z2), ignore: false };
    };
  }

  // The places of a series' shapes. When ECharts draws over another picture, it
  // makes one shape from another at the same place, so that those of a place must
  // be built alike.
  function places(data) {
    const alike = new Map();
    return data.map(({ value: [, , s] }) => {
      const built = [s.form, s.symbol, s.halo, s.head, s.lost, s.hatch && 'hatch'].join();
      alike.set(built, (alike.get(built) ?? -1) + 1);
      return { built, n: alike.get(built) };
    });
  }

  // What ECharts gets of shapes: their places, and where they begin and end.
  function placed(data) {
    const taken = places(data), spare = [];
    for (const [built, n] of new Map(taken.map(p => [p.built, p.n]))) for (const more of [1, 2, 3]) spare.push({ built, n: n + more });
    return [...taken, ...spare].map(({ built, n }, i) => ({ id: built + n, value: i < data.length ? data[i].value.slice(0, 2) : [-1e9, 1e9] }));
  }

  // Draws another picture in the same colours and without a window. False if a
  // shape has no place, so that it takes a new option. Whoever calls it has
  // registered the action.
  option.redraw = (chart, next) => {
    const axis = axisOf(option), before = texts, changed = [];
    const now = textsOf(next);
    const taken = next.series.map(({ data }, i) => {
      if (next.density === option.density && now[i].join() === before[i].join()) return option.series[i].data;
      changed.push(i);
      const list = [];
      for (const [order, { built, n }] of places(data).entries()) list[placeOf[i].get(built + n) ?? -1] = { ...data[order], order, text: now[i][order] };
      return list;
    });
    if (taken.some(list => list[-1])) return false;
    texts = now;
    Object.assign(option, next, { series: next.series.map((series, i) => ({ ...series, data: taken[i] })) });
    if (JSON.stringify(axis) !== JSON.stringify(axisOf(next))) chart.setOption(axisOf(next));
    else if (changed.length) chart.dispatchAction({ type: redraw, seriesIndex: changed }, { flush: true });
    return true;
  };

  // The shapes of each series, as texts, by which one is known to be as it was.
  const textsOf = ({ series }) => series.map(({ data }) => data.map(item => JSON.stringify(item)));
  const axisOf = ({ grid: [{ left, height }], xAxis: [{ show, max, splitNumber }], interval }) => ({ grid: { left, height }, ...(show !== false && { xAxis: { max, splitNumber, interval } }) });

  const escaped = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  const escape = text => text.replace(/[&<>"']/g, c => escaped[c]);

  // What the mouse is on: in words of its own, or by the story's sentence.
  function explain(p) {
    const item = option.series[p.seriesIndex]?.data[p.dataIndex];
    const shape = item && item.value[2];
    if (item?.name && !(shape.x2 > option.seen?.at)) return item.name; // it may tell the end
    const story = option.stories && option.stories[p.seriesIndex];
    const line = shape && story && story.lines.find(l => l.n === shape.event);
    return line ? `${line.when} · ${line.who}: ${line.says}` : '';
  }

  function completeZoom(zoom) {
    Object.assign(zoom, { zoomOnMouseWheel: 'ctrl', moveOnMouseMove: true, moveOnMouseWheel: 'shift', preventDefaultMouseMove: false });
    if (zoom.type === 'slider') Object.assign(zoom, option.slider, { borderColor: palette.rule, textStyle: { color: palette.ink }, brushSelect: false, labelFormatter: v => `${+v.toFixed(1)} s` });
  }

  let texts = textsOf(option);
  for (const [i, { data }] of option.series.entries()) for (const [j, item] of data.entries()) item.text = texts[i][j];
  painted({ ...option, series: null, stories: null }); // shapes are painted when they are drawn
  for (const title of option.title) title.itemGap = 3 * k;
  option.textStyle = { fontFamily: font };
  Object.assign(option.tooltip, {
    confine: true,
    formatter: p => escape(explain(p)),
    backgroundColor: palette.ground,
    borderColor: palette.muted,
    textStyle: { color: palette.ink, fontSize: 13 * k },
    extraCssText: 'max-width: 24em; white-space: normal; overflow-wrap: anywhere;',
  });
  if (option.zoom > 1) Object.assign(option.xAxis[0].axisLabel, { showMinLabel: false, showMaxLabel: false, formatter: v => String(+v.toFixed(1)) });
  else if (option.interval) option.xAxis[0].interval = option.interval;
  for (const zoom of option.dataZoom || []) completeZoom(zoom);
  // The shapes stay here: ECharts would copy them, again and again.
  const { palettes, stories, table, slider, density, interval, zoom, scale, seen: cursor, redraw: again, ...known } = option;
  known.title = option.title.map((t, i) => ({ ...t, id: String(i) }));
  known.series = option.series.map((series, i) => ({
    ...series,
    id: String(i),
    data: placed(series.data),
    z: { axis: 1, lanes: 2 }[series.name] ?? 3 + i, // labels cover what does not move
    zlevel: 0, // else an element that is new in a redraw has none
    renderItem: renderItem(i),
    clip: zoom > 1 && series.name !== 'lanes' && series.name !== 'titles',
  }));
  const placeOf = known.series.map(({ data }) => new Map(data.map(({ id }, place) => [id, place])));
  return known;
})

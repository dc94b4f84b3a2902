// Shows what led to the event that the mouse is on: a dotted line from its cause, and
// from the cause of that. Call what is returned when the picture has changed: the
// option is asked for anew each time.
(function (tool) {
  const { echarts, chart, palette } = tool;
  const { Group, Line, Circle } = echarts.graphic;
  const k = tool.option.scale;
  const far = 3; // how many causes back
  let shown, of; // of which event

  const find = (story, n) => tool.option.stories?.[story]?.lines.find(l => l.n === n);

  const place = l => [chart.convertToPixel({ xAxisIndex: 0 }, l.at), l.y * k];

  function clear() {
    if (!shown) return;
    chart.getZr().remove(shown);
    shown = null;
    chart.getDom().removeAttribute('data-cause');
  }

  function ring([x, y], width) {
    return new Circle({ silent: true, z: 100, shape: { cx: x, cy: y, r: 12 * k }, style: { fill: 'none', stroke: palette().ink, lineWidth: width * k } });
  }

  // A dotted line on a ground of its own, to be seen on bars of any colour. Along a
  // bar it keeps below the bar's text.
  function way([x1, y1], [x2, y2]) {
    const below = y1 === y2 ? 10 * k : 0;
    const line = style => new Line({ silent: true, z: 99, shape: { x1, y1: y1 + below, x2, y2: y2 + below }, style });
    const group = new Group({ silent: true });
    group.add(line({ stroke: palette().ground, lineWidth: 5 * k }));
    group.add(line({ stroke: palette().ink, lineWidth: 2 * k, lineDash: [2 * k, 3 * k] }));
    return group;
  }

  function show(story, n) {
    if (shown && of === `${story} ${n}`) return;
    clear();
    of = `${story} ${n}`;
    let line = find(story, n);
    if (!line) return;
    shown = new Group({ silent: true });
    shown.add(ring(place(line), 2.5));
    const causes = [];
    for (let i = 0; i < far; i++) {
      const cause = find(story, line.by);
      if (!cause) break;
      shown.add(way(place(cause), place(line)));
      shown.add(ring(place(cause), 1.5));
      causes.push(cause.n);
      line = cause;
    }
    chart.getZr().add(shown);
    chart.getDom().dataset.cause = causes.join(' ');
  }

  // In another picture the mouse may be on the same element, which it has not come to anew.
  chart.on('mousemove', p => p.componentType === 'series' && show(p.seriesIndex, tool.option.series[p.seriesIndex].data[p.dataIndex]?.value[2].event));
  chart.on('mouseout', clear);
  chart.on('datazoom', clear);
  return clear;
})

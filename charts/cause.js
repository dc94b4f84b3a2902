// Shows what led to the event that the mouse is on: a dotted line from its cause, and
// from the cause of that.
(function ({ echarts, chart, option, palette }) {
  if (!option.stories) return;
  const { Group, Line, Circle } = echarts.graphic;
  const k = option.scale;
  const far = 3; // how many causes back
  const lines = option.stories.map(story => new Map(story.lines.map(l => [l.n, l])));
  let shown;

  const place = l => [chart.convertToPixel({ xAxisIndex: 0 }, l.at), l.y * k];

  function clear() {
    if (shown) chart.getZr().remove(shown);
    shown = null;
    chart.getDom().removeAttribute('data-cause');
  }

  function ring([x, y], width) {
    return new Circle({ silent: true, z: 100, shape: { cx: x, cy: y, r: 12 * k }, style: { fill: 'none', stroke: palette().ink, lineWidth: width * k } });
  }

  // A dotted line on a ground of its own, to be seen on bars of any colour.
  function way([x1, y1], [x2, y2]) {
    const line = style => new Line({ silent: true, z: 99, shape: { x1, y1, x2, y2 }, style });
    const group = new Group({ silent: true });
    group.add(line({ stroke: palette().ground, lineWidth: 5 * k }));
    group.add(line({ stroke: palette().ink, lineWidth: 2 * k, lineDash: [2 * k, 3 * k] }));
    return group;
  }

  function show(story, n) {
    clear();
    let line = lines[story] && lines[story].get(n);
    if (!line) return;
    shown = new Group({ silent: true });
    shown.add(ring(place(line), 2.5));
    const causes = [];
    for (let i = 0; i < far; i++) {
      const cause = lines[story].get(line.by);
      if (!cause) break;
      shown.add(way(place(cause), place(line)));
      shown.add(ring(place(cause), 1.5));
      causes.push(cause.n);
      line = cause;
    }
    chart.getZr().add(shown);
    chart.getDom().dataset.cause = causes.join(' ');
  }

  chart.on('mouseover', p => p.componentType === 'series' && show(p.seriesIndex, option.series[p.seriesIndex].data[p.dataIndex].value[2].event));
  chart.on('mouseout', clear);
  chart.on('datazoom', clear);
})

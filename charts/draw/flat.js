// Makes shapes of what ECharts draws by itself, the titles and the time axis, where
// they stand otherwise: shapes alone can be drawn over others (see option.redraw in
// draw.js). The axis of a picture that is seen through a window stays.
(function (option) {
  const k = option.scale || 1; // how much larger than on a laptop
  const left = parseFloat(option.grid[0].left), bottom = parseFloat(option.grid[0].height);
  const shape = (form, x, y, more) => ({ value: [-1e9, 1e9, { form, fixed: true, x, y: y / k, ...more }] });

  function titles() {
    const texts = [];
    for (const { text, subtext, top, textStyle, subtextStyle } of option.title) {
      let y = parseFloat(top || 0) + 5;
      for (const [lines, style] of [[text, textStyle], [subtext, subtextStyle]]) {
        for (const line of (lines || '').split('\n')) {
          texts.push(shape('text', 0, y + style.lineHeight / 2, { dx: (5 - left) / k, text: line, align: 'left', size: style.fontSize / k, bold: style === textStyle, fill: style.color }));
          y += style.lineHeight;
        }
        y += 3 * k;
      }
    }
    return texts;
  }

  function axis() {
    const { max, axisLabel, splitLine } = option.xAxis[0];
    const lines = [], numbers = [];
    for (let i = 0; i * option.interval < max * 1.000001; i++) {
      const at = +(i * option.interval).toFixed(9), x = at / max;
      lines.push(shape('line', x, 0, { x2: x, y2: bottom / k, sharp: true, stroke: splitLine.lineStyle.color, width: 1 / k }));
      numbers.push(shape('text', x, bottom + 8 + axisLabel.fontSize / 2, { text: String(at).replace(/\d(?=(\d{3})+$)/g, '$&,'), align: 'center', size: axisLabel.fontSize / k, fill: axisLabel.color }));
    }
    return [...lines, ...numbers];
  }

  const series = (name, data) => ({ ...option.series.at(-1), name, data, silent: true }); // they explain nothing to the mouse
  const aria = { ...option.aria, enabled: false }; // ECharts would say what it said with its last new option
  const flat = { ...option, aria, title: [], series: [...option.series, series('titles', titles())] };
  if (option.zoom > 1) return flat;
  return { ...flat, xAxis: [{ ...option.xAxis[0], show: false }], series: [...flat.series, series('axis', axis())] };
})

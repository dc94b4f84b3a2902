// Draws one chart into every element that has its id: JupyterLab may show the
// same output twice. All charts of a page share one copy of ECharts. The tools
// are called with every chart once it is there; they add what stands beside it.
(function (id, assetsHost, complete, option, tools) {
  // ECharts is evaluated as a module of its own: a page such as JupyterLab may
  // have a "define" or a "require" that must not catch it.
  async function load() {
    const sources = [assetsHost + 'echarts.min.js'];
    const lab = document.getElementById('jupyter-config-data');
    if (lab) sources.unshift(JSON.parse(lab.textContent).baseUrl + 'static/echarts.min.js');
    for (const source of sources) {
      const response = await fetch(source).catch(() => null);
      if (!response || !response.ok) continue;
      const module = { exports: {} };
      new Function('exports', 'module', 'define', await response.text())(module.exports, module);
      return module.exports;
    }
    throw new Error('ECharts was not found at ' + sources.join(' nor at '));
  }

  function dark() {
    const light = document.body.dataset.jpThemeLight;
    return light ? light === 'false' : matchMedia('(prefers-color-scheme: dark)').matches;
  }

  function draw(echarts, element) {
    let chart, drawn; // drawn is the option as it was painted, which the picture is drawn from
    const paint = () => chart.setOption(complete(drawn = structuredClone(option), dark()), true);
    // A chart for a projector gets smaller where it has less room, down to the size
    // that it has on a laptop.
    const shrink = () => {
      const { style } = element, room = element.parentElement.clientWidth;
      const scale = Math.min(1, Math.max(1 / option.scale, room / parseFloat(style.minWidth)));
      style.transform = scale < 1 ? `scale(${scale})` : '';
      style.margin = `0 ${(scale - 1) * parseFloat(style.minWidth)}px ${(scale - 1) * parseFloat(style.height)}px 0`;
    };
    const fit = () => {
      if (!element.clientWidth) return; // hidden now; the observer calls again
      shrink();
      if (chart) return chart.resize();
      element.textContent = '';
      chart = echarts.init(element, null, { renderer: 'svg' });
      paint();
      element.setAttribute('role', 'img');
      element.dataset.drawn = 'true';
      const figure = element.closest('.fencing-figure');
      for (const tool of tools) tool({ echarts, chart, option, drawn: () => drawn, figure, palette: () => option.palettes[dark() ? 'dark' : 'light'] });
    };
    const observer = new ResizeObserver(fit);
    for (const e of [element, element.parentElement]) observer.observe(e);
    const repaint = () => chart && paint();
    new MutationObserver(repaint).observe(document.body, { attributeFilter: ['data-jp-theme-light'] });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  }

  window.__fencingECharts ??= load();
  window.__fencingECharts.then(
    echarts => document.querySelectorAll(`[id="${id}"]:not([data-drawn])`).forEach(e => draw(echarts, e)),
    error => {
      delete window.__fencingECharts; // the next chart tries again
      console.error(error);
    },
  );
})

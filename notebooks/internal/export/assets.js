// The page's assets are inside it, packed; each is unpacked when it is asked for.
window.__fencingAsset = async name => {
  const packed = document.querySelector(`script[data-fencing-asset="${name}"]`);
  if (!packed) throw new Error(`${name} is not in this page`);
  const bytes = Uint8Array.from(atob(packed.textContent.trim()), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
};
window.__fencingECharts = (async () => {
  const module = { exports: {} };
  new Function('exports', 'module', 'define', await (await window.__fencingAsset('echarts.min.js')).text())(module.exports, module);
  return module.exports;
})();

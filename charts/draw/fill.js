// Puts the changes of one chart into the option that charts have in common: an
// object into an object, and each element of an array into the template's at its
// place, or its last.
(function fill(template, changes) {
  const filled = { ...template };
  for (const [key, value] of Object.entries(changes)) {
    const known = template[key];
    if (Array.isArray(value) && Array.isArray(known) && key !== 'data') filled[key] = value.map((v, i) => fill(known[Math.min(i, known.length - 1)], v));
    else if (key !== 'data' && known && typeof value === 'object') filled[key] = fill(known, value);
    else filled[key] = value;
  }
  return filled;
})

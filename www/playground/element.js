/** An element with properties (`class`, `for` and `data-…` as attributes) and children; texts stay texts. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'class' || key === 'for' || key.includes('-')) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

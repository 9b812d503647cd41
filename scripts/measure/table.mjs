/** The value below which `share` of the values lie (nearest rank); undefined of none. */
export function quantile(values, share) {
  const sorted = values.filter((v) => v !== undefined).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

export const median = (values) => quantile(values, 0.5);
export const p95 = (values) => quantile(values, 0.95);
export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Groups in the order of the alphabet, and one of everything at the end: `[name, rows]`. */
export function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  const named = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return named.length > 1 ? [...named, ['all', rows]] : named;
}

/** `98.4 %`, or `–` of nothing. */
export const percent = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)} %` : '–');

const cell = (value) => (typeof value === 'number' ? value.toLocaleString('en-US') : String(value ?? '–'));

/** Rows, the first of them the heads, in columns for a terminal. */
export function asText(rows) {
  const cells = rows.map((row) => row.map(cell));
  const widths = cells[0].map((_, i) => Math.max(...cells.map((row) => row[i].length)));
  return cells.map((row) => row.map((text, i) => (i ? text.padStart(widths[i]) : text.padEnd(widths[i]))).join('  ')).join('\n');
}

/** The same as a Markdown table. */
export function asMarkdown(rows) {
  const line = (cells) => `| ${cells.map((value) => cell(value).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(rows[0]), line(rows[0].map((_, i) => (i ? '---:' : '---'))), ...rows.slice(1).map(line)].join('\n');
}

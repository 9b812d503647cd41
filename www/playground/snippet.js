/** What the file is called on the site: with its version, so that it may be cached for good. */
export const fileName = (version) => `agenticschema-${version}.js`;

/** The hash of the bundle this page uses, for `integrity`; undefined where it cannot be had (an insecure page). */
export async function integrity() {
  try {
    const file = await (await fetch('agenticschema.js')).arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-384', file));
    return `sha384-${btoa(String.fromCharCode(...hash))}`;
  } catch {}
}

/** The tag, with the options that differ from the defaults. */
export function snippet(version, hash, options) {
  const attributes = [`src="/${fileName(version)}"`];
  if (hash) attributes.push(`integrity="${hash}"`);
  attributes.push('defer');
  if (options.actions === 'off') attributes.push('data-actions="off"');
  if (options.forms === 'off') attributes.push('data-forms="off"');
  if (options.watch === 'off') attributes.push('data-watch="off"');
  if (options.toolset === 'split') attributes.push('data-toolset="split"');
  if (options.maxTools) attributes.push(`data-max-tools="${options.maxTools}"`);
  if (options.allowHosts) attributes.push(`data-allow-hosts="${options.allowHosts.replace(/[^\w.,:[\] -]/g, '')}"`);
  return `<script ${attributes.join('\n        ')}></script>`;
}

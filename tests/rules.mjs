// What every tool and every answer keeps to, whatever the page.

const MOST_TOOLS = 24;
const NAME = /^[a-z][a-z0-9_]{0,29}$/;
const DESCRIPTION = 500;
const PARAMETER_DESCRIPTION = 150;
const ANSWER_BYTES = 32000;
/** Shorter texts of a page may be words that we use too. */
const PAGE_TEXT = 12;
/** What registerTool is going to accept of JSON Schema (webmachinelearning/webmcp#289). */
const KEYWORDS = new Set(
  'type properties required enum minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern items prefixItems additionalProperties default description'.split(' '),
);

/** Where a page's tools and answers break a rule: a line each. */
export function violations({ tools, answers }) {
  const said = [];
  const rule = (holds, what) => holds || said.push(what);
  rule(tools.length <= MOST_TOOLS, `${tools.length} tools`);
  rule(new Set(tools.map(({ name }) => name)).size === tools.length, 'a name twice');
  for (const { name, title, description, inputSchema, annotations } of tools) {
    rule(NAME.test(name), `name ${name}`);
    rule(title && description && description.length <= DESCRIPTION, `${name}: its words are ${description?.length} long`);
    rule(annotations.readOnlyHint === true && annotations.untrustedContentHint === true, `${name}: ${JSON.stringify(annotations)}`);
    rule(inputSchema.type === 'object', `${name}: its schema is no object's`);
    for (const problem of inSchema(inputSchema)) rule(false, `${name}: ${problem}`);
    for (const [parameter, { description = '' }] of Object.entries(inputSchema.properties ?? {})) {
      rule(description.length <= PARAMETER_DESCRIPTION, `${name}: ${parameter} is described by ${description.length} letters`);
    }
    for (const required of inputSchema.required ?? []) rule(inputSchema.properties?.[required], `${name}: ${required} is required and unknown`);
  }
  for (const [call, answer] of Object.entries(answers)) {
    rule(answer && typeof answer === 'object' && !Array.isArray(answer), `${call}: no object`);
    rule(!Object.hasOwn(answer, 'content'), `${call}: content`);
    rule(!Object.hasOwn(answer, 'error'), `${call}: ${answer.error}`);
    rule(Buffer.byteLength(JSON.stringify(answer)) <= ANSWER_BYTES, `${call}: more than ${ANSWER_BYTES} bytes`);
  }
  const metadata = JSON.stringify(tools.map(({ name, title, description, inputSchema }) => [name, title, description, inputSchema]));
  for (const text of texts(answers)) rule(!metadata.includes(JSON.stringify(text).slice(1, -1)), `text of the page in a tool's words: ${text}`);
  return said;
}

function* inSchema(schema) {
  for (const keyword of Object.keys(schema)) if (!KEYWORDS.has(keyword)) yield `keyword ${keyword}`;
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) yield 'additionalProperties is not false';
  for (const inner of [...Object.values(schema.properties ?? {}), ...[schema.items ?? []].flat(), ...(schema.prefixItems ?? [])]) yield* inSchema(inner);
}

/** The texts of answers. Names of types, also as the text of a property, are the vocabulary's and are in our words too. */
function texts(value, found = new Set()) {
  if (typeof value === 'string') value.length >= PAGE_TEXT && !/^[A-Z][A-Za-z]+$/.test(value) && found.add(value);
  else if (value && typeof value === 'object') for (const [key, inner] of Object.entries(value)) key !== 'type' && texts(inner, found);
  return found;
}

import { follow } from './fetch.js';
import { readJson, wellFormed, writeJson } from './json.js';
import { failure, reason } from './notes.js';
import { AbortController, TextEncoder, getOwnPropertyDescriptor, isArray, keys } from './primitives.js';

/** What clients of tools take: MCP's names, and dots. */
const NAME = /^[\w.-]{1,64}$/;
/** Characters of a title and of a description. */
const TITLE = 60, DESCRIPTION = 500;
/** Declarations that are looked at. */
const MOST = 100;
const HINTS = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint'];
/** Bounds by type of value: keywords of JSON Schema. */
const LEAST = { string: 'minLength', number: 'minimum', array: 'minItems' };
const GREATEST = { string: 'maxLength', number: 'maximum', array: 'maxItems' };

/**
 * The tools that a site adds in the JavaScript API. A declaration that cannot be used is a diagnostic.
 * @param bytes that no answer exceeds
 */
export function customTools(declared = [], bytes, add) {
  const tools = [], work = { __proto__: null };
  const declare = (declaration) => {
    const { name, title, description, inputSchema = {}, execute, annotations } = declaration;
    const wrong = typeof name !== 'string' || !NAME.test(name) || work[name] ? 'name (1 to 64 of A-Z a-z 0-9 _ - ., once)'
      : typeof description !== 'string' || !description.trim() ? 'description'
      : typeof execute !== 'function' ? 'execute'
      : kind(inputSchema) !== 'object' || (inputSchema.type ?? 'object') !== 'object' ? 'inputSchema (an object\'s)' : '';
    if (wrong) throw wrong;
    if (description.length > DESCRIPTION) add('info', 'field-truncated', `The description of the custom tool ${name} is cut after ${DESCRIPTION} characters: shorten it.`);
    const schema = readJson(writeJson({ type: 'object', properties: {}, ...inputSchema }));
    const tool = { name, description: wellFormed(description.slice(0, DESCRIPTION)), inputSchema: schema };
    if (typeof title === 'string') tool.title = wellFormed(title.slice(0, TITLE));
    for (const hint of HINTS) if (annotations?.[hint] === true) (tool.annotations ??= {})[hint] = true;
    work[name] = { schema, execute: (input, options) => execute.call(declaration, input, options) };
    tools.push(tool);
  };
  const list = isArray(declared) ? declared : [undefined];
  for (let i = 0; i < list.length && i < MOST; i++) {
    try {
      declare(list[i]);
    } catch (error) {
      add('warn', 'custom-invalid', `The custom tool number ${i + 1} is left out: ${reason(error)} is wrong. Correct it where start({custom: [...]}) is called.`);
    }
  }

  return {
    /** These tools, then those of the page that have another name. */
    before: (others) => [...tools, ...others.filter(({ name }) => !work[name])],
    has: (name) => !!work[name],
    /** Calls one; resolves with a plain object. `signals` (some undefined) reach it as one. */
    async call(name, input, signals) {
      const controller = new AbortController();
      const done = follow(signals, () => controller.abort());
      try {
        const { schema, execute } = work[name];
        const given = typeof input === 'string' ? parsed(input) : readJson(writeJson(input ?? {}));
        const wrong = misfit(schema, given, '');
        if (wrong) return { ...failure('invalid-argument', `The argument ${wrong.why}`, "Send what the tool's inputSchema describes."), path: wrong.path, retryable: false };
        return answer((await execute(given, { signal: controller.signal })) ?? null, bytes);
      } catch (error) {
        return failure('tool-failed', wellFormed(reason(error)), 'Check the arguments, then try again.');
      } finally {
        done();
      }
    },
  };
}

/** Where a value does not fit a schema, and why; undefined if it does. Keywords that are not here are not checked. */
function misfit(schema, value, path) {
  if (!schema || kind(schema) !== 'object') return;
  const type = kind(value), { pattern, required = [], properties, additionalProperties, items, prefixItems = [] } = schema;
  const size = type === 'string' ? [...value].length : type === 'array' ? value.length : value;
  const fits = (wanted) => wanted === type || (wanted === 'integer' && type === 'number' && value % 1 === 0);
  const why = schema.type !== undefined && ![schema.type].flat().some(fits) ? `is no ${[schema.type].flat().join(' or ')}`
    : isArray(schema.enum) && !schema.enum.some((one) => writeJson(one) === writeJson(value)) ? 'is none of the choices'
    : size < schema[LEAST[type]] || (type === 'number' && value <= schema.exclusiveMinimum) ? 'is too small'
    : size > schema[GREATEST[type]] || (type === 'number' && value >= schema.exclusiveMaximum) ? 'is too large'
    : type === 'string' && pattern && !new RegExp(pattern, 'u').test(value) ? 'does not match the pattern' : '';
  if (why) return { path, why };
  if (type === 'array') {
    for (let i = 0; i < value.length; i++) {
      const found = misfit(prefixItems[i] ?? items, value[i], `${path}[${i}]`);
      if (found) return found;
    }
  } else if (type === 'object') {
    const at = (key) => (path ? `${path}.${key}` : key);
    for (const key of required) if (!getOwnPropertyDescriptor(value, key)) return { path: at(key), why: 'is missing' };
    for (const key of keys(value)) {
      const inner = properties && getOwnPropertyDescriptor(properties, key)?.value;
      if (!inner && additionalProperties === false) return { path: at(key), why: 'is not known' };
      const found = misfit(inner, value[key], at(key));
      if (found) return found;
    }
  }
}

const kind = (value) => (value === null ? 'null' : isArray(value) ? 'array' : typeof value);

/** JSON text as an agent's runtime may pass it; what is none fits no schema. */
function parsed(text) {
  try {
    return readJson(text);
  } catch {}
}

/** What a tool gave, as an object of well-formed texts. `content` at the top is what MCP clients take for their own. */
function answer(value, bytes) {
  let json = writeJson(kind(value) === 'object' && !value.content ? value : { result: value });
  if (new TextEncoder().encode(json).length > bytes) json = writeJson({ truncated: true, text: json.slice(0, bytes / 3 - 20) });
  return readJson(json);
}

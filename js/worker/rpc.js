// The protocol's methods, without sessions: every request stands for itself. Results are written as JSON text, so that the
// core's answers go out as they are, digits and all.
import { version } from '../../package.json';

/** Revisions with the `initialize` handshake, and those without, the newest last. */
const WITH_HELLO = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const WITHOUT_HELLO = ['2026-07-28'];
const VERSIONS = [...WITH_HELLO, ...WITHOUT_HELLO];
/** What `_meta` of a request without handshake says. */
const META = ['protocolVersion', 'clientInfo', 'clientCapabilities'];
const PREFIX = 'io.modelcontextprotocol/';

const PARAMS = -32602, METHOD = -32601, INVALID = -32600, INTERNAL = -32603, HEADER = -32020, VERSION = -32022, NO_RESOURCE = -32002;

/** A failure that has a code in the protocol. `status` is that of HTTP. */
class Failure extends Error {
  constructor(code, message, { status = 200, data } = {}) {
    super(message);
    Object.assign(this, { code, status, data });
  }
}

/** A failure as a message. */
export const failure = (id, { code, message, data }) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });

/** What is wrong with something that was to be a message: a code, or nothing. */
export function invalid(message) {
  const { jsonrpc, method, id, params } = Object(message);
  if (jsonrpc !== '2.0' || typeof method !== 'string') return INVALID;
  if (id !== undefined && typeof id !== 'string' && !Number.isInteger(id)) return INVALID;
  if (params !== undefined && (typeof params !== 'object' || !params || Array.isArray(params))) return INVALID;
}

/**
 * The answer to a request.
 *
 * @param headers those of HTTP; `signal` ends what the request began
 * @returns `{ status, body }`
 */
export async function answer({ id, method, params = {} }, { headers, pages, signal, cacheTtlMs }) {
  let inline = false;
  try {
    inline = lifecycle(method, params, headers);
    const work = Object.hasOwn(METHODS, method) && METHODS[method];
    if (!work || (inline && method === 'ping') || (!inline && method === 'server/discover')) throw new Failure(METHOD, method, { status: inline ? 404 : 200 });
    const result = await work(params, { pages, signal, cacheTtlMs, inline });
    const members = inline && !/"resultType":/.test(result.slice(0, 20)) ? `{"resultType":"complete"${result === '{}' ? '' : ','}${result.slice(1)}` : result;
    return { status: 200, body: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${members}}` };
  } catch (error) {
    const known = error instanceof Failure ? error : new Failure(INTERNAL, `${error?.message || error}`.slice(0, 1000));
    return { status: known.status, body: failure(id, known) };
  }
}

/** Whether a request is one without handshake (2026-07-28); a `Failure` where headers and body disagree. */
function lifecycle(method, params, headers) {
  const said = headers.get('mcp-protocol-version'), bad = (code, message, data) => new Failure(code, message, { status: 400, data });
  if (method === 'initialize') {
    if (said !== null && said !== params.protocolVersion) throw bad(INVALID, 'Invalid Request: MCP-Protocol-Version header does not match params.protocolVersion');
    if (headers.has('mcp-method') && said >= WITHOUT_HELLO[0] && headers.get('mcp-method') !== method) throw bad(HEADER, 'Mcp-Method header does not match the body');
    return false;
  }
  const meta = Object(params._meta), wanted = meta[`${PREFIX}protocolVersion`];
  const named = typeof wanted === 'string';
  if (said !== null && !named && !VERSIONS.includes(said)) throw bad(INVALID, `Unsupported MCP-Protocol-Version: one of ${VERSIONS.join(', ')}`);
  if (said !== null && said >= WITHOUT_HELLO[0]) {
    if (headers.get('mcp-method') !== method) throw bad(HEADER, 'Mcp-Method header is missing or does not match the body');
    const name = { 'tools/call': params.name, 'prompts/get': params.name, 'resources/read': params.uri }[method];
    if (typeof name === 'string' && decoded(headers.get('mcp-name')) !== name) throw bad(HEADER, 'Mcp-Name header is missing or does not match the body');
  }
  if (!named && method !== 'server/discover' && !(said >= WITHOUT_HELLO[0])) return false;
  if (named && said !== wanted) throw bad(HEADER, 'MCP-Protocol-Version header is missing or does not match _meta');
  if (named && !VERSIONS.includes(wanted)) throw bad(VERSION, 'Unsupported protocol version', { supported: VERSIONS, requested: wanted });
  if (!named || WITHOUT_HELLO.includes(wanted) || method === 'server/discover') {
    const missing = META.map((key) => PREFIX + key).filter((key, i) => (i ? typeof meta[key] !== 'object' || !meta[key] : !named));
    if (missing.length) throw bad(PARAMS, `Invalid params: request _meta is missing or has malformed required fields: ${missing.join(', ')}`);
  }
  return WITHOUT_HELLO.includes(wanted) || method === 'server/discover';
}

/** A header's value, which has Base64 where it is no plain ASCII. */
function decoded(value) {
  const [, coded] = /^=\?base64\?(.*)\?=$/i.exec(value ?? '') ?? [];
  if (coded === undefined) return value;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(coded), (c) => c.charCodeAt()));
  } catch {
    return null;
  }
}

const INFO = { name: 'agenticschema', title: 'AgenticSchema', version };
const CAPABILITIES = { resources: {}, tools: {} };
const hints = (ttlMs, cacheScope) => `"ttlMs":${ttlMs},"cacheScope":"${cacheScope}"`;

/** Each gives its result as JSON text. */
const METHODS = {
  async initialize({ protocolVersion }, { pages }) {
    const { instructions } = await pages.about();
    const agreed = WITH_HELLO.includes(protocolVersion) ? protocolVersion : WITH_HELLO.at(-1);
    return JSON.stringify({ protocolVersion: agreed, capabilities: CAPABILITIES, serverInfo: INFO, instructions });
  },
  async 'server/discover'(_, { pages }) {
    const { instructions } = await pages.about();
    return JSON.stringify({ resultType: 'complete', supportedVersions: VERSIONS, capabilities: CAPABILITIES, instructions, ttlMs: 0, cacheScope: 'private', _meta: { [`${PREFIX}serverInfo`]: INFO } });
  },
  ping: async () => '{}',
  async 'tools/list'(params, { pages }) {
    // All of them at once, so there is no place to go on from.
    if (cursor(params) > 0) throw noSuchCursor();
    const tools = await pages.tools();
    return `{"tools":${tools},${hints((await pages.about()).ttlMs, 'public')}}`;
  },
  async 'tools/call'({ name, arguments: given = {} }, { pages, signal }) {
    if (typeof name !== 'string' || typeof given !== 'object' || Array.isArray(given)) throw new Failure(PARAMS, 'A call has a name, and arguments that are an object');
    const called = await pages.call(name, JSON.stringify(given ?? {}), signal);
    if (!called) throw new Failure(PARAMS, 'There is no tool of this name: list the tools again');
    const { answer, failed } = called;
    return `{"content":[{"type":"text","text":${JSON.stringify(answer)}}],"structuredContent":${answer},"isError":${failed}}`;
  },
  async 'resources/list'(params, { pages }) {
    const listing = await pages.resources(cursor(params));
    if (!listing) throw noSuchCursor();
    return `${listing.slice(0, -1)},${hints((await pages.about()).ttlMs, 'public')}}`;
  },
  async 'resources/read'({ uri }, { pages, cacheTtlMs }) {
    if (typeof uri !== 'string') throw new Failure(PARAMS, 'A resource is read by its uri');
    const text = await pages.resource(uri);
    if (!text) throw new Failure(NO_RESOURCE, 'There is no resource at this address: list them again');
    const ttl = Math.min(cacheTtlMs, (await pages.about()).ttlMs);
    return `{"contents":[${JSON.stringify({ uri, mimeType: 'application/json', text })}],${hints(ttl, 'private')}}`;
  },
  // Without the handshake every listing has its hints.
  'resources/templates/list': async (_, { inline }) => `{"resourceTemplates":[]${inline ? `,${hints(0, 'private')}` : ''}}`,
};

/** The place in a listing that a client goes on from. */
function cursor({ cursor = '0' }) {
  if (typeof cursor !== 'string' || !/^\d{1,9}$/.test(cursor)) throw noSuchCursor();
  return Number(cursor);
}

const noSuchCursor = () => new Failure(PARAMS, 'The cursor is none that this server gave: list from the start');

// Streamable HTTP: a message in, a message out. Nothing is kept between two requests, and nothing is streamed.
import { bytes } from './get.js';
import { answer, failure, invalid } from './rpc.js';

/** Bytes of one message. */
const MESSAGE = 1 << 20;
/** What a page in a browser may send and see. */
const CORS = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'accept, authorization, content-type, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id',
  'access-control-max-age': '86400',
};

/**
 * Answers a request.
 *
 * @param context `{ pages, allowOrigins, cacheTtlMs }`
 */
export async function respond(request, { pages, allowOrigins, cacheTtlMs }) {
  const { headers, method } = request, origin = headers.get('origin');
  const foreign = origin !== null && origin !== new URL(request.url).origin;
  if (foreign && !allowOrigins.includes('*') && !allowOrigins.includes(origin)) return refusal(403, -32600, 'Forbidden: this origin is not among allowOrigins');
  const open = foreign ? { 'access-control-allow-origin': origin, vary: 'origin' } : {};
  if (foreign && method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...open, ...CORS } });
  if (method !== 'POST') return refusal(405, -32600, 'Method Not Allowed: messages come by POST', { allow: 'POST', ...open });
  if (!/application\/(json|\*)|\*\/\*/i.test(headers.get('accept') ?? '')) return refusal(406, -32600, 'Not Acceptable: the client must accept application/json and text/event-stream', open);
  if (!/^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')) return refusal(415, -32600, 'Unsupported Media Type: Content-Type must be application/json', open);

  const { body, cut } = await bytes(request, MESSAGE);
  if (cut) return refusal(413, -32600, 'The message is larger than 1 MiB', open);
  let message;
  try {
    message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return refusal(400, -32700, 'Parse error', open);
  }
  if (invalid(message)) return refusal(400, invalid(message), 'Invalid Request', open);
  // Nobody waits for an answer.
  if (message.id === undefined) return new Response(null, { status: 202, headers: open });
  const { status, body: text } = await answer(message, { headers, pages, signal: request.signal, cacheTtlMs });
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...open } });
}

export function refusal(status, code, message, headers) {
  return new Response(failure(null, { code, message }), { status, headers: { 'content-type': 'application/json', ...headers } });
}

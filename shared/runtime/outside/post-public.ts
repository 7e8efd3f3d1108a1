import { lookup as systemLookup } from 'node:dns';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { isLoopback } from '../values/loopback.ts';
import { isPublicAddress, publicUrlProblem } from './public-url.ts';

const MAX_ANSWER_BYTES = 1024;

/** Connection timeout per IP address of a host, in ms. Node's default of 250 ms is too short for another continent. */
export const CONNECT_MS = 3_000;

export interface PublicPost {
  url: string;
  headers: Record<string, string>;
  body: string;
  encoding?: 'base64';
  /** Total timeout for DNS lookup, connection, TLS handshake and response. */
  timeoutMs: number;
}

export interface PublicAnswer {
  statusCode: number;
  headers: Record<string, string>;
  text: string;
}

export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
}

/**
 * Posts to a URL chosen by a merchant or browser, if the URL is public. Does not follow redirects.
 * @param options `allowThisMachine` is only for the local stack. `lookup` must call back asynchronously, like Node's
 * `dns.lookup`.
 * @throws AddressNotAllowed, or an Error if the response is incomplete. Both messages are safe to show to the merchant.
 */
export async function postPublic(
  post: PublicPost,
  options: { allowThisMachine: boolean; lookup?: LookupFunction },
): Promise<PublicAnswer> {
  const problem = publicUrlProblem(post.url, options.allowThisMachine);
  if (problem) throw new AddressNotAllowed(`Nothing was sent, because the address ${problem}`);
  const deadline = AbortSignal.timeout(post.timeoutMs);
  const sent = open(post, options, deadline);
  try {
    const answer = await answerTo(sent, post);
    const text = await firstBytes(answer);
    // Without a content length, a timeout looks like the end of the response.
    deadline.throwIfAborted();
    return { statusCode: answer.statusCode ?? 0, headers: headersOf(answer), text };
  } catch (error) {
    if (error instanceof AddressNotAllowed) throw error;
    if (isRefusalOfAgent(error)) throw new AddressNotAllowed(NOT_PUBLIC, { cause: error });
    const fault = deadline.aborted ? `Timed out after ${post.timeoutMs / 1000} s` : faultOf(error, sent);
    throw new Error(fault, { cause: error });
  }
}

/** Opens a new connection for each request. Pooled sockets would die while the function is frozen. */
function open(
  { url, headers, body, encoding }: PublicPost,
  { allowThisMachine, lookup = systemLookup }: { allowThisMachine: boolean; lookup?: LookupFunction },
  signal: AbortSignal,
): ClientRequest {
  const connection = {
    autoSelectFamilyAttemptTimeout: CONNECT_MS,
    // Disable proxies, which would resolve the host name without our check. Later versions of Node may read proxy
    // settings from the environment.
    proxyEnv: {},
  };
  const call = {
    method: 'POST',
    headers: { ...headers, 'user-agent': 'Momo-Kiosk-Webhooks/1', 'content-length': Buffer.byteLength(body, encoding) },
    signal,
  };
  // Plain HTTP is allowed only on the local stack. Everywhere else, `publicUrlProblem` rejects it.
  if (URL.parse(url)?.protocol === 'http:') {
    return httpRequest(url, { ...call, agent: new HttpAgent({ ...connection, lookup }) });
  }
  // Set explicitly so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn off certificate checks.
  const tls = { ...connection, rejectUnauthorized: true };
  const agent =
    allowThisMachine && isLoopback(url)
      ? new HttpsAgent({ ...tls, lookup })
      : new RequestFilteringHttpsAgent({ ...tls, lookup: publicOnly(lookup) });
  return httpsRequest(url, { ...call, agent });
}

const NOT_PUBLIC = 'Nothing was sent, because the host does not resolve to a public address';

/**
 * A DNS lookup that fails unless every address is public. Node connects only to the addresses returned, so a host name
 * cannot evade the check by resolving differently later.
 *
 * The library's agent also checks addresses, but it treats unassigned IPv6 blocks and ::7f00:1 (127.0.0.1) as public.
 * Adding IPv6 blocks to its deny list would print a warning for each IPv4 address.
 */
function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      if (error) done(error, found, family);
      else if (addresses.length === 0) done(notFound(hostname), []);
      else if (addresses.every(isPublicAddress)) done(error, found, family);
      else done(new AddressNotAllowed(NOT_PUBLIC), []);
    });
  };
}

/** Builds the error for a lookup that returned neither addresses nor an error. */
function notFound(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}

/**
 * Returns true if the library refused an address. Recognises the error by its message, because the error has no class
 * or code of its own.
 */
function isRefusalOfAgent(error: unknown): boolean {
  return error instanceof Error && /^DNS lookup .* is not allowed/.test(error.message);
}

/**
 * Returns the response. The listeners stay attached, because the deadline can end the request after the response has
 * begun. On a protocol switch (101), Node closes the connection without an error.
 */
function answerTo(
  sent: ClientRequest,
  { body, encoding = 'utf8' }: { body: string; encoding?: BufferEncoding },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
    sent.on('close', () =>
      reject(Object.assign(new Error('The connection was closed without a response'), { code: 'ECONNRESET' })),
    );
    sent.end(body, encoding);
  });
}

function headersOf(answer: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
}

async function firstBytes(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_ANSWER_BYTES) break;
  }
  // Streaming mode drops a character that was cut off at the limit.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES), { stream: true });
}

const FAULTS = new Map([
  ['ENOTFOUND', 'The host name was not found'],
  ['EAI_AGAIN', 'The host name could not be looked up'],
  ['ECONNREFUSED', 'The connection was refused'],
  ['ECONNRESET', 'The connection was closed before the response was complete'],
  ['EPIPE', 'The connection was closed before the response was complete'],
  ['EHOSTUNREACH', 'The host could not be reached'],
  ['ENETUNREACH', 'The host could not be reached'],
  ['ETIMEDOUT', 'The host could not be reached'],
]);

function faultOf(error: unknown, { socket }: ClientRequest): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (socket instanceof TLSSocket && socket.authorizationError) return `The certificate is not valid (${code})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return `No TLS connection could be made (${code})`;
  if (code.startsWith('HPE_')) return `The response is not HTTP (${code})`;
  return FAULTS.get(code) ?? `The request failed (${code})`;
}

import { lookup as systemLookup } from 'node:dns';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { isLoopback } from '../values/loopback.ts';
import { isPublicAddress, publicUrlProblem } from './public-url.ts';

/** How much of an answer is kept; its sender may make it arbitrarily long. */
const MAX_ANSWER_BYTES = 1024;

/**
 * How long one of a name's addresses may take to accept the connection before the next is tried. Node's 250 ms are less than a
 * round trip to another continent, so a host with several addresses would never be reached.
 */
export const CONNECT_MS = 3_000;

export interface PublicPost {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** In which the body is written where it is bytes; a text by default. */
  encoding?: 'base64';
  /** For everything together: name, connection, TLS, answer. */
  timeoutMs: number;
}

export interface PublicAnswer {
  statusCode: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The first 1,024 bytes. */
  text: string;
}

/** The host is not one that webhooks are sent to. Nothing was connected to. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
}

/**
 * Posts to an address that a merchant or a browser chose, if it is on the public internet. A redirect is an answer like any other.
 *
 * @param options `allowThisMachine` is for the local stack alone. A `lookup` must answer later and not at once, as that of
 * `node:dns` does: Node listens for the failure of a connection only after it has begun one.
 * @throws AddressNotAllowed, or an Error for a post without a whole answer. The message of either is for the merchant:
 * it names no address that a private name leads to.
 */
export async function postPublic(
  post: PublicPost,
  options: { allowThisMachine: boolean; lookup?: LookupFunction },
): Promise<PublicAnswer> {
  const problem = publicUrlProblem(post.url, options.allowThisMachine);
  if (problem) throw new AddressNotAllowed(`Refused: the address ${problem}`);
  const deadline = AbortSignal.timeout(post.timeoutMs);
  const sent = open(post, options, deadline);
  try {
    const answer = await answerTo(sent, post);
    const text = await firstBytes(answer);
    // An answer without a length ends where its connection does, and so the deadline looks like its end.
    deadline.throwIfAborted();
    return { statusCode: answer.statusCode ?? 0, headers: headersOf(answer), text };
  } catch (error) {
    if (error instanceof AddressNotAllowed) throw error;
    if (isRefusalOfAgent(error)) throw new AddressNotAllowed(NOT_PUBLIC, { cause: error });
    const fault = deadline.aborted ? `Timed out after ${post.timeoutMs / 1000} s` : faultOf(error, sent);
    throw new Error(fault, { cause: error });
  }
}

/**
 * Each post has a connection of its own, which was checked as it was made. A pool would save a handshake to the few
 * hosts that get many webhooks, and keep sockets that die while the function is frozen.
 */
function open(
  { url, headers, body, encoding }: PublicPost,
  { allowThisMachine, lookup = systemLookup }: { allowThisMachine: boolean; lookup?: LookupFunction },
  signal: AbortSignal,
): ClientRequest {
  const connection = {
    autoSelectFamilyAttemptTimeout: CONNECT_MS,
    // A proxy would look the name up itself, and nobody would check what it found. Empty rather than left out: a later
    // Node may then take the proxy from the environment.
    proxyEnv: {},
  };
  const call = {
    method: 'POST',
    headers: { ...headers, 'user-agent': 'Momo-Kiosk-Webhooks/1', 'content-length': Buffer.byteLength(body, encoding) },
    signal,
  };
  // Only the local stack gets past this line with http: everywhere else it is a problem of the URL.
  if (URL.parse(url)?.protocol === 'http:') {
    return httpRequest(url, { ...call, agent: new HttpAgent({ ...connection, lookup }) });
  }
  // Set here, so that NODE_TLS_REJECT_UNAUTHORIZED cannot override it.
  const tls = { ...connection, rejectUnauthorized: true };
  const agent =
    allowThisMachine && isLoopback(url)
      ? new HttpsAgent({ ...tls, lookup })
      : new RequestFilteringHttpsAgent({ ...tls, lookup: publicOnly(lookup) });
  return httpsRequest(url, { ...call, agent });
}

const NOT_PUBLIC = 'Refused: the host does not resolve to a public address';

/**
 * A lookup that fails unless every address it finds is public. Node connects only to what its lookup returns and asks once for
 * each connection, so what was checked is what is connected to, even if the name changes its address.
 *
 * The agent of the library does the same, and is the second check. This one comes first because the library treats as public
 * any part of IPv6 that is not assigned yet, and ::7f00:1, which is how a URL writes ::127.0.0.1. Its own list of further
 * addresses to refuse cannot close that: a part of IPv6 in it prints a warning for each IPv4 address.
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

/** A name may resolve to nothing without an error, which Node's connection does not expect. */
function notFound(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}

/** The library's refusals have no class and no code. */
function isRefusalOfAgent(error: unknown): boolean {
  return error instanceof Error && /^DNS lookup .* is not allowed/.test(error.message);
}

/**
 * The listeners stay, for the deadline may end the request after its answer has begun. A server that changes the protocol
 * (101) makes Node close the connection without an error.
 */
function answerTo(
  sent: ClientRequest,
  { body, encoding = 'utf8' }: { body: string; encoding?: BufferEncoding },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
    sent.on('close', () => reject(Object.assign(new Error('Closed without an answer'), { code: 'ECONNRESET' })));
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
  // As a stream, so that a character that the cut went through is left out.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES), { stream: true });
}

const FAULTS = new Map([
  ['ENOTFOUND', 'The name of the host was not found'],
  ['EAI_AGAIN', 'The name of the host could not be looked up'],
  ['ECONNREFUSED', 'The connection was refused'],
  ['ECONNRESET', 'The connection was closed before the answer was complete'],
  ['EPIPE', 'The connection was closed before the answer was complete'],
  ['EHOSTUNREACH', 'The host could not be reached'],
  ['ENETUNREACH', 'The host could not be reached'],
  ['ETIMEDOUT', 'The host could not be reached'],
]);

function faultOf(error: unknown, { socket }: ClientRequest): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (socket instanceof TLSSocket && socket.authorizationError) return `The certificate is not valid (${code})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return `No TLS connection could be made (${code})`;
  if (code.startsWith('HPE_')) return `The answer is not HTTP (${code})`;
  return FAULTS.get(code) ?? `The request failed (${code})`;
}

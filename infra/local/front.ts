import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { manifest } from '../../functions/manifest.ts';
import { type Answer, jsonAnswer, redirect } from '../../shared/runtime/http/answer.ts';
import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import { isWithin, matchRoute } from '../../shared/runtime/http/match-route.ts';
import { buildReference } from '../reference/build-reference.ts';
import { GATEWAY_ERROR, httpEvent, invoke, pathOf, TOO_LARGE } from './api-gateway.ts';
import { foreignRequest, listenHere } from './loopback.ts';

/** API Gateway's body limit. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

export type OwnAnswer = (path: string) => Promise<Answer | undefined>;

/** Starts the local HTTP server for the manifest's routes, like API Gateway's HTTP API (payload format 2.0). */
export async function startFront(port: number, ...ownAnswers: OwnAnswer[]): Promise<{ stop(): Promise<void> }> {
  buildReference();
  const routes: Answers['routes'] = [];
  const areas: Answers['areas'] = [];
  for (const [name, row] of Object.entries(manifest)) {
    if (row.on === 'http') routes.push({ method: row.method, path: row.path, handler: await load(name) });
    if (row.on === 'area') areas.push({ path: row.path, handler: await load(name) });
  }
  // API Gateway prefers the most specific route: `/sms/from` before `/sms/{id}`.
  routes.sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  const fallback = await load('not-found');
  const server = createServer((request, response) => {
    void answer(request, response, { routes, areas, fallback, ownAnswers });
  });
  // Loopback only, because the terminal shows working keys.
  return listenHere(server, port);
}

async function load(name: string): Promise<HttpHandler> {
  const module: { handler: HttpHandler } = await import(`../../functions/${name}.ts`);
  return module.handler;
}

interface Answers {
  readonly routes: { method: string; path: string; handler: HttpHandler }[];
  readonly areas: { path: string; handler: HttpHandler }[];
  readonly fallback: HttpHandler;
  readonly ownAnswers: readonly OwnAnswer[];
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, areas, fallback, ownAnswers }: Answers,
): Promise<void> {
  try {
    // Callbacks may use any host name, because phones sign them.
    const foreign = isWithin('/callback', pathOf(request)) ? undefined : foreignRequest(request);
    if (foreign) return send(response, jsonAnswer(403, JSON.stringify({ status: false, message: foreign })));
    const body = await readBody(request);
    if (body === undefined) return send(response, TOO_LARGE);
    const requestPath = pathOf(request);
    // This is the first link that people click locally.
    if (request.method === 'GET' && requestPath === '/') return send(response, redirect('/docs'));
    for (const ownAnswer of request.method === 'GET' ? ownAnswers : []) {
      const own = await ownAnswer(requestPath);
      if (own) return send(response, own);
    }
    for (const { method, path, handler } of routes) {
      const isAsked = method === request.method || (method === 'GET' && request.method === 'HEAD');
      const parameters = isAsked ? matchRoute(path, requestPath) : undefined;
      if (!parameters) continue;
      return send(response, await invoke(handler, httpEvent(request, body, `${request.method} ${path}`, parameters)));
    }
    const area = areas.find(({ path }) => isWithin(path, requestPath));
    if (area && /^(GET|HEAD|POST)$/.test(request.method ?? '')) {
      const rest = requestPath.slice(area.path.length + 1);
      const [routeKey, parameters] = rest === '' ? [area.path, {}] : [`${area.path}/{proxy+}`, { proxy: rest }];
      const event = httpEvent(request, body, `${request.method} ${routeKey}`, parameters);
      return send(response, await invoke(area.handler, event));
    }
    send(response, await invoke(fallback, httpEvent(request, body, '$default')));
  } catch (error) {
    console.error(error);
    send(response, GATEWAY_ERROR);
  }
}

/** Returns undefined if the body exceeds the limit. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) throw new Error('The request gave a string instead of a buffer');
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, { statusCode, headers, cookies = [], body, isBase64Encoded }: Answer): void {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(statusCode, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
    'content-length': bytes.length,
  });
  response.end(bytes);
}

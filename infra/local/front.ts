import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { manifest } from '../../functions/manifest.ts';
import { type Answer, jsonAnswer, redirect } from '../../shared/runtime/http/answer.ts';
import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import { matchRoute } from '../../shared/runtime/http/match-route.ts';
import { httpEvent, pathOf } from './http-event.ts';
import { GATEWAY_ERROR, invoke, TOO_LARGE } from './invoke.ts';
import { foreignRequest } from './own-host.ts';

/** API Gateway's own limit for a body. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

interface LoadedRoute {
  readonly method: string;
  readonly path: string;
  readonly handler: HttpHandler;
}

/** Starts the HTTP front: what API Gateway's HTTP API does with the manifest's routes, payload 2.0. */
export async function startFront(port: number): Promise<{ stop(): Promise<void> }> {
  const routes: LoadedRoute[] = [];
  for (const [name, row] of Object.entries(manifest)) {
    if (row.on === 'http') routes.push({ method: row.method, path: row.path, handler: await load(name) });
  }
  // API Gateway takes the most specific route: `/sms/from` before `/sms/{id}`.
  routes.sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  const fallback = await load('not-found');
  const server = createServer((request, response) => {
    void answer(request, response, routes, fallback);
  });
  // Only this machine: the demo's keys are printed to the terminal.
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function load(name: string): Promise<HttpHandler> {
  const module: { handler: HttpHandler } = await import(`../../functions/${name}.ts`);
  return module.handler;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  routes: readonly LoadedRoute[],
  fallback: HttpHandler,
): Promise<void> {
  try {
    const foreign = foreignRequest(request);
    if (foreign) return send(response, jsonAnswer(403, JSON.stringify({ status: false, message: foreign })));
    const body = await readBody(request);
    if (body === undefined) return send(response, TOO_LARGE);
    const requestPath = pathOf(request);
    // On AWS the address is the API's alone; here it is what somebody clicks on first.
    if (request.method === 'GET' && requestPath === '/') return send(response, redirect('/docs'));
    for (const { method, path, handler } of routes) {
      const isAsked = method === request.method || (method === 'GET' && request.method === 'HEAD');
      const parameters = isAsked ? matchRoute(path, requestPath) : undefined;
      if (!parameters) continue;
      return send(response, await invoke(handler, httpEvent(request, body, `${request.method} ${path}`, parameters)));
    }
    send(response, await invoke(fallback, httpEvent(request, body, '$default')));
  } catch (error) {
    console.error(error);
    send(response, GATEWAY_ERROR);
  }
}

/** The body; undefined past the limit, where the rest is not read. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) throw new Error('A request without an encoding gives buffers');
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, { statusCode, headers, body, isBase64Encoded }: Answer): void {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(statusCode, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

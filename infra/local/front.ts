import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { manifest } from '../../functions/manifest.ts';
import { type Answer, jsonAnswer, redirect } from '../../shared/runtime/http/answer.ts';
import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import { matchRoute } from '../../shared/runtime/http/match-route.ts';
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
    if (body === undefined) return send(response, GATEWAY_TOO_LARGE);
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    // On AWS the address is the API's alone; here it is what somebody clicks on first.
    if (request.method === 'GET' && pathname === '/') return send(response, redirect('/docs'));
    for (const { method, path, handler } of routes) {
      const isAsked = method === request.method || (method === 'GET' && request.method === 'HEAD');
      const parameters = isAsked ? matchRoute(path, pathname) : undefined;
      if (!parameters) continue;
      return send(response, await handler(payload(request, body, `${method} ${path}`, parameters), CONTEXT));
    }
    send(response, await fallback(payload(request, body, '$default', undefined), CONTEXT));
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

function payload(
  request: IncomingMessage,
  body: Buffer,
  routeKey: string,
  pathParameters: Record<string, string> | undefined,
): APIGatewayProxyEventV2 {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : (value ?? ''),
    ]),
  );
  // API Gateway hands text over as it is and everything else as base64.
  const isText = /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded))/.test(
    headers['content-type'] ?? 'text/',
  );
  const nowMs = Date.now();
  return {
    version: '2.0',
    routeKey,
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers,
    ...(url.search && { queryStringParameters: queryOf(url) }),
    ...(pathParameters && Object.keys(pathParameters).length > 0 && { pathParameters }),
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: headers.host ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method: request.method ?? 'GET',
        path: url.pathname,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: new Date(nowMs).toISOString(),
      timeEpoch: nowMs,
    },
  };
}

/** The values of a repeated name are joined by commas, as in payload 2.0. */
function queryOf(url: URL): Record<string, string> {
  return Object.fromEntries(
    [...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name).join(',')]),
  );
}

function send(response: ServerResponse, { statusCode, headers, body, isBase64Encoded }: Answer): void {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(statusCode, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

/** What API Gateway itself answers. */
const GATEWAY_TOO_LARGE = gatewayAnswer(413, 'Request Too Long');
const GATEWAY_ERROR = gatewayAnswer(500, 'Internal Server Error');

function gatewayAnswer(statusCode: number, message: string): Answer {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ message }) };
}

/** The HTTP functions use nothing of Lambda's context. */
const CONTEXT = {} as Context;

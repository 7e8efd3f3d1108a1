import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { manifest } from '../../functions/manifest.ts';
import { environment, functionVariable } from '../../shared/runtime/outside/environment.ts';
import type { CallHandler } from '../../shared/runtime/triggers/call.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';
import { foreignRequest, listenHere } from './loopback.ts';

/** Starts a fake Lambda API for functions that call each other, at the URL in `environment`. */
export async function startCallees() {
  const handlers = new Map<string, Callee>();
  for (const [name, row] of Object.entries<Row>(manifest)) {
    if (row.on !== 'call') continue;
    const { handler }: { handler: CallHandler } = await import(`../../functions/${name}.ts`);
    handlers.set(name, handler);
  }
  return serveCallees(handlers);
}

type Callee = (question: unknown) => Promise<object>;

export async function serveCallees(handlers: ReadonlyMap<string, Callee>) {
  const server = createServer(async (request, response) => {
    const refuse = (status: number) => void response.writeHead(status).end('{}');
    if (foreignRequest(request) !== undefined || isStrangers(request)) return refuse(403);
    const [, name = ''] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.url ?? '') ?? [];
    const handler = [...handlers].find(([one]) => encodeURIComponent(one) === name)?.[1];
    if (!handler) return refuse(404);
    try {
      const answer = await handler(JSON.parse(await text(request)));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    } catch (error) {
      console.error(`${name}:`, error);
      response.writeHead(200, { 'x-amz-function-error': 'Unhandled' }).end('{}');
    }
  });
  const { port, stop } = await listenHere(server);
  const names = [...handlers.keys()].map((name) => [functionVariable(name), encodeURIComponent(name)]);
  return {
    environment: { LAMBDA_ENDPOINT: `http://127.0.0.1:${port}`, ...Object.fromEntries(names) },
    stop,
  };
}

/**
 * Returns true for requests without this stack's key. Other programs on this machine must not be able to drop dead
 * letters.
 */
function isStrangers({ headers: { authorization = '' } }: IncomingMessage): boolean {
  return !authorization.startsWith(`AWS4-HMAC-SHA256 Credential=${environment('AWS_ACCESS_KEY_ID')}/`);
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { foreignRequest, listenHere } from '../local/loopback.ts';
import { App, type SmsgateServer } from './app.ts';
import { LATE_MS } from './device.ts';
import { Gateway, type GatewayOptions } from './gateway.ts';
import { readMemory } from './memory.ts';
import { RETRY_BASE_MS } from './outbox.ts';
import { renderPage } from './page.ts';
import {
  ListRequest,
  PayRequest,
  parse,
  ReceiveRequest,
  RefreshRequest,
  Refusal,
  ReverseRequest,
  refuseUnknownPrefixes,
  SendBackRequest,
  SendRequest,
  SwitchRequest,
  TextsRequest,
  WebhookRequest,
} from './requests.ts';
import { presentMessage, presentReceived } from './texts.ts';

/** There are no charges if `openCharges` is unset. Every outcome is unknown if `outcomeOf` is unset. */
export interface PhoneOptions extends Pick<GatewayOptions, 'devices'>, Partial<Omit<GatewayOptions, 'devices'>> {
  port?: number;
  /**
   * The real server that sends the texts. Requires exactly one simulated phone, which registers there under its own id.
   */
  server?: SmsgateServer;
}

export interface Phone {
  url: string;
  apiUrl: string;
  close: () => Promise<void>;
}

/**
 * Starts a simulated phone that implements SMSGate's protocol. People can see the "sent" texts and make payments on its
 * page. The network confirms each payment by SMS.
 * @throws if the port is in use or `keepFile` cannot be read.
 */
export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const memory = await readMemory(options.keepFile);
  const server = createServer();
  // Any credentials are accepted, because only this machine can connect.
  const { port, stop } = await listenHere(server, options.port);
  const all = { ...DEFAULTS, ...options };
  const gateway = new Gateway({ ...all, moved: (message) => app?.report(message) }, memory);
  const app = options.server && new App(gateway, options.server, all);
  server.on('request', (request, response) => void answer(gateway, request, response));

  return {
    url: `http://localhost:${port}`,
    apiUrl: `http://localhost:${port}${API_PATH}`,
    close: async () => {
      app?.stop();
      await Promise.all([stop(), gateway.stop()]);
    },
  };
}

const DEFAULTS = {
  queueLimit: 1_000,
  sendMs: 20,
  lateMs: LATE_MS,
  pingMs: 300_000,
  retryBaseMs: RETRY_BASE_MS,
  openCharges: async () => [],
  outcomeOf: async () => undefined,
};

/** Path of the API on a self-hosted server. The cloud's path is shorter. */
export const API_PATH = '/api/3rdparty/v1';

interface Call {
  gateway: Gateway;
  id: string;
  query: URLSearchParams;
  body: unknown;
}

interface Answer {
  status: number;
  json?: unknown;
  html?: string;
}

type Route = (call: Call) => Answer | Promise<Answer>;

const ok = (json: unknown): Answer => ({ status: 200, json });
const accepted = (json: unknown): Answer => ({ status: 202, json });

const protocol: Record<string, Route> = {
  'POST messages': ({ gateway, body, query }) => {
    const request = parse(SendRequest, body);
    if (query.get('skipPhoneValidation') !== 'true') refuseUnknownPrefixes(request);
    return accepted(presentMessage(gateway.accept(request)));
  },
  'GET messages': ({ gateway, query }) =>
    ok(gateway.list(parse(ListRequest, Object.fromEntries(query))).map(presentMessage)),
  'GET messages/{id}': ({ gateway, id }) => ok(presentMessage(gateway.find(id))),
  'DELETE messages/{id}': ({ gateway, id }) => ok(presentMessage(gateway.cancel(id))),
  'GET devices': ({ gateway }) => ok(gateway.devices.map((device) => device.present())),
  'DELETE devices/{id}': ({ gateway, id }) => {
    gateway.removeDevice(id);
    return { status: 204 };
  },
  'GET webhooks': ({ gateway }) => ok(gateway.webhooks),
  'POST webhooks': ({ gateway, body }) => ({ status: 201, json: gateway.addWebhook(parse(WebhookRequest, body)) }),
  'DELETE webhooks/{id}': ({ gateway, id }) => {
    gateway.removeWebhook(id);
    return { status: 204 };
  },
  'POST inbox/refresh': ({ gateway, body }) => {
    gateway.refresh(parse(RefreshRequest, body));
    return { status: 202 };
  },
};

/** Routes that simulate what a person does on a real phone. */
const desk: Record<string, Route> = {
  'GET ': async ({ gateway }) => {
    const { devices, sent, received } = gateway;
    const page = await renderPage({
      devices,
      sent,
      received,
      charges: await gateway.openCharges(),
      balanceOf: (number) => gateway.balanceOf(number),
    });
    return { status: 200, html: String(page) };
  },
  'GET sent': ({ gateway }) => ok(gateway.sent),
  'GET received': ({ gateway }) => ok(gateway.received.map(presentReceived)),
  'POST switch': ({ gateway, body }) => {
    gateway.switch(parse(SwitchRequest, body));
    return ok({ devices: gateway.devices.map(({ settings, isOn, pings }) => ({ id: settings.id, on: isOn, pings })) });
  },
  'POST texts': ({ gateway, body }) => {
    gateway.setTexts(parse(TextsRequest, body));
    return ok({ devices: gateway.devices.map(({ settings, texts }) => ({ id: settings.id, texts })) });
  },
  'POST receive': async ({ gateway, body }) =>
    accepted({ deliveries: await gateway.receive(parse(ReceiveRequest, body)) }),
  'POST reverse': async ({ gateway, body }) =>
    accepted(await gateway.reverse(parse(ReverseRequest, body).transaction_id)),
  'POST send-back': async ({ gateway, body }) => accepted(await gateway.sendBack(parse(SendBackRequest, body))),
  'GET payments/{id}': async ({ gateway, id }) => ok({ outcome: (await gateway.outcomeOf(id)) ?? null }),
  'POST pay': async ({ gateway, body }) => accepted(await gateway.pay(parse(PayRequest, body))),
};

async function answer(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, json, html } = await route(gateway, request).catch(explain);
  if (html !== undefined) response.setHeader('Content-Type', 'text/html; charset=utf-8');
  if (json !== undefined) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="phone"');
  response.setHeader('Cache-Control', 'no-store');
  response.writeHead(status).end(html ?? (json === undefined ? undefined : JSON.stringify(json)));
}

async function route(gateway: Gateway, request: IncomingMessage): Promise<Answer> {
  const foreign = foreignRequest(request);
  if (foreign) throw new Refusal(403, foreign);
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const isApi = `${pathname}/`.startsWith(`${API_PATH}/`);
  // Old clients use the path `/message`.
  const path = isApi ? pathname.slice(API_PATH.length).replace(/^\/message(?=\/|$)/, '/messages') : pathname;
  const [name = '', id, ...rest] = path.split('/').filter(Boolean);
  const keyWith = (second?: string) => [`${request.method} ${name}`, ...(second ? [second] : []), ...rest].join('/');
  const routes = isApi ? protocol : desk;
  const key = Object.hasOwn(routes, keyWith(id)) ? keyWith(id) : keyWith(id && '{id}');

  const handler = routes[key];
  if (handler === undefined) throw new Refusal(404, `There is no ${request.method} ${pathname}`);
  if (isApi && !/^(Basic|Bearer) \S/i.test(request.headers.authorization ?? '')) {
    throw new Refusal(401, 'Authorization is missing. Any user and password will do.');
  }
  const body = request.method === 'POST' ? await readJson(request) : undefined;
  return handler({ gateway, id: decodeURIComponent(id ?? ''), query, body });
}

/** Parses a JSON body. Rejects other types, which another site's form could send without a preflight request. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'Send the body as JSON, with the header Content-Type: application/json');
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body is not JSON');
  }
}

function explain(error: unknown): Answer {
  if (error instanceof Refusal) return { status: error.status, json: { message: error.message } };
  if (error instanceof URIError) return { status: 400, json: { message: 'The path is not escaped correctly' } };
  console.error(error);
  return { status: 500, json: { message: 'The phone failed to handle the request' } };
}

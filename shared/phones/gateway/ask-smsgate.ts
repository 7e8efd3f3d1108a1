import SmsGate, { type HttpClient, WebHookEventType } from 'android-sms-gateway';
import * as z from 'zod';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Deployment } from '../../runtime/stage/deployment.ts';
import { OperatorError } from '../../runtime/stage/operator-error.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { GatewayAccount } from './accounts.ts';
import { StateReport } from './callback.ts';

// The library's types describe CommonJS, but the library is an ES module at run time.
const Client = 'default' in SmsGate ? SmsGate.default : SmsGate;

class GatewayAnswer extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class GatewayProblem extends OperatorError {
  readonly problem: string;
  readonly todo: string;
  constructor(problem: string, todo: string) {
    super(`${problem} ${NO_TEXTS} ${todo}`);
    this.problem = problem;
    this.todo = todo;
  }

  get summary(): string {
    return `${this.problem} ${NO_TEXTS}`;
  }
}

const NO_TEXTS = 'No texts can be sent through this gateway until this is fixed.';

const TIMEOUT_MS = 10_000;

/**
 * Sends a request to a gateway with SMSGate's official client.
 * @throws GatewayProblem if there is no usable response.
 */
export async function askSmsgate<Result>(
  outside: Pick<Outside, 'fetch'>,
  gateway: string,
  account: GatewayAccount,
  ask: (client: InstanceType<typeof Client>) => Promise<Result>,
): Promise<Result> {
  try {
    return await ask(openClient(outside, account));
  } catch (error) {
    throw problemOf(error, gateway, account);
  }
}

function openClient({ fetch }: Pick<Outside, 'fetch'>, account: GatewayAccount) {
  const send = async (method: string, url: string, headers?: Record<string, string>, body?: unknown) => {
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(headers && { headers }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new GatewayAnswer(response.status, text.slice(0, 300));
    return text === '' ? undefined : JSON.parse(text);
  };
  const http: HttpClient = {
    get: (url, headers) => send('GET', url, headers),
    post: (url, body, headers) => send('POST', url, headers, body),
    put: (url, body, headers) => send('PUT', url, headers, body),
    patch: (url, body, headers) => send('PATCH', url, headers, body),
    delete: (url, headers) => send('DELETE', url, headers),
  };
  return new Client(account.username, account.password, http, account.url);
}

export const Devices = z.array(
  z.object({
    id: z.string(),
    name: z.string().nullish(),
    lastSeen: z.string(),
    /** Missing or empty if the app lacks the permission to read SIMs. */
    simCards: z.array(z.object({ simNumber: z.number() })).nullish(),
  }),
);

export const Webhooks = z.array(
  z.object({ id: z.string(), url: z.string(), event: z.string(), deviceId: z.string().nullish() }),
);

function problemOf(error: unknown, gateway: string, account: GatewayAccount): GatewayProblem {
  const setAgain = `gateway set --gateway ${gateway} --username ${account.username}`;
  const elsewhere = `${addressAdvice(account.url)} Set it with: ${setAgain} --url URL`;
  if (error instanceof GatewayAnswer && (error.status === 401 || error.status === 403)) {
    return new GatewayProblem(
      `The gateway ${gateway} rejected the user ${account.username} (${error.status}), because the username or password is wrong.`,
      `The app shows both on its first screen, under Cloud Server. Set them with: ${setAgain}`,
    );
  }
  if (error instanceof GatewayAnswer && error.status < 500) {
    return new GatewayProblem(
      `${account.url} responds with ${error.status}: ${error.message || 'no message'}.`,
      elsewhere,
    );
  }
  if (error instanceof GatewayAnswer) {
    return new GatewayProblem(
      `The gateway ${gateway} failed with ${error.status}.`,
      'Try again in a few minutes. If it is your own SMSGate server, its log shows the reason.',
    );
  }
  if (error instanceof SyntaxError || error instanceof z.ZodError) {
    return new GatewayProblem(`${account.url} responds, but not like an SMSGate server.`, elsewhere);
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const words = cause instanceof Error ? cause.message : String(cause);
  const sign = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : words;
  const todo = UNREACHED.find(([wanted]) => wanted.test(sign))?.[1] ?? 'Check that the server is running.';
  return new GatewayProblem(
    `The gateway ${gateway} at ${account.url} is not responding (${sign}).`,
    `${todo} If the address has changed, run: ${setAgain} --url URL`,
  );
}

/** Advice on connection errors, by error code or message. */
const UNREACHED: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)/, 'This host name does not exist in DNS. Check the spelling.'],
  [/^ECONNREFUSED/, 'The connection was refused. Check the port, and that the server and its https proxy are running.'],
  [/redirect/, 'The server redirects to another address. Use the final address.'],
  [/^CERT_HAS_EXPIRED/, 'The server’s certificate has expired. Renew the certificate.'],
  [/^ERR_TLS_CERT_ALTNAME/, 'The server’s certificate is for another name. Use the name in the certificate.'],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/,
    'The server’s certificate is not from a public authority, or its chain is incomplete. Get a certificate from a public authority, such as Let’s Encrypt, and serve the full chain.',
  ],
  [/^(ERR_SSL|EPROTO)/, 'The server does not use https on this port. Put an https proxy in front of the server.'],
];

function addressAdvice(url: string): string {
  const own = URL.parse(OWN_SERVER_PATH, url)?.href;
  return own === undefined || own === url
    ? 'Check that an SMSGate server is at this address.'
    : `The address of your own server ends in ${OWN_SERVER_PATH}: ${own}`;
}

/** API path of a private SMSGate server. The public server has no `/api`. */
const OWN_SERVER_PATH = '/api/3rdparty/v1';

export const EVENTS = [WebHookEventType.SmsReceived, WebHookEventType.SystemPing];

/**
 * Delivery report events. Phones are not asked to send reports, which would delay texts about payments in the app's
 * queue.
 */
export const REPORTS: readonly string[] = StateReport.shape.event.options;

/** Returns true if the webhook sends delivery reports to this URL. */
export function isReport(webhook: { readonly event: string; readonly url: string }, url: string): boolean {
  return webhook.url === url && REPORTS.includes(webhook.event);
}

export async function callbackUrl(deployment: Deployment, gateway: string): Promise<string> {
  return `${deployment.callbackBaseUrl ?? (await deployment.baseUrl())}/callback/smsgate/${gateway}`;
}

/** Builds a webhook id of at most 36 characters, SMSGate's limit. Several stages and gateways can share an account. */
export function webhookId(stage: string, gateway: string, event: string): string {
  const owner = sha256(`${stage}/${gateway}`).slice(0, 12);
  return `mk-${owner}-${event.replace(/^\w+:/, '')}`;
}

/** Wraps fetch to measure how far the server's clock is ahead of `now`. */
export function hearClock(
  send: typeof fetch,
  now: () => number,
): { fetch: typeof fetch; aheadMs(): number | undefined } {
  let aheadMs: number | undefined;
  return {
    fetch: async (...request) => {
      const response = await send(...request);
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) aheadMs = date - now();
      return response;
    },
    aheadMs: () => aheadMs,
  };
}

/** Tolerated clock difference. The `Date` header is in whole seconds, and the response takes time to arrive. */
export const CLOCK_TOLERANCE_MS = MINUTE_MS;

import * as z from 'zod/mini';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import { MAX_PAUSE_SECONDS, RetryLater } from '../../runtime/triggers/queue.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { parseJson } from '../../runtime/values/json.ts';
import type { GatewayAccount } from './accounts.ts';
import { CANCELLED } from './callback.ts';

export const MAX_ID_CHARACTERS = 36;

/**
 * A text to one number. This service chooses the `id`, which has at most `MAX_ID_CHARACTERS` characters. The gateway
 * rejects duplicate ids per device.
 */
export interface OutgoingText {
  readonly id: string;
  readonly deviceId: string;
  readonly simNumber: number;
  readonly to: string;
  readonly text: string;
  /** Seconds after which the phone drops an unsent text. At most `TEXT_LIFETIME_SECONDS`. */
  readonly lifetimeSeconds: number;
  /** True if the recipient is waiting. The phone then sends the text before others and ignores its own limits. */
  readonly isUrgent: boolean;
}

const URGENT_PRIORITY = 100;

/**
 * Thrown if the gateway will never accept the text. The error message is the gateway's reason, worded as a sentence, or
 * empty.
 */
export class GatewayRefused extends Error {}

/** Thrown if too many texts are waiting for the phone. */
export class GatewayFull extends Error {}

/**
 * Skips SMSGate's number check, whose prefix table is outdated: it rejects 0250-0255, 0258, 0259 and 0590, which
 * Ghana's regulator has assigned.
 */
const SEND_PATH = '/messages?skipPhoneValidation=true';

/**
 * Passes a text to SMSGate. Safe to repeat: a 409 means that the device already has the text.
 * @throws GatewayRefused if a retry cannot help. In all other cases, throws RetryLater, GatewayRejects, GatewayFull or
 * another Error.
 */
export async function handOver(outside: Outside, account: GatewayAccount, text: OutgoingText): Promise<void> {
  const response = await callGateway(outside, account, SEND_PATH, {
    id: text.id,
    deviceId: text.deviceId,
    simNumber: text.simNumber,
    phoneNumbers: [text.to],
    textMessage: { text: text.text },
    withDeliveryReport: true,
    ttl: text.lifetimeSeconds,
    ...(text.isUrgent && { priority: URGENT_PRIORITY }),
  });
  const answer = await response.text();
  const { status } = response;
  if (status === 409 || (response.ok && parseJson(AcceptedAnswer, answer))) return;
  // A captive portal or proxy can also respond with 200. If SMSGate did accept the text, the retry returns 409.
  if (response.ok) throw new Error(`The gateway responded with ${status}, but not like SMSGate`);
  if (status === 400) throw new GatewayRefused(reasonIn(answer));
  if (isRejection(status)) throw new GatewayRejects(`The gateway responded with ${status}`);
  const seconds = Math.ceil(Number(response.headers.get('retry-after')));
  // Omit the response body, which may contain the recipient's number.
  if (seconds > 0) throw new RetryLater(Math.min(seconds, MAX_PAUSE_SECONDS), `The gateway responded with ${status}`);
  if (status === 503 && /queue limit/i.test(answer)) throw new GatewayFull(`The gateway responded with ${status}`);
  throw new Error(`The gateway responded with ${status}`);
}

const AcceptedAnswer = z.object({});
const ErrorAnswer = z.object({ message: z.string() });

/** Returns the last part of a message such as `failed to enqueue message: failed to …: invalid phone number`. */
function reasonIn(answer: string): string {
  const message = parseJson(ErrorAnswer, answer)?.message ?? '';
  return message.replace(/^(failed to [^:]*: )+/, '').slice(0, MAX_REASON_CHARACTERS);
}

const MAX_REASON_CHARACTERS = 200;

export interface TextState {
  readonly state: 'waiting' | 'sent' | 'delivered' | 'failed';
  /** Time (ISO) at which the text reached each state, if known. */
  readonly at: Readonly<Partial<Record<'sent' | 'delivered' | 'failed', string>>>;
  readonly reason: string | undefined;
}

const MessageAnswer = z.object({
  id: z._default(z.string(), ''),
  state: z.string(),
  recipients: z.catch(z.array(z.object({ error: z.nullish(z.string()) })), []),
  states: z.catch(z.record(z.string(), z.string()), {}),
});
const STATES: Readonly<Record<string, TextState['state']>> = {
  Sent: 'sent',
  Delivered: 'delivered',
  Failed: 'failed',
  Cancelled: 'failed',
};

function textState({ state, recipients, states }: z.infer<typeof MessageAnswer>): TextState {
  return {
    state: STATES[state] ?? 'waiting',
    at: {
      ...isoAt('sent', states.Sent),
      ...isoAt('delivered', states.Delivered),
      ...isoAt('failed', states.Failed ?? states.Cancelled),
    },
    reason: state === 'Cancelled' ? CANCELLED : (recipients[0]?.error ?? undefined),
  };
}

function isoAt(name: keyof TextState['at'], written: string | undefined): TextState['at'] {
  const atMs = Date.parse(written ?? '');
  return Number.isNaN(atMs) ? {} : { [name]: isoOf(atMs) };
}

/**
 * Returns a text's state, or undefined if SMSGate does not know the text. @throws an Error if the gateway does not
 * respond.
 */
export async function askState(outside: Outside, account: GatewayAccount, id: string): Promise<TextState | undefined> {
  const response = await callGateway(outside, account, `/messages/${id}`);
  if (response.status === 404) return undefined;
  return textState(z.parse(MessageAnswer, await answerOf(response)));
}

export const STATES_PER_PAGE = 100;

/**
 * Returns the states of all texts since a given time, newest first. `page` starts at 0. Returns undefined if the server
 * is too old or the account lacks the permission.
 * @throws an Error if the gateway does not respond.
 */
export async function listStates(
  outside: Outside,
  account: GatewayAccount,
  { sinceMs, page }: { readonly sinceMs: number; readonly page: number },
): Promise<ReadonlyMap<string, TextState> | undefined> {
  const query = new URLSearchParams({
    from: isoOf(sinceMs),
    limit: String(STATES_PER_PAGE),
    offset: String(page * STATES_PER_PAGE),
  });
  const response = await callGateway(outside, account, `/messages?${query}`);
  if (CANNOT_LIST.has(response.status)) return undefined;
  const listed = z.parse(z.array(MessageAnswer), await answerOf(response));
  return new Map(listed.map((one) => [one.id, textState(one)]));
}

const CANNOT_LIST = new Set([403, 404, 405, 501]);

const DevicesAnswer = z.array(
  z.object({
    id: z.string(),
    lastSeen: z.string(),
    // Missing if the server is old, or if the app lacks the permission to read SIMs.
    simCards: z.catch(z.array(z.object({ simNumber: z.number() })), []),
  }),
);

export interface ListedPhone {
  /** In milliseconds since 1970, or NaN if invalid. */
  readonly lastSeenMs: number;
  readonly sims: readonly number[];
}

/**
 * Asks a phone, through SMSGate, to post the texts from a given period. Apps before 1.65.2 also repeat texts that they
 * have posted. Returns false if the server does not support such requests (404 or 501). True does not mean that the phone
 * has finished.
 * @throws an Error if the gateway does not respond or refuses the request.
 */
export async function askForInbox(
  outside: Outside,
  account: GatewayAccount,
  { deviceId, sinceMs, untilMs }: { readonly deviceId: string; readonly sinceMs: number; readonly untilMs: number },
): Promise<boolean> {
  const response = await callGateway(outside, account, '/inbox/refresh', {
    since: isoOf(Math.floor(sinceMs / 1000) * 1000),
    until: isoOf(Math.ceil(untilMs / 1000) * 1000),
    deviceId,
    messageTypes: ['SMS'],
    triggerWebhooks: true,
  });
  if (response.status === 404 || response.status === 501) return false;
  if (!response.ok) throw new Error(`The gateway responded with ${response.status}`);
  return true;
}

export class GatewayRejects extends Error {}
export class GatewaySilent extends Error {}

/**
 * Returns the account's phones by device id.
 * @throws GatewayRejects or GatewaySilent if the gateway cannot accept texts at the moment. Throws another Error if the
 * response is inconclusive.
 */
export async function askPhones(outside: Outside, account: GatewayAccount): Promise<ReadonlyMap<string, ListedPhone>> {
  const response = await callGateway(outside, account, '/devices').catch((error) => {
    throw new GatewaySilent('The gateway is not responding', { cause: error });
  });
  const { status } = response;
  if (isRejection(status)) throw new GatewayRejects(`The gateway responded with ${status}`);
  if (status === 404 || status >= 500) throw new GatewaySilent(`The gateway responded with ${status}`);
  const devices = z.parse(DevicesAnswer, await answerOf(response));
  return new Map(
    devices.map(({ id, lastSeen, simCards }) => [
      id,
      { lastSeenMs: Date.parse(lastSeen), sims: simCards.map(({ simNumber }) => simNumber) },
    ]),
  );
}

function isRejection(status: number): boolean {
  return status === 401 || status === 403;
}

function callGateway({ fetch }: Outside, account: GatewayAccount, path: string, body?: object) {
  const user = Buffer.from(`${account.username}:${account.password}`).toString('base64');
  return fetch(`${account.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Basic ${user}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(GATEWAY_TIMEOUT_MS),
  });
}

async function answerOf(response: Response): Promise<unknown> {
  if (isRejection(response.status)) throw new GatewayRejects(`The gateway responded with ${response.status}`);
  if (!response.ok) throw new Error(`The gateway responded with ${response.status}`);
  return response.json();
}

/** Timeout of a gateway request. Shorter than the functions' timeouts. */
export const GATEWAY_TIMEOUT_MS = 10_000;
/** Maximum lifetime of a text on a phone. The phone then drops an unsent text. */
export const TEXT_LIFETIME_SECONDS = DAY_SECONDS;

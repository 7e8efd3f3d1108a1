import * as z from 'zod/mini';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import { MAX_PAUSE_SECONDS, RetryLater } from '../../runtime/triggers/queue.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { parseJson } from '../../runtime/values/json.ts';
import type { GatewayAccount } from './accounts.ts';
import { CANCELLED } from './callback.ts';

export const MAX_ID_CHARACTERS = 36;

/**
 * A text to one number. `id` is chosen by this service and has at most `MAX_ID_CHARACTERS`. The gateway rejects
 * duplicate ids on a device.
 */
export interface OutgoingText {
  readonly id: string;
  readonly deviceId: string;
  readonly simNumber: number;
  readonly to: string;
  readonly text: string;
  /** The phone drops the text if it is still unsent after this many seconds. At most `TEXT_LIFETIME_SECONDS`. */
  readonly lifetimeSeconds: number;
  /**
   * True if the recipient is waiting for the text. The phone then sends it before other texts, ignoring its own limits
   * and pauses.
   */
  readonly isUrgent: boolean;
}

const URGENT_PRIORITY = 100;

/**
 * Thrown if the gateway will never accept this text, because the number is invalid or the gateway does not have the
 * device. The error's message is the gateway's own message as a sentence, or empty.
 */
export class GatewayRefused extends Error {}

/** Thrown if the gateway works, but too many texts are waiting for this phone. */
export class GatewayFull extends Error {}

/**
 * Skips SMSGate's own number check, because its table of prefixes is outdated: it rejects 0250-0255, 0258, 0259 and
 * 0590, which Ghana's regulator has assigned. The service checks the number when it accepts the text, and the network
 * reports numbers that do not exist.
 */
const SEND_PATH = '/messages?skipPhoneValidation=true';

/**
 * Passes a text to SMSGate. Safe to repeat, because a 409 means that the device already has the text.
 * @throws GatewayRefused if a retry cannot help. Otherwise RetryLater, GatewayRejects, GatewayFull or another Error.
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
  // A captive portal, a proxy or a wrong path can also respond with 200, so the text is sent again. If SMSGate did
  // accept it, the second request returns 409.
  if (response.ok) throw new Error(`The gateway responded with ${status}, but not like SMSGate`);
  if (status === 400) throw new GatewayRefused(reasonIn(answer));
  if (isRejection(status)) throw new GatewayRejects(`The gateway responded with ${status}`);
  const seconds = Math.ceil(Number(response.headers.get('retry-after')));
  // Omit the response body, because it may contain the recipient's number and the error is logged.
  if (seconds > 0) throw new RetryLater(Math.min(seconds, MAX_PAUSE_SECONDS), `The gateway responded with ${status}`);
  if (status === 503 && /queue limit/i.test(answer)) throw new GatewayFull(`The gateway responded with ${status}`);
  throw new Error(`The gateway responded with ${status}`);
}

const AcceptedAnswer = z.object({});
const ErrorAnswer = z.object({ message: z.string() });

/** Returns the last part of a response such as `failed to enqueue message: failed to …: invalid phone number`. */
function reasonIn(answer: string): string {
  const message = parseJson(ErrorAnswer, answer)?.message ?? '';
  return message.replace(/^(failed to [^:]*: )+/, '').slice(0, MAX_REASON_CHARACTERS);
}

const MAX_REASON_CHARACTERS = 200;

export interface TextState {
  readonly state: 'waiting' | 'sent' | 'delivered' | 'failed';
  /** The times the text was sent, was delivered or failed, as far as known (ISO). */
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
 * Returns the state of a text, or undefined if SMSGate does not know the text. @throws an Error if the gateway does not
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
 * cannot list the texts: old servers do not have this path, and an account may lack the permission.
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
    // Old servers do not list SIMs, and an app without the permission does not report any.
    simCards: z.catch(z.array(z.object({ simNumber: z.number() })), []),
  }),
);

export interface ListedPhone {
  /** In milliseconds since 1970, or NaN if unreadable. */
  readonly lastSeenMs: number;
  readonly sims: readonly number[];
}

/**
 * Asks SMSGate to have a phone search its inbox and post any texts from a given period that it has not sent yet. True
 * means that the request will reach the phone once it is online, not that the search has finished. False means that the
 * server does not support such requests: old servers lack the path (404) or do nothing (501).
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
 * @throws GatewayRejects or GatewaySilent, in which case the gateway does not accept texts either. Throws another Error
 * if the response is inconclusive.
 */
export async function askPhones(outside: Outside, account: GatewayAccount): Promise<ReadonlyMap<string, ListedPhone>> {
  const response = await callGateway(outside, account, '/devices').catch((error) => {
    throw new GatewaySilent('The gateway does not answer', { cause: error });
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

/**
 * Timeout for a request to a gateway. Shorter than the functions' timeouts, so that an unresponsive gateway fails only
 * the attempt.
 */
export const GATEWAY_TIMEOUT_MS = 10_000;
/** Maximum lifetime of a text on a phone: a phone that has been off for a day drops its unsent texts. */
export const TEXT_LIFETIME_SECONDS = DAY_SECONDS;

import * as z from 'zod/mini';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import { MAX_PAUSE_SECONDS, RetryLater } from '../../runtime/triggers/queue.ts';
import { parseJson } from '../../runtime/values/json.ts';
import type { GatewayAccount } from './accounts.ts';
import { CANCELLED } from './callback.ts';

/** The length of the longest id that the gateway accepts. */
export const MAX_ID_CHARACTERS = 36;

/** One text to one number. `id` is ours and at most `MAX_ID_CHARACTERS` long; the gateway refuses a second one on the same device. */
export interface OutgoingText {
  readonly id: string;
  readonly deviceId: string;
  readonly simNumber: number;
  readonly to: string;
  readonly text: string;
  /** The phone drops what it has not sent by then. At most `TEXT_LIFETIME_SECONDS`. */
  readonly lifetimeSeconds: number;
  /** Whether somebody is waiting for it: the phone sends it before its other texts, past its own limits and pauses. */
  readonly isUrgent: boolean;
}

/** From this priority on, the app skips its limits and pauses. */
const URGENT_PRIORITY = 100;

/**
 * The gateway will never accept this text: the number is bad, or it does not have the device. The message is the gateway's own,
 * as a sentence, and empty where it gives none.
 */
export class GatewayRefused extends Error {}

/** The gateway works, but has too many texts waiting for this phone. */
export class GatewayFull extends Error {}

/**
 * The server checks numbers by a table of prefixes that lags behind: of Ghana's it refuses 0250-0255, 0258, 0259 and 0590, which
 * the regulator has assigned. Our own check has been made when the text was accepted, and a network that has no such number says so.
 */
const SEND_PATH = '/messages?skipPhoneValidation=true';

/**
 * Hands a text to SMSGate. Safe to repeat: a 409 says that the device has it already.
 * @throws GatewayRefused if another try cannot help; RetryLater, GatewayRejects, GatewayFull or another Error if it can.
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
  // A captive portal, a proxy or a wrong path answers 200 too. A repeat of what was taken is a 409.
  if (response.ok) throw new Error(`The gateway answered ${status}, but not as SMSGate does`);
  if (status === 400) throw new GatewayRefused(reasonIn(answer));
  if (isRejection(status)) throw new GatewayRejects(`The gateway answered ${status}`);
  const seconds = Math.ceil(Number(response.headers.get('retry-after')));
  // Without the answer's text: it may name the recipient, and this is logged.
  if (seconds > 0) throw new RetryLater(Math.min(seconds, MAX_PAUSE_SECONDS), `The gateway answered ${status}`);
  if (status === 503 && /queue limit/i.test(answer)) throw new GatewayFull(`The gateway answered ${status}`);
  throw new Error(`The gateway answered ${status}`);
}

const AcceptedAnswer = z.object({});
const ErrorAnswer = z.object({ message: z.string() });

/** What a gateway gives as its reason: the last part of `failed to enqueue message: failed to …: invalid phone number`. */
function reasonIn(answer: string): string {
  const message = parseJson(ErrorAnswer, answer)?.message ?? '';
  return message.replace(/^(failed to [^:]*: )+/, '').slice(0, MAX_REASON_CHARACTERS);
}

const MAX_REASON_CHARACTERS = 200;

/** What the gateway knows about a text; `waiting` until the phone has sent it. */
export interface TextState {
  readonly state: 'waiting' | 'sent' | 'delivered' | 'failed';
  /** When the phone sent it, and when the network delivered it, or it failed, as far as is known (ISO). */
  readonly at: Readonly<Partial<Record<'sent' | 'delivered' | 'failed', string>>>;
  /** Why it failed, as the phone says. */
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

/** Asks SMSGate what became of a text; undefined if it has no such text. @throws an Error if the gateway does not answer. */
export async function askState(outside: Outside, account: GatewayAccount, id: string): Promise<TextState | undefined> {
  const response = await callGateway(outside, account, `/messages/${id}`);
  if (response.status === 404) return undefined;
  return textState(z.parse(MessageAnswer, await answerOf(response)));
}

/** The server gives this many at most. */
export const STATES_PER_PAGE = 100;

/**
 * Asks SMSGate what became of the texts that it was given since a time, the newest first, `page` from 0. Undefined if the server
 * cannot list them: old ones do not know the path, and an account may lack the right.
 * @throws an Error if the gateway does not answer.
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
    // Old servers do not list them, and an app without the permission lists none.
    simCards: z.catch(z.array(z.object({ simNumber: z.number() })), []),
  }),
);

/** A phone as its gateway lists it. */
export interface ListedPhone {
  /** In milliseconds since 1970; NaN if it cannot be read. */
  readonly lastSeenMs: number;
  /** Its SIMs' slots, from 1; none if the phone does not tell. */
  readonly sims: readonly number[];
}

/**
 * Asks SMSGate to have a phone go through the SMS in its inbox that the network dated within a period, and post those that the app
 * has not posted before. False if the server cannot do that: old ones do not know the path (404) or do nothing there (501). True
 * says that the request reaches the phone when it is online, not that the phone has done it.
 * @throws an Error if the gateway does not answer, or refuses.
 */
export async function askForInbox(
  outside: Outside,
  account: GatewayAccount,
  { deviceId, sinceMs, untilMs }: { readonly deviceId: string; readonly sinceMs: number; readonly untilMs: number },
): Promise<boolean> {
  const response = await callGateway(outside, account, '/inbox/refresh', {
    // The server passes on whole seconds.
    since: isoOf(Math.floor(sinceMs / 1000) * 1000),
    until: isoOf(Math.ceil(untilMs / 1000) * 1000),
    deviceId,
    messageTypes: ['SMS'],
    triggerWebhooks: true,
  });
  if (response.status === 404 || response.status === 501) return false;
  if (!response.ok) throw new Error(`The gateway answered ${response.status}`);
  return true;
}

/** The account is refused: its user or password is wrong. */
export class GatewayRejects extends Error {}
/** The gateway is down, hangs, or is not at this address. */
export class GatewaySilent extends Error {}

/**
 * The account's phones, by device id.
 * @throws GatewayRejects or GatewaySilent, which also takes no texts; another Error if it gives an answer that says nothing of that.
 */
export async function askPhones(outside: Outside, account: GatewayAccount): Promise<ReadonlyMap<string, ListedPhone>> {
  const response = await callGateway(outside, account, '/devices').catch((error) => {
    throw new GatewaySilent('The gateway does not answer', { cause: error });
  });
  const { status } = response;
  if (isRejection(status)) throw new GatewayRejects(`The gateway answered ${status}`);
  if (status === 404 || status >= 500) throw new GatewaySilent(`The gateway answered ${status}`);
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

/** Posts what has a body, and gets the rest. */
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
  if (isRejection(response.status)) throw new GatewayRejects(`The gateway answered ${response.status}`);
  if (!response.ok) throw new Error(`The gateway answered ${response.status}`);
  return response.json();
}

/** Below the functions' timeouts, so that a silent gateway is a failed try and not a killed function. */
export const GATEWAY_TIMEOUT_MS = 10_000;
/** A phone that was off for a day drops what it did not send. */
export const TEXT_LIFETIME_SECONDS = 24 * 60 * 60;

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { manifest } from '../../../functions/manifest.ts';
import { type HttpRow, type KeyKind, keyKindsOf } from '../../../shared/runtime/triggers/row.ts';

/**
 * Steps in which a shop's server and its customers, on their pages, use the service. Shared by the demo, the journeys,
 * the simulation, the crash matrix, the upgrade stories and the cost measurements.
 */

export type RouteName = {
  [Name in keyof typeof manifest]: (typeof manifest)[Name] extends { readonly on: 'http' } ? Name : never;
}[keyof typeof manifest];

export interface CallInput {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The body: a string is sent unchanged, anything else as JSON. */
  readonly body?: object | string;
  /** The API key, if not the shop's default for this route. */
  readonly key?: string | undefined;
  /** The value of the Idempotency-Key header. */
  readonly once?: string | undefined;
  readonly sourceIp?: string | undefined;
}

export type How = Pick<CallInput, 'key' | 'once' | 'sourceIp'>;

export interface Client {
  /** Returns the response's data. @throws if the service rejects the request. */
  ask(route: RouteName, input?: CallInput): Promise<unknown>;
}

/** Returns the HTTP request and the kind of key that it needs. */
export function overHttp(route: RouteName, { parameters = {}, query, once }: CallInput = {}) {
  const row: HttpRow = manifest[route];
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
  const [kind]: readonly KeyKind[] = keyKindsOf(row);
  return {
    method: row.method,
    kind,
    path: query ? `${path}?${new URLSearchParams(query)}` : path,
    headers: { accept: 'application/json', ...(once && { 'idempotency-key': once }) },
  };
}

/** Polls until the condition is met or time runs out. Returns the last value. */
export async function until<Value>(
  { patienceMs }: { readonly patienceMs: number },
  read: () => Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  const endMs = Date.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (isSo(value) || Date.now() > endMs) return value;
    // Pauses are shorter if the time limit is short.
    await sleep(Math.min(3_000, patienceMs / 200));
  }
}

const NewCharge = z.looseObject({
  reference: z.string(),
  access_code: z.string(),
  authorization_url: z.string(),
  amount: z.number(),
  momo_number: z.string(),
  momo_network: z.string(),
});
export type NewCharge = z.infer<typeof NewCharge>;
const Charge = z.looseObject({
  reference: z.string(),
  status: z.string(),
  amount: z.number(),
  amount_paid: z.number(),
  payment: z.looseObject({ matched_by: z.string(), proof: z.looseObject({ state: z.string() }).nullish() }).nullable(),
});
export type Charge = z.infer<typeof Charge>;
const Receipt = z.looseObject({
  id: z.string(),
  status: z.string(),
  reason: z.string().nullable(),
  transaction_id: z.string().nullable(),
});
const NewTexts = z.looseObject({ id: z.string(), ids: z.array(z.string()), from: z.string() });
const Text = z.looseObject({ status: z.string(), failure_reason: z.optional(z.nullable(z.string())) });
const Page = z.looseObject({ slug: z.string(), url: z.string() });
const WithId = z.looseObject({ id: z.string() });

export async function createCharge(at: Client, body: object | string, how: How = {}) {
  return NewCharge.parse(await at.ask('transaction/initialize', { body, ...how }));
}

export async function showCharge(at: Client, reference: string) {
  return Charge.parse(await at.ask('transaction/verify', { parameters: { reference } }));
}

export async function cancelCharge(at: Client, reference: string, how: How = {}) {
  return Charge.parse(await at.ask('transaction/cancel', { parameters: { reference }, ...how }));
}

export function refund(at: Client, reference: string, body: object, how: How = {}) {
  return at.ask('transaction/refund', { parameters: { reference }, body, ...how });
}

export function simulateOutcome(at: Client, reference: string, outcome: string, how: How) {
  return at.ask('test/simulate', { parameters: { reference }, body: { outcome }, ...how });
}

/** Returns a payment's receipt, or undefined until its text has been processed. */
export async function findReceipt(at: Client, transactionId: string, query: CallInput['query'] = {}) {
  const { receipts } = z.object({ receipts: z.array(Receipt) }).parse(await at.ask('receipt/list', { query }));
  return receipts.find(({ transaction_id }) => transaction_id === transactionId);
}

export async function assignReceipt(
  at: Client,
  id: string,
  body: { reference: string; as_part?: boolean },
  how: How = {},
) {
  return Charge.parse(await at.ask('receipt/assign', { parameters: { id }, body, ...how }));
}

export async function pageStatus(at: Client, access_code: string): Promise<string> {
  return Text.parse(await at.ask('checkout/status', { parameters: { access_code } })).status;
}

export function claimPayment(
  at: Client,
  access_code: string,
  body: { transaction_id: string; name: string },
  how: How = {},
) {
  return at.ask('checkout/claim', { parameters: { access_code }, body, ...how });
}

export async function askForCode(at: Client, access_code: string, phone: string) {
  return Text.parse(await at.ask('checkout/ask-for-code', { parameters: { access_code }, body: { phone } }));
}

export function confirmCode(at: Client, access_code: string, body: { phone: string; code: string }) {
  return at.ask('checkout/confirm-code', { parameters: { access_code }, body });
}

export function askForText(at: Client, access_code: string, phone: string) {
  return at.ask('checkout/text', { parameters: { access_code }, body: { phone } });
}

export async function sendText(at: Client, body: object | string, how: How = {}) {
  return NewTexts.parse(await at.ask('sms/send', { body, ...how }));
}

export async function showText(at: Client, id: string) {
  return Text.parse(await at.ask('sms/show', { parameters: { id } }));
}

export async function sendBulk(at: Client, body: object, how: How = {}): Promise<string> {
  return WithId.parse(await at.ask('sms/bulk', { body, ...how })).id;
}

/** Resends a bulk send's failed texts. Returns the new bulk's id. */
export async function retryBulk(at: Client, id: string, how: How = {}): Promise<string> {
  return WithId.parse(await at.ask('sms/retry-bulk', { parameters: { id }, ...how })).id;
}

/** Texts a verification code to a customer's number. Returns the verification's id. */
export async function sendCode(at: Client, body: object, how: How = {}): Promise<string> {
  return WithId.parse(await at.ask('verify/start', { body, ...how })).id;
}

export async function checkCode(at: Client, body: { id: string; code: string }, how: How = {}): Promise<boolean> {
  return z.looseObject({ verified: z.boolean() }).parse(await at.ask('verify/check', { body, ...how })).verified;
}

export function storeContacts(at: Client, contacts: readonly object[], how: How = {}) {
  return at.ask('contact/store', { body: { contacts }, ...how });
}

/** Starts the purchase of a bundle of credits. Returns the reference of the seller's charge. */
export async function buyCredits(at: Client, body: object, how: How = {}): Promise<string> {
  return z.looseObject({ reference: z.string() }).parse(await at.ask('sms/buy-credits', { body, ...how })).reference;
}

export async function createLink(at: Client, body: object, how: How = {}) {
  return Page.parse(await at.ask('link/create', { body, ...how }));
}

export function addCodes(at: Client, slug: string, codes: readonly string[], how: How = {}) {
  return at.ask('link/add-codes', { parameters: { slug }, body: { codes }, ...how });
}

export async function createRequest(at: Client, body: object, how: How = {}) {
  return Page.parse(await at.ask('request/create', { body, ...how }));
}

/** Sets the webhook and returns the secret that signs its events. */
export async function setWebhook(at: Client, url: string, how: How = {}): Promise<string> {
  return z.looseObject({ secret: z.string() }).parse(await at.ask('webhook/set', { body: { url }, ...how })).secret;
}

export async function testWebhook(at: Client, how: How = {}): Promise<string> {
  return WithId.parse(await at.ask('webhook/test', how)).id;
}

import { createHmac, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { handler as smsgate } from '../../functions/callback/smsgate.ts';
import { handler as listReceipts } from '../../functions/receipt/list.ts';
import { handler as createRequest } from '../../functions/request/create.ts';
import { handler as showRequest } from '../../functions/request/show.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { handler as verify } from '../../functions/transaction/verify.ts';
import { handler as settleReceipt } from '../../functions/work/settle-receipt.ts';
import type { Network } from '../../shared/ghana/network.ts';
import { addApiKey } from '../../shared/merchants/merchant/manage-keys.ts';
import { changeMerchant, newMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { createMerchant } from '../../shared/merchants/merchant/merchant.table.ts';
import { type Charge, chargeRows } from '../../shared/money/charge/charge.table.ts';
import { accountsOf } from '../../shared/money/charge/charge.ts';
import { type ClaimedPayment, claimPayment } from '../../shared/money/claims/claim-payment.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import { listSenders } from '../../shared/phones/sender/sender.table.ts';
import type { Job } from '../../shared/runtime/outside/queues.ts';
import type { Item } from '../../shared/runtime/table/table.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { mtn, type ReceiptText } from './receipt-texts.ts';
import { rowAt, scan } from './rows.ts';
import { readers } from './stream-readers.ts';
import {
  type Call,
  call,
  callWorker,
  queueEvent,
  SIGNING_KEYS,
  streamEvent,
  type TestMerchant,
  UNLIMITED,
  type World,
} from './world.ts';

export { fixtures, mtn, type ReceiptText, telecel } from './receipt-texts.ts';

export interface Shop extends Pick<TestMerchant, 'id' | 'liveKey'> {
  readonly number: string;
  readonly network: Network;
}

let numbers = 0;

export function newNumber(): string {
  return `+23324${String(++numbers).padStart(7, '0')}`;
}

export async function createShop(
  { outside }: World,
  {
    name = 'Ama Stores',
    network = 'MTN',
    number = newNumber(),
  }: { name?: string; network?: Network; number?: string } = {},
): Promise<Shop> {
  const momo_accounts = [{ number, network, account_name: 'AMA STORES' }];
  await placeNumber(outside, number, network);
  const merchant = newMerchant(outside, { name, momo_accounts });
  await outside.table.write(createMerchant(merchant));
  const { merchant_id: id } = merchant;
  return { id, liveKey: await addApiKey(outside, id, 'live', { requestsPerSecond: UNLIMITED }), number, network };
}

/** Registers a receive-only number with its own SIM, on the phone that receives texts. */
export async function placeNumber(
  outside: World['outside'],
  number: string,
  network: Network = 'MTN',
  device_id = 'device-1',
): Promise<void> {
  // If the phone has a second number, a text must name its recipient or SIM to be attributed.
  const placed = (await listSenders(outside)).map((sender) => sender.number);
  for (const one of [number, '+233249999999'].filter((each) => !placed.includes(each))) {
    const sim_number = 100 + ++sims;
    const place = { gateway: 'phone', device_id, sim_number, receives_only: true };
    await addSender(outside, { number: one, network, ...place });
  }
}

let sims = 0;

/** Adds a second payment number to a shop and returns the number. */
export async function addNumber({ outside, clock }: World, { id, number }: Shop): Promise<string> {
  const added = newNumber();
  await placeNumber(outside, added);
  const account = { network: 'MTN', account_name: 'A' } as const;
  await changeMerchant(outside, id, { momo_accounts: [number, added].map((one) => ({ number: one, ...account })) });
  // The dashboard caches a shop for a minute.
  clock.nowMs += 2 * MINUTE_MS;
  return added;
}

export async function charge(
  world: World,
  shop: Pick<Shop, 'liveKey'>,
  said: { amount: number; [field: string]: unknown },
) {
  const { json } = await call(world, initialize, { key: shop.liveKey, body: said });
  return z.parse(z.string(), json.data?.reference);
}

export interface CreatedCharge {
  readonly access_code: string;
  readonly reference: string;
}

/** Creates a charge, for GHS 36 by default, and returns it with its access code. */
export async function createCharge(world: World, { liveKey: key }: Pick<Shop, 'liveKey'>, said: object = {}) {
  const { json } = await call(world, initialize, { key, body: { amount: 36, ...said } });
  const charge: CreatedCharge = json.data;
  return charge;
}

export async function request(world: World, { liveKey: key }: Pick<Shop, 'liveKey'>, body: object): Promise<string> {
  const { status, json } = await call(world, createRequest, { key, body });
  if (status !== 200) throw new Error(`The request got status ${status}: ${JSON.stringify(json)}`);
  return json.data.slug;
}

export async function shownRequest(world: World, { liveKey: key }: Pick<Shop, 'liveKey'>, slug: string) {
  return (await call(world, showRequest, { key, parameters: { slug } })).json.data;
}

export async function verified(world: World, shop: Pick<Shop, 'liveKey'>, reference: string) {
  const { json } = await call(world, verify, { key: shop.liveKey, parameters: { reference } });
  return json.data;
}

export async function listed(world: World, shop: Pick<Shop, 'liveKey'>, status: string): Promise<Item[]> {
  const { json } = await call(world, listReceipts, { key: shop.liveKey, query: { status } });
  return json.data.receipts;
}

/** A text arriving on a phone. Some phones report the receiving number as `recipient`. */
export interface Arrival {
  readonly sender: string;
  readonly text: string;
  readonly gateway?: keyof typeof SIGNING_KEYS;
  readonly device?: string;
  readonly recipient?: string | null;
  readonly simNumber?: number | null;
  readonly receivedAt?: string | null;
  readonly eventId?: string;
}

/** Returns an unused customer number on another network, in the format `23320…`. */
export function newPayerNumber(): string {
  return `23320${String(++numbers).padStart(7, '0')}`;
}

/**
 * Returns MTN's receipt for a payment from Telecel (called Vodafone there). A payer on MTN could also type this
 * reference.
 */
export function fromTelecel({
  from = 'KOFI MENSAH BOATENG',
  phone = '233209876543',
  reference = '1',
  ...said
}: NonNullable<Parameters<typeof mtn>[0]> & { phone?: string } = {}): ReceiptText {
  return mtn({ ...said, from, reference: `${from} ,${phone},${reference} from VODAFONE` });
}

export function reversal(id: string, amount?: string, balance = '0.00'): { sender: string; text: string } {
  const ofAmount = amount === undefined ? '' : ` of GHS ${amount}`;
  return {
    sender: 'MobileMoney',
    text: `Transaction ${id}${ofAmount} has been reversed. Current Balance: GHS ${balance}`,
  };
}

export function receivedEvent(world: World, arrival: Arrival) {
  const { sender, text, device = 'device-1', recipient = null, simNumber = null, receivedAt, eventId } = arrival;
  return {
    deviceId: device,
    event: 'sms:received',
    id: eventId ?? randomUUID(),
    webhookId: 'webhook-1',
    payload: {
      messageId: '-1274562',
      message: text,
      sender,
      recipient,
      simNumber,
      receivedAt: receivedAt === undefined ? world.iso() : receivedAt,
    },
  };
}

export function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Builds a phone's callback, signed with the device's key. */
export function signedCallback(
  world: World,
  event: { deviceId: string; [field: string]: unknown },
  gateway: Arrival['gateway'] = 'phone',
): Call {
  const body = JSON.stringify(event);
  const keys = new Map(Object.entries(SIGNING_KEYS[gateway]));
  const timestamp = String(Math.floor(world.clock.nowMs / 1000));
  return {
    path: `/callback/smsgate/${gateway}`,
    parameters: { gateway },
    headers: { 'x-timestamp': timestamp, 'x-signature': hmac(keys.get(event.deviceId) ?? '', body + timestamp) },
    body,
  };
}

export async function post(world: World, arrival: Arrival): Promise<object> {
  const [job] = await jobsOf(world, arrival);
  if (!job) throw new Error('No job was created for the text, because no network sent it');
  return job;
}

/** Returns the jobs that the stream creates for a text. Empty unless a network sent the text. */
async function jobsOf(world: World, arrival: Arrival): Promise<object[]> {
  const event = receivedEvent(world, arrival);
  const { status } = await call(world, smsgate, signedCallback(world, event, arrival.gateway));
  if (status !== 200) throw new Error(`The phone's post got status ${status}`);
  const key = { pk: `PHONE_EVENT#${arrival.gateway ?? 'phone'}#${event.deviceId}#${event.id}`, sk: 'PHONE_EVENT' };
  const after = await rowAt(world, key);
  return after ? relayedJobs(world, after) : [];
}

export async function relayed(world: World, after: Item | undefined): Promise<object> {
  const jobs = after ? await relayedJobs(world, after) : [];
  const [job] = jobs;
  if (!job || jobs.length !== 1) throw new Error(`The stream created ${jobs.length} jobs for the event instead of one`);
  return job;
}

async function relayedJobs(world: World, after: Item): Promise<object[]> {
  const jobs: Job[] = [];
  const queues = { ...world.outside.queues, send: async (_: string, more: readonly Job[]) => void jobs.push(...more) };
  for (const { handler } of readers) await handler.with({ ...world.outside, queues })(streamEvent([{ after }]));
  return jobs.map(({ body }) => body);
}

/** Settles jobs in one batch. @throws if a job fails. */
export async function settle(world: World, ...jobs: object[]): Promise<void> {
  const before = world.logged.length;
  const { batchItemFailures } = await callWorker(world, settleReceipt, queueEvent(jobs));
  if (batchItemFailures.length > 0) {
    throw new Error(`${batchItemFailures.length} jobs failed`, { cause: world.logged.slice(before) });
  }
}

/** Settles jobs concurrently. Retries failed jobs, because concurrent jobs can conflict. */
export async function settleAtOnce(world: World, jobs: readonly object[]): Promise<void> {
  let left = jobs;
  for (let receives = 1; left.length > 0; receives++) {
    if (receives > 10) throw new Error(`${left.length} jobs keep failing`, { cause: world.logged.slice(-1) });
    const { batchItemFailures } = await callWorker(world, settleReceipt, queueEvent(left, receives));
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier)));
    left = left.filter((_, n) => failed.has(n));
  }
}

/** Runs `happens` just before the next command with this name and subject. */
export function rightBefore(world: World, command: string, happens: () => Promise<unknown>, about = ''): void {
  const usual = world.dynamoDb;
  world.dynamoDb = async (request, send) => {
    if (request.command === command && JSON.stringify(request.input).includes(about)) {
      world.dynamoDb = usual;
      await happens();
    }
    await send();
  };
}

export async function arrive(world: World, shop: { number: string }, arrival: Arrival): Promise<void> {
  if (arrival.recipient === undefined && shop.number) await placeNumber(world.outside, shop.number);
  const jobs = await jobsOf(world, { recipient: shop.number, ...arrival });
  if (jobs.length > 0) await settle(world, ...jobs);
}

export async function pay(
  world: World,
  shop: { number: string },
  receipt: ReceiptText & Partial<Arrival>,
): Promise<Item | undefined> {
  await arrive(world, shop, receipt);
  return receiptRow(world, paymentId(shop, receipt));
}

export function paymentId(
  { number }: { number: string },
  { network, id }: Pick<ReceiptText, 'network' | 'id'>,
): string {
  return `${network}-${number.slice(1)}-${id}`;
}

export function receiptRow(world: World, receiptId: string): Promise<Item | undefined> {
  return rowAt(world, { pk: `RECEIPT#${receiptId}`, sk: 'RECEIPT' });
}

export async function receiptRows(world: World, { number }: { number: string }): Promise<Item[]> {
  return (await rows(world, 'RECEIPT')).filter(({ momo_number }) => momo_number === number);
}

export async function rows(world: World, kind: string): Promise<Item[]> {
  return (await scan(world)).filter(({ sk }) => sk === kind || String(sk).startsWith(`${kind}#`));
}

export async function chargeRow({ outside }: World, reference: string): Promise<Charge> {
  const charge = await chargeRows.find(outside, { reference });
  if (!charge) throw new Error(`There is no charge ${reference}`);
  return charge;
}

/** Returns the payments that a transaction id would claim on a charge's page. */
export function claimedPayments(charge: Charge, transactionId: string): ClaimedPayment[] {
  return accountsOf(charge).map((account) => ({ ...account, transactionId }));
}

/** Claims a payment as its payer, Kofi Mensah. */
export async function claim(world: World, reference: string, transactionId: string) {
  const charge = await chargeRow(world, reference);
  const who = { nameWords: ['KOFI', 'MENSAH', 'BOATENG'], sourceIp: '192.0.2.1' };
  return claimPayment(world.outside, charge, { payments: claimedPayments(charge, transactionId), ...who });
}

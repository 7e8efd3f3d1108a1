import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey } from '../../../shared/merchants/merchant/manage-keys.ts';
import type { AdminOutside } from '../../../shared/runtime/stage/place.ts';
import { showCredits } from '../../../shared/texts/credits/top-up.ts';
import { localStack } from '../../admin/place.ts';
import type { Narrator } from './narrator.ts';
import type { OwnStack } from './own-stack.ts';
import type { ShopServer } from './shop-server.ts';
import { shownLines, Visitor } from './visitor.ts';

/** How long the story waits for the workers before it continues with what it found. */
const PATIENCE_MS = 5_000;
/** What became of a text is asked for twenty seconds after it was accepted. */
const DELIVERED_PATIENCE_MS = 40_000;

/** What the people of the story do. Whatever they call is shown with its answer. */
export class Scene {
  readonly narrator: Narrator;
  readonly facts: OwnStack['facts'];
  readonly #operator: AdminOutside;

  constructor(narrator: Narrator, { facts, folder }: OwnStack) {
    this.narrator = narrator;
    this.facts = facts;
    // As the operator's command line finds it.
    process.env.LOCAL_DIR = folder;
    this.#operator = localStack().outside;
  }

  async createCharge(body: { amount: number; customer_name: string; description: string }) {
    const shown = ['reference', 'authorization_url', 'amount', 'momo_number'];
    return NewCharge.parse(await this.#send('POST', '/api/v1/transaction/initialize', { body }, shown));
  }

  async openPage(url: string): Promise<{ status: number; lines: string[] }> {
    const response = await fetch(url);
    const lines = shownLines(await response.text());
    this.narrator.quote(url, lines.join('\n'));
    return { status: response.status, lines };
  }

  /** What the page asks for while it is open. */
  async askFromPage(accessCode: string): Promise<string> {
    const path = `/checkout/${accessCode}/status`;
    const { data } = dataOf(path, await request('GET', this.facts.base_url + path));
    this.#show(path, data, ['status']);
    return PageStatus.parse(data).status;
  }

  /** What a person does on the phone's page. The receipt is the network's SMS. */
  async pay(payment: { reference?: string; name: string; amount: number }) {
    const { json } = await request('POST', `${this.facts.phone_url}/pay`, { body: payment });
    const receipt = Receipt.parse(json);
    this.narrator.quote('SMS from MobileMoney', receipt.text);
    return receipt;
  }

  /** The charge as its merchant sees it, once it is as expected or the time is up. Not shown. */
  async findCharge(reference: string, isIt: (charge: z.infer<typeof Charge>) => boolean) {
    const path = `/api/v1/transaction/verify/${reference}`;
    return waitFor(async () => Charge.parse(await this.#get(path)), isIt);
  }

  async verifyCharge(reference: string, status: string) {
    const charge = await this.findCharge(reference, (found) => found.status === status);
    const shown = ['reference', 'status', 'amount', 'paid_at', 'payment'];
    this.#show(`/api/v1/transaction/verify/${reference}`, charge, shown);
    return charge;
  }

  async createLink(body: { title: string; amount: number; codes: string[] }) {
    return Page.parse(await this.#send('POST', '/api/v1/link', { body }, ['url', 'amount', 'codes']));
  }

  async createRequest(body: object) {
    return Page.parse(await this.#send('POST', '/api/v1/request', { body }, ['url', 'title']));
  }

  /** Somebody opens a page of the shop's and presses Pay: the reference of the charge that opens. */
  async payOnPage(visitor: Visitor, url: string, typed: Readonly<Record<string, string>>): Promise<string> {
    await visitor.open(url);
    this.narrator.quote(url, visitor.lines.join('\n'));
    await visitor.press('Pay', typed);
    const [reference] = /MK-\d{10}/.exec(visitor.lines.join('\n').replaceAll(' ', '')) ?? [];
    if (!reference) throw new Error(`${visitor.url} names no reference.`);
    return reference;
  }

  /** A page is opened again until it shows something, or the time is up: its line. */
  async lineWith(visitor: Visitor, words: string): Promise<string | undefined> {
    const look = async () => {
      await visitor.reload();
      return visitor.lines.find((line) => line.includes(words));
    };
    return waitFor(look, (found) => found !== undefined);
  }

  /** The owner, signed in at the dashboard. */
  async ownerAt(path: string): Promise<Visitor> {
    const owner = new Visitor();
    await owner.open(this.facts.dashboard_url);
    await owner.open(this.facts.base_url + path);
    return owner;
  }

  /** Presses a payment at the till as soon as it is there. */
  async tapWhenThere(till: Visitor, payment: string): Promise<boolean> {
    const look = async () => {
      await till.reload();
      return till.hasButton(payment);
    };
    await waitFor(look, (isThere) => isThere);
    await till.press(payment);
    return till.has('till-green');
  }

  /** Sets the shop's server as the address for webhooks. */
  async setWebhook(shop: ShopServer): Promise<void> {
    const data = await this.#send('PUT', '/api/v1/webhook', { body: { url: shop.url } }, ['url']);
    shop.secret = Webhook.parse(data).secret;
  }

  /** The webhook about a charge that the shop's server accepted; undefined if none came. */
  async webhookAbout(shop: ShopServer, reference: string) {
    const find = () => shop.believed.find(({ data }) => data.reference === reference);
    const event = await waitFor(
      async () => find(),
      (found) => found !== undefined,
    );
    if (event) {
      const { type, data } = event;
      this.narrator.quote(
        `POST ${shop.url}`,
        JSON.stringify({ type, data: pick(data, ['reference', 'status', 'amount']) }),
      );
    }
    return event;
  }

  async findHeldReceipt(transactionId: string) {
    const path = '/api/v1/receipt?status=held';
    const isIt = (receipt: { transaction_id: string | null }) => receipt.transaction_id === transactionId;
    const receipts = await waitFor(
      async () => Receipts.parse(await this.#get(path)).receipts,
      (list) => list.some(isIt),
    );
    const receipt = receipts.find(isIt);
    if (!receipt) throw new Error(`The payment ${transactionId} is not among the held receipts.`);
    this.#show(path, receipt, ['id', 'reason', 'amount', 'payer_name', 'payer_reference']);
    return receipt;
  }

  async assignReceipt(receiptId: string, reference: string) {
    const path = `/api/v1/receipt/${receiptId}/assign`;
    return Charge.parse(await this.#send('POST', path, { body: { reference } }, ['reference', 'status', 'amount']));
  }

  async claimPayment(accessCode: string, transactionId: string, name: string): Promise<void> {
    const body = { transaction_id: transactionId, name };
    await this.#send('POST', `/checkout/${accessCode}/claim`, { body, headers: {} }, ['status']);
  }

  async showCredits(): Promise<number> {
    const { balance } = await showCredits(this.#operator, this.facts.merchant_id);
    this.narrator.call('npm run admin -- credits show --merchant …');
    this.narrator.answer(`balance: ${balance}`);
    return balance;
  }

  async sendText(text: { to: string[]; message: string }) {
    const sms = bearer(this.facts.sms_secret_key);
    return SentTexts.parse(
      await this.#send('POST', '/api/v1/sms/send', { body: text, headers: sms }, ['ids', 'from', 'status', 'count']),
    );
  }

  /** What the phone sent, once there are `count` texts. */
  async textsOnAir(count: number) {
    return waitFor(
      async () => TextsOnAir.parse((await request('GET', `${this.facts.phone_url}/sent`)).json),
      (texts) => texts.length >= count,
    );
  }

  async showText(id: string) {
    const path = `/api/v1/sms/${id}`;
    const text = await waitFor(
      async () => Text.parse(await this.#get(path, this.facts.sms_secret_key)),
      ({ status }) => status === 'delivered',
      DELIVERED_PATIENCE_MS,
    );
    this.#show(path, text, ['to', 'status', 'segments', 'encoding']);
    return text;
  }

  /** A merchant whom the operator has just added: its key for texts. */
  async takeOnMerchant(name: string): Promise<string> {
    const { merchant_id } = await addMerchant(this.#operator, { name, momo_accounts: [] });
    return addApiKey(this.#operator, merchant_id, 'sms');
  }

  /** Posts a request that must be refused, and returns the status. */
  async tryPost(path: string, body: object, headers: Record<string, string>): Promise<number> {
    const { status, json } = await request('POST', this.facts.base_url + path, { body, headers });
    const { code, message } = Failure.parse(json);
    this.narrator.call(`POST ${path}`);
    this.narrator.answer(`${status} ${code}: ${message}`);
    return status;
  }

  async #get(path: string, key = this.facts.secret_key): Promise<unknown> {
    return dataOf(path, await request('GET', this.facts.base_url + path, { headers: bearer(key) })).data;
  }

  #show(path: string, data: object, shown: readonly string[]): void {
    this.narrator.call(`GET ${path}`);
    this.narrator.answer('200', pick(data, shown));
  }

  async #send(
    method: string,
    path: string,
    {
      body,
      headers = bearer(this.facts.secret_key),
    }: { readonly body: object; readonly headers?: Record<string, string> | undefined },
    shown: readonly string[],
  ) {
    this.narrator.call(`${method} ${path}`, body);
    const answer = await request(method, this.facts.base_url + path, { body, headers });
    const { message, data } = dataOf(path, answer);
    this.narrator.answer(`${answer.status} ${message}`, pick(data, shown));
    return data;
  }
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

const Page = z.looseObject({ url: z.string() });
const NewCharge = z.object({ reference: z.string(), access_code: z.string(), authorization_url: z.string() });
const Webhook = z.object({ secret: z.string() });
const PageStatus = z.object({ status: z.string() });
const Charge = z.looseObject({
  status: z.string(),
  amount_paid: z.number(),
  payment: z.looseObject({ matched_by: z.string() }).nullable(),
});
const HeldReceipt = z.looseObject({ id: z.string(), reason: z.string(), transaction_id: z.string().nullable() });
const Receipts = z.object({ receipts: z.array(HeldReceipt) });
const SentTexts = z.object({ ids: z.array(z.string()) });
const Text = z.looseObject({ status: z.string() });
const Success = z.object({ status: z.literal(true), message: z.string(), data: z.looseObject({}) });
const Failure = z.object({ code: z.string(), message: z.string() });
/** What the phone answers. */
const Receipt = z.object({ text: z.string(), transaction_id: z.string() });
const TextsOnAir = z.array(z.object({ from: z.string(), to: z.string(), text: z.string() }));

/** @throws with the answer, if it is not the envelope of a success. */
function dataOf(path: string, { status, json }: { status: number; json: unknown }) {
  const answer = Success.safeParse(json);
  if (answer.success) return answer.data;
  throw new Error(`${path} answered ${status} ${JSON.stringify(json)}`);
}

async function request(
  method: string,
  url: string,
  { body, headers }: { body?: object; headers?: Record<string, string> } = {},
) {
  const response = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return { status: response.status, json };
}

/** Reads until it is done, or returns what it read last when the time is up. */
async function waitFor<Value>(
  read: () => Promise<Value>,
  isDone: (value: Value) => boolean,
  patienceMs = PATIENCE_MS,
): Promise<Value> {
  const endMs = Date.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (isDone(value) || Date.now() > endMs) return value;
    await sleep(20);
  }
}

function pick(value: object, names: readonly string[]): object {
  const fields = new Map(Object.entries(value));
  return Object.fromEntries(names.map((name) => [name, fields.get(name)]));
}

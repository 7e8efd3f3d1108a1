import * as z from 'zod';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey } from '../../../shared/merchants/merchant/manage-keys.ts';
import type { AdminOutside } from '../../../shared/runtime/stage/deployment.ts';
import { showCredits } from '../../../shared/texts/credits/top-up.ts';
import { localStack } from '../../admin/deployment.ts';
import type { Narrator } from './narrator.ts';
import type { OwnStack } from './own-stack.ts';
import type { ShopServer } from './shop-server.ts';
import {
  type CallInput,
  type Charge,
  type Client,
  findReceipt,
  overHttp,
  pageStatus,
  type RouteName,
  showCharge,
  showText,
  until,
} from './steps.ts';
import { Visitor } from './visitor.ts';

const SOON = { patienceMs: 5_000 };

export class Scene implements Client {
  readonly narrator: Narrator;
  readonly facts: OwnStack['facts'];
  readonly #operator: AdminOutside;

  constructor(narrator: Narrator, { facts, folder }: OwnStack) {
    this.narrator = narrator;
    this.facts = facts;
    // The operator's command line finds the stack in this folder.
    process.env.LOCAL_DIR = folder;
    this.#operator = localStack().outside;
  }

  async ask(route: RouteName, input: CallInput = {}): Promise<object> {
    this.narrator.call(callOf(route, input), input.body);
    const { status, message, data } = await this.#request(route, input);
    this.narrator.answer(`${status} ${message}`, shownOf(route, data));
    return data;
  }

  /** Sends requests without printing them, for polling. */
  readonly quietly: Client = { ask: async (route, input) => (await this.#request(route, input)).data };

  #show(route: RouteName, input: CallInput, data: object): void {
    this.narrator.call(callOf(route, input));
    this.narrator.answer('200', shownOf(route, data));
  }

  async openPage(url: string, visitor = new Visitor()): Promise<Visitor> {
    await visitor.open(url);
    this.narrator.quote(url, visitor.lines.join('\n'));
    return visitor;
  }

  async askFromPage(access_code: string): Promise<string> {
    const status = await pageStatus(this.quietly, access_code);
    this.#show('checkout/status', { parameters: { access_code } }, { status });
    return status;
  }

  /** Makes a payment on the phone's page. The network confirms the payment by SMS. */
  async pay(payment: { reference?: string; name: string; amount: number }) {
    const { json } = await request('POST', `${this.facts.phone_url}/pay`, { body: payment });
    const receipt = Receipt.parse(json);
    this.narrator.quote('SMS from MobileMoney', receipt.text);
    return receipt;
  }

  /** Returns the merchant's view of a charge, once the charge is as expected or time runs out. Prints nothing. */
  findCharge(reference: string, isIt: (charge: Charge) => boolean): Promise<Charge> {
    return until(SOON, () => showCharge(this.quietly, reference), isIt);
  }

  async verifyCharge(reference: string, status: string): Promise<Charge> {
    const charge = await this.findCharge(reference, (found) => found.status === status);
    this.#show('transaction/verify', { parameters: { reference } }, charge);
    return charge;
  }

  /** Opens a shop's page and presses Pay. Returns the new charge's reference. */
  async payOnPage(visitor: Visitor, url: string, typed: Readonly<Record<string, string>>): Promise<string> {
    await this.openPage(url, visitor);
    await visitor.press('Pay', typed);
    const [reference] = /MK-\d{10}/.exec(visitor.lines.join('\n').replaceAll(' ', '')) ?? [];
    if (!reference) throw new Error(`${visitor.url} has no reference.`);
    return reference;
  }

  /** Reloads a page until one of its lines contains the words or time runs out. Returns that line. */
  async lineWith(visitor: Visitor, words: string): Promise<string | undefined> {
    const look = async () => {
      await visitor.reload();
      return visitor.lines.find((line) => line.includes(words));
    };
    return until(SOON, look, (found) => found !== undefined);
  }

  async ownerAt(path: string): Promise<Visitor> {
    const owner = new Visitor();
    await owner.open(this.facts.dashboard_url);
    await owner.open(this.facts.base_url + path);
    return owner;
  }

  /** Taps a payment at the till as soon as it appears. */
  async tapWhenThere(till: Visitor, payment: string): Promise<void> {
    const look = async () => {
      await till.reload();
      return till.hasButton(payment);
    };
    await until(SOON, look, (isThere) => isThere);
    await till.press(payment);
  }

  /** Returns the webhook about a charge that the shop's server accepted, or undefined. */
  async webhookAbout(shop: ShopServer, reference: string) {
    const find = () => shop.believed.find(({ data }) => data.reference === reference);
    const event = await until(
      SOON,
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
    const query = { status: 'held' };
    const find = () => findReceipt(this.quietly, transactionId, query);
    const receipt = await until(SOON, find, (found) => found !== undefined);
    if (!receipt) throw new Error(`The payment ${transactionId} is not among the held receipts.`);
    this.#show('receipt/list', { query }, receipt);
    return receipt;
  }

  async showCredits(): Promise<number> {
    const { balance } = await showCredits(this.#operator, this.facts.merchant_id);
    this.narrator.call('npm run admin -- credits show --merchant …');
    this.narrator.answer(`balance: ${balance}`);
    return balance;
  }

  async textsOnAir(count: number) {
    return until(
      SOON,
      async () => TextsOnAir.parse((await request('GET', `${this.facts.phone_url}/sent`)).json),
      (texts) => texts.length >= count,
    );
  }

  /** The service requests the delivery state twenty seconds after the phone accepts a text. */
  async showArrived(id: string) {
    const isIt = ({ status }: { status: string }) => status === 'delivered';
    const text = await until({ patienceMs: 40_000 }, () => showText(this.quietly, id), isIt);
    this.#show('sms/show', { parameters: { id } }, text);
    return text;
  }

  async takeOnMerchant(name: string): Promise<string> {
    const { merchant_id } = await addMerchant(this.#operator, { name, momo_accounts: [] });
    return addApiKey(this.#operator, merchant_id, 'sms');
  }

  async tryPost(path: string, body: object, headers: Record<string, string>): Promise<number> {
    const { status, json } = await request('POST', this.facts.base_url + path, { body, headers });
    const { code, message } = Failure.parse(json);
    this.narrator.call(`POST ${path}`);
    this.narrator.answer(`${status} ${code}: ${message}`);
    return status;
  }

  async #request(route: RouteName, input: CallInput = {}) {
    const { method, path, headers, kind } = overHttp(route, input);
    const key = kind && bearer(kind === 'live' ? this.facts.secret_key : this.facts.sms_secret_key);
    const { body } = input;
    const answer = await request(method, this.facts.base_url + path, { headers: { ...headers, ...key }, body });
    return { ...dataOf(path, answer), status: answer.status };
  }
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** Response fields to print. */
const SHOWN: { readonly [Name in RouteName]?: readonly string[] } = {
  'transaction/initialize': ['reference', 'authorization_url', 'amount', 'momo_number'],
  'transaction/verify': ['reference', 'status', 'amount', 'paid_at', 'payment'],
  'checkout/status': ['status'],
  'checkout/claim': ['status'],
  'receipt/list': ['id', 'reason', 'amount', 'payer_name', 'payer_reference'],
  'receipt/assign': ['reference', 'status', 'amount'],
  'link/create': ['url', 'amount', 'codes'],
  'request/create': ['url', 'title'],
  'webhook/set': ['url'],
  'sms/send': ['ids', 'from', 'status', 'count'],
  'sms/show': ['to', 'status', 'segments', 'encoding'],
};

function shownOf(route: RouteName, data: object): object {
  return pick(data, SHOWN[route] ?? []);
}

function callOf(route: RouteName, input: CallInput): string {
  const { method, path } = overHttp(route, input);
  return `${method} ${path}`;
}

const Success = z.object({ status: z.literal(true), message: z.string(), data: z.looseObject({}) });
const Failure = z.object({ code: z.string(), message: z.string() });
const Receipt = z.object({ text: z.string(), transaction_id: z.string() });
const TextsOnAir = z.array(z.object({ from: z.string(), to: z.string(), text: z.string() }));

/** Returns a response's data. @throws an Error that contains the response if the request did not succeed. */
function dataOf(path: string, { status, json }: { status: number; json: unknown }) {
  const answer = Success.safeParse(json);
  if (answer.success) return answer.data;
  throw new Error(`${path} answered ${status} ${JSON.stringify(json)}`);
}

async function request(
  method: string,
  url: string,
  { body, headers }: { body?: object | string | undefined; headers?: Record<string, string> } = {},
) {
  const response = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return { status: response.status, json };
}

function pick(value: object, names: readonly string[]): object {
  const fields = new Map(Object.entries(value));
  return Object.fromEntries(names.map((name) => [name, fields.get(name)]));
}

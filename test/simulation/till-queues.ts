import { handler as claim } from '../../functions/checkout/claim.ts';
import { handler } from '../../functions/dashboard/till.ts';
import { Charge } from '../../shared/money/charge/charge.table.ts';
import { takeOf } from '../../shared/money/charge/goods.ts';
import { tillRows } from '../../shared/money/till/till.table.ts';
import type { Item } from '../../shared/runtime/table/table.ts';
import { type Person, signIn, visit } from '../support/dashboard.ts';
import { charge, createShop, mtn, pay, paymentId, type ReceiptText, rows, type Shop } from '../support/receipts.ts';
import { call, createWorld, type World } from '../support/world.ts';
import { type Chance, chanceFrom } from './random.ts';

/**
 * Two tills and a web shop share one wallet, and most customers owe the same amount. Cashiers are honest but make
 * mistakes, sometimes at the same moment.
 */

export const TILL = '/dashboard/till';
const AMOUNTS = [10, 10, 10, 36];
const FIRST = ['KOFI', 'AMA', 'YAW', 'ESI', 'KWAME', 'ADWOA'];
/** Customers of the counter and of the web shop have different family names. */
const COUNTER_FAMILIES = ['OWUSU', 'BOATENG', 'ADJEI'];
const WEB_FAMILIES = ['LAMPTEY', 'QUAYE'];

/** A test world with tills. */
type TillWorld = Pick<World, 'outside' | 'clock'>;

export interface At {
  readonly till: string;
  readonly by: Person;
}

interface Paid {
  readonly receipt: ReceiptText;
  readonly amount: number;
  readonly from: string;
}

export interface QueueFigures {
  readonly customers: number;
  readonly webCustomers: number;
  readonly greens: number;
  readonly undone: number;
  readonly races: number;
  /** Customers whose payment could not be confirmed. */
  readonly left: number;
}

/** Simulates a queue. Returns its figures and faults. */
export async function playQueue(seed: number): Promise<{ figures: QueueFigures; faults: string[] }> {
  const queue = new Queue(await createWorld({ inMemory: true }), chanceFrom(seed));
  await queue.open();
  await queue.play();
  return queue.judge();
}

class Queue {
  readonly #world: World;
  readonly #chance: Chance;
  #shop: Shop = { id: '', liveKey: '', number: '', network: 'MTN' };
  #tills: At[] = [];
  readonly #counter: Paid[] = [];
  /** Customers whose payment is not confirmed yet. */
  readonly #waiting: Paid[] = [];
  readonly #web: Paid[] = [];
  #races = 0;

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
  }

  async open(): Promise<void> {
    this.#shop = await createShop(this.#world);
    this.#tills = await openTills(this.#world, this.#shop, ['Counter 1', 'Counter 2']);
  }

  async play(): Promise<void> {
    const { between } = this.#chance;
    const acts = [
      ...Array.from({ length: between(6, 10) }, () => () => this.#serve()),
      ...Array.from({ length: between(4, 7) }, () => () => this.#order()),
    ];
    for (const act of this.#chance.shuffled(acts)) {
      this.#world.clock.nowMs += between(1, 20) * 1_000;
      await act();
    }
    // The remaining customers are served at the end.
    for (const paid of this.#counter) await this.#tap(this.#chance.pick(this.#tills), paid);
  }

  /** Serves a customer who pays next to others. The cashier usually confirms the payment in the customer's name. */
  async #serve(): Promise<void> {
    const { pick, happens } = this.#chance;
    const paid = await this.#pay(
      `${pick(FIRST)} ${pick(COUNTER_FAMILIES)}`,
      pick(AMOUNTS),
      pick(['1', 'food', '0241234567']),
    );
    this.#counter.push(paid);
    if (happens(0.35)) return void this.#waiting.push(paid);
    const at = pick(this.#tills);
    if (happens(0.25)) return this.#race(paid);
    const meant = this.#waiting.length > 0 && happens(0.4) ? pick(this.#waiting) : paid;
    await this.#tap(at, meant);
    // A mistake is undone while the customer is present.
    if (meant !== paid) {
      await this.#undo(at, meant);
      await this.#tap(at, paid);
    }
  }

  /** Confirms a payment at both tills concurrently while its text arrives again. */
  async #race(paid: Paid): Promise<void> {
    this.#races += 1;
    const forms = await Promise.all(this.#tills.map((at) => formOf(this.#world, at, paid)));
    await Promise.all([
      ...this.#tills.map(async (at, n) => {
        const form = forms[n];
        if (form) await visit(this.#world, handler, `${TILL}/${at.till}/take`, { by: at.by, form });
      }),
      pay(this.#world, this.#shop, paid.receipt),
    ]);
  }

  async #order(): Promise<void> {
    const { pick, happens } = this.#chance;
    const [from, amount] = [`${pick(FIRST)} ${pick(WEB_FAMILIES)}`, pick(AMOUNTS)];
    const way = pick(['reference', 'mistyped', 'name', 'name twice', 'bare digits'] as const);
    const customer_name = way.startsWith('name') ? from : undefined;
    const reference = await charge(this.#world, this.#shop, { amount, customer_name });
    if (way === 'name twice') await charge(this.#world, this.#shop, { amount, customer_name });
    this.#world.clock.nowMs += 5_000;
    const typed = {
      reference,
      mistyped: `${reference.slice(0, -1)}${(Number(reference.at(-1)) + 1) % 10}`,
      name: '1',
      'name twice': '1',
      'bare digits': reference.slice(3),
    }[way];
    const paid = await this.#pay(from, amount, typed);
    this.#web.push(paid);
    // Cashiers confirm visible payments, and the customer claims an unrecognised one.
    const found = (await rows(this.#world, 'TRANSACTION')).find((one) => one.reference === reference);
    const acts = [
      ...this.#tills.map((at) => () => this.#tap(at, paid)),
      () =>
        call(this.#world, claim, {
          parameters: { access_code: String(found?.access_code) },
          body: { transaction_id: paid.receipt.id, name: from },
        }),
    ];
    if (happens(0.6)) await Promise.all(this.#chance.shuffled(acts).map((act) => act()));
  }

  async #pay(from: string, amount: number, reference: string): Promise<Paid> {
    const receipt = mtn({ amount: amount.toFixed(2), from, reference });
    await pay(this.#world, this.#shop, receipt);
    if (this.#chance.happens(0.1)) await pay(this.#world, this.#shop, receipt);
    return { receipt, amount, from };
  }

  #tap(at: At, paid: Paid): Promise<string | undefined> {
    return tapAt(this.#world, at, paid);
  }

  async #undo(at: At, { receipt }: Paid): Promise<void> {
    const taken = (await rows(this.#world, 'TRANSACTION'))
      .map((row) => Charge.parse(row))
      .find(
        (one) => takeOf(one)?.by === at.by.user.user_id && one.payment?.receipt_id === paymentId(this.#shop, receipt),
      );
    if (!taken) return;
    await undoAt(this.#world, at, taken.reference);
  }

  async judge(): Promise<{ figures: QueueFigures; faults: string[] }> {
    const charges = (await rows(this.#world, 'TRANSACTION')).map((row) => Charge.parse(row));
    const taken = charges.filter((charge) => takeOf(charge));
    const green = taken.filter(({ state }) => state === 'success');
    const web = new Set(this.#web.map(({ receipt }) => paymentId(this.#shop, receipt)));
    const all = [...this.#web, ...this.#counter].map(({ receipt }) => paymentId(this.#shop, receipt));
    const paidBy = Map.groupBy(
      charges.filter(({ state }) => state === 'success'),
      ({ payment }) => payment?.receipt_id,
    );
    const { table } = this.#world.outside;
    const listed = await Promise.all(this.#tills.map(({ till }) => table.list(`TAKE#${this.#shop.id}#${till}`)));
    const lines: Item[] = listed.flat();
    const faults = [
      ...all.flatMap((id) => ((paidBy.get(id)?.length ?? 0) > 1 ? [`${id} paid twice`] : [])),
      ...lines.flatMap(({ receipt_id }) => (web.has(String(receipt_id)) ? [`the web’s ${receipt_id} was taken`] : [])),
      ...green.flatMap(({ reference, amount_pesewas, payment }) =>
        payment?.amount_pesewas === amount_pesewas ? [] : [`${reference} is of another amount than its payment`],
      ),
      ...(lines.length === taken.length ? [] : [`${lines.length} takes and ${taken.length} charges of tills`]),
    ];
    const greenIds = new Set(green.map(({ payment }) => payment?.receipt_id));
    const left = this.#counter.filter(({ receipt }) => !greenIds.has(paymentId(this.#shop, receipt))).length;
    const figures = {
      customers: this.#counter.length,
      webCustomers: this.#web.length,
      greens: green.length,
      undone: taken.filter(({ state }) => state === 'cancelled').length,
      races: this.#races,
      left,
    };
    return { figures, faults };
  }
}

/** Opens a till for each name, and starts a shift at each till. */
export async function openTills(world: TillWorld, shop: Pick<Shop, 'id'>, names: readonly string[]): Promise<At[]> {
  const by = await signIn(world, 'manager', shop.id);
  const tills: At[] = [];
  for (const name of names) {
    await visit(world, handler, `${TILL}/new`, { by, form: { name } });
    const found = (await tillRows.list(world.outside, { merchant_id: shop.id })).find((one) => one.name === name);
    if (!found) throw new Error('A till was not added');
    const cashier = await signIn(world, 'cashier', shop.id);
    await visit(world, handler, `${TILL}/${found.till_id}/begin`, { by: cashier, form: {} });
    tills.push({ till: found.till_id, by: cashier });
  }
  return tills;
}

/** Returns the form of a payment on the cashier's till, found by the payer's name and the end of the id. */
async function formOf(world: TillWorld, { till, by }: At, { amount, from, receipt }: Named) {
  const { text } = await visit(world, handler, `${TILL}/${till}`, { by, query: { amount: String(amount) } });
  const forms = [...text.matchAll(/<form[^>]*data-till>([\s\S]*?)<\/form>/g)].map(([, form = '']) => form);
  const end = receipt ? `-${receipt.id.slice(-4)}"` : '';
  // The end of the ID stands behind the name if another payment looks the same.
  const shown = forms.find((form) => form.search(`>${from}(?: · )?<`) >= 0 && form.includes(end));
  if (!shown) return undefined;
  return Object.fromEntries(
    [...shown.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** A payment as a cashier knows it. */
interface Named {
  readonly amount: number;
  readonly from: string;
  readonly receipt?: ReceiptText;
  /** The scanned charge that the cashier selects. */
  readonly scanned?: string;
}

/** Confirms a listed payment as a cashier. Returns the charge's reference if the till is green. */
export async function tapAt(world: TillWorld, at: At, paid: Named): Promise<string | undefined> {
  const found = await formOf(world, at, paid);
  if (!found) return undefined;
  const form = { ...found, ...(paid.scanned && { scanned: paid.scanned }) };
  const { headers } = await visit(world, handler, `${TILL}/${at.till}/take`, { by: at.by, form });
  return headers.location?.split('taken=')[1];
}

/** Undoes a confirmation as the cashier. Returns true on success. */
export async function undoAt(world: TillWorld, { till, by }: At, reference: string): Promise<boolean> {
  return (await visit(world, handler, `${TILL}/${till}/undo`, { by, form: { reference } })).status === 303;
}

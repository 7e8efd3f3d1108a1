import { handler as tillArea } from '../../../functions/dashboard/till.ts';
import { createRequest } from '../../../infra/local/story/steps.ts';
import type { User } from '../../../shared/merchants/user/user.table.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { signIn, visit } from '../../support/dashboard.ts';
import { WalletBook } from '../../support/wallet-book.ts';
import { hasLeft, MOST_OF_KNOWN } from '../goods.ts';
import { changeLinkAs } from '../insider.ts';
import { checkAlways } from '../invariants.ts';
import { openShopLink, pressPayOn } from '../links.ts';
import { pressPayPart } from '../requests.ts';
import { type At, openTills, TILL, tapAt } from '../till-queues.ts';
import { personBy } from './people.ts';
import { addressOf, Rounds } from './rounds.ts';

/**
 * Simulates a shop with one price and an observing balance chain. All customers share one carrier's address. Attackers
 * open charges endlessly, wait for other people's payments, change prices and forge texts.
 */

const PRICE = 36;
const CUSTOMERS = 60;
const OPEN_MS = 3 * HOUR_MS;
const SECOND_MS = 1_000;
const ABANDONED = 300;
const FLOODING = 6;
/** Number of times that each address opens each link in an hour, enough to exceed the limits. */
const OPENED_BY_EACH = 62;
const CARRIER = '203.0.113.0';
const PRICE_CHANGES = 24;
const FORGED = 30;
const LARGE = 4_901;

export interface CounterScore {
  /** Honest customers without goods. */
  readonly left: readonly string[];
  /** Number of charges that the six addresses opened, and of their rejected attempts. */
  readonly flood: { readonly opened: number; readonly refused: number };
  /** Charges with which the stranger demanded goods, and the cashier's attempted price changes. */
  readonly asked: number;
  readonly changes: number;
  /** Goods obtained below their price or with another person's payment. */
  readonly stolen: readonly string[];
  /** Number of forged texts, and the value of goods obtained with them in pesewas. */
  readonly forged: number;
  readonly forgedPesewas: number;
}

interface Counter {
  readonly rounds: Rounds;
  readonly book: WalletBook;
  readonly at: At;
  /** A dishonest cashier. */
  readonly cheat: User;
  readonly sticker: string;
  readonly link: string;
  readonly request: string;
  readonly left: string[];
  readonly stolen: string[];
  readonly flood: { opened: number; refused: number };
  asked: number;
}

/** @throws Violation */
export async function playCounter(seed: number): Promise<CounterScore> {
  const counter = await openCounter(seed);
  const { rounds } = counter;
  const { chance, kiosk } = rounds;
  for (let n = 0; n < CUSTOMERS; n++) rounds.in(chance.between(0, OPEN_MS), () => serve(counter, n));
  // Limits reset on the full hour.
  rounds.in(HOUR_MS - (kiosk.nowMs % HOUR_MS), () => flood(counter));
  for (let n = 0; n < PRICE_CHANGES; n++) rounds.in(chance.between(0, OPEN_MS), () => cheat(counter));
  for (let n = 0; n <= FORGED; n++) rounds.in(OPEN_MS + n * 5 * MINUTE_MS, () => forge(counter, n));
  await rounds.play();
  checkAlways(kiosk);
  return scoreOf(counter);
}

async function openCounter(seed: number): Promise<Counter> {
  const rounds = new Rounds(seed);
  await rounds.open();
  const { kiosk, shop, chance } = rounds;
  const book = new WalletBook(() => kiosk.nowMs);
  await rounds.establish(book);
  const owner = await signIn(kiosk, 'owner', shop.id);
  const [at, other] = await openTills(placeOf(rounds), shop, ['Counter 1', 'Counter 2']);
  if (!at || !other) throw new Error('There are two tills');
  await visit(placeOf(rounds), tillArea, `${TILL}/${at.till}/sticker`, { by: owner, form: {} });
  const sticker = String(kiosk.items().find(({ sk, till }) => sk === 'LINK' && till === at.till)?.slug);
  const link = await openShopLink(kiosk, shop, PRICE, CUSTOMERS + FORGED);
  const lines = [{ description: 'Outing', amount: CUSTOMERS * PRICE }];
  const { slug: request } = await createRequest(kiosk, { title: 'Outing', lines }, { key: shop.liveKey });
  for (let n = 0; n < ABANDONED; n++) await rounds.checkOut('nobody', PRICE, personBy(chance).written);
  const counted = { left: [], stolen: [], flood: { opened: 0, refused: 0 }, asked: 0 };
  return { rounds, book, at, cheat: other.by.user, sticker, link, request, ...counted };
}

function placeOf({ kiosk }: Rounds) {
  return { outside: kiosk.outside, clock: kiosk };
}

// ---- honest customers

const WAYS = [
  { how: 'to the cashier', buy: payCashier },
  { how: 'at the sticker', buy: payAtSticker },
  { how: 'at the sticker, without the reference', buy: payWithoutReference },
  { how: 'for a code', buy: payForCode },
  { how: 'a part of the request', buy: payPart },
];

async function serve(counter: Counter, n: number): Promise<void> {
  const way = WAYS[n % WAYS.length];
  const isServed = await way?.buy(counter, `customer ${n}`);
  if (!isServed) counter.left.push(`customer ${n}, who pays ${way?.how}`);
}

async function payCashier(counter: Counter, who: string): Promise<boolean> {
  await pay(counter, who);
  return tap(counter, who, 'no');
}

async function payAtSticker(counter: Counter, who: string): Promise<boolean> {
  const reference = await open(counter, counter.sticker, who);
  if (!reference) return false;
  await pay(counter, who, { reference });
  const isServed = await isGreen(counter, reference);
  if (counter.rounds.chance.happens(0.5)) await handOut(counter, reference);
  return isServed;
}

/** The cashier may confuse the stranger's charge with the customer's. */
async function payWithoutReference(counter: Counter, who: string): Promise<boolean> {
  const { rounds, sticker } = counter;
  const theirs = await open(counter, sticker, `stranger ${counter.asked}`);
  const reference = await open(counter, sticker, who);
  if (!reference || !theirs) return false;
  const id = await pay(counter, who);
  const isServed = await tap(counter, who, rounds.chance.pick([reference, reference, 'no', theirs]));
  await askForGoods(counter, theirs, { id, name: nameOf(who) });
  return isServed;
}

async function payForCode(counter: Counter, who: string): Promise<boolean> {
  const reference = await open(counter, counter.link, who);
  if (!reference) return false;
  await pay(counter, who, { reference });
  return hasLeft(counter.rounds.chargeOf({ reference }));
}

async function payPart(counter: Counter, who: string): Promise<boolean> {
  const { rounds, request } = counter;
  const reference = await pressPayPart(rounds.kiosk, request, PRICE, CARRIER);
  if (!reference) return false;
  rounds.ownerOf.set(reference, who);
  await pay(counter, who, { reference });
  return rounds.chargeOf({ reference }).state === 'success';
}

// ---- attackers

/** Claims a payment seen on another customer's phone and demands the goods. */
async function askForGoods(counter: Counter, reference: string, seen: { id: string; name: string }): Promise<void> {
  const { rounds } = counter;
  counter.asked++;
  const { access_code: accessCode } = rounds.chargeOf({ reference });
  await rounds.claim({ reference, accessCode }, seen.id, seen.name);
  await rounds.kiosk.goOn();
  if (await isGreen(counter, reference)) counter.stolen.push(`stranger: ${reference} is green`);
  await handOut(counter, reference);
}

/** Opens charges through the link, the sticker and the payment request. */
async function flood(counter: Counter): Promise<void> {
  const { rounds, link, sticker, request } = counter;
  const doors: readonly ((n: number, from: string) => Promise<string | undefined>)[] = [
    (_, from) => open(counter, link, 'flood', from),
    (_, from) => open(counter, sticker, 'flood', from),
    (n, from) => pressPayPart(rounds.kiosk, request, (100 + n) / 100, from),
  ];
  for (const door of doors)
    for (let n = 0; n < FLOODING * OPENED_BY_EACH; n++) {
      if (await door(n, `203.0.113.${n % FLOODING}`)) counter.flood.opened++;
      else counter.flood.refused++;
    }
}

/** Lowers a link's price as the cashier and buys. */
async function cheat(counter: Counter): Promise<void> {
  const { rounds, link } = counter;
  await changeLinkAs(rounds.kiosk, rounds.chance, counter.cheat);
  const reference = await open(counter, link, 'cheat 1');
  if (!reference) return;
  const amount = rounds.chargeOf({ reference }).amount_pesewas / 100;
  if (amount < PRICE) await pay(counter, 'cheat 1', { reference, amount });
}

/** Forges a text for each way to get goods, and one for a large amount. */
async function forge(counter: Counter, n: number): Promise<void> {
  const { rounds, book, link, sticker } = counter;
  const who = `forger ${n}`;
  const amount = n === FORGED ? LARGE : PRICE;
  const slug = [undefined, link, sticker][n % 3];
  const reference = slug && (await open(counter, slug, who));
  const balance = rounds.chance.between(5_000, 900_000) + amount * 100;
  const text = book.receipt(amount, { from: nameOf(who), balance, ...(reference && { reference }) });
  rounds.payerOf.set(text.id, who);
  await rounds.arrive(text);
  await rounds.kiosk.goOn();
  // Wait for texts that are still on their way.
  await rounds.kiosk.wait(3 * MINUTE_MS);
  if (!reference) await tap(counter, who, 'no', amount);
  else if (slug === sticker) await handOut(counter, reference);
}

// ---- shared actions

const nameOf = (who: string) => `KOJO BADU ${who.toUpperCase()}`;

async function open({ rounds }: Counter, slug: string, who: string, from?: string) {
  const sourceIp = from ?? (who.startsWith('customer') ? CARRIER : addressOf(who));
  const reference = await pressPayOn(rounds.kiosk, slug, '', String(PRICE), sourceIp);
  if (reference) rounds.ownerOf.set(reference, who);
  return reference;
}

/** Makes a payment and receives its text. Returns the payment's id. */
async function pay(
  { rounds, book }: Counter,
  who: string,
  { amount = PRICE, ...typed }: { amount?: number; reference?: string } = {},
): Promise<string> {
  rounds.kiosk.nowMs += 5 * SECOND_MS;
  const text = book.paid(amount, { from: nameOf(who), ...typed });
  rounds.payerOf.set(text.id, who);
  await rounds.arrive(text);
  await rounds.kiosk.goOn();
  return text.id;
}

/** Confirms a customer's payment as the cashier. Returns true if it is accepted. */
async function tap({ rounds, at }: Counter, who: string, scanned: string, amount = PRICE): Promise<boolean> {
  const reference = await tapAt(placeOf(rounds), at, { amount, from: nameOf(who), scanned });
  if (reference) rounds.ownerOf.set(reference, who);
  await rounds.kiosk.goOn();
  return reference !== undefined;
}

/** Returns true if the till shows a sticker charge in green without a warning. */
async function isGreen({ rounds, at }: Counter, reference: string): Promise<boolean> {
  const query = { amount: String(PRICE) };
  const { text } = await visit(placeOf(rounds), tillArea, `${TILL}/${at.till}`, { by: at.by, query });
  const [, green = ''] = /<div class="till-green" [^>]*>(.*?)<\/div>/s.exec(text) ?? [];
  return green.includes(`value="${reference}"`);
}

async function handOut({ rounds, at }: Counter, reference: string): Promise<void> {
  await visit(placeOf(rounds), tillArea, `${TILL}/${at.till}/hand-out`, { by: at.by, form: { reference } });
  await rounds.kiosk.goOn();
}

// ---- results

function scoreOf({ rounds, left, flood, asked, stolen }: Counter): CounterScore {
  const goods = rounds.charges
    .filter(hasLeft)
    .map(({ reference, amount_pesewas }) => ({ who: rounds.ownerOf.get(reference) ?? '', reference, amount_pesewas }));
  const forged = goods.filter(({ who }) => who.startsWith('forger'));
  const free = goods.filter(({ who }) => !who.startsWith('forger') && !who.startsWith('customer'));
  return {
    left,
    flood,
    asked,
    changes: PRICE_CHANGES,
    stolen: [
      ...stolen,
      ...free.map(({ who, reference }) => `${who}: goods for ${reference}`),
      ...rounds.goodsByOthersMoney,
    ],
    forged: FORGED + 1,
    forgedPesewas: forged.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0),
  };
}

/** Returns unacceptable results. */
export function missesOfCounter({ left, stolen, forgedPesewas }: CounterScore): string[] {
  const isBeyond = forgedPesewas > MOST_OF_KNOWN;
  return [
    ...stolen,
    ...(isBeyond ? [`forged texts gained ${forgedPesewas / 100}`] : []),
    ...left.map((who) => `${who}, was not served`),
  ];
}

export function sayCounter(score: CounterScore): string {
  const { left, flood, asked, changes, stolen, forged, forgedPesewas } = score;
  return `a counter with one price: ${CUSTOMERS} customers beside ${ABANDONED} checkouts that nobody paid, ${left.length} not served; six addresses opened ${flood.opened} charges, ${flood.refused} refused; a stranger beside ${asked} customers at the sticker and a cashier with ${changes} changes of prices: goods for ${stolen.length}; by ${forged} forged texts GHS ${forgedPesewas / 100} in a day, of at most ${MOST_OF_KNOWN / 100}`;
}

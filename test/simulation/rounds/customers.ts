import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { otherNumber, type Person, personBy, priceBy } from './people.ts';
import type { OpenedCharge, Payment, Rounds } from './rounds.ts';

/** Ways to pay, with their percentages. */
const WAYS: readonly [number, (rounds: Rounds, who: string, person: Person) => Promise<void>][] = [
  [50, (rounds, who, person) => payWith(rounds, who, person, (reference) => reference)],
  [15, (rounds, who, person) => payWith(rounds, who, person, (reference) => amongWords(rounds, reference))],
  [10, (rounds, who, person) => payWith(rounds, who, person, (reference) => withWrongDigit(rounds, reference))],
  [10, (rounds, who, person) => payWith(rounds, who, person, () => wordsOf(rounds), { namesThemselves: true })],
  [5, aRelativePays],
  [5, payInParts],
  [5, startTwice],
];

const SOON_MS = 3 * 60_000;
/** Times at which customers claim an unrecognised payment: immediately, and after late texts have arrived. */
const TRIES_MS = [SOON_MS, 0.25 * HOUR_MS, 1.5 * HOUR_MS];

export async function playCustomer(rounds: Rounds, who: string): Promise<void> {
  const { chance } = rounds;
  await chance.pickWeighted(WAYS)(rounds, who, personBy(chance));
}

async function payWith(
  rounds: Rounds,
  who: string,
  person: Person,
  typedFor: (reference: string) => string,
  { namesThemselves = rounds.chance.happens(0.8) } = {},
): Promise<void> {
  const amount = priceBy(rounds.chance);
  const charge = await rounds.checkOut(who, amount, namesThemselves ? person.written : undefined);
  payLater(rounds, who, charge, { amount, payerName: person.registered, typed: typedFor(charge.reference) });
}

/** Half of the relatives enter the reference. */
async function aRelativePays(rounds: Rounds, who: string, person: Person): Promise<void> {
  const amount = priceBy(rounds.chance);
  const charge = await rounds.checkOut(who, amount, person.written);
  const typed = rounds.chance.happens(0.5) ? charge.reference : wordsOf(rounds);
  payLater(rounds, who, charge, { amount, payerName: relativeBy(rounds).registered, typed });
}

/** Returns a person with no customer's name. Nothing but a reference tells the payments of two namesakes apart. */
function relativeBy(rounds: Rounds): Person {
  const names = rounds.charges.map(({ customer_name = '' }) => customer_name.split(' '));
  const isNamesake = ({ registered }: Person) =>
    names.some((words) => words.every((word) => registered.split(' ').includes(word)));
  let relative = personBy(rounds.chance);
  while (isNamesake(relative)) relative = personBy(rounds.chance);
  return relative;
}

async function payInParts(rounds: Rounds, who: string, person: Person): Promise<void> {
  const amount = priceBy(rounds.chance);
  const charge = await rounds.checkOut(who, amount, person.written);
  const first = rounds.chance.between(1, amount - 1);
  const facts = { payerName: person.registered, typed: charge.reference, fromOther: fromOther(rounds) };
  rounds.in(30_000, async () => void rounds.pay(who, { ...facts, amount: first }));
  rounds.in(4 * 60_000, async () => void rounds.pay(who, { ...facts, amount: amount - first }));
}

/** Repeats a checkout and pays with the data from either page. */
async function startTwice(rounds: Rounds, who: string, person: Person): Promise<void> {
  const amount = priceBy(rounds.chance);
  const charges = [
    await rounds.checkOut(who, amount, person.written),
    await rounds.checkOut(who, amount, person.written),
  ];
  const charge = rounds.chance.pick(charges);
  const typed = rounds.chance.happens(0.7) ? charge.reference : wordsOf(rounds);
  payLater(rounds, who, charge, { amount, payerName: person.registered, typed });
}

function payLater(rounds: Rounds, who: string, charge: OpenedCharge, facts: Omit<Payment, 'id'>): void {
  rounds.in(rounds.chance.between(30, 240) * 1000, async () => {
    const payment = rounds.pay(who, { ...facts, fromOther: fromOther(rounds) });
    for (const ms of TRIES_MS) rounds.in(ms, () => claimWhatIsNotRecognised(rounds, charge, payment));
  });
}

/** Claims an unrecognised payment with the data from the network's text. */
async function claimWhatIsNotRecognised(rounds: Rounds, charge: OpenedCharge, payment: Payment): Promise<void> {
  if (rounds.chargeOf(charge).state === 'success') return;
  // A payer on another network sees a different id.
  const id = payment.fromOther
    ? `00000145${String(rounds.chance.between(0, 99_999_999)).padStart(8, '0')}`
    : payment.id;
  const status = await rounds.claim(charge, id, payment.payerName);
  if (status === 429) rounds.honestPaused++;
  if (payment.fromOther) await claimByPhone(rounds, charge, payment.fromOther);
}

/** Requests a claim code as a payer from another network and enters it. */
async function claimByPhone(rounds: Rounds, charge: OpenedCharge, phone: string): Promise<void> {
  await rounds.askForCode(charge, phone);
  rounds.in(60_000, async () => {
    const code = rounds.kiosk.phones.codesTo(phone).at(-1);
    if (code && rounds.chargeOf(charge).state !== 'success') await rounds.confirmCode(charge, phone, code);
  });
}

function fromOther(rounds: Rounds): string | undefined {
  return rounds.chance.happens(0.2) ? otherNumber(rounds.chance) : undefined;
}

function amongWords({ chance }: Rounds, reference: string): string {
  const [lower, spaced, digits] = [reference.toLowerCase(), reference.replace('-', ' '), reference.slice(3)];
  return chance.pick([
    `pay ${reference}`,
    `${spaced} kente`,
    `Ref: ${lower}`,
    `${reference} thanks`,
    `order ${digits}`,
  ]);
}

function withWrongDigit({ chance }: Rounds, reference: string): string {
  const at = chance.between(3, reference.length - 1);
  const digit = String((Number(reference[at]) + chance.between(1, 9)) % 10);
  return reference.slice(0, at) + digit + reference.slice(at + 1);
}

function wordsOf({ chance }: Rounds): string {
  return chance.pick(['1', 'kente', 'shoes', 'payment', 'for the order', '0', 'goods', 'cash']);
}

import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { mtn } from '../../support/receipts.ts';
import { personBy, priceBy } from './people.ts';
import type { Rounds } from './rounds.ts';

/** Attacks, each by somebody who did not pay for their charge. */
const TRICKS: readonly ((rounds: Rounds, who: string) => Promise<void>)[] = [
  catchWithAWildcard,
  showAScreenshot,
  walkOverIds,
  forgeASender,
  sendATrueIdFirst,
  claimTwice,
  haveACodeSent,
  claimWildly,
  guessAtOnePayment,
  sendUntrueTexts,
];

/** Part of an attacker's name, for a separate line in the results. */
export const UNTRUE = 'with untrue texts';

export async function playAttacker(rounds: Rounds, who: string): Promise<void> {
  await rounds.chance.pick(TRICKS)(rounds, who);
}

/** Creates a charge in a common name and waits for a payment without a reference. */
async function catchWithAWildcard(rounds: Rounds, who: string): Promise<void> {
  const names = ['KOFI', 'K', 'A. OWUSU', 'MENSAH', '*', 'K M', 'KOFI AMA YAW MENSAH OWUSU BOATENG', 'KOFI KOFI', '%'];
  for (let n = 0; n < 3; n++) await rounds.checkOut(who, priceBy(rounds.chance), rounds.chance.pick(names));
}

/** Claims another person's payment with the data from a screenshot. */
async function showAScreenshot(rounds: Rounds, who: string): Promise<void> {
  const seen = rounds.payments.filter(({ typed, fromOther }) => /\d{9}/.test(typed) && !fromOther);
  if (seen.length === 0) return;
  const { id, amount, payerName } = rounds.chance.pick([...seen.slice(-3), rounds.chance.pick(seen)]);
  const charge = await rounds.checkOut(who, amount, rounds.chance.happens(0.5) ? payerName : undefined);
  await rounds.claim(charge, id, payerName);
  rounds.in(5 * MINUTE_MS, async () => void (await rounds.claim(charge, id, payerName)));
}

/** Claims consecutive ids under common names. */
async function walkOverIds(rounds: Rounds, who: string): Promise<void> {
  const charge = await rounds.checkOut(who, priceBy(rounds.chance));
  const known = Number(rounds.payments.at(-1)?.id ?? rounds.idNow());
  for (let window = 0; window < 3; window++) {
    rounds.in(window * 11 * MINUTE_MS, async () => {
      for (let n = 1; n <= 7; n++)
        await rounds.guess(charge, String(known + window * 7 + n), personBy(rounds.chance).written);
    });
  }
}

/** Sends a forged receipt from a name similar to the network's. */
async function forgeASender(rounds: Rounds, who: string): Promise<void> {
  const amount = priceBy(rounds.chance);
  const charge = await rounds.checkOut(who, amount, 'Kofi Mensah');
  const facts = { amount: amount.toFixed(2), from: 'KOFI MENSAH', reference: charge.reference, id: rounds.idNow() };
  const sender = rounds.chance.pick([
    'Mobile Money',
    'MobiIeMoney',
    'MTN',
    '+233241112222',
    'MobileMoney1',
    'M0bileMoney',
  ]);
  await rounds.forge(sender, mtn(facts).text);
  await rounds.claim(charge, facts.id, facts.from);
}

/** Sends a real payment's text with a different reference before the network does, and claims the payment. */
async function sendATrueIdFirst(rounds: Rounds, who: string): Promise<void> {
  const payment = rounds.payments.at(-1);
  if (!payment) return;
  const charge = await rounds.checkOut(who, payment.amount);
  const facts = { amount: payment.amount.toFixed(2), from: payment.payerName, reference: charge.reference };
  await rounds.forge('+233201234567', mtn({ ...facts, id: payment.id }).text);
  await rounds.claim(charge, payment.id, personBy(rounds.chance).written);
}

/** Requests claim codes for another network's payer and guesses them. */
async function haveACodeSent(rounds: Rounds, who: string, looksLeft = 100): Promise<void> {
  const seen = rounds.payments.slice(-2).find(({ typed, fromOther }) => fromOther && !/\d{9}/.test(typed));
  if (!seen?.fromOther) {
    if (looksLeft > 0) rounds.in(2 * MINUTE_MS, () => haveACodeSent(rounds, who, looksLeft - 1));
    return;
  }
  const { amount, fromOther } = seen;
  const charge = await rounds.checkOut(who, amount);
  for (let round = 0; round < 4; round++) {
    rounds.in(round * MINUTE_MS, async () => {
      await rounds.askForCode(charge, fromOther);
      const guesses = Array.from({ length: 9 }, () => String(rounds.chance.between(100_000, 999_999)));
      await Promise.all(guesses.map((code) => rounds.confirmCode(charge, fromOther, code)));
    });
  }
}

/** Pays once and claims the payment for two charges simultaneously. */
async function claimTwice(rounds: Rounds, who: string): Promise<void> {
  const [amount, person] = [priceBy(rounds.chance), personBy(rounds.chance)];
  const buyer = `customer ${who}`;
  const charges = [await rounds.checkOut(buyer, amount), await rounds.checkOut(buyer, amount)];
  const payment = rounds.pay(buyer, { amount, payerName: person.registered, typed: 'goods' });
  rounds.in(3 * MINUTE_MS, async () => {
    await Promise.all(charges.map((charge) => rounds.claim(charge, payment.id, person.registered)));
  });
}

/** Makes 65 wrong claims in ten seconds from one address, to block other customers. */
async function claimWildly(rounds: Rounds, who: string): Promise<void> {
  for (let n = 0; n < MANY; n++) {
    const charge = await rounds.checkOut(who, priceBy(rounds.chance));
    rounds.in(n * 150, () => rounds.guess(charge, rounds.idNow(), personBy(rounds.chance).written));
  }
}

/** Guesses the id of a payment with a known payer, amount and time, from 65 addresses, twice in ten minutes. */
async function guessAtOnePayment(rounds: Rounds, who: string): Promise<void> {
  const seen = rounds.payments.findLast(({ typed, fromOther }) => !/\d{9}/.test(typed) && !fromOther);
  if (!seen) return;
  for (let n = 0; n < MANY; n++) {
    const charge = await rounds.checkOut(who, seen.amount);
    const address = `10.2.${n}.${rounds.chance.between(0, 255)}`;
    for (let window = 0; window < 2; window++)
      rounds.in(window * 10 * MINUTE_MS + n * 150, () =>
        rounds.guess(charge, rounds.idNear(seen), seen.payerName, address),
      );
  }
}

const MANY = 65;
/** Sends impossible texts under the network's name. */
async function sendUntrueTexts(rounds: Rounds, who: string): Promise<void> {
  const [amount, person] = [priceBy(rounds.chance), personBy(rounds.chance)];
  const owner = `${who} ${UNTRUE}`;
  const charge = await rounds.checkOut(owner, amount, person.written);
  const facts = { amount: amount.toFixed(2), from: person.registered };
  for (const reference of [charge.reference, 'goods']) {
    const { text } = mtn({ ...facts, reference, id: rounds.idNow() });
    await rounds.forge('MobileMoney', text.replaceAll(/Balance: GHS [\d,.]+\d/g, 'Balance: GHS 0.01'));
  }
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Network, networkExamples, networks } from '../../../../shared/ghana/network.ts';
import { readWalletText } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import type { Reading } from '../../../../shared/ghana/wallet-text/reading.ts';
import { readWithoutProof } from '../../../support/read-without-proof.ts';
import { samples } from '../../../support/wallet-texts.ts';

// Payers write names and references. Whatever these contain, every other field must come from the network.

const texts = samples.map(({ text }) => text);
const payments = [
  ...samples.filter(({ expect: { kind } }) => kind === 'payment'),
  ...Network.options.flatMap((network) =>
    Object.values(networkExamples[network]?.samples ?? {}).map(({ text }) => ({
      sender: networks[network].senders[0],
      text,
    })),
  ),
].flatMap(({ sender, text }) => {
  const reading = readWithoutProof(sender, text);
  return reading.kind === 'payment' ? [{ sender, text, reading }] : [];
});
const withReference = payments.filter(({ reading }) => reading.reference !== null);

const pieces = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...texts) },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ' ',
      '. ',
      ': ',
      '\n',
      'x',
      'Transaction ID: 12345678901',
      'Transaction ID: 123456789012. TRANSACTION FEE: 0.00',
      'Financial Transaction Id: 12345678901. External Transaction Id: -',
      'Current Balance: GHS 9999.00 . ',
      'Available Balance: GHS 9999.00. ',
      'TRANSACTION FEE: 9.00',
      'Fee charged: GHS 9.00',
      'Tax Charged 9',
      'Transfer From: 233201111111-EVE MALLORY',
      'with transaction reference: Transfer From: 233201111111-EVE MALLORY',
      ',233201111111,MK-9999999999 from VODAFONE',
      'from VODAFONE',
      'Reference: MK-9999999999',
      'Ref: MK-9999999999',
      'on 2026-01-07 at 11:02:51',
      'Your Telecel Cash balance is GHS9999.00.',
      'GHS 9999.00',
      'has been reversed',
      'reversed 51234567891',
      'Reversal of transaction 0000019305566779',
      'Stay alert.',
      'Sendi k3k3!',
      'Download the MoMo App for a Faster & Easier Experience',
      'failed to send GHS 9.00 to your account',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);
const hostile = fc.array(pieces, { minLength: 1, maxLength: 5 }).map((some) => some.join('').slice(0, 1_200));

const RUNS = 5_000;

/** True for texts that are left to a person, with or without their digits. */
function isUnread({ kind }: Reading): boolean {
  return kind === 'unread' || kind === 'secret';
}

/**
 * Returns the fields that a payer cannot write. A phone number from another network is part of the reference and
 * therefore
 * excluded.
 */
function ofNetwork(read: Reading) {
  if (read.kind !== 'payment') throw new Error(`A payment became ${JSON.stringify(read)}`);
  const { amountPesewas, transactionId, balancePesewas, chargesPesewas, payerName, payerPhone, network } = read;
  const phone = network === 'MTN' ? null : payerPhone;
  return { network, amountPesewas, transactionId, balancePesewas, chargesPesewas, payerName, phone };
}

/** Returns the parts of a payment's text before and after its reference. */
function aroundReference({ text, reading }: (typeof payments)[number]): [string, string] {
  const label = [...text.matchAll(/Ref(?:erence)?:\s*/g)].at(-1);
  const from = (label?.index ?? 0) + (label?.[0].length ?? 0);
  const start = reading.via ? text.lastIndexOf(',', text.indexOf(` from ${reading.via}.`, from)) + 1 : from;
  if (!text.startsWith(reading.reference ?? '', start)) throw new Error(`No reference is where it should be: ${text}`);
  return [text.slice(0, start), text.slice(start + (reading.reference ?? '').length)];
}

test('a random reference changes no other field, and never hides a change of the balance', () => {
  const runs = { payment: 0, unclear: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...withReference), hostile, (payment, typed) => {
      const [before, behind] = aroundReference(payment);
      const { amountPesewas, balancePesewas } = payment.reading;
      const read = readWalletText(payment.sender, `${before}${typed}${behind}`);
      if (balancePesewas === null && isUnread(read)) return;
      if (read.kind === 'unclear') {
        runs.unclear += 1;
        const { beforePesewas, afterPesewas } = read;
        expect({ amount: afterPesewas - beforePesewas, afterPesewas }).toEqual({
          amount: amountPesewas,
          afterPesewas: balancePesewas,
        });
        return;
      }
      runs.payment += 1;
      // A fee counts only if it is the only one.
      const { chargesPesewas, ...fields } = ofNetwork(read);
      const { chargesPesewas: own, ...told } = ofNetwork(payment.reading);
      expect(fields).toEqual(told);
      expect([own, ...(/fee|tax/i.test(typed) ? [null] : [])]).toContain(chargesPesewas);
    }),
    { numRuns: RUNS },
  );
  expect(runs.payment).toBeGreaterThan(RUNS * 0.3);
  expect(runs.unclear).toBeGreaterThan(RUNS * 0.1);
});

/**
 * Two payments can have identical texts: one by a payer KOFI who types `x Current Balance: … Reference: y`, and one by
 * a
 * payer registered as `KOFI Current Balance: … Reference: x`. The text is read as the first one, because registered
 * names
 * never contain a colon.
 */
test('a random name is parsed correctly unless it is ambiguous', () => {
  const runs = { right: 0, unread: 0, same: 0 };
  const where = fc.constantFrom('before', 'behind', 'instead');
  fc.assert(
    fc.property(fc.constantFrom(...payments), hostile, where, ({ sender, text, reading }, more, place) => {
      const { payerName } = reading;
      const name = { before: `${more} ${payerName}`, behind: `${payerName} ${more}`, instead: more }[place];
      const at = text.indexOf(payerName);
      fc.pre(at >= 0);
      const read = readWithoutProof(sender, text.slice(0, at) + name + text.slice(at + payerName.length));
      if (isUnread(read)) {
        runs.unread += 1;
        return;
      }
      if (read.kind === 'reversal') {
        // The network might use these words about this payment, the only one named in the text.
        expect(name).toContain('has been reversed');
        expect(read.transactionIds).toEqual([reading.transactionId]);
        return;
      }
      const { balancePesewas, payerName: readName, ...rest } = ofNetwork(read);
      const { balancePesewas: reportedPesewas, payerName: _, chargesPesewas, ...told } = ofNetwork(reading);
      expect(rest).toMatchObject(told);
      if (plain(readName) === plain(name)) {
        runs.right += 1;
        expect({ balancePesewas, chargesPesewas: rest.chargesPesewas }).toEqual({
          balancePesewas: reportedPesewas,
          chargesPesewas,
        });
      } else {
        runs.same += 1;
        expect(plain(name).startsWith(plain(readName)) && /Ref(?:erence)?:/i.test(name)).toBe(true);
      }
    }),
    { numRuns: RUNS },
  );
  expect(runs.right).toBeGreaterThan(0);
});

function plain(words: string): string {
  return words
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\s.,]+/g, ' ')
    .trim();
}

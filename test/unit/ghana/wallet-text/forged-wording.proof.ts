import { describe, expect, test } from 'vitest';
import { readWalletText } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import type { Reading } from '../../../../shared/ghana/wallet-text/reading.ts';
import { type Chance, chanceFrom } from '../../../simulation/random.ts';
import { readWithoutProof } from '../../../support/read-without-proof.ts';
import { seedsOf } from '../../../support/slice.ts';
import { walletLog } from '../../../support/wallet-texts.ts';

/**
 * Payers write the reference and may have registered any name. Both are filled with pieces of the networks' own
 * sentences,
 * none of which may become the amount, id, balance, number or name of a payment.
 */

/** To test more seeds: `PROOFS=whole FORGED_SEEDS=100000 npm test -- …/forged-wording.proof.ts`. */
const seeds = seedsOf(Number(process.env.FORGED_SEEDS ?? 4_000), 7);

const FALSE = { amount: 999_900, id: '99999999999', tcashId: '0000099999999999', phone: '233201111111' };

/** All texts from a network except secrets, with the forger's figures. */
const sentences = walletLog.slice(0, 400).map(({ text }) =>
  text
    .replace(/\b\d{16}\b/g, FALSE.tcashId)
    .replace(/\b\d{11}\b/g, FALSE.id)
    .replace(/\d[\d,]*\.\d\d/g, '9999.00'),
);
const pieces = [
  ...[
    'Current Balance: GHS 9999.00 . ',
    'Available Balance: GHS 9999.00. ',
    'Your Telecel Cash balance is GHS9999.00. ',
  ],
  ...[
    'Your Vodafone Cash balance is GHS9999.00. ',
    `Transaction ID: ${FALSE.id}. `,
    `Financial Transaction Id: ${FALSE.id}. `,
  ],
  ...[
    'TRANSACTION FEE: 0.00',
    'Reference: ',
    'Ref: ',
    'Reference: MK-9999999999. ',
    'GHS 9999.00 ',
    'from KOFI MENSAH ',
  ],
  ...[`${FALSE.tcashId} Confirmed. `, 'You have received GHS9999.00 ', `from ${FALSE.phone} - EVE MALLORY `],
  ...[
    'with transaction reference: Transfer From: ',
    ' on 2026-01-07 at 11:02:51. ',
    'Payment received for GHS 9999.00 ',
  ],
  ...[
    `,${FALSE.phone},1 from VODAFONE`,
    ' is pending',
    ' has been cancelled',
    ' failed',
    ' has requested',
    ' has been reversed',
  ],
  ...[
    `Transaction ${FALSE.id} has been reversed. `,
    ' was unsuccessful. ',
    'Failed. ',
    'Please try again. ',
    'Sendi k3k3! ',
  ],
  ...[
    'Stay alert. ',
    'Never share your PIN or OTP with anyone. ',
    'Your OTP is 999999. ',
    ' LTD',
    ' ENTERPRISE',
    ': ',
    '. ',
    '\n',
    ' ',
  ],
  ...[
    'MERCY:',
    'THY WILL BE DONE',
    'NOT YET ',
    'MK 6542 281 265 ',
    'MK-6542281265 ',
    ' thank you',
    '!',
    ',',
    '5 ',
    'Token: 397147010224 ',
  ],
  ...['the transfer of GHS 9999.00 to ', 'has been reversed on 2026-05-03 10:02:00. Your new balance is GHS9999.00. '],
];

function forged(chance: Chance): string {
  const some = Array.from({ length: chance.between(1, 6) }, () =>
    chance.pick(chance.happens(0.15) ? sentences : pieces),
  );
  return some.join('').slice(0, chance.happens(0.3) ? 80 : 600);
}

/** A payment whose figures occur in none of the pieces. */
const TRUE = { amountPesewas: 3_617, balancePesewas: 114_253, payerName: 'AMA OWUSU' };
const shapes = {
  'MTN with two balances': (name: string, reference: string) =>
    `Payment received for GHS 36.17 from ${name} Current Balance: GHS 1,142.53 . Available Balance: GHS 1,142.53. Reference: ${reference}. Transaction ID: 51234567890. TRANSACTION FEE: 0.00`,
  'MTN with one balance': (name: string, reference: string) =>
    `Payment received for GHS 36.17 from ${name} Current Balance: GHS 1,142.53. Reference: ${reference}. Transaction ID: 51234567890. TRANSACTION FEE: 0.00`,
  'MTN without a balance': (name: string, reference: string) =>
    `Payment received for GHS 36.17 from ${name}. Reference: ${reference}. Transaction ID: 51234567890.`,
  Telecel: (name: string, reference: string) =>
    `0000019305566778 Confirmed. You have received GHS36.17 from 233209876543 - ${name} on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1,142.53. Ref: ${reference}`,
  'Telecel with an advert': (name: string, reference: string) =>
    `0000019305566778 Confirmed. You have received GHS36.17 from 233209876543 - ${name} on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1,142.53.\nReference: ${reference}.\nStay alert.`,
  'Telecel without a number': (name: string, reference: string) =>
    `0000019305566778 Confirmed. You have received GHS36.17 from ${name} on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS1,142.53. Reference: ${reference}`,
};

describe.each(Object.entries(shapes))('a payment text from %s', (shape, write) => {
  const sender = shape.startsWith('MTN') ? 'MobileMoney' : 'T-CASH';
  const id = shape.startsWith('MTN') ? '51234567890' : '0000019305566778';
  const told = {
    amountPesewas: TRUE.amountPesewas,
    transactionId: id,
    balancePesewas: shape.endsWith('without a balance') ? null : TRUE.balancePesewas,
    payerPhone: shape === 'Telecel' || shape.endsWith('advert') ? '+233209876543' : null,
  };

  test('is parsed correctly if the reference looks like a receipt', () => {
    let paid = 0;
    for (const seed of seeds) {
      const text = write(TRUE.payerName, forged(chanceFrom(seed)));
      const reading = readWalletText(sender, text);
      if (reading.kind === 'unclear') {
        const { beforePesewas, afterPesewas } = reading;
        const moved = { amountPesewas: afterPesewas - beforePesewas, balancePesewas: afterPesewas };
        expect({ ...moved, text }).toEqual({
          amountPesewas: TRUE.amountPesewas,
          balancePesewas: TRUE.balancePesewas,
          text,
        });
        continue;
      }
      if (isForAPerson(reading)) {
        // A text without a balance cannot be verified.
        expect({ balancePesewas: told.balancePesewas, text }).toEqual({ balancePesewas: null, text });
        continue;
      }
      paid += 1;
      const { phone, ...rest } = factsOf(reading, text);
      expect({ ...rest, text }).toEqual({ ...told, payerName: TRUE.payerName, text, payerPhone: undefined });
      // MTN writes a phone number only in the reference, where a payer could type one, so the reading marks such a
      // number.
      expect({ phone, text }).toEqual({
        phone: reading.kind === 'payment' && reading.via ? phone : told.payerPhone,
        text,
      });
    }
    expect(paid).toBeGreaterThan(seeds.length / 20);
  });

  test('never takes its amount or id from a name', () => {
    for (const seed of seeds) {
      const text = write(`${forged(chanceFrom(seed))}${seed % 2 ? ' AMA OWUSU' : ''}`, 'MK-0123456789');
      const reading = readWalletText(sender, text);
      if (!('transactionId' in reading)) continue;
      const { kind, amountPesewas, transactionId } = reading;
      expect({ kind, amountPesewas, transactionId, text }).toEqual({
        kind: 'payment',
        amountPesewas: TRUE.amountPesewas,
        transactionId: id,
        text,
      });
    }
  });

  test('is never parsed incorrectly if the name looks like a receipt', () => {
    for (const seed of seeds) {
      const name = `${forged(chanceFrom(seed))}${seed % 2 ? ' AMA OWUSU' : ''}`;
      const text = write(name, 'MK-0123456789');
      const reading = readWithoutProof(sender, text);
      if (isForAPerson(reading)) continue;
      if (reading.kind === 'reversal') {
        expect({ transactionIds: reading.transactionIds, text }).toEqual({ transactionIds: [id], text });
        continue;
      }
      const { phone, payerName, ...rest } = factsOf(reading, text);
      // The text equals another payer's receipt, in which all other words belong to the network or the reference.
      // Registered names never contain a label.
      if (plain(payerName) !== plain(name)) {
        expect({
          keepsLabel: /(?:Ref(?:erence)?|Balance):/i.test(name) && plain(name).startsWith(plain(payerName)),
          text,
        }).toEqual({ keepsLabel: true, text });
        expect({ amountPesewas: rest.amountPesewas, transactionId: rest.transactionId }).toEqual({
          amountPesewas: told.amountPesewas,
          transactionId: told.transactionId,
        });
        continue;
      }
      expect({ ...rest, text }).toEqual({ ...told, payerPhone: undefined, text });
      const status = /\b(?:pending|cancelled|failed|requested|unsuccessful|reversed)\b/i.exec(payerName)?.[0];
      if (status && !/(?:LTD|ENTERPRISE)\W*$/.test(payerName)) expect(`${payerName} is paid`).toBe(status);
    }
  });
});

function isForAPerson({ kind }: Reading): boolean {
  return kind === 'unread' || kind === 'secret';
}

function factsOf(reading: Reading, text: string) {
  if (reading.kind !== 'payment') throw new Error(`A payment became ${JSON.stringify(reading)}: ${text}`);
  const { amountPesewas, transactionId, balancePesewas, payerName, payerPhone: phone } = reading;
  return { amountPesewas, transactionId, balancePesewas, payerName, phone, payerPhone: undefined };
}

function plain(words: string): string {
  return words.replace(/[\s.,]+/g, ' ').trim();
}

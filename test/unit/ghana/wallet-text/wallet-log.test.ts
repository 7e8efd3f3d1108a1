import { expect, test } from 'vitest';
import { readWalletText } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import type { Reading, WalletMovement, WalletPayment } from '../../../../shared/ghana/wallet-text/reading.ts';
import { walletLog } from '../../../support/wallet-texts.ts';

type Movement = (WalletPayment | WalletMovement) & { readonly balancePesewas: number };

/** Maximum number of texts that may overtake another text on its way to the phone. */
const MAX_OVERTAKING = 3;

const readings = walletLog.map(({ sender, text }) => readWalletText(sender, text));

test('every text that a real wallet received in eight months is parsed', () => {
  expect(readings.length).toBe(1_648);
  expect(readings.filter(({ kind }) => kind === 'unread')).toEqual([]);
});

/**
 * The networks' arithmetic verifies the readings: each balance equals the previous one plus incoming money, minus
 * outgoing
 * money and fees. A wrong amount, fee, balance or kind causes a gap.
 */
test('each balance equals the previous balance plus the net amount', () => {
  const movements = readings.filter(isMovement);
  expect(movements.length).toBe(1_648);
  const { linked, gaps, overtaken } = link(movements);
  expect(gaps).toBeLessThanOrEqual(10);
  expect(linked).toBeGreaterThanOrEqual(1_637);
  expect(overtaken).toBeLessThanOrEqual(60);
});

test('an amount that is wrong by one pesewa is reported as a gap', () => {
  const movements = readings.filter(isMovement);
  const { gaps } = link(movements);
  for (const field of ['amountPesewas', 'balancePesewas'] as const) {
    const wrong = movements.map((each, n) => (n === 800 ? { ...each, [field]: (each[field] ?? 0) + 1 } : each));
    expect(link(wrong).gaps).toBeGreaterThan(gaps);
  }
});

function isMovement(reading: Reading): reading is Movement {
  return 'balancePesewas' in reading && reading.balancePesewas !== null;
}

/** Follows the balance from text to text. A text that does not continue the balance may have been overtaken. */
function link(movements: readonly Movement[]): { linked: number; gaps: number; overtaken: number } {
  const waiting = [...movements];
  let balancePesewas: number | undefined;
  let [linked, gaps, overtaken] = [0, 0, 0];
  while (waiting.length > 0) {
    const near = waiting.slice(0, MAX_OVERTAKING + 1);
    const next = near.findIndex((each) => each.balancePesewas - change(each) === balancePesewas);
    const [found] = waiting.splice(Math.max(next, 0), 1);
    if (next >= 0) linked += 1;
    else if (balancePesewas !== undefined) gaps += 1;
    if (next > 0) overtaken += 1;
    balancePesewas = found?.balancePesewas;
  }
  return { linked, gaps, overtaken };
}

function change({ kind, amountPesewas, chargesPesewas }: Movement): number {
  const amount = amountPesewas ?? 0;
  const charges = chargesPesewas ?? 0;
  return kind === 'money_out' ? -amount - charges : kind === 'no_money' ? 0 : amount - charges;
}

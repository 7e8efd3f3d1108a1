import { beforeEach, describe, expect, test } from 'vitest';
import { type Charge, chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { claimPayment } from '../../../shared/money/claims/claim-payment.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { type PaymentReceipt, paymentReceiptId } from '../../../shared/money/receipt/receipt.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, scene } from '../../support/scene.ts';

const OPENED_MS = Date.parse(storedCharge().created_at);
const OPENED = at(OPENED_MS);
const ID = '51234567890';
const STICKER = { kind: 'sticker', slug: 'kente', till_id: 'till' } as const;
const TAP = { kind: 'take', state: 'given', shift_id: 'shift', by: 'ama', at: OPENED } as const;

const opened = storedCharge({ reference: 'MK-1000000001', origin: STICKER });
const tapped = storedCharge({
  reference: 'MK-2000000002',
  state: 'success',
  goods: TAP,
  payment: storedPayment(ID, 60_00),
});
const receipt: PaymentReceipt = {
  receipt_id: paymentReceiptId('MTN', opened.momo_number, ID),
  state: 'matched',
  matched_by: 'till',
  reference: tapped.reference,
  merchant_id: 'shop',
  network: 'MTN',
  momo_number: opened.momo_number,
  transaction_id: ID,
  amount_pesewas: storedPayment(ID, 60_00).amount_pesewas,
  payer_name: 'KOFI MENSAH',
  received_at: at(OPENED_MS - 30 * MINUTE_MS),
  proof: { state: 'unproven' },
};

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.clock.nowMs = OPENED_MS + MINUTE_MS;
});

interface Stored {
  readonly opened?: Partial<Charge>;
  readonly tapped?: Partial<Charge>;
  readonly receipt?: Partial<PaymentReceipt>;
}

describe('a charge whose customer claims a payment that a cashier tapped', () => {
  test('is closed as paid through the tap', async () => {
    expect(await claim({})).toEqual({ outcome: 'paid' });
    expect(await find(opened)).toMatchObject({ state: 'pending', paid_as: tapped.reference });
    expect(await find(tapped)).toMatchObject({ goods: { ...TAP, scanned: opened.reference } });
  });

  test.each<[string, Stored]>([
    ['the tap was undone', { tapped: { state: 'cancelled' } }],
    ['the tap closed another charge', { tapped: { goods: { ...TAP, scanned: 'MK-3000000003' } } }],
    ['the payment pays no tapped charge', { tapped: { goods: undefined } }],
    ['the payment has no charge', { receipt: { reference: undefined } }],
    ['it is cancelled', { opened: { state: 'cancelled' } }],
    ['it has a part', { opened: { parts: [storedPayment('part', 1_00)] } }],
    ['it is disputed', { opened: { disputed: { at: OPENED, why: 'conflict' } } }],
    ['it is a web order', { opened: { origin: { kind: 'api' } } }],
    ['its link hands out codes', { opened: { goods: { kind: 'code', state: 'unpaid' } } }],
    ['it was opened after the tap', { opened: { created_at: at(OPENED_MS + 1) }, receipt: { received_at: OPENED } }],
    ['the payment arrived too early', { receipt: { received_at: at(OPENED_MS - 30 * MINUTE_MS - 1) } }],
    ['it belongs to another merchant', { opened: { merchant_id: 'another' } }],
    ['it has another amount', { opened: { amount_pesewas: 60_01 } }],
    ['the payer has another name', { receipt: { payer_name: 'AMA OWUSU' } }],
    ['the payer has no name', { receipt: { payer_name: undefined } }],
  ])('stays open if %s', async (_, stored) => {
    expect(await claim(stored)).toEqual({ outcome: 'unknown' });
    expect(await find(opened)).not.toHaveProperty('paid_as');
    expect((await find(tapped))?.goods).toEqual({ ...tapped, ...stored.tapped }.goods);
  });

  test('stays open while somebody guesses ids', async () => {
    for (let n = 0; n < 30; n++) {
      const reference = `MK-40000000${10 + n}`;
      await claim({ opened: { reference } }, '51234567899', `192.0.2.${n}`);
    }
    await claim({}, '51234567899');
    await claim({}, '51234567899');
    expect(await claim({})).toMatchObject({ outcome: 'paused' });
    expect(await find(opened)).not.toHaveProperty('paid_as');
  });
});

test('a purchase of credits cannot be claimed by id', async () => {
  const origin = { kind: 'bundle', buyer_id: 'shop' } as const;
  expect(await claim({ opened: { origin } })).toEqual({ outcome: 'not_by_id' });
});

async function claim(stored: Stored, transactionId = ID, sourceIp = '192.0.2.99') {
  const charge = { ...opened, ...stored.opened };
  await world.outside.table.write([
    chargeRows.put(charge),
    chargeRows.put({ ...tapped, ...stored.tapped }),
    receiptRows.put({ ...receipt, ...stored.receipt }),
  ]);
  const payments = [{ network: 'MTN', number: charge.momo_number, transactionId }] as const;
  return claimPayment(world.outside, charge, { payments, nameWords: ['KOFI', 'MENSAH'], sourceIp });
}

function find({ reference }: Charge) {
  return chargeRows.find(world.outside, { reference });
}

function at(ms: number): string {
  return new Date(ms).toISOString();
}

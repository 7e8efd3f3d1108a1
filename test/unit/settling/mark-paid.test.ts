import { beforeEach, describe, expect, test } from 'vitest';
import { merchantRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import { Charge } from '../../../shared/money/charge/charge.table.ts';
import { receiptRows, replaceReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import { type MarkDetails, markPaid, undoableMark, unmark } from '../../../shared/money/settling/mark-paid.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { PublicError } from '../../../shared/runtime/values/errors.ts';
import { mtn } from '../../support/receipts.ts';
import { rowOf, storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

const AT = '2026-11-20T10:00:00.000Z';
const AT_MS = Date.parse(AT);

describe('a bill’s mark', () => {
  const marked = storedPayment('sixty', 60_00, { marked: { how: 'cash', at: AT, by: 'user' } });
  const coded = (state: string) => ({ goods: { kind: 'code', state } });
  const refund = { refund_id: 'r', amount_pesewas: 5_00, state: 'noted', noted_at: AT };

  test.each<[what: string, fields: object, isUndoable: boolean]>([
    ['can be undone if the bill is paid', { state: 'success', payment: marked }, true],
    ['can be undone if the bill is partly paid', { state: 'pending', parts: [marked] }, true],
    ['cannot be undone if the bill is reversed', { state: 'reversed', payment: marked }, false],
    ['cannot be undone if the bill is expired', { state: 'expired', parts: [marked] }, false],
    ['can be undone if no code has been promised', { state: 'success', payment: marked, ...coded('unpaid') }, true],
    [
      'can be undone if the code needs manual release',
      { state: 'success', payment: marked, ...coded('to_release') },
      true,
    ],
    ['can be undone if the code waits for stock', { state: 'success', payment: marked, ...coded('waiting') }, true],
    ['cannot be undone if the code was issued', { state: 'success', payment: marked, ...coded('given') }, false],
    [
      'can be undone although the code was issued if another payment waits for the bill',
      { state: 'success', payment: marked, ...coded('given'), waiting_receipts: ['other'] },
      true,
    ],
    ['cannot be undone if the goods were released', { state: 'success', payment: marked, released_by: 'user' }, false],
    ['cannot be undone if a refund was recorded', { state: 'success', payment: marked, refunds: [refund] }, false],
    [
      'cannot be undone if the bill was never marked',
      { state: 'success', payment: storedPayment('sixty', 60_00) },
      false,
    ],
  ])('%s', (_, fields, isUndoable) => {
    const charge = Charge.parse(rowOf('TRANSACTION', { ...fields }));
    expect(undoableMark({ now: () => AT_MS }, charge)?.receipt_id).toBe(isUndoable ? 'sixty' : undefined);
  });

  test('can be undone for less than a day', () => {
    const charge = Charge.parse(rowOf('TRANSACTION', { state: 'success', payment: marked }));
    const isUndoableAfter = (ms: number) => undoableMark({ now: () => AT_MS + ms }, charge) !== undefined;
    expect([isUndoableAfter(DAY_MS - 1), isUndoableAfter(DAY_MS)]).toEqual([true, false]);
  });

  test('can be undone only if it is the newest', () => {
    const later = storedPayment('ten', 10_00, { marked: { how: 'cash', at: '2026-11-20T11:00:00.000Z', by: 'user' } });
    const charge = Charge.parse(rowOf('TRANSACTION', { state: 'success', payment: marked, parts: [later] }));
    expect(undoableMark({ now: () => AT_MS }, charge)?.receipt_id).toBe('ten');
  });
});

let world: Scene;
let shop: Shop;
let reference: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  reference = await shop.charge({ amount: 77 });
});
const transfer = { how: 'transfer', amount: 77_00, payer: 'Ama Sample', transaction_id: '51000770077' } as const;

async function mark(details: MarkDetails) {
  const merchant = await merchantRows.find(world.outside, { merchant_id: shop.id });
  if (!merchant) throw new Error('The shop is gone');
  return markPaid(world.outside, merchant, reference, { ...details, by: 'user' });
}

test('a cash payment without a payer’s name has no payer', async () => {
  const { receipt } = await mark({ how: 'cash', amount: 77_00 });
  expect(receipt.payer_name).toBeUndefined();
});

test('the mark for a transfer refers to no text', async () => {
  const { receipt } = await mark(transfer);
  expect(receipt.marked).toEqual({ how: 'transfer', at: world.iso(), by: 'user' });
});

describe('the text that contradicted a mark', () => {
  const FREED = { first_undone: true };
  test.each<[outcome: string, changed: Partial<Receipt>, become: Partial<Receipt>]>([
    ['is checked again', {}, { reason: 'checking', ...FREED }],
    ['stays held if it has another reason by now', { reason: 'reversed' }, {}],
    ['stays set aside if a person set it aside', { set_aside: { at: AT, by: 'user' } }, {}],
    ['stays matched, but is no longer in doubt, if it has paid a bill', { state: 'matched' }, FREED],
    ['stays held if its reversal is in doubt', { reversal_doubt_at: AT }, {}],
  ])('%s after the mark is undone', async (_, changed, become) => {
    await world.outside.table.write((await mark(transfer)).writes);
    await shop.pay(mtn({ amount: '78.00', from: 'AMA SAMPLE', id: transfer.transaction_id }));
    const [held] = (await shop.receipts()).filter(({ reason }) => reason === 'conflict').map(receiptRows.parse);
    if (!held) throw new Error('The text is not stored beside the mark');
    const text: Receipt = { ...held, ...changed };
    await world.outside.table.write([replaceReceipt(held, text)]);
    await world.outside.table.write(
      (await unmark(world.outside, { merchantId: shop.id, reference, by: 'user' })).writes,
    );
    expect(await receiptRows.find(world.outside, text)).toEqual({ ...text, ...become });
  });
});

test('a bill that is not marked cannot be unmarked', async () => {
  await expect(unmark(world.outside, { merchantId: shop.id, reference, by: 'user' })).rejects.toThrow(
    'This can no longer be undone, because a day has passed, the goods were handed over, a refund was recorded, or the network’s text about the payment arrived.',
  );
});

describe('a rejected mark', () => {
  test.each<[what: string, details: object, field: string, message: string]>([
    ['another shop’s number', { number: '+233209999999' }, 'number', 'must be one of your MoMo numbers'],
    ['no name', { payer: undefined }, 'payer', 'must be the name shown in your wallet'],
    ['a name without letters', { payer: '.' }, 'payer', 'must be the name shown in your wallet'],
    ['no id', { transaction_id: undefined }, 'transaction_id', 'must be the transaction ID shown in your wallet'],
    [
      'an id that a spreadsheet shortened',
      { transaction_id: '5.1E+10' },
      'transaction_id',
      'was shortened by a spreadsheet. Enter all the digits shown in your wallet',
    ],
  ])('has an error at the field of %s', async (_, details, field, message) => {
    expect(await faults(details)).toEqual([{ field, message }]);
  });

  test('reports an error at the transaction id of a known payment', async () => {
    const text = mtn({ amount: '77.00', from: 'AMA SAMPLE', id: '51000770077' });
    await shop.pay(text);
    expect(await faults({})).toEqual([
      {
        field: 'transaction_id',
        message: 'belongs to a payment that has arrived. Match it to the bill under Payments to check',
      },
    ]);
    await shop.pay(
      mtn({ amount: '77.00', from: 'AMA SAMPLE', id: '51000770078', reference: await shop.charge({ amount: 77 }) }),
    );
    expect(await faults({ transaction_id: '51000770078' })).toEqual([
      { field: 'transaction_id', message: 'belongs to a payment that is already known and cannot be used again' },
    ]);
  });

  test('reports an error if the amount is too small for a cancelled bill', async () => {
    await shop.call('transaction/cancel', { parameters: { reference } });
    expect(await faults({ amount: 30_00 })).toEqual([
      {
        field: 'amount',
        message: expect.stringMatching(/^is less than the amount due, and this bill cannot be paid in parts/),
      },
    ]);
  });

  test('reports an error at a text that has already been dealt with', async () => {
    await shop.arrive({ sender: 'MobileMoney', text: 'Payment in words that nobody knows' });
    const [unread] = (await shop.receipts()).map(receiptRows.parse);
    if (!unread) throw new Error('The text is not stored');
    await world.outside.table.write([replaceReceipt(unread, { ...unread, set_aside: { at: AT, by: 'user' } })]);
    expect(await faults({ how: 'text', text: unread.receipt_id })).toEqual([
      { field: 'text', message: 'has already been dealt with. Reload the list of texts' },
    ]);
  });

  async function faults(details: object) {
    const error = await mark({ ...transfer, ...details }).catch((one) => one);
    return error instanceof PublicError ? error.errors : error;
  }
});

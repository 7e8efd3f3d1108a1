import { beforeEach, describe, expect, test } from 'vitest';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import type { PaymentReceipt } from '../../../shared/money/receipt/receipt.ts';
import { decideOthers, putBack } from '../../../shared/money/settling/undo-payment.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { REMOVED, type SomeText, textsOfOnePayment } from '../../support/stored-texts.ts';

const CONFLICT = { reason: 'conflict' } as const;
const PROVEN = { proof: { state: 'proven' } } as const;
const OF_EVE = { copy: '-2', payer_name: 'EVE ANKRAH' } as const;
const DOUBTED_AT = '2026-11-20T11:00:00.000Z';

let world: Scene;
let shop: Shop;
let stored: (some: SomeText) => Promise<PaymentReceipt>;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  const texts = textsOfOnePayment(world.outside);
  stored = (some) => texts.stored({ merchant_id: shop.id, ...some });
});

const read = ({ receipt_id }: PaymentReceipt) => receiptRows.find(world.outside, { receipt_id });

describe('a payment that is put back on the list', () => {
  const back = async (aside: PaymentReceipt) => {
    await world.outside.table.write(await putBack(world.outside, aside));
    return read(aside);
  };

  test('puts an unverified text that its removal had freed in doubt again', async () => {
    const other = await stored({ ...OF_EVE, reason: 'checking', first_undone: true, agreed_by: ['x'] });
    const aside = await stored({ ...REMOVED, ...CONFLICT, contradicted_by: [other.receipt_id] });
    expect(await back(aside)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect(await read(other)).not.toHaveProperty('first_undone');
    expect(await read(other)).not.toHaveProperty('agreed_by');
    expect(await read(other)).toMatchObject({ reason: 'conflict' });
  });

  test.each<[what: string, some: SomeText]>([
    ['is verified', { ...PROVEN, first_undone: true }],
    ['was reversed', { reason: 'reversed', first_undone: true }],
    ['was never freed', { reason: 'no_charge' }],
  ])('leaves another text as it is if that %s', async (_, some) => {
    const other = await stored({ ...OF_EVE, ...some });
    const before = await read(other);
    await back(await stored({ ...REMOVED, ...CONFLICT, contradicted_by: [other.receipt_id] }));
    expect(await read(other)).toEqual(before);
  });

  test('disputes the charge that a freed text has paid since', async () => {
    const reference = await shop.charge({ amount: 36 });
    const other = await stored({ ...OF_EVE, state: 'matched', reference, first_undone: true });
    await back(await stored({ ...REMOVED, ...CONFLICT, contradicted_by: [other.receipt_id] }));
    expect(await chargeRows.find(world.outside, { reference })).toMatchObject({ disputed: { why: 'conflict' } });
    expect(await read(other)).toMatchObject({ state: 'matched' });
    expect(await read(other)).not.toHaveProperty('reason');
  });

  test.each<[what: string, some: SomeText, after: object]>([
    ['is checked again if it is verified', PROVEN, { reason: 'checking', first_undone: true }],
    ['stays in conflict if it is not', {}, { reason: 'conflict', first_undone: true }],
  ])('%s, and no other text remains', async (_, some, after) => {
    expect(await back(await stored({ ...REMOVED, ...CONFLICT, ...some }))).toMatchObject(after);
  });

  test.each<[what: string, some: SomeText]>([
    ['its reversal is in doubt', { ...CONFLICT, reversal_doubt_at: DOUBTED_AT }],
    ['it was held for another reason', { reason: 'no_charge' }],
  ])('waits for a person if %s', async (_, some) => {
    const after = await back(await stored({ ...REMOVED, ...PROVEN, ...some }));
    expect(after).toMatchObject({ state: 'held', reason: some.reason });
    expect(after).not.toHaveProperty('first_undone');
  });

  test('waits for a person while another text remains', async () => {
    const other = await stored({ ...OF_EVE, ...CONFLICT });
    const after = await back(await stored({ ...REMOVED, ...CONFLICT, ...PROVEN, contradicted_by: [other.receipt_id] }));
    expect(after).toMatchObject({ reason: 'conflict' });
    expect(after).not.toHaveProperty('first_undone');
  });
});

describe('the other text about a removed payment', () => {
  /** Decides about the texts that contradict a removed payment. */
  async function decide(others: readonly PaymentReceipt[], bill?: string, isGone = true, some: SomeText = {}) {
    const contradicted_by = others.map(({ receipt_id }) => receipt_id);
    const undone = await stored({ ...REMOVED, ...CONFLICT, contradicted_by, ...some });
    const { writes, named } = await decideOthers(world.outside, undone, bill ? { reference: bill } : undefined, {
      isGone,
    });
    if (writes.length > 0) await world.outside.table.write(writes);
    return named?.receipt_id;
  }

  test.each<[what: string, some: SomeText, reason: string]>([
    ['is checked again if it is verified', { ...CONFLICT, ...PROVEN }, 'checking'],
    ['waits for a person if it is not verified', CONFLICT, 'conflict'],
  ])('%s', async (_, some, reason) => {
    const other = await stored({ ...OF_EVE, ...some });
    await decide([other]);
    expect(await read(other)).toMatchObject({ reason, first_undone: true });
  });

  test.each<[what: string, some: SomeText, isGone: boolean]>([
    ['the removed payment is in the wallet', { ...CONFLICT, ...PROVEN }, false],
    ['it was held for another reason', { reason: 'no_charge', ...PROVEN }, true],
    ['its own reversal is in doubt', { ...CONFLICT, ...PROVEN, reversal_doubt_at: DOUBTED_AT }, true],
    ['it was sent back', { ...CONFLICT, ...PROVEN, set_aside: { at: DOUBTED_AT, by: 'ama' } }, true],
    ['a person did not find its money either', { ...CONFLICT, ...REMOVED }, true],
    ['it has lost its id', { ...CONFLICT, ...PROVEN, use_lost: true }, true],
  ])('stays as it is if %s', async (_, some, isGone) => {
    const other = await stored({ ...OF_EVE, ...some });
    const before = await read(other);
    await decide([other], undefined, isGone);
    expect(await read(other)).toEqual(before);
  });

  test('stays as it is beside a third text', async () => {
    const others = [
      await stored({ ...OF_EVE, ...CONFLICT, ...PROVEN }),
      await stored({ copy: '-3', payer_name: 'YAW ADJEI', ...CONFLICT }),
    ];
    await decide(others);
    expect(await Promise.all(others.map(read))).toMatchObject([CONFLICT, CONFLICT]);
  });

  test('takes over the doubt about the payment’s reversal', async () => {
    const other = await stored({ ...OF_EVE, ...CONFLICT, ...PROVEN });
    await decide([other], undefined, true, { reversal_doubt_at: DOUBTED_AT });
    expect(await read(other)).toMatchObject({ reason: 'conflict', reversal_doubt_at: DOUBTED_AT });
  });

  test('that names the bill is listed there, the verified one of two', async () => {
    const reference = await shop.charge({ amount: 36 });
    const named = { ...CONFLICT, payer_reference: reference };
    const others = [
      await stored({ ...OF_EVE, ...named }),
      await stored({ copy: '-3', payer_name: 'YAW ADJEI', ...named, ...PROVEN }),
    ];
    expect(await decide(others, reference)).toBe(others[1]?.receipt_id);
    expect(await Promise.all(others.map(read))).toMatchObject([CONFLICT, { suggested_reference: reference }]);
  });

  test.each<[what: string, some: SomeText]>([
    ['names another bill', { ...CONFLICT, payer_reference: 'MK-4071932685' }],
    ['is held for another reason', { reason: 'already_paid' }],
    ['was recorded on a bill before', { ...CONFLICT, suggested_reference: 'MK-4071932685' }],
    ['was set aside', { ...CONFLICT, set_aside: { at: DOUBTED_AT, by: 'ama' } }],
  ])('is not listed on the bill if it %s', async (_, some) => {
    const reference = await shop.charge({ amount: 36 });
    const other = await stored({ ...OF_EVE, payer_reference: reference, ...some });
    expect(await decide([other], reference)).toBeUndefined();
  });
});

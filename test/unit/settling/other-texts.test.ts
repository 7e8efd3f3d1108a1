import { beforeEach, describe, expect, test } from 'vitest';
import { type Charge, chargeRows } from '../../../shared/money/charge/charge.table.ts';
import type { Payment } from '../../../shared/money/payment/payment.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import type { PaymentReceipt } from '../../../shared/money/receipt/receipt.ts';
import { decideOthers } from '../../../shared/money/settling/undo-payment.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { NO_NUMBER, REMOVED, type SomeText, textsOfOnePayment } from '../../support/stored-texts.ts';

const CONFLICT = { reason: 'conflict' } as const;
const PROVEN = { proof: { state: 'proven' } } as const;
const EVE = { copy: '-2', payer_name: 'EVE ANKRAH' } as const;
const YAW = { copy: '-3', payer_name: 'YAW ADJEI' } as const;
const BEFORE = '2026-11-20T09:30:00.000Z';
const DOUBTED_AT = '2026-11-20T11:00:00.000Z';
const AFTER = '2026-11-20T12:00:00.000Z';
const OTHER_NUMBER = '+233249999999';
const MARKED = { marked: { how: 'transfer', at: BEFORE, by: 'ama' } } as const;

let world: Scene;
let shop: Shop;
let store: (some: SomeText) => Promise<PaymentReceipt>;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  const texts = textsOfOnePayment(world.outside);
  store = (some) => texts.stored({ merchant_id: shop.id, ...some });
});

const readText = ({ receipt_id }: PaymentReceipt) => receiptRows.find(world.outside, { receipt_id });
const readBill = ({ reference }: Pick<Charge, 'reference'>) => chargeRows.find(world.outside, { reference });
/** Returns the id of the first text with the same number. */
const withoutCopy = ({ receipt_id }: PaymentReceipt) => receipt_id.replace(/-\d$/, '');
const idsOf = (texts: readonly PaymentReceipt[]) => texts.map(({ receipt_id }) => receipt_id);

/** Removes a payment that these texts contradict. */
async function remove(others: readonly PaymentReceipt[], { bill, isGone = true, ...some }: Removed = {}) {
  const undone = await store({ ...REMOVED, ...CONFLICT, contradicted_by: idsOf(others), ...some });
  return decide(undone, bill, isGone);
}

type Removed = SomeText & { readonly bill?: string; readonly isGone?: boolean };

async function decide(undone: PaymentReceipt, bill?: string, isGone = true): Promise<string | undefined> {
  const about = bill === undefined ? undefined : { reference: bill };
  const { writes, named } = await decideOthers(world.outside, undone, about, { isGone });
  if (writes.length > 0) await world.outside.table.write(writes);
  return named?.receipt_id;
}

/** Stores a paid bill with these payments, the first of which is its main one. */
async function storeBill(
  [paying, ...parts]: readonly PaymentReceipt[],
  { counted, ...some }: Partial<Charge> & { readonly counted?: Partial<Payment> } = {},
): Promise<Charge> {
  const paymentOf = (one: PaymentReceipt) =>
    storedPayment(one.receipt_id, 36_00, { transaction_id: one.transaction_id, ...counted });
  const charge = storedCharge({
    reference: 'MK-2000000002',
    merchant_id: shop.id,
    state: 'success',
    paid_at: BEFORE,
    ...(paying && { payment: paymentOf(paying) }),
    ...(parts.length > 0 && { parts: parts.map(paymentOf) }),
    ...some,
  });
  await world.outside.table.write([chargeRows.put(charge)]);
  return charge;
}

const PAYS = { state: 'matched', reference: 'MK-2000000002' } as const;
const IN_CONFLICT = { disputed: { at: BEFORE, why: 'conflict' } } as const;

describe('a text that pays a bill, beside a removed one', () => {
  /** Stores the text that pays the bill. The removed text is the first with this id and number. */
  async function paying(some: SomeText = {}, bill: Parameters<typeof storeBill>[1] = IN_CONFLICT) {
    const text = await store({ ...EVE, ...PAYS, ...some });
    return { text, charge: await storeBill([text], bill) };
  }

  test('is the only one left, and its bill is no longer in doubt', async () => {
    const { text, charge } = await paying();
    await remove([text]);
    expect(await readText(text)).toMatchObject({ state: 'matched', first_undone: true });
    expect(await readBill(charge)).not.toHaveProperty('disputed');
  });

  test('keeps its bill in doubt if the removed payment’s money is in the wallet', async () => {
    const { text, charge } = await paying();
    await remove([text], { isGone: false });
    expect(await readText(text)).not.toHaveProperty('first_undone');
    expect(await readBill(charge)).toMatchObject({ disputed: { why: 'conflict' } });
  });

  test.each<[what: string, texts: (removed: string, third: string) => SomeText, isFreed: boolean]>([
    ['only the removed text contradicted it', (removed) => ({ contradicted_by: [removed] }), true],
    ['a third text contradicts it too', (removed, third) => ({ contradicted_by: [removed, third] }), false],
    ['the removed text never contradicted it', (_, third) => ({ contradicted_by: [third] }), false],
    ['20 texts contradict it', (removed) => ({ contradicted_by: [removed, ...Array(19).fill('x')] }), false],
  ])('beside a third text, if %s', async (_, contradictions, isFreed) => {
    const third = await store({ ...YAW, ...CONFLICT });
    const { text, charge } = await paying(contradictions(withoutCopy(third), third.receipt_id));
    await remove([text, third]);
    expect((await readText(text))?.first_undone).toBe(isFreed || undefined);
    expect((await readBill(charge))?.disputed?.why).toBe(isFreed ? undefined : 'conflict');
  });

  test('stays in doubt if another payment of its bill is in doubt', async () => {
    const part = await store({ ...YAW, transaction_id: '57777777777', ...PAYS, contradicted_by: ['x'] });
    const text = await store({ ...EVE, ...PAYS });
    const charge = await storeBill([text, part], IN_CONFLICT);
    await remove([text]);
    expect(await readText(text)).toMatchObject({ first_undone: true });
    expect(await readBill(charge)).toMatchObject({ disputed: { why: 'conflict' } });
  });

  test('changes nothing about its bill’s doubt for another reason', async () => {
    const { text, charge } = await paying({}, { disputed: { at: BEFORE, why: 'forged' } });
    await remove([text]);
    expect(await readBill(charge)).toMatchObject({ disputed: { why: 'forged' } });
  });

  test('is freed alone if its bill does not count it', async () => {
    const text = await store({ ...EVE, ...PAYS });
    const charge = await storeBill([], IN_CONFLICT);
    await remove([text]);
    expect(await readText(text)).toMatchObject({ first_undone: true });
    expect(await readBill(charge)).toMatchObject({ disputed: { why: 'conflict' } });
  });

  describe('while the removed payment’s reversal is in doubt', () => {
    test.each<[what: string, looked: SomeText, counted: Partial<Payment>, why: string | undefined]>([
      ['puts its bill in doubt', {}, { counted_at: AFTER }, 'reversal'],
      ['puts its bill in doubt if a person looked before', { looked_by: 'ama' }, { counted_at: BEFORE }, 'reversal'],
      ['ends the doubt if a person looked since', { looked_by: 'ama' }, { counted_at: AFTER }, undefined],
    ])('%s', async (_, looked, counted, why) => {
      const { text, charge } = await paying(looked, { ...(why === undefined && IN_CONFLICT), counted });
      await remove([text], { reversal_doubt_at: DOUBTED_AT });
      expect((await readBill(charge))?.disputed?.why).toBe(why);
      expect((await readText(text))?.reversal_doubt_at).toBe(why && DOUBTED_AT);
    });

    test('is not in doubt if it is about another wallet', async () => {
      const { text, charge } = await paying({ momo_number: OTHER_NUMBER, numbers_of_phone: [OTHER_NUMBER] });
      await remove([text], { reversal_doubt_at: DOUBTED_AT });
      expect(await readBill(charge)).not.toHaveProperty('disputed');
    });
  });

  test('is not written again if it paid the removed payment’s own bill', async () => {
    const { text } = await paying();
    const undone = await store({ ...REMOVED, ...CONFLICT, reference: PAYS.reference, contradicted_by: idsOf([text]) });
    await decide(undone);
    expect(await readText(text)).toEqual(text);
  });

  test.each<[what: string, isContradicted: boolean]>([
    ['leaves no other text to list on its bill, once it is freed', true],
    ['does not keep another text off its bill while it stays in doubt', false],
  ])('%s', async (_, isContradicted) => {
    const other = await store({ ...YAW, ...CONFLICT, payer_reference: PAYS.reference });
    const { text } = await paying(isContradicted ? { contradicted_by: [withoutCopy(other)] } : {});
    const named = await remove([text, other], { bill: PAYS.reference });
    expect(named).toBe(isContradicted ? undefined : other.receipt_id);
  });
});

describe('two copies of the text that remains', () => {
  test.each<[what: string, reference: string, isFreed: boolean]>([
    ['free the one without a number, which paid another bill', 'MK-4071932685', true],
    ['leave the one that paid the removed payment’s own bill', PAYS.reference, false],
  ])('%s', async (_, reference, isFreed) => {
    const copy = await store({ ...NO_NUMBER, ...PAYS });
    await storeBill([copy], IN_CONFLICT);
    const text = await store({ copy: '-2', ...CONFLICT, ...PROVEN });
    await remove([text], { payer_name: 'EVE ANKRAH', reference });
    expect(await readText(text)).toMatchObject({ first_undone: true });
    expect((await readText(copy))?.first_undone).toBe(isFreed || undefined);
  });
});

describe('of two texts that name the bill, the removed payment’s bill lists', () => {
  test.each<[which: string, first: SomeText, second: SomeText, n: number]>([
    ['the verified one if it is the first', PROVEN, {}, 0],
    ['the verified one if it is the second', {}, PROVEN, 1],
  ])('%s', async (_, first, second, n) => {
    const named = { ...CONFLICT, payer_reference: 'MK-4071932685' };
    const texts = [await store({ ...EVE, ...named, ...first }), await store({ ...YAW, ...named, ...second })];
    expect(await remove(texts, { bill: 'MK-4071932685' })).toBe(texts[n]?.receipt_id);
    const after = await Promise.all(texts.map(readText));
    expect(after.map((one) => one?.suggested_reference)).toEqual(
      texts.map((_one, at) => (at === n ? 'MK-4071932685' : undefined)),
    );
  });
});

describe('beside a mark as paid', () => {
  test('a verified text waits if the mark keeps a doubt about a reversal', async () => {
    const text = await store({ ...EVE, ...CONFLICT, ...PROVEN });
    await remove([text], { ...MARKED, reversal_doubt_at: DOUBTED_AT });
    expect(await readText(text)).toEqual(text);
  });

  test('an unverified text is checked again if the mark was undone', async () => {
    const text = await store({ ...EVE, ...CONFLICT });
    await remove([text], MARKED);
    expect(await readText(text)).toMatchObject({ reason: 'checking', first_undone: true });
  });

  test.each<[what: string, mark: SomeText, after: object]>([
    ['is checked again if it confirms a mark that counts', PAYS, { reason: 'checking', first_undone: true }],
    ['waits if it does not agree with the mark', { ...PAYS, payer_name: 'YAW ADJEI' }, CONFLICT],
  ])('an unverified text %s', async (_, mark, after) => {
    const text = await store({ ...EVE, ...CONFLICT, payer_reference: PAYS.reference });
    const marked = await store({
      ...MARKED,
      payer_name: 'Eve Ankrah',
      copy: '-3',
      contradicted_by: idsOf([text]),
      ...mark,
    });
    await storeBill([marked]);
    await remove([text, marked]);
    expect(await readText(text)).toMatchObject(after);
  });

  test('a mark that expired is not freed', async () => {
    const held = await store({ ...EVE, ...MARKED, ...CONFLICT });
    await remove([held]);
    expect(await readText(held)).toEqual(held);
  });
});

describe('the only other text is not freed if it', () => {
  test.each<[what: string, some: SomeText, contradicts: boolean]>([
    ['is about another wallet of another shop', { momo_number: OTHER_NUMBER, merchant_id: 'other' }, false],
    ['is held for another reason', { reason: 'already_paid' }, true],
  ])('%s', async (_, some, contradicts) => {
    const text = await store({ ...EVE, ...CONFLICT, ...PROVEN, ...some });
    const linked = await store({ ...YAW, ...REMOVED, ...CONFLICT, contradicted_by: idsOf([text]) });
    await remove(contradicts ? [text] : [linked]);
    expect(await readText(text)).toEqual(text);
  });
});

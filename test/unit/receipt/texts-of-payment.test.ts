import { beforeEach, describe, expect, test } from 'vitest';
import type { PaymentReceipt } from '../../../shared/money/receipt/receipt.ts';
import {
  comparedCopyOf,
  contradictionOf,
  textLeft,
  textWithoutNumber,
} from '../../../shared/money/receipt/texts-of-payment.ts';
import { scene } from '../../support/scene.ts';
import { NO_NUMBER, REMOVED, type SomeText, textsOfOnePayment } from '../../support/stored-texts.ts';

const AT = '2026-11-20T10:00:00.000Z';
const OTHER_NUMBER = '+233249999999';

const { outside } = await scene({ inMemory: true });
let text: (some: SomeText) => PaymentReceipt;
let stored: (some: SomeText) => Promise<PaymentReceipt>;
beforeEach(() => {
  ({ text, stored } = textsOfOnePayment(outside));
});

const idOf = (receipt: { receipt_id: string } | undefined) => receipt?.receipt_id;

describe('the text about a payment that remains', () => {
  const left = async () => idOf(await textLeft(outside, text({})));

  test('is none if only the payment’s own text exists', async () => {
    await stored({});
    expect(await left()).toBeUndefined();
  });

  test('is the one whose money a person did not miss', async () => {
    const second = await stored({ copy: '-2', payer_name: 'EVE ANKRAH' });
    await stored({ ...REMOVED, contradicted_by: [second.receipt_id] });
    expect(await left()).toBe(second.receipt_id);
  });

  test('is none while two texts still differ', async () => {
    const second = await stored({ copy: '-2', payer_name: 'EVE ANKRAH' });
    const third = await stored({ copy: '-3', payer_name: 'YAW ADJEI' });
    await stored({ ...REMOVED, contradicted_by: [second.receipt_id, third.receipt_id] });
    expect(await left()).toBeUndefined();
  });

  test('is the verified one of two that differ', async () => {
    const second = await stored({ copy: '-2', payer_name: 'EVE ANKRAH' });
    const third = await stored({ copy: '-3', payer_name: 'YAW ADJEI', proof: { state: 'proven' } });
    await stored({ ...REMOVED, contradicted_by: [second.receipt_id, third.receipt_id] });
    expect(await left()).toBe(third.receipt_id);
  });

  test('is never a text to another wallet', async () => {
    const elsewhere = await stored({ momo_number: OTHER_NUMBER, payer_name: 'EVE ANKRAH' });
    await stored({ ...REMOVED, contradicted_by: [elsewhere.receipt_id] });
    expect(await left()).toBeUndefined();
  });
});

describe('the text without a number', () => {
  const found = async () => idOf(await textWithoutNumber(outside, text({})));

  test('is the first one, unless a person did not find its money', async () => {
    const first = await stored(NO_NUMBER);
    expect(await found()).toBe(first.receipt_id);
  });

  test('is the other one if a person did not find the money of the first', async () => {
    const numbered = await stored({ payer_name: 'YAW ADJEI' });
    const second = await stored({ ...NO_NUMBER, copy: '-2', payer_name: 'EVE ANKRAH' });
    await stored({ ...NO_NUMBER, ...REMOVED, contradicted_by: [second.receipt_id, numbered.receipt_id] });
    expect(await found()).toBe(second.receipt_id);
  });
});

describe('a text with a number conflicts with the text without one', () => {
  const conflict = async (some: SomeText = {}) => idOf(await contradictionOf(outside, text(some)));

  test('if that states other details', async () => {
    const other = await stored({ ...NO_NUMBER, payer_name: 'EVE ANKRAH' });
    expect(await conflict()).toBe(other.receipt_id);
  });

  test('unless it is a copy', async () => {
    await stored(NO_NUMBER);
    expect(await conflict()).toBeUndefined();
  });

  test('if its copy has lost the payment’s id to another wallet’s text', async () => {
    const other = await stored({ ...NO_NUMBER, use_lost: true });
    expect(await conflict()).toBe(other.receipt_id);
  });

  describe('if that states other details and a copy of it with a number is stored', () => {
    const ofEve = { payer_name: 'EVE ANKRAH' } as const;
    const mine = { copy: '-2' } as const;
    beforeEach(() => stored(ofEve));

    test.each([
      ['no shop sees it any more', { known_to: 'shop' }],
      ['no shop knows of it', {}],
    ])('unless %s', async (_, seen) => {
      await stored({ ...NO_NUMBER, ...ofEve, merchant_id: undefined, ...seen });
      expect(await conflict(mine)).toBeUndefined();
    });

    test('and a shop sees it', async () => {
      const other = await stored({ ...NO_NUMBER, ...ofEve, known_to: 'shop' });
      expect(await conflict(mine)).toBe(other.receipt_id);
    });
  });

  test('that a shop knows of, while no copy with a number is stored', async () => {
    const other = await stored({ ...NO_NUMBER, payer_name: 'EVE ANKRAH', merchant_id: undefined, known_to: 'shop' });
    expect(await conflict()).toBe(other.receipt_id);
  });
});

describe('the copy with a number of a text without one', () => {
  const found = async () => idOf(await comparedCopyOf(outside, text(NO_NUMBER)));

  test.each([
    ['a person did not find its money', REMOVED],
    ['it has lost its id', { use_lost: true }],
    ['a text contradicts it', { contradicted_by: ['another'] }],
  ])('is found if %s', async (_, some) => {
    const copy = await stored(some);
    expect(await found()).toBe(copy.receipt_id);
  });

  test.each<[what: string, some: SomeText]>([
    ['nothing is known against it', {}],
    ['it states other details', { ...REMOVED, payer_name: 'EVE ANKRAH' }],
    ['it has no number either', { ...REMOVED, ...NO_NUMBER }],
    ['a manager typed it', { ...REMOVED, marked: { how: 'transfer', at: AT, by: 'ama' } }],
  ])('is ignored if %s', async (_, some) => {
    await stored(some);
    expect(await found()).toBeUndefined();
  });
});

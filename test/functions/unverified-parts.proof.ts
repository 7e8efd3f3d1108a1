import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_PART_PAYMENTS } from '../../shared/money/payment/payment.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { newPayerNumber } from '../support/receipts.ts';
import { type Scene, type Shop, scene } from '../support/scene.ts';
import { type BookedText, forgetGuesses, provenBook, type WalletBook } from '../support/wallet-book.ts';

/* A charge with unverified part payments. Functions that change it need the rights to hold the parts again. */

const CHECKED_MS = 3 * MINUTE_MS;
const PAID = ['success', 36, 0, 'proven'];

let world: Scene;
let shop: Shop;
let book: WalletBook;
let reference: string;
let part: BookedText;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  book = await provenBook(world, shop, 6);
  reference = await shop.charge({ amount: 36, expires_in: 3_600 });
  part = await come(book.receipt(10, { reference, balance: 777_77 }), CHECKED_MS);
  expect([await partState(), await counted()]).toEqual(['matched', 10_00]);
});

async function come(text: BookedText, afterMs = 1_000): Promise<BookedText> {
  await shop.arrive(text);
  world.clock.nowMs += afterMs;
  await world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);
  return text;
}

async function counted(): Promise<number> {
  const sums = (await world.rows('UNPROVEN')).flatMap((row) => Object.entries(row));
  return sums.reduce((sum, [name, pesewas]) => sum + (name.startsWith('all_') ? Number(pesewas) : 0), 0);
}

const partState = async () => (await shop.receipt(part))?.state;
const paid = async () => {
  const { status, amount_paid, overpaid, proof } = await shop.verified(reference);
  return [status, amount_paid, overpaid, proof?.state];
};

describe('a verified payment of the full amount', () => {
  const callers: readonly [string, () => Promise<number>][] = [
    ['by its reference', async () => come(book.paid(36, { reference })).then(() => 200)],
    ['by the transaction id that the customer enters', () => claim()],
    ['by a code texted to its payer', () => confirm()],
    ['by a key', async () => (await shop.assign(await free(), reference)).status],
    [
      'by a manager',
      async () => {
        const path = `/dashboard/held/${shop.paymentId(await free())}/give`;
        return visit(await shop.signIn('manager'), path, { reference, shown: 'verified' });
      },
    ],
    [
      'by the operator',
      async () => {
        await world.createShop({ number: shop.number });
        const path = `/dashboard/operator-money/unassigned/${shop.paymentId(await free())}/assign`;
        return visit(await world.signIn('operator'), path, { reference, shown: 'verified' });
      },
    ],
  ];

  test.each(callers)('replaces unverified part payments if it is matched %s', async (_, pay) => {
    expect(await pay()).toBeLessThan(400);
    expect([await paid(), await partState(), await counted()]).toEqual([PAID, 'held', 0]);
  });

  test('replaces unverified part payments once it is verified', async () => {
    const missing = book.spent(5);
    const late = await come(book.paid(36, { reference }), CHECKED_MS);
    expect(await paid()).toEqual(['success', 46, 10, 'unproven']);
    await come(missing);
    await world.work('settle-receipt', [{ receipt_id: shop.paymentId(late) }]);
    expect([await paid(), await counted()]).toEqual([PAID, 0]);
  });
});

describe('unverified part payments', () => {
  const ends: readonly [string, () => Promise<unknown>][] = [
    ['if a key cancels the charge', () => shop.call('transaction/cancel', { parameters: { reference } })],
    [
      'if a manager cancels the charge',
      async () => visit(await shop.signIn('manager'), `/dashboard/charges/${reference}/cancel`, {}),
    ],
    [
      'if the charge expires',
      async () => {
        world.clock.nowMs = Date.parse((await world.chargeRow(reference)).expires_at) + HOUR_MS;
        await world.housekeeping();
      },
    ],
  ];

  test.each(ends)('are held again and no longer counted %s', async (_, end) => {
    await end();
    expect([await partState(), await counted()]).toEqual(['held', 0]);
  });

  test('stay counted if the completing payment is reversed', async () => {
    const rest = await come(book.paid(26, { reference }));
    expect((await paid())[0]).toBe('success');
    await shop.arrive(book.reversed(rest, 26));
    expect([(await paid())[0], await partState(), await counted()]).toEqual(['reversed', 'held', 10_00]);
  });
});

describe('a charge with the maximum number of part payments', () => {
  beforeEach(async () => {
    const forged = Array.from({ length: MAX_PART_PAYMENTS - 1 }, (_, n) =>
      book.receipt(0.01, { reference, balance: 400_000 + n * 31 }),
    );
    for (const text of forged) await shop.arrive(text);
    world.clock.nowMs += CHECKED_MS;
    for (const text of forged) await world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);
    await forgetGuesses(world, { network: 'MTN', momo_number: shop.number });
    expect(await state()).toEqual(['pending', MAX_PART_PAYMENTS, 10.19, 10_19]);
  });

  const state = async () => {
    const { status, parts, amount_paid } = await shop.verified(reference);
    return [status, parts.length, amount_paid, await counted()];
  };
  const reasons = async () =>
    (await shop.receipts()).flatMap(({ state, reason, suggested_reference }) =>
      state === 'held' && suggested_reference === reference ? [reason] : [],
    );
  const givers: readonly [string, (text: BookedText) => Promise<number>][] = [
    [
      'by a key',
      async (text) => {
        const parameters = { id: shop.paymentId(text) };
        return (await shop.call('receipt/assign', { parameters, body: { reference, as_part: true } })).status;
      },
    ],
    [
      'by a manager',
      async (text) => {
        const form = { reference, shown: 'verified', counts_as: 'part' };
        return visit(await shop.signIn('manager'), `/dashboard/held/${shop.paymentId(text)}/give`, form);
      },
    ],
  ];

  test('replaces its smallest part with a verified payment', async () => {
    await come(book.paid(20, { reference }));
    expect(await state()).toEqual(['pending', MAX_PART_PAYMENTS, 30.18, 10_18]);
    expect(await reasons()).toEqual(['amount_differs']);
    await come(book.paid(16, { reference }));
    expect([await paid(), await counted()]).toEqual([PAID, 0]);
  });

  test.each(givers)('replaces its smallest part with a verified payment assigned %s', async (_, give) => {
    expect(await give(await free(book.paid(20, { reference: 'school' })))).toBeLessThan(400);
    expect(await state()).toEqual(['pending', MAX_PART_PAYMENTS, 30.18, 10_18]);
    expect(await reasons()).toEqual(['amount_differs']);
  });

  test('holds a further payment until it is verified', async () => {
    const missing = book.spent(5);
    const late = await come(book.paid(20, { reference }), CHECKED_MS);
    expect([await state(), await reasons()]).toEqual([
      ['pending', MAX_PART_PAYMENTS, 10.19, 10_19],
      ['amount_differs'],
    ]);
    await come(missing);
    await world.work('settle-receipt', [{ receipt_id: shop.paymentId(late) }]);
    expect(await state()).toEqual(['pending', MAX_PART_PAYMENTS, 30.18, 10_18]);
  });
});

async function free(text = book.paid(36, { reference: 'school' })): Promise<BookedText> {
  await come(text);
  expect(await shop.receipt(text)).toMatchObject({ state: 'held', proof: { state: 'proven' } });
  return text;
}

async function visit(person: Awaited<ReturnType<Shop['signIn']>>, path: string, form: Record<string, string>) {
  return (await person.visit(path, { form })).status;
}

async function claim(): Promise<number> {
  const { id } = await free();
  return ofPage('checkout/claim', { transaction_id: id, name: 'Kofi Mensah Boateng' });
}

async function confirm(): Promise<number> {
  await world.createSender('+233240009999');
  const payer = newPayerNumber();
  const phone = payer.replace(/^233/, '0');
  await free(book.paid(36, { reference: `KOFI MENSAH BOATENG ,${payer},1 from VODAFONE` }));
  await ofPage('checkout/ask-for-code', { phone });
  const text = (await world.rows('SEND')).find(({ to }) => Array.isArray(to) && to.includes(`+${payer}`));
  return ofPage('checkout/confirm-code', { phone, code: String(text?.message).slice(0, 6) });
}

async function ofPage(route: 'checkout/claim' | 'checkout/ask-for-code' | 'checkout/confirm-code', body: object) {
  const { access_code } = await world.chargeRow(reference);
  return (await world.call(route, { parameters: { access_code }, body, headers: { accept: 'application/json' } }))
    .status;
}

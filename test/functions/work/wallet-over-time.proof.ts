import { beforeEach, describe, expect, test } from 'vitest';
import { getPurchases } from '../../../shared/money/purchase/purchase.table.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { setOffer } from '../../support/bundles.ts';
import { clockedWallet, reversalLine } from '../../support/clocked-wallet.ts';
import { drainJobs } from '../../support/pushed.ts';
import { newPayerNumber } from '../../support/receipts.ts';

let k: Awaited<ReturnType<typeof clockedWallet>>;
beforeEach(async () => {
  k = await clockedWallet();
});

const bundle = async (price: number) => {
  const { world, shop } = k;
  const buyer = await world.createMerchant();
  await setOffer(world, shop.id, 500, price);
  const { json } = await world.call('sms/buy-credits', { key: buyer.smsKey, body: { credits: 500, price } });
  return { buyer, reference: String(json.data.reference) };
};

/** Receives two payments, enters the balance and waits for an hour. */
const goOn = async () => {
  for (const amount of [20, 7]) {
    await k.run(5);
    await k.come(k.book.paid(amount));
  }
  await k.nameBalance();
  await k.run(70);
};

describe('a bill with a forged part payment of GHS 5', () => {
  const begin = async (payerReference = '1') => {
    const { shop, book } = k;
    await shop.change({ confirm_unproven_up_to_pesewas: 50_00 });
    const charge = await shop.createCharge({ amount: 36 });
    await k.come(book.receipt(5, { reference: charge.reference, balance: 777_77 }));
    await k.run(3);
    const real = book.paid(36, { reference: payerReference });
    await k.come(real);
    return { ...charge, real };
  };
  const status = async (reference: string) => (await k.shop.verified(reference)).status;

  test('is paid when the merchant’s server assigns the verified payment', async () => {
    const { reference, real } = await begin();
    expect((await k.shop.assign(real, reference)).status).toBe(200);
    expect(await status(reference)).toBe('success');
  });

  test('is paid when its customer claims the verified payment', async () => {
    const { reference, access_code, real } = await begin();
    const body = { transaction_id: real.id, name: 'Kofi Mensah' };
    expect((await k.world.call('checkout/claim', { parameters: { access_code }, body })).status).toBe(200);
    expect(await status(reference)).toBe('success');
  });

  test('is paid when the payer confirms a claim code', async () => {
    await k.world.createSender('+233240009999');
    const payer = newPayerNumber();
    const { reference, access_code } = await begin(`KOFI MENSAH BOATENG ,${payer},1 from VODAFONE`);
    const [parameters, phone] = [{ access_code }, payer.replace(/^233/, '0')];
    await k.world.call('checkout/ask-for-code', { parameters, body: { phone } });
    const text = (await k.world.rows('SEND')).find(({ to }) => Array.isArray(to) && to.includes(`+${payer}`));
    const body = { phone, code: String(text?.message).slice(0, 6) };
    expect((await k.world.call('checkout/confirm-code', { parameters, body })).status).toBe(200);
    expect(await status(reference)).toBe('success');
  });
});

test('a test charge that was paid twice can be reversed on its page', async () => {
  const merchant = await k.world.createMerchant();
  const { json } = await k.world.call('transaction/initialize', { key: merchant.testKey, body: { amount: 36 } });
  const parameters = { access_code: json.data.access_code };
  for (const outcome of ['paid_twice', 'reversed'])
    expect((await k.world.call('checkout/simulate', { parameters, body: { outcome } })).status).toBe(200);
});

describe('a bill whose two part payments are reversed after a second payment', () => {
  const takeBoth = async (reference: string) => {
    const { book } = k;
    const [one, two, second] = [0, 1, 2].map(() => book.paid(50, { reference }));
    if (!one || !two || !second) throw new Error('no payments');
    await k.come(one, two, second);
    await k.run(3);
    await k.come(book.paid(10), book.spent(3));
    // Three payments have this amount, so the reversal of the first cannot be verified.
    book.pesewas -= 50_00;
    await k.come(reversalLine(one.id, 50));
    await goOn();
    expect((await k.shop.verified(reference)).disputed).toMatchObject({ why: 'reversal' });
    await k.come(book.reversed(two, 50));
    await k.run(70);
    expect(await k.head()).toBe(book.pesewas);
  };

  test('stays disputed', async () => {
    const reference = await k.shop.charge({ amount: 100 });
    await takeBoth(reference);
    expect((await k.shop.verified(reference)).disputed).not.toBeNull();
  });

  test('is not shown as verified if it was for 500 credits', async () => {
    const { reference } = await bundle(100);
    await takeBoth(reference);
    expect(await k.shop.verified(reference)).not.toMatchObject({
      amount_paid: 100,
      proof: { state: 'proven' },
      disputed: null,
    });
  });
});

describe('a reversed payment whose id was entered for a different bill', () => {
  const mark = async (id: string) => {
    const typed = await k.shop.charge({ amount: 77 });
    const form = { how: 'transfer', amount: '77', payer: 'Ama Sample', transaction_id: id };
    const manager = await k.shop.signIn('manager');
    await manager.visit(`/dashboard/charges/${typed}/mark`, { form });
    return { typed, undo: () => manager.visit(`/dashboard/charges/${typed}/unmark`, { form: {} }) };
  };

  describe('while it is held', () => {
    const held = () =>
      k.world.rows('RECEIPT').then((all) => all.filter(({ amount_pesewas }) => amount_pesewas === 36_00));

    test.each(['stands', 'is undone'] as const)('lowers the verified balance if the mark %s', async (then) => {
      const text = k.book.paid(36, { reference: 'lunch' });
      const { typed, undo } = await mark(text.id);
      await k.come(text);
      await k.run(3);
      if (then === 'is undone') expect((await undo()).status).toBe(303);
      await k.run(3);
      expect(await held()).toMatchObject([{ state: 'held', proof: { state: 'proven' } }]);
      await k.come(k.book.reversed(text, 36));
      await k.run(3);
      expect([await k.head(), await held()]).toMatchObject([k.book.pesewas, [{ state: 'held', reason: 'reversed' }]]);
      const bill = { stands: { disputed: { why: 'conflict' } }, 'is undone': { status: 'pending', disputed: null } };
      expect(await k.shop.verified(typed)).toMatchObject(bill[then]);
      await k.come(k.book.paid(11));
      await k.run(3);
      expect(await k.head()).toBe(k.book.pesewas);
    });
  });

  test('reverses the payment’s own bill', async () => {
    const reference = await k.shop.charge({ amount: 36 });
    const text = k.book.paid(36, { reference });
    await mark(text.id);
    await k.come(text);
    await k.run(3);
    expect(await k.shop.verified(reference)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
    await k.come(k.book.reversed(text, 36));
    await k.run(3);
    expect({ status: (await k.shop.verified(reference)).status, head: await k.head() }).toEqual({
      status: 'reversed',
      head: k.book.pesewas,
    });
  });

  test('loses its credits after the owner enters the balance', async () => {
    const { buyer, reference } = await bundle(30);
    const text = k.book.paid(30, { reference });
    await mark(text.id);
    await k.come(text, k.book.paid(10));
    await k.run(3);
    expect(await buyer.balance()).toBe(500);
    await k.come(k.book.reversed(text, 30));
    await goOn();
    expect(await buyer.balance()).toBe(0);
  });
});

test('housekeeping blocks a buyer’s purchases after a reversal, even if the job was lost', async () => {
  const { world, shop, book } = k;
  const { buyer, reference } = await bundle(30);
  const text = book.paid(30, { reference });
  await k.come(text, book.paid(3));
  await k.run(3);
  await shop.arrive(reversalLine(text.id, 30));
  await world.followChanges();
  drainJobs(world);
  for (let n = 0; n < 6; n++) {
    world.clock.nowMs += HOUR_MS;
    await world.housekeeping();
    await world.tell(2);
  }
  expect((await getPurchases(world.outside, buyer.id)).stopped_by).toBe(reference);
});

test('late texts do not dispute a bill paid by a verified payment', async () => {
  const { shop, book, world } = k;
  const reference = await shop.charge({ amount: 36 });
  const [one, two] = [book.paid(36, { reference }), book.paid(36.5, { reference })];
  await k.come(one, two);
  await k.run(3);
  await k.come(book.paid(10));
  const late = [book.paid(4), book.spent(40)];
  for (const amount of [20, 7]) {
    world.clock.nowMs += 5 * MINUTE_MS;
    await k.come(book.paid(amount));
  }
  await k.nameBalance();
  await k.come(reversalLine(one.id, 36));
  expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment: { transaction_id: two.id } });
  await k.come(...late);
  await k.run(5);
  expect((await shop.verified(reference)).disputed).toBeNull();
});

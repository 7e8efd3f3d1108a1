import { beforeEach, describe, expect, test } from 'vitest';
import { releaseHeldGoods } from '../../../shared/money/goods/decide-release.ts';
import { giveCredits, prepareAllow, prepareRelease } from '../../../shared/money/purchase/give-credits.ts';
import { getPurchases, stopPurchases } from '../../../shared/money/purchase/purchase.table.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { prepareBundle, prepareSeller } from '../../../shared/texts/credits/bundles.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { setOffer } from '../../support/bundles.ts';
import { expectFailure } from '../../support/envelope.ts';
import { drainJobs, work } from '../../support/pushed.ts';
import { addNumber, mtn, type ReceiptText, reversal } from '../../support/receipts.ts';
import { runJobs } from '../../support/run-jobs.ts';
import { type Merchant, type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { provenBook, type WalletBook } from '../../support/wallet-book.ts';

/**
 * Bundles of credits: added once, only for a verified payment that nobody assigned, and removed if the payment is
 * reversed.
 */

const BUNDLE = { credits: 500, price: 30 };
let world: Scene;
let seller: Shop;
let buyer: Merchant;
let book: WalletBook;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  seller = await world.createShop();
  buyer = await world.createMerchant();
  book = await provenBook(world, seller, 6);
  await sell(seller.id, 500, 30);
});

const sell = (id: string | undefined, count: number, price: number) => setOffer(world, id, count, price);

/** Replaces the seller with one whose wallet is too new to verify payments. */
async function sellFromNewWallet() {
  seller = await world.createShop();
  await sell(seller.id, 500, 30);
}

const order = (body: object = BUNDLE, key = buyer.smsKey, headers = {}) =>
  world.call('sms/buy-credits', { key, body, headers });
async function ordered(body?: object, key?: string): Promise<string> {
  const { status, json } = await order(body, key);
  expect({ status, message: json.message }).toEqual({ status: 200, message: 'Checkout created' });
  return json.data.reference;
}
const shown = async (key = buyer.smsKey) => (await world.call('sms/credits', { key })).json.data;
const stateOf = async (reference: string) => {
  const charge = await world.chargeRow(reference);
  return { charge: charge?.state, goods: charge?.goods?.state };
};
async function payFor(reference: string, receipt: ReceiptText = book.paid(30, { reference })) {
  await seller.arrive(receipt);
  await world.tell(3);
  return receipt;
}
const cancel = (reference: string) => seller.call('transaction/cancel', { parameters: { reference } });
const release = async (reference: string) =>
  world.outside.table.write((await prepareRelease(world.outside, reference)).writes);

describe('a bundle of credits', () => {
  test('can be listed, ordered and paid', async () => {
    expect((await shown()).bundles).toEqual([BUNDLE]);
    const { json } = await order();
    expect(json.data).toMatchObject({ ...BUNDLE, livemode: true, seller: 'Ama Stores' });
    const { reference } = json.data;
    expect(json.data.authorization_url).toMatch(/\/checkout\/\w{22}$/);
    await payFor(reference);
    expect(await stateOf(reference)).toEqual({ charge: 'success', goods: 'given' });
    const { balance, entries } = await shown();
    expect({ balance, entries }).toMatchObject({
      balance: 500,
      entries: [{ type: 'purchase', credits: 500, reference, send_id: null }],
    });
  });

  test('is credited once if its job runs twice', async () => {
    await world.createSender('+233241234500');
    await buyer.topUp(3);
    const reference = await ordered();
    await seller.arrive(book.paid(30, { reference }));
    await world.followChanges();
    const jobs = drainJobs(world).map(({ body }) => body);
    expect(jobs.length).toBeGreaterThan(0);
    const sends = buyer.call('sms/send', { body: { to: '0551112223', message: 'Hello' } });
    await Promise.all([work(world, [...jobs, ...jobs], 2), work(world, jobs), sends]);
    await world.tell(3);
    expect(await buyer.balance()).toBe(502);
  });

  test('keeps its price after it has been ordered', async () => {
    const reference = await ordered();
    await sell(seller.id, 500, 35);
    expectFailure(await order(), 400, 'invalid_request');
    const [error] = (await order()).json.errors;
    expect(error).toEqual({ field: 'price', message: expect.stringContaining('GHS 35') });
    await payFor(reference);
    expect(await buyer.balance()).toBe(500);
  });

  test.each([
    ['an unknown number of credits', { credits: 501, price: 30 }],
    ['a different price', { credits: 500, price: 0.01 }],
    ['no price', { credits: 500 }],
    ['half a credit', { credits: 0.5, price: 30 }],
    ['an extra field', { credits: 500, price: 30, amount: 1 }],
  ])('cannot be ordered with %s', async (_, body) => {
    expectFailure(await order(body), 400, 'invalid_request');
  });

  test('is ordered once if the Idempotency-Key is repeated', async () => {
    const headers = { 'idempotency-key': 'bundle-1' };
    const [one, again] = [await order(BUNDLE, buyer.smsKey, headers), await order(BUNDLE, buyer.smsKey, headers)];
    expect(again.json.data.reference).toBe(one.json.data.reference);
  });

  test('can be ordered only by other shops', async () => {
    const key = await seller.addKey('sms');
    expect((await shown(key)).bundles).toEqual([]);
    expectFailure(await order(BUNDLE, key), 400, 'invalid_request');
  });

  test.each<[string, () => Promise<unknown>]>([
    ['has no number', () => seller.change({ momo_accounts: [] })],
    ['is suspended', () => seller.suspend()],
    ['is unset by the operator', () => sell(undefined, 500, 30)],
  ])('cannot be ordered once its seller %s', async (_, change) => {
    await change();
    world.clock.nowMs += 60_000;
    expect((await shown()).bundles).toEqual([]);
    expectFailure(await order(), 400, 'invalid_request');
  });

  test('cannot be ordered by a suspended shop', async () => {
    await buyer.suspend();
    world.clock.nowMs += 60_000;
    expectFailure(await order(), 403, 'forbidden');
  });

  test('appears in the charge’s description with the buyer’s name', async () => {
    await sell(seller.id, 1000, 55);
    expect((await shown()).bundles).toEqual([BUNDLE, { credits: 1000, price: 55 }]);
    expect((await world.chargeRow(await ordered())).description).toMatch(/^500 credits for texts of /);
    expect((await order({ credits: 7, price: 30 })).json.errors).toEqual([
      { field: 'credits', message: 'is not a bundle on sale now: choose one of 500 for GHS 30.00, 1000 for GHS 55.00' },
    ]);
  });

  test('cannot be sold by an unknown merchant', async () => {
    await expect(prepareSeller(world.outside, 'NOBODY')).rejects.toThrow();
    const bundle = { credits: 500, price_pesewas: 3000 };
    const same = [await prepareSeller(world.outside, seller.id), await prepareBundle(world.outside, bundle)];
    expect(same.flatMap(({ writes }) => writes)).toEqual([]);
  });

  test('cannot be changed by two people simultaneously', async () => {
    const one = await prepareBundle(world.outside, { credits: 10, price_pesewas: 100 });
    const other = await prepareBundle(world.outside, { credits: 20, price_pesewas: 200 });
    await world.outside.table.write(one.writes);
    await expect(world.outside.table.write(other.writes)).rejects.toThrow();
    expect((await shown()).bundles).toEqual([{ credits: 10, price: 1 }, BUNDLE]);
  });

  test('is no longer listed after twenty later orders', async () => {
    for (let n = 0; n < 22; n++) {
      await ordered();
      world.clock.nowMs += 31 * 60_000;
    }
    expect((await getPurchases(world.outside, buyer.id)).references).toHaveLength(20);
  });

  describe('with twenty newer unpaid orders', () => {
    const named = async () => (await getPurchases(world.outside, buyer.id)).references;
    const openTwenty = async () => {
      for (let n = 0; n < 20; n++) await ordered();
    };

    test('stays listed if paid', async () => {
      await sellFromNewWallet();
      const waits = await ordered();
      await seller.pay(mtn({ reference: waits, amount: '30.00' }));
      await world.tell(3);
      const first = await ordered();
      await openTwenty();
      expect(await stateOf(waits)).toEqual({ charge: 'success', goods: 'to_release' });
      const references = await named();
      expect({
        references: references.length,
        hasWaiting: references.includes(waits),
        hasFirst: references.includes(first),
      }).toEqual({ references: 20, hasWaiting: true, hasFirst: false });
      const { text } = await (await buyer.signIn('owner')).visit('/dashboard/texts/credits');
      expect(text).toContain(waits);
    });

    test('is listed again after a late payment', async () => {
      await sellFromNewWallet();
      const late = await ordered();
      await openTwenty();
      expect(await named()).not.toContain(late);
      await seller.pay(mtn({ reference: late, amount: '30.00' }));
      await world.tell(3);
      expect(await stateOf(late)).toEqual({ charge: 'success', goods: 'to_release' });
      expect(await named()).toContain(late);
      await openTwenty();
      expect(await named()).toContain(late);
    });
  });

  test('adds no credits if ordered with a test key', async () => {
    const key = await buyer.addKey('sms', { mode: 'test' });
    const { json } = await order(BUNDLE, key);
    expect(json.data.livemode).toBe(false);
    const { reference } = json.data;
    const sellersTest = await seller.addKey('live', { mode: 'test' });
    const paid = { key: sellersTest, parameters: { reference }, body: { outcome: 'paid' } };
    expect((await world.call('test/simulate', paid)).status).toBe(200);
    await world.tell(3);
    expect({ state: await stateOf(reference), balance: await buyer.balance() }).toEqual({
      state: { charge: 'success', goods: 'given' },
      balance: 0,
    });
  });
});

describe('purchased credits', () => {
  test.each<[string, (reference: string) => Promise<unknown>]>([
    ['no payment', () => world.tell(3)],
    ['a part payment', (reference) => payFor(reference, book.paid(20, { reference }))],
    ['a payment without a reference in the buyer’s name', () => payFor('', book.paid(30, { from: 'TEST SHOP' }))],
    ['a charge that was cancelled before payment', async (reference) => (await cancel(reference)) && payFor(reference)],
    ['a job without a payment', (reference) => giveCredits(world.outside, reference)],
  ])('are not added for %s', async (_, happens) => {
    const reference = await ordered();
    await happens(reference);
    expect(await buyer.balance()).toBe(0);
    expect((await stateOf(reference)).goods).not.toBe('given');
  });

  test('need the operator’s approval after a forged text', async () => {
    await sellFromNewWallet();
    const reference = await ordered();
    await payFor(reference, mtn({ amount: '30.00', reference }));
    expect(await stateOf(reference)).toEqual({ charge: 'success', goods: 'to_release' });
    expect(releaseHeldGoods(await world.chargeRow(reference), 'manager')).toEqual([]);
    expect(await buyer.balance()).toBe(0);
    await release(reference);
    await world.tell(3);
    expect({ state: await stateOf(reference), balance: await buyer.balance() }).toEqual({
      state: { charge: 'success', goods: 'given' },
      balance: 500,
    });
    await expect(prepareRelease(world.outside, reference)).rejects.toThrow('are waiting to be released');
  });

  test('can be released while the payment is unverified', async () => {
    await sellFromNewWallet();
    const reference = await ordered();
    await payFor(reference, mtn({ amount: '930.00', reference }));
    await release(reference);
    await world.tell(3);
    expect(await buyer.balance()).toBe(500);
    const { proof, payment } = await seller.verified(reference);
    expect({ charge: proof.state, payment: payment.proof.state }).toEqual({ charge: 'unproven', payment: 'unproven' });
    const refund = await seller.call('transaction/refund', { parameters: { reference }, body: { amount: 900 } });
    expect(refund.json.data.warning).toContain('not verified');
  });

  test('need the operator’s approval if the seller assigned the payment', async () => {
    const reference = await ordered();
    const receipt = await payFor('', book.paid(30));
    expect((await seller.assign(receipt, reference)).status).toBe(200);
    await world.tell(3);
    expect({ state: await stateOf(reference), balance: await buyer.balance() }).toEqual({
      state: { charge: 'success', goods: 'to_release' },
      balance: 0,
    });
    await release(reference);
    await world.tell(3);
    expect(await buyer.balance()).toBe(500);
  });

  test('cannot be released for a refunded payment', async () => {
    await sellFromNewWallet();
    const reference = await ordered();
    await payFor(reference, mtn({ amount: '30.00', reference }));
    await seller.call('transaction/refund', { parameters: { reference }, body: { amount: 30 } });
    await expect(release(reference)).rejects.toThrow('are waiting to be released');
  });

  test('cannot be released if the verified payment with the same id is held for another bill', async () => {
    const first = await ordered();
    await payFor(first);
    const again = book.paid(30, { reference: first });
    const reference = await ordered();
    const second = { ...seller, number: await addNumber(world, seller) };
    await second.arrive(mtn({ id: again.id, amount: '30.00', reference }));
    await payFor(first, again);
    await world.tell(3);
    expect(await stateOf(reference)).toEqual({ charge: 'success', goods: 'to_release' });
    await expect(release(reference)).rejects.toThrow('A verified payment with the same transaction ID is waiting.');
  });

  test('cannot be released for a charge that buys no credits', async () => {
    await expect(prepareRelease(world.outside, 'MK-0000000000')).rejects.toThrow('is not a purchase of credits');
  });
});

describe('the reversal of a credit purchase', () => {
  async function takenBack(spent: number) {
    await world.createSender('+233241234500');
    const reference = await ordered();
    const receipt = await payFor(reference);
    world.clock.nowMs += 1_000;
    if (spent > 0) await buyer.topUp(-spent);
    world.clock.nowMs += 1_000;
    await seller.arrive(book.reversed(receipt, 30));
    await world.tell(3);
    return reference;
  }

  test.each([0, 450, 500])('makes the buyer owe %i spent credits', async (spent) => {
    const reference = await takenBack(spent);
    expect(await stateOf(reference)).toEqual({ charge: 'reversed', goods: 'taken_back' });
    const { balance, owed, entries } = await shown();
    expect({ balance, owed }).toEqual({ balance: 0, owed: spent });
    expect(entries[0]).toMatchObject({ type: 'taken_back', credits: -500, reference });
  });

  test('treats scheduled texts as spent until they are cancelled', async () => {
    await world.createSender('+233241234500');
    const reference = await ordered();
    const receipt = await payFor(reference);
    const sends = [];
    const to = Array.from({ length: 50 }, (_, n) => `0551112${String(n).padStart(3, '0')}`);
    for (let n = 0; n < 10; n++) {
      const body = { to, message: `Later ${n}`, send_at: world.iso(DAY_MS) };
      sends.push((await buyer.call('sms/send', { body })).json.data.id);
    }
    await seller.arrive(book.reversed(receipt, 30));
    await world.tell(3);
    expect(await shown()).toMatchObject({ balance: 0, owed: 500 });
    const owner = await buyer.signIn('owner');
    const operator = await world.signIn('operator', undefined);
    expect((await owner.visit('/dashboard/texts/credits')).text).toMatch(/Credits you owe.*500/);
    expect((await operator.visit(`/dashboard/operator-money/${buyer.id}`)).text).toMatch(/Credits it owes.*500/);
    for (const id of sends.slice(0, 9)) await buyer.call('sms/cancel', { parameters: { id } });
    expect(await shown()).toMatchObject({ balance: 0, owed: 50 });
    await buyer.topUp(70);
    expect(await shown()).toMatchObject({ balance: 20, owed: 0 });
    await buyer.call('sms/cancel', { parameters: { id: sends[9] } });
    expect(await shown()).toMatchObject({ balance: 70, owed: 0 });
    expect((await owner.visit('/dashboard/texts/credits')).text).not.toContain('Credits you owe');
  });

  test('removes the credits while the buyer is sending texts', async () => {
    await world.createSender('+233241234500');
    const reference = await ordered();
    const receipt = await payFor(reference);
    await seller.arrive(book.reversed(receipt, 30));
    const usual = world.dynamoDb;
    let texts = 0;
    world.dynamoDb = async ({ command, input }, send) => {
      if (command === 'TransactWriteItems' && JSON.stringify(input).includes('taken-back')) {
        texts += 1;
        await buyer.call('sms/send', { body: { to: '0551112223', message: `Text ${texts}` } });
      }
      await send();
    };
    await giveCredits(world.outside, reference);
    world.dynamoDb = usual;
    expect(texts).toBe(1);
    expect(await shown()).toMatchObject({ balance: 0, owed: 1 });
  });

  test('blocks new purchases until the operator allows them', async () => {
    await buyer.topUp(70);
    const reference = await takenBack(0);
    expect(await buyer.balance()).toBe(70);
    const refused = await order();
    expectFailure(refused, 403, 'forbidden');
    expect(refused.json.message).toContain(reference);
    await world.outside.table.write((await prepareAllow(world.outside, buyer.id)).writes);
    expect((await order()).status).toBe(200);
  });
});

describe('a refunded credit purchase', () => {
  /** Creates a purchase whose credits were added and for which a refund of this amount is recorded. */
  async function noted(amount: number) {
    const reference = await ordered();
    await payFor(reference);
    const { json } = await seller.call('transaction/refund', { parameters: { reference }, body: { amount } });
    await world.tell(3);
    return { reference, refund_id: json.data.refunds[0].refund_id };
  }
  const close = async ({ reference, refund_id }: Awaited<ReturnType<typeof noted>>, outcome: 'sent' | 'withdrawn') => {
    world.clock.nowMs += 1_000;
    await seller.call('transaction/close-refund', { parameters: { reference, refund_id }, body: { outcome } });
    await world.tell(3);
  };

  test('keeps its credits until the money has been returned', async () => {
    const { reference } = await noted(30);
    expect({ goods: (await stateOf(reference)).goods, balance: await buyer.balance() }).toEqual({
      goods: 'given',
      balance: 500,
    });
    const operator = await world.signIn('operator', undefined);
    const { text } = await operator.visit(`/dashboard/operator-money/${buyer.id}`);
    expect(text).toContain(`GHS\u00a030.00 of ${reference} will be sent back`);
  });

  test.each([
    [30, 0, 'taken_back'],
    [12, 300, 'given'],
    [0.01, 499, 'given'],
  ])('loses credits in proportion to a refund of GHS %d', async (amount, kept, state) => {
    const refund = await noted(amount);
    const { reference } = refund;
    await close(refund, 'sent');
    expect({ goods: (await stateOf(reference)).goods, balance: await buyer.balance() }).toEqual({
      goods: state,
      balance: kept,
    });
    expect((await shown()).entries[0]).toMatchObject({ type: 'taken_back', credits: kept - 500, reference });
    expect((await order()).status).toBe(200);
  });

  test('makes the buyer owe spent credits', async () => {
    const refund = await noted(30);
    await buyer.topUp(-480);
    await close(refund, 'sent');
    expect(await shown()).toMatchObject({ balance: 0, owed: 480 });
  });

  test('keeps its credits if the refund is withdrawn', async () => {
    await close(await noted(30), 'withdrawn');
    expect(await shown()).toMatchObject({ balance: 500, owed: 0 });
  });

  test('loses only its remaining credits after a reversal', async () => {
    const reference = await ordered();
    const receipt = await payFor(reference);
    const { json } = await seller.call('transaction/refund', { parameters: { reference }, body: { amount: 12 } });
    await close({ reference, refund_id: json.data.refunds[0].refund_id }, 'sent');
    world.clock.nowMs += 1_000;
    await seller.arrive(book.reversed(receipt, 30));
    await world.tell(3);
    const { balance, owed, entries } = await shown();
    expect({ balance, owed, lastCredits: entries[0].credits, creditsBefore: entries[1].credits }).toEqual({
      balance: 0,
      owed: 0,
      lastCredits: -300,
      creditsBefore: -200,
    });
    expectFailure(await order(), 403, 'forbidden');
  });

  test('is closed only by a full refund', async () => {
    const reference = await ordered();
    await seller.arrive(book.paid(30, { reference }));
    const refund = async (amount: number) => {
      const { json } = await seller.call('transaction/refund', { parameters: { reference }, body: { amount } });
      return { reference, refund_id: json.data.refunds.at(-1).refund_id };
    };
    const part = await refund(12);
    await world.tell(3);
    expect({ goods: (await stateOf(reference)).goods, balance: await buyer.balance() }).toEqual({
      goods: 'to_release',
      balance: 0,
    });
    await expect(release(reference)).rejects.toThrow('not fully paid');
    await close(part, 'sent');
    await close(await refund(18), 'sent');
    expect({ goods: (await stateOf(reference)).goods, balance: await buyer.balance() }).toEqual({
      goods: 'taken_back',
      balance: 0,
    });
  });

  test('does not change a test account’s credits', async () => {
    const key = await buyer.addKey('sms', { mode: 'test' });
    const sellersTest = await seller.addKey('live', { mode: 'test' });
    const reference = await ordered(BUNDLE, key);
    const parameters = { reference };
    await world.call('test/simulate', { key: sellersTest, parameters, body: { outcome: 'paid' } });
    await world.tell(3);
    const { json } = await world.call('transaction/refund', { key: sellersTest, parameters, body: { amount: 12 } });
    const { refund_id } = json.data.refunds[0];
    const closing = { parameters: { reference, refund_id }, body: { outcome: 'sent' } };
    await world.call('transaction/close-refund', { key: sellersTest, ...closing });
    await world.tell(3);
    expect({ goods: (await stateOf(reference)).goods, jobs: drainJobs(world) }).toEqual({ goods: 'given', jobs: [] });
    expect(await shown()).toMatchObject({ balance: 0, owed: 0, entries: [] });
  });
});

describe('credits sold by a former seller', () => {
  const ends: [string, () => Promise<unknown>][] = [
    ['is suspended', () => seller.suspend()],
    ['is replaced', async () => sell((await world.createShop()).id, 500, 30)],
    ['is unset by the operator', () => sell(undefined, 500, 30)],
  ];

  test.each(ends)('are not added after the seller %s', async (_, end) => {
    const reference = await ordered();
    await end();
    await payFor(reference);
    expect({ state: await stateOf(reference), balance: await buyer.balance() }).toEqual({
      state: { charge: 'success', goods: 'to_release' },
      balance: 0,
    });
    const [operator, owner] = [await world.signIn('operator', undefined), await buyer.signIn('owner')];
    const page = `/dashboard/operator-money/${buyer.id}`;
    expect((await operator.visit(page)).text).toContain('its seller was suspended or replaced');
    expect((await owner.visit('/dashboard/texts/credits')).text).toContain('This seller no longer sells credits');
    expect((await operator.visit(`${page}/purchases/${reference}/release`, { form: {} })).status).toBe(303);
    await world.tell(3);
    expect({ goods: (await stateOf(reference)).goods, balance: await buyer.balance() }).toEqual({
      goods: 'given',
      balance: 500,
    });
  });

  test.each(ends)('are not added if the seller %s at the same moment', async (_, end) => {
    const reference = await ordered();
    await seller.arrive(book.paid(30, { reference }));
    world.rightBefore('TransactWriteItems', end);
    await giveCredits(world.outside, reference);
    expect({ goods: (await stateOf(reference)).goods, balance: await buyer.balance() }).toEqual({
      goods: 'to_release',
      balance: 0,
    });
  });

  test('are kept if the purchase is complete', async () => {
    const reference = await ordered();
    await payFor(reference);
    await seller.suspend();
    await giveCredits(world.outside, reference);
    expect(await buyer.balance()).toBe(500);
  });
});

describe('a buyer without credits', () => {
  test('gets a 402 that explains where to buy credits', async () => {
    await world.createSender('+233241234500');
    const text = { body: { to: '0551112223', message: 'Hello' } };
    const answer = await buyer.call('sms/send', text);
    expectFailure(answer, 402, 'insufficient_credits');
    expect(answer.json.message).toContain('GET /api/v1/sms/credits');
    await sell(undefined, 500, 30);
    expect((await buyer.call('sms/send', text)).json.message).not.toContain('Buy');
  });
});

describe('a dishonest buyer of credits', () => {
  const drain = async () => {
    for (let n = 0; n < 3; n++) {
      await world.followPayments();
      await world.tell(3);
    }
  };

  test('cannot claim another customer’s payment', async () => {
    const receipt = book.paid(30);
    await seller.arrive(receipt);
    world.clock.nowMs += 60_000;
    const { json } = await order();
    const access_code = json.data.authorization_url.split('/').at(-1);
    const body = { transaction_id: receipt.id, name: 'Kofi Mensah' };
    const before = await world.scan();
    const answer = await world.call('checkout/claim', { parameters: { access_code }, body });
    expectFailure(answer, 422, 'payment_not_found');
    expect(answer.json.message).toContain('Type the number the payment came from');
    expect(await world.scan()).toEqual(before);
    const { text } = await world.call('checkout/page', { parameters: { access_code }, query: { claim: '' } });
    expect({ asksId: text.includes('name="transaction_id"'), offersCode: text.includes('id="ask-code"') }).toEqual({
      asksId: false,
      offersCode: true,
    });
    const mine = await seller.charge({ amount: 30 });
    expect((await seller.assign(receipt, mine)).status).toBe(200);
  });

  test('cannot block another buyer’s credits with forged texts', async () => {
    const reference = await ordered();
    const jobs = [];
    for (let n = 1; n <= 12; n++) {
      const forged = book.receipt(n % 2 ? 30 : 1, { reference, balance: book.pesewas + n * 1000_00 });
      await seller.arrive(forged);
      jobs.push({ receipt_id: seller.paymentId(forged) });
      world.clock.nowMs += 1_000;
    }
    world.clock.nowMs += 3 * 60_000;
    await world.work('settle-receipt', jobs);
    await drain();
    expect(await stateOf(reference)).toEqual({ charge: 'pending', goods: 'unpaid' });
    const own = await payFor(reference);
    // Balances were guessed, so no text is verified until the owner confirms the balance.
    expect(await buyer.balance()).toBe(0);
    await nameBalance(world.outside, { network: 'MTN', momo_number: seller.number }, book.pesewas);
    await world.work('settle-receipt', [{ receipt_id: seller.paymentId(own) }]);
    await drain();
    expect({ state: await stateOf(reference), balance: await buyer.balance() }).toEqual({
      state: { charge: 'success', goods: 'given' },
      balance: 500,
    });
    expect(await seller.verified(reference)).toMatchObject({ disputed: null, amount_paid: 30 });
  });

  test('gets no credits if purchases are blocked before the payment arrives', async () => {
    const reference = await ordered();
    await seller.arrive(book.paid(30, { reference }));
    world.rightBefore('TransactWriteItems', () => world.outside.table.write([stopPurchases(buyer.id, 'MK-1')]));
    await giveCredits(world.outside, reference);
    expect({ goods: (await stateOf(reference)).goods, balance: await buyer.balance() }).toEqual({
      goods: 'to_release',
      balance: 0,
    });
  });

  test('cannot get a bundle for one cedi', async () => {
    const reference = await ordered();
    const receipt = await payFor('', book.paid(1));
    expect((await seller.assign(receipt, reference)).status).toBe(200);
    await world.tell(3);
    expect((await stateOf(reference)).goods).toBe('to_release');
    await expect(release(reference)).rejects.toThrow('not fully paid');
  });

  test('needs the operator’s approval after a reversal', async () => {
    const [one, two] = [await ordered(), await ordered()];
    const receipt = await payFor(one);
    world.clock.nowMs += 1_000;
    await seller.arrive(book.reversed(receipt, 30));
    await world.tell(3);
    world.clock.nowMs += 60_000;
    await payFor(two, book.paid(30, { reference: two }));
    expect({ state: await stateOf(two), balance: await buyer.balance() }).toEqual({
      state: { charge: 'success', goods: 'to_release' },
      balance: 0,
    });
    await release(two);
    await world.tell(3);
    expect(await buyer.balance()).toBe(500);
  });

  test.each([
    ['without another text', undefined],
    [
      'with a second text in another name',
      (id: string, reference: string) => mtn({ amount: '30.00', from: 'AMA OWUSU', reference, id }),
    ],
    ['with a reversal', (id: string) => reversal(id)],
  ])('loses credits bought with a forged text (%s)', async (_, second) => {
    const reference = await ordered();
    const forged = book.receipt(30, { reference, balance: book.pesewas + 30_00 });
    await payFor(reference, forged);
    expect(await buyer.balance()).toBe(500);
    if (second) await seller.arrive(second(forged.id, reference));
    for (let n = 0; n < 6; n++) {
      await seller.arrive(book.paid(11 + n));
      world.clock.nowMs += MINUTE_MS;
      await seller.arrive(book.spent(3 + n));
      world.clock.nowMs += 7 * MINUTE_MS;
    }
    const decideAgain = async () => {
      for (const { receipt_id } of await seller.receipts()) await world.settle({ receipt_id });
      await drain();
      return [(await stateOf(reference)).goods, await buyer.balance()];
    };
    // It is not known yet which of the texts is forged.
    expect(await decideAgain()).toEqual(['given', 500]);
    expectFailure(await order(), 403, 'forbidden');
    await nameBalance(world.outside, { network: 'MTN', momo_number: seller.number }, book.pesewas);
    world.clock.nowMs += DAY_MS;
    await world.housekeeping();
    expect(await decideAgain()).toEqual(['taken_back', 0]);
  });

  test('cannot buy more credits while a purchase is disputed', async () => {
    const reference = await ordered();
    const { id } = await payFor(reference);
    await seller.arrive(mtn({ amount: '30.00', from: 'AMA OWUSU', reference, id }));
    await drain();
    expect({ goods: (await stateOf(reference)).goods, balance: await buyer.balance() }).toEqual({
      goods: 'given',
      balance: 500,
    });
    expectFailure(await order(), 403, 'forbidden');
  });

  test('can buy again after the operator’s decision', async () => {
    const reference = await ordered();
    const receipt = await payFor(reference);
    await seller.arrive(mtn({ amount: '30.00', from: 'AMA OWUSU', reference, id: receipt.id }));
    await drain();
    expectFailure(await order(), 403, 'forbidden');
    await world.outside.table.write((await prepareAllow(world.outside, buyer.id)).writes);
    await giveCredits(world.outside, reference);
    expect((await order()).status).toBe(200);
    world.clock.nowMs += 1_000;
    await seller.arrive(book.reversed(receipt, 30));
    await drain();
    expect((await stateOf(reference)).goods).toBe('taken_back');
    expectFailure(await order(), 403, 'forbidden');
  });

  test('loses the credits if a real reversal follows a forged one', async () => {
    const reference = await ordered();
    const receipt = await payFor(reference);
    await buyer.topUp(-500);
    const text = `Transaction ${receipt.id} of GHS 30.00 has been reversed. Current Balance: GHS 12.34`;
    await seller.arrive({ sender: receipt.sender, text });
    world.clock.nowMs += 1_000;
    await seller.arrive(book.reversed(receipt, 30));
    await drain();
    expect(await stateOf(reference)).toEqual({ charge: 'reversed', goods: 'taken_back' });
    expect(await shown()).toMatchObject({ balance: 0, owed: 500 });
  });

  test('loses the credits if a real reversal follows three with forged balances', async () => {
    const reference = await ordered();
    const receipt = await payFor(reference);
    await seller.arrive(book.paid(10));
    for (const wrong of [11, 22, 33]) {
      const text = `Transaction ${receipt.id} of GHS 30.00 has been reversed. Current Balance: GHS ${wrong}.00`;
      await seller.arrive({ sender: receipt.sender, text });
      world.clock.nowMs += 1_000;
    }
    await seller.arrive(book.reversed(receipt, 30));
    await seller.arrive(book.paid(20));
    expect(await stateOf(reference)).toEqual({ charge: 'success', goods: 'given' });
    world.queued.length = 0;
    world.clock.nowMs += 5 * DAY_MS;
    await runJobs(world);
    expect(await stateOf(reference)).toEqual({ charge: 'success', goods: 'given' });
    await nameBalance(world.outside, { network: 'MTN', momo_number: seller.number }, book.pesewas);
    await runJobs(world);
    expect({ state: await stateOf(reference), balance: await buyer.balance() }).toEqual({
      state: { charge: 'reversed', goods: 'taken_back' },
      balance: 0,
    });
  });
});

describe('an honest buyer of credits', () => {
  test('can buy again after an unverified payment is reversed', async () => {
    await sellFromNewWallet();
    const reference = await ordered();
    const receipt = await payFor(reference, mtn({ amount: '30.00', reference }));
    await seller.arrive(book.reversed(receipt, 30));
    await world.tell(3);
    expect({ state: await stateOf(reference), order: (await order()).status }).toEqual({
      state: { charge: 'reversed', goods: 'taken_back' },
      order: 200,
    });
  });

  test('gets the credits if a pending refund is withdrawn', async () => {
    const reference = await ordered();
    await seller.arrive(book.paid(30, { reference }));
    const noted = await seller.call('transaction/refund', { parameters: { reference }, body: { amount: 30 } });
    const { refund_id } = noted.json.data.refunds[0];
    await world.tell(3);
    expect((await stateOf(reference)).goods).toBe('to_release');
    const withdrawn = { parameters: { reference, refund_id }, body: { outcome: 'withdrawn' } };
    await seller.call('transaction/close-refund', withdrawn);
    await world.tell(3);
    expect({ goods: (await stateOf(reference)).goods, balance: await buyer.balance() }).toEqual({
      goods: 'given',
      balance: 500,
    });
  });

  test('can buy again despite five pending purchases', async () => {
    await sellFromNewWallet();
    const first = await ordered();
    const receipt = mtn({ amount: '30.00', reference: first });
    const receivedAt = world.iso(29 * 60_000);
    world.clock.nowMs += 31 * 60_000;
    await ordered();
    await seller.arrive({ ...receipt, receivedAt });
    await world.tell(3);
    for (let n = 0; n < 4; n++) {
      const reference = await ordered();
      await payFor(reference, mtn({ amount: '30.00', reference }));
    }
    expect((await order()).status).toBe(200);
    const [operator, owner] = [await world.signIn('operator', undefined), await buyer.signIn('owner')];
    expect((await operator.visit(`/dashboard/operator-money/${buyer.id}`)).text).toContain(first);
    expect((await owner.visit('/dashboard/texts/credits')).text).toContain(first);
  });

  test('can buy again after a simulated reversal', async () => {
    const key = await buyer.addKey('sms', { mode: 'test' });
    const sellersTest = await seller.addKey('live', { mode: 'test' });
    const reference = await ordered(BUNDLE, key);
    for (const outcome of ['paid', 'reversed']) {
      await world.call('test/simulate', { key: sellersTest, parameters: { reference }, body: { outcome } });
      await world.tell(3);
    }
    expect({ goods: (await stateOf(reference)).goods, order: (await order(BUNDLE, key)).status }).toEqual({
      goods: 'taken_back',
      order: 200,
    });
  });
});

describe('credits on the dashboard', () => {
  let operator: Person;
  let owner: Person;
  beforeEach(async () => {
    operator = await world.signIn('operator', undefined);
    owner = await buyer.signIn('owner');
  });
  const open = (path: string, by = owner) => by.visit(`/dashboard/texts${path}`);
  const press = (path: string, form: Record<string, string>, by = owner) =>
    by.visit(`/dashboard/texts${path}`, { form });
  const operate = (path: string, form?: Record<string, string>) =>
    world.visit(`/dashboard/operator-money${path}`, { by: operator, ...(form && { form }) });

  test('can be bought by an owner on the checkout page', async () => {
    const { text } = await open('/credits');
    for (const words of [
      '500 texts for GHS\u00a030.00',
      'Sold by Ama Stores',
      'includes taxes',
      'cannot be refunded in cash',
    ])
      expect(text).toContain(words);
    const { status, headers } = await press('/credits/buy', { credits: '500', price: '30' });
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: expect.stringMatching(/^\/checkout\/\w{22}$/),
    });
    expect((await open('/credits')).text).toContain('Continue paying for 500 credits');
  });

  test.each(['cashier', 'viewer', 'developer'] as const)('cannot be bought by a %s', async (role) => {
    const person = await buyer.signIn(role);
    expect((await open('/credits', person)).text).not.toContain('30.00');
    expect((await press('/credits/buy', { credits: '500', price: '30' }, person)).status).toBe(403);
  });

  test('are hidden if there is no seller', async () => {
    await sell(undefined, 500, 30);
    expect((await open('/credits')).text).not.toContain('Buy');
  });

  test('are managed by the operator', async () => {
    const other = await world.createShop();
    expect((await operate(`/${other.id}/sell-credits`, {})).status).toBe(303);
    expect((await operate('/credits/bundle', { credits: '1000', price: '55' })).status).toBe(303);
    expect((await operate('/credits/bundle', { credits: '500', price: '0' })).status).toBe(303);
    const { text } = await operate('/credits');
    expect({ hasThousand: text.includes('1,000'), hasThirty: text.includes('30.00') }).toEqual({
      hasThousand: true,
      hasThirty: false,
    });
    expect((await shown()).bundles).toEqual([{ credits: 1000, price: 55 }]);
    expect((await operate('/credits/stop', {})).status).toBe(303);
    expect((await shown()).bundles).toEqual([]);
    const entries = await world.audit(/^credits /);
    expect(entries.map(({ action, about, before, after }) => ({ action, about, before, after }))).toEqual([
      { action: 'credits seller', before: { seller: seller.id }, after: { seller: other.id } },
      { action: 'credits bundle', about: '1000', before: { price_pesewas: 0 }, after: { price_pesewas: 5500 } },
      { action: 'credits bundle', about: '500', before: { price_pesewas: 3000 }, after: { price_pesewas: 0 } },
      { action: 'credits seller', before: { seller: other.id }, after: { seller: null } },
    ]);
  });

  test('can be sold in at most ten bundles', async () => {
    for (let n = 1; n < 10; n++) await sell(seller.id, n, n);
    const more = prepareBundle(world.outside, { credits: 99, price_pesewas: 9_00 });
    await expect(more).rejects.toThrow('credits: There are already 10 bundles');
    const { status, text } = await operate('/credits/bundle', { credits: '99', price: '9' });
    expect({ status, asksToTakeOff: text.includes('Take one off sale') }).toEqual({ status: 400, asksToTakeOff: true });
  });

  test('wait for the seller if the network may have reversed the payment', async () => {
    const bought = await ordered();
    await seller.suspend(true);
    const { id: transaction_id } = await payFor(bought);
    await seller.suspend(false);
    const payment = { network: 'MTN', momo_number: seller.number, transaction_id };
    await world.work('settle-receipt', [{ kind: 'suspected', ...payment }]);
    expectWords(
      (await operate(`/${buyer.id}`)).text,
      [`${bought}: paid, but in doubt. The seller must check the wallet`],
      ['within an hour', 'add credits above'],
    );
    expectWords((await open('/credits')).text, [`${bought}. You will get them once the payment is verified.`]);
    await seller.suspend(true);
    expectWords((await operate(`/${buyer.id}`)).text, ['The seller must check the wallet'], ['add credits above']);
  });

  test('are not shown as unverified while their delivery is pending', async () => {
    const [named, assigned] = [await ordered(), await ordered()];
    await seller.assign(await payFor('', book.paid(30)), assigned);
    await seller.suspend(true);
    await payFor(named);
    await seller.suspend(false);
    expectWords((await operate(`/${buyer.id}`)).text, [
      `${named}: paid and verified. The credits will arrive within an hour.`,
      `${assigned}: paid and verified, but the payer did not type the reference.`,
    ]);
    expectWords((await open('/credits')).text, [
      `${named}. You will get them within an hour.`,
      `${assigned}. Support must check the payment, because it did not include this reference. Please ask support.`,
    ]);
  });

  test('can be released by the operator for an unverified payment', async () => {
    await sellFromNewWallet();
    const reference = await ordered();
    const receipt = await payFor(reference, mtn({ amount: '30.00', reference }));
    expect((await operate(`/${buyer.id}`)).text).toContain(reference);
    expect((await open('/credits')).text).toContain('once the payment is verified');
    expect((await operate(`/${seller.id}/purchases/${reference}/release`, {})).status).toBe(404);
    const unlooked = await operate(`/${buyer.id}/purchases/${reference}/release`, { shown: 'checking' });
    expectAnswer(unlooked, 409, 'Check it again', 'name="shown" value="unverified"');
    expect((await operate(`/${buyer.id}/purchases/${reference}/release`, { shown: 'unverified' })).status).toBe(303);
    await world.tell(3);
    expect(await buyer.balance()).toBe(500);
    await seller.arrive(book.reversed(receipt, 30));
    await world.tell(3);
    expect((await open('/credits')).text).toContain('reversed the payment');
    expect((await operate(`/${buyer.id}/allow-purchases`, {})).status).toBe(303);
    expect((await open('/credits')).text).toContain('500 texts for GHS\u00a030.00');
    expect(await buyer.audit(/^credits /)).toMatchObject([
      { action: 'credits buy', about: reference, after: { credits: 500, amount_pesewas: 3000 } },
      { action: 'credits release', about: reference, after: { credits: 500 } },
      { action: 'credits allow' },
    ]);
  });
});

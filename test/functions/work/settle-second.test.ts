import { beforeEach, describe, expect, test } from 'vitest';
import { closingOf } from '../../../shared/money/till/closing.ts';
import { expectFailure } from '../../support/envelope.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, establishedBook, type WalletBook } from '../../support/wallet-book.ts';

/* A payment that names a charge which other money paid: what is verified counts before what is not. */

const BOTH = /^Look in your MoMo balance first\. This payment is verified, but the one that paid the charge is not/;

let world: Scene;
let shop: Shop;
let book: WalletBook;
let reference: string;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  book = await establishedBook(world, shop, 6);
  reference = await shop.charge({ amount: 36 });
});

/** A text of money that never came. */
const forge = (amount: number, naming = reference) => book.receipt(amount, { reference: naming, balance: 777_77 });

async function arrive(...texts: BookedText[]): Promise<void> {
  for (const text of texts) {
    await shop.arrive(text);
    world.clock.nowMs += 1_000;
  }
}

const refund = async (body: object) =>
  (await shop.call('transaction/refund', { parameters: { reference }, body })).json.data;

async function closing() {
  const { owed, toLookInto } = await closingOf(world.outside, shop.id, [], world.iso().slice(0, 10));
  return { owed: owed.pesewas, toLookInto: toLookInto.pesewas };
}

describe('a verified payment of a bill that unverified money paid by hand', () => {
  let real: BookedText;

  beforeEach(async () => {
    const forged = forge(36, '1');
    await arrive(forged);
    await shop.assign(forged, reference);
    real = book.paid(36, { reference });
    await arrive(real);
    expect(await shop.receipt(real)).toMatchObject({
      state: 'held',
      reason: 'already_paid',
      proof: { state: 'proven' },
    });
  });

  test('is owed to nobody until somebody has looked', async () => {
    expect(await closing()).toEqual({ owed: 0, toLookInto: 36_00 });
  });

  test('is noted as sent back with a warning that names the other payment', async () => {
    const [{ receipt_id }] = (await shop.verified(reference)).second_payments;
    expect((await refund({ receipt_id })).warning).toMatch(BOTH);
  });

  test('is refused for its bill without advice to send it back', async () => {
    const answer = await shop.assign(real, reference);
    expectFailure(answer, 409, 'charge_not_pending');
    const { json } = answer;
    expect(json.message).toContain('Look in your MoMo balance first. This payment is verified; the one that paid');
    expect(json.message).not.toMatch(/back/);
  });

  test('is never advised to be sent back on its page', async () => {
    const { text } = await (await shop.signIn('owner')).visit(`/dashboard/charges/held/${shop.paymentId(real)}`);
    expect(text).toContain('Look in your MoMo balance first.');
    expect(text).not.toMatch(/(?:send|give) (?:it|the money|them) back/i);
  });

  test.each(['checkout/page', 'checkout/receipt'] as const)('is named on %s without advice', async (page) => {
    const { access_code } = await world.transaction(reference);
    const { text } = await world.call(page, { parameters: { access_code } });
    expect(text).toContain('Another payment message about this bill came');
    expect(text).not.toMatch(/A second payment arrived|send it back/);
  });
});

test('an honest second payment of a verified bill is owed, and its advice is to send it back', async () => {
  await arrive(book.paid(36, { reference }));
  const again = book.paid(36, { reference });
  await arrive(again);
  expect(await closing()).toEqual({ owed: 36_00, toLookInto: 0 });
  expect((await shop.assign(again, reference)).json.message).toContain('Send the money of a second payment back');
  const [{ receipt_id }] = (await shop.verified(reference)).second_payments;
  const { text } = await (await shop.signIn('owner')).visit(`/dashboard/charges/held/${shop.paymentId(again)}`);
  expect(text).toContain('Send it back, and note that below.');
  expect((await refund({ receipt_id })).warning).toBeNull();
});

describe('a second payment of a request’s bill', () => {
  const seen = async (slug: string) => {
    const owner = await shop.signIn('owner');
    const shown = await owner.visit(`/dashboard/requests/${slug}`);
    return [shown.text, (await world.call('r/page', { parameters: { slug } })).text];
  };

  test('that is verified is not sent back where the bill was paid by hand with unverified money', async () => {
    const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 36 }] });
    reference = await world.openPart(slug, '36');
    const forged = forge(36, '1');
    await arrive(forged);
    await shop.assign(forged, reference);
    await arrive(book.paid(36, { reference }));
    await world.tell(3);
    const [dashboard, page] = await seen(slug);
    expect(dashboard).toContain('This payment is verified; the one that paid its bill is not.');
    expect(page).toContain('Another payment message about this bill came');
    for (const text of [dashboard, page]) expect(text).not.toMatch(/send it back/i);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { expectWords } from '../support/answers.ts';
import { mtn, reversal } from '../support/receipts.ts';
import { httpRoutes, loadRoute } from '../support/routes.ts';
import { type Scene, type Shop, scene } from '../support/scene.ts';
import { verifyMoney } from '../support/verified.ts';
import { provenBook } from '../support/wallet-book.ts';
import { call } from '../support/world.ts';

/*
 * A forger overpays a bill and then pays it again. The wallet is new, so neither payment is verified. No public page
 * may show the forged amounts.
 */

const [BILL, PAID, SECOND] = [36, '813.77', '888.88'];
const FORGED = /(813|777|888)\.\d\d|GHS (813|777|888)|send it back|sent back/i;
const ANOTHER = 'Another payment message about this bill arrived; Ama Stores is checking it.';

const forms: Readonly<Record<string, object>> = {
  'checkout/claim': { transaction_id: '51234567890', name: 'Kofi Mensah' },
  'checkout/ask-for-code': { phone: '0209876543' },
  'checkout/confirm-code': { phone: '0209876543', code: '123456' },
  'checkout/text': { phone: '0209876543' },
  'pay/open': { amount: '20' },
  'r/open': { amount: '20' },
};

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

describe('customer pages after a forged payment', () => {
  test('hide a forged overpayment', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Wi-Fi', amount: BILL } });
    const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Tuition', amount: BILL }] });
    const references = [
      await shop.charge({ amount: BILL }),
      (await world.openLink(json.data.slug)).reference,
      await world.openPart(slug, String(BILL)),
    ];
    for (const reference of references) await forge(reference);
    const texts = await walk(references, [json.data.slug, slug]);
    expect(texts.size).toBeGreaterThan(20);
    for (const [route, text] of texts)
      expect({ route, forged: FORGED.exec(text)?.[0] }).toEqual({ route, forged: undefined });
    expect([...texts.values()].filter((text) => text.includes(ANOTHER)).length).toBeGreaterThanOrEqual(7);
  });

  test('hide a forged part payment after the charge is cancelled', async () => {
    const reference = await shop.charge({ amount: 1000 });
    await shop.pay(mtn({ reference, amount: PAID }));
    await shop.call('transaction/cancel', { parameters: { reference } });
    expectWords(await page(reference), [ANOTHER], [PAID, 'send it back']);
    expect((await status(reference)).amount_paid).toBe(0);
  });

  test('hide a forged part payment after a reversal', async () => {
    const reference = await shop.charge({ amount: 1000 });
    await shop.pay(mtn({ reference, amount: PAID }));
    const last = mtn({ reference, amount: '186.23' });
    await shop.pay(last);
    await shop.arrive(reversal(last.id, '186.23'));
    for (const text of [await page(reference), await page(reference, 'checkout/receipt')]) {
      expectWords(text, [], [PAID, 'send it back']);
    }
  });

  test('show an overpayment once it is verified', async () => {
    const reference = await shop.charge({ amount: BILL });
    await forge(reference);
    await verifyMoney(world);
    const asked = ['You paid <b>GHS 777.77</b> too much', `GHS ${SECOND}`, 'Ask Ama Stores to send it back'];
    expectWords(await page(reference), asked, [ANOTHER]);
    expect((await status(reference)).amount_paid).toBe(813.77);
  });

  test('hide the amount of a second payment that was sent back', async () => {
    const reference = await shop.charge({ amount: BILL });
    const second = await forge(reference);
    const manager = await shop.signIn('manager');
    const path = `/dashboard/held/${shop.paymentId(second)}/set-aside`;
    expect((await manager.visit(path, { form: { sent_back: 'on' } })).status).toBe(303);
    expectWords(await page(reference), ['The money was sent back on'], [SECOND, PAID, 'send it back']);
  });
});

describe('the checkout page of a pending charge', () => {
  const CAME = 'A payment message about this bill arrived; Ama Stores is checking it.';

  test.each([
    ['is running', 0, 'If you have paid, wait until this page turns green.'],
    ['has timed out', 3 * MINUTE_MS, 'Have you paid?'],
  ])('still offers payment when the check of a forged payment %s', async (_, laterMs, said) => {
    const reference = await shop.charge({ amount: 500 });
    await provenBook(world, shop, 6);
    await shop.pay(mtn({ reference, amount: PAID }));
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    world.clock.nowMs += laterMs;
    const text = await page(reference);
    expectWords(text, [CAME, 'If you have not paid yet, pay now.', said], [PAID, 'Please do not pay']);
    expectWords(text, ['Type this in the reference field', 'Send exactly', 'QR code with the address of this page']);
  });

  test('does not mention verification before a payment arrives', async () => {
    expectWords(await page(await shop.charge({ amount: 500 })), ['Send exactly'], ['a payment message']);
  });
});

describe('a customer receipt', () => {
  test('cannot be shared until the payment is verified', async () => {
    const reference = await shop.charge({ amount: BILL });
    await shop.pay(mtn({ reference }));
    const words = 'Ama Stores has not verified this payment yet.';
    expect(await page(reference, 'checkout/receipt')).toContain(words);
    expectWords(await page(reference), ['/receipt'], ['data-share', 'Share receipt']);
    await verifyMoney(world);
    expect(await page(reference, 'checkout/receipt')).not.toContain('verified');
    expectWords(await page(reference), ['data-share', 'Share receipt'], ['verified']);
  });
});

describe('the checkout page of a paid charge', () => {
  test('is amber until the payment is verified', async () => {
    const reference = await shop.charge({ amount: BILL });
    await shop.pay(mtn({ reference }));
    const waits = [
      'data-status="look"',
      'Ama Stores has not verified this payment yet.</h2>',
      '<b>Do not pay again.</b> In the shop? Show this page to the seller.',
      'Print these details',
    ];
    const received = [
      'data-status="success"',
      'Payment received',
      'Thank you',
      'has received your payment',
      'Receipt to print or keep',
    ];
    expectWords(await page(reference), waits, received);
    await verifyMoney(world);
    expectWords(await page(reference), received, ['verified', 'Do not pay again']);
  });
});

describe('a payment request’s page', () => {
  test('marks unverified amounts and thanks only for verified ones', async () => {
    const instalments = [
      { due: '2099-01-01', amount: 30 },
      { due: '2099-02-01', amount: 20 },
    ];
    const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Tuition', amount: 50 }], instalments });
    const reference = await world.openPart(slug, '40');
    await shop.pay(mtn({ reference, amount: '40.00' }));
    const see = async () => (await world.call('r/page', { parameters: { slug } })).text;
    const badge = '<span class="pill look">Not verified yet<';
    const marked = ['<span>GHS 40.00</span>', 'Paid<br>', '10.00 paid<br>', '40.00<br>'].map((one) => one + badge);
    expectWords(await see(), [...marked, `GHS 40.00 paid of GHS 50.00 ${badge}`]);
    await shop.payPart(slug, '10');
    const inDoubt = '<p class="notice look" role="status">';
    const unverified = [inDoubt, '<span>Ama Stores has not verified this payment yet. Do not pay again.</span>'];
    expectWords(await see(), [...unverified, '10.00<br>', '40.00<br>'], ['Thank you', 'Still to pay', 'notice good']);
    await verifyMoney(world);
    const received = ['<p class="notice good" role="status">', 'Paid in full. Thank you.'];
    expectWords(await see(), received, ['verified', 'Still to pay', inDoubt]);
  });
});

async function forge(reference: string) {
  await shop.pay(mtn({ reference, amount: PAID }));
  const second = mtn({ reference, amount: SECOND });
  await shop.pay(second);
  await world.tell(3);
  return second;
}

/** Returns the response of every public route, as a page and as JSON. */
async function walk(references: readonly string[], slugs: readonly string[]) {
  const texts = new Map<string, string>();
  const codes = await Promise.all(references.map(async (reference) => (await world.chargeRow(reference)).access_code));
  for (const { name, row } of httpRoutes()) {
    if (!('publicBecause' in row)) continue;
    const values = row.path.includes('{access_code}') ? codes : row.path.includes('{slug}') ? slugs : [];
    for (const value of values) {
      const parameters = { access_code: value, slug: value };
      for (const accept of ['text/html', 'application/json']) {
        const request = { parameters, headers: { accept }, ...(forms[name] && { body: forms[name] }) };
        const { text } = await call(world, await loadRoute(name), request);
        texts.set(`${name} ${accept} ${value}`, text);
      }
    }
  }
  return texts;
}

async function page(reference: string, route: 'checkout/page' | 'checkout/receipt' = 'checkout/page') {
  const { access_code } = await world.chargeRow(reference);
  return (await world.call(route, { parameters: { access_code } })).text;
}

async function status(reference: string) {
  const { access_code } = await world.chargeRow(reference);
  return (await world.call('checkout/status', { parameters: { access_code } })).json.data;
}

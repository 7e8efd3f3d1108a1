import { expect, test } from 'vitest';
import { expectAnswer } from '../../support/answers.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { faultAt } from '../../support/page-words.ts';
import { fromTelecel, newPayerNumber, pay as receive } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import { ended, formsOf } from './charges.ts';

const world = await scene();
await world.createSender('+233240009999');
const merchant = await world.createMerchant();
const SHOP = { number: '+233241234567' };
const { submit, post } = formsOf(world, 'checkout/confirm-code');

test('a correct code marks the charge as paid and redirects to its page', async () => {
  const { waiting, phone, code } = await asked();
  const { status, headers } = await submit(waiting, { phone, code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
  expect({ status, location: headers.location }).toEqual({ status: 303, location: `/checkout/${waiting.access_code}` });
  expect(await merchant.verified(waiting.reference)).toMatchObject({
    status: 'success',
    payment: { matched_by: 'phone' },
  });
});

test('a JSON client gets the redirect URL on each call', async () => {
  const { waiting, phone, code } = await asked({ callback_url: 'https://shop.example.com/' });
  for (let n = 0; n < 2; n++) {
    const { status, json } = await post(waiting, { phone, code });
    expect({ status, dataStatus: json.data.status }).toEqual({ status: 200, dataStatus: 'success' });
    expect(json.data.redirect_url).toBe(`https://shop.example.com/?reference=${waiting.reference}`);
  }
});

test('a wrong code returns 422 and keeps the number', async () => {
  const { waiting, phone, code } = await asked();
  const nobodys = await merchant.createCharge();
  const wrong = code === '000000' ? '000001' : '000000';
  for (const charge of [waiting, nobodys]) {
    const page = await submit(charge, { phone, code: wrong });
    const kept = `<input type="hidden" name="phone" value="${phone}">`;
    const title = '<title>Error: Pay GHS 36.00 to Ama Stores</title>';
    expectAnswer(page, 422, title, kept, 'aria-invalid="true" autofocus');
    expect(faultAt(page.text, 'confirm-code-fault')).toMatch(/^This code is wrong or no longer valid/);
    expectFailure(await post(charge, { phone, code: wrong }), 422, 'wrong_code');
  }
});

test('an invalid code or number does not count as an attempt', async () => {
  const { waiting, phone, code } = await asked();
  for (const typed of ['', '12345', '1234567', 'abcdef', '12345a']) {
    expectBadFields(await post(waiting, { phone, code: typed }), 'code');
    expect((await submit(waiting, { phone, code: typed })).text).toMatch(
      /id="confirm-code-fault"[^>]*>Type the six digits/,
    );
  }
  expectBadFields(await post(waiting, { phone, code: 123456 }), 'code');
  expectBadFields(await post(waiting, { phone: 'kofi', code }), 'phone');
  expect((await post(waiting, { phone, code })).status).toBe(200);
});

test('a correct code for a closed charge returns the charge’s status', async () => {
  const { paid, reversed, waiting: expired } = await ended(world, merchant);
  const body = { phone: '0209876543', code: '123456' };
  expect((await submit(paid, body)).status).toBe(303);
  expectFailure(await post(reversed, body), 409, 'charge_reversed');
  world.clock.nowMs += 24 * 60 * 60_000;
  expectFailure(await post(expired, body), 410, 'charge_expired');
});

test('a code for an unknown charge returns 404', async () => {
  expectFailure(await post({ access_code: 'unknown' }, { phone: '0209876543', code: '123456' }), 404, 'not_found');
});

/** Creates a charge and requests a code for its payment. @returns the code. */
async function asked(body: object = {}) {
  const payer = newPayerNumber();
  const phone = payer.replace(/^233/, '0');
  await receive(world, SHOP, fromTelecel({ phone: payer }));
  const waiting = await merchant.createCharge(body);
  await world.call('checkout/ask-for-code', { parameters: { access_code: waiting.access_code }, body: { phone } });
  const text = (await world.rows('SEND')).find(({ to }) => Array.isArray(to) && to.includes(`+${payer}`));
  return { waiting, phone, code: String(text?.message).slice(0, 6) };
}

import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { foldsIn, wordsAt } from '../../support/page-words.ts';
import type { CreatedCharge } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import { FORM, formsOf, holdPayment, pay, reverse } from './charges.ts';

const world = await scene();
const merchant = await world.createMerchant();
const forms = formsOf(world, 'checkout/claim');
const { post, send } = forms;

describe('a claim with a held payment’s transaction id', () => {
  test('marks the charge as paid and redirects a form to its page', async () => {
    const waiting = await merchant.createCharge();
    await holdPayment(world, merchant, '51234567890');
    const { status, headers } = await submit(waiting, ' 51234567890 ');
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: `/checkout/${waiting.access_code}`,
    });
    expect(await stateOf(waiting)).toBe('success');
  });

  test('marks the charge as paid and returns the redirect URL as JSON', async () => {
    const waiting = await merchant.createCharge({ callback_url: 'https://shop.example.com/' });
    await holdPayment(world, merchant, '51234567891');
    const { status, json } = await post(waiting, { transaction_id: '51234567891', name: 'Kofi Mensah' });
    const redirect_url = `https://shop.example.com/?reference=${waiting.reference}`;
    expect({ status, data: json.data }).toMatchObject({ status: 200, data: { status: 'success', redirect_url } });
    expect(await stateOf(waiting)).toBe('success');
  });

  test('may be submitted as a base64-encoded form', async () => {
    const waiting = await merchant.createCharge();
    await holdPayment(world, merchant, '51234567892');
    const body = 'transaction_id=51234567892&name=Kofi+Mensah';
    expect((await send(waiting, { headers: FORM, body, isBase64Encoded: true })).status).toBe(303);
  });
});

describe('a claim with an unknown transaction id', () => {
  test('returns 422 with the entered values', async () => {
    const waiting = await merchant.createCharge();
    const { status, headers, text } = await submit(waiting, '51234567899');
    expect(status).toBe(422);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(text).toContain('<title>Error: Pay GHS 36.00 to Ama Stores</title>');
    expect(foldsIn(text)).toContainEqual({ summary: 'I have paid but nothing happened', isOpen: true });
    expect(text).toMatch(
      /role="alert">We cannot confirm a payment with this ID, name and amount\. [^<]* contact Ama Stores\. A payment that arrived is not lost/,
    );
    expectWords(text, ['value="51234567899"', 'value="Kofi Mensah"', 'aria-invalid="true"'], ['http-equiv="refresh"']);
    expect(await stateOf(waiting)).toBe('pending');
  });

  test('shows how to claim a payment from another network', async () => {
    const asked = await world.createMerchant();
    await asked.change({ contact: '+233241234567' });
    const { text } = await submit(await asked.createCharge(), '51234567899');
    expect(wordsAt(text, 'claim-next')).toContain('Still not confirmed?');
    expect(text).toMatch(
      /If you paid from another network, .* Instead, use the form above to type the number the payment came from/,
    );
    expect(text).toContain('href="tel:+233241234567"');
  });

  test('keeps the selected network', async () => {
    const everywhere = await world.createMerchant();
    const first = { number: '+233241234567', network: 'MTN' as const, account_name: 'AMA STORES' };
    await everywhere.change({ momo_accounts: [first, { ...first, number: '+233201234567', network: 'TELECEL' }] });
    const waiting = await everywhere.createCharge();
    const body = 'transaction_id=51234567899&name=Kofi+Mensah';
    const page = await send(waiting, { headers: FORM, query: { network: 'TELECEL' }, body });
    expectAnswer(page, 422, 'Pay with Telecel Cash');
  });

  test('returns 422 payment_not_found in JSON', async () => {
    const answer = await post(await merchant.createCharge(), { transaction_id: '51234567899', name: 'Kofi Mensah' });
    expectFailure(answer, 422, 'payment_not_found');
  });

  test('has its transaction id escaped on the page', async () => {
    const written = '1"><script>alert(1)</script>';
    const { text } = await submit(await merchant.createCharge(), written, written);
    expect(text).not.toContain('<script>alert');
    expect(text.split('value="1&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')).toHaveLength(3);
  });
});

test('the sixth claim in ten minutes returns 429', async () => {
  const waiting = await merchant.createCharge();
  for (let n = 0; n < 5; n++) expect((await submit(waiting, `5123456780${n}`)).status).toBe(422);
  const page = await submit(waiting, '51234567805');
  expectAnswer(page, 429, 'Too many attempts. Wait 10 minutes and try again.');
  expect(wordsAt(page.text, 'claim-next')).toContain('Still not confirmed?');
  expect(page.headers['retry-after']).toBe('600');
  const answer = await post(waiting, { transaction_id: '51234567805', name: 'Kofi Mensah' });
  expectFailure(answer, 429, 'too_many_tries');
  expect(answer.headers['retry-after']).toBe('600');
});

test('a claim returns 429 after too many wrong claims for similar payments', async () => {
  const name = 'Yaw Adjei';
  for (let n = 0; n < 30; n++) {
    const sourceIp = `198.51.100.${n}`;
    const body = { transaction_id: `5100000000${n % 10}`, name };
    await send(await merchant.createCharge({ amount: 27 }), {
      headers: { accept: 'application/json' },
      body,
      sourceIp,
    });
  }
  const waiting = await merchant.createCharge({ amount: 27 });
  const page = await submit(waiting, '51234567805', name);
  expect(page.status).toBe(429);
  expect(Number(page.headers['retry-after'])).toBeLessThanOrEqual(3600);
  expect(page.text).toMatch(
    /role="alert">We could not check your payment\. There were too many wrong attempts for a payment like yours\. If you have paid, your payment is not lost\. Contact Ama Stores, or wait [^<]* and try again\./,
  );
  expect(wordsAt(page.text, 'claim-next')).toContain('Still not confirmed?');
  expectFailure(await post(waiting, { transaction_id: '51234567805', name }), 429, 'too_many_tries');
});

describe('a claim with an invalid transaction id', () => {
  const faults = [
    ['', 'Type the transaction ID'],
    ['   ', 'Type the transaction ID'],
    ['no digits', 'has 10 to 14 digits'],
    ['123456789', 'has 10 to 14 digits'],
  ] as const;

  test.each(faults)('returns 400 with a field error for %j', async (typed, message) => {
    const { status, text } = await submit(await merchant.createCharge(), typed);
    expect(status).toBe(400);
    expect(text).toMatch(new RegExp(`role="alert">[^<]*${message}`));
    expect(text).toContain('id="claim-next"');
    expect(wordsAt(text, 'claim-next')).toBeUndefined();
  });

  test('returns 400 with the field’s name in JSON', async () => {
    const waiting = await merchant.createCharge();
    const name = 'Kofi Mensah';
    expectBadFields(await post(waiting, { transaction_id: 'no digits', name }), 'transaction_id');
    expectBadFields(await post(waiting, { transaction_id: 51234567890, name }), 'transaction_id');
    expectBadFields(await post(waiting, {}), 'transaction_id', 'name');
    for (const wrong of ['', 'Kofi', 'K. Mensah', 'A B C D E F', 'Kofi Ama Yaw Esi Abena']) {
      expectBadFields(await post(waiting, { transaction_id: '51234567890', name: wrong }), 'name');
    }
  });

  test('does not count as an attempt', async () => {
    const waiting = await merchant.createCharge();
    await holdPayment(world, merchant, '51234567893');
    for (const [typed] of [...faults, ...faults]) await submit(waiting, typed);
    expect((await submit(waiting, '51234567893')).status).toBe(303);
  });
});

test('a claim accepts a pasted text that contains the transaction id', async () => {
  const waiting = await merchant.createCharge();
  await holdPayment(world, merchant, '51234567895');
  const pasted =
    'Payment made for GHS 36.00 to AMA STORES Current Balance: GHS 222.58 . Available Balance: GHS 222.58. Reference: 0241234567. Transaction ID: 51234567895. Fee charged: GHS1.00 Tax charged: 0.';
  expect((await submit(waiting, pasted)).status).toBe(303);
  expect(await stateOf(waiting)).toBe('success');
});

test('a wrong name gets the same response as a wrong id', async () => {
  const waiting = await merchant.createCharge();
  await holdPayment(world, merchant, '51234567896');
  const [wrongId, wrongName] = [
    await post(waiting, { transaction_id: '51234567897', name: 'Kofi Mensah' }),
    await post(waiting, { transaction_id: '51234567896', name: 'Eve Thief' }),
  ];
  expect({ status: wrongName.status, message: wrongName.json.message }).toEqual({
    status: wrongId.status,
    message: wrongId.json.message,
  });
  expect(await stateOf(waiting)).toBe('pending');
});

test('a claim for a paid charge redirects to its page', async () => {
  const paid = await merchant.createCharge();
  await pay(world, paid);
  world.requests.length = 0;
  expect((await submit(paid, '1')).status).toBe(303);
  expect((await post(paid, { transaction_id: '1' })).json.data.status).toBe('success');
  expect(world.requests).toEqual(['GetItem', 'GetItem']);
});

test('a claim for an expired charge returns 410', async () => {
  const expired = await merchant.createCharge();
  await holdPayment(world, merchant, '51234567894');
  world.clock.nowMs += 24 * HOUR_MS;
  const page = await submit(expired, '51234567894');
  const answer = await post(expired, { transaction_id: '51234567894' });
  world.clock.nowMs -= 24 * HOUR_MS;
  expectAnswer(page, 410, 'This link has expired');
  expectFailure(answer, 410, 'charge_expired');
  expect((await submit(expired, '51234567894')).status).toBe(303);
});

test('a claim for a reversed charge returns 409', async () => {
  const reversed = await merchant.createCharge();
  await reverse(world, reversed);
  expectAnswer(await submit(reversed, '51234567890'), 409, 'The network reversed this payment');
  expectFailure(await post(reversed, { transaction_id: '51234567890' }), 409, 'charge_reversed');
});

test('a claim with an unknown access code returns 404', async () => {
  expectAnswer(await submit({ access_code: 'unknown' }, '51234567890'), 404, 'This payment link does not exist');
  expectFailure(await post({ access_code: 'unknown' }, { transaction_id: '51234567890' }), 404, 'not_found');
});

describe('a claim with an invalid body', () => {
  test.each(['text/plain', 'multipart/form-data; boundary=x', ''])(
    'returns a 415 page for Content-Type %j',
    async (type) => {
      const request = { headers: { 'content-type': type }, body: 'transaction_id=1' };
      const { status, headers } = await send(await merchant.createCharge(), request);
      expect({ status, contentType: headers['content-type'] }).toEqual({
        status: 415,
        contentType: 'text/html; charset=utf-8',
      });
    },
  );

  test('returns a JSON error for malformed JSON', async () => {
    expectFailure(await send(await merchant.createCharge(), { body: '{"transaction_id"' }), 400, 'malformed_json');
  });
});

function submit(to: Pick<CreatedCharge, 'access_code'>, transaction_id: string, name = 'Kofi Mensah') {
  return forms.submit(to, { transaction_id, name });
}

async function stateOf({ reference }: CreatedCharge): Promise<string> {
  return (await merchant.verified(reference)).status;
}

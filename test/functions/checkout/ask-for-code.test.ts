import { expect, test } from 'vitest';
import { expectWords } from '../../support/answers.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { faultAt, foldsIn } from '../../support/page-words.ts';
import { fromTelecel, newPayerNumber, pay as receive } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import { ended, formsOf } from './charges.ts';

const world = await scene();
await world.createSender('+233240009999');
const merchant = await world.createMerchant();
const SHOP = { number: '+233241234567' };
const { submit, post } = formsOf(world, 'checkout/ask-for-code');
const SAID =
  'If the network shows GHS 36.00 from this number, we have texted it a code. If the code does not arrive, contact Ama Stores.';

test('submitting a number shows the code form', async () => {
  const { status, text } = await submit(await merchant.createCharge(), { phone: ' 020 987 6543' });
  expect(status).toBe(200);
  const asked = [
    `<p id="code-said" role="status">${SAID}</p>`,
    '<input type="hidden" name="phone" value=" 020 987 6543">',
  ];
  const shown = ['<title>Pay GHS 36.00 to Ama Stores</title>', ...asked];
  expectWords(text, shown, ['http-equiv="refresh"']);
  expect(foldsIn(text)).toContainEqual({ summary: 'I have paid but nothing happened', isOpen: true });
  expect(text).toMatch(/<form id="confirm-code" method="post" action="\/checkout\/\w+\/code\/confirm">/);
});

test('a JSON client gets the same message as the page', async () => {
  const { status, json } = await post(await merchant.createCharge(), { phone: '0209876543' });
  expect({ status, message: json.message, dataStatus: json.data.status }).toEqual({
    status: 200,
    message: SAID,
    dataStatus: 'pending',
  });
});

test('a code is texted only to a number that has paid', async () => {
  const [payer, other] = [newPayerNumber(), newPayerNumber()];
  await receive(world, SHOP, fromTelecel({ phone: payer }));
  const [waiting, another] = [await merchant.createCharge(), await merchant.createCharge()];
  const [yes, no] = [await post(waiting, { phone: `+${payer}` }), await post(another, { phone: `+${other}` })];
  const told = ({ status, json: { message, data } }: typeof yes) => ({ status, message, data: Object.keys(data) });
  expect(told(yes)).toEqual(told(no));
  expect((await world.rows('SEND')).map(({ to }) => to)).toEqual([[`+${payer}`]]);
});

test('the sixth code request in ten minutes returns 429', async () => {
  const waiting = await merchant.createCharge();
  for (let n = 0; n < 5; n++) expect((await submit(waiting, { phone: '0209876543' })).status).toBe(200);
  const page = await submit(waiting, { phone: '0209876543' });
  expect({ status: page.status, retryAfter: page.headers['retry-after'] }).toEqual({ status: 429, retryAfter: '600' });
  expect(faultAt(page.text, 'ask-code-fault')).toMatch(/^Too many attempts\. Wait 10 minutes/);
  expect(page.text).toMatch(/<form id="confirm-code"[^>]* hidden>/);
  expectFailure(await post(waiting, { phone: '0209876543' }), 429, 'too_many_tries');
});

test('an invalid number does not count as an attempt', async () => {
  const waiting = await merchant.createCharge();
  for (const [typed, message] of [
    ['', 'Type the number the payment came from.'],
    ['020987654', 'Type the number the payment came from, such as 020 987 6543.'],
    ['0302123456', 'Type the number the payment came from, such as 020 987 6543.'],
    ['kofi', 'Type the number the payment came from, such as 020 987 6543.'],
    ['"><script>', 'Type the number the payment came from, such as 020 987 6543.'],
  ] as const) {
    const page = await submit(waiting, { phone: typed });
    expect(page.status).toBe(400);
    expect(faultAt(page.text, 'ask-code-fault')).toMatch(new RegExp(`^${message}`));
    expect(page.text).not.toContain('value=""><script>');
    expectBadFields(await post(waiting, { phone: typed }), 'phone');
  }
  expectBadFields(await post(waiting, { phone: 209876543 }), 'phone');
  expectBadFields(await post(waiting, {}), 'phone');
  expect((await submit(waiting, { phone: '0209876543' })).status).toBe(200);
});

test('a code request for a closed charge returns the charge’s status', async () => {
  const { paid, reversed, waiting: expired } = await ended(world, merchant);
  const page = await submit(paid, { phone: '0209876543' });
  expect({ status: page.status, location: page.headers.location }).toEqual({
    status: 303,
    location: `/checkout/${paid.access_code}`,
  });
  expect((await post(paid, { phone: '0209876543' })).json.data.status).toBe('success');
  expectFailure(await post(reversed, { phone: '0209876543' }), 409, 'charge_reversed');
  world.clock.nowMs += 24 * 60 * 60_000;
  expectFailure(await post(expired, { phone: '0209876543' }), 410, 'charge_expired');
  expect((await submit(expired, { phone: '0209876543' })).text).toContain('This link has expired');
});

test('a code request for an unknown charge returns 404', async () => {
  expectFailure(await post({ access_code: 'unknown' }, { phone: '0209876543' }), 404, 'not_found');
});

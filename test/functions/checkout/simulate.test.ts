import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/envelope.ts';
import { scene } from '../../support/scene.ts';

const world = await scene();
const merchant = await world.createMerchant();
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

describe('the page of a test charge', () => {
  test('says that it is a test in every state, on the receipt too, and has a button for what may happen', async () => {
    const waiting = await charge();
    const open = await pageOf(waiting);
    expect(open).toContain('<header class="test-band"><b>TEST</b>');
    expect(open).toContain('<title>TEST: Pay GHS 36.00 to Ama Stores</title>');
    expect(outcomesOn(open)).toEqual([
      'paid',
      'underpaid',
      'overpaid',
      'paid_twice',
      'held',
      'disputed',
      'reversed',
      'expired',
    ]);
    for (const [outcome, left] of [
      ['paid', ['paid_twice', 'disputed', 'reversed']],
      ['reversed', []],
    ] as const) {
      await press(waiting, outcome);
      const shown = await pageOf(waiting);
      expect(shown).toContain('<header class="test-band"><b>TEST</b>');
      expect(outcomesOn(shown)).toEqual(left);
    }
    const paid = await charge();
    await press(paid, 'paid');
    expect(await pageOf(paid)).toMatch(/test-band.*data-share="TEST\. GHS 36\.00 paid/s);
    const { text } = await world.call('checkout/receipt', { parameters: { access_code: paid.access_code } });
    expect(text).toMatch(/<title>TEST: Receipt.*test-band/s);
    const expired = await charge();
    await press(expired, 'expired');
    expect(await pageOf(expired)).toContain('<header class="test-band"><b>TEST</b>');
  });

  test('a button is a form: it does what it says and leads back to the page', async () => {
    const waiting = await charge();
    const { status, headers } = await press(waiting, 'overpaid');
    expect([status, headers.location]).toEqual([303, `/checkout/${waiting.access_code}`]);
    const { json } = await world.call('transaction/verify', {
      key: merchant.testKey,
      parameters: { reference: waiting.reference },
    });
    expect(json.data).toMatchObject({ status: 'success', overpaid: 1, livemode: false });
  });

  test('a script that presses it is answered with the envelope', async () => {
    const parameters = { access_code: (await charge()).access_code };
    const answer = await world.call('checkout/simulate', { parameters, body: { outcome: 'underpaid' } });
    expect(answer.json).toMatchObject({ status: true, data: { status: 'pending', amount_paid: 18 } });
    expectFailure(
      await world.call('checkout/simulate', { parameters, body: { outcome: 'lost' } }),
      400,
      'invalid_request',
    );
  });

  test('no code is ever texted from it', async () => {
    await world.createSender('+233241234567');
    const waiting = await charge();
    await press(waiting, 'held');
    const said = await world.call('checkout/ask-for-code', {
      parameters: { access_code: waiting.access_code },
      headers: { accept: 'application/json' },
      body: { phone: '0241234567' },
    });
    expect(said.status).toBe(200);
    expect(await world.rows('SEND')).toEqual([]);
  });
});

test('a real charge has no such button, and cannot be paid by pressing one', async () => {
  const real = await charge(merchant.liveKey);
  const shown = await pageOf(real);
  expect(shown).not.toMatch(/class="test|>TEST/);
  const { status, text } = await press(real, 'paid');
  expect(status).toBe(404);
  expect(text).toContain('This payment link does not exist');
  expect(await pageOf(real)).toContain('data-status="pending"');
});

async function charge(key = merchant.testKey): Promise<{ reference: string; access_code: string }> {
  return (await world.call('transaction/initialize', { key, body: { amount: 36, customer_name: 'Kofi Mensah' } })).json
    .data;
}

function press({ access_code }: { access_code: string }, outcome: string) {
  return world.call('checkout/simulate', { parameters: { access_code }, headers: FORM, body: `outcome=${outcome}` });
}

async function pageOf({ access_code }: { access_code: string }): Promise<string> {
  return (await world.call('checkout/page', { parameters: { access_code } })).text;
}

function outcomesOn(text: string): string[] {
  return [...text.matchAll(/name="outcome" value="(\w+)"/g)].map(([, outcome = '']) => outcome);
}

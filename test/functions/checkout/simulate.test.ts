import { describe, expect, test } from 'vitest';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { expectFailure } from '../../support/envelope.ts';
import type { CreatedCharge } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import { formsOf } from './charges.ts';

const world = await scene();
const merchant = await world.createMerchant();
const tester = { ...merchant, liveKey: merchant.testKey };
const { post, submit } = formsOf(world, 'checkout/simulate');
const charge = (by = tester) => by.createCharge({ customer_name: 'Kofi Mensah' });
const press = (to: CreatedCharge, outcome: string) => submit(to, { outcome });

describe('the page of a test charge', () => {
  test('is marked as a test in every state, with a button for each possible event', async () => {
    const waiting = await charge();
    const open = await pageOf(waiting);
    expectWords(open, ['<header class="test-band"><b>TEST</b>', '<title>TEST: Pay GHS 36.00 to Ama Stores</title>']);
    expect(outcomesOn(open)).toEqual([
      ...['paid', 'underpaid', 'overpaid', 'paid_twice', 'held', 'disputed', 'reversed', 'expired'],
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

  test('has form buttons that do what they say and lead back to the page', async () => {
    const waiting = await charge();
    const { status, headers } = await press(waiting, 'overpaid');
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: `/checkout/${waiting.access_code}`,
    });
    expect(await tester.verified(waiting.reference)).toMatchObject({ status: 'success', overpaid: 1, livemode: false });
  });

  test('answers a script with JSON', async () => {
    const waiting = await charge();
    const answer = await post(waiting, { outcome: 'underpaid' });
    expect(answer.json).toMatchObject({ status: true, data: { status: 'pending', amount_paid: 18 } });
    expectFailure(await post(waiting, { outcome: 'lost' }), 400, 'invalid_request');
  });

  test('never texts a code', async () => {
    await world.createSender('+233241234567');
    const waiting = await charge();
    await press(waiting, 'held');
    const asked = await formsOf(world, 'checkout/ask-for-code').post(waiting, { phone: '0241234567' });
    expect(asked.status).toBe(200);
    expect(await world.rows('SEND')).toEqual([]);
  });
});

test('is the only one with such buttons: a real charge cannot be paid by them', async () => {
  const real = await charge(merchant);
  expect(await pageOf(real)).not.toMatch(/class="test|>TEST/);
  expectAnswer(await press(real, 'paid'), 404, 'This payment link does not exist');
  expect(await pageOf(real)).toContain('data-status="pending"');
});

async function pageOf({ access_code }: CreatedCharge): Promise<string> {
  return (await world.call('checkout/page', { parameters: { access_code } })).text;
}

function outcomesOn(text: string): string[] {
  return [...text.matchAll(/name="outcome" value="(\w+)"/g)].map(([, outcome = '']) => outcome);
}

import { describe, expect, test } from 'vitest';
import { expectAnswer } from '../../support/answers.ts';
import { expectFailure } from '../../support/envelope.ts';
import { wordsOf } from '../../support/page-words.ts';
import type { CreatedCharge } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import { formsOf } from './charges.ts';

const world = await scene();
const merchant = await world.createMerchant();
const tester = { ...merchant, liveKey: merchant.testKey };
const { post, submit } = formsOf(world, 'checkout/simulate');
const charge = (by = tester) => by.createCharge({ customer_name: 'Kofi Mensah' });
const press = (to: CreatedCharge, outcome: string) => submit(to, { outcome });

/** Heading of test-mode pages. */
const TEST = /^TEST No money moves on this page$/m;

describe('a test charge’s page', () => {
  test('is marked as a test and has a button for each event', async () => {
    const waiting = await charge();
    const open = await pageOf(waiting);
    expect(open).toContain('<title>TEST: Pay GHS 36.00 to Ama Stores</title>');
    expect(wordsOf(open)).toMatch(TEST);
    expect(outcomesOn(open)).toEqual([
      ...['paid', 'underpaid', 'overpaid', 'paid_twice', 'held', 'disputed', 'reversed', 'expired'],
    ]);
    for (const [outcome, left] of [
      ['paid', ['paid_twice', 'disputed', 'reversed']],
      ['reversed', []],
    ] as const) {
      await press(waiting, outcome);
      const shown = await pageOf(waiting);
      expect(wordsOf(shown)).toMatch(TEST);
      expect(outcomesOn(shown)).toEqual(left);
    }
    const paid = await charge();
    await press(paid, 'paid');
    const paidPage = await pageOf(paid);
    expect(wordsOf(paidPage)).toMatch(TEST);
    expect(paidPage).toContain('data-share="TEST. GHS 36.00 paid');
    const { text } = await world.call('checkout/receipt', { parameters: { access_code: paid.access_code } });
    expect(text).toContain('<title>TEST: Receipt');
    expect(wordsOf(text)).toMatch(TEST);
    const expired = await charge();
    await press(expired, 'expired');
    expect(wordsOf(await pageOf(expired))).toMatch(TEST);
  });

  test('returns to the page after a simulated event', async () => {
    const waiting = await charge();
    const { status, headers } = await press(waiting, 'overpaid');
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: `/checkout/${waiting.access_code}`,
    });
    expect(await tester.verified(waiting.reference)).toMatchObject({ status: 'success', overpaid: 1, livemode: false });
  });

  test('returns JSON to a script', async () => {
    const waiting = await charge();
    const answer = await post(waiting, { outcome: 'underpaid' });
    expect(answer.json).toMatchObject({ status: true, data: { status: 'pending', amount_paid: 18 } });
    expectFailure(await post(waiting, { outcome: 'lost' }), 400, 'invalid_request');
  });

  test('never texts a verification code', async () => {
    await world.createSender('+233241234567');
    const waiting = await charge();
    await press(waiting, 'held');
    const asked = await formsOf(world, 'checkout/ask-for-code').post(waiting, { phone: '0241234567' });
    expect(asked.status).toBe(200);
    expect(await world.rows('SEND')).toEqual([]);
  });
});

test('a live charge’s page has no simulation buttons', async () => {
  const real = await charge(merchant);
  const page = await pageOf(real);
  expect(outcomesOn(page)).toEqual([]);
  expect(wordsOf(page)).not.toContain('TEST');
  expectAnswer(await press(real, 'paid'), 404, 'This payment link does not exist');
  expect(await pageOf(real)).toContain('data-status="pending"');
});

async function pageOf({ access_code }: CreatedCharge): Promise<string> {
  return (await world.call('checkout/page', { parameters: { access_code } })).text;
}

function outcomesOn(text: string): string[] {
  return [...text.matchAll(/name="outcome" value="(\w+)"/g)].map(([, outcome = '']) => outcome);
}

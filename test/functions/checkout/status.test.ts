import { expect, test } from 'vitest';
import { expectFailure } from '../../support/envelope.ts';
import type { CreatedCharge } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import { pay, reverse } from './charges.ts';

const world = await scene();
const merchant = await world.createMerchant();
const callback_url = 'https://shop.example.com/thanks?order=7#top';

test('a pending charge has an expiry and no redirect', async () => {
  const waiting = await merchant.createCharge({ callback_url });
  world.requests.length = 0;
  const answer = await ask(waiting);
  expect(answer.json).toEqual({
    status: true,
    message: 'Charge found',
    data: {
      status: 'pending',
      amount_paid: 0,
      checking: false,
      expires_at: world.iso(24 * 60 * 60 * 1000),
      redirect_url: null,
    },
  });
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(world.requests).toEqual(['GetItem']);
});

test('a paid charge has a redirect', async () => {
  const paid = await merchant.createCharge({ callback_url });
  await pay(world, paid);
  expect((await ask(paid)).json.data).toMatchObject({
    status: 'success',
    redirect_url: `https://shop.example.com/thanks?order=7&reference=${paid.reference}#top`,
  });
});

test('a reversed charge is reported as reversed', async () => {
  const reversed = await merchant.createCharge({ callback_url });
  await reverse(world, reversed);
  expect((await ask(reversed)).json.data).toMatchObject({ status: 'reversed', redirect_url: null });
});

test('an expired charge is reported as expired', async () => {
  const expired = await merchant.createCharge({ callback_url });
  world.clock.nowMs += 24 * 60 * 60 * 1000;
  expect((await ask(expired)).json.data).toMatchObject({ status: 'expired', redirect_url: null });
});

test('a wrong access code returns a JSON 404 for any Accept header', async () => {
  const { access_code } = await merchant.createCharge();
  for (const wrong of ['unknown', `${access_code.slice(0, -1)}${access_code.endsWith('A') ? 'B' : 'A'}`]) {
    expectFailure(await ask({ access_code: wrong }), 404, 'not_found');
  }
});

function ask({ access_code }: Pick<CreatedCharge, 'access_code'>) {
  return world.call('checkout/status', { parameters: { access_code }, headers: { accept: 'text/html' } });
}

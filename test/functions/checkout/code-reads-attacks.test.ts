import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fromTelecel, newPayerNumber } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';

test('who paid ten times with a list of references makes no request with a code expensive', async () => {
  const world = await scene({ inMemory: true });
  await world.createSender('+233240009999');
  const shop = await world.createShop();
  const payer = newPayerNumber();
  const mine = await shop.charge({ amount: 1 });
  // Nearly theirs, and eighteen that nobody has.
  const others = Array.from({ length: 18 }, (_, n) => `MK${1_000_000_000 + n}`);
  const reference = [mine, ...others].join(' ');
  for (let n = 0; n < 10; n++) await shop.pay(fromTelecel({ amount: '1.00', phone: payer, reference }));
  const [row] = await world.rows('TRANSACTION');
  const parameters = { access_code: z.parse(z.string(), row?.access_code) };
  let most = 0;
  for (let n = 0; n < 3; n++) {
    world.requests.length = 0;
    const body = { phone: `+${payer}`, code: '000000' };
    await world.call('checkout/confirm-code', { parameters, body });
    most = Math.max(most, world.requests.length);
  }
  expect(most).toBeLessThanOrEqual(50);
});

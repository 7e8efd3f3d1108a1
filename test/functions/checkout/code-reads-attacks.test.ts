import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { handler as confirm } from '../../../functions/checkout/confirm-code.ts';
import { charge, createShop, fromTelecel, newPayerNumber, pay, rows } from '../../support/receipts.ts';
import { call, createSender, createWorld } from '../../support/world.ts';

test('who paid ten times with a list of references makes no request with a code expensive', async () => {
  const world = await createWorld({ inMemory: true });
  await createSender(world, '+233240009999');
  const shop = await createShop(world);
  const payer = newPayerNumber();
  const mine = await charge(world, shop, { amount: 1 });
  // Nearly theirs, and eighteen that nobody has.
  const others = Array.from({ length: 18 }, (_, n) => `MK${1_000_000_000 + n}`);
  const reference = [mine, ...others].join(' ');
  for (let n = 0; n < 10; n++) await pay(world, shop, fromTelecel({ amount: '1.00', phone: payer, reference }));
  const [row] = await rows(world, 'TRANSACTION');
  const parameters = { access_code: z.parse(z.string(), row?.access_code) };
  let most = 0;
  for (let n = 0; n < 3; n++) {
    world.requests.length = 0;
    const body = { phone: `+${payer}`, code: '000000' };
    await call(world, confirm, { method: 'POST', parameters, body });
    most = Math.max(most, world.requests.length);
  }
  expect(most).toBeLessThanOrEqual(50);
});

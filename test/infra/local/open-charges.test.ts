import { expect, test } from 'vitest';
import { listOpenCharges } from '../../../infra/local/open-charges.ts';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { CHARGE_LIFETIME_MS, type Charge, createCharge } from '../../../shared/money/charge/charge.table.ts';
import { newCharge } from '../../../shared/money/charge/charge.ts';
import type { Payment } from '../../../shared/money/payment/payment.ts';
import { type Scene, scene } from '../../support/scene.ts';

test('the simulated phone shows the 20 newest pending charges', async () => {
  const world = await scene();
  const { id } = await world.createMerchant();
  const { id: otherId } = await world.createMerchant();
  const start = world.clock.nowMs;
  await charge(world, id, 1);
  world.clock.nowMs = start + CHARGE_LIFETIME_MS - 1;
  for (let amount = 2; amount <= 21; amount++) {
    world.clock.nowMs += 1;
    await charge(world, id, amount);
  }
  await charge(world, id, 1_000, { state: 'success' });
  await charge(world, otherId, 2_000);

  const charges = await listOpenCharges(world.outside, id);
  // The first charge has expired.
  expect(charges.map(({ amountPesewas }) => amountPesewas / 100)).toEqual(Array.from({ length: 20 }, (_, n) => 21 - n));

  world.clock.nowMs += 1;
  const { reference, access_code } = await charge(world, id, 36);
  const [newest, ...others] = await listOpenCharges(world.outside, id);
  expect(others).toHaveLength(19);
  expect(newest).toEqual({
    reference,
    amountPesewas: 3600,
    momoNumber: '+233241234567',
    network: 'MTN',
    customerName: 'Kofi Mensah',
    description: undefined,
    checkoutUrl: `https://pay.example.com/checkout/${access_code}`,
  });
});

const half: Payment = {
  network: 'MTN' as const,
  transaction_id: '1',
  amount_pesewas: arrivedPesewas(50_00),
  received_at: '2026-01-05T08:00:00.000Z',
  counted_at: '2026-01-05T08:00:00.000Z',
  payer_name: 'KOFI MENSAH',
  matched_by: 'reference' as const,
  receipt_id: 'MTN-1',
};

test('the simulated phone shows a charge’s outstanding amount', async () => {
  const world = await scene();
  const { id } = await world.createMerchant();
  await charge(world, id, 80, { parts: [half] });
  expect(await listOpenCharges(world.outside, id)).toMatchObject([{ amountPesewas: 30_00 }]);
});

async function charge(
  { outside }: Scene,
  merchantId: string,
  amount: number,
  fields: Partial<Charge> = {},
): Promise<Charge> {
  const asked = { amount: amount * 100, customer_name: 'Kofi Mensah' };
  const merchant = await requireMerchant(outside, merchantId);
  const transaction = { ...newCharge(outside, merchant, { asked, origin: { kind: 'api' } }), ...fields };
  await outside.table.write([createCharge(transaction)]);
  return transaction;
}

import { expect, test } from 'vitest';
import { handler as phones } from '../../../functions/dashboard/operator-phones.ts';
import { handler as repair } from '../../../functions/dashboard/operator-repair.ts';
import { signIn, visit } from '../../support/dashboard.ts';
import { createMerchant, createSender, createWorld } from '../../support/world.ts';

const AUDIT = '/dashboard/operator/repair';

test('the operator’s audit says who changed what, and nothing of a merchant’s', async () => {
  const world = await createWorld({ inMemory: true });
  await createSender(world, '+233241234567');
  const merchant = await createMerchant(world);
  await signIn(world, 'manager', merchant.id);
  const by = await signIn(world, 'operator');
  await visit(world, phones, '/dashboard/operator/phones/233241234567/disable', { by, form: {} });
  const { text } = await visit(world, repair, AUDIT, { by });
  expect(text).toMatch(/Canary the operator.*sender disable.*\+233241234567/s);
  expect(text).not.toContain('manager');
});

import { beforeEach, describe, expect, test } from 'vitest';
import { type Charge, chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { expiryOf, expiryRows } from '../../../shared/money/charge/expiry.table.ts';
import { cancelOwnCharge, endCharge } from '../../../shared/money/settling/end-charge.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, scene } from '../../support/scene.ts';

const paid = { state: 'success', payment: storedPayment('payment', 60_00) } as const;
const marked = { how: 'cash', at: storedCharge().created_at, by: 'user' } as const;
const tap = { kind: 'take', state: 'given', shift_id: 'shift', by: 'ama', at: marked.at } as const;

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
});

describe('the expiry of a charge', () => {
  async function end(fields: Partial<Charge> | undefined) {
    const charge = storedCharge(fields);
    await world.outside.table.write([...(fields ? [chargeRows.put(charge)] : []), expiryRows.put(expiryOf(charge))]);
    await endCharge(world.outside, expiryOf(charge));
    return {
      expiries: await world.outside.table.get(expiryRows.key(expiryOf(charge))),
      charge: await chargeRows.find(world.outside, charge),
    };
  }

  test.each<[string, Partial<Charge> | undefined]>([
    ['was deleted', undefined],
    ['is paid', paid],
    ['is marked as paid', { ...paid, payment: { ...paid.payment, marked } }],
    ['is cancelled', { state: 'cancelled' }],
  ])('is removed without a change if the charge %s', async (_, fields) => {
    const { expiries, charge } = await end(fields);
    expect(expiries).toBeUndefined();
    expect(charge).toEqual(fields && storedCharge(fields));
  });

  test('is removed when the pending charge is ended', async () => {
    expect(await end({})).toMatchObject({ expiries: undefined, charge: { state: 'expired' } });
  });

  test('is removed once the charge’s tap has been reported', async () => {
    const { expiries, charge } = await end({ ...paid, goods: tap });
    expect(expiries).toBeUndefined();
    expect(charge?.goods).toHaveProperty('told_at');
  });
});

test.each<[string, Partial<Charge>]>([
  ['success. To refund it, use POST /api/v1/transaction/MK-0123456789/refund.', paid],
  ['reversed.', { ...paid, state: 'reversed' }],
  ['expired.', { state: 'expired' }],
])('a charge cannot be cancelled if it is %s', async (words, fields) => {
  await world.outside.table.write([chargeRows.put(storedCharge(fields))]);
  const cancel = cancelOwnCharge(world.outside, 'shop', storedCharge().reference, async () => undefined);
  await expect(cancel).rejects.toHaveProperty(
    'message',
    `Only a pending charge can be cancelled; this one is ${words}`,
  );
});

import { beforeEach, describe, expect, test } from 'vitest';
import type { Refund } from '../../../shared/money/payment/payment.ts';
import { closeRefundByHand, reduceRefunds } from '../../../shared/money/refund/note-refund.ts';
import { listOpenRefunds, openRefund } from '../../../shared/money/refund/open-refund.table.ts';
import { CloseRefundRequest, RefundRequest } from '../../../shared/money/refund/refund-request.ts';
import { type Scene, scene } from '../../support/scene.ts';

const AT = '2026-11-24T10:00:00.000Z';
const CHARGE = { reference: 'MK-4071932685', merchant_id: 'shop' };

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
});

const refund = (cedis: number, state: Refund['state'] = 'noted', noted_at = AT): Refund => ({
  refund_id: `${state}${cedis}`,
  amount_pesewas: cedis * 100,
  reason: `for ${cedis}`,
  state,
  noted_at,
});

describe('a charge’s refunds after a reversal', () => {
  // Amounts in cedis. The refunds before, the amount still owed, the ids that are withdrawn and the new refund.
  test.each<[string, Refund[], number, string[], number]>([
    ['stay if less was promised than is owed', [refund(3), refund(4)], 10, [], 0],
    ['stay if exactly the owed amount was promised', [refund(3), refund(7)], 10, [], 0],
    ['stay if there are none', [], 10, [], 0],
    ['are all withdrawn if nothing is owed', [refund(3), refund(4)], 0, ['noted3', 'noted4'], 0],
    ['are replaced by one for the rest', [refund(3), refund(4)], 5, ['noted4'], 2],
    ['keep each that still fits', [refund(3), refund(9), refund(2)], 5, ['noted9'], 0],
    ['are not reduced by sent or withdrawn ones', [refund(5, 'sent'), refund(6, 'withdrawn'), refund(8)], 8, [], 0],
  ])('%s', (_, refunds, owed, withdrawn, rest) => {
    const reduced = reduceRefunds(world.outside, { ...CHARGE, refunds }, owed * 100);
    const kept = refunds.map((one) =>
      withdrawn.includes(one.refund_id)
        ? { ...one, state: 'withdrawn', closed_by: 'network', closed_at: world.iso() }
        : one,
    );
    const [first] = withdrawn;
    const reason = refunds.find(({ refund_id }) => refund_id === first)?.reason;
    const more = {
      state: 'noted',
      amount_pesewas: rest * 100,
      reason,
      noted_at: world.iso(),
      refund_id: expect.any(String),
    };
    expect(reduced.refunds).toEqual([...kept, ...(rest > 0 ? [more] : [])]);
    expect(reduced.writes).toHaveLength(withdrawn.length + (rest > 0 ? 1 : 0));
  });

  test('stay absent if the charge has none', () => {
    expect(reduceRefunds(world.outside, CHARGE, 10_00)).toEqual({ refunds: undefined, writes: [] });
  });
});

test('open refunds of a given amount are listed newest first, up to a limit', async () => {
  const all = ['2026-11-24', '2026-11-26', '2026-11-25'].map(
    (day): Refund => ({
      ...refund(4),
      refund_id: day,
      noted_at: `${day}T10:00:00.000Z`,
    }),
  );
  await world.outside.table.write([...all, refund(5)].map((one) => openRefund(CHARGE, one)));
  const listed = async (limit: number) =>
    (await listOpenRefunds(world.outside, 'shop', 4_00, limit)).map(({ refund_id }) => refund_id);
  expect(await listed(9)).toEqual(['2026-11-26', '2026-11-25', '2026-11-24']);
  expect(await listed(2)).toEqual(['2026-11-26', '2026-11-25']);
});

test('a charge without refunds has none to close', async () => {
  const shop = await world.createShop();
  const reference = await shop.charge({ amount: 36 });
  const said = { reference, refund_id: 'noted4', outcome: 'sent' } as const;
  await expect(closeRefundByHand(world.outside, shop.id, said, async () => undefined)).rejects.toThrow(
    'This charge has no refund with this id. Call verify to list its refunds.',
  );
});

test('the error for an invalid request says what to send', () => {
  expect(RefundRequest.safeParse({ receipt_id: 5 }).error?.issues).toMatchObject([
    { message: 'must be the receipt_id of a second payment' },
  ]);
  expect(CloseRefundRequest.safeParse({ outcome: 'lost' }).error?.issues).toMatchObject([
    { message: 'must be "sent" or "withdrawn"' },
  ]);
});

import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { getCharge } from '../../shared/money/charge/charge.table.ts';
import { presentCharge } from '../../shared/money/settling/present-charge.ts';
import { requireTest, SimulateRequest, simulateOutcome } from '../../shared/money/settling/simulate-outcome.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Simulates an outcome for a test charge: paid, contradicted, reversed or expired. */
export const handler = merchantRoute(
  manifest['test/simulate'],
  { body: SimulateRequest, writesBefore: true },
  async ({ merchant, path, body, headers, commit }, outside) => {
    const { merchant_id } = merchant;
    const charge = requireTest(await getCharge(outside, path.reference, merchant_id), merchant_id);
    const after = await simulateOutcome(outside, charge, body.outcome, headers['idempotency-key']);
    return commit([], ok('Simulated', await presentCharge(outside, after, { seesIds: true })));
  },
);

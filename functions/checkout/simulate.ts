import { requireTest, SimulateRequest, simulateOutcome } from '../../shared/money/settling/simulate-outcome.ts';
import { chargeOfCode } from '../../shared/pages/checkout/charge-of-code.ts';
import { checkoutPath } from '../../shared/pages/checkout/checkout-path.ts';
import { presentStatus } from '../../shared/pages/checkout/checkout-view.ts';
import { errorPage } from '../../shared/pages/checkout/page.ts';
import { asksForJson, ok, redirect } from '../../shared/runtime/http/answer.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

const options = { body: SimulateRequest, form: true, errorPage };

/** Simulates an outcome when a button on a test charge's page is pressed. */
export const handler = http(manifest['checkout/simulate'], options, async ({ path, body, headers }, outside) => {
  const charge = requireTest(await chargeOfCode(outside, path.access_code));
  const after = await simulateOutcome(outside, charge, body.outcome);
  if (!asksForJson(headers)) return redirect(checkoutPath(after.access_code), 303);
  return ok('Simulated', presentStatus(outside, after));
});

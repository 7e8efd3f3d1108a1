import { html } from 'hono/html';
import type { Outcome } from '../../money/receipt/simulate-outcome.ts';
import type { CheckoutView } from './checkout-view.ts';

/** On the page of a test charge at all times: nobody must take it for a real one. */
export function testBand({ isTest }: Pick<CheckoutView, 'isTest'>) {
  return isTest && html`<header class="test-band"><b>TEST</b> No money moves on this page</header>`;
}

/** What may happen to a test charge, as buttons that need no script. */
export function testSection({ isTest, status, path }: CheckoutView) {
  const outcomes = { pending: PENDING, success: PAID, expired: [], cancelled: [], reversed: [] }[status];
  if (!isTest || outcomes.length === 0) return undefined;
  return html`<form class="test" method="post" action="${path}/simulate">
<p id="test">Test: what happens next?</p>
<div role="group" aria-labelledby="test">
${outcomes.map(([outcome, label]) => html`<button name="outcome" value="${outcome}">${label}</button>`)}
</div>
</form>`;
}

const PENDING: readonly (readonly [Outcome, string])[] = [
  ['paid', 'Paid'],
  ['underpaid', 'Underpaid'],
  ['overpaid', 'Overpaid'],
  ['paid_twice', 'Paid twice'],
  ['held', 'Held'],
  ['disputed', 'Disputed'],
  ['reversed', 'Reversed'],
  ['expired', 'Expired'],
];

const PAID: typeof PENDING = [
  ['paid_twice', 'Paid again'],
  ['disputed', 'Disputed'],
  ['reversed', 'Reversed'],
];

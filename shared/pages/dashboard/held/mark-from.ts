import { html } from 'hono/html';
import { requireReceipt } from '../../../money/settling/assign-receipt.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { billsFound } from '../charges/find-bill.ts';
import { heldAddress, markAddress } from '../parts/addresses.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

export async function showMarkFrom(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const { merchant, path, query, here } = visit;
  await requireReceipt(outside, merchant.merchant_id, path.id);
  const typed = query.q ?? '';
  const addressOf = (reference: string) => markAddress(reference, `text=${encodeURIComponent(path.id)}`);
  const found = typed === '' ? '' : await billsFound(visit, outside, typed, addressOf);
  return {
    title: 'Which bill was this payment for?',
    back: { name: 'The message', path: heldAddress(path.id) },
    main: html`<section><form method="get" action="${here.split('?')[0]}"><p class="field"><label for="q">Customer, amount, order number or reference</label><input id="q" name="q" value="${typed}" autocomplete="off" required></p><button class="plain button">Find it</button></form></section>
${found}`,
  };
}

import { html } from 'hono/html';
import * as z from 'zod/mini';
import { setAside, takeBack, WhySetAside } from '../../../money/receipt/assign-receipt.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Html } from '../html.ts';
import { field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import type { Going, MerchantVisit } from '../visit.ts';
import { withAudit } from '../with-audit.ts';
import { HELD, heldAddress } from './addresses.ts';

const PATH = '/held/{id}/set-aside';

export const SetAsideForm = z.object({ why: z.optional(WhySetAside) });

/** For a payment that is for no charge, and back again. */
export function asideSection(visit: MerchantVisit<'id'>, { receipt_id, ...receipt }: Receipt): Html | string {
  if (receipt.state !== 'held' || receipt.reason === 'checking') return '';
  if (receipt.set_aside) {
    const action = `${heldAddress(receipt_id)}/take-back`;
    const submit = 'Put it back on the list';
    return section(
      'Set aside',
      form(visit, { path: '/held/{id}/take-back', action, submit }, () => []),
    );
  }
  const isOpen = visit.refused?.path === PATH;
  const aside = form(
    visit,
    { path: PATH, action: `${heldAddress(receipt_id)}/set-aside`, submit: 'Set it aside' },
    (filled) => [
      html`<p class="hint">It stays in your books and no longer waits here. No customer can claim it. You can undo this.</p>`,
      field(filled, { name: 'why', label: 'Why', hint: 'Such as: a friend paid me back.', maxLength: 200 }),
    ],
  );
  return section(
    'Not for a charge?',
    html`<details${isOpen && html` open`}><summary>Set it aside</summary>${aside}</details>`,
  );
}

export async function setPaymentAside(
  visit: MerchantVisit<'id', z.infer<typeof SetAsideForm>>,
  outside: Outside,
): Promise<Going> {
  const { merchant, user, path, form, commit } = visit;
  const writes = await setAside(outside, merchant.merchant_id, path.id, { by: user.user_id, why: form.why });
  const entry = { action: 'receipt set-aside', about: path.id };
  return commit(withAudit(outside, visit, writes, entry), { goTo: HELD, notice: 'The payment is set aside.' });
}

export async function takePaymentBack(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const { merchant, path, commit } = visit;
  const writes = await takeBack(outside, merchant.merchant_id, path.id);
  const entry = { action: 'receipt take-back', about: path.id };
  return commit(withAudit(outside, visit, writes, entry), {
    goTo: heldAddress(path.id),
    notice: 'The payment waits again.',
  });
}

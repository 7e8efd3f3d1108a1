import { html } from 'hono/html';
import * as z from 'zod/mini';
import { wholeNumber } from '../../../ghana/typed.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { getCredits, prepareLowBelow } from '../../../texts/credits/credits.table.ts';
import { SETTINGS, TEXTS } from '../parts/addresses.ts';
import { settingPage } from '../parts/change-shop.ts';
import { facts } from '../parts/content.ts';
import { field } from '../parts/form.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

const PATH = '/credits';
export const LOW_CREDITS = `${SETTINGS}${PATH}`;

export const LowCreditsForm = z.object({ low_below: wholeNumber(0) });

export async function showLowCredits(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant } = visit;
  const { balance, low_below } = await getCredits(outside, merchant.merchant_id);
  const now = facts([
    ['Credits for texts', html`<span class="number">${balance}</span>`],
    ['Notify me below', html`<span class="number">${low_below === 0 ? 'never' : low_below}</span>`],
  ]);
  const links = html`<p><a href="${TEXTS}/credits">Credits and changes to them</a></p>`;
  return settingPage(visit, { title: 'Low credits', now, path: PATH, links }, [
    field('low_below', 'Notify me below', {
      value: String(low_below),
      inputMode: 'numeric',
      maxLength: 7,
      hint: 'Number of credits. We show it on Today and notify your website. 0 means never.',
      isRequired: true,
    }),
  ]);
}

export async function setLowCredits(visit: MerchantVisit<never, typeof LowCreditsForm>, outside: Outside) {
  const { low_below } = visit.form;
  const { writes, entry } = await prepareLowBelow(outside, visit.merchant.merchant_id, low_below);
  const notice =
    low_below === 0
      ? 'You will not be notified.'
      : `We will notify you when there are fewer than ${low_below} credits.`;
  return visit.commit(writes, { goTo: LOW_CREDITS, notice }, entry);
}

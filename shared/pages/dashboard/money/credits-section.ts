import { html } from 'hono/html';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { getCredits, isLow, listNewestEntries } from '../../../texts/credits/credits.table.ts';
import type { Html } from '../html.ts';
import { field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { section, tile, tiles } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { shownTime } from '../shown-time.ts';
import type { PersonVisit } from '../visit.ts';
import { merchantForm } from './addresses.ts';

const ENTRIES = 10;

/** How many texts a merchant can still send, what was added, and the forms that change it. */
export async function creditsSection(visit: PersonVisit<'id'>, outside: Outside, merchantId: string): Promise<Html> {
  const [credits, entries] = await Promise.all([
    getCredits(outside, merchantId),
    listNewestEntries(outside, merchantId, ENTRIES),
  ]);
  const low = isLow(credits);
  return section('Credits for texts', [
    tiles(
      tile('Texts that it can still send', String(credits.balance), {
        hint: low ? `Low: fewer than ${credits.low_below}` : `Low below ${credits.low_below}`,
        isUrgent: low,
      }),
    ),
    form(visit, merchantForm(merchantId, 'credits', 'Add credits'), (filled) =>
      field(filled, {
        name: 'amount',
        label: 'Credits',
        inputMode: 'numeric',
        hint: 'One is one text to one number.',
        isRequired: true,
      }),
    ),
    form(visit, merchantForm(merchantId, 'low-below', 'Set when it is low'), (filled) =>
      field(filled, {
        name: 'low_below',
        label: 'Low below',
        value: String(credits.low_below),
        inputMode: 'numeric',
        hint: 'Then it is told, once. 0: never.',
        isRequired: true,
      }),
    ),
    entries.length === 0
      ? html`<p class="hint">Nothing was added yet.</p>`
      : table(
          'The newest top-ups and refunds',
          [{ name: 'What' }, { name: 'When' }, { name: 'Credits', isNumber: true }],
          entries.map(({ reason, created_at, credits: count }) => ({
            cells: [reason === 'top-up' ? 'Added' : 'Given back: a text failed', shownTime(created_at), `+${count}`],
          })),
        ),
  ]);
}

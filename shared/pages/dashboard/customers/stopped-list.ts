import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { readPages } from '../../../runtime/table/table.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { findOptOut, listOptOuts } from '../../../texts/conversation/opt-out.table.ts';
import { CUSTOMERS } from '../parts/addresses.ts';
import { emptyState, shownTime } from '../parts/content.ts';
import { csvFile, csvTime } from '../parts/csv.ts';
import { BY_NUMBER } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { peoplePage } from './people.ts';

export function showStopped(visit: MerchantVisit, outside: Outside, number: string | undefined): Promise<Shown> {
  const { merchant_id } = visit.merchant;
  return peoplePage(visit, {
    caption: 'People who wrote STOP',
    about: html`<p>They get no offers or reminders. Other texts are still sent. <a href="${CUSTOMERS}/stopped.csv" download>Download as a file</a></p>`,
    read: async ({ limit, start }) => {
      if (number) {
        const found = await findOptOut(outside, merchant_id, number);
        return { entries: found?.opted_out ? [found] : [], next: undefined };
      }
      const { optOuts: entries, next } = await listOptOuts(outside, merchant_id, { limit, start });
      return { entries, next };
    },
    columns: {
      Number: ({ number }) => html`<span class="number">${shownNumber(number)}</span>`,
      When: ({ at }) => shownTime(at),
      'They wrote': ({ word }) => word,
    },
    isCompact: true,
    nothing: number
      ? emptyState('This number has not sent STOP', 'Try another number, or clear the field.')
      : emptyState(
          'No one has sent STOP',
          'People who reply STOP get no offers or reminders. They stay on this list until they reply START.',
        ),
    order: BY_NUMBER,
  });
}

/** Maximum number of people in a file. A function can read this many in a few seconds. */
const STOPPED_A_FILE = 5_000;

/** Returns a file of everyone who replied STOP. @throws PublicError `invalid_request` if there are too many. */
export async function stoppedFile({ merchant }: MerchantVisit, outside: Outside) {
  const all = await readPages(STOPPED_A_FILE, async (start) => {
    const { optOuts, next } = await listOptOuts(outside, merchant.merchant_id, { limit: STOPPED_A_FILE, start });
    return { items: optOuts, next };
  });
  if (all.isMore)
    throw new PublicError(
      'invalid_request',
      `A file can contain at most ${counted(STOPPED_A_FILE, 'number')}. Ask support for the full list.`,
    );
  return csvFile('opt-outs.csv', all.items, {
    Number: ({ number }) => shownNumber(number),
    'They wrote': ({ word }) => word,
    Time: ({ at }) => csvTime(at),
  });
}

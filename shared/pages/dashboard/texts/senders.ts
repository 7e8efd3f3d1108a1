import { html } from 'hono/html';
import { networks } from '../../../ghana/network.ts';
import { wholeNumber } from '../../../ghana/shown-number.ts';
import { sendersOf } from '../../../merchants/merchant/senders.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { emptyState, pill } from '../parts/content.ts';
import { table } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

export async function showSenders({ merchant }: MerchantVisit, outside: Outside): Promise<Shown> {
  const senders = await sendersOf(outside, merchant);
  const main = table(senders, {
    caption: 'Numbers that texts are sent from',
    columns: {
      Number: ({ number }) =>
        html`${wholeNumber(number)}${number === merchant.default_from && html` <span class="hint">usual</span>`}`,
      Network: ({ network }) => networks[network].short,
      Whose: ({ own }) => (own ? 'Yours' : 'Shared: replies are not kept'),
      Why: ({ message }) => message ?? '',
      State: ({ available }) => (available ? pill('good', 'Can send') : pill('look', 'Cannot send now')),
    },
    nothing: emptyState(
      'No numbers yet',
      namingOperator(outside, 'Texts are sent from a SIM in a phone. Ask support to add one.'),
    ),
  });
  return { title: 'Senders', main };
}

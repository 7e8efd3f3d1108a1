import { html } from 'hono/html';
import { shownAmount } from '../../ghana/money.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { WalletSummary, WalletView } from '../../wallet/wallet-view.ts';
import type { Html } from '../html.ts';
import { facts, pill, section } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { ago, shownTime } from '../shown-time.ts';

/** What each mode does, in the words of whoever chooses one. */
export const modes: Readonly<Record<WalletSummary['mode'], { readonly word: string; readonly means: string }>> = {
  observe: {
    word: 'Observes',
    means:
      'Whether texts prove each other is recorded and shown, and decides nothing: payments confirm as their merchant set it.',
  },
  enforce: {
    word: 'Enforces',
    means:
      'A payment that its wallet’s texts do not prove is held, unless it is below what its merchant confirms without proof.',
  },
};

/** A wallet as its owner and the operator may see it: its balance, what breaks its chain, and who hears it. */
export function walletSections(outside: Pick<Outside, 'now'>, view: WalletView): Html {
  const { balance, mode, established, links, unbroken_since, last_heard } = view;
  return html`${section('Balance', [
    html`<p class="summary"><span class="amount">GHS ${shown(balance)}</span></p>`,
    facts([
      [
        'Proven by',
        `${links} text${links === 1 ? '' : 's'} that continue each other${established ? '' : ', too few to decide yet'}`,
      ],
      ['Unbroken since', unbroken_since ? shownTime(unbroken_since) : '–'],
      ['Mode', modes[mode].word],
      ['Last text', last_heard ? ago(outside, last_heard) : 'None noted yet'],
    ]),
  ])}
${section('Breaks', breaks(view))}
${section('Texts that wait', branches(view))}
${section('Heard by', phones(outside, view))}`;
}

function breaks({ gap_list }: WalletView): Html {
  if (gap_list.length === 0) return html`<p class="hint">None: every balance follows from the one before.</p>`;
  const columns = [{ name: 'From' }, { name: 'To' }, { name: 'What may explain it' }, { name: 'GHS', isNumber: true }];
  return table(
    'Breaks of the chain',
    columns,
    gap_list.map(({ from, to, difference, explained_by }) => ({
      cells: [
        shownTime(from),
        shownTime(to),
        explained_by ?? `Nothing known: money ${difference > 0 ? 'came in' : 'went out'} without a text`,
        `${difference > 0 ? '+' : '−'}${shown(Math.abs(difference))}`,
      ],
    })),
  );
}

function branches({ branches: waiting, question }: WalletView): Html {
  if (waiting.length === 0) return html`<p class="hint">None: every text is a part of the chain.</p>`;
  const columns = [
    { name: 'Since' },
    { name: 'Texts', isNumber: true },
    { name: 'Begins at, GHS', isNumber: true },
    { name: 'Ends at, GHS', isNumber: true },
    { name: 'State' },
  ];
  return html`<p class="hint">They do not begin where the chain ends: a text between is missing, or somebody forged them.</p>
${table(
  'Texts that wait for the one before them',
  columns,
  waiting.map(({ since, texts, balance_before, balance }) => ({
    cells: [
      shownTime(since),
      String(texts),
      shown(balance_before),
      shown(balance),
      balance === question?.balance ? pill('look', 'The owner was asked') : pill('waiting', 'Waits'),
    ],
  })),
)}`;
}

function phones(outside: Pick<Outside, 'now'>, { phones: heardBy }: WalletView): Html {
  if (heardBy.length === 0)
    return html`<p class="hint">No phone has posted a text of this wallet in the last 30 days.</p>`;
  return table(
    'Phones that hear this wallet',
    [{ name: 'Phone' }, { name: 'Gateway' }, { name: 'Last text' }],
    heardBy.map(({ device, gateway, last_heard }) => ({ cells: [device, gateway, ago(outside, last_heard)] })),
  );
}

function shown(ghs: number): string {
  return shownAmount(Math.round(ghs * 100));
}

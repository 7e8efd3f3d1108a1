import { html } from 'hono/html';
import { networks } from '../../../ghana/network.ts';
import { localNumber, shownNumber } from '../../../ghana/shown-number.ts';
import { requireSender } from '../../../phones/sender/manage-senders.ts';
import { laneEndsMs } from '../../../phones/sender/pace.table.ts';
import { fullForMs, isInUse, type Sender } from '../../../phones/sender/sender.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { hearingOf } from '../../../wallets/wallet/hearing.table.ts';
import { OPERATOR_PHONES } from '../addresses.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import { facts, pill, section } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { ago, shownTime } from '../shown-time.ts';
import type { PersonVisit, Shown } from '../visit.ts';
import { numberIn, senderAddress } from './addresses.ts';
import { surroundings } from './list-phones.ts';
import { placeFields } from './sender-form.ts';
import { senderState } from './sender-state.ts';

/** One number: how it sends, what waits on it, and where it is. */
export async function showSender(visit: PersonVisit<'number'>, outside: Outside): Promise<Shown> {
  const number = numberIn(visit.path.number);
  const [sender, around, [hearing], ends] = await Promise.all([
    requireSender(outside, number),
    surroundings(outside),
    hearingOf(outside, [number]),
    laneEndsMs(outside, number),
  ]);
  const known = around(sender);
  const { tone, word, why } = senderState(outside, sender, known);
  const [ping] = known.phone?.pinged_ms ?? [];
  return {
    title: shownNumber(number),
    main: html`${section('State', [
      html`<p>${pill(tone, word)} ${why}</p>`,
      facts([
        ['Network', networks[sender.network].short],
        ['In', `${sender.gateway}, SIM ${sender.sim_number}`],
        ['Last ping', ping ? ago(outside, iso(ping)) : 'None yet'],
        ['Phone last heard', known.phone ? ago(outside, iso(known.phone.heard_ms)) : 'Never'],
        ['Last wallet text', hearing?.phones[0] ? ago(outside, hearing.phones[0].heard_at) : 'None yet'],
        ['Pace', `${sender.messages_per_hour} texts an hour`],
        ['In this SIM since', shownTime(sender.in_use_since ?? sender.created_at)],
      ]),
    ])}
${section('Queue', queue(outside, sender, ends))}
${section('Phone, SIM and pace', [
  html`<p class="hint">After a new SIM, phone or pace.${!isInUse(sender) && ' It is enabled again with this.'}</p>`,
  form(visit, { path: '/{number}/place', action: `${senderAddress(number)}/place`, submit: 'Change it' }, (filled) =>
    placeFields(filled, sender),
  ),
])}
${onOrOff(visit, sender)}
<p><a href="${OPERATOR_PHONES}">All phones</a></p>`,
  };
}

function queue(outside: Outside, sender: Sender, ends: ReadonlyMap<string, number>): Html {
  const waiting = [...ends].filter(([, endMs]) => endMs > outside.now());
  if (waiting.length === 0) return html`<p class="hint">No text waits for its turn.</p>`;
  return table(
    'Merchants whose texts wait',
    [{ name: 'Merchant' }, { name: 'The last leaves at' }, { name: 'New texts' }],
    waiting.map(([merchant, endMs]) => ({
      cells: [
        merchant,
        shownTime(iso(endMs)),
        fullForMs(outside, sender, merchant) > 0
          ? pill('look', 'Refused: a day’s worth waits')
          : pill('good', 'Accepted'),
      ],
    })),
  );
}

function onOrOff(visit: PersonVisit<'number'>, { number, enabled, receives_only }: Sender): Html {
  const facts = (what: string, submit: string) => ({
    path: `/{number}/${what}`,
    action: `${senderAddress(number)}/${what}`,
    submit,
  });
  const onOff = enabled
    ? section('Disable it', [
        html`<p>It accepts no new texts then. Those that it has go on, and payments that its phone hears still count.</p>`,
        form(visit, facts('disable', 'Disable it'), () => []),
      ])
    : section(
        receives_only ? 'Have it send' : 'Enable it',
        form(visit, facts('enable', receives_only ? 'Have it send texts, too' : 'Enable it'), () => []),
      );
  return html`${onOff}
${section('Remove it', [
  html`<p>${enabled && 'Once it is disabled. '}Texts that still wait on it fail, and their credits are given back. Payments that its phone hears are nobody’s from then on.</p>`,
  form(visit, { ...facts('remove', `Remove ${localNumber(number)}`), isDangerous: true }, () => []),
])}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownCount } from '../../../ghana/money.ts';
import { anyNetwork, Network, networks } from '../../../ghana/network.ts';
import { PhoneNumber } from '../../../ghana/phone-number-schema.ts';
import { localNumber, shownNumber } from '../../../ghana/shown-number.ts';
import { preparePlacing, prepareRemoval } from '../../../merchants/merchant/senders.ts';
import { FORWARDER } from '../../../phones/gateway/forwarder.ts';
import { ODD_FAULTS, ODD_REMEDIES } from '../../../phones/gateway/odd-form.ts';
import { FORM_KEPT_MS, type Phone } from '../../../phones/gateway/phone.table.ts';
import { NOBODY, prepareSwitch, requireSender } from '../../../phones/sender/manage-senders.ts';
import { laneEndsMs } from '../../../phones/sender/pace.table.ts';
import { DEFAULT_MESSAGES_PER_HOUR, fullForMs, isInUse, type Sender } from '../../../phones/sender/sender.ts';
import { senderFields } from '../../../phones/sender/sender-fields.ts';
import { isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import { hearingOf } from '../../../wallets/wallet/hearing.table.ts';
import { merchantAddress, numberIn, OPERATOR_PHONES, senderAddress } from '../parts/addresses.ts';
import { ago, facts, type Html, pill, section, shownTime } from '../parts/content.ts';
import { choice, type Field, field, form } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import type { Going, PersonVisit, Shown } from '../parts/visit.ts';
import { senderState, surroundings } from './phones.ts';

export async function showSender(visit: PersonVisit<'number'>, outside: Outside): Promise<Shown> {
  const number = numberIn(visit.path.number);
  const [sender, around, [hearing]] = await Promise.all([
    requireSender(outside, number),
    surroundings(outside),
    hearingOf(outside, [number]),
  ]);
  const ends = await laneEndsMs(outside, sender);
  const known = around(sender);
  const { tone, label, explanation } = senderState(outside, sender, known);
  const { pinged_ms: [ping] = [], delay_ms: delayMs } = known.phone ?? {};
  const isForwarded = sender.gateway === FORWARDER;
  return {
    title: shownNumber(number),
    main: html`${section('State', [
      html`<p>${pill(tone, label)} ${explanation}</p>`,
      facts([
        ['Network', networks[sender.network].short],
        ['Owner', sender.owner ? html`<a href="${merchantAddress(sender.owner)}">${sender.owner}</a>` : SHARED],
        ['Gateway and SIM', `${sender.gateway}, SIM ${sender.sim_number}`],
        ...(isForwarded
          ? [
              [
                'Delay of texts',
                delayMs === undefined ? 'None yet' : `${Math.round(delayMs / 1000)} s for the last one`,
              ] as const,
            ]
          : [['Last ping', ping ? ago(outside, isoOf(ping)) : 'None yet'] as const]),
        ['Phone last online', known.phone ? ago(outside, isoOf(known.phone.heard_ms)) : 'Never'],
        ['Last wallet text', hearing?.phones[0] ? ago(outside, hearing.phones[0].heard_at) : 'None yet'],
        ['Pace', `${sender.messages_per_hour} texts an hour`],
        ['In this SIM since', shownTime(sender.in_use_since)],
      ]),
    ])}
${known.phone && oddPosts(outside, known.phone)}
${section('Queue', queue(outside, sender, ends))}
${section('Phone, SIM, owner and pace', [
  html`<p class="hint">Use this form to change the SIM, phone, owner or pace.${!isInUse(sender) && ' It also re-enables the number.'}</p>`,
  form(visit, { path: '/{number}/place', submit: 'Change it' }, placeFields(sender)),
])}
${onOrOff(visit, sender)}`,
  };
}

/** Renders the phone's unrecognised callbacks and senders that imitate a network. */
function oddPosts(outside: Outside, { odd_forms = [], lookalikes = [] }: Phone): Html {
  const forms = odd_forms.filter(({ last_ms }) => outside.now() - last_ms < FORM_KEPT_MS);
  const shownForms = forms.map(
    ({ fault, form, count, last_ms }) =>
      html`<p>Posts with ${ODD_FAULTS[fault]}: ${shownCount(count)}, the last ${ago(outside, isoOf(last_ms))}. ${ODD_REMEDIES[fault]}</p>
<p class="hint"><code>${form}</code></p>`,
  );
  const shownNames = lookalikes.map(({ sender, network, count, last_ms }) => {
    const looks = html`Looks like ${networks[network].short}: ${shownCount(count)} or more, the last ${ago(outside, isoOf(last_ms))}`;
    return [sender, looks] as const;
  });
  return html`${forms.length > 0 && section('Unusual callbacks from this phone', shownForms)}
${
  lookalikes.length > 0 &&
  section('Sender names that resemble a network’s', [
    html`<p class="hint">Their texts may be forged, so they do not confirm payments.</p>`,
    facts(shownNames),
  ])
}`;
}

const SHARED = 'Shared by merchants; replies to it are not kept';

function queue(outside: Outside, sender: Sender, ends: ReadonlyMap<string, number>): Html {
  const waiting = [...ends].filter(([, endMs]) => endMs > outside.now());
  return table(waiting, {
    caption: 'Merchants with queued texts',
    columns: {
      Merchant: ([merchant]) => merchant,
      'Last text will be sent at': ([, endMs]) => shownTime(isoOf(endMs)),
      'New texts': ([merchant]) =>
        fullForMs(outside, sender, merchant) > 0
          ? pill('look', 'Refused: a full day’s texts are queued')
          : pill('good', 'Accepted'),
    },
    nothing: html`<p class="hint">No texts are queued.</p>`,
  });
}

function onOrOff(visit: PersonVisit<'number'>, { number, enabled, receives_only, gateway }: Sender): Html {
  const onOff = enabled
    ? section('Disable it', [
        html`<p>This number will accept no new texts. Queued texts are still sent. Payments that its phone receives still count.</p>`,
        form(visit, { path: '/{number}/disable', submit: 'Disable it' }),
      ])
    : gateway === FORWARDER
      ? html``
      : section(
          receives_only ? 'Let it send texts' : 'Enable it',
          form(visit, { path: '/{number}/enable', submit: receives_only ? 'Let it send texts too' : 'Enable it' }),
        );
  return html`${onOff}
${section('Remove it', [
  html`<p>${enabled && 'You can remove it once it is disabled. '}Texts still queued on it will fail, and their credits will be returned. Payments to this number will no longer be recognised.</p>`,
  form(visit, { path: '/{number}/remove', submit: `Remove ${localNumber(number)}`, isDangerous: true }),
])}`;
}

export async function moveSender(visit: PersonVisit<'number', typeof PlaceForm>, outside: Outside): Promise<Going> {
  const { number } = await requireSender(outside, numberIn(visit.path.number));
  return place(visit, outside, number);
}

export async function removeNumber({ path, commit }: PersonVisit<'number'>, outside: Outside): Promise<Going> {
  const { number, writes, entry } = await prepareRemoval(outside, numberIn(path.number));
  return commit(writes, { goTo: OPERATOR_PHONES, notice: `${shownNumber(number)} was removed.` }, entry);
}

export function turn(enabled: boolean) {
  return async ({ path, commit }: PersonVisit<'number'>, outside: Outside): Promise<Going> => {
    const { sender, writes, entry } = await prepareSwitch(outside, numberIn(path.number), enabled);
    const notice = `${shownNumber(sender.number)} ${enabled ? 'accepts texts again' : 'accepts no new texts'}.`;
    return commit(writes, { goTo: senderAddress(sender.number), notice }, entry);
  };
}

export async function showNewSender(visit: PersonVisit): Promise<Shown> {
  return {
    title: 'Add a number',
    main: html`<div class="card">${form(visit, { path: '/new', submit: 'Add the number' }, [
      field('number', 'Number', { type: 'tel', isRequired: true, hint: 'The SIM’s number, such as 024 123 4567.' }),
      ...placeFields(),
    ])}</div>`,
  };
}

export async function addNumber(visit: PersonVisit<never, typeof NewSenderForm>, outside: Outside): Promise<Going> {
  return place(visit, outside, visit.form.number);
}

async function place(
  { form, commit }: Pick<PersonVisit<string, typeof PlaceForm>, 'form' | 'commit'>,
  outside: Outside,
  number: string,
): Promise<Going> {
  const { network, gateway, device: device_id, sim: sim_number, per_hour: messages_per_hour, use } = form;
  const receives_only = use && use === 'receive';
  const wanted = { number, network, gateway, device_id, sim_number, messages_per_hour, receives_only };
  const { writes, entry } = await preparePlacing(outside, { ...wanted, owner: form.owner?.trim() });
  const notice = `${shownNumber(number)} is now SIM ${sim_number} of that phone. Within a minute, you will see whether the gateway lists it.`;
  return commit(writes, { goTo: senderAddress(number), notice }, entry);
}

export const PlaceForm = z.object({
  network: z.enum(Network.options, `must be ${anyNetwork()}`),
  ...senderFields,
  per_hour: z.optional(senderFields.per_hour),
  use: z.optional(z.enum(['both', 'receive'], 'must be both or receive')),
  owner: z.optional(z.string()),
});
export const NewSenderForm = z.extend(PlaceForm, { number: PhoneNumber });

function placeFields(sender?: Sender): Field[] {
  return [
    choice('network', 'Network', {
      value: sender?.network,
      options: Network.options.map((one) => [one, networks[one].short]),
      hint: 'Numbers can move between networks. Choose the SIM’s network, whatever the number’s first digits suggest.',
    }),
    field('gateway', 'Gateway account', {
      value: sender?.gateway,
      isRequired: true,
      hint: `The account’s name in the secret, such as “phone”. Use ${FORWARDER} for a phone with a forwarding app.`,
    }),
    field('device', 'Device id', {
      value: sender?.device_id,
      isRequired: true,
      hint: 'The ID shown in the gateway’s app. With a forwarding app, enter the phone’s name.',
    }),
    field('sim', 'SIM slot', {
      value: String(sender?.sim_number ?? 1),
      inputMode: 'numeric',
      isRequired: true,
      hint: '1 is the first.',
    }),
    choice('use', 'Used for', {
      value: sender?.receives_only ? 'receive' : 'both',
      options: [
        ['both', 'Sends texts and receives payments'],
        ['receive', 'Only receives payments'],
      ],
      hint: 'Payment texts for a number are accepted only from the phone it is assigned to.',
    }),
    field('owner', 'Owner', {
      value: sender && (sender.owner ?? NOBODY),
      hint: `Enter a merchant’s id, and only that merchant sends from this number and gets its replies. With “${NOBODY}”, merchants share it, and replies are not kept.${sender ? '' : ' Leave empty if there is only one merchant.'}`,
    }),
    field('per_hour', 'Texts an hour', {
      value: String(sender?.messages_per_hour ?? DEFAULT_MESSAGES_PER_HOUR),
      inputMode: 'numeric',
      hint: 'Carriers allow 30 to 200. A SIM that sends faster may be blocked.',
    }),
  ];
}

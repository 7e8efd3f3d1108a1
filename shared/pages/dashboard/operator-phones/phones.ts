import { html } from 'hono/html';
import { shownCount } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { merchantRows } from '../../../merchants/merchant/merchant.table.ts';
import { ODD_FAULTS, ODD_REMEDIES } from '../../../phones/gateway/odd-form.ts';
import { listPhones } from '../../../phones/gateway/phone.table.ts';
import { isLate, isSilent } from '../../../phones/sender/phone-silence.ts';
import { failingSenders } from '../../../phones/sender/report-senders.ts';
import { senderRows } from '../../../phones/sender/sender.table.ts';
import { type FaultReason, isInUse, type Sender } from '../../../phones/sender/sender.ts';
import type { PageRequest } from '../../../runtime/http/pagination.ts';
import { type Clock, isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import { listOutcomes } from '../../../runtime/table/recent-outcomes.ts';
import { hearingOf } from '../../../wallets/wallet/hearing.table.ts';
import { unreadForms } from '../../../wallets/wallet/watch-forms.ts';
import { OPERATOR_PHONES, senderAddress } from '../parts/addresses.ts';
import { ago, emptyState, pill, type Tone } from '../parts/content.ts';
import { BY_NUMBER, listPage } from '../parts/list.ts';
import type { PersonVisit, Shown } from '../parts/visit.ts';

export function showPhones(visit: PersonVisit, outside: Outside): Promise<Shown> {
  return listPage(visit, {
    title: 'Phones',
    caption: 'Numbers that send and receive',
    actions: [{ name: 'Add a number', address: `${OPERATOR_PHONES}/new` }],
    read: (page) => readSenders(outside, page),
    href: ({ number }) => senderAddress(number),
    columns: {
      Number: ({ number }) => html`<span class="number">${shownNumber(number)}</span>`,
      Network: ({ network }) => networks[network].short,
      Owner: ({ ownerName }) => ownerName,
      State: ({ state }) => pill(state.tone, state.label),
      Why: ({ state }) => (state.tone === 'good' ? '' : state.explanation),
      'Phone last online': ({ phone }) => (phone ? ago(outside, isoOf(phone.heard_ms)) : 'Never'),
      'Wallet text': ({ heard }) => (heard ? ago(outside, heard.heard_at) : 'None yet'),
      'Texts an hour': { figure: ({ messages_per_hour }) => shownCount(messages_per_hour) },
    },
    nothing: emptyState(
      'No numbers yet',
      'Connect a phone to a gateway, then add its SIM’s number here. The phone will then send texts and report payments.',
    ),
    order: BY_NUMBER,
  });
}

async function readSenders(outside: Outside, page: PageRequest) {
  const [{ entries: senders, next }, around] = await Promise.all([
    senderRows.page(outside, {}, { ...page, newestFirst: false }),
    surroundings(outside),
  ]);
  const numbers = senders.map(({ number }) => number);
  const owners = [...new Set(senders.flatMap(({ owner }) => owner ?? []))];
  const [hearings, merchants] = await Promise.all([
    hearingOf(outside, numbers),
    merchantRows.findMany(
      outside,
      owners.map((merchant_id) => ({ merchant_id })),
    ),
  ]);
  const names = new Map(merchants.map(({ merchant_id, name }) => [merchant_id, name]));
  const entries = senders.map((sender, n) => {
    const known = around(sender);
    const ownerName = sender.owner === undefined ? 'Shared' : (names.get(sender.owner) ?? 'No longer a merchant');
    return {
      ...sender,
      ...known,
      ownerName,
      heard: hearings[n]?.phones[0],
      state: senderState(outside, sender, known),
    };
  });
  return { entries, next };
}

/** Fetches the state of the senders' phones, using two reads. */
export async function surroundings(outside: Outside) {
  const [{ phones, pingsSinceMs }, outcomes] = await Promise.all([listPhones(outside), listOutcomes(outside)]);
  return ({ gateway, device_id }: Sender) => ({
    phone: phones.find((one) => one.gateway === gateway && one.device_id === device_id),
    pingsSinceMs: pingsSinceMs.get(gateway),
    outcomes,
  });
}

interface SenderState {
  readonly tone: Tone;
  readonly label: string;
  readonly explanation: string;
}

type SenderSurroundings = ReturnType<Awaited<ReturnType<typeof surroundings>>>;

const faults: Readonly<Record<FaultReason, readonly [word: string, why: string]>> = {
  not_listed: [
    'Not listed by its gateway',
    'The gateway does not list this phone or SIM. Check the device ID and SIM slot, and that the app is signed in.',
  ],
  no_account: [
    'No gateway account',
    'This stage has no gateway account with this name. Add it to the secret with the accounts.',
  ],
  gateway_rejects: ['Gateway login fails', 'The gateway does not accept the account’s user name and password.'],
  gateway_silent: ['Gateway not responding', 'The gateway is not responding. Sending resumes when it responds again.'],
};

/** Returns a sender's most serious problem or, if there is none, that the sender can send. */
export function senderState(
  outside: Clock,
  sender: Sender,
  { phone, pingsSinceMs, outcomes }: SenderSurroundings,
): SenderState {
  const { enabled, receives_only, fault, held_back } = sender;
  if (!isInUse(sender))
    return {
      tone: 'plain',
      label: 'Disabled',
      explanation: 'This number does not accept texts until it is enabled. Payments to it still count.',
    };
  if (fault) {
    const [label, explanation] = faults[fault.reason];
    return {
      tone: fault.is_lasting ? 'bad' : 'look',
      label,
      explanation: `${explanation}${fault.is_lasting ? ' It does not accept texts.' : ''}`,
    };
  }
  if (held_back === 'phone_not_seen')
    return {
      tone: 'bad',
      label: 'Phone is off',
      explanation:
        'The gateway has not seen the phone for 15 minutes. The phone is switched off or offline, and cannot send texts.',
    };
  if (isSilent(outside, sender, phone, pingsSinceMs))
    return {
      tone: 'bad',
      label: 'Phone silent',
      explanation:
        'The phone is on, but we receive nothing signed with its key. Its payments are not recognised. Check its signing key, clock and webhooks.',
    };
  const unread = phone && unreadForms(outside, phone).find(({ isOpen }) => isOpen);
  if (unread)
    return {
      tone: 'bad',
      label: 'Not understood',
      explanation: `The phone posts ${ODD_FAULTS[unread.fault]}, so its payments are not recognised. ${ODD_REMEDIES[unread.fault]}`,
    };
  if (isLate(outside, phone))
    return {
      tone: 'bad',
      label: 'Late',
      explanation:
        'The forwarding app posts texts minutes late, so payers have to wait. Exempt it from battery saving, and check the phone’s connection.',
    };
  if (failingSenders([sender], outcomes).length > 0)
    return {
      tone: 'look',
      label: 'Texts fail',
      explanation: 'At least half of its last ten texts failed. The SIM may have no airtime or no signal.',
    };
  if (!phone)
    return {
      tone: 'waiting',
      label: 'Not online yet',
      explanation: 'We have not heard from this phone yet. Its next payment or ping will show that it works.',
    };
  if (!enabled && receives_only)
    return {
      tone: 'good',
      label: 'Receives',
      explanation: 'This number only receives payments. Its phone is online.',
    };
  return { tone: 'good', label: 'Works', explanation: 'This number can send texts. Its phone is online.' };
}

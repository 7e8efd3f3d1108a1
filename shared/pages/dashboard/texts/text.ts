import { html } from 'hono/html';
import { shownNumber, wholeNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { Clock, Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { cancelTexts } from '../../../texts/sms/cancel-texts.ts';
import { getSendAndMessages, type Message, type SendAndMessages, senderOf } from '../../../texts/sms/message.table.ts';
import { parseMessageId } from '../../../texts/sms/message-id.ts';
import { sizeOfSend } from '../../../texts/sms/personal-text.ts';
import type { Send } from '../../../texts/sms/send.table.ts';
import { isRefunded, isUntaken, type MessageState, messageStates } from '../../../texts/sms/states.ts';
import { chargeLink, manyAddress, sendAgainAddress, textAddress } from '../parts/addresses.ts';
import {
  facts,
  type Happening,
  type Html,
  pill,
  quiet,
  refreshed,
  shownTime,
  type Tone,
  timeline,
  timeToday,
} from '../parts/content.ts';
import { costOf } from '../parts/cost.ts';
import { form } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import { CHARACTERS } from '../parts/shop-words.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

export async function showText(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const found = await requireSend(visit, outside);
  const { send, messages } = found;
  const [only] = messages.length === 1 ? messages : [];
  const untaken = messages.filter(isUntaken);
  const mayCancel = untaken.length > 0 && !send.has_code && may(visit.user, 'texts:send');
  return {
    title: only ? `Text to ${wholeNumber(send.to[0] ?? '')}` : `Text to ${send.to.length} numbers`,
    main: html`${what(visit, found)}
${refreshed(mayCancel ? cancelSection(visit, untaken.length) : '')}
${only ? quiet('What happened', refreshed(textTimeline(send, only))) : quiet('Recipients', refreshed(recipients(outside, found)))}
${detailsOf(send, messages)}`,
  };
}

function cancelSection(visit: MerchantVisit<'id'>, count: number): Html {
  const what = count === 1 ? 'Cancel the text' : `Cancel ${count} texts`;
  const facts = { path: '/{id}/cancel', submit: what, isDangerous: true };
  return quiet('Not sent yet', [
    html`<p class="hint">${count === 1 ? 'This text has' : 'These texts have'} not been passed to a phone yet. Cancel now to get the ${count === 1 ? 'credit' : 'credits'} back.</p>`,
    form(visit, facts),
  ]);
}

export async function cancelText(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const { merchant, path } = visit;
  return cancelTexts(outside, merchant.merchant_id, { id: path.id }, (writes, texts, { send }) =>
    visit.commit(
      writes,
      { goTo: textAddress(send.send_id), notice: `${counted(texts, 'text')} cancelled.` },
      { action: 'sms cancel', about: send.send_id, after: { texts } },
    ),
  );
}

async function requireSend(
  { path, merchant }: Pick<MerchantVisit<'id'>, 'path' | 'merchant'>,
  outside: Outside,
): Promise<SendAndMessages> {
  const place = parseMessageId(path.id);
  const found = place && (await getSendAndMessages(outside, place.sendId));
  if (found?.send.merchant_id !== merchant.merchant_id) throw new PublicError('not_found', 'This text does not exist.');
  return found;
}

function what({ user }: MerchantVisit<'id'>, { send, messages }: SendAndMessages): Html {
  const [only] = messages.length === 1 ? messages : [];
  const [explanation] = only ? [...failuresOf(messages), meaningOf(only.state)] : [];
  return html`<section class="summary"><div data-part><p class="actions">${statesOf(messages)}</p>${explanation && html`<p>${explanation}</p>`}${may(user, 'texts:send') && sendAgain(send, messages)}</div>
<blockquote class="words">${send.message}</blockquote></section>`;
}

/** Links to the filled form. A text to many is resent from its own page, and a text with a code is not kept. */
function sendAgain({ send_id, to, has_code, bulk }: Send, messages: readonly Message[]): Html | false {
  const [first, ...others] = messages.filter(({ state }) => state === 'failed');
  if (!first || has_code || bulk) return false;
  const isOfMany = messages.length > 1;
  const address = sendAgainAddress(send_id, isOfMany || to.length === 1 ? undefined : first.index + 1);
  const numbers = isOfMany && ` to ${counted(others.length + 1, 'number')}`;
  return html`<p class="actions"><a class="plain button" href="${address}">Send it again${numbers}</a></p>`;
}

/** Lists a send's details and the cost of those of its texts that the page shows. */
function detailsOf(send: Send, messages: readonly Message[]): Html {
  const { reference, bulk } = send;
  const { segments, encoding } = sizeOfSend(send);
  return quiet(
    'Details',
    facts([
      ['Part of', bulk && html`<a href="${manyAddress(bulk.id)}">A text to many</a>`],
      ['From', shownNumber(send.from)],
      ['Created', shownTime(send.created_at)],
      ['Scheduled for', send.send_at && shownTime(send.send_at)],
      ['Useful until', send.useless_at && shownTime(send.useless_at)],
      ['Quiet hours', send.quiet_hours],
      ['Bill', reference && chargeLink(reference)],
      ['Size', `${segments} SMS, in ${CHARACTERS[encoding]}`],
      ['Cost', shownCost(send, messages)],
      ['Metadata', send.metadata],
    ]),
  );
}

/** Describes the cost, which does not depend on the size, and how much of it was returned. */
function shownCost({ merchant_id }: Send, messages: readonly Message[]): string {
  const cost = costOf(merchant_id, messages.length);
  if (cost === undefined) return 'A test costs nothing';
  const returned = messages.filter(({ state }) => isRefunded(state)).length;
  if (returned > 0) return `${cost}, ${returned < messages.length ? `${returned} returned` : 'returned'}`;
  return `${cost}, ${messages.length === 1 ? 'whatever the size' : 'one for each number, whatever the size'}`;
}

/** Lists one line per number. Each state is explained once, above the list. */
function recipients(outside: Clock, { send, messages }: SendAndMessages): Html {
  const byState = byStateOf(messages);
  return html`<p class="hint">${byState.map(({ state, those }, n) => html`${n > 0 && html`<br>`}<b>${states[state].label}</b>: ${[...failuresOf(those), meaningOf(state)].join(' ')}`)}</p>
${table(
  byState.flatMap(({ those }) => those),
  {
    caption: 'Each number',
    href: ({ index }) => `${textAddress(send.send_id)}/${index + 1}`,
    columns: {
      To: ({ index }) => shownNumber(send.to[index] ?? ''),
      State: (message) =>
        html`<span class="actions">${statePill(message.state)}${timeToday(outside, stateSince(send, message))}</span>`,
    },
    isCompact: true,
  },
)}`;
}

/** Says why texts failed. Includes the number of texts with each reason, unless all have the same one. */
function failuresOf(messages: readonly Message[]): string[] {
  const failed = messages.filter(({ state }) => state === 'failed');
  const reasons = [...Map.groupBy(failed, ({ failure_reason }) => failureInWords(failure_reason))];
  return reasons.map(([reason, { length }]) => (reasons.length > 1 ? `${counted(length, 'text')}: ${reason}` : reason));
}

/** Returns the time when a text entered its state, or when a scheduled text is due. */
function stateSince({ created_at, send_at = created_at }: Send, message: Message): string {
  switch (message.state) {
    case 'scheduled':
      return send_at;
    case 'pending':
      return created_at;
    default:
      return message[`${message.state}_at`] ?? created_at;
  }
}

/** Shows the history of a send's text to one number. `n` is the number's position, starting at 1. */
export async function showRecipient(visit: MerchantVisit<'id' | 'n'>, outside: Outside): Promise<Shown> {
  const { send, messages } = await requireSend(visit, outside);
  const message = messages.find(({ index }) => String(index + 1) === visit.path.n);
  const number = message && send.to[message.index];
  if (!message || number === undefined) throw new PublicError('not_found', 'This text does not exist.');
  return {
    title: `Text to ${wholeNumber(number)}`,
    back: { name: `All ${send.to.length} numbers`, path: textAddress(send.send_id) },
    main: html`${what(visit, { send, messages: [message] })}
${quiet('What happened', textTimeline(send, message))}
${detailsOf(send, [message])}`,
  };
}

function textTimeline(send: Send, message: Message): Html {
  const cost = costOf(send.merchant_id, 1);
  const happened = [
    step(send.created_at, 'Accepted'),
    step(message.sending_at, 'Passed to the phone', `It is being sent from ${wholeNumber(senderOf(send, message))}.`),
    step(message.sent_at, 'Sent by the phone'),
    step(message.delivered_at, 'Delivered', undefined, 'good'),
    step(message.failed_at, 'Failed', undefined, 'bad'),
    step(message.cancelled_at, 'Cancelled'),
    step(message.expired_at, 'Expired', undefined, 'bad'),
    cost === undefined ? undefined : step(message.failed_at, 'Credit returned', 'One credit.'),
  ];
  return timeline(happened.filter((one) => one !== undefined));
}

function step(
  at: string | undefined,
  what: string,
  more?: string,
  tone: Happening['tone'] = 'plain',
): Happening | undefined {
  return at === undefined ? undefined : { at, what, more, tone };
}

/** Android's errors when sending a text, by SmsManager code. */
const words: Readonly<Record<string, string>> = {
  RESULT_ERROR_GENERIC_FAILURE: 'The phone could not send it. Its SIM may have no airtime, or the number is wrong',
  RESULT_ERROR_NO_SERVICE: 'The phone had no signal',
  RESULT_ERROR_RADIO_OFF: 'The phone was in flight mode',
  RESULT_ERROR_LIMIT_EXCEEDED: 'The phone had sent too many texts at once',
  RESULT_NETWORK_REJECT: 'The network refused it',
  RESULT_INVALID_SMSC_ADDRESS: 'The SIM has no number for its network’s message centre',
};

/** Describes a failure, with the phone's error code. */
function failureInWords(reason = 'The phone could not send it'): string {
  const [code = ''] = /RESULT_\w+/.exec(reason) ?? [];
  const known = words[code];
  const shownReason = known ? `${known} (${code})` : reason;
  return shownReason.endsWith('.') ? shownReason : `${shownReason}.`;
}

interface StateWords {
  readonly label: string;
  readonly tone: Tone;
  readonly means: string;
}

const states: Readonly<Record<MessageState, StateWords>> = {
  scheduled: { label: 'Scheduled', tone: 'waiting', means: 'It is scheduled, and can still be cancelled.' },
  pending: {
    label: 'Waiting',
    tone: 'waiting',
    means: 'It is waiting for its turn. A phone sends about 100 texts an hour.',
  },
  sending: { label: 'Sending', tone: 'waiting', means: 'The phone has it and is about to send it.' },
  sent: { label: 'Sent', tone: 'plain', means: 'The phone sent it. Some networks never confirm delivery.' },
  delivered: { label: 'Delivered', tone: 'good', means: 'The network confirmed that it arrived.' },
  cancelled: {
    label: 'Cancelled',
    tone: 'plain',
    means: 'It was cancelled before it was sent. Its credit was returned.',
  },
  expired: { label: 'Expired', tone: 'bad', means: 'It could not be sent in time. Its credit was returned.' },
  failed: { label: 'Failed', tone: 'bad', means: 'Credits of failed texts are returned.' },
};

function statePill(state: MessageState): Html {
  return pill(states[state].tone, states[state].label);
}

function meaningOf(state: MessageState): string {
  return states[state].means;
}

export function statesOf(messages: readonly Pick<Message, 'state'>[]): Html {
  const pills = byStateOf(messages).map(({ state, those }) =>
    messages.length === 1 ? statePill(state) : countPill(state, those.length),
  );
  return html`<span class="pills">${pills}</span>`;
}

/**
 * Returns the badge for a send's most important state, with the number of texts in that state (`1 of 50 failed`) unless
 * all texts are in it.
 */
export function mainStateOf(messages: readonly Pick<Message, 'state'>[], areAll = true): Html | string {
  const found = byStateOf(messages);
  const [first, ...others] = messageStates.toReversed().flatMap((state) => found.filter((one) => one.state === state));
  if (!first) return '';
  const { state, those } = first;
  if (others.length === 0 && areAll) return statePill(state);
  return countPill(state, areAll ? `${those.length} of ${messages.length}` : those.length);
}

/** Order of lists: problems first, then unfinished texts. */
const LISTED = new Set<MessageState>(['failed', 'expired', ...messageStates]);

function byStateOf<Some extends Pick<Message, 'state'>>(messages: readonly Some[]) {
  const found = Map.groupBy(messages, ({ state }) => state);
  return Array.from(LISTED, (state) => ({ state, those: found.get(state) ?? [] })).filter(
    ({ those }) => those.length > 0,
  );
}

function countPill(state: MessageState, count: number | string): Html {
  return pill(states[state].tone, `${count} ${states[state].label.toLowerCase()}`);
}

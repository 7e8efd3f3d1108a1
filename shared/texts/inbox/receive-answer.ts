import { isMobileNumber } from '../../ghana/network.ts';
import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import { withoutDigits } from '../../ghana/wallet-text/secret.ts';
import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount, retentionOf } from '../../merchants/merchant/test-account.ts';
import type { ReceivedEvent } from '../../phones/gateway/callback.ts';
import { placedNumber } from '../../phones/sender/placed-number.ts';
import { rememberedSenders } from '../../phones/sender/sender.table.ts';
import { ownerAt } from '../../phones/sender/sender.ts';
import { isoOf, nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { Changed, retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { retryAfter } from '../../runtime/values/errors.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import {
  answersOperator,
  type Conversation,
  cameBefore,
  countStranger,
  getConversation,
  type Heard,
  isFull,
  lastWriter,
  noteHeard,
} from '../conversation/conversation.table.ts';
import { type Keyword, keywordOf } from '../conversation/keywords.ts';
import { mayHaveCode } from '../conversation/sent-code.table.ts';
import { actOnKeyword } from './act-on-keyword.ts';
import { type Answer, answerRows, reasonsToWithhold, type WithheldReason } from './inbox.table.ts';
import { hasFourDigits, mayBeShown } from './may-be-shown.ts';

export interface Arrived {
  readonly to: string;
  readonly line: string;
  /** The number's owner when the text arrived. Undefined for a shared number. */
  readonly owner: string | undefined;
  readonly number: string;
  readonly words: string;
  /** Time the phone received the text, by its own clock. Defaults to the time of arrival at the service. */
  readonly receivedMs: number;
  readonly eventId: string;
}

export interface Taken {
  readonly answer?: Answer | undefined;
  readonly isKnown?: boolean;
  readonly unkept?: Unkept | undefined;
}

type Unkept =
  | 'shared_number'
  | 'answers_off'
  | 'answers_another_merchant'
  | 'answers_operator'
  | 'too_many'
  | 'empty'
  | 'no_change';

/**
 * Handles a customer's text, as forwarded by a phone. Returns true for a new text, false for a repeated one, and
 * undefined if the text was not stored. Ignores texts from our own phones, alphanumeric senders and short codes.
 */
export async function receiveAnswer(
  outside: Outside,
  gateway: string,
  event: ReceivedEvent,
): Promise<boolean | undefined> {
  const { sender, message, receivedAt } = event.payload;
  const number = parsePhoneNumber(sender);
  if (number === undefined || !isMobileNumber(number)) return undefined;
  const senders = await rememberedSenders(outside);
  const to = placedNumber(gateway, event, senders);
  if (to === undefined || senders.some((one) => one.number === number)) return undefined;
  const receivedMs = Math.min(Date.parse(String(receivedAt)) || outside.now(), outside.now());
  const { isKnown, unkept } = await storeAnswer(outside, {
    to,
    line: to,
    owner: ownerAt(senders, to, receivedMs),
    number,
    receivedMs,
    // Strip NUL characters, which could hide a code.
    words: message.replaceAll('\0', '').slice(0, MAX_READ_CHARACTERS),
    eventId: `${gateway} ${event.deviceId} ${event.id}`,
  });
  if (!unkept) return !isKnown;
  outside.log.info('text_not_kept', { gateway, device: event.deviceId, code: unkept });
  return undefined;
}

/**
 * Stores a text to a merchant's own number, and acts on STOP, START and HELP to any number. Stores at most twenty texts
 * per person per day.
 * @throws PublicError `busy`.
 */
export function storeAnswer(outside: Outside, arrived: Arrived): Promise<Taken> {
  return retryIfChanged(async () => {
    const owner = arrived.owner === undefined ? undefined : await merchantCache.get(outside, arrived.owner);
    const keyword = keywordOf(arrived.words, owner?.stop_words);
    if (!owner && !keyword) return { unkept: 'shared_number' };
    const conversation = await getConversation(outside, arrived.line, arrived.number);
    const heard = heardOf(outside, arrived, keyword);
    const before = cameBefore(conversation, heard, formsOf(arrived.words));
    // Apply a repeated STOP again: a START between the two may not have been forwarded yet.
    if (before && keyword !== 'stop') return { isKnown: true };
    const unkept = before ? 'no_change' : unkeptReason(outside, conversation, owner, { ...arrived, keyword });
    const withheld = owner && !unkept ? await withheldReason(outside, owner, arrived) : undefined;
    const seen = withheld ? { ...arrived, words: withoutDigits(arrived.words) } : arrived;
    const kept = withheld ? heardOf(outside, seen, keyword, withheld) : heard;
    if (withheld && cameBefore(conversation, kept)) return { isKnown: true };
    const answer = owner && !unkept ? answerOf(outside, conversation, { owner, keyword, withheld }, seen) : undefined;
    const done = keyword ? await actOnKeyword(outside, conversation, { ...arrived, keyword, owner }, moved) : [];
    if (!answer && done.length === 0) return before === 'posted_again' ? { isKnown: true } : { unkept };
    const noted = [noteHeard(outside, conversation, kept, moved), ...done];
    if (await keep(outside, conversation, arrived, [...noted, answer && answerRows.createOnce(answer)]))
      return { answer };
    // A STOP takes effect even above the limit.
    if (keyword !== 'stop' || done.length === 0) return { unkept: 'too_many' };
    await outside.table.write(noted);
    return {};
  });
}

class ConversationMoved extends Changed {
  constructor() {
    super('busy', 'Another text in this conversation arrived at the same time. Post this one again.', retryAfter(1));
  }
}
const moved = () => new ConversationMoved();

class TooManyStrangers extends Error {}

/** Returns the reason not to store a text for the number's owner, or undefined if the owner receives it. */
function unkeptReason(
  outside: Outside,
  conversation: Conversation,
  owner: Merchant | undefined,
  arrived: Arrived & { readonly keyword: Keyword | undefined },
): Unkept | undefined {
  const { words, keyword } = arrived;
  if (!owner) return 'shared_number';
  const { merchant_id, answers } = owner;
  if (!answers) return 'answers_off';
  if ((lastWriter(conversation, arrived)?.merchant_id ?? merchant_id) !== merchant_id)
    return 'answers_another_merchant';
  if (answersOperator(conversation, arrived)) return 'answers_operator';
  if (isFull(outside, conversation, keyword !== undefined)) return 'too_many';
  return words.trim() === '' ? 'empty' : undefined;
}

/** Returns the reason to withhold a text's content from the number's owner, if any. */
async function withheldReason(
  outside: Outside,
  { merchant_id }: Merchant,
  { words, number }: Arrived,
): Promise<WithheldReason | undefined> {
  if (!mayBeShown(words)) return 'looks_private';
  // Test mode must not reveal other merchants' codes.
  if (!isTestAccount(merchant_id) && hasFourDigits(words) && (await mayHaveCode(outside, number)))
    return 'may_hold_code';
  return undefined;
}

/** Maximum length of a stored text, equal to ten SMS. Longer texts are truncated. */
const MAX_CHARACTERS = 1_530;

/**
 * Maximum length of a text that is searched for private words. Must exceed `MAX_CHARACTERS`. Normalisation can make a text
 * eighteen times as long, so searching all of a callback could take several seconds.
 */
const MAX_READ_CHARACTERS = 10_000;

function answerOf(
  outside: Outside,
  conversation: Conversation,
  {
    owner: { merchant_id },
    keyword,
    withheld,
  }: Pick<Answer, 'withheld'> & {
    readonly owner: Merchant;
    readonly keyword: Keyword | undefined;
  },
  arrived: Arrived,
): Answer {
  const { number, to, line, words, receivedMs } = arrived;
  const created_at = nowIso(outside);
  const received_at = isoOf(receivedMs);
  const message = [...words.toWellFormed()].slice(0, MAX_CHARACTERS).join('');
  const { message_id } = lastWriter(conversation, arrived) ?? {};
  return {
    answer_id: `ans_${hash(JSON.stringify([merchant_id, line, number, words, received_at]), 32)}`,
    merchant_id,
    number,
    to,
    message: withheld ? '' : message,
    ...(withheld && { withheld }),
    received_at,
    created_at,
    ...(keyword && { keyword }),
    ...(message_id && { in_reply_to: message_id }),
    ...endOfRetention(retentionOf(outside, merchant_id), created_at),
  };
}

async function keep(
  outside: Outside,
  conversation: Conversation,
  arrived: Arrived,
  writes: readonly (TableWrite | undefined)[],
): Promise<boolean> {
  const isStranger = !lastWriter(conversation, arrived);
  const counted = isStranger ? [countStranger(outside, arrived.line, () => new TooManyStrangers())] : [];
  try {
    await outside.table.write([...writes, ...counted].filter((one) => one !== undefined));
    return true;
  } catch (error) {
    if (!(error instanceof TooManyStrangers)) throw error;
    return false;
  }
}

/**
 * Hashes the text, ignoring spaces and case. A withheld text is hashed without its digits, because four digits could be
 * recovered from a hash.
 */
function heardOf(
  { now }: Outside,
  { words, receivedMs, eventId }: Arrived,
  keyword: Keyword | undefined,
  withheld: WithheldReason | '' = '',
): Heard {
  const times = { received_ms: receivedMs, arrived_ms: now() };
  return { event: hash(eventId, 12), words: formOf(words, withheld), ...(keyword && { is_keyword: true }), ...times };
}

function formOf(words: string, withheld: WithheldReason | ''): string {
  return hash(`${withheld}${words.normalize('NFKC').replace(/\s/g, '').toLowerCase()}`, 12);
}

/** Returns every hash that an identical text may have been recorded under. */
function formsOf(words: string): string[] {
  return [formOf(words, ''), ...reasonsToWithhold.map((reason) => formOf(withoutDigits(words), reason))];
}

function hash(text: string, digits: number): string {
  return sha256(text).slice(0, digits);
}

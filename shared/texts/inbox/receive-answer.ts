import { createHash } from 'node:crypto';
import { isMobileNumber, parsePhoneNumber } from '../../ghana/phone-number.ts';
import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTwin, retentionOf } from '../../merchants/merchant/twin.ts';
import type { ReceivedEvent } from '../../phones/gateway/callback.ts';
import { placedNumber } from '../../phones/sender/placed-number.ts';
import { rememberedSenders } from '../../phones/sender/sender.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { Changed, retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { noteOptOut } from '../contact/contact.table.ts';
import {
  answersOperator,
  type Conversation,
  countStranger,
  getConversation,
  type Heard,
  type Holder,
  holderOf,
  isFull,
  isKnown,
  noteHeard,
  promoterOf,
} from '../conversation/conversation.table.ts';
import { createKeyword, findKeyword, isOfToday } from '../conversation/keyword.table.ts';
import { type Keyword, keywordOf } from '../conversation/keywords.ts';
import { changeOptOut, findOptOut } from '../conversation/opt-out.table.ts';
import { type Answer, createAnswer } from './inbox.table.ts';
import { mayBeShown } from './may-be-shown.ts';

/** What a person wrote to a number. */
export interface Arrived {
  /** The number that it came to. */
  readonly to: string;
  /** What the conversation is found by: that number, or for a test its twin. */
  readonly line: string;
  /** Whose number it is, if it is one merchant's alone. */
  readonly owner: string | undefined;
  /** `+233…` */
  readonly number: string;
  readonly words: string;
  /** By the phone's clock; when it arrived, where that says nothing. */
  readonly receivedMs: number;
  /** Of the event that the phone posted. */
  readonly eventId: string;
}

/** What became of it: what is kept, if anything is; `known` where it had come before. */
export interface Taken {
  readonly answer?: Answer | undefined;
  readonly keyword?: Keyword | undefined;
  readonly isKnown?: boolean;
}

/**
 * Takes a text that a phone posted, where it is a person's to a merchant: true, or false where it came before. Undefined where it is
 * nothing of a merchant's, and nothing was stored. Who sends it is what the network says: alphanumeric senders and short codes are
 * services, and numbers that are in our own phones are us.
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
  const toldMs = Date.parse(receivedAt ?? '');
  const isPlausible = toldMs > 0 && toldMs <= outside.now();
  const taken = await takeAnswer(outside, {
    ...{ to, line: to, owner: senders.find((one) => one.number === to)?.owner, number, words: message },
    receivedMs: isPlausible ? toldMs : outside.now(),
    eventId: `${gateway} ${event.deviceId} ${event.id}`,
  });
  return taken && !taken.isKnown;
}

/**
 * Keeps what a person wrote, for the merchant whose conversation it is, and does what STOP, START and HELP say; undefined where nothing
 * was done. At most one transaction of a few rows, whatever the text; of one person twenty texts a day.
 * @throws PublicError `busy`.
 */
export function takeAnswer(outside: Outside, arrived: Arrived): Promise<Taken | undefined> {
  return retryIfChanged(async () => {
    const conversation = await getConversation(outside, arrived.line, arrived.number);
    const heard = heardOf(outside, arrived);
    if (isKnown(conversation, heard)) return { isKnown: true };
    const said = await meaningOf(outside, conversation, arrived);
    if (!said) return undefined;
    const change = await changeOf(outside, said, arrived);
    const answer = isShown(outside, conversation, said, arrived) ? answerOf(outside, said, arrived) : undefined;
    const confirmation = await confirmationOf(outside, said, arrived, change.length > 0);
    if (!answer && change.length === 0 && !confirmation) return undefined;
    const kept = [
      noteHeard(outside, conversation, heard, moved),
      answer && createAnswer(answer),
      ...change,
      confirmation,
    ];
    return (await keep(outside, said.holder, arrived, kept)) ? { answer, keyword: said.keyword } : undefined;
  });
}

/** Somebody wrote to the person, or they wrote again, since the conversation was read. */
class ConversationMoved extends Changed {
  constructor() {
    super('busy', 'Another text of this conversation came at the same time. Post it again.', {
      headers: { 'retry-after': '1' },
    });
  }
}
const moved = () => new ConversationMoved();

/** As many texts of strangers were kept today as a number keeps. */
class TooManyStrangers extends Error {}

/** Whose a text is, and what it means to them. */
interface Said {
  readonly merchant: Merchant;
  readonly holder: Holder;
  readonly keyword: Keyword | undefined;
}

/** STOP and START are for whoever sent marketing last; a word of that merchant's own goes before what it would mean to another. */
async function meaningOf(outside: Outside, conversation: Conversation, arrived: Arrived): Promise<Said | undefined> {
  const { words } = arrived;
  const promoter = promoterOf(conversation, arrived);
  const meant = promoter && (await saidTo(outside, promoter, words));
  if (meant?.keyword === 'stop' || meant?.keyword === 'start') return meant;
  const holder = holderOf(conversation, arrived);
  if (!holder || answersOperator(conversation, arrived)) return undefined;
  return saidTo(outside, holder, words);
}

async function saidTo(outside: Outside, holder: Holder, words: string): Promise<Said | undefined> {
  const merchant = await merchantCache.get(outside, holder.merchant_id);
  return merchant && { merchant, holder, keyword: keywordOf(words, merchant.stop_words) };
}

/** Longer words are cut: ten SMS. */
const MAX_CHARACTERS = 1_530;

/** A test's are always shown: who writes a program for answers needs some. */
function isShown(outside: Outside, conversation: Conversation, { merchant, keyword }: Said, { words }: Arrived) {
  if (!merchant.answers && !isTwin(merchant.merchant_id)) return false;
  return !isFull(outside, conversation) && (keyword !== undefined || mayBeShown(words));
}

function answerOf(outside: Outside, { merchant, holder, keyword }: Said, arrived: Arrived): Answer {
  const { merchant_id } = merchant;
  const { number, to, line, words, receivedMs } = arrived;
  const created_at = new Date(outside.now()).toISOString();
  const received_at = new Date(receivedMs).toISOString();
  const message = [...words.toWellFormed()].slice(0, MAX_CHARACTERS).join('');
  return {
    answer_id: `ans_${hash(JSON.stringify([merchant_id, line, number, words, received_at]), 32)}`,
    ...{ merchant_id, number, to, message, received_at, created_at },
    ...(keyword && { keyword }),
    ...(holder.message_id && { in_reply_to: holder.message_id }),
    ...endOfRetention(retentionOf(outside, merchant_id), created_at),
  };
}

/** What STOP or START changes, if anything. Of two words the later one counts, whichever is posted first. */
async function changeOf(
  outside: Outside,
  { merchant: { merchant_id }, keyword }: Said,
  { number, words, receivedMs }: Arrived,
): Promise<TableWrite[]> {
  if (keyword !== 'stop' && keyword !== 'start') return [];
  const before = await findOptOut(outside, merchant_id, number);
  const opted_out = keyword === 'stop';
  if ((before?.opted_out ?? false) === opted_out || (before && Date.parse(before.at) > receivedMs)) return [];
  const word = words.trim().toUpperCase().slice(0, MAX_WORD_CHARACTERS);
  const at = new Date(receivedMs).toISOString();
  return [
    changeOptOut(before, { merchant_id, number, opted_out, at, word }, moved),
    noteOptOut(merchant_id, number, opted_out),
  ];
}

const MAX_WORD_CHARACTERS = 30;

/**
 * Has the keyword confirmed by a text: once a day for each keyword, only where something changed or HELP was asked for, and only to people
 * whom the merchant wrote to lately. So nobody else makes it cost a credit.
 */
async function confirmationOf(
  outside: Outside,
  { merchant: { merchant_id }, holder, keyword }: Said,
  { number, to }: Arrived,
  isChanged: boolean,
): Promise<TableWrite | undefined> {
  if (!keyword || holder.isStranger || (keyword !== 'help' && !isChanged)) return undefined;
  const whose = { merchant_id, number, to, keyword };
  const before = await findKeyword(outside, whose);
  return isOfToday(outside, before) ? undefined : createKeyword(outside, before, whose, moved);
}

/** Writes all of it, or nothing: false where as many texts of strangers were kept today as are kept in a day. */
async function keep(
  outside: Outside,
  holder: Holder,
  arrived: Arrived,
  writes: readonly (TableWrite | undefined)[],
): Promise<boolean> {
  const counted = holder.isStranger ? [countStranger(outside, arrived.line, () => new TooManyStrangers())] : [];
  try {
    await outside.table.write([...writes, ...counted].filter((one) => one !== undefined));
    return true;
  } catch (error) {
    if (!(error instanceof TooManyStrangers)) throw error;
    outside.log.warn('strangers_not_kept', {});
    return false;
  }
}

/** Space and case make no other text of it. */
function heardOf({ now }: Outside, { words, receivedMs, eventId }: Arrived): Heard {
  const same = words.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  return { event: hash(eventId, 12), words: hash(same, 12), received_ms: receivedMs, arrived_ms: now() };
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { noteOptOut } from '../contact/contact.table.ts';
import { type Conversation, isFull, lastWriter, promotersOf, SKEW_MS } from '../conversation/conversation.table.ts';
import {
  type Confirmation,
  forgetEnded,
  type HeardKeyword,
  isOfToday,
  listKeywords,
  noteKeyword,
} from '../conversation/keyword.table.ts';
import { type Keyword, keywordOf } from '../conversation/keywords.ts';
import { changeOptOut, type OptOut, optOutsOf } from '../conversation/opt-out.table.ts';

interface Statement {
  readonly keyword: Keyword;
  readonly words: string;
  readonly number: string;
  readonly line: string;
  readonly to: string;
  readonly receivedMs: number;
  readonly owner: Merchant | undefined;
}

interface Effect {
  readonly writes: readonly TableWrite[];
  readonly changed: readonly string[];
}

/**
 * Prepares the writes for a keyword. If a person sent both STOP and START, the one that reached the phone later
 * applies. The writes fail with `moved` if another keyword was recorded in the meantime.
 */
export async function actOnKeyword(
  outside: Outside,
  conversation: Conversation,
  statement: Statement,
  moved: () => Error,
): Promise<TableWrite[]> {
  const { keyword, line, number, receivedMs } = statement;
  const heard = await listKeywords(outside, statement);
  // The same phone received both texts, so their times are comparable.
  if (keyword === 'stop' && Date.parse(String(heard.get('start')?.word_at)) > receivedMs) return [];
  const effects = { stop: endMarketing, start: giveBack, help: ask };
  const { writes, changed } = await effects[keyword](outside, {
    conversation,
    statement,
    stop: heard.get('stop'),
    moved,
  });
  if (keyword === 'stop' && changed.length === 0 && isFull(outside, conversation, true)) return [];
  const confirmation = isOfToday(outside, heard.get(keyword))
    ? undefined
    : confirmationOf(conversation, statement, changed);
  if (writes.length === 0 && !confirmation) return [];
  const ended = keyword === 'stop' && changed.length > 0 ? [...changed] : undefined;
  const keywordRow = { line, number, keyword, word_at: isoOf(receivedMs), ended };
  return [...writes, noteKeyword(outside, keywordRow, confirmation)];
}

interface Hearing {
  readonly conversation: Conversation;
  readonly statement: Statement;
  readonly stop: HeardKeyword | undefined;
  readonly moved: () => Error;
}

type Act = (outside: Outside, hearing: Hearing) => Promise<Effect>;

/**
 * STOP applies to the number's owner and to every merchant that recently sent marketing from the number. A merchant's
 * own stop word applies only to that merchant.
 */
const endMarketing: Act = async (outside, { conversation, statement, moved }) => {
  const { words, owner, number, receivedMs } = statement;
  const promoters = keywordOf(words) === 'stop' ? promotersOf(conversation, statement) : [];
  const meant = [...new Set([...promoters, ...(owner ? [owner.merchant_id] : [])])];
  const known = await optOutsOf(outside, number, meant);
  // Allow for clock skew: a START on another phone must not cancel a STOP.
  const isNews = ({ opted_out, at }: Pick<OptOut, 'opted_out' | 'at'>) =>
    Date.parse(at) < receivedMs + (opted_out ? 0 : SKEW_MS);
  const news = meant.filter((id) => isNews(known.get(id) ?? NO_STATEMENT));
  const changed = news.filter((id) => !known.get(id)?.opted_out);
  const record = recorderOf(statement, known, moved);
  return { changed, writes: [...news.map(record), ...changed.map((id) => noteOptOut(id, number, true))] };
};

/** START applies to the number's owner and to the merchants that the last STOP applied to. */
const giveBack: Act = async (outside, { statement, stop, moved }) => {
  const { owner, number, receivedMs } = statement;
  const meant = [...new Set([...(stop?.ended ?? []), ...(owner ? [owner.merchant_id] : [])])];
  const known = await optOutsOf(outside, number, meant);
  const changed = meant.filter((id) => {
    const { opted_out, at } = known.get(id) ?? NO_STATEMENT;
    return opted_out && Date.parse(at) <= receivedMs;
  });
  const writes = [
    ...changed.map(recorderOf(statement, known, moved)),
    ...changed.map((id) => noteOptOut(id, number, false)),
  ];
  return { changed, writes: changed.length > 0 && stop?.ended ? [...writes, forgetEnded(statement)] : writes };
};

/** HELP changes nothing. The confirmation names the merchant that last sent marketing. */
const ask: Act = async (_, { conversation, statement }) => ({
  writes: [],
  changed: promotersOf(conversation, statement).slice(0, 1),
});

const NO_STATEMENT = { opted_out: false, at: isoOf(0) } as const;
const MAX_WORD_CHARACTERS = 30;

function recorderOf(
  { keyword, words, number, receivedMs }: Statement,
  known: ReadonlyMap<string, OptOut>,
  moved: () => Error,
) {
  const stated = { number, opted_out: keyword === 'stop', at: isoOf(receivedMs) };
  const word = words.trim().toUpperCase().slice(0, MAX_WORD_CHARACTERS);
  return (merchant_id: string) => changeOptOut(known.get(merchant_id), { merchant_id, ...stated, word }, moved);
}

/**
 * Returns the confirmation, or undefined if no merchant pays for it. The number's owner pays if the owner was the last
 * merchant to text the person and did so in the last 30 days. On a shared number, one of the merchants whose opt-out
 * changed pays: the one that last sent marketing.
 */
function confirmationOf(
  conversation: Conversation,
  statement: Statement,
  changed: readonly string[],
): Confirmation | undefined {
  const { keyword, owner, to } = statement;
  if (!owner) {
    const [merchant_id, ...others] = changed;
    return merchant_id === undefined ? undefined : { merchant_id, others: others.length, to };
  }
  const { merchant_id } = owner;
  if (lastWriter(conversation, statement)?.merchant_id !== merchant_id) return undefined;
  return keyword === 'help' || changed.length > 0 ? { merchant_id, others: 0, to } : undefined;
}

import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { type PageRequest, timesOf } from '../../runtime/http/pagination.ts';
import { isoOf, type TableOutside } from '../../runtime/outside/outside.ts';
import { type Answer, answerRows } from './inbox.table.ts';
import type { AnswerResponse } from './responses.ts';

/**
 * Lists a merchant's replies, newest first, filtered by the query's `from` and `to`.
 * @throws PublicError `invalid_request`.
 */
export function listAnswersByQuery(
  outside: TableOutside,
  merchantId: string,
  page: PageRequest,
  query: Readonly<Record<string, string | undefined>>,
) {
  const { fromMs, toMs } = timesOf(query);
  // `~` sorts after every possible id.
  const between = [isoOf(fromMs), `${isoOf(toMs)}~`] as const;
  return answerRows.page(outside, { merchant_id: merchantId }, { ...page, between });
}

export function presentAnswer(answer: Answer): AnswerResponse {
  const { answer_id, merchant_id, number, to, message, withheld, keyword, in_reply_to, received_at, created_at } =
    answer;
  return {
    id: answer_id,
    livemode: !isTestAccount(merchant_id),
    from: number,
    to,
    message,
    withheld: withheld ?? null,
    keyword: keyword ?? null,
    in_reply_to: in_reply_to ?? null,
    received_at,
    created_at,
  };
}

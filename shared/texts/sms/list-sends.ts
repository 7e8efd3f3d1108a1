import { choiceOf, filledPage, type PageRequest, timesOf } from '../../runtime/http/pagination.ts';
import type { TimedOutside } from '../../runtime/outside/outside.ts';
import type { PageStart } from '../../runtime/table/table.ts';
import { listFailedSends, listSendsAndMessages, type SendAndMessages } from './message.table.ts';
import { startAfterSend } from './send.table.ts';
import { messageStates } from './states.ts';

/**
 * Lists a merchant's sends, newest first, filtered by the query's `status`, `from` and `to`. Matches a send if any of
 * its texts has that status.
 * @throws PublicError `invalid_request`.
 */
export async function listSendsByQuery(
  outside: TimedOutside,
  merchantId: string,
  page: PageRequest,
  query: Readonly<Record<string, string | undefined>>,
): Promise<{ entries: SendAndMessages[]; next: PageStart | undefined }> {
  const times = timesOf(query);
  const status = choiceOf(query, 'status', messageStates);
  const list = status === 'failed' ? listFailedSends : listSendsAndMessages;
  return filledPage(
    page,
    (part) => list(outside, merchantId, part, times),
    ({ messages }) => status === undefined || messages.some(({ state }) => state === status),
    ({ send }) => startAfterSend(send),
  );
}

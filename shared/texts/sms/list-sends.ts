import { choiceOf, filledPage, type PageRequest, timesOf } from '../../runtime/http/pagination.ts';
import type { TimedOutside } from '../../runtime/outside/outside.ts';
import type { PageStart } from '../../runtime/table/table.ts';
import { listFailedSends, listSendsAndMessages, type SendAndMessages } from './message.table.ts';
import { startAfterSend } from './send.table.ts';
import { type MessageState, messageStates } from './states.ts';

interface Sends {
  readonly entries: SendAndMessages[];
  readonly next: PageStart | undefined;
}

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Lists a merchant's sends, newest first, filtered by the query's `status`, `from` and `to`. Matches a send if any of
 * its texts has that status.
 * @throws PublicError `invalid_request`.
 */
export function listSendsByQuery(
  outside: TimedOutside,
  merchantId: string,
  page: PageRequest,
  query: Query,
): Promise<Sends> {
  const status = choiceOf(query, 'status', messageStates);
  return listSendsInStates(outside, merchantId, page, { query, states: status && [status] });
}

/**
 * Lists a merchant's sends with a text in any of these states, filtered by the query's `from` and `to`.
 * @throws PublicError `invalid_request`.
 */
export async function listSendsInStates(
  outside: TimedOutside,
  merchantId: string,
  page: PageRequest,
  { query, states }: { readonly query: Query; readonly states: readonly MessageState[] | undefined },
): Promise<Sends> {
  const times = timesOf(query);
  const list = states?.join() === 'failed' ? listFailedSends : listSendsAndMessages;
  return filledPage(
    page,
    (part) => list(outside, merchantId, part, times),
    ({ messages }) => states === undefined || messages.some(({ state }) => states.includes(state)),
    ({ send }) => startAfterSend(send),
  );
}

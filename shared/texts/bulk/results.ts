import type { SendAndMessages } from '../sms/message.table.ts';
import { messageId } from '../sms/message-id.ts';
import { placeholdersOf } from '../sms/personal-text.ts';

const FIXED = ['id', 'to', 'status', 'failure_reason', 'sent_at', 'delivered_at'];

/** What became of each text of a bulk, for a file: its columns, and a row for each text, in the order of the recipients. Times are ISO 8601. */
export function resultsOf(sends: readonly SendAndMessages[]): {
  columns: readonly string[];
  rows: readonly (readonly (string | undefined)[])[];
} {
  const names = placeholdersOf(sends[0]?.send.message ?? '');
  const rows = sends.flatMap(({ send, messages }) =>
    messages.map(({ index, state, failure_reason, sent_at, delivered_at }) => [
      messageId(send.send_id, index),
      send.to[index],
      state,
      failure_reason,
      sent_at,
      delivered_at,
      ...names.map((_, n) => send.words?.[index]?.[n]),
    ]),
  );
  return { columns: [...FIXED, ...names.map((name) => `{${name}}`)], rows };
}

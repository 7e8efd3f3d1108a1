import type { SendAndMessages } from '../sms/message.table.ts';
import { messageId } from '../sms/message-id.ts';
import { placeholdersOf } from '../sms/personal-text.ts';

type Result = Pick<SendAndMessages, 'send'> & { readonly message: SendAndMessages['messages'][number] };

/** Returns the rows and columns of a bulk send's results file. Each column is a function from a text to its cell. */
export function resultsOf(sends: readonly SendAndMessages[]): {
  texts: readonly Result[];
  columns: Readonly<Record<string, (text: Result) => string | undefined>>;
} {
  const names = placeholdersOf(sends[0]?.send.message ?? '');
  const words = names.map((name, n) => [
    `{${name}}`,
    ({ send, message: { index } }: Result) => send.words?.[index]?.[n],
  ]);
  return {
    texts: sends.flatMap(({ send, messages }) => messages.map((message) => ({ send, message }))),
    columns: {
      id: ({ send, message }) => messageId(send.send_id, message.index),
      to: ({ send, message }) => send.to[message.index],
      status: ({ message }) => message.state,
      failure_reason: ({ message }) => message.failure_reason,
      sent_at: ({ message }) => message.sent_at,
      delivered_at: ({ message }) => message.delivered_at,
      ...Object.fromEntries(words),
    },
  };
}

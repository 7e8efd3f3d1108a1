/**
 * text with a code   CODE_TEXT#<send id> / CODE_TEXT   full text of a message with a code, until the message has been
 *                                                      sent or has failed. Only the delivery worker can read it
 */
import * as z from 'zod/mini';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { createItem, type TableWrite } from '../../runtime/table/table.ts';
import type { Send } from './send.table.ts';

const CodeText = z.object({ text: z.string() });

type Owned = Pick<Send, 'send_id'>;

export const codeTextRows = rows(CodeText, { pk: 'CODE_TEXT#<send_id>', sk: 'CODE_TEXT' });

/**
 * Stores the full text, which expires with its code. Test codes are not stored, because nobody reads a simulated text.
 */
export function createCodeText(send: Send, text: string, expires_at_epoch_seconds: number): TableWrite[] {
  if (isTestAccount(send.merchant_id)) return [];
  return [createItem({ ...codeTextRows.key(send), text, expires_at_epoch_seconds })];
}

export async function getCodeText(outside: TableOutside, send: Owned): Promise<string | undefined> {
  return (await codeTextRows.find(outside, send))?.text;
}

export async function removeCodeText({ table }: TableOutside, send: Owned): Promise<void> {
  await table.remove(codeTextRows.key(send));
}

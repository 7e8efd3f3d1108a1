/**
 * text with a code   CODE_TEXT#<send id> / CODE_TEXT   the full text, until a phone has the text or the text has
 *                                                      failed. A merchant's code can be read only here, and only by the
 *                                                      worker that hands texts to gateways
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
 * Stores the full text. If nobody removes the row, it expires with its code. Test codes have no row, because nobody
 * reads a simulated text.
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

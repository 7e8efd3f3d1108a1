/*
 * send   SEND#<send id> / SEND   one text, all its recipients: one item, whatever their number, and the outbox row
 *   gsi1   MERCHANT#<merchant>#SEND / <send id>     a merchant's sends by time
 */
import * as z from 'zod/mini';
import type { Outside } from '../runtime/outside.ts';
import type { Item, Piece } from '../runtime/table.ts';

export const Send = z.object({
  send_id: z.string(),
  merchant_id: z.string(),
  /** The sender's number, `+233…`. */
  from: z.string(),
  to: z.array(z.string()),
  message: z.string(),
  /** JSON text, as the caller wrote its numbers. */
  metadata: z.optional(z.string()),
  created_at: z.string(),
});
export type Send = z.infer<typeof Send>;

export const sendKey = (sendId: string) => ({ pk: `SEND#${sendId}`, sk: 'SEND' });

export async function getSend(outside: Pick<Outside, 'table'>, sendId: string): Promise<Send | undefined> {
  const item = await outside.table.get(sendKey(sendId));
  return item && parseSend(item);
}

export function parseSend(item: Item): Send {
  return z.parse(Send, item);
}

export function createSend(send: Send): Piece {
  return {
    put: {
      Item: {
        ...sendKey(send.send_id),
        gsi1pk: `MERCHANT#${send.merchant_id}#SEND`,
        gsi1sk: send.send_id,
        ...send,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

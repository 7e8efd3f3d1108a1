/*
 * credit balance   CREDITS#<merchant> / BALANCE              an integer, alone on its partition so that debits are fast, and
 *                                                            so that who keeps an entry cannot put a balance
 * credit entry     CREDIT_ENTRY#<merchant> / ENTRY#<ulid>    a top-up or a refund. Sends are the debits:
 *                                                            balance = entries − recipients of sends, until the first sends end
 */
import * as z from 'zod/mini';
import type { Outside } from '../runtime/outside/outside.ts';
import type { Item, TableWrite } from '../runtime/table/table.ts';
import { PublicError } from '../runtime/values/errors.ts';

const Balance = z.object({ balance: z.number() });

const keyOf = (merchantId: string) => ({ pk: `CREDITS#${merchantId}`, sk: 'BALANCE' });

/** A merchant's balance in credits; 0 if none were ever added. */
export async function getBalance(outside: Pick<Outside, 'table'>, merchantId: string): Promise<number> {
  return balanceOf(await outside.table.get(keyOf(merchantId)));
}

/** Debits `credits`, or refuses with `insufficient_credits` if there are fewer. */
export function debitCredits(merchantId: string, credits: number): TableWrite {
  return {
    update: {
      Key: keyOf(merchantId),
      UpdateExpression: 'SET balance = balance - :credits',
      ConditionExpression: 'balance >= :credits',
      ExpressionAttributeValues: { ':credits': credits },
    },
    refused: (current) => {
      const balance = balanceOf(current);
      return new PublicError(
        'insufficient_credits',
        `This costs ${credits} SMS credits, but only ${balance} are left. Ask the operator to add credits and try again.`,
      );
    },
  };
}

/** Adds credits and the entry that says why: two writes, for one transaction. `entryId` is a ulid. */
export function addCredits(
  merchantId: string,
  entry: { entry_id: string; credits: number; reason: 'top-up' | 'refund'; message_id?: string; created_at: string },
): TableWrite[] {
  return [
    {
      update: {
        Key: keyOf(merchantId),
        UpdateExpression: 'ADD balance :credits',
        ExpressionAttributeValues: { ':credits': entry.credits },
      },
    },
    {
      put: {
        Item: { pk: `CREDIT_ENTRY#${merchantId}`, sk: `ENTRY#${entry.entry_id}`, ...entry },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
  ];
}

function balanceOf(item: Item | undefined): number {
  return item ? z.parse(Balance, item).balance : 0;
}

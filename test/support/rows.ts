import { getBalance } from '../../shared/credits/credits.table.ts';
import type { Item } from '../../shared/runtime/table.ts';
import type { TestMerchant, World } from './world.ts';

// What is in the table, for a test that asks what is now true.

export function balanceOf({ outside }: World, { id }: TestMerchant): Promise<number> {
  return getBalance(outside, id);
}

/** A merchant's sends, as they are stored. */
export function sendsOf({ outside }: World, { id }: TestMerchant): Promise<Item[]> {
  return outside.table.listIndex('gsi1', `MERCHANT#${id}#SEND`);
}

/** A merchant's charges, as they are stored. */
export function chargesOf({ outside }: World, { id }: TestMerchant): Promise<Item[]> {
  return outside.table.listIndex('gsi1', `MERCHANT#${id}#TRANSACTION`);
}

/** The entries that gave a merchant credits back. */
export async function refundsOf({ outside }: World, { id }: TestMerchant): Promise<Item[]> {
  const { items } = await outside.table.query({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :entry)',
    ExpressionAttributeValues: { ':pk': `CREDITS#${id}`, ':entry': 'ENTRY#' },
    ConsistentRead: true,
  });
  return items.filter(({ reason }) => reason === 'refund');
}

/** The row of one recipient's message; undefined until a worker claims it. */
export function messageRow({ outside }: World, sendId: string, index = 0): Promise<Item | undefined> {
  return outside.table.get(messageKey(sendId, index));
}

/** Puts a message into a state, as a phone's report would. */
export async function writeMessageState({ outside }: World, sendId: string, state: string, index = 0): Promise<void> {
  await outside.table.update({
    update: {
      Key: messageKey(sendId, index),
      UpdateExpression: 'SET #state = :state',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':state': state },
    },
  });
}

function messageKey(sendId: string, index: number) {
  return { pk: `SEND#${sendId}`, sk: `MESSAGE#${String(index).padStart(2, '0')}` };
}

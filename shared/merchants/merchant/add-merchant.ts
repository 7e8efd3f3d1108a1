import { claimSender, listSenders } from '../../phones/sender/sender.table.ts';
import type { WriteOutside } from '../../runtime/outside/outside.ts';
import { trimmedText } from '../../runtime/values/text.ts';
import type { Prepared } from '../audit/audit.table.ts';
import { type NewMerchant, newMerchant } from './manage-merchant.ts';
import { createMerchant, listMerchantIds } from './merchant.table.ts';
import type { Merchant } from './merchant.ts';

interface AddedMerchant {
  readonly merchant: Merchant;
  readonly own: readonly string[];
  readonly shared: readonly string[];
}

export const MerchantName = trimmedText(80);

/**
 * Adds a merchant. The first merchant becomes the owner of all existing sending numbers.
 * @throws PublicError `invalid_request` for a duplicate number.
 */
export async function addMerchant(outside: WriteOutside, fields: NewMerchant): Promise<Merchant> {
  const { merchant, writes } = await addedMerchant(outside, fields);
  await outside.table.write(writes);
  return merchant;
}

export async function addedMerchant(outside: WriteOutside, fields: NewMerchant): Promise<AddedMerchant & Prepared> {
  const [senders, [earlier]] = await Promise.all([listSenders(outside), listMerchantIds(outside, undefined, 1)]);
  const merchant = newMerchant(outside, fields);
  const unowned = senders.filter(({ owner }) => owner === undefined).map(({ number }) => number);
  const [own, shared] = earlier === undefined ? [unowned, []] : [[], unowned];
  const claims = own.map((number) => claimSender(outside, number, merchant.merchant_id));
  const { merchant_id, name } = merchant;
  const entry = { merchant_id, action: 'merchant create', after: { name } };
  return { merchant, own, shared, writes: [...createMerchant(merchant), ...claims], entry };
}

/** Returns a note for the operator if the merchant has no number of its own. */
export function numbersNote({ merchant: { name }, own, shared }: AddedMerchant): string | undefined {
  if (own.length > 0) return undefined;
  return shared.length > 0
    ? `${name} has no number of its own, so replies to its texts are not kept.`
    : `${name} has no number to send from yet.`;
}

import type { TableOutside } from '../../runtime/outside/outside.ts';
import type { Checked } from '../../wallets/chain/check-text.ts';
import { isDenied } from '../payment/backing.ts';
import { isSameText, type PaymentReceipt, type Receipt } from './receipt.ts';
import { textsAt } from './texts-of-payment.ts';
import { MAX_CONTRADICTING } from './typed-use.ts';
import { readReceipt } from './wallet-text-of.ts';

type Text = Omit<PaymentReceipt, 'state'>;

/**
 * Withdraws a text's proof if another text about the payment reports the same change of balance but different details.
 * The chain checks only balances, which a forger can copy from the true text. `isNew`: the text may not be stored yet.
 */
export async function withoutRepeated<Seen extends Pick<Checked, 'proof'>>(
  outside: TableOutside,
  text: Text,
  checked: Seen,
  isNew = false,
): Promise<Seen> {
  const isProven = checked.proof.state === 'proven';
  return isProven && (await isRepeated(outside, text, isNew)) ? { ...checked, proof: { state: 'unproven' } } : checked;
}

/**
 * True if another text contradicts this stored text. Of several conflicting texts, only the first has the payment's own
 * receipt id. A further one counts as verified for a charge only if it took the id over.
 */
export function isContradicted({ transaction_id = '', receipt_id, first_undone, ...receipt }: Doubtable): boolean {
  const isTakenOver = receipt.state === 'matched' && receipt.proof?.state === 'proven';
  return isDenied(receipt) || (!first_undone && !isTakenOver && !receipt_id.endsWith(transaction_id));
}

type Doubtable = Pick<
  Receipt,
  'transaction_id' | 'receipt_id' | 'contradicted_by' | 'agreed_by' | 'first_undone' | 'reversal_doubt_at' | 'proof'
> &
  Partial<Pick<Receipt, 'state'>>;

/** True if another text contradicts this stored text, or reports the payment's reversal without proof. */
export function isInDoubt(receipt: Doubtable): boolean {
  return receipt.reversal_doubt_at !== undefined || isContradicted(receipt);
}

async function isRepeated(outside: TableOutside, text: Text, isNew: boolean): Promise<boolean> {
  // A text that a person removed may have had the true balances.
  if (!isNew && !isContradicted({ ...text, first_undone: undefined })) return false;
  const others = await textsAt(outside, text, [text.momo_number]);
  // A full list may leave out conflicting texts, and any of those may report the same balances.
  if (others.some(({ contradicted_by = [] }) => contradicted_by.length >= MAX_CONTRADICTING)) return true;
  return others.some((other) => !isSameText(other, text) && isSameMovement(other, text));
}

/**
 * True if two texts about a payment report the same balances before and after it. For an erased text, compares only the
 * balance after it.
 */
export function isSameMovement(one: Omit<Receipt, 'state'>, other: Omit<Receipt, 'state'>): boolean {
  if (one.marked || one.momo_number !== other.momo_number) return false;
  const [first, second] = [one, other].map((text) => readReceipt({ ...text, state: 'held' })?.walletText.movement);
  if (!first || !second) return one.balance_pesewas === other.balance_pesewas;
  return first.before === second.before && first.after === second.after;
}

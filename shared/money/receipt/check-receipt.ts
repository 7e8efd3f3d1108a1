import { readWalletText } from '../../ghana/wallet-text/read-wallet-text.ts';
import type { WalletPayment } from '../../ghana/wallet-text/reading.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { checkText } from '../../wallets/chain/check-text.ts';
import { admit, type ToConfirm } from './admit.ts';
import type { PaymentReceipt, Receipt } from './receipt.ts';
import { type WalletText, walletTextOfReceipt } from './wallet-text-of.ts';

/** What a payment's receipt says when its text is read again; undefined where it cannot be, as after an erasure. */
export function readReceipt(
  receipt: Receipt,
): { receipt: PaymentReceipt; payment: WalletPayment; walletText: WalletText } | undefined {
  const { sender, text } = receipt;
  const payment = sender && text ? readWalletText(sender, text) : undefined;
  if (payment?.kind !== 'payment' || !isPayment(receipt)) return undefined;
  const walletText = walletTextOfReceipt(receipt, payment);
  return walletText && { receipt, payment, walletText };
}

function isPayment(receipt: Receipt): receipt is PaymentReceipt {
  const { network, transaction_id, amount_pesewas } = receipt;
  return network !== undefined && transaction_id !== undefined && amount_pesewas !== undefined;
}

/** Whether a held payment may be claimed as far as its proof goes. Small sums too need one here: whoever claims may have forged the text. */
export async function mayBeClaimed(
  outside: Pick<Outside, 'table' | 'now'>,
  charge: ToConfirm,
  receipt: PaymentReceipt,
): Promise<boolean> {
  const { network, momo_number } = receipt;
  if (!momo_number) return false;
  // Where its words were erased nothing can prove it any more.
  const { wallet, movement, why }: WalletText = readReceipt(receipt)?.walletText ?? {
    wallet: { network, momo_number },
    movement: undefined,
  };
  const checked = await checkText(outside, wallet, movement, why);
  const admission = await admit(outside, charge, receipt, checked);
  return 'writes' in admission && admission.writes.length === 0;
}

import type { WalletMovement } from '../../ghana/wallet-text/reading.ts';
import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import { deviceRows } from '../../merchants/user/device.table.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { type ArrivedText, paidNumber, receivedAt } from '../../wallets/wallet/paid-number.ts';
import { soleMerchant } from '../../wallets/wallet/record-wallet-notices.ts';
import { keepOnce, UNKNOWN_NUMBER } from '../../wallets/wallet/wallet-notice.table.ts';
import { merchantOfPhone } from './merchant-of-phone.ts';
import { unreadIdOf } from './settle-receipt.ts';

/**
 * Stores a notice about outgoing money if an owner wants to be notified, even if the text could not be read or its
 * phone did not report the number. Idempotent.
 */
export async function recordMoneyOut(outside: WorkerOutside, { phoneEvent, reading, senders, checked }: ArrivedText) {
  const isUnread = reading.kind === 'unread' || reading.kind === 'secret' || reading.kind === 'unclear';
  if (reading.kind !== 'money_out' && !(isUnread && phoneEvent.may_be_money_out)) return;
  const { network } = reading;
  const momo_number = paidNumber(phoneEvent, senders);
  const merchant_id = momo_number
    ? soleMerchant(await accountRows.list(outside, { number: momo_number }), network)
    : await merchantOfPhone(outside, { phoneEvent, senders, reading });
  if (merchant_id === undefined || !(await wantsMoneyOut(outside, merchant_id))) return;
  const facts = isUnread ? { unread_id: unreadIdOf(momo_number, phoneEvent) } : moneyOutOf(reading);
  const proof = checked?.proof ?? { state: 'unproven' as const };
  const wallet = { network, momo_number: momo_number ?? UNKNOWN_NUMBER, merchant_id };
  const received_at = receivedAt(phoneEvent);
  await outside.table.write([keepOnce(outside, { kind: 'money_out', ...wallet, received_at, proof, ...facts })]);
}

/** True if any of the merchant's users wants to be notified of outgoing money. */
async function wantsMoneyOut(outside: WorkerOutside, merchant_id: string): Promise<boolean> {
  return (await deviceRows.list(outside, { merchant_id })).some(({ kinds }) => kinds.includes('money_out'));
}

function moneyOutOf({ transactionId, amountPesewas, counterparty, sentTo }: WalletMovement) {
  return {
    transaction_id: transactionId ?? undefined,
    amount_pesewas: amountPesewas ?? undefined,
    // Prefer the final recipient, because the other party may be a payment switch.
    counterparty: sentTo?.name ?? counterparty ?? undefined,
  };
}

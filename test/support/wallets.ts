import { walletNoticeRows } from '../../shared/wallets/wallet/wallet-notice.table.ts';
import type { ReceiptText, Shop } from './receipts.ts';
import type { World } from './world.ts';

let ids = 0;

export function refusal({
  amount = '6000.00',
  from = 'AKUA OSEI',
  id = `3${String(++ids).padStart(10, '0')}`,
} = {}): ReceiptText {
  const text =
    `You have exceeded your daily transaction limit. ${from} failed to send GHS ${amount} to your account. ` +
    `Go to my wallet to check your wallet limit. Financial transaction Id: ${id}. External ID. -. Transaction Fee is 0.`;
  return { sender: 'MobileMoney', text, id, network: 'MTN' };
}

export function cashIn(balance: string): { sender: string; text: string } {
  const id = `4${String(++ids).padStart(10, '0')}`;
  const text =
    `Cash In received for GHS 90.00 from MAWULI IDDRISU . Current Balance GHS ${balance} Available Balance GHS ${balance}. ` +
    `Transaction ID: ${id}. Fee charged: GHS 0.`;
  return { sender: 'MobileMoney', text };
}

export function noticesOf({ outside }: World, { network, number }: Pick<Shop, 'network' | 'number'>) {
  return walletNoticeRows.list(outside, { network, momo_number: number });
}

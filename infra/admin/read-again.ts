import { readWalletText } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { withoutProof } from '../../shared/ghana/wallet-text/reading.ts';
import { listMerchants } from '../../shared/merchants/merchant/merchant.table.ts';
import { listReceipts } from '../../shared/money/receipt/receipt.table.ts';
import type { Receipt } from '../../shared/money/receipt/receipt.ts';
import { keepPhoneEvent } from '../../shared/phones/gateway/phone-event.table.ts';
import { listSenders } from '../../shared/phones/sender/sender.table.ts';
import type { Sender } from '../../shared/phones/sender/sender.ts';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import { readPages } from '../../shared/runtime/table/table.ts';

/**
 * Resubmits stored texts that only this release can parse. Settling a text twice changes nothing. Resubmitted texts
 * stay on the unread list until they expire.
 */
export async function readAgain({
  outside,
}: Pick<Deployment, 'outside'>): Promise<{ read_again: number; unread: number }> {
  const senders = await listSenders(outside);
  const unread = await listUnread(outside);
  const readable = unread.filter(isReadable);
  for (const receipt of readable) {
    const { gateway, device_id } = placeOf(receipt, senders);
    await keepPhoneEvent(outside, gateway, {
      event: 'sms:received',
      id: `again-${receipt.receipt_id}-${outside.now()}`,
      deviceId: device_id,
      payload: {
        sender: receipt.sender ?? '',
        message: receipt.text ?? '',
        recipient: receipt.momo_number,
        receivedAt: receipt.received_at,
      },
    });
  }
  return { read_again: readable.length, unread: unread.length - readable.length };
}

/**
 * Returns true if this release can parse the text. Reversals stay unread until their network's wording is confirmed,
 * and payments that need proof until their balance is.
 */
function isReadable({ sender = '', text = '' }: Receipt): boolean {
  const reading = withoutProof(readWalletText(sender, text));
  return reading.kind === 'payment' || (reading.kind === 'reversal' && reading.isCertain);
}

/** Texts about a wallet are accepted only from the phone with the wallet's number. */
function placeOf({ momo_number }: Receipt, senders: readonly Sender[]): Pick<Sender, 'gateway' | 'device_id'> {
  return senders.find(({ number }) => number === momo_number) ?? { gateway: 'unknown', device_id: 'unknown' };
}

export async function listUnread(outside: Deployment['outside']): Promise<Receipt[]> {
  const merchants = (await listMerchants(outside)).map(({ merchant_id }) => merchant_id);
  const found: Receipt[] = [];
  for (const merchant of [undefined, ...merchants]) {
    for (const list of ['unread', 'decided'] as const) {
      const { items } = await readPages(Number.POSITIVE_INFINITY, async (start) => {
        const page = { limit: 100, newestFirst: false, start };
        const { receipts, next } = await listReceipts(outside, merchant, list, page);
        return { items: receipts, next };
      });
      found.push(...items);
    }
  }
  return found;
}

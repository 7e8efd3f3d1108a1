import type { Charge } from '../money/charge/charge.table.ts';
import { type Notification, type PushNotification, queueNotification } from '../push/notice.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { moneyOutId, type WalletNotice } from '../wallets/wallet/wallet-notice.table.ts';
import { type ConsumerTable, lookUp } from './consequences.ts';
import type { Occurrence } from './occurrence.ts';

/** Queues an occurrence's notification, at least once. */
export async function notifyPeople(outside: WorkerOutside, occurrence: Occurrence, at: string): Promise<void> {
  const notification = lookUp(notifications, occurrence);
  if (notification) await queueNotification(outside, notification, at);
}

const notifications: ConsumerTable<'notification', [], Notification | undefined> = {
  'charge.success': ({ charge }) => ofCharge('paid', charge),
  'charge.reversed': ({ charge }) => ofCharge('undone', charge),
  'charge.disputed': ({ charge }) => ofCharge('undone', charge),
  'charge.code_waiting': ({ charge }) => ofCharge('code_waiting', charge),
  'goods.limit_reached': ({ reached: { merchant_id } }) => of(merchant_id, 'limit_reached', merchant_id),
  'link.stock_low': ({ link: { merchant_id, slug } }) => of(merchant_id, 'stock_low', slug),
  // A reversed payment is reported with its charge.
  'receipt.held': ({ receipt: { merchant_id, receipt_id, reason } }) =>
    reason === 'reversed' ? undefined : ofMerchant(merchant_id, { kind: 'held', about: receipt_id }),
  'receipt.unread': ({ receipt: { merchant_id, receipt_id } }) =>
    ofMerchant(merchant_id, { kind: 'unread', about: receipt_id }),
  'wallet.balance_unclear': ({ notice }) => ofMerchant(notice.merchant_id, { kind: 'wallet', about: notice.network }),
  'wallet.reversal_suspected': ({ notice }) =>
    ofMerchant(notice.merchant_id, { kind: 'undone', about: suspectedIn(notice), is_suspected: true }),
  'wallet.money_out': ({ notice }) => {
    const { merchant_id, network, momo_number } = notice;
    return ofMerchant(merchant_id, { kind: 'money_out', about: moneyOutId(notice), wallet: { network, momo_number } });
  },
  'credits.low': ({ low: { merchant_id }, key }) => of(merchant_id, 'credits', key.sk),
  'phone.silent': ({ silence: { merchant_id, number } }) => of(merchant_id, 'phone', number),
  'device.asked': ({ device }) => ({ ...of(device.merchant_id, 'hello', device.slot), only: device }),
};

function ofCharge(kind: PushNotification['kind'], { merchant_id, reference }: Charge): Notification {
  return of(merchant_id, kind, reference);
}

function of(merchant_id: string, kind: PushNotification['kind'], about: string): Notification {
  return { merchant_id, notice: { kind, about } };
}

/** A row about a number that several merchants share names no merchant, so nobody is notified. */
function ofMerchant(merchant_id: string | undefined, notice: Notification['notice']): Notification | undefined {
  return merchant_id === undefined ? undefined : { merchant_id, notice };
}

/** Returns the charge's reference if only one charge is possible, otherwise the network. */
function suspectedIn({ payments, network }: Extract<WalletNotice, { kind: 'reversal_suspected' }>): string {
  const [reference, ...others] = payments.map((payment) => payment.reference);
  return others.length === 0 && reference !== undefined ? reference : network;
}

import { isTestAccount } from '../merchants/merchant/test-account.ts';
import { countKeptEvent } from '../merchants/merchant/test-limit.table.ts';
import type { Charge } from '../money/charge/charge.table.ts';
import { takeOf } from '../money/charge/goods.ts';
import { isOpenedByStranger } from '../money/charge/origin.ts';
import { presentLink } from '../money/link/link.ts';
import { shownDispute } from '../money/payment/payment.ts';
import { presentReceipt } from '../money/receipt/present-receipt.ts';
import { receiptFor, WEBHOOK } from '../money/receipt/shown-receipt.ts';
import { presentRequest } from '../money/request/request.ts';
import { presentCharge } from '../money/settling/present-charge.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { type Change, orderOf } from '../runtime/triggers/stream.ts';
import { presentBundles } from '../texts/credits/bundles.ts';
import type { LowCreditsEventData } from '../texts/credits/responses.ts';
import { presentAnswer } from '../texts/inbox/list-answers.ts';
import { presentMessage } from '../texts/sms/present-message.ts';
import { sendRows } from '../texts/sms/send.table.ts';
import { presentWalletNotice } from '../wallets/wallet/wallet-notice.table.ts';
import { endpointRows } from '../webhook/endpoint.table.ts';
import { createWebhookEvent } from '../webhook/event.table.ts';
import { type CausedEventType, keptOnly, keyKindOfEvent, newWebhookEvent } from '../webhook/event.ts';
import { causeOfDispute, causeOfHeld, causeOfPart, causeOfRefund, causeOfState } from './causes.ts';
import { type ConsumerTable, lookUp } from './consequences.ts';
import type { Occurrence, Of } from './occurrence.ts';

/**
 * Stores an occurrence's webhook event if a webhook is set to receive this type of event. If there is no such webhook,
 * stores the event only for a test account, where `listen` can show it.
 */
export async function storeWebhookEvent(
  outside: WorkerOutside,
  occurrence: Occurrence,
  change: Pick<Change, 'at' | 'sequence'>,
): Promise<void> {
  const event = lookUp(events, occurrence, change.at);
  if (!event?.merchant_id || !isCause(occurrence)) return;
  const { merchant_id } = event;
  const webhook = await findWebhook(outside, merchant_id, occurrence.what);
  if (!webhook && !isTestAccount(merchant_id)) return;
  const holder = webhook ?? { merchant_id, key_kind: keyKindOfEvent(occurrence.what) };
  const caused = { ...event, data: await event.data(outside), caused_by: orderOf(change) };
  const created = newWebhookEvent(holder, occurrence.what, caused);
  const stored = webhook ? created : keptOnly(created);
  await outside.table.write([createWebhookEvent(stored), ...countKeptEvent(outside, stored)]);
}

function isCause(occurrence: Occurrence): occurrence is Of<CausedEventType> {
  return occurrence.what in events;
}

interface Event {
  readonly merchant_id: string | undefined;
  readonly cause: string;
  readonly at: string;
  readonly data: (outside: Outside) => object | Promise<object>;
}

const events: ConsumerTable<'webhook event', [at: string], Event | undefined> = {
  'charge.partly_paid': ({ charge, part }, at) => ofCharge(charge, at, causeOfPart(charge, part.receipt_id)),
  'charge.success': ({ charge }) => ofCharge(charge, charge.paid_at),
  // Anybody can open and abandon charges from these origins, so the expiry of such a charge sends no event.
  'charge.expired': ({ charge }) =>
    isOpenedByStranger(charge) && !charge.parts?.length ? undefined : ofCharge(charge, charge.expired_at),
  'charge.cancelled': ({ charge }) =>
    takeOf(charge) && !takeOf(charge)?.told_at ? undefined : ofCharge(charge, charge.cancelled_at),
  'charge.reversed': ({ charge }) => ofCharge(charge, charge.reversed_at),
  'charge.unmarked': ({ charge }) => ofCharge(charge, charge.unmarked_at),
  'charge.refunded': ({ charge, refund }) => ofCharge(charge, refund.closed_at, causeOfRefund(charge, refund)),
  'charge.disputed': ({ charge }) => ofCharge(charge, shownDispute(charge)?.at, causeOfDispute(charge)),
  'charge.code_waiting': ({ charge }, at) => ofCharge(charge, at, `${causeOfState(charge)} ${charge.goods?.state}`),
  'link.stock_low': ({ link }, at) => {
    const { merchant_id, slug, codes_stocked, codes_drawn } = link;
    const cause = `${slug} ${codes_stocked} ${codes_drawn}`;
    return { merchant_id, cause, at, data: (outside) => presentLink(outside, link) };
  },
  'request.paid': ofRequest,
  'request.reopened': ofRequest,
  'receipt.held': ({ receipt, paid }, at) => {
    const data = () => presentReceipt(receiptFor(WEBHOOK, receipt));
    return { merchant_id: receipt.merchant_id, cause: causeOfHeld(receipt, paid), at, data };
  },
  // Omit the text: any figure in an unparsed text could be the wallet's balance.
  'receipt.unread': ({ receipt }, at) => {
    const { merchant_id, receipt_id: cause } = receipt;
    return { merchant_id, cause, at, data: () => presentReceipt({ ...receipt, text: undefined }) };
  },
  'sms.delivered': ofText,
  'sms.failed': ofText,
  'sms.expired': ofText,
  'sms.cancelled': ofText,
  'sms.received': ({ answer }) => {
    const { merchant_id, answer_id, created_at } = answer;
    return { merchant_id, cause: answer_id, at: created_at, data: () => presentAnswer(answer) };
  },
  'credits.low': ({ low, key }) => {
    const { merchant_id, balance, threshold: low_below, noticed_at } = low;
    const data = async (outside: Outside): Promise<LowCreditsEventData> => ({
      balance,
      low_below,
      bundles: await presentBundles(outside, merchant_id),
    });
    return { merchant_id, cause: `${key.pk} ${key.sk}`, at: noticed_at, data };
  },
  'wallet.payment_refused': ofWallet,
  'wallet.near_limit': ofWallet,
  'wallet.balance_unclear': ofWallet,
  'wallet.payment_missed': ofWallet,
  'wallet.reversal_suspected': ofWallet,
};

function ofCharge(charge: Charge, at: string | undefined, cause = causeOfState(charge)): Event | undefined {
  if (at === undefined) return undefined;
  const data = (outside: Outside) => presentCharge(outside, charge, WEBHOOK);
  return { merchant_id: charge.merchant_id, cause, at, data };
}

function ofRequest({ request }: Pick<Of<'request.paid'>, 'request'>, at: string): Event {
  const { slug, merchant_id, version } = request;
  return { merchant_id, cause: `${slug} ${version}`, at, data: (outside) => presentRequest(outside, request) };
}

function ofText({ message }: Pick<Of<'sms.delivered'>, 'message'>, changedAt: string): Event {
  const { merchant_id, send_id, index } = message;
  const data = async (outside: Outside) => {
    const send = await sendRows.find(outside, { send_id });
    if (!send) throw new Error(`The send ${send_id} does not exist`);
    return presentMessage(send, index, message);
  };
  return { merchant_id, cause: `${send_id} ${index}`, at: message[`${message.state}_at`] ?? changedAt, data };
}

function ofWallet({ notice, key }: Omit<Of<CausedEventType & `wallet.${string}`>, 'what'>, at: string): Event {
  const cause = `${key.pk} ${key.sk} ${notice.received_at}`;
  return { merchant_id: notice.merchant_id, cause, at, data: () => presentWalletNotice(notice) };
}

/** SMS events fall back to the live key's webhook. Payment events never go to the sms key's webhook. */
async function findWebhook(outside: Outside, merchant_id: string, type: CausedEventType) {
  const key_kind = keyKindOfEvent(type);
  const own = await endpointRows.find(outside, { merchant_id, key_kind });
  const webhook =
    !own && key_kind === 'sms' ? await endpointRows.find(outside, { merchant_id, key_kind: 'live' }) : own;
  const isChosen = webhook?.events?.includes(type) ?? true;
  return webhook?.disabled_at || !isChosen ? undefined : webhook;
}

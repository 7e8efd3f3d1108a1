import * as z from 'zod/mini';
import { presentReceipt } from '../receipt/present-receipt.ts';
import { parseReceipt } from '../receipt/receipt.table.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { Item } from '../runtime/table/table.ts';
import type { Change } from '../runtime/triggers/stream.ts';
import { parseMessage } from '../sms/message.table.ts';
import { presentMessage } from '../sms/present-message.ts';
import { getSend } from '../sms/send.table.ts';
import { Refund } from '../transaction/refund.ts';
import { parseTransaction } from '../transaction/transaction.table.ts';
import { presentTransaction } from '../transaction/transaction.ts';
import { presentWalletNotice } from '../wallet/present-wallet-notice.ts';
import { parseWalletNotice } from '../wallet/wallet-notice.table.ts';
import { getWebhookEndpoint } from './endpoint.table.ts';
import { newWebhookEvent, type WebhookEvent } from './event.ts';

/** The event that a change in the table causes for its merchant, who may have no webhook; undefined if there is none. */
export async function eventOfChange(outside: Outside, change: Change): Promise<WebhookEvent | undefined> {
  const { sk, before, after } = change;
  if (!after) return undefined;
  if (sk.startsWith('NOTICE#')) return walletEvent(outside, after);
  if (sk === 'TRANSACTION' && after.disputed && !before?.disputed) return disputeEvent(outside, after);
  if (sk === 'TRANSACTION' && sentRefunds(after).length > sentRefunds(before).length)
    return refundEvent(outside, before, after);
  if (sk === 'TRANSACTION' && hasNewPart(before, after)) return partEvent(outside, after);
  if (before?.state === after.state && before?.reason === after.reason) return undefined;
  if (sk === 'TRANSACTION') return chargeEvent(outside, after);
  if (sk === 'RECEIPT') return receiptEvent(outside, after);
  if (sk.startsWith('MESSAGE#')) return messageEvent(outside, after);
  return undefined;
}

async function chargeEvent(outside: Outside, image: Item): Promise<WebhookEvent | undefined> {
  const charge = parseTransaction(image);
  const { state, paid_at, expired_at, cancelled_at, reversed_at } = charge;
  const told = {
    success: paid_at,
    expired: expired_at,
    cancelled: cancelled_at,
    reversed: reversed_at,
    pending: undefined,
  };
  const at = told[state];
  if (state === 'pending' || !at || !(await isTold(outside, charge.merchant_id))) return undefined;
  const data = presentTransaction(outside, charge);
  return newWebhookEvent(charge.merchant_id, `charge.${state}`, charge.reference, at, data);
}

function hasNewPart(before: Item | undefined, after: Item): boolean {
  const [had, has] = [before?.parts, after.parts].map((parts) => (Array.isArray(parts) ? parts.length : 0));
  return after.state === 'pending' && Number(has) > Number(had);
}

async function partEvent(outside: Outside, image: Item): Promise<WebhookEvent | undefined> {
  const charge = parseTransaction(image);
  const part = charge.parts?.at(-1);
  if (!part || !(await isTold(outside, charge.merchant_id))) return undefined;
  const cause = `${charge.reference} ${part.receipt_id}`;
  const now = new Date(outside.now()).toISOString();
  return newWebhookEvent(charge.merchant_id, 'charge.partly_paid', cause, now, presentTransaction(outside, charge));
}

function sentRefunds(image: Item | undefined): Refund[] {
  const refunds = z.array(Refund).safeParse(image?.refunds).data ?? [];
  return refunds.filter(({ state }) => state === 'sent');
}

async function refundEvent(outside: Outside, before: Item | undefined, image: Item): Promise<WebhookEvent | undefined> {
  const charge = parseTransaction(image);
  const known = new Set(sentRefunds(before).map(({ refund_id }) => refund_id));
  const refund = sentRefunds(image).find(({ refund_id }) => !known.has(refund_id));
  if (!refund?.closed_at || !(await isTold(outside, charge.merchant_id))) return undefined;
  const { refund_id, closed_at } = refund;
  const data = presentTransaction(outside, charge);
  return newWebhookEvent(charge.merchant_id, 'charge.refunded', `${charge.reference} ${refund_id}`, closed_at, data);
}

/** A charge is disputed once, whatever else is found out about it. */
async function disputeEvent(outside: Outside, image: Item): Promise<WebhookEvent | undefined> {
  const charge = parseTransaction(image);
  const { merchant_id, reference, disputed } = charge;
  if (!disputed || !(await isTold(outside, merchant_id))) return undefined;
  return newWebhookEvent(merchant_id, 'charge.disputed', reference, disputed.at, presentTransaction(outside, charge));
}

async function receiptEvent(outside: Outside, image: Item): Promise<WebhookEvent | undefined> {
  const receipt = parseReceipt(image);
  const { merchant_id, receipt_id, state, reason } = receipt;
  if (state !== 'held' || !merchant_id || !(await isTold(outside, merchant_id))) return undefined;
  const now = new Date(outside.now()).toISOString();
  const cause = `${receipt_id} ${reason} ${receipt.suggested_reference ?? ''}`;
  return newWebhookEvent(merchant_id, 'receipt.held', cause, now, presentReceipt(receipt));
}

async function messageEvent(outside: Outside, image: Item): Promise<WebhookEvent | undefined> {
  const message = parseMessage(image);
  const { state, merchant_id, send_id, index } = message;
  if ((state !== 'delivered' && state !== 'failed') || !merchant_id || !(await isTold(outside, merchant_id))) {
    return undefined;
  }
  const send = await getSend(outside, send_id);
  if (!send) throw new Error(`There is no send ${send_id}`);
  const at = (state === 'delivered' ? message.delivered_at : message.failed_at) ?? send.created_at;
  return newWebhookEvent(merchant_id, `sms.${state}`, `${send_id} ${index}`, at, presentMessage(send, index, message));
}

async function walletEvent(outside: Outside, image: Item): Promise<WebhookEvent | undefined> {
  const notice = parseWalletNotice(image);
  const { merchant_id, kind, received_at } = notice;
  if (!merchant_id || !(await isTold(outside, merchant_id))) return undefined;
  const now = new Date(outside.now()).toISOString();
  const cause = `${image.pk} ${image.sk} ${received_at}`;
  return newWebhookEvent(merchant_id, `wallet.${kind}`, cause, now, presentWalletNotice(notice));
}

async function isTold(outside: Outside, merchantId: string): Promise<boolean> {
  const endpoint = await getWebhookEndpoint(outside, merchantId);
  return endpoint !== undefined && !endpoint.disabled_at;
}

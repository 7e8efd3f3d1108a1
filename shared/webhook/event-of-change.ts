import * as z from 'zod/mini';
import { parseLink } from '../money/link/link.table.ts';
import { hasRunLow, presentLink } from '../money/link/link.ts';
import { presentCharge } from '../money/receipt/present-charge.ts';
import { parseReceipt } from '../money/receipt/receipt.table.ts';
import { presentReceipt } from '../money/receipt/responses.ts';
import { receiptFor, WEBHOOK } from '../money/receipt/shown-receipt.ts';
import { parseRequest } from '../money/request/request.table.ts';
import { presentRequest } from '../money/request/request.ts';
import { beginsToWait } from '../money/transaction/link-code.ts';
import { Refund } from '../money/transaction/payment.ts';
import { isTold, parseTransaction, type Transaction } from '../money/transaction/transaction.table.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { Item } from '../runtime/table/table.ts';
import type { Change } from '../runtime/triggers/stream.ts';
import { parseLowCredits } from '../texts/credits/credits.table.ts';
import type { LowCreditsEventData } from '../texts/credits/responses.ts';
import { parseAnswer } from '../texts/inbox/inbox.table.ts';
import { presentAnswer } from '../texts/inbox/list-answers.ts';
import { parseMessage } from '../texts/sms/message.table.ts';
import { presentMessage } from '../texts/sms/present-message.ts';
import { getSend } from '../texts/sms/send.table.ts';
import { isRefunded } from '../texts/sms/states.ts';
import { parseWalletNotice, presentWalletNotice } from '../wallets/wallet/wallet-notice.table.ts';
import { causeOfHeld, causeOfPart, causeOfRefund, causeOfState } from './causes.ts';
import { getWebhookEndpoint } from './endpoint.table.ts';
import { type CausedEventType, keyKindOfEvent, newWebhookEvent, type WebhookEvent } from './event.ts';

/** The event that a change in the table causes for its merchant, who may have no webhook; undefined if there is none. */
export async function eventOfChange(outside: Outside, change: Change): Promise<WebhookEvent | undefined> {
  const { sk, before, after, at } = change;
  if (!after) return undefined;
  if (sk.startsWith('NOTICE#')) return walletEvent(outside, after, at);
  if (sk.startsWith('LOW#')) return creditsEvent(outside, after);
  // It is written once; an erasure removes it.
  if (sk.startsWith('ANSWER#')) return answerEvent(outside, after);
  if (sk === 'TRANSACTION' && after.disputed && !before?.disputed) return disputeEvent(outside, after);
  const refund = sk === 'TRANSACTION' ? newlySent(before, after) : undefined;
  if (refund) return refundEvent(outside, after, refund);
  if (sk === 'TRANSACTION' && hasNewPart(before, after)) return partEvent(outside, after, at);
  if (sk === 'TRANSACTION' && beginsToWait(before, after)) return codeEvent(outside, after, at);
  if (sk === 'TRANSACTION' && isNowTold(before, after)) return chargeEvent(outside, after);
  if (sk === 'LINK') return stockEvent(outside, before, after, at);
  if (before?.state === after.state && before?.reason === after.reason) return undefined;
  if (sk === 'TRANSACTION') return chargeEvent(outside, after);
  if (sk === 'REQUEST') return requestEvent(outside, before, after, at);
  if (sk === 'RECEIPT') return receiptEvent(outside, before, after, at);
  if (sk.startsWith('MESSAGE#')) return messageEvent(outside, after, at);
  return undefined;
}

async function chargeEvent(outside: Outside, image: Item): Promise<WebhookEvent | undefined> {
  const charge = parseTransaction(image);
  const { state, paid_at, expired_at, cancelled_at, reversed_at } = charge;
  const times = { success: paid_at, expired: expired_at, cancelled: cancelled_at, reversed: reversed_at };
  const at = state === 'pending' ? undefined : times[state];
  // Anybody may open and leave any number of them.
  if (state === 'expired' && charge.opened_by && !charge.parts?.length) return undefined;
  // Undone in time: nobody has heard of it.
  if (state === 'cancelled' && charge.till && !charge.till.told_at) return undefined;
  if (state === 'pending' || !at) return undefined;
  return tellOfCharge(outside, charge, `charge.${state}`, at);
}

/** Whether the time is over in which a tap at a till could be undone. */
function isNowTold(before: Item | undefined, after: Item): boolean {
  return isTold(after) && !isTold(before);
}

function hasNewPart(before: Item | undefined, after: Item): boolean {
  const [had, has] = [before?.parts, after.parts].map((parts) => (Array.isArray(parts) ? parts.length : 0));
  return after.state === 'pending' && Number(has) > Number(had);
}

async function partEvent(outside: Outside, image: Item, at: string): Promise<WebhookEvent | undefined> {
  const charge = parseTransaction(image);
  const part = charge.parts?.at(-1);
  if (!part) return undefined;
  return tellOfCharge(outside, charge, 'charge.partly_paid', at, causeOfPart(charge, part.receipt_id));
}

/** The refund whose money has left the wallet by this change. */
function newlySent(before: Item | undefined, after: Item): Refund | undefined {
  const [had, has] = [before, after].map((image) => {
    const refunds = z.array(Refund).safeParse(image?.refunds).data ?? [];
    return refunds.filter(({ state }) => state === 'sent');
  });
  const known = new Set(had?.map(({ refund_id }) => refund_id));
  return has?.find(({ refund_id }) => !known.has(refund_id));
}

async function refundEvent(outside: Outside, image: Item, refund: Refund): Promise<WebhookEvent | undefined> {
  const charge = parseTransaction(image);
  if (!refund.closed_at) return undefined;
  return tellOfCharge(outside, charge, 'charge.refunded', refund.closed_at, causeOfRefund(charge, refund));
}

/** A charge is disputed once, whatever else is found out about it. */
async function disputeEvent(outside: Outside, image: Item): Promise<WebhookEvent | undefined> {
  const charge = parseTransaction(image);
  return charge.disputed && tellOfCharge(outside, charge, 'charge.disputed', charge.disputed.at);
}

function tellOfCharge(
  outside: Outside,
  charge: Transaction,
  type: CausedEventType,
  at: string,
  cause = causeOfState(charge),
): Promise<WebhookEvent | undefined> {
  return tell(outside, charge.merchant_id, type, { cause, at }, () => presentCharge(outside, charge, WEBHOOK));
}

async function codeEvent(outside: Outside, image: Item, at: string): Promise<WebhookEvent | undefined> {
  const charge = parseTransaction(image);
  const cause = `${causeOfState(charge)} ${charge.link_code?.state}`;
  return tellOfCharge(outside, charge, 'charge.code_waiting', at, cause);
}

/** Told once each time that a stock falls to the limit or the limit is raised to it, and once that it is empty. */
function stockEvent(
  outside: Outside,
  before: Item | undefined,
  after: Item,
  at: string,
): Promise<WebhookEvent | undefined> | undefined {
  const link = parseLink(after);
  if (!before || !hasRunLow(parseLink(before), link)) return undefined;
  const told = { cause: `${link.slug} ${link.codes_stocked} ${link.codes_drawn}`, at };
  return tell(outside, link.merchant_id, 'link.stock_low', told, () => presentLink(outside, link));
}

/** Told each time that its sum has arrived, and that a payment of it was taken back. */
function requestEvent(
  outside: Outside,
  before: Item | undefined,
  after: Item,
  at: string,
): Promise<WebhookEvent | undefined> | undefined {
  const request = parseRequest(after);
  const { slug, merchant_id, state, version } = request;
  if (!before || state === 'cancelled') return undefined;
  const type = state === 'paid' ? 'request.paid' : 'request.reopened';
  return tell(outside, merchant_id, type, { cause: `${slug} ${version}`, at }, () => presentRequest(outside, request));
}

async function receiptEvent(
  outside: Outside,
  before: Item | undefined,
  image: Item,
  at: string,
): Promise<WebhookEvent | undefined> {
  const receipt = parseReceipt(image);
  const { merchant_id, state, reason } = receipt;
  // While it is checked there is nothing to do for anybody.
  if (state !== 'held' || reason === 'checking') return undefined;
  const paid = before && parseReceipt(before).reference;
  const told = { cause: causeOfHeld(receipt, paid), at };
  return tell(outside, merchant_id, 'receipt.held', told, () => presentReceipt(receiptFor(WEBHOOK, receipt)));
}

async function messageEvent(outside: Outside, image: Item, changedAt: string): Promise<WebhookEvent | undefined> {
  const message = parseMessage(image);
  const { state, merchant_id, send_id, index } = message;
  if (state !== 'delivered' && !isRefunded(state)) return undefined;
  const at = message[`${state}_at`] ?? changedAt;
  return tell(outside, merchant_id, `sms.${state}`, { cause: `${send_id} ${index}`, at }, async () => {
    const send = await getSend(outside, send_id);
    if (!send) throw new Error(`There is no send ${send_id}`);
    return presentMessage(send, index, message);
  });
}

async function walletEvent(outside: Outside, image: Item, at: string): Promise<WebhookEvent | undefined> {
  const notice = parseWalletNotice(image);
  const { merchant_id, kind, received_at } = notice;
  const told = { cause: `${image.pk} ${image.sk} ${received_at}`, at };
  return tell(outside, merchant_id, `wallet.${kind}`, told, () => presentWalletNotice(notice));
}

function answerEvent(outside: Outside, image: Item): Promise<WebhookEvent | undefined> {
  const answer = parseAnswer(image);
  const told = { cause: answer.answer_id, at: answer.created_at };
  return tell(outside, answer.merchant_id, 'sms.received', told, () => presentAnswer(answer));
}

function creditsEvent(outside: Outside, image: Item): Promise<WebhookEvent | undefined> {
  const low = parseLowCredits(image);
  const data: LowCreditsEventData = { balance: low.balance, low_below: low.threshold };
  const told = { cause: `${image.pk} ${image.sk}`, at: low.noticed_at };
  return tell(outside, low.merchant_id, 'credits.low', told, () => data);
}

/** The event, for the webhook that hears it; undefined if there is none. */
async function tell(
  outside: Outside,
  merchantId: string | undefined,
  type: CausedEventType,
  { cause, at }: { cause: string; at: string },
  data: () => object | Promise<object>,
): Promise<WebhookEvent | undefined> {
  const webhook = merchantId && (await hearing(outside, merchantId, type));
  return webhook ? newWebhookEvent(webhook, type, cause, at, await data()) : undefined;
}

/**
 * A merchant with only the live key's webhook receives the events of texts there, too. The other way round, an sms key would learn of
 * payments.
 */
async function hearing(outside: Outside, merchant_id: string, type: CausedEventType) {
  const key_kind = keyKindOfEvent(type);
  const own = await getWebhookEndpoint(outside, { merchant_id, key_kind });
  const webhook =
    !own && key_kind === 'sms' ? await getWebhookEndpoint(outside, { merchant_id, key_kind: 'live' }) : own;
  const isChosen = webhook?.events?.includes(type) ?? true;
  return webhook?.disabled_at || !isChosen ? undefined : webhook;
}

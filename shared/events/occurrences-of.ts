import { deviceRows } from '../merchants/user/device.table.ts';
import { chargeRows } from '../money/charge/charge.table.ts';
import { MAX_WRONG_PER_HOUR } from '../money/claims/claim.table.ts';
import { reachedRows } from '../money/goods/unproven.table.ts';
import { type Link, linkRows } from '../money/link/link.table.ts';
import { hasRunLow } from '../money/link/link.ts';
import { codesLeft } from '../money/link/stock.table.ts';
import { receiptRows } from '../money/receipt/receipt.table.ts';
import type { Receipt } from '../money/receipt/receipt.ts';
import { type PaymentRequest, requestRows } from '../money/request/request.table.ts';
import { StrangersText } from '../phones/gateway/phone-event.table.ts';
import { silenceRows } from '../phones/sender/silence.table.ts';
import type { Item } from '../runtime/table/table.ts';
import type { RowChange } from '../runtime/triggers/stream.ts';
import { type HeardKeyword, keywordRows } from '../texts/conversation/keyword.table.ts';
import { parseLowCredits } from '../texts/credits/credits.table.ts';
import { answerRows } from '../texts/inbox/inbox.table.ts';
import { type Message, messageRows } from '../texts/sms/message.table.ts';
import { sendRows } from '../texts/sms/send.table.ts';
import { isRefunded } from '../texts/sms/states.ts';
import { type WalletNotice, walletNoticeRows } from '../wallets/wallet/wallet-notice.table.ts';
import { ofCharge } from './charge-occurrences.ts';
import type { Key, Occurrence, WalletOccurrence } from './occurrence.ts';

/** Returns everything that happened because of a change, in order. A redelivered change gives the same result. */
export function occurrencesOf({ event, sk, before, after }: RowChange): readonly Occurrence[] {
  if (!after) return [];
  const isNew = event === 'INSERT';
  const [kind] = sk.split('#');
  const key = { pk: String(after.pk), sk };
  switch (kind) {
    case 'TRANSACTION':
      return ofCharge(before && chargeRows.parse(before), chargeRows.parse(after));
    case 'LINK':
      return before ? ofLink(linkRows.parse(before), linkRows.parse(after)) : [];
    case 'REQUEST':
      return before && before.state !== after.state ? ofRequest(requestRows.parse(after)) : [];
    case 'RECEIPT':
      return isSame(['state', 'reason'], before, after)
        ? ofSameState(before, after)
        : ofReceipt(before && receiptRows.parse(before), receiptRows.parse(after));
    case 'SEND':
      return isNew ? [{ what: 'send.accepted', send: sendRows.parse(after) }] : [];
    case 'MESSAGE':
      return isSame(['state'], before, after) ? [] : ofMessage(before?.state, messageRows.parse(after));
    case 'ANSWER':
      return isNew ? [{ what: 'sms.received', answer: answerRows.parse(after) }] : [];
    case 'HEARD':
      return isSame(['at'], before, after) ? [] : ofKeyword(keywordRows.parse(after));
    case 'REACHED':
      return isNew ? [{ what: 'goods.limit_reached', reached: reachedRows.parse(after) }] : [];
    case 'LOW':
      return isNew ? [{ what: 'credits.low', low: parseLowCredits(after), key }] : [];
    case 'NOTICE':
      // Other fields change only when personal data is erased.
      return isSame(['received_at'], before, after) ? [] : [ofWallet(walletNoticeRows.parse(after), key)];
    case 'SILENT':
      return isNew ? [{ what: 'phone.silent', silence: silenceRows.parse(after) }] : [];
    case 'DEVICE':
      return isNew && after.subscription !== undefined
        ? [{ what: 'device.asked', device: deviceRows.parse(after) }]
        : [];
    case 'PHONE_EVENT': {
      const text = isNew ? StrangersText.safeParse(after.stranger).data : undefined;
      return text ? [{ what: 'stranger.texted', text }] : [];
    }
    case 'CLAIM_HOUR':
      return Number(before?.wrong) < MAX_WRONG_PER_HOUR && Number(after.wrong) >= MAX_WRONG_PER_HOUR
        ? [{ what: 'claims.limit_reached', momo_number: key.pk.split('#')[1] ?? '' }]
        : [];
    case 'CODE':
      return isSame(['no_sender_at'], before, after) ? [] : [{ what: 'code.without_sender' }];
    case 'EVENT':
      return after.state === 'gave_up' && before?.state !== 'gave_up' ? [{ what: 'webhook.given_up' }] : [];
    default:
      return [];
  }
}

function isSame(fields: readonly string[], before: Item | undefined, after: Item): boolean {
  return fields.every((field) => before?.[field] === after[field]);
}

/** Stock becomes low when it falls to the warning level, or when the level is raised to at least the current stock. */
function ofLink(was: Link, link: Link): readonly Occurrence[] {
  return [
    ...(hasRunLow(was, link) ? [{ what: 'link.stock_low' as const, link }] : []),
    ...(link.codes_waiting && codesLeft(link) > 0 ? [{ what: 'link.stocked' as const, link }] : []),
  ];
}

function ofRequest(request: PaymentRequest): readonly Occurrence[] {
  if (request.state === 'cancelled') return [];
  return [{ what: request.state === 'paid' ? 'request.paid' : 'request.reopened', request }];
}

/** A payment that a person puts back on the list is checked again. */
function ofSameState(before: Item | undefined, after: Item): readonly Occurrence[] {
  const isPutBack = after.state === 'held' && before?.set_aside !== undefined && after.set_aside === undefined;
  return isPutBack ? [{ what: 'receipt.reopened', receipt: receiptRows.parse(after) }] : [];
}

function ofReceipt(was: Receipt | undefined, receipt: Receipt): readonly Occurrence[] {
  const { state, reason } = receipt;
  // A receipt that was created by marking a charge as paid needs no action once the mark is undone.
  const isUndone = (one: Receipt) => one.marked !== undefined && one.set_aside !== undefined;
  const isHeld = (one: Receipt | undefined) => one?.state === 'held' && one.reason !== 'checking' && !isUndone(one);
  const became = (to: Receipt['state']) => state === to && was?.state !== to;
  // Nor does a payment that a person did not find in the wallet.
  const isNotThere = was?.state === 'matched' && receipt.set_aside !== undefined;
  return [
    ...(became('matched') ? [{ what: 'receipt.matched' as const, receipt }] : []),
    ...(became('unread') ? [{ what: 'receipt.unread' as const, receipt }] : []),
    ...(reason === 'conflict' && was?.reason !== reason ? [{ what: 'receipt.contradicted' as const, receipt }] : []),
    ...(reason === 'checking' && (was?.reason === 'conflict' || was?.reason === 'number_unknown')
      ? [{ what: 'receipt.reopened' as const, receipt }]
      : []),
    ...(isHeld(receipt) && !isNotThere
      ? [
          {
            what: 'receipt.held' as const,
            receipt,
            isNew: !isHeld(was),
            ...(was?.reference && { paid: was.reference }),
          },
        ]
      : []),
  ];
}

function ofMessage(wasState: unknown, message: Message): readonly Occurrence[] {
  const { state } = message;
  // The delivery report may arrive before the report that the text was sent.
  const hasLeft = state === 'sent' || (state === 'delivered' && wasState !== 'sent');
  return [
    ...(hasLeft ? [{ what: 'sms.left' as const, message }] : []),
    ...(state === 'delivered' || isRefunded(state)
      ? [{ what: `sms.${state}` as const, message: { ...message, state } }]
      : []),
  ];
}

function ofKeyword(heard: HeardKeyword): readonly Occurrence[] {
  const { merchant_id, at, send_id } = heard;
  return merchant_id && at && send_id === undefined
    ? [{ what: 'keyword.heard', heard: { ...heard, merchant_id, at } }]
    : [];
}

function ofWallet(notice: WalletNotice, key: Key): WalletOccurrence {
  // TypeScript cannot see that the name matches the notice's kind.
  return { what: `wallet.${notice.kind}`, notice, key } as WalletOccurrence;
}

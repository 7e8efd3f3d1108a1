import type * as z from 'zod/mini';
import type { Device } from '../merchants/user/device.table.ts';
import type { Charge } from '../money/charge/charge.table.ts';
import type { Reached } from '../money/goods/unproven.table.ts';
import type { Link } from '../money/link/link.table.ts';
import type { Payment, Refund } from '../money/payment/payment.ts';
import type { Receipt } from '../money/receipt/receipt.ts';
import type { PaymentRequest } from '../money/request/request.table.ts';
import type { StrangersText } from '../phones/gateway/phone-event.table.ts';
import type { Silence } from '../phones/sender/silence.table.ts';
import type { Confirmable } from '../texts/conversation/keyword.table.ts';
import type { LowCredits } from '../texts/credits/credits.table.ts';
import type { Answer } from '../texts/inbox/inbox.table.ts';
import type { Message } from '../texts/sms/message.table.ts';
import type { Send } from '../texts/sms/send.table.ts';
import type { RefundedState } from '../texts/sms/states.ts';
import type { WalletNotice } from '../wallets/wallet/wallet-notice.table.ts';

/** A business event derived from a row change by `occurrencesOf`. Its name (`what`) determines its consumers. */
export type Occurrence =
  | { readonly what: ChargeOccurrence; readonly charge: Charge }
  | { readonly what: 'charge.partly_paid'; readonly charge: Charge; readonly part: Payment }
  | { readonly what: 'charge.refunded'; readonly charge: Charge; readonly refund: Refund }
  /** The overpaid or unverified total, in pesewas, after the change (`by`) and before it (`before`). */
  | {
      readonly what: 'charge.overpaid' | 'charge.unverified';
      readonly charge: Charge;
      readonly by: number;
      readonly before: number;
      readonly earlier?: readonly EarlierChange[];
    }
  | { readonly what: PaymentOccurrence; readonly charge: Charge; readonly payment: Payment }
  | { readonly what: 'link.stock_low' | 'link.stocked'; readonly link: Link }
  | { readonly what: 'request.paid' | 'request.reopened'; readonly request: PaymentRequest }
  | {
      readonly what: 'receipt.matched' | 'receipt.unread' | 'receipt.contradicted' | 'receipt.reopened';
      readonly receipt: Receipt;
    }
  /** `paid` is the charge that the payment previously counted towards. */
  | { readonly what: 'receipt.held'; readonly receipt: Receipt; readonly isNew: boolean; readonly paid?: string }
  | { readonly what: 'send.accepted'; readonly send: Send }
  | { readonly what: 'sms.left'; readonly message: Message }
  | { readonly what: `sms.${EndState}`; readonly message: Message & { readonly state: EndState } }
  | { readonly what: 'sms.received'; readonly answer: Answer }
  | { readonly what: 'keyword.heard'; readonly heard: Confirmable }
  | { readonly what: 'goods.limit_reached'; readonly reached: Reached }
  | { readonly what: 'credits.low'; readonly low: LowCredits; readonly key: Key }
  | WalletOccurrence
  | { readonly what: 'phone.silent'; readonly silence: Silence }
  | { readonly what: 'device.asked'; readonly device: Device }
  | { readonly what: 'stranger.texted'; readonly text: z.infer<typeof StrangersText> }
  | { readonly what: 'claims.limit_reached'; readonly momo_number: string }
  | { readonly what: 'code.without_sender' | 'webhook.given_up' };

/** The change of one earlier payment's unverified amount. */
export interface EarlierChange {
  /** Day on which the payment was first counted. */
  readonly day: string;
  readonly pesewas: number;
  /** True if the payment no longer counts. */
  readonly isGone: boolean;
}

type EndState = RefundedState | 'delivered';

export type ChargeOccurrence =
  | 'charge.created'
  /** A cashier took a payment at a till, and can still undo it. */
  | 'charge.taken'
  /** The charge is fully paid. At a till, `charge.success` follows later. */
  | 'charge.paid'
  /** The charge is paid and, at a till, the cashier can no longer undo the payment. */
  | 'charge.success'
  | 'charge.expired'
  | 'charge.cancelled'
  | 'charge.reversed'
  /**
   * A person undid a mark as paid, or set an unverified payment aside. `charge.reopened` also occurs if the charge is
   * pending or cancelled again.
   */
  | 'charge.unmarked'
  | 'charge.reopened'
  | 'charge.disputed'
  /** The payments of a paid charge were verified. */
  | 'charge.proven'
  /** The charge is no longer paid. */
  | 'charge.unsettled'
  | 'charge.undisputed'
  | 'charge.payments_changed'
  /** The charge's goods may need to be handed over or taken back. */
  | 'charge.goods_changed'
  /** The charge's stock code is out of stock, or somebody must release it. */
  | 'charge.code_waiting';

/**
 * A payment started or stopped counting towards a charge. `payment.reversed`: the network reversed it.
 * `payment.released`: it stopped counting for another reason.
 */
type PaymentOccurrence = 'payment.counted' | 'payment.reversed' | 'payment.released';

export type WalletOccurrence = {
  [Kind in WalletNotice['kind']]: {
    readonly what: `wallet.${Kind}`;
    readonly notice: Extract<WalletNotice, { readonly kind: Kind }>;
    readonly key: Key;
  };
}[WalletNotice['kind']];

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export type Of<What extends Occurrence['what']> = Named<Occurrence, What> & { readonly what: What };
type Named<One, What> = One extends { readonly what: infer Names } ? (What extends Names ? One : never) : never;

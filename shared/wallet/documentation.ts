import type { DocumentedEvent } from '../docs/operation.ts';
import { NearLimitEventData, RefusedPaymentEventData } from './responses.ts';

export const walletEvents = {
  'wallet.payment_refused': {
    summary: 'Your wallet refused a payment',
    description:
      'A customer tried to pay and the network refused it, because your wallet had reached its daily limit. The customer still has the money. Ask them to pay to another number, or again when the limit allows it; the network raises the limit of a wallet whose owner it has identified more thoroughly. Sent once for each refused payment. Not sent for a number that several merchants share: the operator is told instead.',
    data: RefusedPaymentEventData,
    example: {
      network: 'MTN',
      momo_number: '+233241234567',
      transaction_id: '31574300924',
      amount: 6000,
      currency: 'GHS',
      payer_name: 'AKUA OSEI',
      reason: 'daily_limit',
      received_at: '2026-11-20T08:41:07.000Z',
    } satisfies RefusedPaymentEventData,
  },
  'wallet.near_limit': {
    summary: 'Your wallet is nearly full',
    description:
      'Your wallet holds nine tenths or more of what it may hold. Move money out of it: a full wallet refuses payments. Sent at most once a day, or once in 30 days where the limit is only assumed. Not sent for a number that several merchants share.',
    data: NearLimitEventData,
    example: {
      network: 'MTN',
      momo_number: '+233241234567',
      balance: 37250,
      limit: 40000,
      currency: 'GHS',
      assumed: false,
      received_at: '2026-11-20T08:41:07.000Z',
    } satisfies NearLimitEventData,
  },
} satisfies Record<string, DocumentedEvent>;

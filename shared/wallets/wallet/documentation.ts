import type { DocumentedEvent, Operation } from '../../runtime/http/operation.ts';
import {
  MissedPaymentEventData,
  NearLimitEventData,
  RefusedPaymentEventData,
  SuspectedReversalEventData,
  UnclearBalanceEventData,
  WalletListResponse,
} from './responses.ts';

export const walletOperations = {
  'wallet/list': {
    tag: 'Wallets',
    summary: 'List your wallets',
    description:
      'Your MoMo numbers, in the order in which customers see them. Balances are shown only to a key whose scope names `balances:read`, which an owner grants.',
    path: {},
    success: {
      message: 'Wallets',
      data: WalletListResponse,
      example: {
        wallets: [
          {
            network: 'MTN',
            number: '+233241234567',
            account_name: 'AMA STORES',
            last_text_at: '2026-11-20T08:30:00.000Z',
            phone_silent: false,
            near_limit: null,
            balance: null,
          },
        ],
      } satisfies WalletListResponse,
    },
  },
} satisfies Record<string, Operation>;

export const walletEvents = {
  'wallet.payment_refused': {
    summary: 'Your wallet refused a payment',
    description:
      'A customer tried to pay, but your wallet had reached its daily limit. The customer still has the money. Ask them to pay to another number, or later. The network raises the limit of a wallet whose owner it has identified more thoroughly. Sent once for each refused payment. For a shared number the operator is notified instead.',
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
      'The balance is at least nine tenths of the limit. Move money out: a full wallet refuses payments. Sent at most once a day, or once in 30 days if the limit is only assumed.',
    data: NearLimitEventData,
    example: {
      network: 'MTN',
      momo_number: '+233241234567',
      limit: 40000,
      currency: 'GHS',
      assumed: false,
      received_at: '2026-11-20T08:41:07.000Z',
    } satisfies NearLimitEventData,
  },
  'wallet.balance_unclear': {
    summary: 'The balance of your wallet is unclear',
    description:
      'For ten minutes, no new text has continued from the last verified balance of your wallet: an earlier text was lost, or the new texts are forged. The owner sees the texts under **Wallets** on the dashboard and enters the balance there, or tells the operator; no event contains the balance. Until then, these payments are unverified. Sent at once if a text reports money sent to the bank, without its amount. Sent at most once every 30 minutes (every ten for money sent to the bank); the contact of your checkout page gets a text too if it is a mobile number.',
    data: UnclearBalanceEventData,
    example: {
      network: 'MTN',
      momo_number: '+233241234567',
      texts: 2,
      sent_to_bank: false,
      received_at: '2026-11-20T10:14:12.000Z',
    } satisfies UnclearBalanceEventData,
  },
  'wallet.payment_missed': {
    summary: 'Money arrived without a text',
    description:
      'Your answer or later texts confirm that the balance rose. Look up the payment in the wallet and confirm its charge by hand.',
    data: MissedPaymentEventData,
    example: {
      network: 'MTN',
      momo_number: '+233241234567',
      amount: 36,
      currency: 'GHS',
      from: '2026-11-20T10:01:40.000Z',
      to: '2026-11-20T10:14:12.000Z',
      phone_asked: true,
      may_have_paid: ['MK-0123456789'],
    } satisfies MissedPaymentEventData,
  },
  'wallet.reversal_suspected': {
    summary: 'Money left without a text',
    description:
      'The balance fell without a text, by the exact amount of a payment in `may_be_reversed`, which its payer can still ask the network to reverse. It may also be a withdrawal whose text is late: check the wallet before you hand over goods. Until somebody decides, their charges are not `proven`. `charge.reversed` follows if the network’s text comes. Sent within a minute of the second text that shows the fall, once for each fall.',
    data: SuspectedReversalEventData,
    example: {
      network: 'MTN',
      momo_number: '+233241234567',
      amount: 36,
      currency: 'GHS',
      from: '2026-11-20T10:01:40.000Z',
      to: '2026-11-20T10:14:12.000Z',
      may_be_reversed: [{ transaction_id: '63418844970', reference: 'MK-0123456789' }],
    } satisfies SuspectedReversalEventData,
  },
} satisfies Record<string, DocumentedEvent>;

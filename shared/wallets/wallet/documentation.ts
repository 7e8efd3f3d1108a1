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
      'The MoMo numbers that you are paid on, in the order in which customers see them: when each was last heard, and whether it is nearly full. Balances are shown only to a key whose scope names `balances:read`, which an owner grants.',
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
      'A customer tried to pay and the network refused it, because your wallet had reached its daily limit. The customer still has the money. Ask them to pay to another number, or again when the limit allows it; the network raises the limit of a wallet whose owner it has identified more thoroughly. Sent once for each refused payment. Not sent for a number that several merchants share: the operator is notified instead.',
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
      'Your wallet holds at least nine tenths of its limit. Move money out of it: a full wallet refuses payments. Sent at most once a day, or once in 30 days if the limit is only assumed. Not sent for a number that several merchants share.',
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
    summary: 'We need to know your balance',
    description:
      'For ten minutes, texts have arrived that do not continue the verified balance of your wallet: an earlier text was lost, or these are forged. The owner sees them under **Wallets** on the dashboard, and enters the balance there or tells it to the operator of the service; no event contains it. Until then these payments are unverified. Sent at once if a text reports money sent to the bank, because it does not say how much. Sent at most once in 30 minutes, for money sent to the bank in ten; the contact of your checkout page gets a text too if it is a mobile number. Not sent for a number that several merchants share.',
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
      'The balance of your wallet rose without a text, as your own answer or later texts confirm. `may_have_paid` lists the charges over exactly this amount that were open then. Look up the payment in the wallet and confirm its charge by hand. Not sent for a number that several merchants share.',
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
    summary: 'Money left, perhaps a reversed payment',
    description:
      'The balance of your wallet fell without a text, by exactly what one of the payments in `may_be_reversed` had brought, which its payer can still ask the network to reverse. Networks do not always report that. It may also be a withdrawal whose text is late or lost: check the wallet before you hand over goods. Nothing was changed; `charge.reversed` follows if the network’s text comes. Sent within a minute of the second text that shows it, once for each fall. Not sent for a number that several merchants share.',
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

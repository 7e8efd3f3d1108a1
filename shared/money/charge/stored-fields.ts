import type { StoredFields } from '../../runtime/values/stored-field.ts';
import type { Note, Payment, Refund } from '../payment/payment.ts';
import type { Charge } from './charge.table.ts';
import type { Origin } from './origin.ts';

const byMerchant = { from: 'merchant', erasure: 'stays' } as const;
const byService = { from: 'service', erasure: 'stays' } as const;
const byText = { from: 'text', erasure: 'stays' } as const;

export const chargeFields = {
  reference: { ...byService, file: 'reference' },
  access_code: byService,
  merchant_id: byService,
  merchant_name: byMerchant,
  merchant_contact: byMerchant,
  state: { ...byService, file: 'status' },
  amount_pesewas: { ...byMerchant, file: 'amount_ghs' },
  asked_pesewas: byMerchant,
  customer_name: { from: 'merchant', erasure: 'goes', page: 'Customer', file: 'customer_name' },
  customer_phone: { from: 'merchant', erasure: 'goes', page: 'Phone', file: 'customer_phone' },
  email: { from: 'merchant', erasure: 'goes', page: 'E-mail', file: 'email' },
  description: { from: 'merchant', erasure: 'goes', page: 'For', file: 'description' },
  merchant_reference: { from: 'merchant', erasure: 'goes', page: 'Your order number', file: 'merchant_reference' },
  metadata: { from: 'merchant', erasure: 'goes', page: 'Metadata' },
  origin: { from: 'customer', erasure: 'own rule' },
  goods: byService,
  callback_url: { from: 'merchant', erasure: 'goes', page: 'Returns to' },
  momo_number: { ...byMerchant, page: 'Number to pay' },
  momo_network: byMerchant,
  momo_account_name: byMerchant,
  momo_accounts: byMerchant,
  created_at: { ...byService, page: 'Created', file: 'created_at' },
  expires_at: { ...byService, page: 'Expires', file: 'expires_at' },
  paid_at: { ...byService, file: 'paid_at' },
  expired_at: { ...byService, file: 'expired_at' },
  cancelled_at: { ...byService, file: 'cancelled_at' },
  reversed_at: { ...byService, file: 'reversed_at' },
  unmarked_at: byService,
  parts: { from: 'text', erasure: 'own rule', file: 'paid_ghs' },
  payment: { from: 'text', erasure: 'own rule', file: 'transaction_ids' },
  disputed: { ...byService, file: 'disputed_at' },
  earlier_dispute_at: byService,
  checking_until: byService,
  refunds: { from: 'merchant', erasure: 'own rule', file: 'refunds_ghs' },
  released_by: byService,
  paid_as: { ...byService, page: 'Paid at the till as' },
  notes: { from: 'team', erasure: 'own rule' },
  second_receipts: byService,
  waiting_receipts: byService,
  verified_waiting_pesewas: byService,
  receipt_send_id: byService,
  expires_at_epoch_seconds: byService,
} as const satisfies StoredFields<Charge>;

export const originFields = {
  kind: byService,
  slug: byService,
  buyer_id: byService,
  till_id: byService,
  note: { from: 'customer', erasure: 'goes' },
} as const satisfies StoredFields<Record<FieldOf<Origin>, unknown>>;

type FieldOf<One> = One extends unknown ? keyof One : never;

export const paymentFields = {
  receipt_id: byService,
  network: byText,
  transaction_id: byText,
  amount_pesewas: byText,
  payer_name: { from: 'text', erasure: 'goes' },
  payer_phone: { from: 'text', erasure: 'goes' },
  payer_reference: { from: 'text', erasure: 'goes' },
  received_at: byText,
  matched_by: byService,
  proof: byService,
  counted_in: byService,
  counted_pesewas: byService,
  counted_at: byService,
  looked_by: byService,
  marked: { from: 'team', erasure: 'stays' },
  reversal_suspected_at: byService,
} as const satisfies StoredFields<Payment>;

export const refundFields = {
  refund_id: byService,
  amount_pesewas: byMerchant,
  reason: { from: 'merchant', erasure: 'goes' },
  state: byService,
  noted_at: byService,
  closed_at: byService,
  closed_by: byService,
  transaction_id: byText,
} as const satisfies StoredFields<Refund>;

export const noteFields = {
  at: byService,
  by: byService,
  text: { from: 'team', erasure: 'own rule' },
  send_id: byService,
} as const satisfies StoredFields<Note>;

import type { StoredFields } from '../../runtime/values/stored-field.ts';
import type { Receipt } from './receipt.ts';

const byService = { from: 'service', erasure: 'stays' } as const;
const byText = { from: 'text', erasure: 'stays' } as const;

export const receiptFields = {
  receipt_id: byService,
  state: byService,
  reason: byService,
  merchant_id: byService,
  network: { ...byText, file: 'network' },
  momo_number: { ...byText, file: 'paid_to' },
  numbers_of_phone: byService,
  known_to: byService,
  transaction_id: { ...byText, file: 'transaction_id' },
  amount_pesewas: { ...byText, file: 'amount_ghs' },
  balance_pesewas: byText,
  payer_name: { from: 'text', erasure: 'goes', file: 'payer_name' },
  payer_phone: { from: 'text', erasure: 'goes', file: 'payer_phone' },
  said_phone: { from: 'text', erasure: 'goes' },
  payer_reference: { from: 'text', erasure: 'goes', file: 'payer_reference' },
  sender: byText,
  text: { from: 'text', erasure: 'goes' },
  received_at: { ...byText, file: 'received_at' },
  proof: { ...byService, file: 'proof' },
  matched_by: { ...byService, file: 'matched_by' },
  looked_by: byService,
  marked: { from: 'team', erasure: 'stays' },
  reversal_doubt_at: byService,
  reversal_suspected_at: byService,
  reversal_doubt_number: byService,
  reversal_verified: byService,
  contradicted_by: byService,
  agreed_by: byService,
  first_undone: byService,
  use_lost: byService,
  reference: { ...byService, file: 'charge' },
  suggested_reference: byService,
  released_by: byService,
  released_verified: byService,
  set_aside: { from: 'team', erasure: 'own rule' },
  expires_at_epoch_seconds: byService,
} as const satisfies StoredFields<Receipt>;

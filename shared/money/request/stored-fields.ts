import type { StoredFields } from '../../runtime/values/stored-field.ts';
import type { PaymentRequest } from './request.table.ts';

const byMerchant = { from: 'merchant', erasure: 'stays' } as const;
const byService = { from: 'service', erasure: 'stays' } as const;

export const requestFields = {
  slug: byService,
  merchant_id: byService,
  title: { from: 'merchant', erasure: 'own rule' },
  note: { from: 'merchant', erasure: 'goes' },
  lines: { from: 'merchant', erasure: 'own rule' },
  customer_name: { from: 'merchant', erasure: 'goes' },
  customer_phone: { from: 'merchant', erasure: 'goes' },
  merchant_reference: { from: 'merchant', erasure: 'goes' },
  metadata: { from: 'merchant', erasure: 'goes' },
  instalments: byMerchant,
  every: byMerchant,
  total_pesewas: byMerchant,
  state: byService,
  version: byService,
  charges: byService,
  reminder_days: byMerchant,
  remind_at: byService,
  last_reminder: byService,
  by: byService,
  created_at: byService,
  paid_at: byService,
  refunded_pesewas: byService,
  discount_pesewas: byService,
  cancelled_at: byService,
  expires_at_epoch_seconds: byService,
} as const satisfies StoredFields<PaymentRequest>;

import type { StoredFields } from '../../runtime/values/stored-field.ts';
import type { Message } from './message.table.ts';
import type { Send } from './send.table.ts';

const byMerchant = { from: 'merchant', erasure: 'stays' } as const;
const byService = { from: 'service', erasure: 'stays' } as const;

export const sendFields = {
  send_id: byService,
  merchant_id: byService,
  purpose: byService,
  category: byMerchant,
  by: byService,
  from: byMerchant,
  any_sender: byMerchant,
  to: { from: 'merchant', erasure: 'own rule' },
  message: { from: 'merchant', erasure: 'own rule' },
  words: { from: 'merchant', erasure: 'own rule' },
  bulk: byService,
  retried: byService,
  has_code: byService,
  reference: byService,
  request: byService,
  metadata: { from: 'merchant', erasure: 'own rule' },
  created_at: byService,
  send_at: byMerchant,
  quiet_hours: byMerchant,
  useless_at: byService,
  valid_for: byMerchant,
  expires_at_epoch_seconds: byService,
  next_check_at: byService,
} as const satisfies StoredFields<Send>;

export const messageFields = {
  send_id: byService,
  index: byService,
  merchant_id: byService,
  purpose: byService,
  gateway: byService,
  device_id: byService,
  sim_number: byService,
  state: byService,
  from: byService,
  place: byService,
  sending_at: byService,
  sent_at: byService,
  delivered_at: byService,
  failed_at: byService,
  cancelled_at: byService,
  expired_at: byService,
  failure_reason: { from: 'service', erasure: 'own rule' },
} as const satisfies StoredFields<Message>;

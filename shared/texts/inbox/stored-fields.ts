import type { StoredFields } from '../../runtime/values/stored-field.ts';
import type { Answer, Reply } from './inbox.table.ts';

const byService = { from: 'service', erasure: 'stays' } as const;

/** Fields of a reply's row. The row is deleted when its sender is erased. */
export const answerFields = {
  answer_id: byService,
  merchant_id: byService,
  number: { from: 'text', erasure: 'own rule' },
  to: byService,
  message: { from: 'text', erasure: 'own rule' },
  withheld: byService,
  keyword: byService,
  in_reply_to: byService,
  received_at: byService,
  created_at: byService,
  expires_at_epoch_seconds: byService,
} as const satisfies StoredFields<Answer>;

export const replyFields = {
  merchant_id: byService,
  number: { from: 'text', erasure: 'own rule' },
  send_id: byService,
  created_at: byService,
  expires_at_epoch_seconds: byService,
} as const satisfies StoredFields<Reply>;

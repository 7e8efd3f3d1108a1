import type { StoredFields } from '../../runtime/values/stored-field.ts';
import type { Verification } from './verification.table.ts';

const byService = { from: 'service', erasure: 'stays' } as const;

/** The row is deleted together with the number. */
export const verificationFields = {
  send_id: byService,
  merchant_id: byService,
  to: { from: 'merchant', erasure: 'goes' },
  created_at: byService,
  valid_until: byService,
  tries: byService,
  code_salt: byService,
  code_hash: byService,
} as const satisfies StoredFields<Verification>;

import type { StoredFields } from '../../runtime/values/stored-field.ts';
import type { Verification } from './verification.table.ts';

const byService = { from: 'service', erasure: 'stays' } as const;

/** Fields of a verification's row. The row is deleted when its number is erased. */
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

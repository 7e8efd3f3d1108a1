import type { StoredFields } from '../../runtime/values/stored-field.ts';
import type { Contact } from './contact.table.ts';

/** Fields of a contact's row. The row is deleted when its number is erased. */
export const contactFields = {
  merchant_id: { from: 'service', erasure: 'stays' },
  number: { from: 'merchant', erasure: 'goes' },
  name: { from: 'merchant', erasure: 'goes' },
  consent: { from: 'merchant', erasure: 'goes' },
  opted_out: { from: 'service', erasure: 'goes' },
  created_at: { from: 'service', erasure: 'stays' },
  expires_at_epoch_seconds: { from: 'service', erasure: 'stays' },
} as const satisfies StoredFields<Contact>;

import type { KeyKind, KeyPermission } from '../../runtime/triggers/row.ts';

/** What a key of each kind can be allowed at all: what the routes that take it need. */
export const scopesOfKind: Readonly<Record<KeyKind, readonly KeyPermission[]>> = {
  live: [
    'charges:read',
    'charges:write',
    'receipts:read',
    'receipts:assign',
    'refunds:write',
    'webhooks:read',
    'webhooks:write',
  ],
  sms: ['texts:read', 'texts:send', 'credits:read', 'webhooks:read', 'webhooks:write'],
};

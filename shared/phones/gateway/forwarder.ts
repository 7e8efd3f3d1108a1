/**
 * Pseudo gateway for phones with an ordinary forwarding app, which only forward received texts. In the accounts secret,
 * the entry of this name contains only the phones' keys.
 */
export const FORWARDER = 'forwarder';

/** Returns a predicate for rows about a forwarding phone. */
export function isOfForwarder(phone: string) {
  return ({ gateway, device_id }: { readonly gateway?: string | undefined; readonly device_id?: string | undefined }) =>
    gateway === FORWARDER && device_id === phone;
}

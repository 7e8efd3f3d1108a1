/**
 * Pseudo gateway for phones with an ordinary forwarding app. They only forward received texts. Its entry in the
 * accounts secret contains only the phones' keys.
 */
export const FORWARDER = 'forwarder';

/** Returns a predicate for rows about a forwarding phone. */
export function isOfForwarder(phone: string) {
  return ({ gateway, device_id }: { readonly gateway?: string | undefined; readonly device_id?: string | undefined }) =>
    gateway === FORWARDER && device_id === phone;
}

/**
 * The pseudo gateway for phones with an ordinary forwarding app. Such a phone does not send texts for the service, and
 * the service cannot send requests to it. The entry in the accounts secret has the format of an account, but contains
 * only the phones' keys.
 */
export const FORWARDER = 'forwarder';

/** Returns a predicate for the rows about a forwarding phone: its numbers, its last contact and its refusals. */
export function isOfForwarder(phone: string) {
  return ({ gateway, device_id }: { readonly gateway?: string | undefined; readonly device_id?: string | undefined }) =>
    gateway === FORWARDER && device_id === phone;
}

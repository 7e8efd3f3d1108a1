/**
 * The pseudo gateway for phones whose texts are forwarded by an ordinary forwarding app. These phones do not send
 * texts, and we cannot send them requests. Its entry in the accounts secret has the format of an account, but only
 * contains the phones' keys.
 */
export const FORWARDER = 'forwarder';

/** Matches the table keys of a forwarding phone: its numbers, last contact and refusals. */
export function isOfForwarder(phone: string) {
  return ({ gateway, device_id }: { readonly gateway?: string | undefined; readonly device_id?: string | undefined }) =>
    gateway === FORWARDER && device_id === phone;
}

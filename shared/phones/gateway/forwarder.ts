/**
 * The pseudo gateway for phones whose texts an ordinary forwarding app posts. These phones send nothing, and we cannot
 * send them requests. Its entry in the accounts secret has the shape of an account, but contains only the phones' keys.
 */
export const FORWARDER = 'forwarder';

/** Matches table keys of a forwarding phone: its numbers, last contact and refusals. */
export function isOfForwarder(phone: string) {
  return ({ gateway, device_id }: { readonly gateway?: string | undefined; readonly device_id?: string | undefined }) =>
    gateway === FORWARDER && device_id === phone;
}

/**
 * The pseudo gateway of phones whose texts an ordinary forwarding app posts. Such phones send nothing and cannot be
 * asked anything. Its entry in the accounts secret has the shape of an account, but holds only the phones' keys.
 */
export const FORWARDER = 'forwarder';

/** Matches table keys of such a phone: its numbers, last contact and refusals. */
export function isOfForwarder(phone: string) {
  return ({ gateway, device_id }: { readonly gateway?: string | undefined; readonly device_id?: string | undefined }) =>
    gateway === FORWARDER && device_id === phone;
}

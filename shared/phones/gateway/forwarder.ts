/**
 * Where phones are placed whose texts an ordinary forwarding app posts. It is no account: such a phone sends nothing, and nothing can be asked of
 * it. Its entry in the secret with the accounts holds the phones' keys alone, in the shape of an account.
 */
export const FORWARDER = 'forwarder';

/** Tells what is of such a phone: a number that is placed in it, when it was heard, what of it was refused. */
export function isOfForwarder(phone: string) {
  return ({ gateway, device_id }: { readonly gateway?: string | undefined; readonly device_id?: string | undefined }) =>
    gateway === FORWARDER && device_id === phone;
}

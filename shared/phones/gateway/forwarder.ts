/**
 * Where phones are placed whose texts an ordinary forwarding app posts. It is no account: such a phone sends nothing, and nothing can be asked of
 * it. Its entry in the secret with the accounts holds the phones' keys alone, in the shape of an account, which an earlier release can read.
 */
export const FORWARDER = 'forwarder';

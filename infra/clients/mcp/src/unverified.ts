/**
 * Warning before every response with unverified money. An agent might recommend refunding a forged payment, which would
 * cost the shop real money.
 */
export const UNVERIFIED = `Not verified: some of this money is known only from its own text, which may be forged, or may have been reversed. Advise people to check their MoMo balance first.
Do not advise them to deliver for it, assign it or send it back until they have seen it there, and no reversal of it.`;

/**
 * Returns true if a response contains unverified money, except test data, or a warning about money. Services of older
 * releases report verification only per payment.
 */
export function namesUnverified(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesUnverified);
  if (typeof value !== 'object' || value === null) return false;
  if ('livemode' in value && value.livemode === false) return false;
  if ('warning' in value && typeof value.warning === 'string') return true;
  return ('proof' in value && isUnverified(value)) || Object.values(value).some(namesUnverified);
}

function isUnverified(value: { readonly proof: unknown; readonly amount_paid?: unknown }): boolean {
  const { proof, amount_paid } = value;
  if (typeof proof === 'object' && proof !== null) return !('state' in proof) || proof.state !== 'proven';
  // A charge or payment request without a payment has nothing to verify yet.
  return amount_paid !== 0;
}

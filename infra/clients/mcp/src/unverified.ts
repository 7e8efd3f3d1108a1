/** Precedes every answer with such money, because an agent that advises to refund a forged text sends real money. */
export const UNVERIFIED = `Not verified: some of this money is known only from its own text, which may be forged. Advise people to look in their MoMo balance first.
Do not advise them to deliver for it, to assign it or to send it back before they have seen it there.`;

/**
 * Detects money in an answer that arrived but is not verified. Tests involve no money. Older services report proof only
 * per payment.
 */
export function namesUnverified(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesUnverified);
  if (typeof value !== 'object' || value === null) return false;
  if ('livemode' in value && value.livemode === false) return false;
  return ('proof' in value && isUnverified(value)) || Object.values(value).some(namesUnverified);
}

function isUnverified(value: { readonly proof: unknown; readonly amount_paid?: unknown }): boolean {
  const { proof, amount_paid } = value;
  if (typeof proof === 'object' && proof !== null) return !('state' in proof) || proof.state !== 'proven';
  // A charge or payment request without payments has no proof yet.
  return amount_paid !== 0;
}

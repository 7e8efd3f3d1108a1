/** Comes before every answer that names such money: an agent that advises to send it back sends real money for a forged text. */
export const UNVERIFIED = `Not verified: some of this money is known only from its own text, which may be forged. Advise people to look in their MoMo balance first.
Do not advise them to deliver for it, to assign it or to send it back before they have seen it there.`;

/**
 * Tells if an answer of the service names money that arrived and is not verified. A test has no money. An older service has a proof in
 * each payment alone.
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
  // A charge or a payment request that nothing has arrived for has no proof yet.
  return amount_paid !== 0;
}

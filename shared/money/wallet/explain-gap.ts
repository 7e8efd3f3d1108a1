import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import { type Clock, isoOf, type TimedOutside } from '../../runtime/outside/outside.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { differenceOf, type Gap, paymentsOf } from '../../wallets/chain/branches.ts';
import type { SettledText } from '../../wallets/chain/chain.table.ts';
import type { Chain, Movement } from '../../wallets/chain/chain.ts';
import { CHARGE_LIFETIME_MS, getCharges, listReferences } from '../charge/charge.table.ts';
import { missingPesewas } from '../payment/payment.ts';

const POSTED_AGAIN_MS = 10 * MINUTE_MS;
export const MAX_EXPLANATIONS = 5;
/**
 * Maximum number of a merchant's charges to examine. On a busier day, amounts repeat too often to identify a charge.
 */
const MAX_CHARGES = 500;

/**
 * Describes possible explanations for a break in a wallet's balance chain, or returns undefined. A fall by exactly the
 * amount of an earlier payment may be its reversal. This is never certain: 7% of ordinary outgoing amounts are equal to
 * some payment from the last 30 days.
 */
export async function explainGap(outside: TimedOutside, chain: Chain, gap: Gap, settled: readonly SettledText[]) {
  if (gap.reversal_of !== undefined) return `reversed: ${gap.reversal_of.split('-').at(-1)}`;
  const difference = differenceOf(gap);
  if (difference > 0) {
    const references = await chargesOver(outside, chain, gap);
    return references.length > 0 ? `may have paid: ${references.join(', ')}` : undefined;
  }
  const payments = paymentsOf(-difference, gap, settled);
  if (payments.length === 0) return undefined;
  const isCertainer = payments.length === 1 && wasAskedFor(outside, chain, gap);
  const ids = payments.slice(-MAX_EXPLANATIONS).toReversed().map(transactionIdOf);
  return `${isCertainer ? 'probably' : 'possibly'} reversed: ${ids.join(', ')}`;
}

/** True if the wallet's phones were asked to resend a break's missing texts and have had time to do so. */
export function wasAskedFor({ now }: Clock, { inbox_asked_ms }: Chain, { to }: Gap): boolean {
  return inbox_asked_ms !== undefined && inbox_asked_ms > to.at_ms && now() - inbox_asked_ms >= POSTED_AGAIN_MS;
}

export function transactionIdOf({ receipt_id, id }: Movement): string {
  return receipt_id?.split('-').at(-1) ?? String(id);
}

/** Lists charges that a missing payment may have paid: those open at the time for exactly the missing amount. */
export async function chargesOver(outside: TimedOutside, { momo_number, network }: Chain, gap: Gap): Promise<string[]> {
  const accounts = (await accountRows.list(outside, { number: momo_number })).filter((one) => one.network === network);
  const made = [gap.from.at_ms - CHARGE_LIFETIME_MS, gap.to.at_ms].map(isoOf);
  const [from = '', to = ''] = made;
  const lists = await Promise.all(
    accounts.map(({ merchant_id }) => listReferences(outside, merchant_id, [from, to], { limit: MAX_CHARGES })),
  );
  const charges = await getCharges(outside, lists.flat());
  return charges
    .filter((charge) => charge.state === 'pending' || charge.state === 'expired')
    .filter((charge) => [charge.amount_pesewas, missingPesewas(charge)].includes(differenceOf(gap)))
    .filter(({ expires_at }) => Date.parse(expires_at) >= gap.from.at_ms)
    .map(({ reference }) => reference)
    .slice(0, MAX_EXPLANATIONS);
}

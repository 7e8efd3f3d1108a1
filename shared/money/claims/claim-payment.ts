import type { Network } from '../../ghana/network.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { Changed, retryIfChanged } from '../../runtime/table/contention.ts';
import { markPaidAs, setGoods } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import { isSettled, statusOf } from '../charge/charge.ts';
import { isNamed } from '../charge/customer-name.ts';
import { codeOf, takeOf } from '../charge/goods.ts';
import { cameWith, isClaimedById } from '../charge/origin.ts';
import { fitsPayer, listPaidLately } from '../matching/match.ts';
import { isAssignable, type Receipt } from '../receipt/receipt.ts';
import { contradictionOf, textOfPayment } from '../receipt/texts-of-payment.ts';
import { doubtElsewhere } from '../receipt/typed-use.ts';
import { payWithReceipt } from '../settling/pay-charge.ts';
import { countClaimTry, uncountClaims } from './claim.table.ts';
import {
  asClaimed,
  claimableSince,
  isClaimable,
  isMeantForAnother,
  mayBeClaimed,
  takeOverAsClaimed,
} from './claimable.ts';

/**
 * Outcome of a claim. `unknown`: no payment can be assigned, for whatever reason. `not_by_id`: this charge cannot be
 * claimed by payment id. `too_many`: too many wrong claims for the charge. `paused`: too many wrong claims for this
 * payer. The last two include the seconds to wait.
 */
export type ClaimOutcome =
  | { outcome: 'paid' }
  | { outcome: 'unknown' | 'not_by_id' }
  | { outcome: 'too_many' | 'paused'; waitSeconds: number };

export interface Claim {
  readonly payments: readonly ClaimedPayment[];
  readonly nameWords: readonly string[];
  readonly sourceIp: string;
}

export interface ClaimedPayment {
  readonly network: Network;
  readonly number: string;
  readonly transactionId: string;
}

const WRONG_TAKES_MS = 700;

/**
 * Confirms a pending charge with a held payment, which is found by its id and the payer's name. The number, the network
 * and the amount must match, and nothing may suggest that the payment was for another charge. Each call uses one of the
 * charge's attempts.
 */
export async function claimPayment(outside: Outside, charge: Charge, claim: Claim): Promise<ClaimOutcome> {
  if (isSettled(charge)) return { outcome: 'paid' };
  if (!isClaimedById(charge)) return { outcome: 'not_by_id' };
  const startedMs = outside.now();
  const claimant = { payers: claim.nameWords, sourceIp: claim.sourceIp };
  const taken = await countClaimTry(outside, charge, claimant);
  if ('refusedBy' in taken)
    return { outcome: taken.refusedBy === 'charge' ? 'too_many' : 'paused', waitSeconds: taken.waitSeconds };
  const { counted, pausedSeconds } = taken;
  const isPaid =
    (await payIfDue(outside, charge, claim, pausedSeconds !== undefined)) ||
    isSettled((await chargeRows.find(outside, charge)) ?? charge);
  if (isPaid) {
    await uncountClaims(outside, counted);
    return { outcome: 'paid' };
  }
  await outside.sleep(Math.max(0, startedMs + WRONG_TAKES_MS - outside.now()));
  return pausedSeconds === undefined ? { outcome: 'unknown' } : { outcome: 'paused', waitSeconds: pausedSeconds };
}

async function payIfDue(outside: Outside, charge: Charge, claim: Claim, isGuessedAt: boolean): Promise<boolean> {
  const stored = await claimedReceipt(outside, claim);
  if (stored?.matched_by === 'till') return !isGuessedAt && endAtCounter(outside, charge.reference, stored, claim);
  if (!stored || !isAssignable(stored)) return false;
  const receipt = asClaimed(stored);
  if (!isClaimable(receipt, charge)) return false;
  if (await contradictionOf(outside, receipt)) return false;
  if (!isNamed(claim.nameWords, receipt.payer_name ?? '')) return false;
  const isInPayersName = fitsPayer(charge, receipt.payer_name ?? '');
  // While somebody may be guessing this payer's ids, confirm only charges in the payer's own name.
  if (isGuessedAt && !isInPayersName) return false;
  if (!(await mayBeClaimed(outside, charge, receipt))) return false;
  if (await doubtElsewhere(outside, charge.merchant_id, receipt)) return false;
  if (await isMeantForAnother(outside, receipt, charge)) return false;
  // The payer may be paying another charge a second time.
  if (!isInPayersName && (await listPaidLately(outside, charge.merchant_id, receipt)).length > 0) return false;
  try {
    const { over, writes: yields = [] } = (await takeOverAsClaimed(outside, charge, receipt)) ?? {};
    const { writes } = await payWithReceipt(outside, charge, receipt, { matched_by: 'claim', current: stored, over });
    await outside.table.write([...writes, ...yields]);
    return true;
  } catch (error) {
    if (error instanceof Changed) return false;
    throw error;
  }
}

/**
 * Closes a sticker charge whose payment a cashier has already tapped, because the tap created a charge of its own. A
 * link's charge stays open until a person decides, because the link's page hands out codes.
 */
function endAtCounter(outside: Outside, reference: string, receipt: Receipt, { nameWords }: Claim): Promise<boolean> {
  return retryIfChanged(async () => {
    const [charge, taken] = await Promise.all(
      [reference, receipt.reference ?? ''].map((one) => chargeRows.find(outside, { reference: one })),
    );
    const goods = taken && takeOf(taken);
    if (!charge || !goods || taken.state !== 'success' || goods.scanned !== undefined) return false;
    const isOpen = statusOf(outside, charge) === 'pending' && !charge.parts?.length && !charge.disputed;
    const isOfCounter = cameWith(charge).link !== undefined && codeOf(charge) === undefined;
    const isBefore = charge.created_at <= goods.at && receipt.received_at >= claimableSince(charge);
    const isSame = taken.merchant_id === charge.merchant_id && taken.amount_pesewas === charge.amount_pesewas;
    if (!isOpen || !isOfCounter || !isBefore || !isSame || !isNamed(nameWords, receipt.payer_name ?? '')) return false;
    await outside.table.write([
      markPaidAs(charge, taken.reference),
      setGoods({ ...taken, goods }, { ...goods, scanned: charge.reference }),
    ]);
    return true;
  });
}

async function claimedReceipt(outside: Outside, { payments }: Claim): Promise<Receipt | undefined> {
  const found = await Promise.all(
    payments.map(({ network, number: momo_number, transactionId: transaction_id }) =>
      textOfPayment(outside, { network, momo_number, transaction_id }),
    ),
  );
  return found.find((one) => one !== undefined);
}

import { isoOf, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import {
  type Branch,
  differenceOf,
  type Gap,
  isLinked,
  newerBranches,
  paymentsOf,
  paymentsOfAnyState,
} from '../../wallets/chain/branches.ts';
import { listSettledTexts, type SettledText } from '../../wallets/chain/chain.table.ts';
import { type Chain, headOf, isSame, type Movement, type Position } from '../../wallets/chain/chain.ts';
import { soleMerchantOf } from '../../wallets/chain/change-chain.ts';
import { keepOnce } from '../../wallets/wallet/wallet-notice.table.ts';
import { getCharges } from '../charge/charge.table.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { textOfPayment } from '../receipt/texts-of-payment.ts';
import { MAX_EXPLANATIONS, transactionIdOf } from './explain-gap.ts';

/**
 * Maximum age of a break to examine. Longer than any housekeeping delay, also if many texts wait, so older breaks have
 * already been examined.
 */
const FRESH_MS = 12 * MINUTE_MS;

/**
 * Notifies a wallet's merchant, once per break, that money left without a text and may be a reversed payment. The shop
 * can then hold back the goods. Ignores transfers to the bank and reversals that a text reported. `owned`: a balance
 * that the owner just entered, in pesewas.
 *
 * Only the shop may see the doubt. Somebody who pays many bills and forges texts could otherwise learn the balance from
 * their own bills' pages.
 */
export async function suspectReversal(
  outside: TimedOutside,
  chain: Chain,
  waiting: readonly Movement[],
  owned?: number,
): Promise<void> {
  const known = { nowMs: outside.now(), owned };
  const branches = newerBranches(chain, waiting);
  if (!branches.some((one) => isFresh(one, known))) return;
  const [settled, merchant_id] = await Promise.all([listSettledTexts(outside, chain), soleMerchantOf(outside, chain)]);
  const { network, momo_number } = chain;
  for (const gap of freshFalls(chain, branches, settled, known)) {
    const before = branches.find(({ to }) => to === gap.from)?.texts ?? [];
    const texts = likeliestLast(waiting, settled, before);
    const payments = await mayBeReversed(outside, { ...chain, merchant_id }, gap, texts);
    if (payments.length === 0) continue;
    const [from = '', to = ''] = [gap.from, gap.to].map(({ at_ms }) => isoOf(at_ms));
    const amount_pesewas = -differenceOf(gap);
    const details = { network, momo_number, merchant_id, amount_pesewas, from, to, received_at: to, payments };
    await outside.table.write([keepOnce(outside, { kind: 'reversal_suspected', ...details })]);
  }
}

/**
 * Returns the texts by id, after the waiting ones that anybody could have written: those that were never part of the
 * chain nor of the branch `before` the fall.
 */
function likeliestLast(
  waiting: readonly Movement[],
  settled: readonly SettledText[],
  before: readonly Movement[],
): (Movement | SettledText)[] {
  const known = [...settled.filter(({ state }) => state === 'contested'), ...before];
  const isKnown = (text: Movement) => known.some((one) => isSame(one, text));
  const likely = [...waiting.filter(isKnown), ...settled].toSorted((one, other) => one.id - other.id);
  return [...waiting.filter((text) => !isKnown(text)), ...likely];
}

interface Known {
  readonly nowMs: number;
  /** A balance that the owner just entered, in pesewas. */
  readonly owned: number | undefined;
}

/**
 * Returns the falls in the balance that a second text or the owner has just confirmed. Each fall is measured from a
 * balance that only the wallet's users know: the end of the chain, or the end of the branch before. That branch must
 * begin at such a balance, or at one less a payment. Otherwise, a forger could write both branches. If the owner entered
 * the balance after the fall, any balance before it counts, also that of a transfer to the bank. A fall to zero never
 * counts: a stranger could have written the text before it.
 */
function freshFalls(
  chain: Chain,
  branches: readonly Branch[],
  settled: readonly SettledText[],
  { nowMs, owned }: Known,
): Gap[] {
  const head = headOf(chain);
  const { pushes = [] } = chain;
  // Anybody can write the texts that follow an empty wallet.
  const wasEmpty = chain.recent.some(({ balance }) => balance === 0);
  const falls: Gap[] = [];
  const before: Position[] = [];
  let known: Position | undefined;
  for (const branch of branches) {
    const isOwned = isOwnedBy(branch, owned);
    // The chain may have gone back before its last text, which is then a branch of its own.
    const continuesHead = branch.from.balance === head.balance;
    if (!continuesHead && !isCounted(branch, owned)) continue;
    const transfers = pushes.filter((push) => isBetween(push, { from: head, to: branch.from }));
    const ends = [head, known, ...(isOwned ? [...before, ...transfers] : [])].filter((end) => end !== undefined);
    const gaps = ends.map((from): Gap => ({ from, to: branch.from })).filter((gap) => differenceOf(gap) < 0);
    if (isFresh(branch, { nowMs, owned }) && (isOwned || !wasEmpty)) falls.push(...gaps);
    const isExplained = gaps.some((gap) => paymentsOf(-differenceOf(gap), gap, settled).length > 0);
    before.push(branch.to);
    if (isOwned || continuesHead || isExplained) known = branch.to;
  }
  const isPush = (gap: Gap) => pushes.some((push) => isBetween(push, gap) && push.balance === gap.to.balance);
  return falls.filter((gap) => gap.to.balance !== 0 && !isPush(gap));
}

function isBetween({ id }: { readonly id: number }, { from, to }: Gap): boolean {
  return id > from.id && id < to.id;
}

/** A single text may be forged, unless its balance is the owner's. */
function isCounted(branch: Branch, owned: number | undefined): boolean {
  return branch.texts.length > 1 || isOwnedBy(branch, owned);
}

function isFresh(branch: Branch, { nowMs, owned }: Known): boolean {
  return isOwnedBy(branch, owned) || (isCounted(branch, owned) && shownMs(branch) > nowMs - FRESH_MS);
}

function isOwnedBy({ texts }: Branch, owned: number | undefined): boolean {
  return texts.some(({ after }) => after === owned);
}

function shownMs({ texts }: Branch): number {
  return texts.map(({ arrived_ms }) => arrived_ms).toSorted((a, b) => a - b)[1] ?? 0;
}

async function mayBeReversed(
  outside: TableOutside,
  { network, momo_number, merchant_id }: Chain & { readonly merchant_id: string | undefined },
  gap: Gap,
  texts: readonly (Movement | SettledText)[],
) {
  const found = await Promise.all(
    paymentsOfAnyState(-differenceOf(gap), gap, texts).map(async (text) => {
      const payment = { network, momo_number, transaction_id: transactionIdOf(text) };
      return { text, receipt: await textOfPayment(outside, payment) };
    }),
  );
  // The chain may have dropped a text whose money a person has found.
  const payments = found.filter(({ text, receipt }) => isLinked(text) || receipt?.state === 'matched');
  const charges = await getCharges(
    outside,
    payments.flatMap(({ receipt }) => receipt?.reference ?? []),
  );
  // A reversal is processed after its text arrived. The fall begins after the reversal at its start.
  const reversedSince = charges.filter(({ reversed_at = '' }) => Date.parse(reversed_at) >= gap.from.at_ms).length;
  if (reversedSince > (gap.from.is_reversal ? 1 : 0)) return [];
  const suspected = payments
    .filter(({ receipt }) => receipt?.reason !== 'reversed')
    .filter(({ receipt }) => !isOfAnother(receipt, merchant_id))
    .map(({ text, receipt }) => ({ transaction_id: transactionIdOf(text), reference: receipt?.reference }));
  // Several texts may have the same id.
  const newestFirst = suspected.toReversed().map((one) => [one.transaction_id, one] as const);
  return [...new Map(newestFirst).values()].slice(0, MAX_EXPLANATIONS);
}

/** True for a payment to the wallet when it belonged to another merchant. */
function isOfAnother(receipt: Pick<Receipt, 'merchant_id'> | undefined, merchantId: string | undefined): boolean {
  const owner = receipt?.merchant_id;
  return owner !== undefined && merchantId !== undefined && owner !== merchantId;
}

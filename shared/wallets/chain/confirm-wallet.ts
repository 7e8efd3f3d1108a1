import { shownMoney } from '../../ghana/money.ts';
import type { RetryOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { type GoneOn, nameBalance, tapBalance } from './bank-push.ts';
import { continuing, differenceOf, type Gap } from './branches.ts';
import {
  addGap,
  addSettled,
  listGaps,
  listSettledTexts,
  listWaiting,
  removeGap,
  removeWaiting,
  replaceChain,
  textsAfter,
  type Wallet,
} from './chain.table.ts';
import { type Chain, headOf, isEstablished, isSame, type Movement } from './chain.ts';
import { changeChain, requireChain } from './change-chain.ts';
import { type Confirmed, confirmBalance, denyBalance, type WalletSnapshot } from './confirm-balance.ts';
import { isGuessed, withFailed, withoutCounts } from './guesses.ts';
import { linkTexts, retryIfChainChanged } from './link-texts.ts';
import { sameMoment } from './network-clock.ts';

export interface ConfirmOutcome {
  readonly linked: number;
  readonly contradicted: number;
}

const NOTHING: ConfirmOutcome = { linked: 0, contradicted: 0 };

const SETTLED_AT_ONCE = 40;
const MINUTES_A_DAY = 24 * 60;

/**
 * Applies the owner's confirmation of a balance. Pass `isNamed` if the owner entered the balance instead of tapping
 * "yes". Idempotent: links a long branch in several transactions, and housekeeping resumes after a crash.
 * @throws PublicError if no waiting text leads to the balance, or if the answer is ambiguous.
 */
export async function confirmWallet(
  outside: RetryOutside,
  wallet: Wallet,
  balancePesewas: number,
  isNamed = true,
): Promise<ConfirmOutcome> {
  let step = await retryIfChainChanged(outside, () => begin(outside, wallet, balancePesewas, isNamed));
  const outcome = { ...step.outcome };
  while (step.rest.length > 0) {
    const { rest, unsure } = step;
    step = await retryIfChainChanged(outside, () =>
      continueSettling(outside, wallet, { texts: rest, unsure, isNamed }),
    );
    outcome.linked += step.outcome.linked;
  }
  if (isNamed) await changeChain(outside, wallet, forgetFailed);
  await linkTexts(outside, wallet, []);
  return outcome;
}

/** Resets the count of failed texts if the chain is not established, because the owner has entered its balance. */
function forgetFailed(chain: Chain): Partial<Chain> | undefined {
  return isEstablished(chain) || chain.failed_ms === undefined ? undefined : { failed_ms: undefined };
}

/**
 * Applies the owner's answer that a wallet never had this balance, and returns the number of forged texts. Idempotent.
 */
export async function denyWallet(outside: RetryOutside, wallet: Wallet, balancePesewas: number): Promise<number> {
  let rest: readonly Movement[] | undefined;
  let forged = await retryIfChainChanged(outside, () => denyPushes(outside, wallet, balancePesewas));
  do {
    const settled: readonly Movement[] = await retryIfChainChanged(outside, async () => {
      const known = await read(outside, wallet);
      rest ??= denyBalance(known.chain, known.waiting, balancePesewas);
      const left = stillWaiting(rest, known);
      return settleForged(outside, wallet, known, left.slice(0, SETTLED_AT_ONCE));
    });
    forged += settled.length;
    rest = settled.length > 0 ? rest?.filter((text) => !settled.some((other) => isSame(text, other))) : [];
  } while (rest?.length);
  return forged;
}

async function denyPushes(outside: RetryOutside, wallet: Wallet, balance: number): Promise<number> {
  const chain = await requireChain(outside, wallet);
  const pushes = chain.pushes ?? [];
  const left = pushes.filter((one) => one.balance !== balance || one.id <= headOf(chain).id);
  const denied = pushes.length - left.length;
  if (denied > 0)
    await outside.table.write([replaceChain(chain, withFailed({ ...chain, pushes: left }, denied, outside.now()))]);
  return denied;
}

interface SettledPiece {
  readonly outcome: ConfirmOutcome;
  readonly rest: readonly Movement[];
  readonly unsure: readonly Movement[];
}

async function read(outside: RetryOutside, wallet: Wallet): Promise<WalletSnapshot> {
  const chain = await requireChain(outside, wallet);
  const [waiting, gaps] = await Promise.all([listWaiting(outside, wallet), listGaps(outside, wallet)]);
  return { chain, waiting, gaps };
}

/**
 * Returns those of the texts that are still waiting, as they are stored. A different version of a text may have arrived
 * in the meantime.
 */
function stillWaiting(texts: readonly Movement[], { waiting }: WalletSnapshot): Movement[] {
  return texts.flatMap((text) => waiting.find((other) => isSame(text, other)) ?? []);
}

async function begin(outside: RetryOutside, wallet: Wallet, balance: number, isNamed: boolean): Promise<SettledPiece> {
  const known = await read(outside, wallet);
  const { chain, waiting } = known;
  const nowMs = outside.now();
  const none: SettledPiece = { outcome: NOTHING, rest: [], unsure: [] };
  if (!isNamed && isEstablished(chain)) {
    const tapped = tapBalance(chain, waiting, balance, nowMs);
    if (tapped) return writePosition(outside, wallet, known, tapped).then(() => none);
  }
  const { linked, unsure = [] } = confirmBalance(known, balance, {
    isGuessed: isGuessed(chain, nowMs),
    isNow: isNamed,
  });
  if (linked.length > 0) return settlePiece(outside, wallet, known, { texts: linked, unsure, isNamed });
  const named = nameBalance(chain, balance);
  if (named) return writePosition(outside, wallet, known, named).then(() => none);
  await refuseUnclear(outside, wallet, known, balance);
  return none;
}

async function writePosition(
  outside: RetryOutside,
  wallet: Wallet,
  { chain, gaps }: WalletSnapshot,
  { after, gap }: GoneOn,
) {
  const changed = gapsAfter(gaps, gap && differenceOf(gap) !== 0 ? [gap] : [], undefined);
  await outside.table.write([
    replaceChain(chain, { ...after, gaps: changed.length }),
    ...gapWrites(wallet, gaps, changed),
  ]);
}

async function continueSettling(
  outside: RetryOutside,
  wallet: Wallet,
  { texts, unsure, isNamed }: ToSettle,
): Promise<SettledPiece> {
  const known = await read(outside, wallet);
  const left = stillWaiting(texts, known);
  const [first] = left;
  const none: SettledPiece = { outcome: NOTHING, rest: [], unsure };
  if (!first) return none;
  const ends = [headOf(known.chain), ...known.gaps.map(({ from }) => from)];
  const continues = ends.some(({ id, balance }) => balance === first.before && id < first.id);
  return continues ? settlePiece(outside, wallet, known, { texts: left, unsure, isNamed }) : none;
}

async function settleForged(
  outside: RetryOutside,
  wallet: Wallet,
  { chain, waiting }: WalletSnapshot,
  piece: readonly Movement[],
): Promise<readonly Movement[]> {
  if (piece.length === 0) return piece;
  await outside.table.write([
    replaceChain(chain, withFailed({ ...chain, waiting: waiting.length - piece.length }, piece.length, outside.now())),
    ...piece.flatMap((text) => [removeWaiting(wallet, text), addSettled(outside, wallet, text, 'false')]),
  ]);
  return piece;
}

interface ToSettle extends Pick<SettledPiece, 'unsure'> {
  readonly texts: readonly Movement[];
  readonly isNamed: boolean;
}

async function settlePiece(
  outside: RetryOutside,
  wallet: Wallet,
  known: WalletSnapshot,
  { texts, unsure, isNamed }: ToSettle,
): Promise<SettledPiece> {
  const head = headOf(known.chain);
  const count = texts.slice(0, SETTLED_AT_ONCE).findLastIndex(({ after }) => after !== head.balance) + 1;
  const piece = texts.slice(0, count);
  const last = piece.at(-1);
  if (!last) throw new Error('No text in this part of the branch changes the balance of the head');
  // Keep only the head, so that no earlier position with the same balance matches.
  const continues = piece[0]?.before === head.balance && piece[0].id > head.id;
  const chain = continues ? { ...known.chain, recent: [head] } : known.chain;
  const confirmation = confirmBalance({ ...known, chain, waiting: piece }, last.after, { isNow: isNamed });
  const confirmed = confirmation.chain === chain ? { ...confirmation, chain: known.chain } : confirmation;
  const { contradicted: fork } = confirmed;
  const contradicted = fork ? await textsAfter(outside, wallet, known.chain, fork) : [];
  const passedBy = isNamed ? otherWays(known, texts, last) : [];
  await write(outside, wallet, known, { confirmed: { ...confirmed, unsure }, contradicted, passedBy, isNamed });
  const outcome = { linked: piece.length, contradicted: contradicted.length };
  return { outcome, rest: texts.slice(count), unsure };
}

const PASSED_BY_AT_ONCE = 5;

/** Returns waiting texts that branch off a confirmed path. They are forged, or their payments were reversed. */
function otherWays({ chain, waiting }: WalletSnapshot, path: readonly Movement[], last: Movement): Movement[] {
  const { id } = headOf(chain);
  if (!isEstablished(chain) || last.id <= id) return [];
  const others = waiting.filter((one) => one.id < last.id && !path.some((text) => isSame(text, one)));
  const positions = path.map(({ before }) => ({ id, balance: before }));
  return [...continuing(chain, others, positions)].slice(0, PASSED_BY_AT_ONCE);
}

interface Settled {
  readonly confirmed: Confirmed;
  readonly contradicted: readonly Movement[];
  readonly passedBy: readonly Movement[];
  /** True if the owner entered the balance. Contradicted texts then do not count as guesses. */
  readonly isNamed: boolean;
}

async function write(
  outside: RetryOutside,
  wallet: Wallet,
  { chain, waiting, gaps }: WalletSnapshot,
  { confirmed, contradicted, passedBy, isNamed }: Settled,
): Promise<void> {
  const found = confirmed.gaps.filter((gap) => differenceOf(gap) !== 0);
  const isBroken = found.length > 0 || confirmed.contradicted !== undefined;
  // The first payer to an empty wallet knows the new balance, so a later text must confirm that balance.
  const isKnown = isEstablished(chain) && headOf(chain).balance === 0 && headOf(confirmed.chain).id > headOf(chain).id;
  // Genuine texts that are not part of a new chain contradict it. The chain must then be established again.
  const isBeside = !isEstablished(chain) && confirmed.chain === chain;
  const after: Chain = {
    ...confirmed.chain,
    ...(isBeside && { links: 0, outgoing_links: 0, begun_ms: outside.now() }),
    tapped_ms: isKnown ? headOf(confirmed.chain).at_ms : undefined,
    unbroken_since_ms: isBroken ? confirmed.chain.unbroken_since_ms : chain.unbroken_since_ms,
    waiting: waiting.length - confirmed.linked.length - passedBy.length,
  };
  const changed = gapsAfter(gaps, found, confirmed.filled);
  const failed = isNamed ? 0 : contradicted.length;
  // Excuse one failed text per gap: it may have failed because a text was lost, not because somebody guessed.
  const lost = isNamed ? found.flatMap(({ from }) => chain.tries?.find(({ head }) => head === from.balance) ?? []) : [];
  const counted = withFailed(withoutCounts(after, lost), failed, outside.now());
  await outside.table.write([
    replaceChain(chain, { ...counted, gaps: changed.length }),
    ...confirmed.linked.flatMap((text) => {
      const isUnsure = confirmed.unsure?.some((one) => isSame(one, text));
      return [removeWaiting(wallet, text), addSettled(outside, wallet, text, isUnsure ? 'unsure' : 'linked')];
    }),
    ...[...contradicted, ...passedBy].map((text) => addSettled(outside, wallet, text, 'false')),
    ...passedBy.map((text) => removeWaiting(wallet, text)),
    ...gapWrites(wallet, gaps, changed),
  ]);
}

function gapsAfter(before: readonly Gap[], found: readonly Gap[], filled: Gap | undefined): Gap[] {
  const kept = before.filter((gap) => gap.from.id !== filled?.from.id);
  const longer = kept.map((gap) => {
    const next = found.find(({ from }) => from.id === gap.from.id);
    return next ? { ...gap, to: next.to, reversal_of: undefined } : gap;
  });
  return [...longer, ...found.filter(({ from }) => !kept.some((gap) => gap.from.id === from.id))].filter(
    (gap) => differenceOf(gap) !== 0,
  );
}

function gapWrites(wallet: Wallet, before: readonly Gap[], after: readonly Gap[]): TableWrite[] {
  const gone = before.filter((gap) => !after.some(({ from }) => from.id === gap.from.id));
  const fresh = after.filter((gap) => !before.includes(gap));
  return [...gone.map((gap) => removeGap(wallet, gap)), ...fresh.map((gap) => addGap(wallet, gap))];
}

async function refuseUnclear(
  outside: RetryOutside,
  wallet: Wallet,
  { chain, waiting }: WalletSnapshot,
  balance: number,
) {
  const { clock, network } = chain;
  const head = headOf(chain);
  const amount = shownMoney(balance);
  const then = 'Nothing was changed. Enter the balance again after the next payment or withdrawal.';
  if (balance === head.balance) {
    if (denyBalance(chain, waiting, balance).length === 0) return;
    throw new PublicError(
      'invalid_request',
      `The verified texts and the waiting texts both lead to a balance of ${amount}. ${then}`,
    );
  }
  const dayAgo = Math.max(0, Math.floor(head.id - sameMoment(clock, network) * MINUTES_A_DAY));
  const passed = await listSettledTexts(outside, wallet, [dayAgo, head.id]);
  const isPassed = passed.some(({ after, state }) => state === 'linked' && after === balance);
  throw new PublicError(
    'invalid_request',
    isPassed
      ? `Verified texts reached ${amount}, but the balance has changed since. ${then}`
      : `No waiting text ends at ${amount}. ${then}`,
  );
}

import { DAY_MS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { branchesOf, type Gap } from './branches.ts';
import { expectedTexts } from './busy-hours.ts';
import { type Chain, headOf, isEstablished, type Movement, type Place, withPlaces } from './chain.ts';
import { isUnsure } from './guesses.ts';
import { isAhead, isOld, sameMoment } from './network-clock.ts';
import { isOneOfSeveral, type Push } from './push.ts';

/** What the owner of a wallet is asked about money that was sent to the bank. */
export interface PushQuestion {
  readonly push: Push;
  /** What was sent, going by the balance before it; undefined where that is not certain, and the balance has to be named. */
  readonly amountPesewas: number | undefined;
}

/**
 * The push that the owner of a wallet is to be asked about: the newest that the chain has not gone past. Where a yes would say too little,
 * because two texts tell of one, its id is odd or what came before it waits, the amount is left out.
 */
export function pushInQuestion(chain: Chain, waiting: readonly Movement[], nowMs: number): PushQuestion | undefined {
  const head = headOf(chain);
  const slack = sameMoment(chain.clock, chain.network);
  const push = chain.pushes?.findLast(({ id }) => id > head.id);
  if (!push) return undefined;
  const { clock, network, recent, pushes } = chain;
  const isOdd = isAhead(clock, network, recent, push) || isOld(clock, network, recent, push);
  const comesBetween = waiting.some(({ id }) => id > head.id - slack && id < push.id);
  const isUnclear = isOdd || comesBetween || isOneOfSeveral(pushes, push) || mustBeNamed(chain, nowMs);
  const amountPesewas = head.balance - push.balance;
  return { push, amountPesewas: isUnclear || amountPesewas <= 0 ? undefined : amountPesewas };
}

/** Whether a yes would prove nothing for long: balances are guessed, or it is not known yet when texts would have borne it out. */
function mustBeNamed(chain: Chain, nowMs: number): boolean {
  const isQuiet = expectedTexts(chain.busy, nowMs - DAY_MS, nowMs) < EXPECTED;
  return isUnsure(chain, nowMs) || (isEstablished(chain) && isQuiet);
}

/** A chain that goes on from a place to which no text of its leads. */
export interface GoneOn {
  readonly after: Chain;
  /** The break before that place. */
  readonly gap: Gap | undefined;
}

/** What follows where the owner names the balance of the head, to which they only said yes before, or the one after a push. */
export function nameBalance(chain: Chain, balance: number): GoneOn | undefined {
  const head = headOf(chain);
  if (chain.tapped_ms !== undefined && head.balance === balance)
    return { after: { ...chain, tapped_ms: undefined }, gap: undefined };
  const push = chain.pushes?.findLast((one) => one.balance === balance && one.id > head.id);
  return push && goOnFrom(chain, push, undefined, true);
}

/**
 * What follows where the owner only says yes to a balance, to that after a push or to that on a branch which does not begin at the head:
 * the chain goes on from where it begins, and what goes on from there has to bear it out. Undefined where a yes is as good as the balance.
 * @throws PublicError where the balance has to be named.
 */
export function tapBalance(
  chain: Chain,
  waiting: readonly Movement[],
  balance: number,
  nowMs: number,
): GoneOn | undefined {
  const question = pushInQuestion(chain, waiting, nowMs);
  if (question?.push.balance === balance) {
    if (question.amountPesewas === undefined) throw new PublicError('invalid_request', NAME_IT);
    return goOnFrom(chain, question.push, question.push.at_ms, true);
  }
  const head = headOf(chain);
  const branches = branchesOf(chain, waiting);
  const branch = branches.findLast(({ texts }) => texts.some(({ after }) => after === balance));
  const isTwofold = branches.filter(({ from }) => from.balance === head.balance).length > 1;
  if (
    !branch ||
    (!isTwofold && branch.from.balance === head.balance && chain.tapped_ms === undefined && !isUnsure(chain, nowMs))
  )
    return undefined;
  if (branch.from.balance === head.balance || branch.from.id <= head.id || mustBeNamed(chain, nowMs))
    throw new PublicError('invalid_request', NAME_IT);
  return goOnFrom(chain, branch.from, branch.from.at_ms);
}

const NAME_IT = 'A yes is not enough here: look into the wallet, and type the balance that it shows.';

function goOnFrom(
  chain: Chain,
  { id, balance, at_ms }: Place,
  tapped_ms: number | undefined,
  is_push?: boolean,
): GoneOn {
  const place: Place = { id, balance, at_ms };
  const gap: Gap = { from: headOf(chain), to: place, ...(is_push && { is_push }) };
  return { after: { ...withPlaces(chain, [place]), tapped_ms, unbroken_since_ms: at_ms }, gap };
}

/**
 * So many texts are usual in the time that has passed: that none of them was genuine happens once in a hundred and fifty times. Kinds of text say
 * less: who can forge a payment can forge a withdrawal.
 */
const EXPECTED = 5;
const LINKED = 4;

/**
 * Whether texts that go on from a balance bear it out that its owner only said yes to: as many as are expected in a time in which genuine
 * ones would have contradicted it, and none did.
 */
export function isBorneOut(chain: Chain, linked: readonly Movement[], left: readonly Movement[], nowMs: number) {
  const { tapped_ms, busy } = chain;
  if (tapped_ms === undefined) return true;
  const head = headOf(chain);
  const isAlone = left.every(({ id, at_ms }) => id <= head.id && at_ms <= tapped_ms);
  return isAlone && linked.length >= LINKED && expectedTexts(busy, tapped_ms, nowMs) >= EXPECTED;
}

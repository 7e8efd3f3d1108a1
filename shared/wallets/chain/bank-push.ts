import { DAY_MS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { branchesOf, type Gap } from './branches.ts';
import { expectedTexts } from './busy-hours.ts';
import { type Chain, headOf, isEstablished, type Movement, type Position, withPositions } from './chain.ts';
import { isUnsure } from './guesses.ts';
import { isAhead, isOld, sameMoment } from './network-clock.ts';
import { isOneOfSeveral, type Push } from './push.ts';

export interface PushQuestion {
  readonly push: Push;
  readonly amountPesewas: number | undefined;
}

/**
 * Returns the latest bank transfer that the chain does not include yet. Omits the amount if the owner must enter the
 * balance.
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

/** True if the owner must enter the balance. A "yes" is not enough if later texts may not support it soon. */
function mustBeNamed(chain: Chain, nowMs: number): boolean {
  const isQuiet = expectedTexts(chain.busy, nowMs - DAY_MS, nowMs) < EXPECTED;
  return isUnsure(chain, nowMs) || (isEstablished(chain) && isQuiet);
}

export interface GoneOn {
  readonly after: Chain;
  readonly gap: Gap | undefined;
}

/**
 * Continues the balance chain from a balance that the owner entered. The balance must be the one after a transfer to
 * the bank. The head's balance is also accepted if the owner had only confirmed it with "yes". Returns undefined for
 * any other balance.
 */
export function nameBalance(chain: Chain, balance: number): GoneOn | undefined {
  const head = headOf(chain);
  if (chain.tapped_ms !== undefined && head.balance === balance)
    return { after: { ...chain, tapped_ms: undefined }, gap: undefined };
  const push = chain.pushes?.findLast((one) => one.balance === balance && one.id > head.id);
  return push && goOnFrom(chain, push, undefined, true);
}

/**
 * Continues the balance chain from a balance that the owner confirmed with "yes". Returns undefined if the answer needs
 * no support from later texts.
 * @throws PublicError if the owner must enter the balance.
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

const NAME_IT = 'A yes is not enough here. Check the wallet, then enter the balance that it shows.';

function goOnFrom(
  chain: Chain,
  { id, balance, at_ms }: Position,
  tapped_ms: number | undefined,
  is_push?: boolean,
): GoneOn {
  const position: Position = { id, balance, at_ms };
  const gap: Gap = { from: headOf(chain), to: position, ...(is_push && { is_push }) };
  return { after: { ...withPositions(chain, [position]), tapped_ms, unbroken_since_ms: at_ms }, gap };
}

/**
 * A period is long enough to judge an answer if the wallet usually gets this many texts in the period. The chance of
 * getting none is then 1 in 150.
 */
const EXPECTED = 5;
const LINKED = 4;

/** False while the owner's last "yes" still needs support from later texts. True in all other cases. */
export function isSupportedByLaterTexts(
  chain: Chain,
  linked: readonly Movement[],
  left: readonly Movement[],
  nowMs: number,
) {
  const { tapped_ms, busy } = chain;
  if (tapped_ms === undefined) return true;
  const head = headOf(chain);
  const isAlone = left.every(({ id, at_ms }) => id <= head.id && at_ms <= tapped_ms);
  return isAlone && linked.length >= LINKED && expectedTexts(busy, tapped_ms, nowMs) >= EXPECTED;
}

import type { Sender } from '../../phones/sender/sender.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { type Chain, headOf, type Movement, OVERTAKEN_MS } from '../chain/chain.ts';
import { changeChain } from '../chain/change-chain.ts';
import { beganMs, newerBranches } from '../chain/unproven-branches.ts';
import { type AskedPhone, askPhoneAgain } from './ask-again.ts';
import { hearingOf } from './hearing.table.ts';

/** How far back a phone goes through its inbox, at the most. */
const ASKED_BACK_MS = 48 * 60 * 60 * 1000;

/**
 * Asks the phones of a wallet for the texts that are missing before its branches, once for each branch: a payment that nobody told of,
 * or a withdrawal. What they post then links like any other text.
 */
export async function askForMissing(
  outside: Outside,
  chain: Chain,
  waiting: readonly Movement[],
  senders: readonly Sender[],
): Promise<void> {
  const nowMs = outside.now();
  const isDue = (sinceMs: number) => sinceMs > (chain.inbox_asked_ms ?? 0) && nowMs - sinceMs >= OVERTAKEN_MS;
  if (!newerBranches(chain, waiting).some((branch) => isDue(beganMs(branch)))) return;
  const since = new Date(Math.max(headOf(chain).at_ms, nowMs - ASKED_BACK_MS)).toISOString();
  const until = new Date(nowMs).toISOString();
  let isAsked = false;
  for (const phone of await phonesOf(outside, chain, senders)) {
    isAsked = (await askPhoneAgain(outside, phone, since, until)) || isAsked;
  }
  if (isAsked) await changeChain(outside, chain, () => ({ inbox_asked_ms: nowMs }));
}

/** The phones that have heard the wallet, and the one that its number is in. */
async function phonesOf(
  outside: Outside,
  { momo_number }: Chain,
  senders: readonly Sender[],
): Promise<readonly AskedPhone[]> {
  const hearings = await hearingOf(outside, [momo_number]);
  const heardBy = hearings.flatMap(({ phones }) => phones);
  const ownPhones = senders.filter(({ number }) => number === momo_number);
  const phones: AskedPhone[] = [...heardBy, ...ownPhones].map(({ gateway, device_id }) => ({ gateway, device_id }));
  const isFirst = (phone: AskedPhone, n: number) =>
    phones.findIndex((one) => one.gateway === phone.gateway && one.device_id === phone.device_id) === n;
  return phones.filter(isFirst);
}

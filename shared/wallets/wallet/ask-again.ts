import { gatewayAccount } from '../../phones/gateway/accounts.ts';
import { FORWARDER } from '../../phones/gateway/forwarder.ts';
import { noteNoInbox, reserveInboxRequest } from '../../phones/gateway/phone.table.ts';
import { askForInbox } from '../../phones/gateway/smsgate.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { beganMs, newerBranches } from '../chain/branches.ts';
import { type Chain, headOf, type Movement, OVERTAKEN_MS } from '../chain/chain.ts';
import { changeChain } from '../chain/change-chain.ts';
import { hearingOf } from './hearing.table.ts';

interface AskedPhone {
  readonly gateway: string;
  readonly device_id: string;
}

/**
 * Margin at both ends of the requested period. SMSGate 1.65.2 and later skips texts that it has already posted; 1.59.0 to
 * 1.65.1 posts them again, with other ids and times.
 */
const MARGIN_MS = 5 * MINUTE_MS;

/**
 * Asks a phone to resend the texts from a period. Returns false if the phone was asked in the last ten minutes or
 * cannot resend texts. Never throws.
 */
export async function askPhoneAgain(
  outside: Outside,
  { gateway, device_id }: AskedPhone,
  since: string,
  until: string,
): Promise<boolean> {
  if (gateway === FORWARDER) return false;
  const ids = { gateway, device: device_id };
  try {
    const delayMs = await reserveInboxRequest(outside, gateway, device_id);
    if (delayMs === undefined) return false;
    const account = await gatewayAccount(outside, gateway);
    // The phone searches by time stamps, which may be behind.
    const period = { sinceMs: Date.parse(since) - MARGIN_MS - delayMs, untilMs: Date.parse(until) + MARGIN_MS };
    const isAsked = await askForInbox(outside, account, { deviceId: device_id, ...period });
    if (!isAsked) await noteNoInbox(outside, gateway, device_id);
    outside.log.info(isAsked ? 'phone_asked_again' : 'phone_cannot_be_asked', ids);
    return isAsked;
  } catch (error) {
    outside.log.warn('phone_not_asked', { ...ids, error });
    return false;
  }
}

/** Maximum age of texts that a phone is asked to resend. */
const ASKED_BACK_MS = 48 * HOUR_MS;

/** Asks a wallet's phones to resend the texts that are missing before a branch. Asks once per branch. */
export async function askForMissing(
  outside: Outside,
  chain: Chain,
  waiting: readonly Movement[],
  senders: readonly Sender[],
): Promise<void> {
  const nowMs = outside.now();
  const isDue = (sinceMs: number) => sinceMs > (chain.inbox_asked_ms ?? 0) && nowMs - sinceMs >= OVERTAKEN_MS;
  if (!newerBranches(chain, waiting).some((branch) => isDue(beganMs(branch)))) return;
  const since = isoOf(Math.max(headOf(chain).at_ms, nowMs - ASKED_BACK_MS));
  const until = isoOf(nowMs);
  let isAsked = false;
  for (const phone of await phonesOf(outside, chain, senders)) {
    isAsked = (await askPhoneAgain(outside, phone, since, until)) || isAsked;
  }
  if (isAsked) await changeChain(outside, chain, () => ({ inbox_asked_ms: nowMs }));
}

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

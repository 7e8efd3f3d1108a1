import { isDeepStrictEqual } from 'node:util';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { ACCOUNTS_CACHE_SECONDS, findGatewayAccount } from '../gateway/accounts.ts';
import { FORWARDER } from '../gateway/forwarder.ts';
import { askPhones, GatewayRejects, GatewaySilent, type ListedPhone } from '../gateway/smsgate.ts';
import { laneEndsMs } from './pace.table.ts';
import { NOT_SEEN_MS } from './phone-silence.ts';
import { listSenders, setHeldBack } from './sender.table.ts';
import { type FaultReason, isAvailable, type Sender } from './sender.ts';

/**
 * Maximum time that a merchant's texts may wait for one sender. If they would wait longer, the sender accepts no more
 * texts from the merchant.
 */
export const FULL_MS = DAY_MS;

/** Age of a fault at which the sender stops accepting texts. Texts accepted earlier are retried for two hours. */
const HELD_BACK_AFTER_MS: Readonly<Record<FaultReason, number>> = {
  not_listed: MINUTE_MS / 2,
  no_account: ACCOUNTS_CACHE_SECONDS * 1000 + MINUTE_MS,
  gateway_rejects: ACCOUNTS_CACHE_SECONDS * 1000 + MINUTE_MS,
  gateway_silent: ACCOUNTS_CACHE_SECONDS * 1000 + MINUTE_MS,
};

/** A gateway's phones, or its fault. Undefined if the response is inconclusive or the gateway is `FORWARDER`. */
type Answer = ReadonlyMap<string, ListedPhone> | Exclude<FaultReason, 'not_listed'> | undefined;

/**
 * Updates the faults and full queues of all senders. Adds gateways that accept no texts to `silent`.
 * @returns the current senders.
 */
export async function watchSenders(outside: WorkerOutside, silent: Set<string>): Promise<Sender[]> {
  const senders = await listSenders(outside);
  const gateways = [...new Set(senders.map(({ gateway }) => gateway))];
  const answers = new Map(
    await Promise.all(gateways.map(async (gateway) => [gateway, await phonesOf(outside, gateway)] as const)),
  );
  for (const [gateway, answer] of answers) if (typeof answer === 'string') silent.add(gateway);
  const watched: Sender[] = [];
  for (const sender of senders) watched.push(await watchSender(outside, sender, answers.get(sender.gateway)));
  return watched;
}

async function watchSender(outside: WorkerOutside, sender: Sender, answer: Answer): Promise<Sender> {
  const health = { ...healthOf(outside, sender, answer), full_until_ms: await fullQueues(outside, sender) };
  const watched = { ...sender, ...health };
  const { held_back, fault, full_until_ms = {} } = sender;
  if (isDeepStrictEqual(health, { held_back, fault, full_until_ms })) return watched;
  await setHeldBack(outside, sender.number, health);
  const { gateway, device_id: device, sim_number: sim } = sender;
  if (isAvailable(watched) && !isAvailable(sender)) outside.log.warn('sender_back', { gateway, device, sim });
  return watched;
}

/**
 * Returns the merchants with more than a day's texts waiting, and the time when each of their queues will be short
 * enough again.
 */
async function fullQueues(outside: Outside, sender: Sender): Promise<Record<string, number>> {
  const ends = await laneEndsMs(outside, sender);
  const full = [...ends].filter(([, endMs]) => endMs - outside.now() > FULL_MS);
  return Object.fromEntries(full.map(([merchant, endMs]) => [merchant, Math.ceil(endMs - FULL_MS)]));
}

async function phonesOf(outside: Outside, gateway: string): Promise<Answer> {
  if (gateway === FORWARDER) return undefined;
  try {
    const account = await findGatewayAccount(outside, gateway);
    return account ? await askPhones(outside, account) : 'no_account';
  } catch (error) {
    outside.log.warn('gateway_silent', { gateway, error });
    if (error instanceof GatewayRejects) return 'gateway_rejects';
    return error instanceof GatewaySilent ? 'gateway_silent' : undefined;
  }
}

/** Updates a sender's faults from its gateway's response. An inconclusive response changes nothing. */
function healthOf(outside: Outside, sender: Sender, answer: Answer): Pick<Sender, 'held_back' | 'fault'> {
  // A forwarding phone has no gateway to check, so clear any fault that another release recorded.
  if (sender.gateway === FORWARDER) return { held_back: undefined, fault: undefined };
  const { held_back } = sender;
  if (answer === undefined) return { held_back, fault: sender.fault };
  if (typeof answer === 'string') return { held_back, fault: faultOf(outside, sender, answer) };
  const phone = answer.get(sender.device_id);
  if (!phone || !mayHaveSim(phone, sender)) return { held_back, fault: faultOf(outside, sender, 'not_listed') };
  const isUnknown = Number.isNaN(phone.lastSeenMs);
  const isOff = isUnknown ? held_back === 'phone_not_seen' : outside.now() - phone.lastSeenMs > NOT_SEEN_MS;
  return { held_back: isOff ? 'phone_not_seen' : undefined, fault: undefined };
}

function faultOf(outside: Outside, { fault }: Sender, reason: FaultReason): NonNullable<Sender['fault']> {
  const since_ms = fault?.since_ms ?? outside.now();
  // A fault keeps its start time when its reason changes.
  const is_lasting = fault?.is_lasting || outside.now() - since_ms >= HELD_BACK_AFTER_MS[reason];
  return { reason, since_ms, is_lasting };
}

/** Returns true if the phone may have the sender's SIM. A phone that does not report its SIMs could have any SIM. */
function mayHaveSim({ sims }: ListedPhone, { sim_number }: Sender): boolean {
  return sims.length === 0 || sims.includes(sim_number);
}

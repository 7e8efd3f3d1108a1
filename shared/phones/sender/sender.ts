import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import type { Clock } from '../../runtime/outside/outside.ts';

export const unavailableReasons = ['disabled', 'phone_off', 'out_of_reach', 'queue_full'] as const;
type UnavailableReason = (typeof unavailableReasons)[number];

export const unavailableMessages: Readonly<Record<UnavailableReason, string>> = {
  disabled: 'The operator has disabled this number.',
  phone_off: 'The phone with this number is off or offline.',
  out_of_reach: 'This number cannot be reached at present. The operator has been alerted.',
  queue_full: 'More of your texts are queued on this number than it can send in a day.',
};

/** Default rate limit of a SIM. Carriers allow 30 to 200 texts an hour. */
export const DEFAULT_MESSAGES_PER_HOUR = 100;

/** Reasons why a sender cannot send, other than an offline phone. `no_account`: the gateway account does not exist. */
const faultReasons = ['not_listed', 'no_account', 'gateway_rejects', 'gateway_silent'] as const;
export type FaultReason = (typeof faultReasons)[number];

export const Sender = z.object({
  number: z.string(),
  network: Network,
  gateway: z.string(),
  device_id: z.string(),
  sim_number: z.number(),
  messages_per_hour: z._default(z.number(), DEFAULT_MESSAGES_PER_HOUR),
  enabled: z.boolean(),
  /** True for a number that receives payments but does not send texts. Never `enabled`. */
  receives_only: z.optional(z.boolean()),
  /**
   * The merchant that owns the number, and the time when it became the owner. Only the owner sends from the number and
   * receives replies to it. Replies to a shared number are not stored.
   */
  owner: z.optional(z.string()),
  owned_since: z.optional(z.string()),
  /** Set by housekeeping while the phone is offline. The sender then accepts no texts. */
  held_back: z.optional(z.literal('phone_not_seen')),
  /** Another fault found by housekeeping. The sender stops accepting texts once it `is_lasting`. */
  fault: z.optional(
    z.object({
      reason: z.enum(faultReasons),
      since_ms: z.number(),
      is_lasting: z.boolean(),
    }),
  ),
  /**
   * Merchants with more than a day's texts waiting, and the time (ms since 1970) when the sender accepts more texts
   * from each of them.
   */
  full_until_ms: z.optional(z.record(z.string(), z.number())),
  created_at: z.string(),
  in_use_since: z.string(),
});
export type Sender = z.infer<typeof Sender>;

/** Returns why the sender cannot send for any merchant at the moment, or undefined if it can. */
export function unavailableReason({ enabled, held_back, fault }: Sender): UnavailableReason | undefined {
  if (!enabled) return 'disabled';
  if (fault?.is_lasting) return 'out_of_reach';
  return held_back && 'phone_off';
}

/** Returns true if the number sends texts or receives payments. */
export function isInUse({ enabled, receives_only = false }: Sender): boolean {
  return enabled || receives_only;
}

export function sendingOf(senders: readonly Sender[]): Sender[] {
  return senders.filter(({ receives_only = false }) => !receives_only);
}

/** Returns a number's owner at a given time, or undefined if the number was shared. */
export function ownerAt(senders: readonly Sender[], number: string, atMs: number): string | undefined {
  const { owner, owned_since = '' } = senders.find((one) => one.number === number) ?? {};
  return atMs < Date.parse(owned_since) ? undefined : owner;
}

export function isAvailable(sender: Sender): boolean {
  return unavailableReason(sender) === undefined;
}

export function sendsFor({ owner }: Pick<Sender, 'owner'>, merchantId: string): boolean {
  return owner === undefined || owner === merchantId;
}

/**
 * Returns the time in milliseconds until the sender accepts more texts from the merchant. The result is zero or
 * negative if the sender accepts them now.
 */
export function fullForMs(outside: Clock, { full_until_ms }: Sender, merchantId: string): number {
  return (full_until_ms?.[merchantId] ?? 0) - outside.now();
}

type Sim = Pick<Sender, 'gateway' | 'device_id' | 'sim_number'>;

export function sameSim(one: Sim, other: Sim): boolean {
  return one.gateway === other.gateway && one.device_id === other.device_id && one.sim_number === other.sim_number;
}

export function outcomesOf({ gateway, device_id, sim_number }: Sim): string {
  return `SIM#${gateway}#${device_id}#${sim_number}`;
}

export function presentSender(outside: Clock, sender: Sender, merchantId: string) {
  const isFull = fullForMs(outside, sender, merchantId) > 0;
  const reason = unavailableReason(sender) ?? (isFull ? 'queue_full' : null);
  const { number, network, owner } = sender;
  return {
    number,
    network,
    own: owner === merchantId,
    available: reason === null,
    reason,
    message: reason && unavailableMessages[reason],
  };
}

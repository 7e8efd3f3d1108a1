import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import type { Clock } from '../../runtime/outside/outside.ts';

/** Why a merchant cannot send from a number at present. */
export const unavailableReasons = ['disabled', 'phone_off', 'out_of_reach', 'queue_full'] as const;
type UnavailableReason = (typeof unavailableReasons)[number];

/** The same in a sentence for the merchant. */
export const unavailableMessages: Readonly<Record<UnavailableReason, string>> = {
  disabled: 'The operator has disabled this number.',
  phone_off: 'The phone with this number is off or has no internet connection.',
  out_of_reach: 'This number cannot be reached at present. The operator has been alerted.',
  queue_full: 'More of your texts are waiting on this number than it sends in a day.',
};

/** Within what carriers allow, 30 to 200 an hour. */
export const DEFAULT_MESSAGES_PER_HOUR = 100;

/** Why a sender cannot send, besides a phone that is off; `no_account`: its gateway has none here. */
const faultReasons = ['not_listed', 'no_account', 'gateway_rejects', 'gateway_silent'] as const;
export type FaultReason = (typeof faultReasons)[number];

/** A number that texts leave from: a SIM in a phone that a gateway reaches. */
export const Sender = z.object({
  /** `+233…` */
  number: z.string(),
  network: Network,
  /** The name of the gateway account that reaches the phone. */
  gateway: z.string(),
  device_id: z.string(),
  /** The SIM slot, from 1. */
  sim_number: z.number(),
  /** How fast texts leave. */
  messages_per_hour: z._default(z.number(), DEFAULT_MESSAGES_PER_HOUR),
  enabled: z.boolean(),
  /** It is in this SIM to be paid on, and sends no texts. Then it is not `enabled`. */
  receives_only: z.optional(z.boolean()),
  /**
   * The merchant whose number it is, and since when: nobody else sends from it, and what people answer to it is this merchant's. A number
   * without one is shared by all, and what comes to it is nobody's.
   */
  owner: z.optional(z.string()),
  owned_since: z.optional(z.string()),
  /** Why it accepts no texts at present, as found by housekeeping. */
  held_back: z.optional(z.literal('phone_not_seen')),
  /** Another reason why its texts would fail, as found by housekeeping. It accepts none once that `is_lasting`. */
  fault: z.optional(
    z.object({
      reason: z.enum(faultReasons),
      /** In milliseconds since 1970. */
      since_ms: z.number(),
      is_lasting: z.boolean(),
    }),
  ),
  /**
   * The merchants from whom it accepts no texts at present, as found by housekeeping, because more of theirs wait than leave in
   * a day: up to when, in milliseconds since 1970.
   */
  full_until_ms: z.optional(z.record(z.string(), z.number())),
  created_at: z.string(),
  /** When it was set to this phone and SIM, or enabled. */
  in_use_since: z.string(),
});
export type Sender = z.infer<typeof Sender>;

/** Why it cannot send now, for any merchant; undefined if it can. */
export function whyUnavailable({ enabled, held_back, fault }: Sender): UnavailableReason | undefined {
  if (!enabled) return 'disabled';
  // Which of its parts it is, is the operator's business.
  if (fault?.is_lasting) return 'out_of_reach';
  return held_back && 'phone_off';
}

/** Whether a number's phone must be on and heard: it sends, or was placed to be paid on. */
export function isInUse({ enabled, receives_only = false }: Sender): boolean {
  return enabled || receives_only;
}

/** The numbers that texts may leave from, now or when they can again. */
export function sendingOf(senders: readonly Sender[]): Sender[] {
  return senders.filter(({ receives_only = false }) => !receives_only);
}

/** Whose number it was at a time, if it is one merchant's alone. */
export function ownerAt(senders: readonly Sender[], number: string, atMs: number): string | undefined {
  const { owner, owned_since = '' } = senders.find((one) => one.number === number) ?? {};
  return atMs < Date.parse(owned_since) ? undefined : owner;
}

/** Whether it can send now, for any merchant. */
export function isAvailable(sender: Sender): boolean {
  return whyUnavailable(sender) === undefined;
}

/** Whether a merchant's texts may leave from it: a number that is another merchant's own sends for nobody else. */
export function sendsFor({ owner }: Pick<Sender, 'owner'>, merchantId: string): boolean {
  return owner === undefined || owner === merchantId;
}

/** For how long the merchant's own queue on the sender is too long for more texts, in milliseconds; 0 or less if it is not. */
export function fullForMs(outside: Clock, { full_until_ms }: Sender, merchantId: string): number {
  return (full_until_ms?.[merchantId] ?? 0) - outside.now();
}

type Sim = Pick<Sender, 'gateway' | 'device_id' | 'sim_number'>;

export function sameSim(one: Sim, other: Sim): boolean {
  return one.gateway === other.gateway && one.device_id === other.device_id && one.sim_number === other.sim_number;
}

/** What the outcomes of a SIM's texts are kept under. */
export function outcomesOf({ gateway, device_id, sim_number }: Sim): string {
  return `SIM#${gateway}#${device_id}#${sim_number}`;
}

/** A sender as a merchant sees it, without the phone it is in. */
export function presentSender(outside: Clock, sender: Sender, merchantId: string) {
  const isFull = fullForMs(outside, sender, merchantId) > 0;
  const reason = whyUnavailable(sender) ?? (isFull ? 'queue_full' : null);
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

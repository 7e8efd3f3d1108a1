import * as z from 'zod/mini';
import { Network } from '../ghana/network.ts';
import type { SenderResponse } from './responses.ts';

/** Within what carriers allow, 30 to 200 an hour. */
export const DEFAULT_MESSAGES_PER_HOUR = 100;

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
  /**
   * Why it accepts no texts at present, as found by housekeeping: its phone was not seen, or a day's worth of texts is queued.
   */
  held_back: z.optional(z.enum(['phone_not_seen', 'queue_full'])),
  created_at: z.string(),
});
export type Sender = z.infer<typeof Sender>;

export function isAvailable(sender: Sender): boolean {
  return sender.enabled && !sender.held_back;
}

type Sim = Pick<Sender, 'gateway' | 'device_id' | 'sim_number'>;

export function sameSim(one: Sim, other: Sim): boolean {
  return one.gateway === other.gateway && one.device_id === other.device_id && one.sim_number === other.sim_number;
}

/** A sender as merchants see it, without the phone it is in. */
export function presentSender(sender: Sender): SenderResponse {
  return { number: sender.number, network: sender.network, available: isAvailable(sender) };
}

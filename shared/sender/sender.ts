import * as z from 'zod/mini';
import { Network } from '../merchant/momo-account.ts';

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
  enabled: z.boolean(),
  created_at: z.string(),
});
export type Sender = z.infer<typeof Sender>;

export function isAvailable(sender: Sender): boolean {
  return sender.enabled;
}

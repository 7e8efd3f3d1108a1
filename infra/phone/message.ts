import { createHash } from 'node:crypto';
import * as z from 'zod';

const State = z.enum(['Pending', 'Processed', 'Sent', 'Delivered', 'Failed', 'Cancelling', 'Cancelled']);
export type State = z.infer<typeof State>;

/** A message as the gateway keeps it. Its recipients share its state: this phone never fails for one of several. */
export const Message = z.object({
  id: z.string(),
  deviceId: z.string(),
  simNumber: z.int(),
  /** The number in that SIM; empty if the phone has no such SIM. */
  from: z.string(),
  /** When the server took it. */
  createdAtEpochMs: z.number().default(0),
  phoneNumbers: z.array(z.string()),
  text: z.string(),
  priority: z.int(),
  withDeliveryReport: z.boolean(),
  validUntilEpochMs: z.number().optional(),
  state: State,
  /** When each state was reached. */
  states: z.partialRecord(State, z.string()),
  failure: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

/** A message as SMSGate's server answers it. */
export function presentMessage(message: Message) {
  // The server forgets number and text once the phone has accepted a message, so a client must identify it by its id.
  const isHashed = message.state !== 'Pending' && message.state !== 'Cancelling';
  return {
    id: message.id,
    deviceId: message.deviceId,
    state: message.state,
    isHashed,
    isEncrypted: false,
    recipients: message.phoneNumbers.map((phoneNumber) => ({
      phoneNumber: isHashed ? hash(phoneNumber) : phoneNumber,
      state: message.state,
      error: message.failure,
    })),
    states: message.states,
  };
}

export type SentText = ReturnType<typeof presentSent>[number];

/** The texts that a message became, one for each recipient. */
export function presentSent(message: Message) {
  return message.phoneNumbers.map((to) => ({
    id: message.id,
    device_id: message.deviceId,
    sim_number: message.simNumber,
    from: message.from,
    to,
    text: message.text,
    sent_at: message.states.Sent ?? '',
    state: message.state,
  }));
}

function hash(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 16);
}

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Network } from '../../shared/ghana/network.ts';

const State = z.enum(['Pending', 'Processed', 'Sent', 'Delivered', 'Failed', 'Cancelling', 'Cancelled']);
export type State = z.infer<typeof State>;

/** A message at the gateway. All recipients share one state. */
export const Message = z.object({
  id: z.string(),
  deviceId: z.string(),
  simNumber: z.int(),
  /** The SIM's number, or empty if the phone does not have the SIM. */
  from: z.string(),
  createdAtEpochMs: z.number(),
  phoneNumbers: z.array(z.string()),
  text: z.string(),
  priority: z.int(),
  withDeliveryReport: z.boolean(),
  validUntilEpochMs: z.number().optional(),
  state: State,
  states: z.partialRecord(State, z.string()),
  failure: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

export function presentMessage(message: Message) {
  // The server hides the number and text once the phone has accepted the message.
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

export const Received = z.object({
  deviceId: z.string(),
  sender: z.string(),
  message: z.string(),
  simNumber: z.int().nullable(),
  recipient: z.string().nullable(),
  receivedAt: z.string(),
  /** False if the app missed the SMS. */
  isPosted: z.boolean(),
  balancePesewas: z.int().optional(),
  payment: z
    .object({
      transactionId: z.string(),
      amountPesewas: z.int(),
      network: Network,
      payerName: z.string(),
      payerPhone: z.string(),
    })
    .optional(),
});
export type Received = z.infer<typeof Received>;

export function presentReceived({ sender, message, simNumber, recipient, receivedAt }: Received) {
  return { sender, message, sim_number: simNumber, recipient, received_at: receivedAt };
}

const gsm7 = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Characters that count twice because of an escape character. */
const gsm7Extended = new Set('\f^{}\\[~]|€');

/**
 * Returns the number of SMS for a text. One SMS holds 160 characters in GSM-7 or 70 in UCS-2, and slightly fewer as a
 * part of a longer text. Does not use the service's own count, because it simulates third-party software.
 */
export function countParts(text: string): number {
  const characters = [...text];
  if (characters.every((character) => gsm7.has(character) || gsm7Extended.has(character))) {
    const places = characters.length + characters.filter((character) => gsm7Extended.has(character)).length;
    return places <= 160 ? 1 : Math.ceil(places / 153);
  }
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
}

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Network } from '../../shared/ghana/network.ts';

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
  createdAtEpochMs: z.number(),
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

/** An SMS that arrived at a phone. */
export const Received = z.object({
  deviceId: z.string(),
  sender: z.string(),
  message: z.string(),
  /** Null if the phone could not tell. */
  simNumber: z.int().nullable(),
  recipient: z.string().nullable(),
  receivedAt: z.string(),
  /** Whether the app has processed it. What it did not hear stays in the phone's inbox. */
  isPosted: z.boolean(),
  /** What the recipient's wallet held after it, where it is the receipt of a payment made on the phone's page. */
  balancePesewas: z.int().optional(),
  /** The payment of such a receipt, which its network may take back and the shop send back. */
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

/** An SMS as `GET /received` shows it. */
export function presentReceived({ sender, message, simNumber, recipient, receivedAt }: Received) {
  return { sender, message, sim_number: simNumber, recipient, received_at: receivedAt };
}

const gsm7 = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** These take two places: an escape and the character. */
const gsm7Extended = new Set('\f^{}\\[~]|€');

/**
 * How many SMS a text takes: 160 characters of GSM-7 fit in one, or 70 of UCS-2; a part of several loses some to its header.
 * The phone has its own count, because it simulates somebody else's software.
 */
export function countParts(text: string): number {
  const characters = [...text];
  if (characters.every((character) => gsm7.has(character) || gsm7Extended.has(character))) {
    const places = characters.length + characters.filter((character) => gsm7Extended.has(character)).length;
    return places <= 160 ? 1 : Math.ceil(places / 153);
  }
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
}

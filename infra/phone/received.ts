import * as z from 'zod';

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
  isPosted: z.boolean().default(true),
  /** What the recipient's wallet held after it, where it is the receipt of a payment made on the phone's page. */
  balancePesewas: z.int().optional(),
  /** The payment of such a receipt, which its network may take back. */
  payment: z.object({ transactionId: z.string(), amountPesewas: z.int() }).optional(),
});
export type Received = z.infer<typeof Received>;

/** An SMS as `GET /received` shows it. */
export function presentReceived({ sender, message, simNumber, recipient, receivedAt }: Received) {
  return { sender, message, sim_number: simNumber, recipient, received_at: receivedAt };
}

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';

const Sample = z.object({
  sender: z.string(),
  text: z.string(),
  expect: z.object({
    kind: z.enum(['payment', 'money_in', 'money_out', 'no_money']),
    amount: z.optional(z.number()),
    name: z.optional(z.string()),
    phone: z.optional(z.string()),
    reference: z.optional(z.nullable(z.string())),
    transaction_id: z.optional(z.string()),
    balance: z.optional(z.number()),
    charges: z.optional(z.number()),
    via: z.optional(z.string()),
  }),
});
export type Sample = z.infer<typeof Sample>;

/** MTN and Telecel texts with fictional people and numbers, and the expected result of parsing. */
export const samples = z.parse(z.array(Sample), JSON.parse(readFixture('wallet-texts.json').toString()));

const Logged = z.object({ received_at: z.string(), sender: z.string(), text: z.string() });

/** Texts about one wallet over eight months, in order of arrival. */
export const walletLog = z.parse(z.array(Logged), JSON.parse(gunzipSync(readFixture('wallet-log.json.gz')).toString()));

function readFixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
}

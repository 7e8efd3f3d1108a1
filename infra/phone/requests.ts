import * as z from 'zod';
import { COUNTRY_CODE, CURRENCY } from '../../shared/ghana/country.ts';
import { anyNetwork } from '../../shared/ghana/network.ts';
import { parsePhoneNumber } from '../../shared/ghana/phone-number.ts';
import { isLoopback } from '../../shared/runtime/values/loopback.ts';
import { textOutcomes } from './device.ts';
import { knownNetwork } from './payment.ts';

const PhoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be an international number: + and digits');

/** Body of `POST /messages`. SMSGate's clients send `null` for omitted fields. */
export const SendRequest = z
  .object({
    id: z.string().max(36).nullish(),
    deviceId: z.string().nullish(),
    simNumber: z.int().min(1).max(3).nullish(),
    phoneNumbers: z
      .array(PhoneNumber)
      .min(1)
      .max(100)
      .refine((numbers) => new Set(numbers).size === numbers.length, 'phone numbers must be unique'),
    textMessage: z.object({ text: z.string().min(1) }).nullish(),
    /** An older form of `textMessage.text`. The official client still sends this form. */
    message: z.string().min(1).nullish(),
    withDeliveryReport: z.boolean().nullish(),
    ttl: z.int().min(5).nullish(),
    validUntil: z.iso.datetime({ offset: true }).nullish(),
    priority: z.int().min(-128).max(127).nullish(),
  })
  .refine(({ ttl, validUntil }) => ttl == null || validUntil == null, 'ttl or validUntil, not both')
  .transform(({ textMessage, message, ...rest }, context) => {
    const text = textMessage?.text ?? message;
    if (text == null) {
      context.addIssue({ code: 'custom', path: ['textMessage'], message: 'there is no text' });
      return z.NEVER;
    }
    return { ...rest, text };
  });
export type SendRequest = z.infer<typeof SendRequest>;

export const ListRequest = z.object({
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  state: z.string().optional(),
  deviceId: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  offset: z.coerce.number().int().min(0).default(0),
});
export type ListRequest = z.infer<typeof ListRequest>;

/** Ghanaian prefixes that the server does not know. */
const UNKNOWN_PREFIX = new RegExp(`^\\${COUNTRY_CODE}(25[0-589]|590)`);

/** Rejects numbers with an unknown prefix unless `skipPhoneValidation` is set. @throws Refusal 400 like the server. */
export function refuseUnknownPrefixes({ phoneNumbers }: Pick<SendRequest, 'phoneNumbers'>): void {
  const row = phoneNumbers.findIndex((number) => UNKNOWN_PREFIX.test(number)) + 1;
  if (row > 0) {
    throw new Refusal(400, `failed to enqueue message: failed to use phone in row ${row}: invalid phone number`);
  }
}

/** `POST /webhooks`. Like the app, allows `http` only for this machine. */
export const WebhookRequest = z.object({
  id: z.string().max(36).nullish(),
  url: z.string().refine(isHttpsOrLoopback, 'must be an https address, or an http one on this machine'),
  event: z.enum([
    'sms:received',
    'sms:sent',
    'sms:delivered',
    'sms:failed',
    'sms:cancelled',
    'system:ping',
    'app:started',
  ]),
  deviceId: z.string().nullish(),
});
export type WebhookRequest = z.infer<typeof WebhookRequest>;

/** `POST /inbox/refresh`. `webhookDelivery` is the newer form of `triggerWebhooks`. */
export const RefreshRequest = z
  .object({
    since: z.iso.datetime({ offset: true }),
    until: z.iso.datetime({ offset: true }),
    deviceId: z.string().nullish(),
    messageTypes: z.array(z.enum(['SMS', 'MMS'])).nullish(),
    triggerWebhooks: z.boolean().nullish(),
  })
  .refine(({ since, until }) => Date.parse(since) <= Date.parse(until), 'since must not be after until');
export type RefreshRequest = z.infer<typeof RefreshRequest>;

/**
 * `POST /switch`: turns a phone, its pings or its reception of texts on or off. Can also simulate an app older than
 * 1.54.0, which posts the sender as `phoneNumber`. Applies to all phones by default.
 */
export const SwitchRequest = z.object({
  device_id: z.string().optional(),
  on: z.boolean().optional(),
  pings: z.boolean().optional(),
  hears: z.boolean().optional(),
  is_old: z.boolean().optional(),
});
export type SwitchRequest = z.infer<typeof SwitchRequest>;

/** `POST /texts`: sets the outcome of future texts. Applies to all phones by default. */
export const TextsRequest = z.object({ device_id: z.string().optional(), texts: z.enum(textOutcomes) });
export type TextsRequest = z.infer<typeof TextsRequest>;

export const ReverseRequest = z.object({ transaction_id: z.string() });

const MAX_AMOUNT_GHS = 1_000_000;

const Amount = z.number().transform((ghs, context) => {
  // JavaScript prints the shortest decimal, which is what the caller wrote.
  if (/^\d+(\.\d\d?)?$/.test(String(ghs)) && ghs > 0 && ghs <= MAX_AMOUNT_GHS)
    return { pesewas: Math.round(ghs * 100) };
  const limits = `above 0, to ${MAX_AMOUNT_GHS} and with at most two decimals`;
  context.addIssue({ code: 'custom', message: `must be an amount in ${CURRENCY} ${limits}` });
  return z.NEVER;
});

export const SendBackRequest = z.object({ transaction_id: z.string(), amount: Amount.optional() });
export type SendBackRequest = z.infer<typeof SendBackRequest>;

/**
 * `POST /receive`: simulates an incoming SMS. A `null` SIM or recipient simulates a phone that does not report this
 * value.
 */
export const ReceiveRequest = z.object({
  sender: z.string().min(1),
  message: z.string().min(1),
  simNumber: z.int().nullish(),
  recipient: z.string().nullish(),
  device_id: z.string().optional(),
  times: z.int().min(1).max(5).default(1),
  /** True simulates an app that misses the SMS. */
  lost: z.boolean().default(false),
});
export type ReceiveRequest = z.infer<typeof ReceiveRequest>;

/**
 * `POST /pay`: pays by mobile money. The default SIM is the one for the given network, or for the network of the charge
 * with this reference.
 */
export const PayRequest = z.object({
  reference: line(100)
    .nullish()
    .transform((typed) => typed ?? ''),
  name: line(80).refine((name) => name !== '', 'must not be empty'),
  amount: Amount,
  simNumber: z.int().nullish(),
  network: readable(knownNetwork, `must be ${anyNetwork()}`),
  payerPhone: readable(parsePhoneNumber, `must be a Ghanaian number, 0241234567 or ${COUNTRY_CODE}241234567`),
  device_id: z.string().optional(),
  times: z.int().min(1).max(5).default(1),
  late: z.boolean().default(false),
  lost: z.boolean().default(false),
});
export type PayRequest = z.infer<typeof PayRequest>;

export function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new Refusal(400, `Invalid request: ${problems.join('; ')}`);
}

function readable<Value>(read: (written: string) => Value | undefined, rule: string) {
  const parsed = z.string().transform((written, context) => {
    const value = read(written);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: rule });
    return z.NEVER;
  });
  return parsed.nullish();
}

/** Field for one line of text. Replaces line breaks and tabs, which receipts never contain. */
function line(mostCharacters: number) {
  return z
    .string()
    .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .refine((text) => text.length <= mostCharacters, `must be at most ${mostCharacters} characters long`);
}

function isHttpsOrLoopback(value: string): boolean {
  const protocol = URL.parse(value)?.protocol;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(value));
}

/** Thrown for a rejected request. SMSGate responds with this status and `{ message }`. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

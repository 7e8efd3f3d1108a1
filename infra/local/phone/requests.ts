import * as z from 'zod';
import { Refusal } from './refusal.ts';

const PhoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be an international number: + and digits');

/** `POST /messages`. SMSGate's clients write `null` for what they leave out. */
export const SendRequest = z
  .object({
    id: z.string().max(36).nullish(),
    deviceId: z.string().nullish(),
    simNumber: z.int().min(1).max(3).nullish(),
    phoneNumbers: z.array(PhoneNumber).min(1),
    textMessage: z.object({ text: z.string().min(1) }).nullish(),
    /** The older form of `textMessage.text`, which the official client still sends. */
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

/** `POST /webhooks`. Like the app, no clear text leaves the machine: `http` only to itself. */
export const WebhookRequest = z.object({
  id: z.string().max(36).nullish(),
  url: z.string().refine(isHttpsOrLoopback, 'must be an https address, or an http one on this machine'),
  event: z.enum(['sms:received', 'sms:sent', 'sms:delivered', 'sms:failed', 'sms:cancelled', 'system:ping']),
  deviceId: z.string().nullish(),
});
export type WebhookRequest = z.infer<typeof WebhookRequest>;

/** `POST /switch`. Without a device, every phone. */
export const SwitchRequest = z.object({ device_id: z.string().optional(), on: z.boolean() });
export type SwitchRequest = z.infer<typeof SwitchRequest>;

/** `POST /receive`: an SMS arrives. `null` for SIM or recipient is a phone that cannot tell. */
export const ReceiveRequest = z.object({
  sender: z.string().min(1),
  message: z.string().min(1),
  simNumber: z.int().nullish(),
  recipient: z.string().nullish(),
  device_id: z.string().optional(),
  /** The app at times posts one SMS more than once. */
  times: z.int().min(1).max(5).default(1),
});
export type ReceiveRequest = z.infer<typeof ReceiveRequest>;

/** @throws Refusal 400 that names each bad field. */
export function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new Refusal(400, `Invalid request: ${problems.join('; ')}`);
}

function isHttpsOrLoopback(value: string): boolean {
  const url = URL.parse(value);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url?.hostname ?? '');
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback);
}

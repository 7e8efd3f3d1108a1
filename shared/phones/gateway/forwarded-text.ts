import * as z from 'zod/mini';
import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import { sha256, sha256Bytes } from '../../runtime/values/sha256.ts';
import { idOfText, type ReceivedEvent } from './callback.ts';

const MAX_LINE_CHARACTERS = 64;
const WORDS = 'must be the content of the text';
const TIME_RULE =
  'must be a time such as 2026-06-22T15:46:11Z (with Z or an offset), or seconds or milliseconds since 1970';

/** A signed line, as a string. Some forwarding apps send numbers without quotes. */
function line(rule: string, isValid: (line: string) => boolean) {
  return z.pipe(
    z.pipe(z.union([z.string(), z.number()], rule), z.transform(String)),
    z.string().check(
      z.maxLength(MAX_LINE_CHARACTERS, rule),
      z.refine((written) => isValid(written), rule),
    ),
  );
}

/** A received text with its signature, as sent by a forwarding app. */
export const ForwardedText = z.object(
  {
    /** Time of the callback, which is valid for five minutes. */
    sent_at: line(TIME_RULE, (written) => msOf(written) !== undefined),
    from: line(
      'must be the sender as shown on the phone, on one line, such as MobileMoney',
      (written) => /^.+$/.test(written) && written.isWellFormed(),
    ),
    /**
     * The contact's phone number, if the app provides the number. Not signed, because it can only replace the contact's
     * name.
     */
    from_number: z.nullish(z.union([z.string(), z.number()], 'must be a phone number')),
    to: line(
      'must be the slot of the SIM that received the text (1 or 2), or the SIM’s number (0241234567)',
      (written) => simOf(written) !== undefined || parsePhoneNumber(written) !== undefined,
    ),
    received_at: line(TIME_RULE, (written) => msOf(written) !== undefined),
    text: z.string(WORDS).check(
      z.minLength(1, WORDS),
      z.refine((text) => text.isWellFormed(), WORDS),
    ),
    signature: line(
      'must be 64 lower-case hexadecimal digits, computed as described in docs/integrate/forwarders.md',
      (written) => /^[0-9a-f]{64}$/.test(written),
    ),
  },
  'must be a JSON object, or a form',
);
export type ForwardedText = z.infer<typeof ForwardedText>;

/**
 * Signs the lines without HMAC, which some phones cannot compute. Returns SHA-256(key) followed by SHA-256(key +
 * lines), in hexadecimal. The key is exactly one SHA-256 block long.
 */
export function signForwarded(
  { sent_at, ...text }: Omit<ForwardedText, 'signature' | 'from_number'>,
  key: string,
): Buffer {
  return sha256Bytes(key + sha256(`${key}${sent_at}\n${signedLines(text)}`));
}

export function sentAtSeconds({ sent_at }: ForwardedText): number {
  return (msOf(sent_at) ?? Number.NaN) / 1000;
}

/**
 * Converts the text to a phone event. The event's id does not depend on the time of sending, so a resent text gets the
 * same id.
 */
export function receivedEventOf(phone: string, text: ForwardedText, key: string): ReceivedEvent {
  const simNumber = simOf(text.to);
  return {
    event: 'sms:received',
    id: idOfText(key, signedLines(text)),
    deviceId: phone,
    payload: {
      message: text.text,
      sender: PHONE_NUMBER.test(`${text.from_number}`) ? `${text.from_number}` : text.from,
      ...(simNumber === undefined ? { recipient: text.to } : { simNumber }),
      receivedAt: isoOf(receivedAtMs(text)),
    },
  };
}

/** Matches a contact's phone number. Some apps send the contact's name or nothing instead. */
const PHONE_NUMBER = /^\+?[\d ()-]{7,20}$/;

export function receivedAtMs({ received_at }: ForwardedText): number {
  return msOf(received_at) ?? Number.NaN;
}

/** Returns the lines to sign. The text comes last, because no other line may contain a line break. */
function signedLines({ from, to, received_at, text }: Omit<ForwardedText, 'signature' | 'sent_at'>): string {
  return [from, to, received_at, text].join('\n');
}

/** Parses a SIM slot: `1` or `sim1`. */
export function simOf(written: string): number | undefined {
  const [, slot] = /^(?:sim ?)?([1-8])$/i.exec(written) ?? [];
  return slot === undefined ? undefined : Number(slot);
}

/** Parses ISO 8601 with an offset, or seconds or milliseconds since 1970. Returns milliseconds since 1970. */
export function msOf(written: string): number | undefined {
  if (/^\d{13}$/.test(written)) return Number(written);
  if (/^\d{10}(\.\d+)?$/.test(written)) return Math.floor(Number(written) * 1000);
  const isIso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(written);
  const ms = isIso ? Date.parse(written) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

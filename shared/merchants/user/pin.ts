import { scrypt, timingSafeEqual } from 'node:crypto';
import { type IdOutside, nowIso } from '../../runtime/outside/outside.ts';
import type { Pin } from './shared-phone.table.ts';

/**
 * Cost of hashing a PIN: 16 MB and 50 ms per attempt. PINs can be guessed only with both the table and the phone's key.
 */
const COST = { N: 2 ** 14, r: 8, p: 1 };
const BYTES = 32;

export async function hashPin(outside: IdOutside, pin: string, phoneKey: string): Promise<Pin> {
  const salt = outside.randomBytes(16).toString('base64url');
  const hash = (await slowHash(pin, salt, phoneKey)).toString('base64url');
  return { salt, hash, set_at: nowIso(outside) };
}

/** Checks a PIN. Takes the same time if no PIN is set. */
export async function isPin(pin: Pin | undefined, typed: string, phoneKey: string): Promise<boolean> {
  const hash = await slowHash(typed, pin?.salt ?? '', phoneKey);
  return pin !== undefined && timingSafeEqual(hash, Buffer.from(pin.hash, 'base64url'));
}

function slowHash(pin: string, salt: string, phoneKey: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(pin, `${salt}.${phoneKey}`, BYTES, COST, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}

/** Rules for PINs that are easy to guess (about one in seven), keyed by error message. */
const EASY: Readonly<Record<string, (pin: string) => boolean>> = {
  'it goes up or down in equal steps': (pin) => new Set(stepsOf(pin)).size === 1,
  'it has only two different digits': (pin) => new Set(pin).size < 3,
  'it repeats the same three digits': (pin) => pin.slice(0, 3) === pin.slice(3),
  'it reads the same backwards': (pin) => [...pin].reverse().join('') === pin,
  'it is made of three pairs': (pin) => /(\d)\1(\d)\2(\d)\3/.test(pin),
  'it is a pattern on the keypad': (pin) =>
    ['147258', '258369', '147369', '159357', '357159', '789456', '456123'].includes(pin),
  'it can be read as a date': isDateLike,
  'it begins or ends with a year': (pin) => /^(19|20)\d\d|(19|20)\d\d$/.test(pin),
};

export function weaknessOf(pin: string): string | undefined {
  return Object.entries(EASY).find(([, isSo]) => isSo(pin))?.[0];
}

function stepsOf(pin: string): number[] {
  const digits = [...pin].map(Number);
  return digits.slice(1).map((digit, n) => (digit - (digits[n] ?? 0) + 10) % 10);
}

function isDateLike(pin: string): boolean {
  const [a = 0, b = 0, c = 0] = [0, 2, 4].map((n) => Number(pin.slice(n, n + 2)));
  const isDay = (day: number, month: number) => day >= 1 && day <= 31 && month >= 1 && month <= 12;
  return isDay(a, b) || isDay(b, a) || isDay(b, c) || isDay(c, b);
}

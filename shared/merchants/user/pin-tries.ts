import type { Clock } from '../../runtime/outside/outside.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { counted } from '../../runtime/values/counted.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { personOn, type SharedPhone, type Tries } from './shared-phone.table.ts';

/** Lockout in minutes after each consecutive wrong PIN. After ten, only an owner can unlock the user. */
const WAIT_MINUTES = [0, 0, 0, 1, 5, 15, 60, 4 * 60, 12 * 60, 24 * 60];
export const MAX_WRONG = WAIT_MINUTES.length;
/** Maximum number of wrong PINs per user per month. A busy user enters about twelve. */
export const MAX_WRONG_IN_MONTH = 40;
/** Maximum number of wrong PINs per phone. A user's wrong PINs count until that user enters a correct PIN. */
export const MAX_WRONG_OF_PHONE = 20;
const MONTH_MS = 30 * DAY_MS;

const NONE: Tries = { wrong: 0, wait_until_ms: 0, month_began_ms: 0, wrong_in_month: 0 };

function triesOf(phone: SharedPhone, userId: string): Tries {
  const on = personOn(phone, userId);
  return (on ? on.tries : phone.strangers) ?? NONE;
}

/** True if only an owner can unlock the user or the phone. */
export function isLocked(tries: Tries): boolean {
  return tries.wrong >= MAX_WRONG || tries.wrong_in_month >= MAX_WRONG_IN_MONTH;
}

export function isPhoneLocked({ people, strangers = NONE }: SharedPhone): boolean {
  const all = [strangers, ...Object.values(people).map(({ tries = NONE }) => tries)];
  return all.reduce((sum, { wrong }) => sum + wrong, 0) >= MAX_WRONG_OF_PHONE;
}

/** Adds an attempt, which counts as wrong until the PIN is verified. @throws PublicError if the user must wait. */
export function oneMoreTry({ now }: Clock, phone: SharedPhone, userId: string): Tries {
  const tries = triesOf(phone, userId);
  if (isPhoneLocked(phone) || isLocked(tries))
    throw new PublicError(
      'too_many_tries',
      'Too many wrong PINs. An owner can unlock this phone under Settings, Shared phones.',
    );
  const nowMs = now();
  if (tries.wait_until_ms > nowMs) {
    const minutes = Math.ceil((tries.wait_until_ms - nowMs) / MINUTE_MS);
    throw new PublicError('too_many_tries', `Too many wrong PINs. Try again in ${counted(minutes, 'minute')}.`);
  }
  const isNewMonth = tries.month_began_ms + MONTH_MS <= nowMs;
  const wrong = tries.wrong + 1;
  return {
    wrong,
    wait_until_ms: nowMs + (WAIT_MINUTES[wrong] ?? 0) * MINUTE_MS,
    month_began_ms: isNewMonth ? nowMs : tries.month_began_ms,
    wrong_in_month: (isNewMonth ? 0 : tries.wrong_in_month) + 1,
  };
}

export function afterRightTry(tries: Tries): Tries {
  return { ...tries, wrong: 0, wait_until_ms: 0, wrong_in_month: tries.wrong_in_month - 1 };
}

import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { knownSenders } from '../../merchants/merchant/senders.ts';
import { sendingOf } from '../../phones/sender/sender.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { Changed, retryIfChanged } from '../../runtime/table/contention.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { ERASED_NUMBER, isTextErased } from '../sms/erased.ts';
import type { SendAndMessages } from '../sms/message.table.ts';
import { placeholdersOf } from '../sms/personal-text.ts';
import { unwantedOf } from '../sms/promotion.ts';
import { noteRetried, type Send } from '../sms/send.table.ts';
import { NO_QUIET_HOURS } from '../sms/when-to-leave.ts';
import { type AcceptedBulk, acceptBulk } from './accept-bulk.ts';
import { findBulk } from './find-bulk.ts';
import type { BulkToMany } from './read-recipients.ts';

export interface RetriedBulk extends AcceptedBulk {
  readonly leftOut: number;
}

/**
 * Resends the failed texts of a bulk send as a new bulk send. Each text can be resent once.
 * @throws PublicError `not_found`, `nothing_to_retry`, and the errors of `acceptBulk`.
 */
export function retryBulk<Result>(
  outside: Outside,
  merchant: Merchant,
  { id, by }: { readonly id: string } & Pick<Send, 'by'>,
  commit: (retried: RetriedBulk) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const sends = await findBulk(outside, merchant.merchant_id, id);
    const [first] = sends;
    const failed = sends.map(failedOf);
    const unwanted = first
      ? await unwantedOf(outside, {
          ...first.send,
          to: failed.flatMap(({ send, indexes }) => numbersAt(send, indexes)),
        })
      : new Set<string>();
    const again = failed.map(({ send, indexes }) => ({
      send,
      indexes: indexes.filter((index) => !unwanted.has(send.to[index] ?? '')),
    }));
    const texts = again.reduce((sum, { indexes }) => sum + indexes.length, 0);
    const leftOut = failed.reduce((sum, { indexes }) => sum + indexes.length, 0) - texts;
    if (!first || texts === 0) throw nothingToRetry(leftOut);
    const whole = sends.find(({ send }) => !isTextErased(send));
    if (!whole) throw new PublicError('nothing_to_retry', TEXT_ERASED);
    const senders = sendingOf(await knownSenders(outside, merchant.merchant_id)).map(({ number }) => number);
    const accepted = await acceptBulk(outside, merchant, { ...requestOf(whole.send, again, senders), by });
    const noted = again.flatMap(({ send, indexes }) => (indexes.length > 0 ? [noteRetried(send, indexes, moved)] : []));
    return commit({ ...accepted, leftOut, writes: [...accepted.writes, ...noted] });
  });
}

const TEXT_ERASED =
  'The text was erased together with a recipient’s data. Nothing was sent. Send a new text to the recipients whose texts failed.';

const moved = () => new Changed('busy', 'These texts are already being resent. Try again later.');

interface Some {
  readonly send: Send;
  readonly indexes: readonly number[];
}

function failedOf({ send, messages }: SendAndMessages): Some {
  const failed = messages.filter(
    ({ state, index }) => state === 'failed' && !send.retried?.includes(index) && send.to[index] !== ERASED_NUMBER,
  );
  return { send, indexes: failed.map(({ index }) => index) };
}

export function countFailed(sends: readonly SendAndMessages[]): number {
  return sends.reduce((sum, one) => sum + failedOf(one).indexes.length, 0);
}

function numbersAt({ to }: Send, indexes: readonly number[]): string[] {
  return indexes.flatMap((index) => to[index] ?? []);
}

/**
 * Rebuilds the original request for the remaining recipients. If the original sender is not in `senders`, any sender is
 * used.
 */
function requestOf(first: Send, again: readonly Some[], senders: readonly string[]): BulkToMany {
  const { message, from, any_sender, quiet_hours, valid_for, category, metadata } = first;
  const names = placeholdersOf(message);
  const recipients = again.flatMap(({ send, indexes }) =>
    indexes.map((index) => {
      const words = names.map((name, n) => [name, send.words?.[index]?.[n] ?? '']);
      return { ...Object.fromEntries(words), to: send.to[index] ?? '' };
    }),
  );
  return {
    message,
    // The text passed validation the first time. Only its recipients can now be invalid.
    recipients: { all: recipients, errorAt: (_n, _name, message) => ({ field: 'id', message }) },
    from: any_sender || !senders.includes(from) ? 'random' : from,
    quiet_hours: quiet_hours ?? NO_QUIET_HOURS,
    valid_for,
    purpose: category,
    metadata,
  };
}

function nothingToRetry(leftOut: number): PublicError {
  const reason =
    leftOut > 0
      ? 'All failed texts were to people who no longer want such texts'
      : 'Every failed text in this bulk send has already been resent';
  return new PublicError('nothing_to_retry', `${reason}. Nothing was sent.`);
}

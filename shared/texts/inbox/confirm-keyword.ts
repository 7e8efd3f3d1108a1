import { shownNumber } from '../../ghana/shown-number.ts';
import { getMerchantOrTestAccount } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { HOUR_MS } from '../../runtime/values/calendar.ts';
import { type ErrorCode, hasCode } from '../../runtime/values/errors.ts';
import {
  Confirmed,
  type HeardKeyword,
  type KeywordJob,
  keywordRows,
  noteConfirmed,
} from '../conversation/keyword.table.ts';
import type { Keyword } from '../conversation/keywords.ts';
import { fitName } from '../sms/segments.ts';
import { acceptSend } from '../sms/send.ts';

/** Confirmations older than this are not sent. */
const USELESS_MS = HOUR_MS;

/** Errors after which the confirmation is not retried. The keyword has already taken effect. */
const OVER: readonly ErrorCode[] = [
  'insufficient_credits',
  'too_many_requests',
  'invalid_request',
  'no_sender_available',
  'queue_full',
];

/**
 * Sends one SMS that confirms a keyword, for one of the merchant's credits. Nothing is sent if the merchant has no
 * credits or the number cannot send.
 */
export async function confirmKeyword(outside: WorkerOutside, job: KeywordJob): Promise<void> {
  const heard = await keywordRows.find(outside, job);
  const uselessMs = Date.parse(job.at) + USELESS_MS;
  if (!heard || outside.now() >= uselessMs) return;
  const { merchant_id = '', number, to } = heard;
  const merchant = await getMerchantOrTestAccount(outside, merchant_id);
  if (!merchant || merchant.suspended_at) return;
  const text = { to: [number], from: to, message: confirmation(merchant, heard) };
  const useless_at = isoOf(uselessMs);
  try {
    const { send, writes } = await acceptSend(outside, merchant, { ...text, useless_at });
    await outside.table.write([noteConfirmed(job, send.send_id), ...writes]);
  } catch (error) {
    if (error instanceof Confirmed) return;
    if (!hasCode(error, ...OVER)) throw error;
    outside.log.warn('keyword_not_confirmed', { merchant_id, code: error.code });
  }
}

/**
 * Returns the confirmation's text, which fits in one SMS. It contains no keyword, so that two automatic systems cannot
 * reply to each other endlessly.
 */
export function confirmation(
  { name, contact }: Pick<Merchant, 'name' | 'contact'>,
  { keyword, others = 0 }: Pick<HeardKeyword, 'keyword' | 'others'>,
): string {
  const ask = contact?.startsWith('+') ? `call ${shownNumber(contact)}` : (contact ?? 'reply to this text');
  const sentences: Readonly<Record<Keyword, string>> = {
    stop: 'You will get no more offers or reminders. Reply START to get them again.',
    start: 'You will get offers and reminders again. Reply STOP to end them.',
    help: `For questions ${ask}. Reply STOP to get no offers or reminders.`,
  };
  const more = others > 0 ? ` and ${others} more` : '';
  return fitName(name, { orElse: 'The shop', maxSegments: 1 }, (shop) => `${shop}${more}: ${sentences[keyword]}`);
}

import { isMobileNumber } from '../ghana/network.ts';
import { getMerchantOrTwin } from '../merchants/merchant/merchant.table.ts';
import { setGoods } from '../money/charge/change-charge.table.ts';
import type { Charge } from '../money/charge/charge.table.ts';
import type { FollowUpJob } from '../money/follow-up/follow-up-job.ts';
import { type Coded, giveCode, serveWaiting } from '../money/link/hand-out.ts';
import { findLink } from '../money/link/link.table.ts';
import { getCode } from '../money/link/stock.table.ts';
import { isoOf } from '../runtime/outside/outside.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { Changed } from '../runtime/table/contention.ts';
import { DAY_MS } from '../runtime/values/calendar.ts';
import { hasCode } from '../runtime/values/errors.ts';
import { createCodeText } from '../texts/sms/code-text.table.ts';
import { fitName } from '../texts/sms/segments.ts';
import { acceptSend } from '../texts/sms/send.ts';
import { OVER } from './text-notice.ts';

/** Does what a charge's code waits for, and texts it once it is given. */
export async function settleCode(outside: WorkerOutside, { about }: FollowUpJob): Promise<void> {
  const given = await giveCode(outside, about);
  if (given) await textCode(outside, given);
}

/** Hands new codes to those who wait. The stream has each of them texted. */
export function settleStock(outside: WorkerOutside, { about }: FollowUpJob): Promise<void> {
  return serveWaiting(outside, about);
}

/**
 * A number that a customer typed is texted of payments from a cedi on: a pesewa a text would cost the shop's credits more than whoever
 * types strangers' numbers.
 */
const MIN_TEXTED_PESEWAS = 100;
/** A text that cannot leave for so long is not sent any more, and its credit comes back: the page has the code. */
const USEFUL_MS = DAY_MS;

/**
 * Texts a code to the number that the customer typed, for one of the merchant's credits: once, because the charge notes it in the transaction that
 * debits. Where the credits are used up, or nobody can send, none is sent: the page shows the code.
 */
async function textCode(outside: WorkerOutside, charge: Coded): Promise<void> {
  const { merchant_id, customer_phone: to, amount_pesewas, origin, goods, reference } = charge;
  const { number, send_id } = goods;
  if (number === undefined || send_id !== undefined) return;
  if (to === undefined || !isMobileNumber(to) || amount_pesewas < MIN_TEXTED_PESEWAS) return;
  const [link, merchant, code] = await Promise.all([
    findLink(outside, origin.slug),
    getMerchantOrTwin(outside, merchant_id),
    getCode(outside, origin.slug, number),
  ]);
  if (!link?.texts_codes || !merchant || merchant.suspended_at || code === undefined) return;
  const nowMs = outside.now();
  const words = (shown: string) => codeWords(charge, link.title, shown);
  try {
    const useless_at = isoOf(nowMs + USEFUL_MS);
    // Whoever may read texts reads no code there.
    const text = { to: [to], message: words('********'), reference, has_code: true, useless_at };
    const { send, writes } = await acceptSend(outside, merchant, text);
    const ends = Math.floor((nowMs + USEFUL_MS) / 1000);
    await outside.table.write([
      setGoods(charge, { ...goods, send_id: send.send_id }),
      ...writes,
      ...createCodeText(send, words(code), ends),
    ]);
  } catch (error) {
    // Texted meanwhile, or reversed: the change is told, and comes again.
    if (error instanceof Changed) return;
    if (!hasCode(error, ...OVER)) throw error;
    outside.log.warn('code_not_texted', { merchant_id, reference, code: error.code });
  }
}

/** At most two SMS, for one credit. Spaces surround the code, so that a phone can copy it. */
function codeWords({ merchant_name, reference }: Charge, title: string, code: string): string {
  return fitName(
    merchant_name,
    { orElse: 'The shop', maxSegments: 2 },
    (shop) => `${shop}: your code is ${code} (${title}). Reference ${reference}.`,
  );
}

import { isMobileNumber } from '../../ghana/network.ts';
import { getMerchantOrTestAccount } from '../../merchants/merchant/merchant.table.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { DAY_MS } from '../../runtime/values/calendar.ts';
import { hasCode } from '../../runtime/values/errors.ts';
import { createCodeText } from '../../texts/sms/code-text.table.ts';
import { fitName } from '../../texts/sms/segments.ts';
import { acceptSend, REFUSED_FOR_GOOD } from '../../texts/sms/send.ts';
import { setGoods } from '../charge/change-charge.table.ts';
import type { Charge } from '../charge/charge.table.ts';
import { type Coded, giveCode } from './hand-out-code.ts';
import { findLink } from './link.table.ts';
import { getCode } from './stock.table.ts';

export async function settleCode(outside: WorkerOutside, reference: string): Promise<void> {
  const given = await giveCode(outside, reference);
  if (given) await textCode(outside, given);
}

/**
 * Minimum payment for texting a code. The customer can type a stranger's number, so each text must cost the customer
 * more than the shop.
 */
const MIN_TEXTED_PESEWAS = 100;
/** Time after which an unsent text is cancelled and its credit refunded. The page still shows the code. */
const USEFUL_MS = DAY_MS;

/**
 * Texts a stock code to the number that the customer typed. Costs one of the merchant's credits. Sends at most one
 * text, because one transaction debits the credit and records the text on the charge. Sends nothing if there are no
 * credits or no sender.
 */
async function textCode(outside: WorkerOutside, charge: Coded): Promise<void> {
  const { merchant_id, customer_phone: to, amount_pesewas, origin, goods, reference } = charge;
  const { number, send_id } = goods;
  if (number === undefined || send_id !== undefined) return;
  if (to === undefined || !isMobileNumber(to) || amount_pesewas < MIN_TEXTED_PESEWAS) return;
  const [link, merchant, code] = await Promise.all([
    findLink(outside, origin.slug),
    getMerchantOrTestAccount(outside, merchant_id),
    getCode(outside, origin.slug, number),
  ]);
  if (!link?.texts_codes || !merchant || merchant.suspended_at || code === undefined) return;
  const nowMs = outside.now();
  const words = (shown: string) => codeWords(charge, link.title, shown);
  try {
    const useless_at = isoOf(nowMs + USEFUL_MS);
    // Store asterisks instead of the code: people who can read the shop's texts must not see it.
    const text = { to: [to], message: words('********'), reference, has_code: true, useless_at };
    const { send, writes } = await acceptSend(outside, merchant, text);
    const ends = Math.floor((nowMs + USEFUL_MS) / 1000);
    await outside.table.write([
      setGoods(charge, { ...goods, send_id: send.send_id }),
      ...writes,
      ...createCodeText(send, words(code), ends),
    ]);
  } catch (error) {
    // The charge was reversed in the meantime, or the text was already sent. Both changes queue their own jobs.
    if (error instanceof Changed) return;
    if (!hasCode(error, ...REFUSED_FOR_GOOD)) throw error;
    outside.log.warn('code_not_texted', { merchant_id, reference, code: error.code });
  }
}

/** Builds a text of at most two SMS, which costs one credit. Spaces around the code make it easy to copy. */
function codeWords({ merchant_name, reference }: Charge, title: string, code: string): string {
  return fitName(
    merchant_name,
    { orElse: 'The shop', maxSegments: 2 },
    (shop) => `${shop}: your code is ${code} (${title}). Reference ${reference}.`,
  );
}

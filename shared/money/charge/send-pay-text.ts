import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import { ANSWER_TAKES_MS, waitUntil } from '../../runtime/outside/same-timing.ts';
import { withinFairLimit } from '../../runtime/table/limits.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { acceptSend } from '../../texts/sms/send.ts';
import type { Charge } from './charge.table.ts';
import { countOfCharge, countToNumber, NumberHadTexts, PayTextsUsedUp, payTextsLimit } from './pay-text.table.ts';

/** After this time, the customer has either paid or requested the text again. */
const USEFUL_MS = 15 * MINUTE_MS;

interface PayText {
  readonly to: string;
  readonly message: string;
  readonly sourceIp: string;
}

/**
 * Texts payment instructions to a customer, which costs the merchant one credit. Returns `false` only for reasons that
 * apply to every phone number, so the result and its timing reveal nothing about this number.
 */
export async function sendPayText(
  outside: Outside,
  merchant: Merchant,
  { reference }: Charge,
  text: PayText,
): Promise<boolean> {
  const startedMs = outside.now();
  const isSent = await acceptPayText(outside, merchant, reference, text).then(
    () => true,
    (error: unknown) => {
      // Missing credits and offline phones are not logged: the dashboard shows them.
      if (!(error instanceof PublicError) && !(error instanceof PayTextsUsedUp))
        outside.log.error('pay_text_not_sent', { reference, error });
      return false;
    },
  );
  await waitUntil(outside, startedMs + ANSWER_TAKES_MS);
  return isSent;
}

async function acceptPayText(
  outside: Outside,
  merchant: Merchant,
  reference: string,
  { to, message, sourceIp }: PayText,
): Promise<void> {
  const useless_at = isoOf(outside.now() + USEFUL_MS);
  const { writes } = await acceptSend(outside, merchant, { to: [to], message, reference, useless_at });
  // Check the phone number's limit last, so that every other reason for rejection comes first.
  const sent = [...writes, ...countToNumber(outside, merchant.merchant_id, to)];
  await withinFairLimit(outside, payTextsLimit(merchant), sourceIp, async (counts) => {
    const counted = [countOfCharge(outside, reference), ...counts];
    try {
      await outside.table.write([...counted, ...sent]);
    } catch (error) {
      if (!(error instanceof NumberHadTexts)) throw error;
      await outside.table.write(counted);
    }
  });
}

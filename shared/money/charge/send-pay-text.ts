import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isoOf, type Outside } from '../../runtime/outside/outside.ts';
import { ANSWER_TAKES_MS, waitUntil } from '../../runtime/outside/same-timing.ts';
import { withinFairLimit } from '../../runtime/table/limits.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { acceptSend } from '../../texts/sms/send.ts';
import type { Charge } from './charge.table.ts';
import { countOfCharge, countToNumber, NumberHadTexts, PayTextsUsedUp, payTextsLimit } from './pay-text.table.ts';

/** After this a customer has paid, or asks again. */
const USEFUL_MS = 15 * 60 * 1000;

interface PayText {
  readonly to: string;
  readonly message: string;
  /** Where it was asked for. */
  readonly sourceIp: string;
}

/**
 * Texts a customer what they have to type, for one of the merchant's credits. `false` where none goes out, whatever the number. What depends
 * on the number is not told: the answer, its timing and what is counted are the same, so that nobody learns whose it is or what others had sent.
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
      // A merchant without credits, or whose phones are off, sees that elsewhere.
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
  // The number comes last: what refuses a text to any number is told before.
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

import type { Merchant } from '../../merchants/merchant/merchant.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { ANSWER_TAKES_MS, waitUntil } from '../../runtime/outside/same-timing.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { acceptSend } from '../../texts/sms/send.ts';
import { countPayText, PayTextsUsedUp } from './pay-text.table.ts';
import type { Transaction } from './transaction.table.ts';

/** After this a customer has paid, or asks again. */
const USEFUL_MS = 15 * 60 * 1000;

/**
 * Texts a customer what they have to type, for one of the merchant's credits. The answer and its timing are the same whether it went
 * out or not: nobody learns whose number it is, what others had sent, or that the shop has no credits left.
 */
export async function sendPayText(
  outside: Outside,
  merchant: Merchant,
  { reference }: Transaction,
  text: { readonly to: string; readonly message: string },
): Promise<void> {
  const startedMs = outside.now();
  await acceptPayText(outside, merchant, reference, text).catch((error: unknown) => {
    // A merchant without credits, or whose phones are off, sees that elsewhere.
    if (!(error instanceof PublicError) && !(error instanceof PayTextsUsedUp))
      outside.log.error('pay_text_not_sent', { reference, error });
  });
  await waitUntil(outside, startedMs + ANSWER_TAKES_MS);
}

async function acceptPayText(
  outside: Outside,
  merchant: Merchant,
  reference: string,
  { to, message }: { readonly to: string; readonly message: string },
): Promise<void> {
  const { merchant_id, pay_texts_per_day: maxPerDay = 0 } = merchant;
  const useless_at = new Date(outside.now() + USEFUL_MS).toISOString();
  const { writes } = await acceptSend(outside, merchant, { to: [to], message, reference, useless_at });
  await outside.table.write([
    ...countPayText(outside, { reference, to, merchantId: merchant_id, maxPerDay }),
    ...writes,
  ]);
}

import { isMobileNumber } from '../../ghana/network.ts';
import { localNumber } from '../../ghana/shown-number.ts';
import { merchantRows } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import { type Clock, isoOf } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { createSend } from '../../texts/sms/send.table.ts';
import { operatorSender, operatorText } from '../../texts/sms/send.ts';
import { listWaiting, noteAsked, replaceChain } from '../chain/chain.table.ts';
import { type Chain, headOf, type Movement } from '../chain/chain.ts';
import { requireChain, soleMerchantOf } from '../chain/change-chain.ts';
import { retryIfChainChanged } from '../chain/link-texts.ts';
import { type Asking, newQuestion } from '../chain/question.ts';
import { keepUnclearBalance, type UnclearBalance } from './wallet-notice.table.ts';

/** Minimum time between questions to an owner. A question that could not be sent within this time is dropped. */
const ASKED_EVERY_MS = 30 * MINUTE_MS;

const PUSH_ASKED_EVERY_MS = 10 * MINUTE_MS;

/**
 * Asks a wallet's owner to name the balance, once for each question. Sends a webhook event and, if the merchant's contact
 * is a mobile number, a free text. For a shared wallet, only the operator is asked.
 */
export async function askOwner(
  outside: WorkerOutside,
  wallet: Chain,
  waiting: readonly Movement[],
  senders: readonly Sender[],
): Promise<void> {
  if (!questionFor(outside, wallet, waiting)) return;
  const merchantId = await soleMerchantOf(outside, wallet);
  const merchant = merchantId === undefined ? undefined : await merchantRows.find(outside, { merchant_id: merchantId });
  await retryIfChainChanged(outside, async () => {
    const chain = await requireChain(outside, wallet);
    // Another version of a text may have arrived, so reread the texts after the chain.
    const question = questionFor(outside, chain, await listWaiting(outside, wallet));
    if (!question) return;
    const { network, momo_number } = chain;
    const notice = { ...detailsOf(question, chain), network, momo_number, merchant_id: merchant?.merchant_id };
    await outside.table.write([
      ...noteAskedAbout(outside, chain, question),
      keepUnclearBalance(outside, { ...notice, kind: 'balance_unclear' }),
      ...textTo(outside, merchant, { network, message: balanceQuestion(momo_number, question) }, senders),
    ]);
  });
}

/** Returns the question to ask now. Asks about a transfer at once, while the owner has the wallet open. */
export function questionFor({ now }: Clock, chain: Chain, waiting: readonly Movement[]): Asking | undefined {
  const question = newQuestion(chain, waiting, now());
  if (!question) return undefined;
  const pushAskedMs = Math.max(0, ...(chain.pushes ?? []).map(({ asked_ms = 0 }) => asked_ms));
  const isPush = 'push' in question;
  const lastMs = isPush ? pushAskedMs : Math.max(pushAskedMs, chain.asked_ms ?? 0);
  // A look answers the last question, so the next one need not wait.
  const isRecent = lastMs > chain.looked_ms;
  const everyMs = isPush ? PUSH_ASKED_EVERY_MS : ASKED_EVERY_MS;
  return isRecent && now() - lastMs < everyMs ? undefined : question;
}

function detailsOf(question: Asking, chain: Chain): Pick<UnclearBalance, 'texts' | 'received_at' | 'sent_to_bank'> {
  if ('push' in question) return { texts: 1, received_at: isoOf(question.push.at_ms), sent_to_bank: true };
  if ('branch' in question) {
    const { texts, from } = question.branch;
    return { texts: texts.length, received_at: isoOf(from.at_ms) };
  }
  return { texts: 0, received_at: isoOf(headOf(chain).at_ms) };
}

/** Returns the writes that record a question, so that it is not asked again. */
export function noteAskedAbout(outside: Clock, chain: Chain, question: Asking): TableWrite[] {
  const asked_ms = outside.now();
  if ('push' in question) {
    const pushes = chain.pushes?.map((one) => (one.id === question.push.id ? { ...one, asked_ms } : one));
    return [replaceChain(chain, { ...chain, pushes })];
  }
  const first = 'branch' in question ? question.branch.texts.slice(0, 1) : [];
  return [replaceChain(chain, { ...chain, asked_ms }), ...first.map((one) => noteAsked(outside, chain, one))];
}

/** Returns the writes that text the owner, or none if the text cannot be sent. */
function textTo(
  outside: WorkerOutside,
  merchant: Merchant | undefined,
  { network, message }: Pick<Chain, 'network'> & { readonly message: string },
  senders: readonly Sender[],
): TableWrite[] {
  const { merchant_id, contact } = merchant ?? {};
  if (!contact || !isMobileNumber(contact)) return [];
  try {
    const from = operatorSender(outside, senders);
    const text = { from, to: contact, message, purpose: 'balance_question', uselessAfterMs: ASKED_EVERY_MS } as const;
    return [createSend(operatorText(outside, text))];
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    outside.log.warn('owner_not_texted', { network, ...(merchant_id && { merchant_id }), code: error.code });
    return [];
  }
}

/**
 * Returns a single SMS that asks a wallet's owner for the balance. Contains no amount: the merchant's contact may not be
 * allowed to see it, and a forger could derive the balance from it.
 */
export function balanceQuestion(momoNumber: string, question: Asking): string {
  const local = localNumber(momoNumber);
  const enter = 'Check its balance in the wallet and enter it under Wallets in the dashboard, or tell the operator.';
  if ('push' in question) return `MoMo ${local}: money went to a bank. ${enter}`;
  if ('branch' in question) return `MoMo ${local}: a message is missing or forged. ${enter}`;
  return `MoMo ${local}: payments wait for you. ${enter}`;
}

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
import { type PushQuestion, pushInQuestion } from '../chain/bank-push.ts';
import { type Branch, branchInQuestion } from '../chain/branches.ts';
import { listWaiting, noteAsked, replaceChain } from '../chain/chain.table.ts';
import { type Chain, headOf, type Movement } from '../chain/chain.ts';
import { requireChain, soleMerchantOf } from '../chain/change-chain.ts';
import { retryIfChainChanged } from '../chain/link-texts.ts';
import { keepUnclearBalance, type UnclearBalance } from './wallet-notice.table.ts';

/** Minimum time between questions to an owner. A question that could not be sent within this time is dropped. */
const ASKED_EVERY_MS = 30 * MINUTE_MS;

const PUSH_ASKED_EVERY_MS = 10 * MINUTE_MS;

/**
 * Asks a wallet's owner whether a branch's balance is correct, once per branch. Sends a webhook event and, if the
 * merchant's contact is a mobile number, a free text. For a shared wallet, only the operator is asked.
 */
export async function askOwner(
  outside: WorkerOutside,
  wallet: Chain,
  waiting: readonly Movement[],
  senders: readonly Sender[],
): Promise<void> {
  if (!questionFor(outside, wallet, waiting) && !pushQuestionFor(outside, wallet, waiting)) return;
  const merchantId = await soleMerchantOf(outside, wallet);
  const merchant = merchantId === undefined ? undefined : await merchantRows.find(outside, { merchant_id: merchantId });
  await retryIfChainChanged(outside, async () => {
    const chain = await requireChain(outside, wallet);
    // Another version of a text may have arrived, so reread the texts after the chain.
    const current = await listWaiting(outside, wallet);
    const pushed = pushQuestionFor(outside, chain, current);
    const branch = pushed ? undefined : questionFor(outside, chain, current);
    const asked = pushed ? aboutPush(outside, chain, pushed) : branch && aboutBranch(outside, chain, branch);
    if (!asked) return;
    const { network, momo_number } = chain;
    const notice = { ...asked.details, network, momo_number, merchant_id: merchant?.merchant_id };
    const proven_pesewas = headOf(chain).balance;
    await outside.table.write([
      ...asked.notes,
      keepUnclearBalance(outside, { ...notice, kind: 'balance_unclear', proven_pesewas }),
      ...textTo(outside, merchant, { network, message: asked.message }, senders),
    ]);
  });
}

interface Asked {
  readonly notes: readonly TableWrite[];
  readonly details: Pick<
    UnclearBalance,
    'balance_pesewas' | 'texts' | 'received_at' | 'sent_to_bank' | 'yes_is_enough'
  >;
  readonly message: string;
}

function aboutBranch(outside: Clock, chain: Chain, { texts, from, to }: Branch): Asked {
  const { momo_number, tapped_ms } = chain;
  return {
    notes: [
      replaceChain(chain, { ...chain, asked_ms: outside.now() }),
      ...texts.slice(0, 1).map((first) => noteAsked(outside, chain, first)),
    ],
    details: { balance_pesewas: to.balance, texts: texts.length, received_at: isoOf(from.at_ms) },
    // An owner who only tapped "yes" for the last balance must enter this balance.
    message: tapped_ms === undefined ? balanceQuestion(momo_number) : pushQuestion(momo_number, false),
  };
}

/**
 * Returns the question about a transfer to the bank. The question is sent immediately, while the owner has the wallet
 * open.
 */
function aboutPush({ now }: Clock, chain: Chain, { push, amountPesewas }: PushQuestion): Asked {
  const { balance, at_ms } = push;
  const pushes = chain.pushes?.map((one) => (one.id === push.id ? { ...one, asked_ms: now() } : one));
  return {
    notes: [replaceChain(chain, { ...chain, pushes })],
    details: {
      balance_pesewas: balance,
      texts: 1,
      received_at: isoOf(at_ms),
      sent_to_bank: true,
      yes_is_enough: amountPesewas !== undefined,
    },
    message: pushQuestion(chain.momo_number, amountPesewas !== undefined),
  };
}

/** Returns the transfer to ask about, if any. Asks about each transfer once, and at most every ten minutes. */
function pushQuestionFor({ now }: Clock, chain: Chain, waiting: readonly Movement[]): PushQuestion | undefined {
  const lastMs = Math.max(0, ...(chain.pushes ?? []).map(({ asked_ms = 0 }) => asked_ms));
  const question = pushInQuestion(chain, waiting, now());
  return question?.push.asked_ms === undefined && now() - lastMs >= PUSH_ASKED_EVERY_MS ? question : undefined;
}

function questionFor(outside: WorkerOutside, chain: Chain, waiting: readonly Movement[]): Branch | undefined {
  const nowMs = outside.now();
  if (nowMs - (chain.asked_ms ?? 0) < ASKED_EVERY_MS) return undefined;
  return branchInQuestion(chain, waiting, nowMs);
}

/** Returns the writes that text the owner, or none if the text cannot be sent. */
function textTo(
  outside: WorkerOutside,
  merchant: Merchant | undefined,
  { network, message }: Pick<Chain, 'network'> & Pick<Asked, 'message'>,
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
 * Returns a single SMS that asks a wallet's owner for the balance. Contains no balance, because the merchant's contact
 * may not be allowed to see it.
 */
export function balanceQuestion(momoNumber: string): string {
  const local = localNumber(momoNumber);
  return `A message about MoMo ${local} is missing or forged. Please check its balance and enter it under Wallets in the dashboard, or tell the operator.`;
}

/**
 * Returns a single SMS that asks about a transfer to the bank. Contains no amount, because a forger could derive the
 * balance from the amount.
 */
export function pushQuestion(momoNumber: string, isYesEnough: boolean): string {
  const local = localNumber(momoNumber);
  return !isYesEnough
    ? `Did you send money from MoMo ${local} to your bank? Its messages are unclear. Enter its balance under Wallets in the dashboard, or tell the operator.`
    : `Did you just send money from MoMo ${local} to your bank? See the amount under Wallets in the dashboard. Answer yes or no there, or tell the operator.`;
}

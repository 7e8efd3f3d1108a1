import type { Branch } from '../chain/branches.ts';
import { noteAsked, replaceChain } from '../chain/chain.table.ts';
import { type Chain, headOf, type Movement } from '../chain/chain.ts';
import { requireChain } from '../chain/find-wallet.ts';
import { whileChainChanges } from '../chain/link-texts.ts';
import { branchInQuestion } from '../chain/unproven-branches.ts';
import { isMobileNumber } from '../ghana/phone-number.ts';
import { getMerchant } from '../merchant/merchant.table.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import { PublicError } from '../runtime/values/errors.ts';
import type { Sender } from '../sender/sender.ts';
import { operatorSender, operatorText } from '../sms/operator-text.ts';
import { createSend } from '../sms/send.table.ts';
import { balanceQuestion } from './balance-question.ts';
import { soleMerchantOf } from './sole-merchant.ts';
import { keepUnclearBalance } from './wallet-notice.table.ts';

/** A wallet's owner is asked this often at most, whatever is forged. A question that was not sent by then asks for an old balance. */
const ASKED_EVERY_MS = 30 * 60 * 1000;

/**
 * Asks the owner of a wallet whether it holds what a branch says, once for each branch: no texts alone make a branch the head. The question
 * is a webhook and, where the merchant's contact is a mobile number, a text that costs no credit. Of a wallet that several merchants share
 * only the operator may know.
 */
export async function askOwner(
  outside: WorkerOutside,
  wallet: Chain,
  waiting: readonly Movement[],
  senders: readonly Sender[],
): Promise<void> {
  if (!questionFor(outside, wallet, waiting)) return;
  const merchantId = await soleMerchantOf(outside, wallet);
  const merchant = merchantId === undefined ? undefined : await getMerchant(outside, merchantId);
  await whileChainChanges(outside, async () => {
    const chain = await requireChain(outside, wallet);
    const branch = questionFor(outside, chain, waiting);
    if (!branch) return;
    await outside.table.write([
      replaceChain(chain, { ...chain, asked_ms: outside.now() }),
      ...branch.texts.slice(0, 1).map((first) => noteAsked(outside, chain, first)),
      keepUnclearBalance(outside, {
        kind: 'balance_unclear',
        network: chain.network,
        momo_number: chain.momo_number,
        merchant_id: merchant?.merchant_id,
        balance_pesewas: branch.to.balance,
        proven_pesewas: headOf(chain).balance,
        texts: branch.texts.length,
        received_at: new Date(branch.from.at_ms).toISOString(),
      }),
      ...textTo(outside, merchant, chain, senders),
    ]);
  });
}

function questionFor(outside: WorkerOutside, chain: Chain, waiting: readonly Movement[]): Branch | undefined {
  const nowMs = outside.now();
  if (nowMs - (chain.asked_ms ?? 0) < ASKED_EVERY_MS) return undefined;
  return branchInQuestion(chain, waiting, nowMs);
}

/** The text is the smaller part of the question: where none can be sent, the webhook and the operator's list remain. */
function textTo(
  outside: WorkerOutside,
  merchant: Merchant | undefined,
  { network, momo_number }: Chain,
  senders: readonly Sender[],
): TableWrite[] {
  const { merchant_id, contact } = merchant ?? {};
  if (!contact || !isMobileNumber(contact)) return [];
  const message = balanceQuestion(momo_number);
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

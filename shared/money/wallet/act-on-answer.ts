import { recordAudit } from '../../merchants/audit/audit.table.ts';
import { merchantRows } from '../../merchants/merchant/merchant.table.ts';
import { acceptAnswers, type Device, deviceRows, TEXT_SLOT } from '../../merchants/user/device.table.ts';
import { may } from '../../merchants/user/permissions.ts';
import { hasPasskeyOf, userRows } from '../../merchants/user/user.table.ts';
import type { RetryOutside, TableOutside } from '../../runtime/outside/outside.ts';
import { HOUR_MS } from '../../runtime/values/calendar.ts';
import { hasCode } from '../../runtime/values/errors.ts';
import {
  getQuestion,
  noteOutcome,
  type Outcome,
  type Question,
  type QuestionJob,
} from '../../texts/question/question.table.ts';
import type { Wallet } from '../../wallets/chain/chain.table.ts';
import { soleMerchantOf } from '../../wallets/chain/change-chain.ts';
import { getUnclearBalance } from '../../wallets/wallet/wallet-notice.table.ts';
import { confirmByOwner, denyByOwner } from './confirm-by-owner.ts';

/** Maximum age of a reply. An older one describes an outdated balance. */
const USEFUL_MS = HOUR_MS;

/**
 * Acts on an owner's reply by text, with the owner's current permissions. The caller has already checked the
 * verification code. Idempotent.
 */
export async function actOnAnswer(outside: RetryOutside, job: QuestionJob): Promise<void> {
  const question = await getQuestion(outside, job);
  if (question?.word === undefined || question.outcome !== undefined) return;
  const device = await askedDevice(outside, question);
  if (question.about === 'hello') return switchOn(outside, question, device);
  await outside.table.write([noteOutcome(question, await outcomeOf(outside, question, device))]);
}

async function outcomeOf(outside: RetryOutside, question: Question, device: Device | undefined): Promise<Outcome> {
  if (!device?.answers_since || outside.now() - Date.parse(question.answered_at ?? '') > USEFUL_MS) return 'refused';
  try {
    return (await applyAnswer(outside, question)) ? 'taken' : 'refused';
  } catch (error) {
    // No text, or more than one, leads to that balance, so the owner must enter the balance. All other errors are
    // retried.
    if (hasCode(error, 'invalid_request', 'not_found')) return 'refused';
    throw error;
  }
}

async function applyAnswer(outside: RetryOutside, question: Question): Promise<boolean> {
  const { about, word, merchant_id, user_id } = question;
  const wallet = walletOf(question);
  if (!wallet || word === undefined || (await soleMerchantOf(outside, wallet)) !== merchant_id) return false;
  if (typeof word === 'number') {
    await confirmByOwner(outside, wallet, word, { by: user_id, isNamed: true, how: BY_TEXT });
    return true;
  }
  // The balance in any other question appears only on the page. Nobody may confirm a balance that they have not seen.
  if (about !== 'bank') return false;
  const asked = await getUnclearBalance(outside, wallet, question.notice_at ?? '');
  if (!asked?.sent_to_bank) return false;
  const { balance_pesewas } = asked;
  if (word === 'yes')
    await confirmByOwner(outside, wallet, balance_pesewas, { by: user_id, isNamed: false, how: BY_TEXT });
  else await denyByOwner(outside, wallet, balance_pesewas, { by: user_id, how: BY_TEXT });
  return true;
}

const BY_TEXT = { answered: 'by text' } as const;

function walletOf({ network, momo_number }: Question): Wallet | undefined {
  return network && momo_number ? { network, momo_number } : undefined;
}

/**
 * Turns on questions by text for this wallet. The reply proves that the number is the owner's and that texts arrive
 * there.
 */
async function switchOn(outside: RetryOutside, question: Question, device: Device | undefined): Promise<void> {
  const { merchant_id, user_id, word } = question;
  const isWanted = device !== undefined && word === 'yes';
  const noted = noteOutcome(question, isWanted ? 'taken' : 'refused');
  const entry = { merchant_id, by: user_id, action: 'device answer', after: BY_TEXT };
  const writes = isWanted ? [acceptAnswers(outside, device), recordAudit(outside, entry)] : [];
  await outside.table.write([noted, ...writes]);
}

async function askedDevice(outside: TableOutside, { merchant_id, user_id, number }: Question) {
  const [device, user, merchant] = await Promise.all([
    deviceRows.find(outside, { merchant_id, user_id, slot: TEXT_SLOT }),
    userRows.find(outside, { user_id }),
    merchantRows.find(outside, { merchant_id }),
  ]);
  if (!user || user.removed_at !== undefined || user.merchant_id !== merchant_id || user.role !== 'owner') return;
  const mayAnswer = may(user, 'proof:confirm') && merchant !== undefined && !merchant.suspended_at;
  const isAsked = device?.to === number && device.answers_asked_at !== undefined && hasPasskeyOf(user, device);
  return mayAnswer && isAsked ? device : undefined;
}

import type { Outside } from '../runtime/outside/outside.ts';
import { type ErrorCode, PublicError } from '../runtime/values/errors.ts';
import { chooseSender } from '../sender/choose-sender.ts';
import { rememberedSenders } from '../sender/sender.table.ts';
import { createSend, OPERATOR } from '../sms/send.table.ts';
import { newSend } from '../sms/send.ts';
import { missingPesewas } from '../transaction/amounts.ts';
import { findTransaction, MovedOn, type Transaction } from '../transaction/transaction.table.ts';
import { accountsOf } from '../transaction/transaction.ts';
import { takeClaimTry, uncountClaim } from './claim.table.ts';
import { claimableSince, isClaimable, namesAnother } from './claimable.ts';
import { codeText } from './code-text.ts';
import { payWithReceipt } from './pay-with-receipt.ts';
import { PaymentUsed } from './payment-use.table.ts';
import {
  CODE_KEPT_SECONDS,
  CODE_LIFETIME_MS,
  CodesUsedUp,
  createCode,
  noteNoSender,
  tryCode,
} from './phone-code.table.ts';
import { listHeldOfPayer, ReceiptChanged } from './receipt.table.ts';
import { isAssignable, type PaymentReceipt } from './receipt.ts';
import { contradictionOf } from './same-text.ts';

/**
 * An answer that says nothing comes no sooner, so that how long it took says nothing either. Longer than all the pauses of a
 * write that meets others: only where a number has paid is anything written.
 */
export const ANSWER_TAKES_MS = 2_000;

/** Whether the request was heard, and not what it found; or how long (in seconds) no more are taken. */
export type CodeRequested = { readonly isHeard: true } | { readonly waitSeconds: number };

/**
 * Sends a code to a number if it made a held payment that can be the charge's. Whether it did, nobody but who holds that number
 * learns: the outcome is the same, and as late. Each call takes one of the charge's tries, and counts for the wallet as a
 * wrong claim until the charge is paid, so that nobody walks through numbers.
 */
export async function requestCode(outside: Outside, charge: Transaction, phone: string): Promise<CodeRequested> {
  const startedMs = outside.now();
  const taken = await takeClaimTry(outside, charge.reference, charge.momo_number);
  if ('waitSeconds' in taken) return taken;
  const [receipt] = await listClaimable(outside, charge, phone);
  if (receipt) await sendCode(outside, charge, receipt, phone);
  await waitUntil(outside, startedMs + ANSWER_TAKES_MS);
  return { isHeard: true };
}

/**
 * Pays a charge with the held payment that a number made, if the code is the one that was sent there for this charge. False
 * for every other reason, and as late.
 */
export async function payByCode(outside: Outside, charge: Transaction, phone: string, code: string): Promise<boolean> {
  if (charge.state === 'success') return true;
  const startedMs = outside.now();
  const isPaid = await payIfRight(outside, charge, phone, code);
  if (isPaid) await uncountClaim(outside, charge.momo_number);
  // By its own payment meanwhile, or by the other press of the same button.
  if (isPaid || (await findTransaction(outside, charge.reference))?.state === 'success') return true;
  await waitUntil(outside, startedMs + ANSWER_TAKES_MS);
  return false;
}

/**
 * The held payments of a number that a code could give to a charge, newest first. Amount, time, merchant and doubts count as
 * for every claim, and so does what the payer typed. Names do not: who holds the number that paid is the payer, or whom the payer
 * trusts with it, and may have two charges open or pay for somebody else.
 */
async function listClaimable(outside: Outside, charge: Transaction, phone: string): Promise<PaymentReceipt[]> {
  const accounts = accountsOf(charge);
  const amounts = new Set([charge.amount_pesewas, missingPesewas(charge)]);
  const held = await Promise.all(
    accounts.flatMap(({ number: momoNumber }) =>
      [...amounts].map((amountPesewas) =>
        listHeldOfPayer(outside, { momoNumber, phone, amountPesewas }, claimableSince(charge)),
      ),
    ),
  );
  const fitting: PaymentReceipt[] = [];
  for (const receipt of held.flat()) {
    const { network, momo_number } = receipt;
    const isOnItsAccount = accounts.some((account) => account.number === momo_number && account.network === network);
    if (!isOnItsAccount || !isAssignable(receipt) || !isClaimable(receipt, charge)) continue;
    if (await contradictionOf(outside, receipt)) continue;
    if (!(await namesAnother(outside, receipt, charge))) fitting.push(receipt);
  }
  return fitting.toSorted((a, b) => (a.received_at < b.received_at ? 1 : -1));
}

/** The code, its counts and its text are one transaction: none is sent that is not counted. */
async function sendCode(outside: Outside, charge: Transaction, receipt: PaymentReceipt, phone: string): Promise<void> {
  const { receipt_id: receiptId, amount_pesewas } = receipt;
  const code = newCode(outside);
  try {
    const senders = await rememberedSenders(outside);
    const { number: from } = chooseSender(outside, senders, { merchant_id: OPERATOR, from: 'random' });
    const send = newSend(outside, undefined, { to: [phone], message: codeText(code, charge, amount_pesewas) }, from);
    const nowMs = outside.now();
    await outside.table.write([
      ...createCode(outside, { receiptId, reference: charge.reference, phone }, code),
      createSend({
        ...send,
        useless_at: new Date(nowMs + CODE_LIFETIME_MS).toISOString(),
        expires_at_epoch_seconds: Math.floor(nowMs / 1000) + CODE_KEPT_SECONDS,
      }),
    ]);
  } catch (error) {
    // Only a number that has paid gets so far, and nothing may tell that it has.
    if (is(error, 'no_sender_available') || is(error, 'queue_full')) await noteNoSender(outside, receiptId);
    else if (!is(error, 'busy') && !(error instanceof CodesUsedUp)) throw error;
  }
}

async function payIfRight(outside: Outside, charge: Transaction, phone: string, code: string): Promise<boolean> {
  const receipts = await listClaimable(outside, charge, phone);
  const ids = receipts.map(({ receipt_id }) => receipt_id);
  const right = await tryCode(outside, ids, charge.reference, code).catch((error: unknown) => {
    // Only a code that exists can be busy, and nothing may tell that it does.
    if (is(error, 'busy')) return undefined;
    throw error;
  });
  const receipt = receipts.find(({ receipt_id }) => receipt_id === right?.receiptId);
  if (!right || !receipt) return false;
  try {
    const { writes } = await payWithReceipt(outside, charge, receipt, 'phone', receipt);
    await outside.table.write([...writes, right.use]);
    return true;
  } catch (error) {
    const hasMovedOn = [MovedOn, ReceiptChanged, PaymentUsed, CodesUsedUp].some((kind) => error instanceof kind);
    if (hasMovedOn) return false;
    throw error;
  }
}

/** Six digits, each code as likely as any other but for one part in a million. */
function newCode({ randomBytes }: Pick<Outside, 'randomBytes'>): string {
  return String(randomBytes(6).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

function is(error: unknown, code: ErrorCode): boolean {
  return error instanceof PublicError && error.code === code;
}

async function waitUntil(outside: Outside, ms: number): Promise<void> {
  await outside.sleep(Math.max(0, ms - outside.now()));
}

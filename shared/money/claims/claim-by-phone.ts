import { shownMoney } from '../../ghana/money.ts';
import { rememberedSenders } from '../../phones/sender/sender.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { ANSWER_TAKES_MS, waitUntil } from '../../runtime/outside/same-timing.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { NoCode, newCode } from '../../runtime/table/one-time-code.ts';
import { hasCode } from '../../runtime/values/errors.ts';
import { fitName } from '../../texts/sms/segments.ts';
import { createSend } from '../../texts/sms/send.table.ts';
import { operatorSender, operatorText } from '../../texts/sms/send.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import { accountsOf } from '../charge/charge.ts';
import { missingPesewas } from '../payment/payment.ts';
import { listHeldOfPayer } from '../receipt/receipt.table.ts';
import { isAssignable, type PaymentReceipt } from '../receipt/receipt.ts';
import { contradictionOf } from '../receipt/texts-of-payment.ts';
import { doubtElsewhere } from '../receipt/typed-use.ts';
import { payWithReceipt } from '../settling/pay-charge.ts';
import { type ClaimTry, countClaimTry, countersOf, uncountClaims } from './claim.table.ts';
import { asClaimed, claimableSince, isClaimable, mayBeClaimed, namesAnother, takeOverAsClaimed } from './claimable.ts';
import { CODE_LIFETIME_MS, CodesUsedUp, createCode, noteNoSender, tryCode } from './phone-code.table.ts';

/**
 * Minimum payment for a claim code. Anybody can type a stranger's number in a payment, so an attack must cost the
 * attacker more than the operator.
 */
const MIN_CODED_PESEWAS = 100;

const CODE_DIGITS = 6;

const MAX_CODED_PAYMENTS = 3;

type CodeRequested = { readonly isHeard: true } | Extract<ClaimTry, { refusedBy: unknown }>;

interface PhoneClaim {
  readonly phone: string;
  readonly sourceIp: string;
}

/**
 * Texts a claim code to a phone number if a held payment from it may be for the charge. Neither the result nor its
 * timing reveals whether a code was sent. Each call uses one of the charge's attempts, and counts as a wrong claim
 * against the number until the charge is paid.
 */
export async function requestCode(
  outside: Outside,
  charge: Charge,
  { phone, sourceIp }: PhoneClaim,
): Promise<CodeRequested> {
  const startedMs = outside.now();
  const taken = await countClaimTry(outside, charge, { payers: [phone], sourceIp });
  if ('refusedBy' in taken) return taken;
  const [receipt] = await listClaimable(outside, charge, phone, 1);
  // Log the errors below but do not return them: an error would reveal that this number has paid or that a code exists.
  if (receipt)
    await sendCode(outside, charge, receipt, phone).catch((error) =>
      outside.log.error('code_not_sent', { reference: charge.reference, error }),
    );
  await waitUntil(outside, startedMs + ANSWER_TAKES_MS);
  return { isHeard: true };
}

/**
 * Pays a charge with a held payment from this number if the code is right. Returns false for every failure, and always
 * takes the same time to do so.
 */
export async function payByCode(outside: Outside, charge: Charge, { phone, sourceIp }: PhoneClaim, code: string) {
  if (charge.state === 'success') return true;
  const startedMs = outside.now();
  const isPaid = await payIfRight(outside, charge, phone, code);
  if (isPaid) await uncountClaims(outside, countersOf(outside, charge, { payers: [phone], sourceIp }).flat());
  if (isPaid || (await chargeRows.find(outside, charge))?.state === 'success') return true;
  await waitUntil(outside, startedMs + ANSWER_TAKES_MS);
  return false;
}

/**
 * Lists a number's held payments that a claim code could assign to a charge, newest first. Runs all checks of a claim
 * except the name check, because the payer may be paying for somebody else.
 */
async function listClaimable(outside: Outside, charge: Charge, phone: string, most: number) {
  const accounts = accountsOf(charge);
  const amounts = [...new Set([charge.amount_pesewas, missingPesewas(charge)])].filter(
    (pesewas) => pesewas >= MIN_CODED_PESEWAS,
  );
  const held = await Promise.all(
    accounts.flatMap(({ number: momoNumber }) =>
      amounts.map((amountPesewas) =>
        listHeldOfPayer(outside, { momoNumber, phone, amountPesewas }, claimableSince(charge)),
      ),
    ),
  );
  const fitting: PaymentReceipt[] = [];
  const newestFirst = held.flat().toSorted((a, b) => (a.received_at < b.received_at ? 1 : -1));
  for (const stored of newestFirst) {
    if (fitting.length === most) break;
    const { network, momo_number } = stored;
    const isOnItsAccount = accounts.some((account) => account.number === momo_number && account.network === network);
    if (!isOnItsAccount || !isAssignable(stored)) continue;
    const receipt = asClaimed(stored);
    if (!isClaimable(receipt, charge)) continue;
    if (await contradictionOf(outside, receipt)) continue;
    if (!(await mayBeClaimed(outside, charge, receipt))) continue;
    if (!(await namesAnother(outside, receipt, charge))) fitting.push(stored);
  }
  return fitting;
}

async function sendCode(outside: Outside, charge: Charge, receipt: PaymentReceipt, phone: string): Promise<void> {
  const { receipt_id: receiptId, amount_pesewas } = receipt;
  const code = newCode(outside, CODE_DIGITS);
  try {
    const senders = await rememberedSenders(outside);
    const from = operatorSender(outside, senders);
    const message = codeText(code, charge, amount_pesewas);
    await outside.table.write([
      ...createCode(outside, { receiptId, reference: charge.reference, phone }, code),
      createSend(operatorText(outside, { from, to: phone, message, uselessAfterMs: CODE_LIFETIME_MS })),
    ]);
  } catch (error) {
    if (hasCode(error, 'no_sender_available', 'queue_full')) await noteNoSender(outside, receiptId);
    else if (!hasCode(error, 'busy') && !(error instanceof CodesUsedUp)) throw error;
  }
}

async function payIfRight(outside: Outside, charge: Charge, phone: string, code: string): Promise<boolean> {
  const receipts = await listClaimable(outside, charge, phone, MAX_CODED_PAYMENTS);
  const ids = receipts.map(({ receipt_id }) => receipt_id);
  const right = await tryCode(outside, ids, charge.reference, code).catch((error: unknown) => {
    if (hasCode(error, 'busy')) return undefined;
    throw error;
  });
  const stored = receipts.find(({ receipt_id }) => receipt_id === right?.receiptId);
  if (!right || !stored || (await doubtElsewhere(outside, charge.merchant_id, stored))) return false;
  const receipt = asClaimed(stored);
  try {
    const { over, writes: yields = [] } = (await takeOverAsClaimed(outside, charge, receipt)) ?? {};
    const { writes } = await payWithReceipt(outside, charge, receipt, { matched_by: 'phone', current: stored, over });
    await outside.table.write([...writes, ...yields, right.use]);
    return true;
  } catch (error) {
    if (error instanceof Changed || error instanceof NoCode) return false;
    throw error;
  }
}

export function codeText(
  code: string,
  { merchant_name }: Pick<Charge, 'merchant_name'>,
  amountPesewas: number,
): string {
  return fitName(
    merchant_name,
    { orElse: 'the shop', maxSegments: 1 },
    (name) =>
      `${code} is your code to confirm ${shownMoney(amountPesewas)} to ${name}. Nobody from the shop or the network will ask you for it.`,
  );
}

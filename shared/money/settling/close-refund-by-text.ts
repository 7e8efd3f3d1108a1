import type { Network } from '../../ghana/network.ts';
import { isInstitution } from '../../ghana/wallet-text/names.ts';
import { accountRows, merchantRows } from '../../merchants/merchant/merchant.table.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { RetryLater } from '../../runtime/triggers/queue.ts';
import { type ArrivedText, paidNumber, receivedAt } from '../../wallets/wallet/paid-number.ts';
import { setRefunds } from '../charge/change-charge.table.ts';
import { type Charge, getCharges, madeBetween } from '../charge/charge.table.ts';
import { isSameName, nameWords } from '../charge/customer-name.ts';
import { findCharges } from '../charge/lookup.table.ts';
import { termsOfName } from '../charge/search.ts';
import { type Payment, paymentsOf, unnotedPesewas } from '../payment/payment.ts';
import { CHECKED_AFTER_SECONDS } from '../receipt/proof-job.ts';
import { listSendable, receiptRows } from '../receipt/receipt.table.ts';
import { closedRefunds } from '../refund/note-refund.ts';
import {
  listOpenRefunds,
  type OpenRefund,
  openRefundRows,
  TRANSFER_TOLD_MS,
  useTransfer,
} from '../refund/open-refund.table.ts';
import { findRequest } from '../request/request.table.ts';
import { readSums } from '../request/sums.ts';

/**
 * Maximum number of refunds of the same amount to compare with a transfer. If there are more, the transfer closes none
 * of them.
 */
const MAX_OPEN = 50;
/**
 * Maximum number of held payments to compare with a transfer. `MAX_NAMED`: maximum number of charges from one month
 * that have the rarest word of the recipient's name.
 */
const MAX_HELD = 200;
const MAX_NAMED = 500;
/** Maximum number of the recipient's payment requests to read. */
const MAX_REQUESTS = 10;

/**
 * Closes the refund that a verified outgoing transfer pays, unless the wallet's anchor is young. Exactly one refund
 * must match: for this amount, by a merchant on this number, recorded before the transfer, and owed to a payer with
 * exactly the recipient's name and network. A transfer to another network must also show the payer's number. A person
 * closes the refund if none or several match, or if the transfer may have paid somebody without a recorded refund.
 */
export async function closeRefundByText(
  outside: WorkerOutside,
  { phoneEvent, reading, senders, checked }: ArrivedText,
): Promise<void> {
  if (reading.kind !== 'money_out') return;
  // Only a verified transfer closes a refund: anybody can forge a text.
  const isChecking = checked?.proof.state === 'checking';
  if (!checked || checked.isYoung || (!isChecking && checked.proof.state !== 'proven')) return;
  const { network, amountPesewas, sentTo, transactionId } = reading;
  const counterparty = sentTo?.name ?? reading.counterparty;
  const momo_number = paidNumber(phoneEvent, senders);
  if (!amountPesewas || !counterparty || !transactionId || !momo_number) return;
  // A number without a name, or the name of a bank or switch, does not identify the recipient.
  if (namesOf(counterparty).length === 0 || isInstitution(counterparty)) return;
  const accounts = (await accountRows.list(outside, { number: momo_number })).filter((one) => one.network === network);
  const merchants = new Set(accounts.map(({ merchant_id }) => merchant_id));
  // A copy of an old text must not close a refund that was recorded after the transfer.
  const { linkedAtMs = Number.POSITIVE_INFINITY } = checked;
  const sentAt = isoOf(Math.min(Date.parse(receivedAt(phoneEvent)), linkedAtMs));

  await retryIfChanged(async () => {
    const found = await Promise.all(
      [...merchants].map((id) => listOpenRefunds(outside, id, amountPesewas, MAX_OPEN + 1)),
    );
    const open = found.flat();
    if (open.length === 0 || open.length > MAX_OPEN) return;
    if (isChecking) throw new RetryLater(CHECKED_AFTER_SECONDS, 'An earlier text may still arrive');
    const charges = await getCharges(
      outside,
      open.map(({ reference }) => reference),
    );
    const fitting = open.flatMap((refund) => {
      const charge = charges.find(({ reference }) => reference === refund.reference);
      return charge && isMeant(charge, refund, { network, counterparty, sentAt }) ? [{ charge, refund }] : [];
    });
    const paidBy = sentTo ? await Promise.all(fitting.map(({ charge }) => phonesOf(outside, charge))) : [];
    const [only, ...others] = sentTo ? fitting.filter((_, n) => paidBy[n]?.includes(sentTo.phone)) : fitting;
    if (!only || others.length > 0) return;
    if (await mayNeedNoNote(outside, merchants, { network, counterparty, sentAt }, amountPesewas)) return;
    const { charge, refund } = only;
    const closed = closedRefunds(outside, charge, [refund.refund_id], {
      state: 'sent',
      closed_by: 'wallet',
      transaction_id: transactionId,
    });
    await outside.table.write([
      setRefunds(charge, closed),
      openRefundRows.remove(refund),
      useTransfer(network, transactionId, refund, charge),
    ]);
  });
}

interface Transfer {
  readonly network: Network;
  readonly counterparty: string;
  readonly sentAt: string;
}

async function phonesOf(outside: WorkerOutside, charge: Charge): Promise<(string | undefined)[]> {
  const receipts = await Promise.all(
    paymentsOf(charge).map(({ receipt_id }) => receiptRows.find(outside, { receipt_id })),
  );
  return receipts.map((receipt) => receipt?.payer_phone ?? receipt?.said_phone);
}

function isMeant(charge: Charge, { refund_id }: OpenRefund, { network, counterparty, sentAt }: Transfer): boolean {
  const note = charge.refunds?.find((one) => one.refund_id === refund_id);
  const isOpen = note?.state === 'noted' && note.noted_at <= sentAt;
  // A person marked the refund as sent without an id. This transfer may be the one they meant.
  const isNoted = note?.state === 'sent' && note.transaction_id === undefined;
  return (isOpen || isNoted) && paymentsOf(charge).some((payment) => isTo(payment, { network, counterparty }));
}

/** True if the transfer may have gone to this payment's payer, judging by name and network. */
function isTo(
  payment: Pick<Payment, 'network' | 'payer_name'>,
  { network, counterparty }: Pick<Transfer, 'network' | 'counterparty'>,
): boolean {
  return payment.network === network && isSameName(namesOf(counterparty), namesOf(payment.payer_name ?? ''));
}

/**
 * True if a payer may have been sent this amount without a recorded refund, because their payment is held or set aside,
 * or because they overpaid a charge or a payment request by this amount.
 */
async function mayNeedNoNote(
  outside: WorkerOutside,
  merchantIds: ReadonlySet<string>,
  transfer: Transfer,
  amountPesewas: number,
): Promise<boolean> {
  const fromMs = Date.parse(transfer.sentAt) - TRANSFER_TOLD_MS;
  const page = { amountPesewas, between: [isoOf(fromMs), `${transfer.sentAt}~`], from: 0 } as const;
  const terms = termsOfName(namesOf(transfer.counterparty).join(' '));
  for (const id of merchantIds) {
    const merchant = await merchantRows.find(outside, { merchant_id: id });
    if (!merchant) continue;
    const { receipts, next } = await listSendable(outside, merchant, { ...page, limit: MAX_HELD });
    if (next !== undefined || receipts.some((receipt) => isTo(receipt, transfer))) return true;
    if (!terms) continue;
    const made = { between: madeBetween({ fromMs, toMs: outside.now() }), newestFirst: true, limit: MAX_NAMED };
    const { entries, next: more } = await findCharges(outside, id, terms, made);
    const paid = entries.filter((charge) => paymentsOf(charge).some((payment) => isTo(payment, transfer)));
    if (more !== undefined || paid.some((charge) => Number(unnotedPesewas(charge)) === amountPesewas)) return true;
    const slugs = new Set(paid.flatMap(({ origin }) => (origin.kind === 'request' ? origin.slug : [])));
    if (slugs.size > MAX_REQUESTS) return true;
    for (const slug of slugs) if ((await unnotedOfRequest(outside, slug)) === amountPesewas) return true;
  }
  return false;
}

async function unnotedOfRequest(outside: WorkerOutside, slug: string): Promise<number> {
  const request = await findRequest(outside, slug);
  if (!request) return 0;
  return Number((await readSums(outside, request)).toReturnPesewas);
}

/** Networks may append the phone number to the name. */
function namesOf(name: string): string[] {
  return nameWords(name).filter((word) => !/\d/.test(word));
}

import type { Network } from '../../ghana/network.ts';
import { isInstitution } from '../../ghana/wallet-text/names.ts';
import { accountRows, merchantRows } from '../../merchants/merchant/merchant.table.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { type ArrivedText, paidNumber, receivedAt } from '../../wallets/wallet/paid-number.ts';
import { setRefunds } from '../charge/change-charge.table.ts';
import { type Charge, getCharges, madeBetween } from '../charge/charge.table.ts';
import { isSameName, nameWords } from '../charge/customer-name.ts';
import { findCharges } from '../charge/lookup.table.ts';
import { termsOfName } from '../charge/search.ts';
import { overpaidPesewas, type Payment, paymentsOf, refundedPesewas } from '../payment/payment.ts';
import { listSendable, receiptRows } from '../receipt/receipt.table.ts';
import { closedRefunds } from '../refund/note-refund.ts';
import {
  listOpenRefunds,
  type OpenRefund,
  openRefundRows,
  TRANSFER_TOLD_MS,
  useTransfer,
} from '../refund/open-refund.table.ts';

/** Refund notes of one amount compared with a transfer. With more, it could be any of them. */
const MAX_OPEN = 50;
/** The same of held payments, and of the charges of a month on which the rarest word of a name is. */
const MAX_HELD = 200;
const MAX_NAMED = 500;

/**
 * Closes the refund note that a wallet's verified outgoing transfer fulfils, whether its chain decides or only observes: the one note of this number's merchants over its amount, made
 * before it, whose payer has the very name that the money went to, and was paid on that network. Money that went to another network has
 * to name the payer's number too. Where none or several fit, or money of theirs may have gone back without a note, a person closes it: a customer
 * whose note is closed by another transfer never gets that money.
 */
export async function closeRefundByText(
  outside: WorkerOutside,
  { phoneEvent, reading, senders, checked }: ArrivedText,
): Promise<void> {
  if (reading.kind !== 'money_out') return;
  // Anybody can forge a text: what its wallet's chain does not prove, a person closes.
  if (checked?.proof.state !== 'proven') return;
  const { network, amountPesewas, sentTo, transactionId } = reading;
  const counterparty = sentTo?.name ?? reading.counterparty;
  const momo_number = paidNumber(phoneEvent, senders);
  if (!amountPesewas || !counterparty || !transactionId || !momo_number) return;
  // Neither says who got the money: a number alone, and a bank or a switch through which it went.
  if (namesOf(counterparty).length === 0 || isInstitution(counterparty)) return;
  const accounts = (await accountRows.list(outside, { number: momo_number })).filter((one) => one.network === network);
  const merchants = new Set(accounts.map(({ merchant_id }) => merchant_id));
  const sentAt = receivedAt(phoneEvent);

  await retryIfChanged(async () => {
    const found = await Promise.all(
      [...merchants].map((id) => listOpenRefunds(outside, id, amountPesewas, MAX_OPEN + 1)),
    );
    const open = found.flat();
    if (open.length === 0 || open.length > MAX_OPEN) return;
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

/** The numbers that paid a charge, as the texts say. */
async function phonesOf(outside: WorkerOutside, charge: Charge): Promise<(string | undefined)[]> {
  const receipts = await Promise.all(
    paymentsOf(charge).map(({ receipt_id }) => receiptRows.find(outside, { receipt_id })),
  );
  return receipts.map((receipt) => receipt?.payer_phone ?? receipt?.said_phone);
}

function isMeant(charge: Charge, { refund_id }: OpenRefund, { network, counterparty, sentAt }: Transfer): boolean {
  const note = charge.refunds?.find((one) => one.refund_id === refund_id);
  const isOpen = note?.state === 'noted' && note.noted_at <= sentAt;
  // A person has said so, and this may be the transfer that they meant.
  const isNoted = note?.state === 'sent' && note.transaction_id === undefined;
  return (isOpen || isNoted) && paymentsOf(charge).some((payment) => isTo(payment, { network, counterparty }));
}

/** True if name and network allow that the money went to the payer of a payment. */
function isTo(
  payment: Pick<Payment, 'network' | 'payer_name'>,
  { network, counterparty }: Pick<Transfer, 'network' | 'counterparty'>,
): boolean {
  return payment.network === network && isSameName(namesOf(counterparty), namesOf(payment.payer_name ?? ''));
}

/**
 * True if somebody may get that amount without a note: a payment of theirs is held, or was set aside, perhaps because it was sent back; or it is
 * what they paid too much for a charge.
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
    if (more !== undefined || entries.some((charge) => isTooMuch(charge, transfer, amountPesewas))) return true;
  }
  return false;
}

/** True if somebody paid exactly this much too much for a charge, and no note returns it. */
function isTooMuch(charge: Charge, transfer: Transfer, amountPesewas: number): boolean {
  const unnoted = overpaidPesewas(charge) - refundedPesewas(charge.refunds);
  return unnoted === amountPesewas && paymentsOf(charge).some((payment) => isTo(payment, transfer));
}

/** The networks may put the number behind the name. */
function namesOf(name: string): string[] {
  return nameWords(name).filter((word) => !/\d/.test(word));
}

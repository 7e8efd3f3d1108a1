import { createHash } from 'node:crypto';
import type { PhoneEvent } from '../gateway/phone-event.table.ts';
import { type AccountOfNumber, listAccountsOfNumber } from '../merchant/merchant.table.ts';
import type { Network } from '../merchant/momo-account.ts';
import type { Outside } from '../runtime/outside.ts';
import type { Sender } from '../sender/sender.ts';
import {
  findTransaction,
  listOpenTransactions,
  MovedOn,
  reverseTransaction,
} from '../transaction/transaction.table.ts';
import { LIFE_MS } from '../transaction/transaction.ts';
import { CLOCK_TOLERANCE_MS, chargeReferenceIn, type Decision, matchByName, matchByReference } from './match.ts';
import { paidNumber } from './paid-number.ts';
import { payWithReceipt } from './pay-with-receipt.ts';
import { type Payment, readReceipt } from './read-receipt.ts';
import { createReceipt, getReceipt, ReceiptStands, replaceReceipt } from './receipt.table.ts';
import { paymentReceiptId, type Receipt } from './receipt.ts';

/** What every receipt from one text has in common. */
type Origin = Pick<Receipt, 'momo_number' | 'sender' | 'text' | 'received_at' | 'merchant_id'>;

/**
 * Settles a text that arrived at a phone: a payment is matched to its charge, or held or kept unread for a person; a
 * reversal takes its payment back; anything else is let go. Settling a text again changes nothing.
 */
export async function settleReceipt(
  outside: Outside,
  phoneEvent: PhoneEvent,
  senders: readonly Sender[],
): Promise<void> {
  const { sender, message: text } = phoneEvent.event.payload;
  const reading = readReceipt(sender, text);
  if (reading.kind === 'other') return;
  const momo_number = paidNumber(phoneEvent, senders);
  const accounts = momo_number ? await listAccountsOfNumber(outside, momo_number) : [];
  // Where several merchants are paid on one number, a payment that is not matched is for none of them to see.
  const merchant_id = accounts.length === 1 ? accounts[0]?.merchant_id : undefined;
  const origin: Origin = { momo_number, sender, text, received_at: receivedAt(phoneEvent), merchant_id };
  // What a text that is no payment is known by; the time as the phone tells it, for that is the same in every copy.
  const identity = [momo_number, sender, text, phoneEvent.event.payload.receivedAt].join('\n');

  if (reading.kind === 'payment') return settlePayment(outside, reading, origin, accounts);
  if (reading.kind === 'reversal' && momo_number) {
    for (const id of reading.transactionIds) await reversePayment(outside, reading.network, momo_number, id, origin);
    return;
  }
  // Under an id of its own: what a stranger writes must not stand in the way of the payment that it pretends to be.
  if (reading.kind === 'refused')
    return keepText(outside, origin, identity, { state: 'held', reason: 'sender_not_trusted' });
  return keepText(outside, origin, identity, { state: 'unread', network: reading.network });
}

async function settlePayment(
  outside: Outside,
  payment: Payment,
  origin: Origin,
  accounts: readonly AccountOfNumber[],
): Promise<void> {
  const receipt = {
    ...origin,
    receipt_id: paymentReceiptId(payment.network, origin.momo_number, payment.transactionId),
    network: payment.network,
    transaction_id: payment.transactionId,
    amount_pesewas: payment.amountPesewas,
    payer_name: payment.payerName,
    payer_phone: payment.payerPhone ?? undefined,
    payer_reference: payment.reference ?? undefined,
  };
  await whileOthersWrite(async () => {
    const decision = await decide(outside, payment, origin, accounts);
    try {
      await outside.table.write(
        'pays' in decision
          ? payWithReceipt(outside, decision.pays, receipt, decision.matchedBy).pieces
          : [
              createReceipt({
                ...receipt,
                merchant_id: decision.about?.merchant_id ?? origin.merchant_id,
                state: 'held',
                reason: decision.held,
              }),
            ],
      );
    } catch (error) {
      if (!(error instanceof ReceiptStands)) throw error;
      const { state, reason, amount_pesewas } = error.receipt;
      // Either a copy of a text that was settled before, or its reversal came first and learns now what it took back.
      if (amount_pesewas === undefined) {
        await outside.table.write([replaceReceipt(error.receipt, { ...receipt, state, reason })]);
      }
    }
  });
}

async function decide(
  outside: Outside,
  payment: Payment,
  { momo_number, received_at }: Origin,
  accounts: readonly AccountOfNumber[],
): Promise<Decision> {
  if (!momo_number) return { held: 'number_unknown' };
  if (accounts.length > 0 && !accounts.some(({ network }) => network === payment.network)) {
    return { held: 'network_differs' };
  }
  const reference = chargeReferenceIn(payment.reference);
  const named = reference ? await findTransaction(outside, reference) : undefined;
  const byReference = matchByReference(payment, momo_number, received_at, named);
  if (byReference) return byReference;
  const earliest = new Date(Date.parse(received_at) - LIFE_MS).toISOString();
  const latest = new Date(Date.parse(received_at) + CLOCK_TOLERANCE_MS).toISOString();
  const open = await listOpenTransactions(outside, momo_number, payment.amountPesewas, [earliest, latest]);
  return matchByName(payment, received_at, open);
}

/** Takes a payment back, or remembers its id where the payment has not arrived yet, so that it never confirms. */
async function reversePayment(
  outside: Outside,
  network: Network,
  momoNumber: string,
  transaction_id: string,
  origin: Origin,
): Promise<void> {
  const receipt_id = paymentReceiptId(network, momoNumber, transaction_id);
  await whileOthersWrite(async () => {
    const standing = await getReceipt(outside, receipt_id);
    const reversed = { state: 'held', reason: 'reversed' } as const;
    if (!standing) {
      return outside.table.write([createReceipt({ ...origin, receipt_id, network, transaction_id, ...reversed })]);
    }
    if (standing.reason === 'reversed') return;
    const charge = standing.state === 'matched' ? standing.reference : undefined;
    await outside.table.write([
      replaceReceipt(standing, { ...standing, ...reversed }),
      ...(charge ? [reverseTransaction(outside, charge)] : []),
    ]);
  });
}

/** Keeps a text that stands for no payment. The same text has the same id, whatever the phone calls the event. */
async function keepText(
  outside: Outside,
  origin: Origin,
  identity: string,
  what: Pick<Receipt, 'state' | 'reason' | 'network'>,
): Promise<void> {
  const receipt_id = `TEXT-${createHash('sha256').update(identity).digest('hex').slice(0, 32)}`;
  try {
    await outside.table.write([createReceipt({ ...origin, ...what, receipt_id })]);
  } catch (error) {
    if (!(error instanceof ReceiptStands)) throw error;
  }
}

/** Reads and decides again where what was read has moved on by the time it is written. */
async function whileOthersWrite(readAndWrite: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAndWrite();
    } catch (error) {
      if (!(error instanceof MovedOn || error instanceof ReceiptStands) || attempt === 5) throw error;
    }
  }
}

/** When the phone got the text, by its own clock where that makes sense: a text is not from the future. */
function receivedAt({ event, arrived_at }: PhoneEvent): string {
  const toldMs = Date.parse(event.payload.receivedAt ?? '');
  const arrivedMs = Date.parse(arrived_at);
  return Number.isNaN(toldMs) || toldMs > arrivedMs ? arrived_at : new Date(toldMs).toISOString();
}

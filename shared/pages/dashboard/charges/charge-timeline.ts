import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { paymentIdFor, type Reader, receiptFor } from '../../../money/receipt/shown-receipt.ts';
import {
  type MatchedBy,
  type Note,
  type Payment,
  paymentsOf,
  type Refund,
} from '../../../money/transaction/payment.ts';
import type { Transaction } from '../../../money/transaction/transaction.table.ts';
import { statusOf } from '../../../money/transaction/transaction.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { textAddress } from '../addresses.ts';
import type { Happening } from '../parts/timeline.ts';
import { heldAddress } from './addresses.ts';
import { stateOf } from './charge-state.ts';
import { heldWords, proofWords } from './held-words.ts';

interface Around {
  /** Held payments that may be for it. */
  readonly held: readonly Receipt[];
  readonly events: readonly Happening[];
  /** The names of the people in its notes. */
  readonly names: ReadonlyMap<string, string>;
  /** Who looks at it. */
  readonly reader: Reader;
}

/** Everything that happened to a charge. When its page was opened is not known: showing it writes nothing. */
export function happeningsOf(
  outside: Pick<Outside, 'now'>,
  charge: Transaction,
  { held, events, names, reader }: Around,
): Happening[] {
  return [
    { at: charge.created_at, what: 'Created', more: shownMoney(charge.amount_pesewas) },
    ...paymentsOf(charge).map((payment) => paymentHappening(charge, payment, reader)),
    ...held.map((receipt) => heldHappening(receiptFor(reader, receipt))),
    ...ends(outside, charge),
    ...(charge.refunds ?? []).flatMap(refundHappenings),
    ...(charge.notes ?? []).map((note) => noteHappening(note, names)),
    ...events,
  ];
}

const MATCHED_BY: Readonly<Record<MatchedBy, string>> = {
  reference: 'recognised by its reference',
  name: 'recognised by the payer’s name',
  claim: 'claimed by the customer with the transaction ID',
  phone: 'confirmed with a code to the number that paid',
  hand: 'given to it by hand',
};

function paymentHappening(charge: Transaction, payment: Payment, reader: Reader): Happening {
  const { amount_pesewas, payer_name, network, matched_by, received_at } = payment;
  const isPart = payment !== charge.payment;
  return {
    at: received_at,
    what: `${shownMoney(amount_pesewas)} arrived${payer_name ? ` from ${payer_name}` : ''}${isPart ? ', a part of it' : ''}`,
    more: html`${networks[network].name} · ID <span class="number">${paymentIdFor(reader, payment)}</span> · ${MATCHED_BY[matched_by]}<br>${proofWords(payment)}`,
    tone: isDoubtful(payment) ? 'look' : 'good',
  };
}

/** Of a new wallet no payment is proven yet: that says nothing against one. */
function isDoubtful({ proof }: Payment): boolean {
  return proof?.state === 'unproven' && proof.why !== 'not_established' && proof.why !== 'no_balance';
}

function heldHappening(receipt: Receipt): Happening {
  const { amount_pesewas = 0, payer_name, received_at, receipt_id } = receipt;
  const { word, why } = heldWords(receipt);
  return {
    at: received_at,
    what: html`<a href="${heldAddress(receipt_id)}">${shownMoney(amount_pesewas)}${payer_name ? ` from ${payer_name}` : ''} is held</a>`,
    more: `${word}: ${why}`,
    tone: 'look',
  };
}

/** How it ended, and what came after that. */
function ends(outside: Pick<Outside, 'now'>, charge: Transaction): Happening[] {
  const { paid_at, expires_at, expired_at, cancelled_at, reversed_at, disputed } = charge;
  const hasExpired = expired_at !== undefined || statusOf(outside, charge) === 'expired';
  return [
    ...(paid_at ? [{ at: paid_at, what: 'Paid', tone: 'good' as const }] : []),
    ...(hasExpired ? [{ at: expires_at, what: 'Expired', more: 'Its time to pay was over.' }] : []),
    ...(cancelled_at ? [{ at: cancelled_at, what: 'Cancelled' }] : []),
    ...(reversed_at
      ? [{ at: reversed_at, what: 'Reversed', more: 'The network took the payment back.', tone: 'bad' as const }]
      : []),
    ...(disputed
      ? [{ at: disputed.at, what: 'In doubt', more: stateOf(outside, charge).text, tone: 'look' as const }]
      : []),
  ];
}

function refundHappenings({ amount_pesewas, reason, state, noted_at, closed_at, ...closed }: Refund): Happening[] {
  const amount = shownMoney(amount_pesewas);
  const { closed_by, transaction_id } = closed;
  const by = closed_by === 'wallet' ? `Your wallet’s text says so · ID ${transaction_id}` : 'Somebody said so';
  return [
    { at: noted_at, what: `Refund of ${amount} noted`, more: reason },
    ...(closed_at && state !== 'noted'
      ? [
          {
            at: closed_at,
            what: state === 'sent' ? `${amount} was sent back` : `Refund of ${amount} withdrawn`,
            more: by,
          },
        ]
      : []),
  ];
}

function noteHappening({ at, by, text, send_id }: Note, names: ReadonlyMap<string, string>): Happening {
  const more = names.get(by) ?? 'Somebody who has left';
  return send_id
    ? { at, what: html`<a href="${textAddress(send_id)}">${text}</a>`, more }
    : { at, what: html`Note: <span class="note">${text}</span>`, more };
}

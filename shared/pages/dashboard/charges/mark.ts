import { html } from 'hono/html';
import * as z from 'zod/mini';
import { arrivedPesewas } from '../../../ghana/arrived.ts';
import { shownMoney, wholeMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { fieldAmount, TypedAmount } from '../../../ghana/typed.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { type Charge, requireCharge } from '../../../money/charge/charge.table.ts';
import { nameWords } from '../../../money/charge/customer-name.ts';
import { countClaimTry, uncountClaims } from '../../../money/claims/claim.table.ts';
import { MarkedHow, missingPesewas, totalPesewas } from '../../../money/payment/payment.ts';
import { COUNT_FIRST, LOOK_FIRST, shownOne, shownPaid } from '../../../money/payment/shown-payment.ts';
import type { PaymentReceipt, Receipt } from '../../../money/receipt/receipt.ts';
import { receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { acceptsPayment, countByHand, isInTime, requireReceipt } from '../../../money/settling/assign-receipt.ts';
import { markPaid, undoableMark, unmark } from '../../../money/settling/mark-paid.ts';
import { partsCountedAgain } from '../../../money/settling/pay-charge.ts';
import { type Clock, nowIso, type Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { PublicError, retryAfter } from '../../../runtime/values/errors.ts';
import { text } from '../../../runtime/values/text.ts';
import { chargeAddress, chargeLink, markAddress } from '../parts/addresses.ts';
import { emptyState, facts, type Html, quiet, section, shownTime } from '../parts/content.ts';
import { choice, type Field, field, foldedForm, formSection, type Part, tick, ticks } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { statePill } from './charge-state.ts';
import { stateWithout } from './not-there.ts';
import { readerOf } from './reader.ts';
import { chargeAfter, doesCodeLeave, isOfWebsite, releasedGoodsText } from './released-goods.ts';

const PATH = '/{reference}/mark';

const Typed = text(100);

export const MarkForm = z.object({
  how: MarkedHow,
  amount: TypedAmount,
  payer: z.optional(Typed),
  transaction_id: z.optional(Typed),
  number: z.optional(z.string().check(z.maxLength(20))),
  text: z.optional(z.string().check(z.maxLength(64))),
  ...ticks(['enough']),
});

type How = z.infer<typeof MarkedHow>;

const LOOK: Readonly<Record<How, string>> = {
  text: `${LOOK_FIRST} Type what your wallet shows, not what the message says.`,
  transfer: `${LOOK_FIRST} Type what your wallet shows, not what the customer says.`,
  cash: `${COUNT_FIRST} No message will confirm this payment.`,
};

export async function showMark(visit: MerchantVisit<'reference'>, outside: Outside): Promise<Shown> {
  const { merchant, path, query, refused, user } = visit;
  const charge = await requireCharge(outside, path.reference, merchant.merchant_id);
  const typed = refused?.typed ?? query;
  const textId = typed.text;
  const how = textId ? 'text' : (MarkedHow.safeParse(typed.how).data ?? 'cash');
  const title = 'Mark the bill as paid?';
  const back = { name: 'The bill', path: chargeAddress(charge.reference) };
  const reader = readerOf(user);
  const unread = textId ? receiptFor(reader, await requireReceipt(outside, merchant.merchant_id, textId)) : undefined;
  if (!acceptsPayment(outside, charge) && !(unread && isInTime(outside, charge, unread)))
    return {
      title,
      back,
      main: emptyState('This bill is not waiting for a payment', 'This bill can no longer be marked as paid.'),
    };
  return {
    title,
    back,
    main: html`${billSection(outside, charge)}
${unread && section('The message', html`<p class="words">${unread.text}</p>`)}
${await markForm(visit, outside, charge, { how, unread })}`,
  };
}

function billSection(outside: Outside, charge: Charge): Html {
  return section(
    'The bill',
    facts([
      ['Amount', html`<span class="number">${shownMoney(charge.amount_pesewas)}</span>`],
      ['Customer', charge.customer_name],
      ['For', charge.description],
      ['Reference', chargeLink(charge.reference)],
      ['Created', shownTime(charge.created_at)],
      ['State', statePill(outside, charge)],
    ]),
  );
}

async function markForm(
  visit: MerchantVisit<'reference'>,
  outside: Outside,
  charge: Charge,
  { how, unread }: Marking,
): Promise<Html> {
  const { merchant } = visit;
  const back = await partsCountedAgain(outside, charge, supposed(outside, charge, 0, { how, unread }));
  const due = Math.max(0, missingPesewas(charge) - totalPesewas(back));
  const facts = {
    path: PATH,
    submit: how === 'cash' ? 'I have the cash: mark as paid' : 'The money is there: mark as paid',
    carries: { how, text: unread?.receipt_id },
  };
  const paying = supposed(outside, charge, due, { how, unread });
  const after = await chargeAfter(countByHand(outside, paying, charge, { asPart: false }));
  const leaves = releasedGoodsText(outside, undefined, { charge, after, merchant });
  const earlier = back.map((part) => shownOne(charge, part).amountText).join(', ');
  return formSection(visit, how === 'cash' ? 'Paid in cash' : 'Paid by MoMo', facts, [
    readFirst(html`<p><b>${LOOK[how]}</b></p>`),
    html`<p>The payment will stay unverified. ${leaves}</p>`,
    ...(back.length > 0 ? [html`<p>Earlier payments count again: ${earlier}.</p>`] : []),
    field('amount', 'Amount', {
      value: fieldAmount(due),
      inputMode: 'decimal',
      isRequired: true,
      maxLength: 16,
    }),
    ...(how === 'cash' ? [field('payer', 'Who paid', { maxLength: 100 })] : transferFields(merchant, unread)),
    ...(charge.state !== 'success' ? [tick('enough', 'Accept less than the amount due')] : []),
  ]);
}

/** Renders content before the fields, so that focusing the first field does not scroll past the content. */
function readFirst(content: Html): Field {
  return (filled) => {
    filled.isFirst = false;
    return content;
  };
}

function transferFields({ momo_accounts }: Merchant, unread: Receipt | undefined): Part[] {
  const numbers = momo_accounts
    .filter(({ network }) => unread?.network === undefined || network === unread.network)
    .map(({ number, network }) => [number, `${networks[network].name} ${shownNumber(number)}`] as const);
  const which: Field[] =
    unread?.momo_number === undefined && numbers.length > 1 ? [choice('number', 'Paid to', { options: numbers })] : [];
  const hasLetters = momo_accounts.some(({ network }) => networks[network].transactionId.stops);
  return [
    ...which,
    field('payer', 'Who paid', { hint: 'The name shown in your wallet.', isRequired: true, maxLength: 100 }),
    field('transaction_id', 'Transaction ID', {
      hint: 'As shown in your wallet. Each ID can be used for only one bill.',
      inputMode: hasLetters ? 'text' : 'numeric',
      isRequired: true,
      maxLength: 100,
    }),
  ];
}

interface Marking {
  readonly how: How;
  readonly unread: Receipt | undefined;
}

/** Returns the payment as it will be if the person types this amount. */
function supposed(outside: Clock, charge: Charge, pesewas: number, { how, unread }: Marking): PaymentReceipt {
  const at = nowIso(outside);
  return {
    receipt_id: '',
    state: 'held',
    network: charge.momo_network,
    transaction_id: '',
    amount_pesewas: arrivedPesewas(pesewas),
    received_at: unread?.received_at ?? at,
    proof: { state: 'unproven' },
    marked: { how, at, by: '' },
  };
}

/** @throws PublicError `not_found`, `invalid_request`, `charge_not_pending`, `receipt_not_held`, `too_many_requests`. */
export async function markAsPaid(visit: MerchantVisit<'reference', typeof MarkForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form, commit } = visit;
  const { enough, how, amount, ...typed } = form;
  const details = { ...typed, how, amount, isEnough: enough === 'on', by: user.user_id };
  const tries = how === 'cash' ? [] : await countTry(outside, visit);
  const { charge, receipt, writes } = await markPaid(outside, merchant, path.reference, details);
  await uncountClaims(outside, tries);
  const { reference } = charge;
  const missing = missingPesewas(charge);
  // A cash mark cannot be undone once the code has left.
  const mayUndo = how !== 'cash' || !doesCodeLeave(outside, merchant, charge);
  const notice =
    charge.state === 'pending'
      ? `Counted as a part: ${wholeMoney(missing)} is still due.`
      : `The bill is marked as paid.${mayUndo ? ' You can undo this within a day.' : ''}`;
  const entry = {
    action: 'charge mark',
    about: reference,
    after: { how, amount_pesewas: amount, receipt: receipt.receipt_id },
  };
  return commit(writes, { goTo: chargeAddress(reference), notice }, entry);
}

/**
 * Counts each typed id as a wrong claim until it proves correct, to prevent probing for other shops' payments.
 * @throws PublicError `not_found`, `too_many_requests`.
 */
async function countTry(outside: Outside, { merchant, user, path, form }: MerchantVisit<'reference', typeof MarkForm>) {
  const charge = await requireCharge(outside, path.reference, merchant.merchant_id);
  const taken = await countClaimTry(outside, charge, {
    payers: nameWords(form.payer ?? ''),
    sourceIp: user.user_id,
    isMark: true,
  });
  if ('counted' in taken) return taken.counted;
  const minutes = Math.ceil(taken.waitSeconds / 60);
  throw new PublicError(
    'too_many_requests',
    `Too many IDs were entered for this bill or payer. Try again in ${counted(minutes, 'minute')}.`,
    retryAfter(taken.waitSeconds),
  );
}

export function markSection(visit: MerchantVisit<'reference'>, outside: Outside, charge: Charge): Html {
  const { reference } = charge;
  const mark = undoableMark(outside, charge);
  const missing = missingPesewas(charge);
  const isRest = missing < charge.amount_pesewas && shownPaid(charge).doubt === undefined;
  return html`${
    acceptsPayment(outside, charge) &&
    section(
      'Record a payment yourself',
      html`${isRest && html`<p>For the ${wholeMoney(missing)} still to pay.</p>`}<p class="actions"><a class="plain button" href="${markAddress(reference, 'how=cash')}">Paid in cash</a><a class="plain button" href="${markAddress(reference, 'how=transfer')}">Paid by MoMo</a></p>`,
    )
  }${
    mark &&
    quiet(
      'Marked as paid by mistake?',
      foldedForm(
        visit,
        'Undo it',
        {
          path: '/{reference}/unmark',
          submit: 'Undo the mark',
          carries: { receipt: mark.receipt_id },
          isDangerous: true,
        },
        html`<p class="hint">The bill ${stateWithout(outside, charge, mark)}.${isOfWebsite(charge) && ' Your website will be notified.'}</p>`,
      ),
    )
  }`;
}

export const UnmarkForm = z.object({ receipt: z.optional(z.string()) });

/** @throws PublicError `not_found`, `charge_not_pending`. */
export async function undoMark(visit: MerchantVisit<'reference', typeof UnmarkForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form, commit } = visit;
  const { reference } = path;
  const { merchant_id: merchantId } = merchant;
  const { payment, writes } = await unmark(outside, { merchantId, reference, by: user.user_id, shown: form.receipt });
  const entry = { action: 'charge unmark', about: reference, after: { receipt: payment.receipt_id } };
  return commit(writes, { goTo: chargeAddress(reference), notice: 'The mark is undone.' }, entry);
}

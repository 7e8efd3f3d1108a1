import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { createRequest } from '../../infra/local/story/steps.ts';
import { shownMoney } from '../../shared/ghana/money.ts';
import { type Charge, referenceOfAccessCode } from '../../shared/money/charge/charge.table.ts';
import { cameWith } from '../../shared/money/charge/origin.ts';
import { paidPesewas, refundedPesewas } from '../../shared/money/payment/payment.ts';
import { MAX_CHARGES } from '../../shared/money/request/open-request-charge.ts';
import { PaymentRequest } from '../../shared/money/request/request.table.ts';
import { countedOf } from '../../shared/money/request/sums.ts';
import { Send } from '../../shared/texts/sms/send.table.ts';
import { callOf, signIn } from '../support/dashboard.ts';
import { areaAt } from '../support/functions.ts';
import { lineOf } from '../support/page-words.ts';
import { chargesIn, type Kiosk, type Shop } from './kiosk.ts';

/** A paid request's badge. */
const PAID = '(Paid|Not verified|In doubt)';

type Item = Readonly<Record<string, unknown>>;

/** Creates a payment request with two instalments, the first due today, and reminders. */
export async function askShopFor(kiosk: Kiosk, { liveKey: key }: Pick<Shop, 'liveKey'>, amount: number) {
  const day = (days: number) => new Date(kiosk.nowMs + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const body = {
    title: 'Rent canary',
    lines: [{ description: 'Room canary', amount: Math.round(2 * amount * 100) / 100 }],
    customer_name: 'Kofi Mensah',
    customer_phone: '0551112223',
    instalments: [0, 30].map((days) => ({ due: day(days), amount })),
    reminders: [0, 1],
  };
  return (await createRequest(kiosk, body, { key, once: `request-${amount}` })).slug;
}

/** Pays an amount (GHS) towards a payment request. Returns the charge's reference if the response arrived. */
export async function pressPayPart(
  kiosk: Kiosk,
  slug: string,
  amount: number,
  sourceIp?: string,
): Promise<string | undefined> {
  const call = { parameters: { slug }, body: { amount: String(amount) }, ...(sourceIp && { sourceIp }) };
  const answer = await kiosk.request('r/open', call);
  const [, code = ''] = /^\/checkout\/(\w+)$/.exec(answer?.headers.location ?? '') ?? [];
  const reference = referenceOfAccessCode(code);
  if (reference) kiosk.promised.references.add(reference);
  return reference;
}

function requestsIn(items: readonly Item[]): PaymentRequest[] {
  return items.filter(({ sk }) => sk === 'REQUEST').map((item) => PaymentRequest.parse(item));
}

/** True if the request's row should contain the charge's money. A full row drops unpaid charges. */
function isRecorded(items: readonly Item[], charge: Charge): boolean {
  const isPending = items.some(({ pk, sk }) => String(pk).startsWith('REQUEST_MONEY#') && sk === charge.reference);
  return !isPending && (countedOf(charge)?.paid_pesewas ?? 0) > 0;
}

/** Returns charges that belong to no or two payment requests, and reminders sent twice a day or at night. */
export function wrongWithRequests(items: readonly Item[]): string[] {
  const requests = new Map(requestsIn(items).map((request) => [request.slug, request]));
  const unnamed = chargesIn(items).flatMap((charge) => {
    const { reference } = charge;
    const { request } = cameWith(charge);
    const listed = request === undefined ? [] : (requests.get(request)?.charges ?? []);
    const times = listed.filter((one) => one.reference === reference).length;
    const isDropped = times === 0 && listed.length >= MAX_CHARGES && !isRecorded(items, charge);
    const isRight = request === undefined || times === 1 || isDropped;
    return isRight ? [] : [`the request ${request} lists ${reference} ${times} times`];
  });
  const sends = items
    .filter(({ sk, request }) => sk === 'SEND' && request !== undefined)
    .map((item) => Send.parse(item));
  const days = sends.map(({ request, created_at }) => `${request} on ${created_at.slice(0, 10)}`);
  const twice = days
    .filter((day, n) => days.indexOf(day) < n)
    .map((day) => `its customer was reminded twice of ${day}`);
  const byNight = sends
    .filter(({ created_at }) => Number(created_at.slice(11, 13)) < 8 || Number(created_at.slice(11, 13)) >= 19)
    .map(({ request, created_at }) => `its customer was reminded of ${request} at ${created_at}`);
  return [...unnamed, ...twice, ...byNight];
}

/** Returns each payment request as it was when it became paid, oldest first. */
function becamePaid({ memory }: Pick<Kiosk, 'memory'>): PaymentRequest[] {
  return memory.records.flatMap(({ dynamodb }) => {
    const { OldImage: had, NewImage: has } = dynamodb ?? {};
    const isPaid = has?.sk?.S === 'REQUEST' && has.state?.S === 'paid' && had?.state?.S !== 'paid';
    return isPaid ? [PaymentRequest.parse(unmarshall(has as Record<string, AttributeValue>))] : [];
  });
}

/** A payment request, its charges with money, and what is left of that money. */
interface Kept {
  readonly request: PaymentRequest;
  readonly charges: readonly (readonly [reference: string, arrived: number, refunded: number])[];
  readonly keptPesewas: number;
  /** Refunds recorded since the request became paid. */
  readonly sincePesewas: number;
}

/** Adds up the charges of payment requests. Held money does not count, and neither do its refunds. */
function keptFor(kiosk: Kiosk): Kept[] {
  const items = kiosk.items();
  const paidAs = new Map(becamePaid(kiosk).map((request) => [request.slug, request]));
  return requestsIn(items).map((request) => {
    const charges = chargesIn(items)
      .filter((charge) => cameWith(charge).request === request.slug)
      .map((charge) => {
        const counts = charge.state === 'pending' || charge.state === 'success';
        const [arrived, held] = counts ? [paidPesewas(charge), 0] : [0, paidPesewas(charge)];
        return [charge.reference, Number(arrived), Math.max(0, refundedPesewas(charge.refunds) - held)] as const;
      })
      .filter(([, arrived, refunded]) => arrived > 0 || refunded > 0);
    const [arrived, refunded] = [sumOf(charges.map((one) => one[1])), sumOf(charges.map((one) => one[2]))];
    const then = request.state === 'paid' ? paidAs.get(request.slug)?.charges : undefined;
    const before = then ? Math.min(refunded, sumOf(then.map((one) => one.refunded_pesewas ?? 0))) : refunded;
    return { request, charges, keptPesewas: arrived - refunded, sincePesewas: refunded - before };
  });
}

/** Returns payment requests whose recorded payments or state is wrong. */
export function unsettledRequests(kiosk: Kiosk): string[] {
  const tooEarly = becamePaid(kiosk).flatMap(({ slug, total_pesewas, charges }) => {
    const kept = sumOf(charges.map(({ paid_pesewas, refunded_pesewas = 0 }) => paid_pesewas - refunded_pesewas));
    return kept < total_pesewas ? [`the request ${slug} became paid with ${kept} of ${total_pesewas}`] : [];
  });
  const pending = kiosk.memory.items().map(({ pk }) => pk);
  const wrong = keptFor(kiosk).flatMap(({ request, charges, keptPesewas, sincePesewas }) => {
    const { slug, state, total_pesewas, discount_pesewas = 0 } = request;
    const paid = request.charges.filter((one) => one.paid_pesewas > 0 || one.refunded_pesewas);
    const recorded = paid.map((one) => [one.reference, one.paid_pesewas, one.refunded_pesewas ?? 0]);
    const [has, must] = [recorded, charges].map((all) => all.map(String).toSorted().join(' '));
    const unrecorded = pending.filter((pk) => pk === `REQUEST_MONEY#${slug}`).length;
    const missing = Math.max(0, total_pesewas - keptPesewas);
    const faults = [
      unrecorded > 0 && `has ${unrecorded} charges whose money it has not recorded`,
      has !== must && `has recorded ${has}, and its charges say ${must}`,
      state === 'paid' && missing > discount_pesewas && `is paid, lacks ${missing} and gave ${discount_pesewas}`,
      discount_pesewas > sincePesewas && `gave ${discount_pesewas}, and ${sincePesewas} was refunded since`,
      state === 'open' && missing === 0 && `is open with ${keptPesewas} of ${total_pesewas}`,
    ];
    return faults.flatMap((fault) => (fault ? [`the request ${slug} ${fault}`] : []));
  });
  return [...tooEarly, ...wrong];
}

/** Returns payment requests that the API, a page or a list shows wrongly. */
export async function wrongWithShownRequests(kiosk: Kiosk): Promise<string[]> {
  const wrong: string[] = [];
  for (const { request, keptPesewas, sincePesewas } of keptFor(kiosk)) {
    const { slug, state, merchant_id, total_pesewas: total } = request;
    const kept = Math.max(0, state === 'paid' ? keptPesewas + sincePesewas : keptPesewas);
    const [open, over] = [Math.max(0, total - kept), Math.max(0, kept - total)];
    // The first of two equal instalments is overdue.
    const late = Math.max(0, total / 2 - kept);
    const [all, paid, left, tooMuch] = [total, kept, late || open, over].map(shownMoney);
    const by = await signIn(kiosk, 'owner', merchant_id);
    const visit = (path: string) => kiosk.request(areaAt(path), callOf(path, { by }));
    const isPaid = state === 'paid';
    const pages = [
      [
        await kiosk.request('r/page', { parameters: { slug } }),
        isPaid ? 'Paid in full|Do not pay again' : kept > 0 ? `${paid}( \\([a-z ]+\\))? paid of ${all}` : 'Overdue',
      ],
      [
        await visit(`/dashboard/requests/${slug}`),
        isPaid ? (over > 0 ? `so ${tooMuch}` : PAID) : `${paid}( \\([a-z ]+\\))? paid of ${all}`,
      ],
      [
        await visit('/dashboard/requests'),
        isPaid ? `Kofi Mensah ${PAID}` : `${left} ${late > 0 ? 'overdue' : 'to pay'}`,
      ],
    ] as const;
    for (const [answer, words] of pages) {
      const page = lineOf(answer?.body ?? '');
      if (page.search(words) < 0) wrong.push(`${slug} has ${kept} of ${total}, and a page says ${page}`);
    }
    const key = kiosk.shops.find(({ id }) => id === merchant_id)?.liveKey ?? '';
    const { requests } = await kiosk.ask('request/list', { key });
    const listed = requests.find((one: { slug: string }) => one.slug === slug);
    for (const shown of [listed, await kiosk.ask('request/show', { key, parameters: { slug } })]) {
      const is = [shown.status, shown.amount_paid, shown.amount_due, shown.amount_overpaid].join(', ');
      const must = [state, kept / 100, open / 100, over / 100].join(', ');
      if (is !== must) wrong.push(`${slug} is ${must}, and the API says ${is}`);
    }
  }
  return wrong;
}

function sumOf(pesewas: readonly number[]): number {
  return pesewas.reduce((total, one) => total + one, 0);
}

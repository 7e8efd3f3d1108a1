import { createRequest } from '../../infra/local/story/steps.ts';
import { type Charge, referenceOfAccessCode } from '../../shared/money/charge/charge.table.ts';
import { cameWith } from '../../shared/money/charge/origin.ts';
import { MAX_CHARGES } from '../../shared/money/request/open-request-charge.ts';
import { PaymentRequest } from '../../shared/money/request/request.table.ts';
import { countedOf } from '../../shared/money/request/sums.ts';
import { Send } from '../../shared/texts/sms/send.table.ts';
import { chargesIn, type Kiosk, type Shop } from './kiosk.ts';

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

/** Returns payment requests whose recorded payments or state is wrong. */
export function unsettledRequests(items: readonly Item[]): string[] {
  const charges = chargesIn(items);
  return requestsIn(items).flatMap(({ slug, state, total_pesewas, charges: named }) => {
    const counted = charges
      .filter((charge) => cameWith(charge).request === slug)
      .map((charge) => countedOf(charge)?.paid_pesewas ?? 0);
    const paid = counted.reduce<number>((sum, pesewas) => sum + pesewas, 0);
    const recorded = named.reduce((sum, { paid_pesewas }) => sum + paid_pesewas, 0);
    const unrecorded = items.filter(({ pk }) => pk === `REQUEST_MONEY#${slug}`).length;
    const faults = [
      unrecorded > 0 && `has ${unrecorded} charges whose money it has not recorded`,
      recorded !== paid && `has recorded ${recorded}, and its charges say ${paid}`,
      state === 'paid' && paid < total_pesewas && `is paid with ${paid} of ${total_pesewas}`,
      state === 'open' && paid >= total_pesewas && `is open, and all of it has arrived`,
    ];
    return faults.flatMap((fault) => (fault ? [`the request ${slug} ${fault}`] : []));
  });
}

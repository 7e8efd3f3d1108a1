import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { localNumber, shownNumber } from '../../../ghana/shown-number.ts';
import { fieldAmount, pesewasIn } from '../../../ghana/typed.ts';
import { type Charge, getCharge } from '../../../money/charge/charge.table.ts';
import { lookedForWords, nameWords } from '../../../money/charge/customer-name.ts';
import { listCharges } from '../../../money/charge/list-charges.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import { type TermKind, termKinds } from '../../../money/charge/search.ts';
import { writtenReference, writtenTransactionId } from '../../../money/charge/written-id.ts';
import { detailTyped, listOfDetails } from '../../../money/matching/typed-detail.ts';
import { readTypedReference } from '../../../money/matching/typed-reference.ts';
import { overpaidPesewas, paymentsOf } from '../../../money/payment/payment.ts';
import { shownOf, shownPaid } from '../../../money/payment/shown-payment.ts';
import type { Reader } from '../../../money/receipt/shown-receipt.ts';
import { metaOf } from '../../../runtime/http/pagination.ts';
import type { PageMeta } from '../../../runtime/http/responses.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { chargeAddress } from '../parts/addresses.ts';
import { ago, type Html } from '../parts/content.ts';
import { type Columns, table } from '../parts/list.ts';
import { marked } from '../parts/marked.ts';
import { statePill } from './charge-state.ts';

export const CHARGE_LISTS = [
  ['pending', 'Waiting'],
  ['success', 'Paid'],
  ['unverified', 'Not verified'],
  ['refunded', 'Refunded'],
  ['expired', 'Expired'],
  ['cancelled', 'Cancelled'],
  ['reversed', 'Reversed'],
] as const;

const FACTS: Readonly<Record<string, (charge: Charge) => boolean>> = {
  unverified: (charge) => shownPaid(charge).doubt !== undefined,
  refunded: ({ refunds = [] }) => refunds.some(({ state }) => state === 'sent'),
};

/** Number of charges per page, few enough for a cheap phone. */
const PER_PAGE = 25;

export type Query = Readonly<Record<string, string | undefined>>;

interface FoundCharges {
  readonly charges: readonly Charge[];
  readonly meta: Pick<PageMeta, 'next'>;
  /** Interpretation of the search terms on this page. The next page uses the same interpretation. */
  readonly by?: string | undefined;
  readonly fault?: string;
}

/** Finds charges by the first interpretation of the search terms that finds any. */
export async function findCharges(
  outside: Outside,
  merchantId: string,
  query: Query,
  reader: Pick<Reader, 'seesIds'>,
): Promise<FoundCharges | { readonly only: Charge }> {
  const { q, by, ...others } = query;
  const search = q === undefined ? undefined : readSearch(q);
  const { reference } = search ?? {};
  const only = reference === undefined ? undefined : await getCharge(outside, reference, merchantId);
  if (only) return { only };
  const known = termKinds.find((kind) => kind === by);
  const mayBe = (kind: TermKind) =>
    kind === 'transaction_id' ? reader.seesIds : kind !== 'amount' || others.amount === undefined;
  const kinds: readonly (TermKind | undefined)[] = known ? [known] : (search?.kinds.filter(mayBe) ?? [undefined]);
  for (const kind of kinds) {
    const found = await page(outside, merchantId, { ...others, ...(kind && { [kind]: q }) }, reader);
    if (found.charges.length > 0 || found.meta.next !== null || kind === kinds.at(-1)) return { ...found, by: kind };
  }
  return NOTHING;
}

/**
 * Finds charges like `findCharges`, and those whose order number or phone number was typed in another spelling. Only the
 * first `listed` ones are found by the list of charges, too.
 */
export async function searchCharges(
  outside: Outside,
  merchantId: string,
  typed: string,
  reader: Pick<Reader, 'seesIds'>,
): Promise<(FoundCharges & { readonly listed: number }) | { readonly only: Charge }> {
  const [found, ofDetails] = await Promise.all([
    findCharges(outside, merchantId, { q: typed }, reader),
    listOfDetails(outside, merchantId, typed),
  ]);
  if ('only' in found) return found;
  const all = [...found.charges, ...ofDetails.filter((charge) => detailTyped(typed, charge))];
  return {
    ...found,
    listed: found.charges.length,
    charges: [...new Map(all.map((charge) => [charge.reference, charge])).values()],
  };
}

const NOTHING: FoundCharges = { charges: [], meta: { next: null } };

/** Reads a page of results. An invalid search shows its error instead of the list. */
async function page(
  outside: Outside,
  merchantId: string,
  query: Query,
  reader: Pick<Reader, 'seesIds'>,
): Promise<FoundCharges> {
  const { status = '', ...others } = query;
  const passes = FACTS[status];
  const pesewas = pesewasIn(others.amount ?? '');
  const amount = pesewas !== undefined && { amount: fieldAmount(pesewas) };
  const asked = { per_page: String(PER_PAGE), ...others, ...amount, ...(status && !passes && { status }) };
  try {
    const found = await listCharges(outside, merchantId, asked, { ...reader, ...(passes && { passes }) });
    return { charges: found.charges, meta: metaOf(found.page, found.next) };
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    return { ...NOTHING, fault: error.message };
  }
}

interface Search {
  readonly reference?: string;
  readonly kinds: readonly TermKind[];
}

export function readSearch(typed: string): Search {
  const reference = writtenReference(typed);
  // Ten digits may also be a transaction id.
  const ofDigits: readonly TermKind[] = /^\s*mk/i.test(typed) ? [] : ['merchant_reference', 'transaction_id'];
  if (reference) return { reference, kinds: ofDigits };
  // For example `ref MK-4071932685`, as payers type it.
  const [named, ...others] = readTypedReference(typed).named;
  if (named && others.length === 0) return { reference: named, kinds: ['merchant_reference'] };
  if (typed.includes('@')) return { kinds: ['email', 'merchant_reference'] };
  if (parsePhoneNumber(typed)) return { kinds: ['phone', 'merchant_reference'] };
  const kinds = writtenTransactionId(typed) ? ofDigits : (['merchant_reference', 'name'] as const);
  return { kinds: pesewasIn(typed) === undefined ? kinds : [...kinds, 'amount'] };
}

interface Listing {
  readonly caption?: string;
  readonly addressOf?: (reference: string) => string;
  /** Names each bill. */
  readonly name?: readonly [label: string, cell: (charge: Charge) => string];
  /** The search that found the bills. Each bill shows the words that matched. */
  readonly searched?: string | undefined;
  /** Shows whole names on a phone, because the person must choose the right bill. */
  readonly isChoice?: boolean;
  readonly more?: Columns<Charge> | false;
}

export function chargesTable(
  outside: Outside,
  charges: readonly Charge[],
  {
    caption = 'Bills, newest first',
    addressOf = chargeAddress,
    name = CUSTOMER,
    searched = '',
    isChoice = false,
    more,
  }: Listing = {},
): Html {
  const others: Columns<Charge> = {
    Reference: ({ reference }) => html`<span class="number">${reference}</span>`,
    State: (charge) => html`${statePill(outside, charge)}${otherPaid(charge)}`,
    Created: ({ created_at }) => ago(outside, created_at),
    ...more,
    Amount: { figure: ({ amount_pesewas }) => shownMoney(amount_pesewas) },
  };
  // The shop wrote a link's question, which may have the name of another column.
  const first = {
    [name[0] in others ? 'Answer' : name[0]]: (charge: Charge) =>
      html`${withMatch(name[1](charge), charge, { searched, isChoice })}${name === CUSTOMER && !searched && itemOfPayer(charge)}`,
  };
  return table(charges, {
    caption,
    href: ({ reference }) => addressOf(reference),
    columns: { ...first, ...others },
    isCompact: true,
  });
}

const CUSTOMER = [
  'Customer or item',
  (charge: Charge) => charge.customer_name ?? paymentsOf(charge)[0]?.payer_name ?? itemOf(charge) ?? charge.reference,
] as const;

function itemOf({ description, merchant_reference }: Charge): string | undefined {
  return description ?? merchant_reference;
}

/** Renders the item after the payer's name. A phone shows the name alone, because both would be cut. */
function itemOfPayer(charge: Charge): Html | false {
  const [payment] = paymentsOf(charge);
  const item = payment?.payer_name && charge.customer_name === undefined && itemOf(charge);
  return item ? html`<span class="wide"> · ${item}</span>` : false;
}

/** For bills of one link or request, which all have its title. */
export const PAYER = [
  'Payer',
  (charge: Charge) => paymentsOf(charge)[0]?.payer_name ?? charge.customer_name ?? charge.reference,
] as const;

function withMatch(
  name: string,
  charge: Charge,
  { searched, isChoice }: { readonly searched: string; readonly isChoice: boolean },
): Html | string {
  const phone = parsePhoneNumber(searched);
  const words = phone ? [localNumber(phone)] : nameWords(searched);
  const isIn = (text: string) => (word: string) => lookedForWords(text).some((one) => one.startsWith(word));
  const isFound = (text: string) => words.some(isIn(text));
  const missing = words.filter((word) => !isIn(name)(word));
  const found = searchedFields(charge).find(([, shown = '', text = shown]) => missing.some(isIn(text)));
  const [label, shown = ''] = found ?? [];
  const named = isChoice || isFound(name) ? marked(name, isFound) : name;
  return found ? html`${named}<br><span class="hint">${label}: ${marked(shown, isFound)}</span>` : named;
}

/** A field by which a search can find a charge. `text` is searched instead of `shown`. */
type SearchedField = readonly [label: string, shown: string | undefined, text?: string | undefined];

function searchedFields(charge: Charge): SearchedField[] {
  const { description, merchant_reference, email, customer_phone = '' } = charge;
  const { customer_note } = cameWith(charge);
  return [
    ...paymentsOf(charge).map(({ payer_name, payer_phone = '' }): SearchedField => {
      const shown = payer_name ?? shownNumber(payer_phone);
      return ['Payer', shown, `${payer_name ?? ''} ${localNumber(payer_phone)}`];
    }),
    ['For', description],
    ['Order number', merchant_reference],
    ['The customer wrote', customer_note],
    ['E-mail', email],
    ['Phone', shownNumber(customer_phone), localNumber(customer_phone)],
  ];
}

/** Shows the amount paid too much, or the part paid. The badge before it says whether the money is verified. */
function otherPaid(charge: Charge): Html | false {
  const { pesewas, amount } = shownPaid(charge);
  if (pesewas === 0 || pesewas === charge.amount_pesewas) return false;
  const over = shownOf(charge, overpaidPesewas(charge));
  return html`<br><span class="hint">${over.pesewas > 0 ? html`${over.amount} too much` : `${amount} paid`}</span>`;
}

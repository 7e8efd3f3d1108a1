import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { type Charge, getCharge } from '../../../money/charge/charge.table.ts';
import { listCharges } from '../../../money/charge/list-charges.ts';
import { type TermKind, termKinds } from '../../../money/charge/search.ts';
import { writtenReference, writtenTransactionId } from '../../../money/charge/written-id.ts';
import { shownPaid } from '../../../money/payment/shown-payment.ts';
import type { Reader } from '../../../money/receipt/shown-receipt.ts';
import { metaOf } from '../../../runtime/http/pagination.ts';
import type { PageMeta } from '../../../runtime/http/responses.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { chargeAddress } from '../parts/addresses.ts';
import { ago, type Html } from '../parts/content.ts';
import { table } from '../parts/list.ts';
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

/** Finds charges by up to two interpretations of the search terms. */
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
  const kinds: readonly (TermKind | undefined)[] = known
    ? [known]
    : (search?.kinds.filter((kind) => kind !== 'transaction_id' || reader.seesIds) ?? [undefined]);
  for (const kind of kinds) {
    const found = await page(outside, merchantId, { ...others, ...(kind && { [kind]: q }) }, reader);
    if (found.charges.length > 0 || kind === kinds.at(-1)) return { ...found, by: kind };
  }
  return NOTHING;
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
  const asked = { per_page: String(PER_PAGE), ...others, ...(status && !passes && { status }) };
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
  if (typed.includes('@')) return { kinds: ['email', 'merchant_reference'] };
  if (parsePhoneNumber(typed)) return { kinds: ['phone', 'merchant_reference'] };
  if (writtenTransactionId(typed)) return { kinds: ofDigits };
  return { kinds: ['merchant_reference', 'name'] };
}

export function chargesTable(
  outside: Outside,
  charges: readonly Charge[],
  addressOf: (reference: string) => string = chargeAddress,
): Html {
  return table(charges, {
    caption: 'Bills, newest first',
    href: ({ reference }) => addressOf(reference),
    columns: {
      'Customer or item': (charge) =>
        charge.customer_name ?? charge.description ?? charge.merchant_reference ?? charge.reference,
      Reference: ({ reference }) => html`<span class="number">${reference}</span>`,
      State: (charge) => statePill(outside, charge),
      Created: ({ created_at }) => ago(outside, created_at),
      Amount: { figure: ({ amount_pesewas }) => shownMoney(amount_pesewas) },
    },
    isCompact: true,
  });
}

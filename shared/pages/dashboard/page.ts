import type * as z from 'zod/mini';
import { requireMerchant } from '../../merchants/merchant/manage-merchant.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import type { Permission } from '../../merchants/user/permissions.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import { parseBody, refuseUnknownParameters } from '../../runtime/http/parse-body.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type {
  FieldsOf,
  Going,
  MerchantVisit,
  NamesIn,
  OpenVisit,
  PersonVisit,
  Shown,
  Visit,
  Visitor,
} from './parts/visit.ts';

export type Outcome = Shown | Going | Answer;

type Schema = z.ZodMiniObject | undefined;
type Handle<OfVisit, Result = Outcome> = (visit: OfVisit, outside: Outside) => Promise<Result>;

interface RowFacts<Path extends string, Form extends Schema> {
  /** Path below the area's path, such as `/` or `/{reference}/cancel`. */
  readonly path: Path;
  /** Schema of the form's fields. Unknown fields are rejected, and empty ones count as missing. */
  readonly form?: Form;
  /** Path of the page that shows the form. Unset if the form has its own page. */
  readonly shownOn?: string;
  /** True if the passkey must have been used in the last five minutes. */
  readonly needsFresh?: boolean;
  /** True to admit people who signed in with a PIN. */
  readonly onSharedPhone?: boolean;
  readonly hasFile?: boolean;
  /** True if the page is the same for everybody, so no session is read. */
  readonly isForAll?: boolean;
  /** Seconds between reloads. Unset if the page never reloads. */
  readonly refreshSeconds?: number;
}

interface RowActs<PageVisit, FormVisit> {
  readonly show?: Handle<PageVisit>;
  /**
   * Returns a version that changes with the page's content. Open pages poll it and reload on a change. Costs one read.
   */
  readonly version?: Handle<PageVisit, string>;
  readonly act?: Handle<FormVisit>;
}

export interface AreaPage extends RowFacts<string, Schema> {
  readonly method: 'GET' | 'POST';
  /** Required permission. `nothing` allows anyone; `session` allows anyone signed in. */
  readonly needs: Permission | 'session' | 'nothing';
  /** True for a page about the user's merchant, or the merchant that an operator has open. */
  readonly ofMerchant: boolean;
  readonly run: Handle<RawVisit>;
  readonly version: Handle<RawVisit, string> | undefined;
}

export type RawVisit = Visit<string, Readonly<Record<string, string>>> & {
  readonly visitor: Visitor | undefined;
  /** The merchant, or its test account in test mode. Always the merchant on pages about the shop itself. */
  readonly merchant: Merchant | undefined;
};

/**
 * Defines a page of a merchant's dashboard. The merchant may come from a cache that is a few seconds old.
 * `readsMerchant` bypasses the cache.
 */
export function page<const Path extends string, Form extends Schema = undefined>({
  readsMerchant,
  ...row
}: RowFacts<Path, Form> &
  RowActs<MerchantVisit<NamesIn<Path>>, MerchantVisit<NamesIn<Path>, Form>> & {
    readonly needs: Exclude<Permission, 'operator'>;
    readonly readsMerchant?: boolean;
  }): AreaPage[] {
  return areaPages(row, true, async ({ visitor, merchant }, outside) => {
    if (!visitor || !merchant) throw new Error('A merchant’s page was shown without a merchant');
    const { user, session } = visitor;
    return { user, session, merchant: readsMerchant ? await requireMerchant(outside, merchant.merchant_id) : merchant };
  });
}

export function personPage<const Path extends string, Form extends Schema = undefined>(
  row: RowFacts<Path, Form> &
    RowActs<PersonVisit<NamesIn<Path>>, PersonVisit<NamesIn<Path>, Form>> & { readonly needs: 'operator' | 'session' },
): AreaPage[] {
  return areaPages(row, false, async ({ visitor }) => {
    if (!visitor) throw new Error('A person’s page was shown without a signed-in person');
    return { user: visitor.user, session: visitor.session };
  });
}

export function openPage<const Path extends string, Form extends Schema = undefined>(
  row: RowFacts<Path, Form> & RowActs<OpenVisit<NamesIn<Path>>, OpenVisit<NamesIn<Path>, Form>>,
): AreaPage[] {
  return areaPages({ ...row, needs: 'nothing' }, false, async ({ visitor }) => ({ visitor }));
}

function areaPages<Path extends string, Form extends Schema, Who>(
  {
    show,
    version,
    act,
    form,
    ...row
  }: RowFacts<Path, Form> &
    RowActs<Visit<NamesIn<Path>> & Who, Visit<NamesIn<Path>, Form> & Who> &
    Pick<AreaPage, 'needs'>,
  ofMerchant: boolean,
  whoOf: (visit: RawVisit, outside: Outside) => Promise<Who>,
): AreaPage[] {
  const visitOf = async <Fields extends Schema>(visit: RawVisit, outside: Outside, schema?: Fields) => ({
    ...typed<Path, Fields>(visit, schema),
    ...(await whoOf(visit, outside)),
  });
  const pages: AreaPage[] = [];
  if (show)
    pages.push({
      ...row,
      ofMerchant,
      method: 'GET',
      run: async (visit, outside) => show(await visitOf<undefined>(visit, outside), outside),
      version: version && (async (visit, outside) => version(await visitOf<undefined>(visit, outside), outside)),
    });
  if (act)
    pages.push({
      ...row,
      ofMerchant,
      method: 'POST',
      ...(form && { form }),
      version: undefined,
      run: async (visit, outside) => act(await visitOf(visit, outside, form), outside),
    });
  return pages;
}

/**
 * Adds types to a visit, whose path the router has already matched.
 * @throws PublicError `invalid_request`.
 */
function typed<Path extends string, Form extends Schema>(
  visit: RawVisit,
  schema: Form | undefined,
): Visit<NamesIn<Path>, Form> {
  refuseUnknownParameters(visit.form, fieldsOf(schema) ?? []);
  // The API's messages describe JSON. For an empty form field, say only "is missing".
  const form = (schema && parseBody(schema, visit.form, () => 'is missing')) as FieldsOf<Form>;
  return { ...visit, path: visit.path as Record<NamesIn<Path>, string>, form };
}

function fieldsOf(schema: Schema): string[] | undefined {
  return schema && Object.keys(schema.shape);
}

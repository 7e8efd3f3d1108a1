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
  /** The page's path below the area's own path, such as `/` or `/{reference}/cancel`. */
  readonly path: Path;
  /** Schema of the form's fields. Unknown fields are rejected, and empty fields count as missing. */
  readonly form?: Form;
  /** Path of the page that shows the form. Unset if the form has its own page. */
  readonly shownOn?: string;
  /** True if the person must have used their passkey in the last five minutes. */
  readonly needsFresh?: boolean;
  /** True to admit people who signed in with a PIN on a shared phone, for pages about their own session. */
  readonly onSharedPhone?: boolean;
  readonly hasFile?: boolean;
  /** True if the page is the same for everybody, so the visitor is not looked up. */
  readonly isForAll?: boolean;
  /** Seconds between reloads of an open page. Unset if the page never reloads. */
  readonly refreshSeconds?: number;
}

interface RowActs<PageVisit, FormVisit> {
  readonly show?: Handle<PageVisit>;
  /**
   * Returns a version that changes with the page's content, at the cost of one read. An open page polls its version and
   * reloads on a change.
   */
  readonly version?: Handle<PageVisit, string>;
  readonly act?: Handle<FormVisit>;
}

export interface AreaPage extends Omit<RowFacts<string, Schema>, 'form'> {
  readonly method: 'GET' | 'POST';
  /** The required permission. `nothing` allows anyone, and `session` allows anyone who is signed in. */
  readonly needs: Permission | 'session' | 'nothing';
  /** True for a page about the person's merchant, or the merchant that an operator has opened. */
  readonly ofMerchant: boolean;
  readonly fields: readonly string[] | undefined;
  readonly run: Handle<RawVisit>;
  readonly version: Handle<RawVisit, string> | undefined;
}

export type RawVisit = Visit<string, Readonly<Record<string, string>>> & {
  readonly visitor: Visitor | undefined;
  /** The merchant that the page is about. In test mode, the test account, unless the page is about the shop itself. */
  readonly merchant: Merchant | undefined;
};

/**
 * Defines a page of a merchant's dashboard. In test mode the page shows test data, unless it is about the shop itself.
 * The merchant comes from a cache and may be seconds old, so pages that show or replace recently changed settings set
 * `readsMerchant`.
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
    if (!visitor || !merchant) throw new Error('A page of a merchant was shown without one');
    const { user, session } = visitor;
    return { user, session, merchant: readsMerchant ? await requireMerchant(outside, merchant.merchant_id) : merchant };
  });
}

export function personPage<const Path extends string, Form extends Schema = undefined>(
  row: RowFacts<Path, Form> &
    RowActs<PersonVisit<NamesIn<Path>>, PersonVisit<NamesIn<Path>, Form>> & { readonly needs: 'operator' | 'session' },
): AreaPage[] {
  return areaPages(row, false, async ({ visitor }) => {
    if (!visitor) throw new Error('A page of a person was shown to nobody');
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
      fields: undefined,
      run: async (visit, outside) => show(await visitOf<undefined>(visit, outside), outside),
      version: version && (async (visit, outside) => version(await visitOf<undefined>(visit, outside), outside)),
    });
  if (act)
    pages.push({
      ...row,
      ofMerchant,
      method: 'POST',
      fields: fieldsOf(form),
      version: undefined,
      run: async (visit, outside) => act(await visitOf(visit, outside, form), outside),
    });
  return pages;
}

/**
 * Adds types to a visit. The router has matched the path, so all parameters in the path are present.
 * @throws PublicError `invalid_request`.
 */
function typed<Path extends string, Form extends Schema>(
  visit: RawVisit,
  schema: Form | undefined,
): Visit<NamesIn<Path>, Form> {
  refuseUnknownParameters(visit.form, fieldsOf(schema) ?? []);
  // The API's messages describe JSON rules. An empty form field only needs "is missing".
  const form = (schema && parseBody(schema, visit.form, () => 'is missing')) as FieldsOf<Form>;
  return { ...visit, path: visit.path as Record<NamesIn<Path>, string>, form };
}

function fieldsOf(schema: Schema): string[] | undefined {
  return schema && Object.keys(schema.shape);
}

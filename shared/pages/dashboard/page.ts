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

/** What a page or a form answers: a page, where to go, or an answer of another kind, such as a file. */
export type Outcome = Shown | Going | Answer;

type Schema = z.ZodMiniObject | undefined;
type Handle<OfVisit, Result = Outcome> = (visit: OfVisit, outside: Outside) => Promise<Result>;

/** What a row of an area's table says: a page, a form, or both at one address. */
interface RowFacts<Path extends string, Form extends Schema> {
  /** Below the area's path: `/`, `/{reference}/cancel`. */
  readonly path: Path;
  /** Parses the fields. Any other field is refused; one that was left empty is taken for not sent. */
  readonly form?: Form;
  /** The page that has the form, by its path in the same table, if that is not the form's own. */
  readonly shownOn?: string;
  /** Whether the person has to have used their passkey in the last five minutes. */
  readonly needsFresh?: boolean;
  /** Whether a PIN is enough on a shared phone, where it is about a person's own session. */
  readonly onSharedPhone?: boolean;
  /** Whether its form has a file. */
  readonly hasFile?: boolean;
  /** Whether everybody gets the same, so that nobody has to be known. */
  readonly isForAll?: boolean;
  /** How often a page that is open looks for what changed; without it, never. */
  readonly refreshSeconds?: number;
}

interface RowActs<PageVisit, FormVisit> {
  /** Shows the page. */
  readonly show?: Handle<PageVisit>;
  /** Moves with everything that the page shows, and costs one read: an open page asks for it, and is made anew when it moved. */
  readonly version?: Handle<PageVisit, string>;
  /** Does what the form says. */
  readonly act?: Handle<FormVisit>;
}

/** A page or a form of an area, as the router takes it. */
export interface AreaPage extends Omit<RowFacts<string, Schema>, 'form'> {
  readonly method: 'GET' | 'POST';
  /** `nothing` for strangers too, `session` for anybody who is signed in. */
  readonly needs: Permission | 'session' | 'nothing';
  /** Whether it is of one merchant: the one that the person belongs to, or that an operator has opened. */
  readonly ofMerchant: boolean;
  /** The names of the form's fields; undefined where it takes none. */
  readonly fields: readonly string[] | undefined;
  readonly run: Handle<RawVisit>;
  readonly version: Handle<RawVisit, string> | undefined;
}

/** A visit before it is known what the page may expect of it. */
export type RawVisit = Visit<string, Readonly<Record<string, string>>> & {
  readonly visitor: Visitor | undefined;
  /** Of a page of a merchant: in test mode its twin, unless the page is about the shop itself. */
  readonly merchant: Merchant | undefined;
};

/**
 * A page of a merchant's dashboard; in test mode, of its tests, unless it is about the shop itself. The router's merchant may be some
 * seconds old: `readsMerchant` is for what shows settings that were just changed, or replaces them.
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

/** A page of the operator's, or one for anybody who is signed in. */
export function personPage<const Path extends string, Form extends Schema = undefined>(
  row: RowFacts<Path, Form> &
    RowActs<PersonVisit<NamesIn<Path>>, PersonVisit<NamesIn<Path>, Form>> & { readonly needs: 'operator' | 'session' },
): AreaPage[] {
  return areaPages(row, false, async ({ visitor }) => {
    if (!visitor) throw new Error('A page of a person was shown to nobody');
    return { user: visitor.user, session: visitor.session };
  });
}

/** A page for strangers. */
export function openPage<const Path extends string, Form extends Schema = undefined>(
  row: RowFacts<Path, Form> & RowActs<OpenVisit<NamesIn<Path>>, OpenVisit<NamesIn<Path>, Form>>,
): AreaPage[] {
  return areaPages({ ...row, needs: 'nothing' }, false, async ({ visitor }) => ({ visitor }));
}

/** The page and the form of a row as the router takes them, whatever their visits are. */
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

/** The router has matched the path, so that its names are there. @throws PublicError `invalid_request`. */
function typed<Path extends string, Form extends Schema>(
  visit: RawVisit,
  schema: Form | undefined,
): Visit<NamesIn<Path>, Form> {
  refuseUnknownParameters(visit.form, fieldsOf(schema) ?? []);
  // The rules of a field are those of the API, worded for JSON: a box that was left empty needs none of them.
  const form = (schema && parseBody(schema, visit.form, () => 'is missing')) as FieldsOf<Form>;
  return { ...visit, path: visit.path as Record<NamesIn<Path>, string>, form };
}

function fieldsOf(schema: Schema): string[] | undefined {
  return schema && Object.keys(schema.shape);
}

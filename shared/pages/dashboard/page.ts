import type * as z from 'zod/mini';
import { isOfTheShop, type Permission } from '../../merchants/user/permissions.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import { parseBody, refuseUnknownParameters } from '../../runtime/http/parse-body.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Going, MerchantVisit, NamesIn, PersonVisit, Shown, Visit, Visitor } from './visit.ts';

/** What a page or a form answers: a page, where to go, or an answer of another kind, such as a file. */
export type Outcome = Shown | Going | Answer;

/** What every row of an area's table of pages says. */
interface PageFacts<Path extends string, Form> {
  readonly method: 'GET' | 'POST';
  /** Below the area's path: `/`, `/{reference}/cancel`. */
  readonly path: Path;
  /** Parses the fields. Any other field is refused; one that was left empty is taken for not sent. */
  readonly form?: z.ZodMiniObject & z.core.$ZodType<Form>;
  /** The page that has the form, by its path in the same table, if that is not the form's own. */
  readonly shownOn?: string;
  /** Whether the person has to have used their passkey in the last five minutes. */
  readonly needsFresh?: boolean;
  /** Whether everybody gets the same, so that nobody has to be known. */
  readonly isForAll?: boolean;
  /** How often a page that is open looks for what changed; without it, never. */
  readonly refreshSeconds?: number;
}

/** What an area's page does. */
interface PageActs<OfVisit> {
  readonly handle: (visit: OfVisit, outside: Outside) => Promise<Outcome>;
  /** Moves with everything that the page shows, and costs one read: an open page asks for it, and is made anew when it moved. */
  readonly version?: (visit: OfVisit, outside: Outside) => Promise<string>;
}

/** A page or a form of an area, as the router takes it. */
export interface AreaPage extends Omit<PageFacts<string, unknown>, 'form'> {
  /** `nothing` for strangers too, `session` for whoever is signed in. */
  readonly needs: Permission | 'session' | 'nothing';
  /** Whether it is of one merchant: the one that the person belongs to, or that an operator has opened. */
  readonly ofMerchant: boolean;
  /** The names of the form's fields; undefined where it takes none. */
  readonly fields: readonly string[] | undefined;
  readonly run: (visit: RawVisit, outside: Outside) => Promise<Outcome>;
  readonly version: ((visit: RawVisit, outside: Outside) => Promise<string>) | undefined;
}

/** A visit before it is known what the page may expect of it. */
export type RawVisit = Visit<string, Readonly<Record<string, string>>> & { readonly visitor: Visitor | undefined };

/** A page of a merchant's dashboard; in test mode, of its tests, unless it is about the shop itself. */
export function page<const Path extends string, Form = undefined>(
  facts: PageFacts<Path, Form> &
    PageActs<MerchantVisit<NamesIn<Path>, Form>> & { readonly needs: Exclude<Permission, 'operator'> },
): AreaPage {
  return areaPage(facts, { needs: facts.needs, ofMerchant: true }, ({ visitor, ...visit }) => {
    const merchant = isOfTheShop(facts.needs) ? visitor?.shop : visitor?.merchant;
    if (!visitor || !merchant) throw new Error('A page of a merchant was shown without one');
    const { user, session } = visitor;
    return { ...typed<Path, Form>(visit, facts.form), user, session, merchant };
  });
}

/** A page of the operator's, or one that whoever is signed in may open. */
export function personPage<const Path extends string, Form = undefined>(
  facts: PageFacts<Path, Form> &
    PageActs<PersonVisit<NamesIn<Path>, Form>> & { readonly needs: 'operator' | 'session' },
): AreaPage {
  return areaPage(facts, { needs: facts.needs, ofMerchant: false }, ({ visitor, ...visit }) => {
    if (!visitor) throw new Error('A page of a person was shown to nobody');
    const { user, session } = visitor;
    return { ...typed<Path, Form>(visit, facts.form), user, session };
  });
}

/** A page for strangers. */
export function openPage<const Path extends string, Form = undefined>(
  facts: PageFacts<Path, Form> & PageActs<Visit<NamesIn<Path>, Form> & { readonly visitor: Visitor | undefined }>,
): AreaPage {
  return areaPage(facts, { needs: 'nothing', ofMerchant: false }, ({ visitor, ...visit }) => ({
    ...typed<Path, Form>(visit, facts.form),
    visitor,
  }));
}

/** A page as the router takes it, whatever its visits are. */
function areaPage<OfVisit>(
  { handle, version, form, ...page }: PageFacts<string, unknown> & PageActs<OfVisit>,
  who: Pick<AreaPage, 'needs' | 'ofMerchant'>,
  visitOf: (visit: RawVisit) => OfVisit,
): AreaPage {
  return {
    ...page,
    ...who,
    fields: fieldsOf(form),
    run: (visit, outside) => handle(visitOf(visit), outside),
    version: version && ((visit, outside) => version(visitOf(visit), outside)),
  };
}

/** The router has matched the path, so that its names are there. @throws PublicError `invalid_request`. */
function typed<Path extends string, Form>(
  visit: Omit<RawVisit, 'visitor'>,
  schema: PageFacts<Path, Form>['form'],
): Visit<NamesIn<Path>, Form> {
  refuseUnknownParameters(visit.form, fieldsOf(schema) ?? []);
  // The rules of a field are those of the API, in words for who writes JSON: whoever left a box empty needs none of them.
  const form = (schema && parseBody(schema, visit.form, () => 'is missing')) as Form;
  return { ...visit, path: visit.path as Record<NamesIn<Path>, string>, form };
}

function fieldsOf(schema: z.ZodMiniObject | undefined): string[] | undefined {
  return schema && Object.keys(schema.shape);
}

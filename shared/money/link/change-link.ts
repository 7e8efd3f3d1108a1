import type { AuditEntry } from '../../merchants/audit/audit.table.ts';
import { tellOwners } from '../../merchants/merchant/money-change.table.ts';
import { type Clock, nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type Link, type LinkFields, linkFields, requireLink, setLinkFields } from './link.table.ts';
import { checkLink, hasEnded, shownAmount } from './link.ts';

export interface LinkChange {
  readonly after: Link;
  readonly values: Pick<AuditEntry, 'before' | 'after'>;
}

/**
 * Changes or ends a merchant's link. Writes nothing if nothing would change. All owners except `by` (a person or API
 * key) are notified of a price change.
 * @throws PublicError `not_found`, `invalid_request`, `busy`.
 */
export function changeLink<Result>(
  outside: Outside,
  { merchant_id, slug, by }: Pick<Link, 'merchant_id' | 'slug'> & Pick<AuditEntry, 'by'>,
  fieldsOf: (link: Link) => Partial<LinkFields>,
  commit: (change: LinkChange, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const before = await requireLink(outside, merchant_id, slug);
    const after = { ...before, ...fieldsOf(before) };
    checkLink(outside, after, before);
    const changed = linkFields.filter((name) => before[name] !== after[name]);
    const values = { before: shownFields(before, changed), after: shownFields(after, changed) };
    const [from, to] = [shownAmount(before), shownAmount(after)];
    const prices = from === to ? [] : [{ kind: 'price' as const, slug, title: after.title, from, to }];
    const notifications = tellOwners(outside, merchant_id, prices, { by });
    return commit(
      { after, values },
      changed.length > 0 ? [setLinkFields(before, after, changed), ...notifications] : [],
    );
  });
}

export function endNow(outside: Clock): (link: Link) => Partial<LinkFields> {
  return (link) => (hasEnded(outside, link) ? {} : { ends_at: nowIso(outside) });
}

export function madeWith(link: Link): Pick<AuditEntry, 'after'> {
  const given = linkFields.filter((name) => link[name] !== undefined);
  return { after: shownFields(link, given) };
}

/** Metadata may contain personal data, so the audit log records only that it changed. */
function shownFields(link: Link, names: readonly (keyof LinkFields)[]) {
  const shownField = (name: keyof LinkFields) => (name === 'metadata' ? 'not shown' : (link[name] ?? null));
  return Object.fromEntries(names.map((name) => [name, shownField(name)]));
}

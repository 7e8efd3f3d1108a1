import * as z from 'zod/mini';
import { audited } from '../../merchants/audit/audit.table.ts';
import { isTestAccount, originalIdOf } from '../../merchants/merchant/test-account.ts';
import { jsonAnswer } from '../../runtime/http/answer.ts';
import { earlierAnswer, type Repeatable, rememberAnswer, repeatable } from '../../runtime/http/idempotency.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import type { AreaRow } from '../../runtime/triggers/row.ts';
import { parseJson } from '../../runtime/values/json.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { RawVisit } from './page.ts';
import { Notice } from './parts/notice.ts';
import type { FormEntry, Going, Visit } from './parts/visit.ts';

/** Creates a rendered page's id, which contains the id of the merchant or test account. */
export function newOnce({ randomBytes }: Pick<Outside, 'randomBytes'>, merchantId: string | undefined): string {
  const id = randomBytes(12).toString('base64url');
  return merchantId === undefined ? id : `${merchantId}.${id}`;
}

/**
 * Returns true if the form comes from a page of another merchant or mode. This happens after switching in another
 * window.
 */
export function isOfAnother(from: string | undefined, merchantId: string | undefined): boolean {
  const [, of] = /^(\w{26,})\./.exec(from ?? '') ?? [];
  return of !== undefined && of !== merchantId;
}

const Led = z.object({ goTo: z.string(), ...Notice.shape });

/**
 * Identifies a form by its sender, page and values, so that a resubmitted form is recognised. Returns undefined if the
 * form names no page.
 */
export function repeatOf(
  row: AreaRow,
  userId: string,
  from: string | undefined,
  values: object,
): Repeatable | undefined {
  if (!from) return undefined;
  const key = sha256(JSON.stringify([from, values]));
  return repeatable(userId, `POST ${row.path}`, key, []);
}

/** Commits a form's writes at most once, with their audit entry. Test-mode changes go to the shop's audit log. */
export function commits(
  outside: Outside,
  repeat: Repeatable | undefined,
  { visitor, merchant }: Pick<RawVisit, 'visitor' | 'merchant'>,
): Pick<Visit, 'commit' | 'committing' | 'noting'> {
  const commit = async (writes: readonly TableWrite[], going: Going) => {
    const led = jsonAnswer(303, JSON.stringify(going satisfies z.infer<typeof Led>));
    const all = [...(repeat ? [rememberAnswer(outside, repeat, led)] : []), ...writes];
    if (all.length > 0) await outside.table.write(all);
    return going;
  };
  const phone_id = visitor?.session.by_pin?.phone_id;
  const who = {
    ...(merchant && { merchant_id: originalIdOf(merchant.merchant_id) }),
    ...(phone_id && { phone_id }),
    by: visitor?.user_id ?? '',
  };
  const after = (entry: FormEntry) =>
    merchant && isTestAccount(merchant.merchant_id) ? { after: { ...entry.after, test: true } } : {};
  const noted = (some: Outside, entry: FormEntry) => audited(some, () => ({ ...who, ...entry, ...after(entry) }));
  const committing: Visit['committing'] = (going, ...entries) => {
    let isDone = false;
    const write: Outside['table']['write'] = async (writes) => {
      if (isDone) return outside.table.write(writes);
      await commit(writes, going);
      isDone = true;
    };
    const once: Outside = { ...outside, table: { ...outside.table, write } };
    return entries.reduce(noted, once);
  };
  return {
    committing,
    noting: (entry) => noted(outside, entry),
    // A form that changes nothing has no audit entry.
    commit: async (writes, going, ...entries) => {
      if (writes.length === 0) return commit(writes, going);
      await committing(going, ...entries).table.write(writes);
      return going;
    },
  };
}

/** Returns the destination of an earlier submission of the form, or undefined for the first one. */
export async function earlierGoing(
  outside: Outside,
  repeat: Repeatable | undefined,
  error: unknown,
): Promise<Going | undefined> {
  const earlier = repeat && (await earlierAnswer(outside, repeat, error));
  return earlier && parseJson(Led, earlier.body);
}

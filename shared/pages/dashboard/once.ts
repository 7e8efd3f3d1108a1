import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { jsonAnswer } from '../../runtime/http/answer.ts';
import { earlierAnswer, type Repeatable, rememberAnswer, repeatable } from '../../runtime/http/idempotency.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { AreaRow } from '../../runtime/triggers/row.ts';
import { parseJson } from '../../runtime/values/json.ts';
import type { Going, Visit } from './visit.ts';

/** The field that every form has, with the id of the page that showed it. */
export const ONCE = 'once';

/** The id of a page that is shown. It says whose page it is: of a merchant, or in test mode of its twin. */
export function newOnce({ randomBytes }: Pick<Outside, 'randomBytes'>, merchantId: string | undefined): string {
  const id = randomBytes(12).toString('base64url');
  return merchantId === undefined ? id : `${merchantId}.${id}`;
}

/**
 * Whether a form is from a page of another merchant, or of the other mode: somebody has opened that one in another window since, and
 * what was typed for one shop must not be done to another, nor what was typed as a test become a real text.
 */
export function isOfAnother(from: string | undefined, merchantId: string | undefined): boolean {
  const [, of] = /^(\w{26,})\./.exec(from ?? '') ?? [];
  return of !== undefined && of !== merchantId;
}

const Led = z.object({ goTo: z.string(), notice: z.optional(z.string()) });

/**
 * What makes a form the same one: who sent it, the page that it came from, and what it says. Whoever goes back and changes a field
 * sends another one. Undefined for a form that names no page.
 */
export function repeatOf(row: AreaRow, userId: string, from: string | undefined, says: object): Repeatable | undefined {
  if (!from) return undefined;
  const key = createHash('sha256')
    .update(JSON.stringify([from, says]))
    .digest('hex');
  return repeatable(userId, `POST ${row.path}`, key, []);
}

export function commitOnce(outside: Outside, repeat: Repeatable | undefined): Visit['commit'] {
  return async (writes, going) => {
    const led = jsonAnswer(303, JSON.stringify(going satisfies z.infer<typeof Led>));
    const all = [...(repeat ? [rememberAnswer(outside, repeat, led)] : []), ...writes];
    if (all.length > 0) await outside.table.write(all);
    return going;
  };
}

/** Where the same form led before; undefined if the error is what it led to. */
export async function earlierGoing(
  outside: Outside,
  repeat: Repeatable | undefined,
  error: unknown,
): Promise<Going | undefined> {
  const earlier = repeat && (await earlierAnswer(outside, repeat, error));
  return earlier && parseJson(Led, earlier.body);
}

import * as z from 'zod/mini';
import { setTestMode } from '../../../merchants/user/session.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { safeNext } from '../addresses.ts';
import type { Going, PersonVisit } from '../visit.ts';

/** Without a mode it is the real one. */
export const TestModeForm = z.object({ mode: z.optional(z.literal('test')), next: z.optional(z.string()) });

/** Shows a merchant's tests in place of its charges and texts, or those again. It is this session's alone. */
export async function switchTestMode(
  { session, form: { mode, next } }: PersonVisit<never, z.infer<typeof TestModeForm>>,
  outside: Outside,
): Promise<Going> {
  await outside.table.write([setTestMode(session, mode === 'test')]);
  return { goTo: safeNext(next) };
}

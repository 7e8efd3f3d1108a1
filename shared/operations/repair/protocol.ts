import * as z from 'zod/mini';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';

/** Maximum number of dead letters per queue to read and retry in one request. */
export const MAX_LETTERS = 200;

/** Requests from the dashboard to the operations function. `by` is recorded in the audit log. */
export const Question = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('doctor') }),
  z.object({ ask: z.literal('dead letters') }),
  z.object({ ask: z.literal('retry'), queue: z.string(), by: z.string() }),
  z.object({ ask: z.literal('drop'), queue: z.string(), letter: z.optional(z.string()), by: z.string() }),
]);
export type Question = z.infer<typeof Question>;

const Finding = z.object({
  state: z.enum(['fine', 'wrong', 'not here']),
  says: z.string(),
  todo: z.optional(z.string()),
});
const DeadLetter = z.object({
  queue: z.string(),
  queued_at: z.string(),
  letter: z.string(),
  id: z.nullable(z.string()),
  state: z.string(),
  is_hopeless: z.boolean(),
});
export type ShownFinding = z.infer<typeof Finding>;
export type ShownLetter = z.infer<typeof DeadLetter>;

const answers = {
  doctor: z.object({ stage: z.string(), findings: z.array(Finding) }),
  'dead letters': z.object({ letters: z.array(DeadLetter) }),
  retry: z.object({ retried: z.number(), left: z.number() }),
  drop: z.object({ dropped: z.number() }),
};
export type Answers = { readonly [Ask in keyof typeof answers]: z.infer<(typeof answers)[Ask]> };
const answerSchemas: { readonly [Ask in keyof Answers]: z.core.$ZodType<Answers[Ask]> } = answers;

const Refused = z.object({ refused: z.string() });

/**
 * Sends a request to the operations function.
 * @throws PublicError with the function's message if it refuses.
 */
export async function askStage<Ask extends keyof Answers>(
  { call }: Pick<Outside, 'call'>,
  ask: Ask,
  details: Omit<Extract<Question, { ask: Ask }>, 'ask'>,
): Promise<Answers[Ask]> {
  const answer = await call('work/repair', { ask, ...details });
  const refused = z.safeParse(Refused, answer);
  if (refused.success) throw new PublicError('invalid_request', refused.data.refused);
  return z.parse(answerSchemas[ask], answer);
}

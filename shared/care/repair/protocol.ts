import * as z from 'zod/mini';

/** Of one queue, at a time: what can be read and tried again while somebody waits. */
export const AT_MOST = 200;

/** What the dashboard asks of the function that looks after the stage. `by` is for the audit. */
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
  /** Whether no retry can help. */
  is_hopeless: z.boolean(),
});
export type ShownFinding = z.infer<typeof Finding>;
export type ShownLetter = z.infer<typeof DeadLetter>;

/** The answers, by what was asked. */
const answers = {
  doctor: z.object({ stage: z.string(), findings: z.array(Finding) }),
  'dead letters': z.object({ letters: z.array(DeadLetter) }),
  retry: z.object({ retried: z.number(), left: z.number() }),
  drop: z.object({ dropped: z.number() }),
};
export type Answers = { readonly [Ask in keyof typeof answers]: z.infer<(typeof answers)[Ask]> };
export const answerSchemas: { readonly [Ask in keyof Answers]: z.core.$ZodType<Answers[Ask]> } = answers;

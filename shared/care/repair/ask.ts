import * as z from 'zod/mini';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { type Answers, answerSchemas, type Question } from './protocol.ts';

const Refused = z.object({ refused: z.string() });

/** Asks the function that looks after the stage. @throws PublicError with its words where it refuses. */
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

import {
  dropDeadLetters,
  listDeadLetters,
  retryDeadLetters,
} from '../../shared/operations/dead-letter/dead-letters.ts';
import { isBeyondRetry } from '../../shared/operations/dead-letter/letter-source.ts';
import { examine } from '../../shared/operations/doctor/doctor.ts';
import { type Answers, MAX_LETTERS, Question } from '../../shared/operations/repair/protocol.ts';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import { callee } from '../../shared/runtime/triggers/call.ts';
import { manifest, service } from '../manifest.ts';

export const handler = callee(manifest['work/repair'], service, Question, answer);

const EXAMINES_FOR_MS = 22_000;
const RETRIES_FOR_MS = 12_000;

/** @throws OperatorError if the target does not exist. */
export async function answer(deployment: Deployment, question: Question): Promise<Answers[keyof Answers]> {
  switch (question.ask) {
    case 'doctor': {
      const found = await examine(deployment, { forMs: EXAMINES_FOR_MS });
      return {
        stage: deployment.stage,
        findings: found.map(({ state, message, todo }) => ({ state, says: message, todo })),
      };
    }
    case 'dead letters': {
      const letters = await listDeadLetters(deployment, { atMost: MAX_LETTERS });
      return { letters: letters.map((letter) => ({ ...letter, is_hopeless: isBeyondRetry(letter) })) };
    }
    case 'retry': {
      const { queue: only, by } = question;
      const [done] = await retryDeadLetters(deployment, { only, by, atMost: MAX_LETTERS, forMs: RETRIES_FOR_MS });
      return { retried: done?.retried ?? 0, left: done?.left ?? 0 };
    }
    case 'drop': {
      const { queue: only, letter, by } = question;
      const dropped = await dropDeadLetters(deployment, { only, letter, by, isForReal: true, atMost: MAX_LETTERS });
      return { dropped: dropped.length };
    }
    default:
      return question satisfies never;
  }
}

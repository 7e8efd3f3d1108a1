import type { Message } from '@aws-sdk/client-sqs';
import { recordAudit } from '../../merchants/audit/audit.table.ts';
import type { Deployment, Progress } from '../../runtime/stage/deployment.ts';
import { deadLettersOf } from '../../runtime/stage/names.ts';
import { OperatorError } from '../../runtime/stage/operator-error.ts';
import { readLetters, receiveLetters, removeLetters, showAgain, urlOf } from './letter-queue.ts';
import { type DeadLetter, examine, isBeyondRetry, type Source, sourcesOf } from './letter-source.ts';

export interface Reading {
  readonly only?: string | undefined;
  readonly atMost?: number;
  readonly progress?: Progress;
}

/**
 * Lists the dead letters from one source or all sources. For a short time, other readers do not see these dead letters.
 */
export async function listDeadLetters(
  deployment: Deployment,
  { only, ...reading }: Reading = {},
): Promise<DeadLetter[]> {
  const found = await Promise.all(
    sourcesOf(deployment, only).map(async ([queue, source]) => {
      const { url, letters, examined } = await read(deployment, queue, source, reading);
      await showAgain(deployment, url, letters);
      return examined;
    }),
  );
  return found.flat();
}

export interface Retried {
  readonly queue: string;
  readonly retried: number;
  readonly left: number;
}

/**
 * Retries the dead letters from one source or all sources, except those that a retry cannot fix. A job may run twice
 * but is never lost. No retry starts after `forMs`. `by` is recorded in the audit log.
 */
export async function retryDeadLetters(
  deployment: Deployment,
  {
    only,
    atMost = Number.POSITIVE_INFINITY,
    forMs = Number.POSITIVE_INFINITY,
    progress,
    by,
  }: Reading & { readonly forMs?: number; readonly by: string },
): Promise<Retried[]> {
  const endsMs = performance.now() + forMs;
  const done: Retried[] = [];
  for (const [queue, source] of sourcesOf(deployment, only)) {
    const from = await urlOf(deployment, deadLettersOf(queue));
    const left: Message[] = [];
    let retried = 0;
    try {
      while (retried + left.length < atMost && performance.now() < endsMs) {
        progress?.(`Retrying the dead letters of ${queue} (${retried})`);
        const batch = await receiveLetters(deployment, from);
        if (batch.length === 0) break;
        const examined = await Promise.all(
          batch.map(async (letter) => ({
            letter,
            isLeft: isBeyondRetry(await examine(deployment, queue, source, letter)),
          })),
        );
        left.push(...examined.filter(({ isLeft }) => isLeft).map(({ letter }) => letter));
        const helped = examined.filter(({ isLeft }) => !isLeft).map(({ letter }) => letter);
        await source.retry(deployment, helped, from, (letters) => {
          retried += letters;
        });
      }
      await showAgain(deployment, from, left);
    } finally {
      if (retried > 0) await note(deployment, { by, action: 'dead-letters retry', about: queue, after: { retried } });
    }
    done.push({ queue, retried, left: left.length });
  }
  return done;
}

/**
 * Deletes and returns the dead letters that a retry cannot fix, or only the one with this SQS id. A dry run unless
 * `isForReal`. `by` is recorded in the audit log.
 * @throws OperatorError if no dead letter has that id.
 */
export async function dropDeadLetters(
  deployment: Deployment,
  {
    only,
    letter,
    isForReal,
    by,
    ...reading
  }: Reading & { readonly letter?: string | undefined; readonly isForReal: boolean; readonly by: string },
): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for (const [queue, source] of sourcesOf(deployment, only)) {
    const { url, letters, examined } = await read(deployment, queue, source, reading);
    const chosen = examined.filter((each) => (letter === undefined ? isBeyondRetry(each) : each.letter === letter));
    const ids = new Set(isForReal ? chosen.map((each) => each.letter) : []);
    for (const each of isForReal ? chosen : [])
      await note(deployment, {
        by,
        action: 'dead-letters drop',
        about: each.id ?? each.letter,
        before: { queue, state: each.state, queued_at: each.queued_at },
      });
    const isChosen = ({ MessageId = '' }: Message) => ids.has(MessageId);
    await removeLetters(deployment, url, letters.filter(isChosen));
    await showAgain(
      deployment,
      url,
      letters.filter((each) => !isChosen(each)),
    );
    found.push(...chosen);
  }
  if (letter === undefined || found.length > 0) return found;
  throw new OperatorError(`There is no dead letter ${letter}. To list all of them, run: dead-letters list`);
}

async function note({ outside }: Deployment, entry: Parameters<typeof recordAudit>[1]): Promise<void> {
  await outside.table.write([recordAudit(outside, entry)]);
}

async function read(
  deployment: Deployment,
  queue: string,
  source: Source,
  { atMost = Number.POSITIVE_INFINITY, progress }: Reading,
): Promise<{ url: string; letters: Message[]; examined: DeadLetter[] }> {
  const url = await urlOf(deployment, deadLettersOf(queue));
  const letters = await readLetters(deployment, url, atMost, (count) =>
    progress?.(`Reading the dead letters of ${queue} (${count})`),
  );
  const examined = await Promise.all(letters.map((letter) => examine(deployment, queue, source, letter)));
  return { url, letters, examined };
}

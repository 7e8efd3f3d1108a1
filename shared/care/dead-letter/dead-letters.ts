import type { Message } from '@aws-sdk/client-sqs';
import { recordAudit } from '../../merchants/audit/audit.table.ts';
import { deadLettersOf } from '../../runtime/stage/names.ts';
import { OperatorError } from '../../runtime/stage/operator-error.ts';
import type { Place, Progress } from '../../runtime/stage/place.ts';
import { readLetters, receiveLetters, removeLetters, showAgain, urlOf } from './letter-queue.ts';
import { type DeadLetter, examine, isHopeless, type Source, sourcesOf } from './letter-source.ts';

/** Which letters to look at. */
export interface Reading {
  /** Those of one source; of all without it. */
  readonly only?: string | undefined;
  /** How many of each source; all without it. */
  readonly atMost?: number;
  readonly progress?: Progress;
}

/** Those of one source or of all. They stay where they are: each is hidden from other readers for a moment. */
export async function listDeadLetters(place: Place, { only, ...reading }: Reading = {}): Promise<DeadLetter[]> {
  const found = await Promise.all(
    sourcesOf(place, only).map(async ([queue, source]) => {
      const { url, letters, examined } = await read(place, queue, source, reading);
      await showAgain(place, url, letters);
      return examined;
    }),
  );
  return found.flat();
}

/** What became of the dead letters of a source. */
export interface Retried {
  readonly queue: string;
  readonly retried: number;
  /** Those that no retry can help. */
  readonly left: number;
}

/**
 * Retries the dead letters of one source or of all, from their first try on. Those that no retry can help are left where they
 * are. Each is handed on before it is deleted: if this is interrupted, a job may be done twice, which every worker tolerates,
 * but never not at all. `by` is for the audit, which has what was retried even if the next letter stops it. After `forMs` it takes no
 * more, because a caller that waits for the answer would not learn what was done.
 */
export async function retryDeadLetters(
  place: Place,
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
  for (const [queue, source] of sourcesOf(place, only)) {
    const from = await urlOf(place, deadLettersOf(queue));
    const left: Message[] = [];
    let retried = 0;
    try {
      while (retried + left.length < atMost && performance.now() < endsMs) {
        progress?.(`Retrying the dead letters of ${queue} (${retried})`);
        const batch = await receiveLetters(place, from);
        if (batch.length === 0) break;
        const examined = await Promise.all(
          batch.map(async (letter) => ({ letter, isLeft: isHopeless(await examine(place, queue, source, letter)) })),
        );
        left.push(...examined.filter(({ isLeft }) => isLeft).map(({ letter }) => letter));
        const helped = examined.filter(({ isLeft }) => !isLeft).map(({ letter }) => letter);
        await source.retry(place, helped, from, (letters) => {
          retried += letters;
        });
      }
      await showAgain(place, from, left);
    } finally {
      if (retried > 0) await note(place, { by, action: 'dead-letters retry', about: queue, after: { retried } });
    }
    done.push({ queue, retried, left: left.length });
  }
  return done;
}

/**
 * Deletes the dead letters that no retry can help, or the one named by SQS's id whatever it is about, and returns them. Without
 * `isForReal` they stay. `by` is for the audit, which has its entry before anything is deleted.
 * @throws OperatorError if there is no letter with that id.
 */
export async function dropDeadLetters(
  place: Place,
  {
    only,
    letter,
    isForReal,
    by,
    ...reading
  }: Reading & { readonly letter?: string | undefined; readonly isForReal: boolean; readonly by: string },
): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for (const [queue, source] of sourcesOf(place, only)) {
    const { url, letters, examined } = await read(place, queue, source, reading);
    const chosen = examined.filter((each) => (letter === undefined ? isHopeless(each) : each.letter === letter));
    const ids = new Set(isForReal ? chosen.map((each) => each.letter) : []);
    for (const each of isForReal ? chosen : [])
      await note(place, {
        by,
        action: 'dead-letters drop',
        about: each.id ?? each.letter,
        before: { queue, state: each.state, queued_at: each.queued_at },
      });
    const isChosen = ({ MessageId = '' }: Message) => ids.has(MessageId);
    await removeLetters(place, url, letters.filter(isChosen));
    await showAgain(
      place,
      url,
      letters.filter((each) => !isChosen(each)),
    );
    found.push(...chosen);
  }
  if (letter === undefined || found.length > 0) return found;
  throw new OperatorError(`There is no dead letter ${letter}. See: dead-letters list`);
}

async function note({ outside }: Place, entry: Parameters<typeof recordAudit>[1]): Promise<void> {
  await outside.table.write([recordAudit(outside, entry)]);
}

/** The letters of a source, and what they are about. They are hidden until they are shown again. */
async function read(
  place: Place,
  queue: string,
  source: Source,
  { atMost = Number.POSITIVE_INFINITY, progress }: Reading,
): Promise<{ url: string; letters: Message[]; examined: DeadLetter[] }> {
  const url = await urlOf(place, deadLettersOf(queue));
  const letters = await readLetters(place, url, atMost, (count) =>
    progress?.(`Reading the dead letters of ${queue} (${count})`),
  );
  const examined = await Promise.all(letters.map((letter) => examine(place, queue, source, letter)));
  return { url, letters, examined };
}

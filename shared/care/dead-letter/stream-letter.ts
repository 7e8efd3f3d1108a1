import {
  type _Record as Change,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ResourceNotFoundException,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import * as z from 'zod';
import { OperatorError } from '../../runtime/stage/operator-error.ts';
import type { Place } from '../../runtime/stage/place.ts';
import type { StreamRow } from '../../runtime/triggers/row.ts';
import { asLambda, isWanted } from '../../runtime/triggers/stream-change.ts';
import { parseJson } from '../../runtime/values/json.ts';

/**
 * What Lambda writes about a batch of the table's changes that a function could not process: its position, not its contents.
 */
export const StreamLetter = z.object({
  DDBStreamBatchInfo: z.object({
    streamArn: z.string(),
    shardId: z.string(),
    startSequenceNumber: z.string().regex(/^\d+$/),
    endSequenceNumber: z.string().regex(/^\d+$/),
  }),
});

/**
 * Passes the changes that a letter names to their function once more, in order. Between the first and the last there may be
 * changes that succeeded, because a shard is processed in several lanes: a change that is relayed twice takes effect once.
 * @throws OperatorError if the stream no longer has them (it keeps them for a day), or the function fails again.
 */
export async function handChangesAgain(place: Place, name: string, row: StreamRow, body: string): Promise<void> {
  const letter = parseJson(StreamLetter, body);
  if (!letter || !place.aws)
    throw new OperatorError(`A dead letter of ${name} cannot be read. It was left in the queue.`);
  const wanted = (await readChanges(place, letter)).filter((change) => isWanted(change, row));
  for (let from = 0; from < wanted.length; from += row.batchSize) {
    const answer = await place.aws.invoke(name, {
      Records: wanted.slice(from, from + row.batchSize).map(asLambda),
    });
    const taken = Answer.safeParse(answer);
    if (!taken.success || taken.data.batchItemFailures.length > 0) {
      throw new OperatorError(
        `${name} failed again on a batch of changes; its log says why. The letter was left in the queue.`,
      );
    }
  }
}

/** Whether the stream still has the changes that a letter names: it keeps them for a day. */
export async function isInStream({ streams, table }: Place, letter: z.infer<typeof StreamLetter>): Promise<boolean> {
  // Another table's, in whose place this one was taken: what changed there may never have been here, and the stage may not read it.
  if (!letter.DDBStreamBatchInfo.streamArn.includes(`:table/${table.name}/stream/`)) return false;
  try {
    await firstIterator(streams, letter);
    return true;
  } catch (error) {
    // The whole stream is gone where the table was replaced.
    if (error instanceof TrimmedDataAccessException || error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

const Answer = z.object({ batchItemFailures: z.array(z.unknown()) });

/** The changes from the first that the letter names to the last. */
async function readChanges({ streams }: Place, letter: z.infer<typeof StreamLetter>): Promise<Change[]> {
  const last = BigInt(letter.DDBStreamBatchInfo.endSequenceNumber);
  const found: Change[] = [];
  try {
    for (let next = await firstIterator(streams, letter); next; ) {
      const { Records = [], NextShardIterator } = await streams.send(new GetRecordsCommand({ ShardIterator: next }));
      for (const record of Records) {
        if (BigInt(record.dynamodb?.SequenceNumber ?? 0) > last) return found;
        found.push(record);
      }
      if (BigInt(found.at(-1)?.dynamodb?.SequenceNumber ?? 0) >= last) return found;
      next = NextShardIterator;
    }
    return found;
  } catch (error) {
    if (!(error instanceof TrimmedDataAccessException)) throw error;
    throw new OperatorError(
      'The stream no longer has the changes of a letter: it keeps them for a day. Housekeeping has queued what was waiting; compare the charges and webhook events of that time, then: dead-letters drop',
    );
  }
}

async function firstIterator(
  streams: Place['streams'],
  { DDBStreamBatchInfo: batch }: z.infer<typeof StreamLetter>,
): Promise<string | undefined> {
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({
      StreamArn: batch.streamArn,
      ShardId: batch.shardId,
      ShardIteratorType: 'AT_SEQUENCE_NUMBER',
      SequenceNumber: batch.startSequenceNumber,
    }),
  );
  return ShardIterator;
}

import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { isoOf } from '../outside/outside.ts';
import { type Worker, type WorkerOutside, worker } from '../outside/worker-outside.ts';
import { RowOfLaterRelease } from '../table/row-shape.ts';
import type { Item, Table } from '../table/table.ts';
import type { StreamRow } from './row.ts';

/** What became of a row. */
export interface RowChange {
  readonly event: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly sk: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** The same, as the stream delivers it. */
export interface Change extends RowChange {
  /** When it was made (ISO), to the second. */
  readonly at: string;
  /** The same however often the change is delivered, and of no other change. */
  readonly sequence: string;
}

/**
 * Sorts changes of one row in the order in which they were made, and those of several by the second: numbers of different rows
 * say nothing about each other. A number has up to 40 digits.
 */
export function orderOf({ at, sequence }: Pick<Change, 'at' | 'sequence'>): string {
  return `${at}#${sequence.padStart(40, '0')}`;
}

export type StreamHandler = Worker<StreamRow, DynamoDBStreamEvent, DynamoDBBatchResponse>;

/**
 * Wraps a function behind the table's stream. Changes are handled in order; the first that throws ends the batch and is named,
 * so that Lambda starts again from it and nothing overtakes it. Where it is the first of several, the invocation fails, because
 * only then does Lambda surely halve the batch: in the end the change is alone, and nothing is given up with it.
 */
export function stream(
  row: StreamRow,
  handle: (change: Change, outside: WorkerOutside) => Promise<void>,
): StreamHandler {
  return worker(row, (outside) => async ({ Records }: DynamoDBStreamEvent) => {
    for (const [at, record] of Records.entries()) {
      try {
        const change = changeOf(record, outside.table);
        if (change) await handle(change, outside);
      } catch (error) {
        outside.log.error('change_failed', { error });
        if (at === 0 && Records.length > 1) throw new FirstChangeFailed();
        if (error instanceof RowOfLaterRelease) await outside.sleep((row.timeoutSeconds - SPARE_SECONDS) * 1000);
        return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
      }
    }
    return { batchItemFailures: [] };
  });
}

/**
 * What fails at once is given up after fifty tries, which is within minutes. A change that only a deployment is in the way of spends nearly all
 * the time that a try has, so that they last for a quarter of an hour. This is left of it for what came before.
 */
const SPARE_SECONDS = 10;

class FirstChangeFailed extends Error {
  constructor() {
    super('The first change of a batch failed: Lambda is to halve the batch');
  }
}

/** Undefined where a row was carried over into another shape: nothing has happened to what it stands for. */
function changeOf({ eventName, dynamodb }: DynamoDBRecord, table: Table): Change | undefined {
  if (!eventName || !dynamodb?.Keys) throw new Error('A stream record without a name or keys');
  const { ApproximateCreationDateTime: seconds, SequenceNumber: sequence } = dynamodb;
  if (seconds === undefined || !sequence) throw new Error('A stream record without a time or a number');
  const [was, is] = [image(dynamodb.OldImage), image(dynamodb.NewImage)];
  const [before, after] = [was && table.asCurrent(was), is && table.asCurrent(is)];
  if (was && is && was.shape !== is.shape && isDeepStrictEqual(before, after)) return undefined;
  return {
    event: eventName,
    sk: String(dynamodb.Keys.sk?.S),
    before,
    after,
    at: isoOf(Math.floor(seconds) * 1000),
    sequence,
  };
}

/** Lambda's event types name the same attribute values as the SDK's, apart from binary ones, which the table has none of. */
function image(attributes: NonNullable<DynamoDBRecord['dynamodb']>['NewImage']): Item | undefined {
  return attributes && unmarshall(attributes as Record<string, AttributeValue>);
}

/** What filters look at, as the stream and Lambda both have it. */
interface NamedChange {
  readonly eventName?: string | undefined;
  readonly dynamodb?:
    | { readonly Keys?: Readonly<Record<string, { readonly S?: string | undefined }>> | undefined }
    | undefined;
}

/** Whether a change fits the row's filters. */
export function isWanted({ eventName, dynamodb }: NamedChange, { only }: StreamRow): boolean {
  const sk = dynamodb?.Keys?.sk?.S ?? '';
  return only.some(
    ({ event, sortKeyPrefixes }) => event === eventName && sortKeyPrefixes.some((start) => sk.startsWith(start)),
  );
}

/** A change as Lambda hands it to a function: with seconds where the SDK has a date. */
export function asLambda({ dynamodb, ...record }: StreamRecord): object {
  const createdMs = dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0;
  return { ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime: createdMs / 1000 } };
}

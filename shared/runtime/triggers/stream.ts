import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { isoOf } from '../outside/outside.ts';
import { type Worker, type WorkerOutside, worker } from '../outside/worker-outside.ts';
import { asCurrent, RowOfLaterRelease } from '../table/row-shape.ts';
import type { Item } from '../table/table.ts';
import type { StreamRow } from './row.ts';

export interface RowChange {
  readonly event: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly sk: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export interface Change extends RowChange {
  readonly at: string;
  /** Unique id of the change. A redelivered change keeps its id. */
  readonly sequence: string;
}

/**
 * Returns a sort key for changes. Sequence numbers (up to 40 digits) order the changes to one row, but are not
 * comparable between rows.
 */
export function orderOf({ at, sequence }: Pick<Change, 'at' | 'sequence'>): string {
  return `${at}#${sequence.padStart(40, '0')}`;
}

export type StreamHandler = Worker<StreamRow, DynamoDBStreamEvent, DynamoDBBatchResponse>;

/**
 * Wraps a function that handles table changes in order. The first change that throws ends the batch, and Lambda resumes
 * there. If that change is the first of several, the whole invocation fails, so that Lambda halves the batch until only
 * the failing change is left.
 */
export function stream(
  row: StreamRow,
  handle: (change: Change, outside: WorkerOutside) => Promise<void>,
): StreamHandler {
  return worker(row, (outside) => async ({ Records }: DynamoDBStreamEvent) => {
    for (const [at, record] of Records.entries()) {
      try {
        await handle(changeOf(record), outside);
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
 * Seconds of the timeout reserved for earlier changes in the batch. If a change must wait for a deployment, each
 * attempt waits for the rest of the timeout, so fifty attempts last a quarter of an hour.
 */
const SPARE_SECONDS = 10;

class FirstChangeFailed extends Error {
  constructor() {
    super('The first change of a batch failed, so Lambda must halve the batch');
  }
}

function changeOf({ eventName, dynamodb }: DynamoDBRecord): Change {
  if (!eventName || !dynamodb?.Keys) throw new Error('The stream record has no event name or no keys');
  const { ApproximateCreationDateTime: seconds, SequenceNumber: sequence } = dynamodb;
  if (seconds === undefined || !sequence) throw new Error('The stream record has no time or no sequence number');
  return {
    event: eventName,
    sk: String(dynamodb.Keys.sk?.S),
    before: image(dynamodb.OldImage),
    after: image(dynamodb.NewImage),
    at: isoOf(Math.floor(seconds) * 1000),
    sequence,
  };
}

/** Lambda's types match the SDK's except for binary values, which the table does not contain. */
function image(attributes: NonNullable<DynamoDBRecord['dynamodb']>['NewImage']): Item | undefined {
  return attributes && asCurrent(unmarshall(attributes as Record<string, AttributeValue>));
}

interface NamedChange {
  readonly eventName?: string | undefined;
  readonly dynamodb?:
    | { readonly Keys?: Readonly<Record<string, { readonly S?: string | undefined }>> | undefined }
    | undefined;
}

export function isWanted({ eventName, dynamodb }: NamedChange, { only }: StreamRow): boolean {
  const sk = dynamodb?.Keys?.sk?.S ?? '';
  return only.some(
    ({ event, sortKeyPrefixes }) => event === eventName && sortKeyPrefixes.some((start) => sk.startsWith(start)),
  );
}

export function asLambda({ dynamodb, ...record }: StreamRecord): object {
  const createdMs = dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0;
  return { ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime: createdMs / 1000 } };
}

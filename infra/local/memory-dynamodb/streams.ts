import type { DynamoDBRecord } from 'aws-lambda';
import { DynamoDbError, invalid } from './errors.ts';
import type { Input } from './operations.ts';

interface Stream {
  readonly tableName: string;
  readonly records: readonly DynamoDBRecord[];
  readonly trimmed: number;
}

const SHARD_ID = 'shardId-00000000000000000001-00000001';
const MOST_RECORDS = 1000;
const MOST_BYTES = 1024 ** 2;

export const streamArn = (tableName: string) =>
  `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}/stream/2026-01-01T00:00:00.000`;

export function tableOfArn({ StreamArn, ShardIterator }: Input): string {
  return String(StreamArn ?? ShardIterator).split('/')[1] ?? '';
}

/** An iterator consists of the stream's ARN and the number of preceding records. */
export const streamOperations: Readonly<Record<string, (stream: Stream, input: Input) => object>> = {
  DescribeStream: (stream, input) => {
    isThisStream(stream, input);
    const SequenceNumberRange = { StartingSequenceNumber: sequence(1) };
    const Shards = [{ ShardId: SHARD_ID, SequenceNumberRange }];
    return { StreamDescription: { StreamArn: input.StreamArn, StreamStatus: 'ENABLED', Shards } };
  },
  GetShardIterator: (stream, input) => {
    isThisStream(stream, input);
    if (input.ShardId !== SHARD_ID) throw notFound();
    const before = startOf(stream, input);
    if (before < stream.trimmed) throw trimmed();
    return { ShardIterator: `${input.StreamArn}|${before}` };
  },
  GetRecords: ({ tableName, records, trimmed: gone }, { ShardIterator, Limit = MOST_RECORDS }) => {
    const [arn, before = ''] = String(ShardIterator).split('|');
    if (arn !== streamArn(tableName) || !/^\d+$/.test(before)) throw invalid('Invalid ShardIterator');
    if (typeof Limit !== 'number' || Limit < 1 || Limit > MOST_RECORDS) throw invalid('Limit must be from 1 to 1000');
    const first = Number(before) - gone;
    if (first < 0) throw trimmed();
    let bytes = 0;
    const Records: DynamoDBRecord[] = [];
    for (const record of records.slice(first, first + Limit)) {
      bytes += record.dynamodb?.SizeBytes ?? 0;
      if (bytes > MOST_BYTES && Records.length > 0) break;
      Records.push(record);
    }
    return { Records, NextShardIterator: `${arn}|${Number(before) + Records.length}` };
  },
};

/** Returns the number of records before the first requested record. */
function startOf({ records, trimmed }: Stream, { ShardIteratorType: type, SequenceNumber }: Input): number {
  switch (type) {
    case 'TRIM_HORIZON':
      return trimmed;
    case 'LATEST':
      return trimmed + records.length;
    case 'AT_SEQUENCE_NUMBER':
    case 'AFTER_SEQUENCE_NUMBER': {
      if (typeof SequenceNumber !== 'string' || !/^\d{1,40}$/.test(SequenceNumber))
        throw invalid('Invalid SequenceNumber');
      return Number(SequenceNumber) - (type === 'AT_SEQUENCE_NUMBER' ? 1 : 0);
    }
    default:
      throw invalid('Invalid ShardIteratorType');
  }
}

const sequence = (number: number) => String(number).padStart(21, '0');

function isThisStream({ tableName }: Stream, { StreamArn }: Input): void {
  if (StreamArn !== streamArn(tableName)) throw notFound();
}

function notFound(): DynamoDbError {
  return new DynamoDbError('ResourceNotFoundException', 'Requested resource not found: Stream');
}

function trimmed(): DynamoDbError {
  return new DynamoDbError(
    'TrimmedDataAccessException',
    'The record is no longer in the stream, which keeps records for a day',
  );
}

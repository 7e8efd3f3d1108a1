import { DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, TrimmedDataAccessException } from '@aws-sdk/client-dynamodb-streams';
import { tableSchema } from '../../shared/runtime/table/table-schema.ts';

export interface TableFacts {
  exists: boolean;
  status: 'ACTIVE' | 'UPDATING';
  streamArn: string | undefined;
  expires: boolean;
  isRecoverable: boolean;
  isProtected: boolean;
  createdAtMs: number;
  /** True if the dead letters' records have expired from the stream. */
  forgets: boolean;
}

export const STREAM_ARN = 'arn:aws:dynamodb:eu-west-1:1:table/momo-kiosk-test/stream/2026-01-01T00:00:00.000';

export function healthyTable(): TableFacts {
  return {
    exists: true,
    status: 'ACTIVE',
    streamArn: STREAM_ARN,
    expires: true,
    isRecoverable: true,
    isProtected: true,
    createdAtMs: 0,
    forgets: false,
  };
}

/** Creates a DynamoDB client that only returns the table's settings. */
export function tableClient(facts: TableFacts): DynamoDBClient {
  const answers: Record<string, () => object> = {
    DescribeTableCommand: () => ({
      Table: {
        TableStatus: facts.status,
        StreamSpecification: { StreamEnabled: facts.streamArn !== undefined },
        LatestStreamArn: facts.streamArn,
        DeletionProtectionEnabled: facts.isProtected,
        CreationDateTime: new Date(facts.createdAtMs),
      },
    }),
    DescribeTimeToLiveCommand: () => ({
      TimeToLiveDescription: {
        TimeToLiveStatus: facts.expires ? 'ENABLED' : 'DISABLED',
        AttributeName: tableSchema.timeToLiveAttribute,
      },
    }),
    DescribeContinuousBackupsCommand: () => ({
      ContinuousBackupsDescription: {
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: facts.isRecoverable ? 'ENABLED' : 'DISABLED' },
      },
    }),
  };
  const send = async (command: object) => {
    if (!facts.exists) throw new ResourceNotFoundException({ $metadata: {}, message: 'no such table' });
    return answers[command.constructor.name]?.();
  };
  return Object.assign(new DynamoDBClient({ region: 'us-east-1' }), { send });
}

/** Creates a stream client that may no longer have the dead letters' records. */
export function streamsClient(facts: TableFacts): DynamoDBStreamsClient {
  const send = async () => {
    if (facts.forgets) throw new TrimmedDataAccessException({ $metadata: {}, message: 'trimmed' });
    return { ShardIterator: 'first', Records: [] };
  };
  return Object.assign(new DynamoDBStreamsClient({ region: 'us-east-1' }), { send });
}

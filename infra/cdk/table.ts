import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { tableSchema } from '../../shared/runtime/table/table-schema.ts';
import type { StreamRow } from '../../shared/runtime/triggers/row.ts';
import type { Settings } from './settings.ts';
import { allow } from './stage-rights.ts';

/**
 * Creates a plain `Table`. `TableV2` is a global table, and replicas could not guarantee the transactions that credits
 * depend on.
 */
export function createTable(scope: Construct, settings: Settings): Table {
  const table = new Table(scope, idOfTable(settings), {
    tableName: settings.tableName,
    partitionKey: { name: tableSchema.partitionKey, type: AttributeType.STRING },
    sortKey: { name: tableSchema.sortKey, type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    // AWS owns the encryption key. A key of our own would add a call to each cold read and could take the service down.
    // Such a key would protect only against someone who may read the table but not use the key.
    encryption: TableEncryption.DEFAULT,
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
    timeToLiveAttribute: tableSchema.timeToLiveAttribute,
    // `npm run deploy -- --import-existing-resources` adopts a kept table into a new stack.
    removalPolicy: settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    deletionProtection: settings.keepsData,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
  });
  for (const index of tableSchema.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
      sortKey: { name: index.sortKey, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }
  return table;
}

/**
 * Gives a replacement table its own logical id. Under the same id, CloudFormation would create a new table instead of
 * adopting the existing one (`--import-existing-resources`).
 */
function idOfTable({ name, tableName }: Settings): string {
  return tableName === name ? 'Table' : `Table-${tableName.slice(name.length + 1)}`;
}

/**
 * Retries of a failed change before it becomes a dead letter. Lambda's splitting of a batch in half does not count as a
 * retry. If every attempt times out, the change blocks others for half an hour. A change that fails immediately is
 * abandoned within minutes.
 */
const RETRIES = 50;

export interface OnStream {
  readonly fn: LambdaFunction;
  readonly deadLetters: Queue;
}

/** Sends the table's changes to a function. Failed changes go to `deadLetters`. */
export function feedFromStream(
  table: Table,
  { fn, deadLetters }: OnStream,
  row: StreamRow,
  { streamLanes }: Settings,
): void {
  const streamArn = table.tableStreamArn;
  if (!streamArn) throw new Error('The table has no stream');
  // Actions for Lambda's poller. `DynamoEventSource` would also allow listing every stream.
  const actions = ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'].map((name) => `dynamodb:${name}`);
  fn.addToRolePolicy(allow(actions, [streamArn]));
  new EventSourceMapping(fn, 'Stream', {
    target: fn,
    eventSourceArn: streamArn,
    // The stream is the outbox, so no record may be skipped, and LATEST would skip some. TRIM_HORIZON repeats at most
    // half a day of changes, none of which takes effect twice.
    startingPosition: StartingPosition.TRIM_HORIZON,
    filters: row.only.map(({ event, sortKeyPrefixes }) =>
      FilterCriteria.filter({
        eventName: FilterRule.isEqual(event),
        dynamodb: {
          Keys: { [tableSchema.sortKey]: { S: sortKeyPrefixes.flatMap((start) => FilterRule.beginsWith(start)) } },
        },
      }),
    ),
    // No batching window, because texts must be sent within a second.
    batchSize: row.batchSize,
    maxBatchingWindow: Duration.seconds(0),
    parallelizationFactor: streamLanes,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    retryAttempts: RETRIES,
    // The stream keeps records for a day. If the mapping is disabled, records are abandoned after half a day and stay
    // readable for another half.
    maxRecordAge: Duration.hours(12),
    onFailure: new SqsDlq(deadLetters),
  });
  Validations.of(deadLetters).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'This is the dead-letter queue of the stream mapping; the rule considers only queues and functions.',
  });
}

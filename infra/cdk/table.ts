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
 * Creates a plain `Table`. A `TableV2` is a global table, and a second region could not guarantee the transactions and
 * conditions that credits depend on.
 */
export function createTable(scope: Construct, settings: Settings): Table {
  const table = new Table(scope, idOfTable(settings), {
    tableName: settings.tableName,
    partitionKey: { name: tableSchema.partitionKey, type: AttributeType.STRING },
    sortKey: { name: tableSchema.sortKey, type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    // AWS owns the encryption key. A key of our own would add a call to each cold read and could take the service down.
    // It would only protect against someone who may read this table but not use the key.
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
 * Gives a replacement table its own logical id. Under the same id, CloudFormation would create a new table. Under a
 * different id, it adopts the existing table (`--import-existing-resources`) and keeps the former one.
 */
function idOfTable({ name, tableName }: Settings): string {
  return tableName === name ? 'Table' : `Table-${tableName.slice(name.length + 1)}`;
}

/**
 * Retries of a failed change before it becomes a dead letter. At the wrapper's request, Lambda first halves a batch
 * until the change is alone, and those four attempts do not count. If every attempt timed out, a lane would be blocked
 * for half an hour. A change that fails immediately is abandoned within minutes, including AWS's pauses.
 */
const RETRIES = 50;

export interface OnStream {
  readonly fn: LambdaFunction;
  readonly deadLetters: Queue;
}

/** Sends the table's changes to a function. Changes that exhaust their retries are listed in `deadLetters`. */
export function feedFromStream(
  table: Table,
  { fn, deadLetters }: OnStream,
  row: StreamRow,
  { streamLanes }: Settings,
): void {
  const streamArn = table.tableStreamArn;
  if (!streamArn) throw new Error('The table has no stream');
  // The actions that Lambda's poller needs. `DynamoEventSource` would also allow listing every stream.
  const actions = ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'].map((name) => `dynamodb:${name}`);
  fn.addToRolePolicy(allow(actions, [streamArn]));
  new EventSourceMapping(fn, 'Stream', {
    target: fn,
    eventSourceArn: streamArn,
    // The stream is the outbox, so no record may be skipped. LATEST would skip records written while the mapping
    // starts. TRIM_HORIZON repeats at most half a day of changes, and no payment, text or event takes effect twice.
    startingPosition: StartingPosition.TRIM_HORIZON,
    filters: row.only.map(({ event, sortKeyPrefixes }) =>
      FilterCriteria.filter({
        eventName: FilterRule.isEqual(event),
        dynamodb: {
          Keys: { [tableSchema.sortKey]: { S: sortKeyPrefixes.flatMap((start) => FilterRule.beginsWith(start)) } },
        },
      }),
    ),
    // There is no batching window, because texts must be sent within a second. Ten sends of fifty texts each make fifty
    // SQS calls, well within the timeout.
    batchSize: row.batchSize,
    maxBatchingWindow: Duration.seconds(0),
    parallelizationFactor: streamLanes,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    retryAttempts: RETRIES,
    // The stream keeps records for a day. If the mapping is disabled, Lambda abandons records after half a day, and
    // they stay readable for another half.
    maxRecordAge: Duration.hours(12),
    onFailure: new SqsDlq(deadLetters),
  });
  Validations.of(deadLetters).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'This is the dead-letter queue of the stream mapping; the rule considers only queues and functions.',
  });
}

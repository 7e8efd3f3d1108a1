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
 * The one table. A plain `Table` and not `TableV2`, which is a global table: a second region could not keep the promises of
 * transactions and conditions that the credits rely on, so the service has no use for one.
 */
export function createTable(scope: Construct, settings: Settings): Table {
  const table = new Table(scope, idOfTable(settings), {
    tableName: settings.tableName,
    partitionKey: { name: tableSchema.partitionKey, type: AttributeType.STRING },
    sortKey: { name: tableSchema.sortKey, type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    // Encrypted at rest with a key that AWS owns. A key of our own would cost a call for each cold read, and one more thing
    // that can stop the service, and would guard only against who can read this table in this account but not use the key.
    encryption: TableEncryption.DEFAULT,
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
    timeToLiveAttribute: tableSchema.timeToLiveAttribute,
    // A table that was kept comes back into a new stack with `npm run deploy -- --import-existing-resources`.
    removalPolicy: settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    deletionProtection: settings.keepsData,
    // Paid by the gigabyte, so it costs nothing worth mentioning where the table is small.
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
 * A table that takes another's place has an id of its own. Under the same one CloudFormation would replace the table, which
 * makes a new one; under another it adopts the one that exists (`--import-existing-resources`) and leaves the former as it is.
 */
function idOfTable({ name, tableName }: Settings): string {
  return tableName === name ? 'Table' : `Table-${tableName.slice(name.length + 1)}`;
}

/**
 * How often a change that fails is tried again before it becomes a dead letter and the next goes on. The wrapper has Lambda halve a
 * batch until the change is alone, which takes four tries more and does not count. If each ran into its timeout, a lane would
 * stand still for half an hour; one that fails at once is given up within minutes, with AWS's own pauses between the tries.
 */
const RETRIES = 50;

export interface OnStream {
  readonly fn: LambdaFunction;
  readonly deadLetters: Queue;
}

/** Passes the table's changes to a function. Those that it fails to process in the end are named in `deadLetters`. */
export function feedFromStream(
  table: Table,
  { fn, deadLetters }: OnStream,
  row: StreamRow,
  { streamLanes }: Settings,
): void {
  const streamArn = table.tableStreamArn;
  if (!streamArn) throw new Error('The table has no stream');
  // What Lambda's poller calls in the function's name. DynamoEventSource would grant the listing on every stream there is.
  const actions = ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'].map((name) => `dynamodb:${name}`);
  fn.addToRolePolicy(allow(actions, [streamArn]));
  new EventSourceMapping(fn, 'Stream', {
    target: fn,
    eventSourceArn: streamArn,
    // The stream is the outbox. LATEST would skip what is written while the mapping starts; from the oldest record on,
    // a new mapping repeats at most half a day: no money, text or event takes effect twice.
    startingPosition: StartingPosition.TRIM_HORIZON,
    filters: row.only.map(({ event, sortKeyPrefixes }) =>
      FilterCriteria.filter({
        eventName: FilterRule.isEqual(event),
        dynamodb: {
          Keys: { [tableSchema.sortKey]: { S: sortKeyPrefixes.flatMap((start) => FilterRule.beginsWith(start)) } },
        },
      }),
    ),
    // No window: a text must leave within a second. Ten sends of fifty texts are fifty calls to SQS, well within the timeout.
    batchSize: row.batchSize,
    maxBatchingWindow: Duration.seconds(0),
    // One item's changes stay in order.
    parallelizationFactor: streamLanes,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    retryAttempts: RETRIES,
    // What waited behind a mapping that was off is not given up for its age alone, until half of the day is over for which the
    // stream keeps its records: what is given up then can still be read for as long.
    maxRecordAge: Duration.hours(12),
    onFailure: new SqsDlq(deadLetters),
  });
  Validations.of(deadLetters).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason:
      'It is the dead-letter queue of the mapping from the stream, where the rule looks only at queues and functions.',
  });
}

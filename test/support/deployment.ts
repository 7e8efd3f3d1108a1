import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import { inject, onTestFinished } from 'vitest';
import { service } from '../../functions/manifest.ts';
import { startSqs } from '../../infra/local/sqs.ts';
import type { Aws, DeployedFunction } from '../../shared/runtime/stage/aws.ts';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import { healthyTable, STREAM_ARN, streamsClient, tableClient } from './table-client.ts';
import { databaseOf, type World } from './world.ts';

export async function startQueues(): Promise<Deployment['queues']> {
  const sqs = await startSqs();
  onTestFinished(() => sqs.stop());
  return { client: new SQSClient({ endpoint: sqs.endpoint }), waitSeconds: 0, nameOf: (queue) => queue };
}

/** Creates a deployment for operator commands on a world's table. */
export function deploymentOf(world: World, parts: Partial<Deployment> = {}): Deployment & { secret: { text: string } } {
  const secret = { text: '{}' };
  return {
    stage: 'test',
    release: RELEASE,
    service,
    outside: world.outside,
    // The table is looked up only if needed, because the benchmark has no database.
    table: parts.table ?? { client: databaseOf(world).plain, name: databaseOf(world).tableName, keepsData: false },
    streams: parts.streams ?? new DynamoDBStreamsClient({ endpoint: inject('dynamoDbEndpoint') }),
    queues: { client: new SQSClient({ endpoint: 'http://localhost:1' }), waitSeconds: 0, nameOf: (queue) => queue },
    gatewayAccounts: {
      read: async () => secret.text,
      write: async (text) => {
        secret.text = text;
      },
    },
    baseUrl: async () => world.outside.baseUrl,
    aws: undefined,
    ...parts,
    secret,
  };
}

export function quietPlace(world: World): Deployment {
  const table = healthyTable();
  return deploymentOf(world, {
    table: { client: tableClient(table), name: 'momo-kiosk-test', keepsData: false },
    streams: streamsClient(table),
    queues: { client: emptyQueues(), waitSeconds: 0, nameOf: (queue) => queue },
    gatewayAccounts: { read: () => world.outside.secret('GATEWAY_ACCOUNTS'), write: async () => undefined },
  });
}

function emptyQueues(): SQSClient {
  const answers: Record<string, object> = {
    GetQueueUrlCommand: { QueueUrl: 'https://sqs.example.com/queue' },
    GetQueueAttributesCommand: { Attributes: { ApproximateNumberOfMessages: '0', RedrivePolicy: '{}' } },
    ReceiveMessageCommand: { Messages: [] },
  };
  const send = async (command: object) => answers[command.constructor.name] ?? {};
  return Object.assign(new SQSClient({ region: 'us-east-1' }), { send });
}

const RELEASE = '1.2.3-01234567';
export const HEALTHY_OUTPUTS = { ApiUrl: 'https://pay.example.com', AlarmTopicArn: 'arn:topic', Release: RELEASE };

/** A healthy deployed stage in which a test can break one part. */
export function healthyAws(broken: Partial<Aws> = {}): Aws {
  const functions = new Map<string, DeployedFunction>();
  const functionOf = (id: string): DeployedFunction =>
    functions.get(id) ?? { arn: id, reserved: undefined, beforeStop: undefined };
  return {
    stack: async () => ({ status: 'UPDATE_COMPLETE', outputs: HEALTHY_OUTPUTS }),
    alarms: async () => [
      { name: 'momo-kiosk-test-api-server-errors', state: 'OK', description: 'Merchants get errors.', isMuted: false },
    ],
    subscriptions: async () => [{ endpoint: 'ama@example.com', isConfirmed: true }],
    mappings: async (functionId) => [
      { id: `uuid-of-${functionId}`, source: healthySource(functionId), state: 'Enabled' },
    ],
    rule: async () => ({ name: 'every-minute', isEnabled: true }),
    concurrencyLimit: async () => 1000,
    throttles: async (names) => new Map(names.map((name) => [name, 0])),
    iamRefusals: async () => 0,
    oldestMessageSeconds: async (names) => new Map(names.map((name) => [name, 0])),
    invoke: async () => ({ batchItemFailures: [] }),
    gatewayAccounts: { read: async () => '{}', write: async () => {} },
    deleteStack: async () => {},
    deployedFunction: async (id) => functionOf(id),
    reserve: async (id, reserved) => void functions.set(id, { ...functionOf(id), reserved }),
    noteBeforeStop: async ({ arn: id }, beforeStop) => void functions.set(id, { ...functionOf(id), beforeStop }),
    readers: async (source) =>
      ['work-relay', 'work-follow-up'].map((id) => ({
        id: `uuid-of-${id}`,
        source,
        state: 'Enabled',
        functionName: `momo-kiosk-test-${id}`,
      })),
    deleteGatewayAccounts: async () => [],
    ...broken,
  };
}

export function healthySource(functionId: string): string {
  const readsStream = functionId === 'work-relay' || functionId === 'work-follow-up';
  return readsStream ? STREAM_ARN : `arn:aws:sqs:eu-west-1:1:${functionId.replace('work-', '')}`;
}

import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { environment } from '../outside/environment.ts';
import type { Outside } from '../outside/outside.ts';
import { newSqsClient } from '../outside/queues.ts';
import { withRealOutside } from '../outside/worker-outside.ts';
import type { Deployment, Service } from '../stage/deployment.ts';
import { stackName } from '../stage/names.ts';
import { OperatorError } from '../stage/operator-error.ts';
import { newDynamoDbClient } from '../table/connection.ts';
import { RowOfLaterRelease } from '../table/row-shape.ts';
import type { CallRow } from './row.ts';

type AtStage = (question: unknown) => Promise<object>;
export interface CallHandler {
  (question: unknown, context?: Context): Promise<object>;
  readonly at: (deployment: Deployment) => AtStage;
  readonly row: CallRow;
}

/**
 * Wraps a function that only this stage's functions call. Expected failures are returned as `{ refused }`. Other errors
 * fail the invocation.
 */
export function callee<Question>(
  row: CallRow,
  service: Service,
  schema: z.core.$ZodType<Question>,
  handle: (deployment: Deployment, question: Question) => Promise<object>,
): CallHandler {
  const at =
    (deployment: Deployment): AtStage =>
    async (question) => {
      try {
        return await handle(deployment, z.parse(schema, question));
      } catch (error) {
        if (error instanceof OperatorError || error instanceof RowOfLaterRelease) return { refused: error.message };
        throw error;
      }
    };
  const handler = (question: unknown, context?: Context) =>
    withRealOutside(context, async (outside: Outside) => at(await ownStage(outside, service))(question));
  return Object.assign(handler, { at, row });
}

export async function ownStage(outside: Outside, service: Service): Promise<Deployment> {
  const { DYNAMODB_ENDPOINT, SQS_ENDPOINT } = process.env;
  const isLocal = SQS_ENDPOINT !== undefined;
  const stage = isLocal ? 'local' : environment('STAGE');
  const prefix = isLocal ? '' : `${stackName(stage)}-`;
  const dynamoDb = DYNAMODB_ENDPOINT ? { endpoint: DYNAMODB_ENDPOINT } : {};
  return {
    stage,
    release: isLocal ? 'local' : environment('RELEASE'),
    service,
    outside,
    table: {
      client: newDynamoDbClient(DYNAMODB_ENDPOINT),
      name: environment('TABLE_NAME'),
      keepsData: process.env.KEEPS_DATA === 'true',
    },
    streams: new DynamoDBStreamsClient(dynamoDb),
    queues: {
      client: newSqsClient(SQS_ENDPOINT),
      waitSeconds: isLocal ? 0 : 1,
      nameOf: (queue) => `${prefix}${queue}`,
    },
    gatewayAccounts: {
      read: () => outside.secret('GATEWAY_ACCOUNTS'),
      write: async () => {
        throw new OperatorError('Gateway accounts can only be set on the command line. Use: gateway set');
      },
    },
    baseUrl: async () => outside.baseUrl,
    // Load the five AWS SDK clients only on AWS.
    aws: isLocal ? undefined : (await import('../stage/aws.ts')).openAws(stackName(stage)),
  };
}

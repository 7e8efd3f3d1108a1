import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { environment } from '../outside/environment.ts';
import type { Outside } from '../outside/outside.ts';
import { newSqsClient } from '../outside/queues.ts';
import { newDynamoDbClient } from '../table/connection.ts';
import { stackName } from './names.ts';
import { OperatorError } from './operator-error.ts';
import type { Place, Service } from './place.ts';

/** The stage that this function is part of, with the rights of its role; on a laptop the local stack. */
export async function ownStage(outside: Outside, service: Service): Promise<Place> {
  const { DYNAMODB_ENDPOINT, SQS_ENDPOINT } = process.env;
  const isLocal = SQS_ENDPOINT !== undefined;
  const stage = isLocal ? 'local' : environment('STAGE');
  const prefix = isLocal ? '' : `${stackName(stage)}-`;
  const dynamoDb = DYNAMODB_ENDPOINT ? { endpoint: DYNAMODB_ENDPOINT } : {};
  return {
    stage,
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
        throw new OperatorError('Gateway accounts are set by the command line: gateway set');
      },
    },
    baseUrl: async () => outside.baseUrl,
    // Five clients, which a laptop need not load.
    aws: isLocal ? undefined : (await import('./aws.ts')).openAws(stackName(stage)),
  };
}

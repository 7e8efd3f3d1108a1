import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Outside } from '../outside/outside.ts';
import type { Row } from '../triggers/row.ts';
import type { Aws, SecretText } from './aws.ts';

export type AdminOutside = Pick<Outside, 'table' | 'now' | 'randomBytes' | 'sleep' | 'allowsThisMachine'>;

export interface Service {
  readonly functions: Readonly<Record<string, Row>>;
  readonly queues: readonly string[];
  readonly parts: readonly { readonly name: string; readonly holds: readonly string[] }[];
}

export interface Deployment {
  readonly stage: string;
  /** Release of the command line, which can differ from the stage's release. */
  readonly release: string;
  readonly service: Service;
  readonly outside: AdminOutside & Pick<Outside, 'fetch'>;
  readonly table: { readonly client: DynamoDBClient; readonly name: string; readonly keepsData: boolean };
  readonly streams: DynamoDBStreamsClient;
  readonly queues: {
    readonly client: SQSClient;
    /** Seconds to wait for messages. Only a read that waits (long polling) queries all of SQS's servers. */
    readonly waitSeconds: number;
    nameOf(queue: string): string;
  };
  readonly gatewayAccounts: SecretText;
  baseUrl(): Promise<string>;
  readonly callbackBaseUrl?: string | undefined;
  /** Undefined on the local stack. */
  readonly aws: Aws | undefined;
}

export type Progress = (doing: string) => void;

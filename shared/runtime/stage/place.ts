import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Outside } from '../outside/outside.ts';
import type { Row } from '../triggers/row.ts';
import type { Aws, SecretText } from './aws.ts';

/** The side effects that an operator's use cases need. */
export type AdminOutside = Pick<Outside, 'table' | 'now' | 'randomBytes' | 'sleep' | 'allowsThisMachine'>;

/** What a stage consists of: the manifest. */
export interface Service {
  readonly functions: Readonly<Record<string, Row>>;
  readonly queues: readonly string[];
  /** What has a stack of its own, and the functions in it, by name or folder. */
  readonly parts: readonly { readonly name: string; readonly holds: readonly string[] }[];
}

/** The service where an operator works on it: a deployed stage, or the local stack. */
export interface Place {
  /** The stage's name, `local` for the local stack. */
  readonly stage: string;
  /** The release that looks at it, which may be another than the one that it runs. */
  readonly release: string;
  readonly service: Service;
  readonly outside: AdminOutside & Pick<Outside, 'fetch'>;
  readonly table: { readonly client: DynamoDBClient; readonly name: string; readonly keepsData: boolean };
  /** The table's changes of the last day. */
  readonly streams: DynamoDBStreamsClient;
  readonly queues: {
    readonly client: SQSClient;
    /** SQS keeps a queue on several servers; only a read that waits asks all of them. */
    readonly waitSeconds: number;
    nameOf(queue: string): string;
  };
  /** The JSON text with the accounts at the gateways. */
  readonly gatewayAccounts: SecretText;
  /** Where the service is reached, without a slash at the end. */
  baseUrl(): Promise<string>;
  /** Where phones reach it, if not there: a tunnel to the local stack. */
  readonly callbackBaseUrl?: string | undefined;
  /** Undefined on the local stack. */
  readonly aws: Aws | undefined;
}

/** Told what is being done, by what takes longer. */
export type Progress = (doing: string) => void;

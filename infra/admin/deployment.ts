import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { service } from '../../functions/manifest.ts';
import { newSqsClient } from '../../shared/runtime/outside/queues.ts';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { newDynamoDbClient } from '../../shared/runtime/table/connection.ts';
import { openTable } from '../../shared/runtime/table/open-table.ts';
import { parseJson } from '../../shared/runtime/values/json.ts';
import { settingsFrom } from '../cdk/settings.ts';
import { writeWhole } from '../local/write-whole.ts';
import { release } from '../release.ts';

/** Connects to a deployed stage with the operator's AWS credentials, or to the local stack. */
export async function connect(stage: string | undefined): Promise<Deployment> {
  return stage === undefined ? localStack() : deployedStage(stage);
}

async function deployedStage(stage: string): Promise<Deployment> {
  const { name, keepsData } = settingsOf(stage);
  // Load the AWS clients only for a deployed stage.
  const { openAws } = await import('../../shared/runtime/stage/aws.ts');
  const client = newDynamoDbClient();
  const aws = openAws(name);
  // A table restored from a backup has a different name.
  const tableName = (await aws.stack())?.outputs.TableName ?? name;
  return {
    stage,
    release,
    service,
    outside: outsideOf(client, tableName, false),
    table: { client, name: tableName, keepsData },
    streams: new DynamoDBStreamsClient(),
    queues: { client: newSqsClient(), waitSeconds: 1, nameOf: (queue) => `${name}-${queue}` },
    gatewayAccounts: aws.gatewayAccounts,
    baseUrl: async () => {
      const url = (await aws.stack())?.outputs.ApiUrl;
      if (!url)
        throw new OperatorError(`The stack ${name} has no URL. Deploy it with:\nnpm run deploy -- -c stage=${stage}`);
      return url;
    },
    aws,
  };
}

function settingsOf(stage: string) {
  try {
    return settingsFrom((name) => (name === 'stage' ? stage : undefined));
  } catch {
    throw new OperatorError(
      `${stage} is not a valid stage name. Use a lower-case letter, then up to 19 letters, digits or dashes.`,
    );
  }
}

const LocalFacts = z.object({
  base_url: z.string(),
  callback_base_url: z.optional(z.string()),
  dynamodb_endpoint: z.string().check(z.minLength(1)),
  aws_access_key_id: z.string(),
  sqs_endpoint: z.string(),
  table_name: z.string(),
  gateway_accounts: z.record(z.string(), z.unknown()),
});

/** Returns undefined if no stack is running or if a different release wrote the file. */
export function readLocalFacts(file: string): z.infer<typeof LocalFacts> | undefined {
  return existsSync(file) ? parseJson(LocalFacts, readFileSync(file, 'utf8')) : undefined;
}

export function localStack(): Deployment {
  const file = join(process.env.LOCAL_DIR || '.local', 'demo.json');
  const facts = readLocalFacts(file);
  if (!facts) {
    throw new OperatorError(
      `No local stack is running (${file} is missing). Start one with "npm start", or name a deployed stage with --stage.`,
    );
  }
  const credentials = { accessKeyId: facts.aws_access_key_id, secretAccessKey: 'local' };
  const local = { region: 'us-east-1', credentials };
  const client = new DynamoDBClient({ endpoint: facts.dynamodb_endpoint, ...local });
  return {
    stage: 'local',
    release,
    service,
    outside: outsideOf(client, facts.table_name, true),
    table: { client, name: facts.table_name, keepsData: false },
    streams: new DynamoDBStreamsClient({ endpoint: facts.dynamodb_endpoint, ...local }),
    queues: {
      client: new SQSClient({ endpoint: facts.sqs_endpoint, ...local }),
      waitSeconds: 0,
      nameOf: (queue) => queue,
    },
    gatewayAccounts: {
      read: async () => JSON.stringify(readLocalFacts(file)?.gateway_accounts),
      // The running stack rereads the gateway accounts from this file.
      write: async (text) => {
        const whole = { ...JSON.parse(readFileSync(file, 'utf8')), gateway_accounts: JSON.parse(text) };
        writeWhole(file, `${JSON.stringify(whole, null, 2)}\n`, 0o600);
      },
    },
    baseUrl: async () => facts.base_url,
    callbackBaseUrl: facts.callback_base_url,
    aws: undefined,
  };
}

function outsideOf(client: DynamoDBClient, tableName: string, allowsThisMachine: boolean): Deployment['outside'] {
  const table = openTable(client, tableName, { randomBytes, sleep });
  return { table, now: Date.now, randomBytes, sleep: (ms) => sleep(ms), allowsThisMachine, fetch };
}

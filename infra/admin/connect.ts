import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { parseJson } from '../../shared/runtime/json.ts';
import { newDynamoDbClient, openTable } from '../../shared/runtime/table.ts';
import { type AdminOutside, OperatorError } from './operations.ts';

/** The table of a deployed stage, with the operator's own AWS credentials; without a stage, that of the local stack. */
export function connect(stage: string | undefined): AdminOutside {
  const { client, tableName } =
    stage === undefined ? localTable() : { client: newDynamoDbClient(), tableName: `momo-kiosk-${stage}` };
  const table = openTable(client, tableName, { randomBytes, sleep });
  return { table, now: Date.now, randomBytes, webhooksToAnyHost: stage === undefined };
}

/** What the running stack wrote down, as far as it is needed here. */
const LocalFacts = z.object({ dynamodb_endpoint: z.string().check(z.minLength(1)), table_name: z.string() });

function localTable() {
  const file = join(process.env.LOCAL_DIR || '.local', 'demo.json');
  const facts = existsSync(file) ? parseJson(LocalFacts, readFileSync(file, 'utf8')) : undefined;
  if (!facts) {
    throw new OperatorError(
      `No local stack is running (there is no ${file}). Start one with "npm start", or name a deployed one with --stage.`,
    );
  }
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: facts.dynamodb_endpoint, region: 'us-east-1', credentials });
  return { client, tableName: facts.table_name };
}

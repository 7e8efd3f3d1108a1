import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { newDynamoDbClient, openTable } from '../../shared/runtime/table.ts';
import { type AdminOutside, OperatorError } from './operations.ts';

/** The table of a deployed stage, with the operator's own AWS credentials; without a stage, that of the local stack. */
export function connect(stage: string | undefined): AdminOutside {
  const { client, tableName } =
    stage === undefined ? localTable() : { client: newDynamoDbClient(), tableName: `momo-kiosk-${stage}` };
  const table = openTable(client, tableName, { randomBytes, sleep });
  return { table, now: Date.now, randomBytes, webhooksToAnyHost: stage === undefined };
}

function localTable() {
  const file = join(process.env.LOCAL_DIR || '.local', 'demo.json');
  let facts: { dynamodb_endpoint: string; table_name: string };
  try {
    facts = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new OperatorError(
      `No local stack is running (there is no ${file}). Start one with "npm start", or name a deployed one with --stage.`,
    );
  }
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: facts.dynamodb_endpoint, region: 'us-east-1', credentials });
  return { client, tableName: facts.table_name };
}

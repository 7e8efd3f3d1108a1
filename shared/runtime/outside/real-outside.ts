import { setTimeout as sleep } from 'node:timers/promises';
import { newDynamoDbClient } from '../table/connection.ts';
import { openTable } from '../table/open-table.ts';
import { callFunction, readSecret } from './ask-aws.ts';
import { environment } from './environment.ts';
import { lambdaLog } from './log.ts';
import type { Outside } from './outside.ts';
import { randomBytes } from './random-bytes.ts';
import { retentionDays } from './retention.ts';

export function realOutside(): Outside {
  real ??= {
    table: openTable(newDynamoDbClient(process.env.DYNAMODB_ENDPOINT), environment('TABLE_NAME'), {
      randomBytes,
      sleep,
    }),
    now: Date.now,
    randomBytes,
    sleep,
    fetch: (...request) => fetch(...request),
    secret: readSecret,
    log: lambdaLog,
    baseUrl: environment('BASE_URL'),
    allowsThisMachine: process.env.ALLOWS_THIS_MACHINE === 'true',
    retentionDays: retentionDays(),
    operator: process.env.OPERATOR_CONTACT || undefined,
    call: callFunction,
  };
  return real;
}

let real: Outside | undefined;

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { createTable, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { setLastUse } from '../../shared/merchants/merchant/api-key.table.ts';
import { hashApiKey } from '../../shared/merchants/merchant/api-key.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import type { Outside } from '../../shared/runtime/outside/outside.ts';
import { randomBytes } from '../../shared/runtime/outside/random-bytes.ts';
import { realOutside } from '../../shared/runtime/outside/real-outside.ts';
import type { AdminOutside } from '../../shared/runtime/stage/deployment.ts';
import { newDynamoDbClient } from '../../shared/runtime/table/connection.ts';
import { openTable } from '../../shared/runtime/table/open-table.ts';
import { createMerchant, httpEvent, setDefaultSender, type TestMerchant } from '../support/world.ts';

/** The real `Outside` with its own table in DynamoDB Local, and a merchant without limits. */
export interface BenchWorld {
  readonly outside: Outside;
  readonly database: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly merchant: TestMerchant;
}

export const SENDER = {
  number: '+233241234567',
  network: 'MTN',
  gateway: 'phone',
  device_id: 'device-1',
  sim_number: 1,
} as const;

/** Runs DynamoDB Local during `run` and sets this process's environment. */
export async function withDynamoDb<Result>(run: (endpoint: string) => Promise<Result>): Promise<Result> {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-east-1' });
  const { endpoint, stop } = await startDynamoDb();
  Object.assign(process.env, {
    DYNAMODB_ENDPOINT: endpoint,
    TABLE_NAME: 'none',
    BASE_URL: 'https://pay.example.com',
    RETENTION_DAYS: '400',
  });
  try {
    return await run(endpoint);
  } finally {
    await stop();
  }
}

export async function createBenchWorld(endpoint: string): Promise<BenchWorld> {
  const tableName = `bench-${randomUUID()}`;
  await createTable(endpoint, tableName);
  const client = newDynamoDbClient(endpoint);
  const outside = { ...realOutside(), table: openTable(client, tableName, { randomBytes, sleep }) };
  const merchant = await readyMerchant(outside);
  const marshallOptions = { removeUndefinedValues: true };
  return { outside, database: DynamoDBDocumentClient.from(client, { marshallOptions }), tableName, merchant };
}

/** Creates a merchant with credits, two recently used keys and an unlimited sender. */
export async function readyMerchant(outside: AdminOutside): Promise<TestMerchant> {
  const merchant = await createMerchant({ outside }, { credits: 1_000_000_000 });
  await addSender(outside, { ...SENDER, messages_per_hour: 1_000_000 });
  await setDefaultSender({ outside }, merchant.id, SENDER.number);
  const now = new Date(outside.now()).toISOString();
  for (const key of [merchant.liveKey, merchant.smsKey]) await setLastUse(outside, hashApiKey(key), now);
  return merchant;
}

/** Exactly one SMS (160 characters). */
const TEXT =
  'Ama Stores: your order 4417 is ready. Collect it at Oxford Street, Osu, from 9 am to 6 pm, Monday to Saturday. ' +
  'Bring this text with you. Thank you for the order';

export function sendEvent(key: string, recipients: number) {
  const to = Array.from({ length: recipients }, (_, n) => `02412345${String(n).padStart(2, '0')}`);
  return httpEvent({ path: '/api/v1/sms/send', key, body: { to, message: TEXT } });
}

export function initializeEvent(key: string) {
  const body = {
    amount: 36,
    email: 'kofi@example.com',
    customer_name: 'Kofi Mensah',
    callback_url: 'https://shop.example.com/orders/4417/paid',
    description: 'Two yards of kente',
    metadata: { order_id: '4417', customer_id: 90210 },
  };
  return httpEvent({ path: '/api/v1/transaction/initialize', key, body });
}

/** Returns calls of a handler, each with its own event. A call throws if the response is not a success. */
export function callsOf(
  handler: HttpHandler,
  { outside }: Pick<BenchWorld, 'outside'>,
  eventOf: () => APIGatewayProxyEventV2,
) {
  const inWorld = handler.with(outside);
  return () => {
    const event = eventOf();
    return async () => {
      const { statusCode, body } = await inWorld(event, CONTEXT);
      if (statusCode !== 200) throw new Error(`The handler responded with ${statusCode}: ${body}`);
      return { body };
    };
  };
}

/**
 * Replaces `send` in every document client during `run`. The replacement receives the command and the original `send`.
 */
export async function withSend<Result>(
  send: (command: { readonly input: object }, really: () => Promise<unknown>) => Promise<unknown>,
  run: () => Promise<Result>,
): Promise<Result> {
  const { prototype } = DynamoDBDocumentClient;
  const real: unknown = Reflect.get(prototype, 'send');
  if (typeof real !== 'function') throw new Error('The document client has no send');
  Object.assign(prototype, {
    send(this: unknown, command: { input: object }, ...rest: unknown[]) {
      return send(command, () => Reflect.apply(real, this, [command, ...rest]));
    },
  });
  try {
    return await run();
  } finally {
    Reflect.deleteProperty(prototype, 'send');
  }
}

const CONTEXT = {} as Context;

import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { GetRecordsCommand } from '@aws-sdk/client-dynamodb-streams';
import { GetQueueUrlCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { connect } from '../../../infra/admin/deployment.ts';
import { bundle } from '../../../infra/cdk/bundle.ts';
import { listenHere } from '../../../infra/local/loopback.ts';
import { callFunction, readSecret } from '../../../shared/runtime/outside/ask-aws.ts';
import { openQueues } from '../../../shared/runtime/outside/queues.ts';
import { newDynamoDbClient } from '../../../shared/runtime/table/connection.ts';
import { openTable } from '../../../shared/runtime/table/open-table.ts';
import { ownStage } from '../../../shared/runtime/triggers/call.ts';
import { createWorld } from '../../support/world.ts';

// AWS_ENDPOINT_URL redirects all AWS requests to another endpoint, such as an emulator.

const QUEUE_URL = 'https://sqs.eu-west-1.amazonaws.com/123456789012/momo-kiosk-test-deliver-sms';
const NO_STACK =
  '<ErrorResponse><Error><Code>ValidationError</Code><Message>It does not exist</Message></Error></ErrorResponse>';
const run = promisify(execFile);

let asked: string[];
let environment: Record<string, string>;
beforeEach(async () => {
  asked = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    const service = /Credential=[^/]+\/\d+\/[^/]+\/(\w+)\//.exec(request.headers.authorization ?? '')?.[1];
    const target = String(request.headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1);
    asked.push(`${service} ${target || new URLSearchParams(body).get('Action') || request.url}`);
    // Any response that causes no retry is sufficient.
    response.writeHead(400).end(body.includes('Action=') ? NO_STACK : '{}');
  });
  const { port, stop } = await listenHere(server);
  onTestFinished(stop);
  environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    TABLE_NAME: 'momo-kiosk-test',
    BASE_URL: 'https://pay.example.com',
    RETENTION_DAYS: '400',
    STAGE: 'test',
    RELEASE: '1.2.3-01234567',
    FUNCTION_WORK_REPAIR: 'momo-kiosk-test-work-repair',
    GATEWAY_ACCOUNTS_SECRET: 'momo-kiosk-test/gateways',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  for (const name of ['DYNAMODB_ENDPOINT', 'SQS_ENDPOINT', 'LAMBDA_ENDPOINT', 'GATEWAY_ACCOUNTS'])
    vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

test('a function uses the custom endpoint for all AWS services', async () => {
  const needs = { randomBytes: () => Buffer.alloc(18), sleep: async () => {} };
  const table = openTable(newDynamoDbClient(), 'momo-kiosk-test', needs);
  const queues = openQueues(() => QUEUE_URL);
  await Promise.allSettled([
    table.get({ pk: 'a', sk: 'b' }),
    queues.send('deliver-sms', [{ body: {}, group: 'a' }]),
    readSecret('GATEWAY_ACCOUNTS'),
    callFunction('work/repair', {}),
  ]);
  expect(asked.toSorted()).toEqual([
    'dynamodb GetItem',
    'lambda /2015-03-31/functions/momo-kiosk-test-work-repair/invocations',
    'secretsmanager GetSecretValue',
    'sqs SendMessageBatch',
  ]);
});

test.each<[string, () => ReturnType<typeof connect>]>([
  ['operator commands, the doctor and the journeys', () => connect('test')],
  [
    'the function that operates the stage',
    async () => {
      const { outside } = await createWorld({ inMemory: true });
      return ownStage(outside, { functions: manifest, queues: [], parts: [] });
    },
  ],
])('%s always use the custom endpoint', async (_, open) => {
  const place = await open();
  const { aws, queues, streams, table } = place;
  if (!aws) throw new Error('It is a deployed stage');
  asked = [];
  await Promise.allSettled([
    aws.stack(),
    aws.alarms('arn:topic'),
    aws.subscriptions('arn:aws:sns:eu-west-1:123456789012:topic'),
    aws.mappings('work-relay'),
    aws.rule('work-housekeeping'),
    aws.concurrencyLimit(),
    aws.iamRefusals(),
    aws.invoke('work-relay', {}),
    aws.gatewayAccounts.read(),
    aws.gatewayAccounts.write('{}'),
    openTable(table.client, table.name, place.outside).get({ pk: 'a', sk: 'b' }),
    streams.send(new GetRecordsCommand({ ShardIterator: 'first' })),
    queues.client.send(new GetQueueUrlCommand({ QueueName: 'deliver-sms' })),
    queues.client.send(new ReceiveMessageCommand({ QueueUrl: QUEUE_URL })),
  ]);
  const services = new Set(asked.map((each) => each.split(' ')[0]));
  const all = 'cloudformation dynamodb events lambda monitoring secretsmanager sns sqs';
  expect([...services].sort().join(' ')).toBe(all);
  for (const action of ['dynamodb GetItem', 'dynamodb GetRecords', 'sqs GetQueueUrl', 'sqs ReceiveMessage'])
    expect(asked).toContain(action);
  expect(asked).toHaveLength(14);
});

test('a bundle uses the custom endpoint', async () => {
  // Outside the repository, whose package.json would make the file an ES module.
  const outdir = mkdtempSync(join(tmpdir(), 'momo-kiosk-endpoint-'));
  onTestFinished(() => rmSync(outdir, { recursive: true }));
  bundle({ 'callback/smsgate': manifest['callback/smsgate'], 'sms/from': manifest['sms/from'] }, outdir);
  const event = { routeKey: '$default', rawPath: '/', headers: {}, pathParameters: { gateway: 'phone' }, body: '{}' };
  const requestContext = { requestId: '1', http: { method: 'POST', path: '/' } };
  const ask = `require('./index.js').handler(${JSON.stringify({ ...event, requestContext })}, {}).catch(() => {})`;
  await run(process.execPath, ['-e', ask], { cwd: join(outdir, 'callback/smsgate'), env: environment });
  expect(asked).toEqual(['secretsmanager GetSecretValue']);
});

const sources = globSync(['shared/**/*.ts', 'functions/**/*.ts', 'infra/**/*.ts', 'test/journeys/**/*.ts'], {
  exclude: ['infra/clients/**'],
});

test('no other file contains an AWS hostname', () => {
  const named = sources.filter((file) => /https?:\/\/[^\s'"]*amazonaws/.test(readFileSync(file, 'utf8')));
  expect(named).toEqual(['shared/runtime/outside/ask-aws.ts']);
});

test('no other file creates an SDK client', () => {
  const made = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/new \w+Client\((?!\))[^\n]*/g)].map(([line]) => `${file}: ${line}`),
  );
  expect(made.filter((line) => !/^infra\/local\/|^test\/journeys\/|: new AwsClient\(/.test(line)).sort()).toEqual([
    'infra/admin/deployment.ts: new DynamoDBClient({ endpoint: facts.dynamodb_endpoint, ...local });',
    'infra/admin/deployment.ts: new DynamoDBStreamsClient({ endpoint: facts.dynamodb_endpoint, ...local }),',
    'infra/admin/deployment.ts: new SQSClient({ endpoint: facts.sqs_endpoint, ...local }),',
    'shared/runtime/outside/queues.ts: new SQSClient({',
    'shared/runtime/table/connection.ts: new DynamoDBClient({',
    'shared/runtime/triggers/call.ts: new DynamoDBStreamsClient(dynamoDb),',
  ]);
});

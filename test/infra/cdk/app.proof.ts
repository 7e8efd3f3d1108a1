import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stack } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, describe, expect, inject, test } from 'vitest';
import cdk from '../../../cdk.json' with { type: 'json' };
import { createApp } from '../../../infra/cdk/app.ts';
import { createTable } from '../../../infra/local/dynamodb.ts';
import { newApiKey } from '../../../shared/merchants/merchant/api-key.ts';
import { isInSlice } from '../../support/slice.ts';
import { httpEvent } from '../../support/world.ts';

/** CDK's own rules take half of the time, so this test runs them only every fourth day. */
const builtinCloudFormationValidation = isInSlice(0, 4);

// Outside the repository, whose package.json would turn the bundles into ES modules and hide missing packages.
const outdirs: string[] = [];
afterAll(() => outdirs.forEach((outdir) => void rmSync(outdir, { recursive: true })));

// Deploys one stack alone, as the CDK does after the stage's main stack.
const app = appWith({ 'aws:cdk:bundling-stacks': ['momo-kiosk-dev-api'] });

test('a stack deployed alone contains its own code', () => {
  const functions = app.node.findAll().filter((one) => one instanceof CfnFunction);
  const texts = functions.filter((one) => Stack.of(one).stackName === 'momo-kiosk-dev-api');
  expect(texts.length).toBeGreaterThan(3);
  const resolved = texts.map((one) => Stack.of(one).resolve(one.code));
  expect(resolved.filter((code) => 'zipFile' in code)).toEqual([]);
});

test('bundles use Lambda’s credentials', async () => {
  const endpoint = inject('dynamoDbEndpoint');
  const tableName = `bundle-${randomUUID()}`;
  await createTable(endpoint, tableName);
  const event = httpEvent({ key: newApiKey('sms', '01KATYQ6Z5C5J8YB4SFH1N3XQ2', randomBytes) });
  const ask = `require('./index.js').handler(${JSON.stringify(event)}, {}).then(({ body }) => process.stdout.write(body))`;
  const env = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIAFUNCTION',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'token',
    DYNAMODB_ENDPOINT: endpoint,
    TABLE_NAME: tableName,
    BASE_URL: 'https://pay.example.com',
    RETENTION_DAYS: '400',
  };
  const cwd = join(app.outdir, 'bundles', 'sms', 'from');
  const asked = await run(process.execPath, ['-e', ask], { cwd, env });
  expect(JSON.parse(asked.stdout)).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('unknown') });
  const withoutKeys = await run(process.execPath, ['-e', ask], { cwd, env: { ...env, AWS_ACCESS_KEY_ID: '' } });
  expect(JSON.parse(withoutKeys.stdout)).toMatchObject({ code: 'internal' });
});

describe('CDK and cdk-nag rules', () => {
  const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/0f6f';
  const zone = { hostedZoneId: 'Z123', hostedZoneName: 'example.com' };
  const domain = { domain: 'pay.example.com', certificateArn, ...zone };

  test.each([
    { stage: 'dev' },
    { stage: 'dev', leadingKeys: 'off' },
    { stage: 'prod', alarmEmail: 'ops@example.com', alarmUrl: 'https://pager.example.com' },
    { stage: 'prod', tableName: 'momo-kiosk-prod.restored', ...domain },
  ])('report only acknowledged violations with the context %j', (context) => {
    expect(() => appWith({ ...context, ...WITHOUT_BUNDLES }).synth()).not.toThrow();
  });

  test('stop synthesis on a violation', () => {
    const broken = appWith(WITHOUT_BUNDLES);
    new Queue(new Stack(broken, 'Other'), 'QueueWithoutTls');
    expect(() => broken.synth()).toThrow('The SQS queue does not require requests to use SSL');
  });
});

const WITHOUT_BUNDLES = { 'aws:cdk:bundling-stacks': [] };

function appWith(context: object = {}) {
  const outdir = mkdtempSync(join(tmpdir(), 'momo-kiosk-app-'));
  outdirs.push(outdir);
  return createApp({ outdir, builtinCloudFormationValidation, context: { ...cdk.context, ...context } });
}

const run = promisify(execFile);

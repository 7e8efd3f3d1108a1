import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, describe, expect, test } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { manifest } from '../../functions/manifest.ts';
import { createApp } from '../../infra/app.ts';

// Outside the repository: its package.json would make the bundles ES modules, and its packages would hide a missing one.
const outdirs: string[] = [];
afterAll(() => outdirs.forEach((outdir) => void rmSync(outdir, { recursive: true })));

const app = appWith();

test.concurrent.each(Object.keys(manifest))('%s loads from its bundle alone, on plain Node', async (name) => {
  const load = `process.stdout.write(typeof require('./index.js').handler)`;
  const asCommonJs = ['--no-experimental-require-module', '-e', load];
  const loaded = await run(process.execPath, asCommonJs, { cwd: join(app.outdir, 'bundles', name), env: {} });
  expect(loaded).toEqual({ stdout: 'function', stderr: '' });
});

describe("CDK's own rules and those of cdk-nag", () => {
  const domain = {
    domain: 'pay.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f6f',
    hostedZoneId: 'Z123',
    hostedZoneName: 'example.com',
  };

  test.each([{ stage: 'dev', alarmEmail: 'ops@example.com' }, { stage: 'prod' }, { stage: 'prod', ...domain }])(
    'find nothing wrong with %j that is not acknowledged',
    (context) => {
      expect(() => appWith({ ...context, ...WITHOUT_BUNDLES }).synth()).not.toThrow();
    },
  );

  test('fail the synthesis of what is not as they want it', () => {
    const broken = appWith(WITHOUT_BUNDLES);
    new Queue(new Stack(broken, 'Other'), 'QueueWithoutTls');
    expect(() => broken.synth()).toThrow('The SQS queue does not require requests to use SSL');
  });
});

const WITHOUT_BUNDLES = { 'aws:cdk:bundling-stacks': [] };

function appWith(context: object = {}) {
  const outdir = mkdtempSync(join(tmpdir(), 'momo-kiosk-app-'));
  outdirs.push(outdir);
  return createApp({ outdir, context: { ...cdk.context, ...context } });
}

const run = promisify(execFile);

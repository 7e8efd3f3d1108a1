import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import cdk from '../../../cdk.json' with { type: 'json' };
import { parts } from '../../../functions/manifest.ts';
import { createApp } from '../../../infra/cdk/app.ts';
import { alarmName, rollbackAlarms } from '../../../infra/cdk/names.ts';
import { ALARM_ARN, type StandIn, startAws } from '../../support/cloudformation.ts';
import { rotatingTest } from '../../support/rotating-test.ts';

const test = rotatingTest(3);

// Runs `npm run deploy` against a simulated CloudFormation whose first deployment fails.

const STAGE = 'momo-kiosk-prod';
const PARTS = parts.map(({ name }) => `${STAGE}-${name}`);
const DASHBOARD = `${STAGE}-dashboard`;

const assembly = mkdtempSync(join(tmpdir(), 'momo-kiosk-assembly-'));
afterAll(() => rmSync(assembly, { recursive: true }));
createApp({
  outdir: assembly,
  // Covered by app.test.ts.
  builtinCloudFormationValidation: false,
  context: { ...cdk.context, stage: 'prod', alarms: 'off', 'aws:cdk:bundling-stacks': [] },
}).synth();

test('a repeated deployment adopts the retained table', async () => {
  const aws = await startAws();
  aws.failing.add(STAGE);
  expect((await deploy(aws)).code).toBe(1);
  expect(aws.stacks.get(STAGE)).toMatchObject({ status: 'ROLLBACK_COMPLETE', isProtected: true });
  expect([...aws.tables]).toEqual([STAGE]);

  aws.failing.clear();
  aws.done.length = 0;
  const repeated = await deploy(aws);
  expect(repeated.code).toBe(0);
  expect(repeated.output).toContain(`The first deployment of ${STAGE} failed`);
  // CDK may deploy the stacks in any order.
  const remade = ['is not protected', 'is deleted', 'is protected', 'is CREATE_COMPLETE'];
  expect(aws.done.slice(0, 4)).toEqual(remade.map((done) => `${STAGE} ${done}`));
  const made = PARTS.flatMap((name) => [`${name} is protected`, `${name} is CREATE_COMPLETE`]);
  expect(aws.done.slice(4).toSorted()).toEqual(made.toSorted());
});

test('a stage stays protected if its dashboard’s deployment fails', async () => {
  const aws = await startAws();
  aws.failing.add(DASHBOARD);
  expect((await deploy(aws)).code).toBe(1);
  expect(aws.stacks.get(STAGE)).toMatchObject({ status: 'CREATE_COMPLETE', isProtected: true });
  expect(aws.stacks.get(DASHBOARD)).toMatchObject({ status: 'ROLLBACK_COMPLETE', isProtected: true });

  aws.failing.clear();
  aws.done.length = 0;
  expect((await deploy(aws)).code).toBe(0);
  expect(aws.done).not.toContain(`${STAGE} is not protected`);
  expect(aws.done).not.toContain(`${STAGE} is deleted`);
  for (const name of [STAGE, DASHBOARD]) expect(aws.stacks.get(name)?.isProtected).toBe(true);
  expect(aws.stacks.get(DASHBOARD)?.status).toBe('CREATE_COMPLETE');
});

test('a deployed stage stays protected if a later deployment fails', async () => {
  const aws = await startAws();
  await deploy(aws);
  aws.failing.add(STAGE);
  aws.done.length = 0;
  expect((await deploy(aws, '--force')).code).toBe(1);
  expect(aws.stacks.get(STAGE)).toMatchObject({ status: 'UPDATE_ROLLBACK_COMPLETE', isProtected: true });

  aws.failing.clear();
  expect((await deploy(aws, '--force')).code).toBe(0);
  expect(aws.done.slice(0, 2)).toEqual([`${STAGE} is UPDATE_ROLLBACK_COMPLETE`, `${STAGE} is UPDATE_COMPLETE`]);
  expect(aws.done.filter((each) => /protected|deleted/.test(each))).toEqual([]);
});

test('a release that changes rows disables CloudFormation’s alarm monitoring', async () => {
  const aws = await startAws();
  for (const name of rollbackAlarms) aws.alarms.set(alarmName(STAGE, 'money-stops', name), 'OK');
  await deploy(aws);
  const alarms = rollbackAlarms.map((name) => `${ALARM_ARN}${alarmName(STAGE, 'money-stops', name)}`);
  const isWatched = { alarms, minutes: '15' };
  const isNot = { alarms: [], minutes: '0' };
  const told = () => [STAGE, ...PARTS].map((name) => aws.stacks.get(name)?.rollback);
  expect((await deploy(aws, '-c', 'alarms=on', '--force')).code).toBe(0);
  expect(told()).toEqual([isWatched, ...PARTS.map(() => isNot)]);
});

/** Runs `npm run deploy -- -c stage=prod -c alarms=off` on the synthesised app, with additional arguments. */
function deploy({ environment }: StandIn, ...more: string[]): Promise<{ code: number | null; output: string }> {
  const context = ['-c', 'stage=prod', '-c', 'alarms=off'];
  const args = ['infra/cdk/deploy.ts', ...context, '--app', assembly, '--yes', ...more];
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment, AWS_PROFILE: '' };
    const child = execFile(process.execPath, args, { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

import { execFileSync } from 'node:child_process';
import { App, Stack } from 'aws-cdk-lib';
import * as assertions from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { parts } from '../../../functions/manifest.ts';
import { type Deployed, type Deployment, MONITORING_MINUTES, planDeployment } from '../../../infra/cdk/deployment.ts';
import { rollbackAlarms } from '../../../infra/cdk/names.ts';
import { hasOtherShapes, noteRowShapes } from '../../../infra/cdk/row-shapes.ts';
import { refuseUnknown } from '../../../infra/cdk/settings.ts';
import { watchAlarms } from '../../../infra/cdk/watch-alarms.ts';
import type { RowShape } from '../../../shared/runtime/table/table.ts';

const PROD = ['-c', 'stage=prod'];
const PARTS = parts.map(({ name }) => `momo-kiosk-prod-${name}`);
const ALL = ['momo-kiosk-prod', ...PARTS];
const FLAG = '--rollback-trigger-alarm-arns';
const UNWATCHED = [`${FLAG}=none`, '--monitoring-time-minutes=0'];
const QUIET = { context: PROD, failedStacks: [], notes: [], watchedAfter: [] };

test('--help lists all options without calling AWS', () => {
  const help = execFileSync(process.execPath, ['infra/cdk/deploy.ts', '--help'], { encoding: 'utf8', env: {} });
  for (const option of ['--yes', '--app <folder>', '--monitoring-time-minutes <minutes>', FLAG])
    expect(help).toContain(option);
  expect(() => refuseUnknown(['colour'])).toThrow(
    expect.objectContaining({ message: expect.stringMatching(new RegExp(`are ${settingsIn(help).join(', ')}\\.$`)) }),
  );
});

function settingsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}([a-z]\w+) {2,}\S/gm)].map(([, name = '']) => name);
}

describe('rollback alarms', () => {
  test('are the stage’s existing alarms', async () => {
    const plan = await planDeployment([...PROD, '-c', 'alarmEmail=ops@example.com'], deployed());
    const context = [...PROD, '-c', 'alarmEmail=ops@example.com'];
    expect(plan.steps).toEqual([
      {
        stacks: ['momo-kiosk-prod'],
        flags: [
          ...rollbackAlarms.map((name) => `${FLAG}=arn:momo-kiosk-prod-money-stops-${name}`),
          `--monitoring-time-minutes=${MONITORING_MINUTES}`,
        ],
      },
      { stacks: PARTS, flags: UNWATCHED },
    ]);
    expect(plan.context).toEqual(context);
    expect(plan.notes).toEqual([expect.stringMatching(/5 alarms fires .* within 15 minutes after/)]);
  });

  test('are omitted in a first deployment', async () => {
    const plan = await planDeployment(PROD, deployed({ stack: async () => undefined, alarms: unasked }));
    const steps = [{ stacks: ALL, flags: ['--import-existing-resources'] }];
    expect(plan).toEqual({ ...QUIET, steps });
  });

  test('are removed if the stage has no alarms', async () => {
    for (const given of [
      [...PROD, '-c', 'alarms=off'],
      ['-c', 'stage=dev'],
    ]) {
      const plan = await planDeployment(given, deployed({ alarms: unasked, stack: stackIs('CREATE_COMPLETE') }));
      expect(plan.steps).toEqual([{ stacks: ALL.map((name) => inStage(name, given)), flags: UNWATCHED }]);
    }
    expect((await planDeployment(PROD, deployed({ alarms: async () => [] }))).steps[0]?.flags).toEqual(UNWATCHED);
  });

  test('exclude an alarm that is already firing', async () => {
    const plan = await planDeployment(PROD, deployed({ alarms: ringing('api-fails') }));
    expect(plan.steps[0]?.flags.filter((argument) => argument.startsWith(FLAG))).toHaveLength(4);
    expect(flagsOf(plan)).not.toContain(`${FLAG}=arn:momo-kiosk-prod-money-stops-api-fails`);
    expect(plan.notes[0]).toMatch(/api-fails is already active, so it will not roll this deployment back\.$/);
    const all = await planDeployment(PROD, deployed({ alarms: ringing(...rollbackAlarms) }));
    expect(all.steps[0]?.flags).toEqual(UNWATCHED);
  });

  test('can be chosen on the command line', async () => {
    const plan = await planDeployment([...PROD, `${FLAG}=none`], deployed({ alarms: unasked }));
    expect(plan).toEqual({ ...QUIET, steps: [{ stacks: ALL, flags: [] }] });
  });

  test('are passed in the CDK’s format', () => {
    const command = ['node_modules/aws-cdk/bin/cdk', 'deploy', '--help'];
    const help = execFileSync(process.execPath, command, { encoding: 'utf8' });
    for (const flag of [FLAG, '--monitoring-time-minutes', '--import-existing-resources', '--exclusively'])
      expect(help).toContain(flag);
    expect(help.replace(/\s+/g, ' ')).toContain("single value 'none' to clear any rollback triggers");
  });
});

describe('a release that changes rows', () => {
  const steps = [{ reads: [], change: () => ({}) }];
  const shapes: readonly RowShape[] = [{ pk: 'LINK#', sk: 'LINK', oldest: 1, steps }];
  const before = { TableName: 'momo-kiosk-prod' };
  const now = { ...before, RowShapes: 'LINK# / LINK: 2' };

  test('is deployed without rollback alarms', async () => {
    const plan = await planDeployment(PROD, deployed(), { shapes });
    expect(plan.steps).toEqual([{ stacks: ALL, flags: UNWATCHED }]);
    expect(plan.watchedAfter).toEqual(rollbackAlarms.map((name) => `momo-kiosk-prod-money-stops-${name}`));
    expect(plan.notes).toEqual([expect.stringMatching(/CANNOT BE ROLLED BACK.* -- table migrate --stage prod$/)]);
  });

  test('ignores alarms that fired earlier', async () => {
    const plan = await planDeployment(PROD, deployed({ alarms: ringing('api-fails') }), { shapes });
    expect(plan.watchedAfter).toHaveLength(4);
    const off = await planDeployment([...PROD, '-c', 'alarms=off'], deployed({ alarms: unasked }), { shapes });
    expect(off).toMatchObject({ steps: [{ stacks: ALL, flags: UNWATCHED }], watchedAfter: [] });
  });

  test('is complete once every stack has it', async () => {
    const outputsOf = (name: string) => (name.endsWith('dashboard') ? {} : now);
    const halfDone = async (name: string) => ({ status: 'UPDATE_COMPLETE', outputs: outputsOf(name) });
    const plan = await planDeployment(PROD, deployed({ stack: halfDone }), { shapes });
    expect(plan.steps).toEqual([{ stacks: ALL, flags: UNWATCHED }]);
    expect(plan.notes).toContainEqual(
      expect.stringContaining('(written by momo-kiosk-prod-dashboard of the previous release)'),
    );
  });

  test('is detected by its row shapes', async () => {
    const same = await planDeployment(PROD, deployed({ stack: stackIs('UPDATE_COMPLETE', now) }), { shapes });
    expect(same.steps).toHaveLength(2);
    expect(same.watchedAfter).toEqual([]);
    expect((await planDeployment(PROD, deployed({ stack: async () => undefined }), { shapes })).notes).toEqual([]);
    const back = await planDeployment(PROD, deployed({ stack: stackIs('UPDATE_COMPLETE', now) }), { shapes: [] });
    expect(back.steps).toEqual([{ stacks: ALL, flags: UNWATCHED }]);
  });

  test('cannot be combined with explicit rollback alarms', async () => {
    await expect(planDeployment([...PROD, `${FLAG}=arn:mine`], deployed(), { shapes })).rejects.toThrow(
      /changes row shapes, so no alarm can roll it back\. Leave out --rollback-trigger-alarm-arns/,
    );
    expect((await planDeployment([...PROD, `${FLAG}=none`], deployed(), { shapes })).steps).toHaveLength(1);
  });

  test('is detected from each stack’s output', () => {
    const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'S');
    noteRowShapes(stack, shapes);
    const [output] = Object.values(assertions.Template.fromStack(stack).findOutputs('*'));
    expect(output?.Value).toBe(now.RowShapes);
    expect(hasOtherShapes(now, shapes)).toBe(false);
  });
});

describe('checking alarms after a deployment', () => {
  const watched = async (states: readonly string[], minutes = 3) => {
    const printed: string[] = [];
    let n = 0;
    const code = await watchAlarms(['a', 'b'], minutes, {
      alarms: async (names) =>
        names.map((name) => ({ arn: name, name, state: name === 'b' ? (states[n] ?? 'OK') : 'OK' })),
      print: (line) => printed.push(line),
      sleep: async () => void n++,
    });
    return { code, printed, asked: n + 1 };
  };

  test('fails at the end if an alarm fired', async () => {
    const { code, printed, asked } = await watched(['OK', 'ALARM', 'ALARM', 'OK']);
    expect(code).toBe(1);
    expect(asked).toBe(4);
    expect(printed.filter((line) => line === 'The alarm b has fired.')).toHaveLength(1);
    expect(printed.at(-1)).toMatch(/^Deploy a release that fixes the fault\./);
  });

  test('succeeds if no alarm fires', async () => {
    expect(await watched([])).toMatchObject({ code: 0, asked: 4 });
    expect((await watched([])).printed.at(-1)).toBe('No alarm has fired.');
    expect(await watchAlarms([], 15, { alarms: unasked, print: unasked, sleep: unasked })).toBe(0);
  });
});

describe('a removed stage’s table', () => {
  test('is adopted by the next deployment', async () => {
    for (const stack of [async () => undefined, stackIs('ROLLBACK_COMPLETE')]) {
      const plan = await planDeployment(PROD, deployed({ stack, hasTable: async () => true }));
      expect(flagsOf(plan)).toContain('--import-existing-resources');
      expect(plan.notes).toContainEqual(
        expect.stringMatching(/momo-kiosk-prod exists, so the stack adopts it with its data\.$/),
      );
    }
  });

  test('is adopted together with its logs', async () => {
    const plan = await planDeployment(PROD, deployed({ stack: async () => undefined }));
    expect(flagsOf(plan)).toEqual(['--import-existing-resources']);
    expect(plan.notes).toEqual([]);
  });

  test('is ignored if the stage keeps no data', async () => {
    const made = deployed({ stack: async () => undefined, hasTable: unasked });
    expect(flagsOf(await planDeployment(['-c', 'stage=dev'], made))).toEqual([]);
  });

  test('is not imported again into its own stack', async () => {
    const plan = await planDeployment(PROD, deployed({ hasTable: unasked }));
    expect(flagsOf(plan)).not.toContain('--import-existing-resources');
  });
});

test('leadingKeys=off must be repeated in later deployments', async () => {
  const off = deployed({ stack: stackIs('UPDATE_COMPLETE', { TableName: 'momo-kiosk-prod', LeadingKeys: 'off' }) });
  await expect(planDeployment(PROD, off)).rejects.toThrow(
    /without the conditions on dynamodb:LeadingKeys\. Add -c leadingKeys=off to keep it that way, or -c leadingKeys=on to restore them\.$/,
  );
  for (const said of ['off', 'on']) await planDeployment([...PROD, '-c', `leadingKeys=${said}`], off);
});

describe('a restored table', () => {
  const restored = 'momo-kiosk-prod.restored';

  test('replaces the stage’s own table', async () => {
    const plan = await planDeployment(
      [...PROD, '--context', `tableName=${restored}`],
      deployed({ hasTable: async (name) => name === restored }),
    );
    expect(flagsOf(plan)).toContain('--import-existing-resources');
  });

  test('must be specified in later deployments', async () => {
    const on = deployed({ stack: stackIs('UPDATE_COMPLETE', { TableName: restored }), hasTable: async () => true });
    await expect(planDeployment(PROD, on)).rejects.toThrow(
      /uses the table momo-kiosk-prod\.restored\. Add -c tableName=momo-kiosk-prod\.restored, or -c tableName=momo-kiosk-prod to replace that table\.$/,
    );
    await planDeployment([...PROD, '-c', `tableName=${restored}`], on);
    const back = await planDeployment([...PROD, '-c', 'tableName=momo-kiosk-prod'], on);
    expect(flagsOf(back)).toContain('--import-existing-resources');
  });
});

describe('stacks that are deleted and recreated', () => {
  test.each(['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'])('include a stack whose creation failed (%s)', async (status) => {
    const statusOf = (name: string) => (name.endsWith('dashboard') ? status : 'UPDATE_COMPLETE');
    const stack = async (name: string) => ({ status: statusOf(name), outputs: {} });
    const dashboard = await planDeployment(PROD, deployed({ stack }));
    expect(dashboard.failedStacks).toEqual(['momo-kiosk-prod-dashboard']);
    expect(JSON.stringify(dashboard.steps)).toContain(FLAG);
    const both = await planDeployment(PROD, deployed({ stack: stackIs(status), alarms: unasked }));
    expect(both.failedStacks).toEqual(['momo-kiosk-prod', ...PARTS]);
    expect(both.steps).toEqual([{ stacks: ALL, flags: ['--import-existing-resources'] }]);
    expect(both.notes[0]).toMatch(/first deployment of momo-kiosk-prod failed/);
  });

  test.each([
    ...['CREATE_COMPLETE', 'CREATE_FAILED', 'CREATE_IN_PROGRESS', 'REVIEW_IN_PROGRESS', 'ROLLBACK_IN_PROGRESS'],
    ...['UPDATE_COMPLETE', 'UPDATE_FAILED', 'UPDATE_ROLLBACK_COMPLETE', 'UPDATE_ROLLBACK_FAILED', 'DELETE_FAILED'],
    'IMPORT_ROLLBACK_COMPLETE',
  ])('exclude a stack in the %s state', async (status) => {
    expect((await planDeployment(PROD, deployed({ stack: stackIs(status) }))).failedStacks).toEqual([]);
  });
});

test('an invalid setting is rejected before AWS is called', async () => {
  const plan = planDeployment(['-c', 'stage=Prod'], deployed({ stack: unasked }));
  await expect(plan).rejects.toThrow('a stage is a lower-case letter');
});

/** Returns a stage without firing alarms. */
function deployed(parts: Partial<Deployed> = {}): Deployed {
  return {
    stack: async (name) => ({ status: 'UPDATE_COMPLETE', outputs: { TableName: name } }),
    alarms: async (names) => names.map((name) => ({ arn: `arn:${name}`, name, state: 'OK' })),
    hasTable: async () => false,
    ...parts,
  };
}

function stackIs(status: string, outputs: Readonly<Record<string, string>> = {}): Deployed['stack'] {
  return async () => ({ status, outputs });
}

function ringing(...active: string[]): Deployed['alarms'] {
  const stateOf = (name: string) => (active.some((one) => name.endsWith(one)) ? 'ALARM' : 'INSUFFICIENT_DATA');
  return async (names) => names.map((name) => ({ arn: `arn:${name}`, name, state: stateOf(name) }));
}

async function unasked(): Promise<never> {
  throw new Error('The prompt was not expected');
}

function flagsOf({ steps }: Deployment): string[] {
  return steps.flatMap(({ flags }) => flags);
}

/** Replaces the stage in a prod stack's name. */
function inStage(name: string, context: readonly string[]): string {
  return name.replace('prod', context.includes('stage=dev') ? 'dev' : 'prod');
}

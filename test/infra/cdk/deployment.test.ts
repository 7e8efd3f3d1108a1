import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { parts } from '../../../functions/manifest.ts';
import { type Deployed, type Deployment, MONITORING_MINUTES, planDeployment } from '../../../infra/cdk/deployment.ts';
import { rollbackAlarms } from '../../../infra/cdk/names.ts';
import { refuseUnknown } from '../../../infra/cdk/settings.ts';
import { TABLE_FORMAT } from '../../../shared/runtime/table/lease.ts';

const PROD = ['-c', 'stage=prod'];
const PARTS = parts.map(({ name }) => `momo-kiosk-prod-${name}`);
const ALL = ['momo-kiosk-prod', ...PARTS];
const FLAG = '--rollback-trigger-alarm-arns';
const UNWATCHED = [`${FLAG}=none`, '--monitoring-time-minutes=0'];
const QUIET = { context: PROD, failedStacks: [], notes: [] };

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

describe('a removed stage’s table', () => {
  test('is adopted by the next deployment', async () => {
    for (const stack of [async () => undefined, stackIs('ROLLBACK_COMPLETE')]) {
      const plan = await planDeployment(PROD, deployed({ stack, tableFormat: async () => TABLE_FORMAT }));
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
    const made = deployed({ stack: async () => undefined, tableFormat: async () => 'empty' });
    expect(flagsOf(await planDeployment(['-c', 'stage=dev'], made))).toEqual([]);
  });

  test('is not imported again into its own stack', async () => {
    const plan = await planDeployment(PROD, deployed({ tableFormat: async () => TABLE_FORMAT }));
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
      deployed({ tableFormat: async (name) => (name === restored ? TABLE_FORMAT : undefined) }),
    );
    expect(flagsOf(plan)).toContain('--import-existing-resources');
  });

  test('must be specified in later deployments', async () => {
    const stack = stackIs('UPDATE_COMPLETE', { TableName: restored });
    const on = deployed({ stack, tableFormat: async () => TABLE_FORMAT });
    await expect(planDeployment(PROD, on)).rejects.toThrow(
      /uses the table momo-kiosk-prod\.restored\. Add -c tableName=momo-kiosk-prod\.restored, or -c tableName=momo-kiosk-prod to replace that table\.$/,
    );
    await planDeployment([...PROD, '-c', `tableName=${restored}`], on);
    const back = await planDeployment([...PROD, '-c', 'tableName=momo-kiosk-prod'], on);
    expect(flagsOf(back)).toContain('--import-existing-resources');
  });
});

describe('a table of another major version', () => {
  test.each([
    ['1.x', 1],
    ['3.x', 3],
  ])('is refused (%s)', async (version, format) => {
    const on = deployed({ tableFormat: async () => format });
    await expect(planDeployment(PROD, on)).rejects.toThrow(
      `The table momo-kiosk-prod has rows of release ${version}, which this release cannot read. Deploy release ${version}, or start with an empty table: -c tableName=momo-kiosk-prod.2`,
    );
    await expect(planDeployment(['-c', 'stage=dev'], on)).rejects.toThrow(
      /, or remove the stage with its table first: npm run admin -- stage remove --stage dev$/,
    );
  });

  test.each(['empty', undefined, TABLE_FORMAT] as const)('is not one whose format is %s', async (format) => {
    await planDeployment(PROD, deployed({ tableFormat: async () => format }));
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
    tableFormat: async () => undefined,
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

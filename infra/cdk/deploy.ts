import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import {
  CloudFormationClient,
  GetTemplateCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Command, InvalidArgumentError } from 'commander';
import { openAws } from '../../shared/runtime/stage/aws.ts';
import { missingAwsSetup } from '../../shared/runtime/stage/missing-aws-setup.ts';
import { formatOfTable } from '../../shared/runtime/table/table-format.ts';
import { deployShown } from './deploy-shown.ts';
import { type Deployed, MONITORED_FOR, MONITORING_MINUTES, planDeployment } from './deployment.ts';
import { settingsHelp } from './settings.ts';

const APPROVED = ['--require-approval', 'never'];

const OF_CDK = `
All other options are those of cdk deploy, such as --profile, --region, --revert-drift, and --rollback-trigger-alarm-arns=none, which stops
alarms from rolling the deployment back. docs/deploy/deploying.md describes every step up to a first charge.`;

/**
 * Entry point of `npm run deploy -- …`: shows the changes to all stacks, asks for confirmation (`--yes` skips the
 * prompt) and calls `cdk deploy`. With `--monitoring-time-minutes=15`, alarms roll back a bad deployment. Other
 * arguments are passed to CDK.
 */
const { given, isYes, app, isMade, minutes } = options(process.argv.slice(2));
try {
  useAccountOf(given);
  const deployed = deployedStage();
  const { steps, context, failedStacks, notes } = await planDeployment(given, deployed, { minutes });
  if (!isMade && runCdk(['synth', '--quiet', '--output', app, ...context]) !== 0) process.exit(1);
  for (const note of notes) console.log(note);
  process.exitCode = await deployShown(steps, isYes, {
    deployed: (stack) => templateOf(stack, failedStacks),
    made: (stack) => readFileSync(join(app, `${stack}.template.json`), 'utf8'),
    print: (line) => console.log(line),
    ask: process.stdin.isTTY ? ask : undefined,
    async deploy({ stacks, flags }) {
      for (const StackName of stacks.filter((stack) => failedStacks.includes(stack)))
        await new CloudFormationClient().send(
          new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
        );
      return runCdk(['deploy', ...stacks, '--exclusively', '--app', app, ...APPROVED, ...given, ...flags]);
    },
  });
} catch (error) {
  console.error(missingAwsSetup(error) ?? (error instanceof Error ? error.message : error));
  process.exitCode = 1;
}

/** Returns the deployed template, or undefined if the stack does not exist or its creation failed. */
async function templateOf(StackName: string, failedStacks: readonly string[]): Promise<string | undefined> {
  if (failedStacks.includes(StackName) || !(await openAws(StackName).stack())) return undefined;
  const { TemplateBody = '{}' } = await new CloudFormationClient().send(new GetTemplateCommand({ StackName }));
  return 'Resources' in JSON.parse(TemplateBody) ? TemplateBody : undefined;
}

function deployedStage(): Deployed {
  return {
    stack: (name) => openAws(name).stack(),
    async alarms(names) {
      const { MetricAlarms = [] } = await new CloudWatchClient().send(
        new DescribeAlarmsCommand({ AlarmNames: [...names], AlarmTypes: ['MetricAlarm'] }),
      );
      return MetricAlarms.map(({ AlarmArn = '', AlarmName = '', StateValue = '' }) => ({
        arn: AlarmArn,
        name: AlarmName,
        state: StateValue,
      }));
    },
    tableFormat: (name) => formatOfTable(new DynamoDBClient(), name),
  };
}

function options(args: readonly string[]) {
  const program = new Command('npm run deploy --')
    .usage('[options] [-c name=value]... [options of cdk deploy]')
    .description('Shows the changes of all stacks of a stage, asks once, and deploys them.')
    .option('--yes', 'deploys without asking, for automation')
    .option('--app <folder>', 'deploys the app synthesised in this folder instead of this working copy')
    .option(
      `${MONITORED_FOR} <minutes>`,
      'how long alarms can roll the deployment back',
      wholeMinutes,
      MONITORING_MINUTES,
    )
    .addHelpText(
      'after',
      `\nSettings of the stage (-c name=value); pass the same settings to every deployment:\n${settingsHelp()}\n${OF_CDK}`,
    )
    .allowUnknownOption()
    .allowExcessArguments()
    .parse(args, { from: 'user' });
  const { yes = false, app, monitoringTimeMinutes: minutes } = program.opts<Options>();
  return { given: program.args, minutes, isYes: yes, app: app ?? 'cdk.out', isMade: app !== undefined };
}

interface Options {
  readonly yes?: true;
  readonly app?: string;
  readonly monitoringTimeMinutes: number;
}

function wholeMinutes(written: string): number {
  if (/^\d{1,3}$/.test(written)) return Number(written);
  throw new InvalidArgumentError('Enter a whole number of minutes.');
}

/** Applies CDK's profile and region to this script's own AWS calls. */
function useAccountOf(args: string[]): void {
  const { values } = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    options: { profile: { type: 'string' }, region: { type: 'string' } },
  });
  if (typeof values.profile === 'string') process.env.AWS_PROFILE = values.profile;
  if (typeof values.region === 'string') process.env.AWS_REGION = values.region;
}

function runCdk(args: readonly string[]): number {
  const cdk = join(import.meta.dirname, '../../node_modules/aws-cdk/bin/cdk');
  return spawnSync(process.execPath, [cdk, ...args], { stdio: 'inherit' }).status ?? 1;
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} (y/N) `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

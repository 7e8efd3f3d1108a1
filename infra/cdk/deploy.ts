import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { openAws } from '../../shared/runtime/stage/aws.ts';
import { missingAwsSetup } from '../../shared/runtime/stage/missing-aws-setup.ts';
import { type Deployed, planDeployment } from './deployment.ts';

/** `npm run deploy -- …`: `cdk deploy`, whose alarms take a bad deployment back. */
const given = process.argv.slice(2);
try {
  useAccountOf(given);
  const { commands, failedStacks, notes } = await planDeployment(given, deployedStage());
  for (const note of notes) console.log(note);
  for (const StackName of failedStacks) {
    await new CloudFormationClient().send(
      new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
    );
  }
  const cdk = join(import.meta.dirname, '../../node_modules/aws-cdk/bin/cdk');
  for (const args of commands) {
    process.exitCode = spawnSync(process.execPath, [cdk, ...args], { stdio: 'inherit' }).status ?? 1;
    if (process.exitCode !== 0) break;
  }
} catch (error) {
  console.error(missingAwsSetup(error) ?? (error instanceof Error ? error.message : error));
  process.exitCode = 1;
}

/** The profile and the region that `cdk` is told to use hold for what is asked here too. */
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
    async hasTable(name) {
      try {
        await new DynamoDBClient().send(new DescribeTableCommand({ TableName: name }));
        return true;
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return false;
        throw error;
      }
    },
  };
}

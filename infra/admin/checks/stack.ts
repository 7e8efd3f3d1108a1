import { manifest } from '../../../functions/manifest.ts';
import type { Row } from '../../../shared/runtime/triggers/row.ts';
import { idOf, stackName } from '../../cdk/names.ts';
import { deployment, type Finding, fine, notHere, wrong } from '../finding.ts';
import type { Place } from '../place.ts';

/** The stack is deployed, and its functions are not throttled. */
export async function checkStack({ aws, stage }: Place): Promise<Finding[]> {
  if (!aws) return [notHere('No CloudFormation stack: the functions run in the process of "npm start".')];
  const stack = await aws.stack();
  if (!stack) return [noStack(stackName(stage), stage)];
  return [checkStatus(stack.status, stage), await checkThrottles(aws, stackName(stage))];
}

function noStack(name: string, stage: string): Finding {
  return wrong(`There is no stack ${name}.`, `Deploy it, or check the AWS region in use: ${deployment(stage)}`);
}

function checkStatus(status: string, stage: string): Finding {
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE(_CLEANUP_IN_PROGRESS)?$/.test(status)) return fine(`The stack is ${status}.`);
  if (status.endsWith('_IN_PROGRESS')) {
    return wrong(
      `The stack is ${status}: a deployment is in progress.`,
      'Run this again when the deployment has finished.',
    );
  }
  return wrong(
    `The last deployment failed: the stack is ${status}.`,
    `Its events in CloudFormation say why. Then deploy again: ${deployment(stage)}`,
  );
}

async function checkThrottles(aws: NonNullable<Place['aws']>, name: string): Promise<Finding> {
  const functions = Object.keys(manifest satisfies Record<string, Row>).map((each) => `${name}-${idOf(each)}`);
  const throttled = [...(await aws.throttles(functions))].filter(([, times]) => times > 0);
  if (throttled.length === 0) return fine('No function was throttled in the last hour.');
  return wrong(
    `Functions were throttled in the last hour: ${throttled.map(([each, times]) => `${each} ${times} times`).join(', ')}.`,
    'Ask AWS for more concurrent executions (Service Quotas → Lambda); a new account may have only ten.',
  );
}

import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { idOf, partStackName, stackName } from '../../../runtime/stage/names.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { deployment, type Finding, fine, found, notHere, refusalsInLogs, wrong } from '../finding.ts';

export async function checkStack(deployment: Deployment): Promise<Finding[]> {
  const { aws, stage } = deployment;
  if (!aws)
    return [notHere('There is no CloudFormation stack, because the functions run in the process of "npm start".')];
  const stack = await aws.stack();
  if (!stack) return [noStack(stackName(stage), stage)];
  return found(
    checkStatus(stackName(stage), stack.status, stage),
    isComplete(stack.status) && checkRelease(deployment, stack.outputs.Release),
    isComplete(stack.status) && (await checkParts(aws, deployment)),
    stack.outputs.LeadingKeys === 'off' &&
      notHere('Roles can use the whole table, because the stage was deployed with -c leadingKeys=off.'),
    await checkRights(aws, deployment),
    await checkExecutions(aws, deployment),
  );
}

function noStack(name: string, stage: string): Finding {
  const todo = `Check the AWS region in use, or deploy the stage with: ${deployment(stage)}`;
  return wrong(`There is no stack ${name}.`, todo, { symptomOf: ['another release'] });
}

/** Compares the deployed release with this one. Another release may have different functions. */
function checkRelease({ release, stage }: Deployment, deployed = 'an older one'): Finding {
  if (deployed === release) return fine(`The stage runs this release: ${release}.`);
  return wrong(
    `The stage runs a different release (${deployed}) from this one (${release}). Parts that differ between the two are not checked.`,
    `Deploy this release with: ${deployment(stage)}. Or check the stage with its own release: git checkout, npm ci, then doctor.`,
    { explains: ['another release'] },
  );
}

async function checkParts(aws: NonNullable<Deployment['aws']>, { stage, service }: Deployment): Promise<Finding[]> {
  const found = await Promise.all(
    service.parts.map(async (part) => {
      const name = partStackName(stackName(stage), part.name);
      const status = (await aws.stack(part.name))?.status;
      if (status === undefined) return part.name === 'dashboard' ? [] : [noStack(name, stage)];
      return isComplete(status) ? [] : [checkStatus(name, status, stage)];
    }),
  );
  return found.flat();
}

function isComplete(status: string): boolean {
  return /^(CREATE|UPDATE|IMPORT)_COMPLETE(_CLEANUP_IN_PROGRESS)?$/.test(status);
}

function checkStatus(name: string, status: string, stage: string): Finding {
  if (isComplete(status)) return fine(`The stack ${name} is ${status}.`);
  if (status.endsWith('_IN_PROGRESS')) {
    return wrong(
      `The stack ${name} is ${status}, because a deployment is in progress.`,
      'Run this again when the deployment has finished.',
    );
  }
  return wrong(
    `The last deployment failed, and the stack ${name} is ${status}.`,
    `Its events in CloudFormation show the reason. Fix it and deploy again with: ${deployment(stage)}`,
  );
}

/**
 * Reports denied permissions. Each role is granted every permission that the manifest lists for it, so any denial is a
 * fault.
 */
async function checkRights(aws: NonNullable<Deployment['aws']>, deployment: Deployment): Promise<Finding | undefined> {
  const refusals = await aws.iamRefusals();
  if (refusals === 0) return undefined;
  return wrong(
    `IAM denied calls by this service's functions ${counted(refusals, 'time')} in the last hour (AccessDenied).`,
    `To see which function lacks which permission, run: ${refusalsInLogs(deployment)}. If writes to the table are denied, and no policy of your account forbids them (a permissions boundary, a service control policy), AWS does not supply dynamodb:LeadingKeys in transactions there. Then run: npm run deploy -- -c stage=${deployment.stage} -c leadingKeys=off, with the rest of its context.`,
    { explains: ['housekeeping runs', 'what housekeeping does'] },
  );
}

/**
 * Minimum concurrency for the account. Busy workers use about ninety concurrent executions, and merchants and customers
 * need the rest.
 */
const LEAST_EXECUTIONS = 200;

async function checkExecutions(
  aws: NonNullable<Deployment['aws']>,
  { stage, table, service }: Deployment,
): Promise<Finding> {
  const functions = Object.keys(service.functions).map((each) => `${stackName(stage)}-${idOf(each)}`);
  const throttled = [...(await aws.throttles(functions))].filter(([, times]) => times > 0);
  const limit = await aws.concurrencyLimit();
  const may = `This account can run ${limit} functions at a time`;
  const raise = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${Math.max(1000, 2 * limit)}`;
  if (throttled.length > 0) {
    const which = throttled.map(([each, times]) => `${each} ${times} times`).join(', ');
    return wrong(
      `Functions were throttled in the last hour: ${which}. ${may}, whichever service they belong to.`,
      `Request a higher limit from AWS (free of charge) with: ${raise}`,
      { symptomOf: ['stopped'] },
    );
  }
  if (limit >= LEAST_EXECUTIONS) return fine(`${may}. None was throttled in the last hour.`);
  if (!table.keepsData) return fine(`${may}. That is enough for about ten charges a second, but too few for prod.`);
  return wrong(
    `${may}, and workers can use up to 90 of them. When the stage is busy, customers and merchants get 503 errors.`,
    `Request a higher limit from AWS (free of charge) with: ${raise}`,
  );
}

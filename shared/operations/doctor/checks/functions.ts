import type { DeployedFunction } from '../../../runtime/stage/aws.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { idOf, partHolding, stackName } from '../../../runtime/stage/names.ts';
import type { Row } from '../../../runtime/triggers/row.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { sideBySide } from '../../../runtime/values/side-by-side.ts';
import { type Finding, fine, found, repair, wrong } from '../finding.ts';
import { workOf } from './triggers.ts';

/** Number of functions to check concurrently. AWS allows a hundred such requests per second. */
const AT_ONCE = 5;

interface Examined {
  readonly name: string;
  readonly row: Row;
  readonly fn: DeployedFunction | undefined;
}

export async function checkFunctions(deployment: Deployment): Promise<Finding[]> {
  const { aws, service, stage, outside } = deployment;
  if (!aws) return [];
  const stacks = await Promise.all(service.parts.map(async ({ name }) => ((await aws.stack(name)) ? [] : [name])));
  const leftOut = new Set(stacks.flat());
  const items = Object.entries(service.functions).filter(
    ([name]) => !leftOut.has(partHolding(service.parts, name)?.name ?? ''),
  );
  const all: Examined[] = [];
  await sideBySide(outside, { items, atOnce: AT_ONCE }, async ([name, row]) => {
    all.push({ name, row, fn: await aws.deployedFunction(idOf(name)) });
  });
  const findings = found(
    stopped(all),
    all.filter(({ fn }) => !fn).map((one) => missing(one, stage)),
    all.filter(({ fn }) => fn?.reserved === 0 && fn.beforeStop === undefined).map((one) => unable(one, stage)),
  );
  return findings.length > 0 ? findings : [fine(`All ${all.length} functions exist and can run.`)];
}

/** Reports a stopped stage as a single finding that lists the functions that can still run. */
function stopped(all: readonly Examined[]): Finding | undefined {
  const isCalled = ({ row: { on } }: Examined) => on !== 'queue' && on !== 'stream';
  const noted = all.filter(({ fn }) => fn?.beforeStop !== undefined);
  if (noted.length === 0) return undefined;
  const running = all.filter((one) => one.fn && isCalled(one) && (one.fn.reserved !== 0 || !noted.includes(one)));
  const others = running.map(({ name }) => name);
  const [message, todo] =
    others.length === 0
      ? ['', '']
      : [
          ` ${counted(others.length, 'function')} can still run: ${others.slice(0, 5).join(', ')}${others.length > 5 ? ' …' : ''}.`,
          ' To stop the others too, run: stage stop',
        ];
  return wrong(
    `The stage is stopped. ${counted(noted.length, 'function')} cannot run, and all calls are rejected.${message}`,
    `Start it again with: stage start.${todo}`,
    { explains: ['stopped', 'api', 'gateways', 'alarms', 'housekeeping runs', 'what housekeeping does'] },
  );
}

function missing({ name, row }: Examined, stage: string): Finding {
  const relations = { explains: [`function ${name}`, ...workOf(name)], symptomOf: ['another release'] } as const;
  return wrong(`There is no function ${name}. ${row.whenItFails}`, repair(stage), relations);
}

function unable({ name, row }: Examined, stage: string): Finding {
  return wrong(
    `${name} cannot run, because its reserved concurrency is 0. ${row.whenItFails}`,
    `aws lambda delete-function-concurrency --function-name ${stackName(stage)}-${idOf(name)}`,
    { explains: workOf(name) },
  );
}

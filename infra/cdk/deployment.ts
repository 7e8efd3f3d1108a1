import { parseArgs } from 'node:util';
import { partStackName } from '../../shared/runtime/stage/names.ts';
import { TABLE_FORMAT } from '../../shared/runtime/table/lease.ts';
import { alarmName, rollbackAlarms } from './names.ts';
import { partsOf } from './part.ts';
import { type Settings, settingsFrom } from './settings.ts';

export interface Deployed {
  stack(name: string): Promise<{ status: string; outputs: Readonly<Record<string, string>> } | undefined>;
  alarms(names: readonly string[]): Promise<{ arn: string; name: string; state: string }[]>;
  /** Returns the format of a table's rows, or undefined if there is no such table. */
  tableFormat(name: string): Promise<number | 'empty' | undefined>;
}

export interface DeploymentStep {
  readonly stacks: readonly string[];
  readonly flags: readonly string[];
}

export interface Deployment {
  readonly steps: readonly DeploymentStep[];
  readonly context: readonly string[];
  /** Stacks whose creation failed. `cdk` deletes them first, so termination protection must be off. */
  readonly failedStacks: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Minutes for which CloudFormation watches the alarms. The slowest alarm fires after eight minutes without data, and
 * CloudWatch reacts a few minutes later.
 */
export const MONITORING_MINUTES = 15;

/**
 * States of a stack whose creation was rolled back. Such a stack can only be deleted, which `cdk` does once termination
 * protection is off. The table is detached, not deleted.
 */
const CREATION_FAILED = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

/**
 * Plans the steps that deploy all stacks and adopt an existing table. Only the main stack has rollback alarms, because
 * it contains everything that can stop payments.
 * @throws an Error that names the wrong value or, if the stage uses a table that differs from the given one or that this
 * release cannot read, that table.
 */
export async function planDeployment(
  given: readonly string[],
  deployed: Deployed,
  { minutes = MONITORING_MINUTES } = {},
): Promise<Deployment> {
  const context = contextOf(given);
  const settings = settingsFrom((name) => context[name]);
  const parts = partsOf(settings).map((part) => partStackName(settings.name, part));
  const names = [settings.name, ...parts];
  const found = await Promise.all(names.map((name) => deployed.stack(name)));
  const failedStacks = names.filter((_, n) => CREATION_FAILED.includes(found[n]?.status ?? ''));
  const stack = failedStacks.includes(settings.name) ? undefined : found[0];
  if (stack) refuseForgotten(settings, context, stack.outputs);
  const format = await deployed.tableFormat(settings.tableName);
  refuseFormat(settings, format);
  const adopted = adoptTable(given, settings, stack, format !== undefined);
  const watched = await watchAlarms(given, settings, deployed, { exists: stack !== undefined, minutes });
  const flags = [...adopted.arguments, ...watched.arguments];
  return {
    steps: watched.isWatched
      ? [
          { stacks: [settings.name], flags },
          { stacks: parts, flags: UNWATCHED },
        ]
      : [{ stacks: names, flags }],
    context: Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    failedStacks,
    notes: [
      ...failedStacks.map(
        (name) => `The first deployment of ${name} failed, so the stack is deleted and created again.`,
      ),
      ...adopted.notes,
      ...watched.notes,
    ],
  };
}

type Named = Readonly<Record<string, string | undefined>>;

function contextOf(given: readonly string[]): Named {
  const { values } = parseArgs({
    args: [...given],
    strict: false,
    allowPositionals: true,
    options: { context: { type: 'string', short: 'c', multiple: true } },
  });
  const pairs = [values.context ?? []].flat().map((pair) => String(pair).split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

/** @throws if a setting from an earlier deployment is missing. */
function refuseForgotten({ stage, tableName }: Settings, context: Named, { TableName, LeadingKeys }: Named): void {
  // Without this setting, the stage would return to the abandoned table.
  if (TableName !== undefined && TableName !== tableName && !context.tableName)
    throw new Error(
      `The stage ${stage} uses the table ${TableName}. Add -c tableName=${TableName}, or -c tableName=${tableName} to replace that table.`,
    );
  // Restoring the `dynamodb:LeadingKeys` conditions could block every write in this account.
  if (LeadingKeys === 'off' && !context.leadingKeys)
    throw new Error(
      `The stage ${stage} was deployed without the conditions on dynamodb:LeadingKeys. Add -c leadingKeys=off to keep it that way, or -c leadingKeys=on to restore them.`,
    );
}

/** @throws if releases of another major version wrote the table, because this release would misread its rows. */
function refuseFormat({ stage, name, tableName, keepsData }: Settings, format: number | 'empty' | undefined): void {
  if (typeof format !== 'number' || format === TABLE_FORMAT) return;
  const empty = keepsData
    ? `start with an empty table: -c tableName=${name}.${TABLE_FORMAT}`
    : `remove the stage with its table first: npm run admin -- stage remove --stage ${stage}`;
  throw new Error(
    `The table ${tableName} has rows of release ${format}.x, which this release cannot read. Deploy release ${format}.x, or ${empty}`,
  );
}

/** Adopts kept tables and logs into a new stack. They outlive their stack, and their names cannot be reused. */
function adoptTable(
  given: readonly string[],
  { keepsData, tableName }: Settings,
  stack: Awaited<ReturnType<Deployed['stack']>>,
  hasTable: boolean,
): Preparation {
  const flag = '--import-existing-resources';
  if (!keepsData || stack?.outputs.TableName === tableName || given.includes(flag)) return NOTHING;
  return {
    arguments: hasTable || !stack ? [flag] : [],
    notes: hasTable ? [`The table ${tableName} exists, so the stack adopts it with its data.`] : [],
  };
}

/**
 * Chooses the rollback alarms. Omits alarms that do not exist yet, because CloudFormation would fail, and alarms that
 * are already firing. An empty list must be explicit: CloudFormation remembers the last one.
 */
async function watchAlarms(
  given: readonly string[],
  settings: Settings,
  deployed: Deployed,
  { exists, minutes }: Watching,
): Promise<Preparation> {
  const chosen = given.find((argument) => argument.startsWith(WATCHED_BY));
  if (!exists || chosen !== undefined) return NOTHING;
  const names = rollbackAlarms.map((name) => alarmName(settings.name, 'money-stops', name));
  const found = settings.alarms ? await deployed.alarms(names) : [];
  const quiet = found.filter(({ state }) => state !== 'ALARM');
  const active = found.filter(({ state }) => state === 'ALARM');
  const notes = active.map(
    ({ name }) => `The alarm ${name} is already active, so it will not roll this deployment back.`,
  );
  if (quiet.length === 0) return { arguments: UNWATCHED, notes };
  return {
    isWatched: true,
    arguments: [...quiet.map(({ arn }) => `${WATCHED_BY}=${arn}`), `${MONITORED_FOR}=${minutes}`],
    notes: [
      ...notes,
      `CloudFormation rolls ${settings.name} back if one of ${quiet.length} alarms fires during its deployment or within ${minutes} minutes after it. The other stacks are deployed after that.`,
    ],
  };
}

const WATCHED_BY = '--rollback-trigger-alarm-arns';
export const MONITORED_FOR = '--monitoring-time-minutes';
/**
 * Options that turn the rollback alarms off. They also reset the monitoring time, because CloudFormation waits
 * even if there are no alarms.
 */
const UNWATCHED: readonly string[] = [`${WATCHED_BY}=none`, `${MONITORED_FOR}=0`];

interface Watching {
  readonly exists: boolean;
  readonly minutes: number;
}

interface Preparation extends Pick<Deployment, 'notes'> {
  readonly arguments: readonly string[];
  readonly isWatched?: true;
}

const NOTHING: Preparation = { arguments: [], notes: [] };

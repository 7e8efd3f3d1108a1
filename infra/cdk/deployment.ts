import { parseArgs } from 'node:util';
import { partStackName } from '../../shared/runtime/stage/names.ts';
import { rowShapes } from '../../shared/runtime/table/row-shape.ts';
import { alarmName, rollbackAlarms } from './names.ts';
import { partsOf } from './part.ts';
import { hasOtherShapes } from './row-shapes.ts';
import { type Settings, settingsFrom } from './settings.ts';

/** What a deployment asks AWS beforehand. */
export interface Deployed {
  /** Undefined if the stack does not exist. */
  stack(name: string): Promise<{ status: string; outputs: Readonly<Record<string, string>> } | undefined>;
  /** Those of the names that exist. */
  alarms(names: readonly string[]): Promise<{ arn: string; name: string; state: string }[]>;
  hasTable(name: string): Promise<boolean>;
}

/** Stacks that are deployed together, and what `cdk deploy` is told besides. */
export interface DeploymentStep {
  readonly stacks: readonly string[];
  readonly flags: readonly string[];
}

export interface Deployment {
  readonly steps: readonly DeploymentStep[];
  /** What `cdk synth` is told. */
  readonly context: readonly string[];
  /** Stacks that never came to be, which `cdk` deletes first: their termination protection is to be switched off. */
  readonly failedStacks: readonly string[];
  /** What the operator should know of it. */
  readonly notes: readonly string[];
  /** The alarms to look at when all is deployed, where they cannot take it back. */
  readonly watchedAfter: readonly string[];
}

/**
 * For so long CloudFormation watches the alarms when all is deployed. The slowest of them, the dead man's switch, needs the eight
 * minutes in which nothing was heard, and a few for CloudWatch to be sure of it.
 */
export const MONITORING_MINUTES = 15;

/**
 * A stack is in these states only after its creation failed and was rolled back: it never worked, what it had made is deleted or,
 * like the table, no longer part of it, and nothing can be done with it but delete it. `cdk` does, but switched on termination
 * protection before it began. A stack that was deployed once fails an update in other states.
 */
const CREATION_FAILED = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

/**
 * The steps in which all stacks are deployed, with the table that is already there. Where alarms take the
 * deployment back they watch the stage's own stack, which has whatever stops money; then the parts follow, so that nobody waits a
 * quarter of an hour for each. A release that changes rows is not taken back: functions of the one before refuse what it has written. So all
 * stacks follow each other at once, and the alarms are looked at afterwards.
 * @throws an Error that says which value is wrong, or that the stage has another table.
 */
export async function planDeployment(
  given: readonly string[],
  deployed: Deployed,
  { shapes = rowShapes, minutes = MONITORING_MINUTES } = {},
): Promise<Deployment> {
  const context = contextOf(given);
  const settings = settingsFrom((name) => context[name]);
  const parts = partsOf(settings).map((part) => partStackName(settings.name, part));
  const names = [settings.name, ...parts];
  const found = await Promise.all(names.map((name) => deployed.stack(name)));
  const failedStacks = names.filter((_, n) => CREATION_FAILED.includes(found[n]?.status ?? ''));
  const stack = failedStacks.includes(settings.name) ? undefined : found[0];
  if (stack) refuseForgotten(settings, context, stack.outputs);
  const adopted = await adoptTable(given, settings, stack, deployed);
  const changing = names.filter((name, n) => {
    const { outputs } = found[n] ?? {};
    return outputs !== undefined && !failedStacks.includes(name) && hasOtherShapes(outputs, shapes);
  });
  const watched = await watchAlarms(given, settings, deployed, { exists: stack !== undefined, changing, minutes });
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
      ...failedStacks.map((name) => `The first deployment of ${name} failed: the stack is deleted, and made anew.`),
      ...adopted.notes,
      ...watched.notes,
    ],
    watchedAfter: watched.watchedAfter ?? [],
  };
}

type Named = Readonly<Record<string, string | undefined>>;

/** The context of the command line: `-c name=value` or `--context name=value`. */
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

/** Refuses to change by silence what an earlier deployment was told. */
function refuseForgotten({ stage, tableName }: Settings, context: Named, { TableName, LeadingKeys }: Named): void {
  // Without the name, the stage would go back to a table that was given up, and take orders on old data.
  if (TableName !== undefined && TableName !== tableName && !context.tableName)
    throw new Error(
      `The stage ${stage} works on the table ${TableName}: add -c tableName=${TableName}. To put ${tableName} in its place, say so: -c tableName=${tableName}.`,
    );
  // With the conditions an account that needs to do without them would refuse all that is written.
  if (LeadingKeys === 'off' && !context.leadingKeys)
    throw new Error(
      `The stage ${stage} was deployed without the conditions on dynamodb:LeadingKeys: add -c leadingKeys=off. To have them again, say so: -c leadingKeys=on.`,
    );
}

/**
 * What is kept outlives its stack: the table, also of a first deployment that failed, and the logs. Their names are taken, so a stack that is
 * made anew adopts whatever of it there is.
 */
async function adoptTable(
  given: readonly string[],
  { keepsData, tableName }: Settings,
  stack: Awaited<ReturnType<Deployed['stack']>>,
  deployed: Deployed,
): Promise<Preparation> {
  const flag = '--import-existing-resources';
  if (!keepsData || stack?.outputs.TableName === tableName || given.includes(flag)) return NOTHING;
  const hasTable = await deployed.hasTable(tableName);
  return {
    arguments: hasTable || !stack ? [flag] : [],
    notes: hasTable ? [`The table ${tableName} exists: the stack adopts it, with its data.`] : [],
  };
}

/**
 * CloudFormation fails if an alarm that it is to watch does not exist, as in a first deployment, and one that is active already
 * says nothing about the deployment, which may be what ends it. It remembers the alarms of the last one, so none is said too.
 * @throws an Error where the operator names alarms that are to take back what cannot be.
 */
async function watchAlarms(
  given: readonly string[],
  settings: Settings,
  deployed: Deployed,
  { exists, changing, minutes }: Watching,
): Promise<Preparation> {
  const chosen = given.find((argument) => argument.startsWith(WATCHED_BY));
  if (chosen !== undefined && changing.length > 0 && !UNWATCHED.includes(chosen))
    throw new Error(`This release changes rows, so no alarm can take it back: leave ${WATCHED_BY} out.`);
  if (!exists || chosen !== undefined) return NOTHING;
  const names = rollbackAlarms.map((name) => alarmName(settings.name, 'money-stops', name));
  const found = settings.alarms ? await deployed.alarms(names) : [];
  const quiet = found.filter(({ state }) => state !== 'ALARM');
  const active = found.filter(({ state }) => state === 'ALARM');
  const notes = active.map(({ name }) => `The alarm ${name} is active already: it does not take this deployment back.`);
  if (changing.length > 0) {
    const note = `This release changes rows (${changing.join(', ')} of the release before writes others): IT CANNOT BE TAKEN BACK. The stacks follow each other at once. For these minutes a function may answer 503, which is no failure. Then: npm run admin -- table migrate --stage ${settings.stage}`;
    return { arguments: UNWATCHED, notes: [...notes, note], watchedAfter: quiet.map(({ name }) => name) };
  }
  if (quiet.length === 0) return { arguments: UNWATCHED, notes };
  return {
    isWatched: true,
    arguments: [...quiet.map(({ arn }) => `${WATCHED_BY}=${arn}`), `${MONITORED_FOR}=${minutes}`],
    notes: [
      ...notes,
      `If one of ${quiet.length} alarms rings while ${settings.name} is deployed, or within ${minutes} minutes after, CloudFormation takes it back. The other stacks follow then.`,
    ],
  };
}

const WATCHED_BY = '--rollback-trigger-alarm-arns';
export const MONITORED_FOR = '--monitoring-time-minutes';
/** The time as well: without an alarm, too, CloudFormation waits for as long as it was told, now or the last time. */
const UNWATCHED: readonly string[] = [`${WATCHED_BY}=none`, `${MONITORED_FOR}=0`];

interface Watching {
  readonly exists: boolean;
  /** The stacks whose functions write rows of other shapes. */
  readonly changing: readonly string[];
  readonly minutes: number;
}

interface Preparation extends Pick<Deployment, 'notes'>, Partial<Pick<Deployment, 'watchedAfter'>> {
  readonly arguments: readonly string[];
  readonly isWatched?: true;
}

const NOTHING: Preparation = { arguments: [], notes: [] };

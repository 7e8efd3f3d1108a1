import { join } from 'node:path';
import { ArnFormat, Duration, type Stack, Stage } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { functionVariable, queueUrlVariable } from '../../shared/runtime/outside/environment.ts';
import { METRIC_NAMESPACE } from '../../shared/runtime/outside/metric-names.ts';
import { idOf } from '../../shared/runtime/stage/names.ts';
import { type CompleteRow, type Row, type TableRights, tableActions } from '../../shared/runtime/triggers/row.ts';
import { bundle } from './bundle.ts';
import { audienceOf, type Logs } from './logs.ts';
import { queueNamed, type ServiceQueue } from './queues.ts';
import type { Settings } from './settings.ts';
import { allow, allowStage, mayCall } from './stage-rights.ts';

/** What functions may be allowed to use. */
export interface Parts {
  readonly table: Table;
  readonly logs: Logs;
  readonly queues: ReadonlyMap<string, ServiceQueue>;
  readonly gatewayAccounts: Secret;
  readonly baseUrl: string;
}

/** A row of the manifest as a Lambda with a role of its own. All its names derive from its file. */
export function createFunction(
  scope: Construct,
  settings: Settings,
  name: string,
  row: CompleteRow,
  code: Code,
  parts: Parts,
): LambdaFunction {
  const id = idOf(name);
  const functionName = `${settings.name}-${id}`;
  const own = new Construct(scope, id);
  const role = new Role(own, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const logGroup = parts.logs[audienceOf(row)];
  // In place of AWS's managed policy, which lets a function write to every log of the account.
  logGroup.grantWrite(role);
  for (const statement of grants(row, parts, settings)) role.addToPolicy(statement);
  for (const called of row.calls ?? []) role.addToPolicy(mayCall(scope, settings, called));
  if (row.on === 'call') allowStage(role, scope, settings, parts.table);
  return new LambdaFunction(own, 'Function', {
    functionName,
    description: `${row.on === 'http' ? `${row.method} ${row.path}` : row.on === 'area' ? row.path : name}. When it fails: ${row.whenItFails}`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    // Of Lambda's own lines those alone that tell of a failure, a timeout or want of memory: the alarms depend on them. The two that it
    // writes of each success were a tenth of what a paid charge costs (P10).
    systemLogLevelV2: SystemLogLevel.WARN,
    memorySize: row.memoryMegabytes,
    timeout: Duration.seconds(row.timeoutSeconds),
    reservedConcurrentExecutions: reservedConcurrency(settings, name),
    // A job that waits for longer than SQS can hold it is queued anew by the function that got it. Lambda takes that for a
    // loop, and would refuse the job after sixteen turns, which are four hours.
    recursiveLoop: queuesItself(row) ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
    environment: environment(settings, row, parts),
  });
}

function queuesItself(row: Row): boolean {
  return row.on === 'queue' && row.sendsTo?.includes(row.queue) === true;
}

/** Whether nobody waits for a function's answer. Only such functions queue jobs and count. */
export function isWorker({ on }: Row): boolean {
  return on !== 'http' && on !== 'default' && on !== 'area';
}

/**
 * Bundles every function, to `cdk.out/bundles/<name>/index.js`, if one of the stacks that hold them is to be deployed: `npm run deploy` has
 * CDK deploy the parts by themselves. With bundling switched off (`aws:cdk:bundling-stacks: []`) nothing is read or written and the
 * code is a stand-in.
 */
export function bundleFunctions(stacks: readonly Stack[], rows: Readonly<Record<string, Row>>): (name: string) => Code {
  const [first] = stacks.filter((stack) => stack.bundlingRequired);
  if (!first) return () => Code.fromInline('exports.handler = () => {};');
  const outdir = join(Stage.of(first)?.assetOutdir ?? 'cdk.out', 'bundles');
  bundle(rows, outdir);
  return (name) => Code.fromAsset(join(outdir, name));
}

function grants(row: CompleteRow, parts: Parts, settings: Settings): PolicyStatement[] {
  const { tableArn } = parts.table;
  const written = [...WRITES].flatMap((action) => row.table[action] ?? []);
  return [
    ...tableActions.flatMap((action) => {
      const partitions = row.table[action];
      if (!partitions) return [];
      return [allowItems(settings, action, tableArn, partitions, WRITES.has(action) ? written : partitions)];
    }),
    ...Object.entries(row.indexes ?? {}).map(([index, partitions]) =>
      allowItems(settings, 'Query', `${tableArn}/index/${index}`, partitions, partitions),
    ),
    ...(row.sendsTo ?? []).map((name) => allow(['sqs:SendMessage'], [queueNamed(name, parts.queues).queue.queueArn])),
    ...(row.readsGatewayAccounts
      ? [allow(['secretsmanager:GetSecretValue'], secretsOf(parts.gatewayAccounts, settings))]
      : []),
  ];
}

/** The secret, and those that follow it when it is full: AWS puts a dash and six characters behind a secret's name. */
function secretsOf(first: Secret, { name }: Settings): string[] {
  const [resource, resourceName] = ['secret', `${name}/gateways/?-??????`];
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return [first.secretArn, first.stack.formatArn({ service: 'secretsmanager', resource, resourceName, arnFormat })];
}

const WRITES: ReadonlySet<keyof TableRights> = new Set(['ConditionCheckItem', 'PutItem', 'UpdateItem', 'DeleteItem']);

/**
 * Allows an action on the items of some partitions. It holds for the keys of a batch and the legs of a transaction too. AWS does
 * not say whether a leg is held against its own key alone or against those of all legs, so `together` names what the function
 * writes by whichever action: all keys must be among that, and one among the action's own. A request with one key, and a leg that
 * is held against its own, can only touch the action's own partitions. Nor does AWS say that it supplies the keys of a transaction
 * at all, hence the setting.
 */
function allowItems(
  { leadingKeys }: Settings,
  action: string,
  resource: string,
  partitions: readonly string[],
  together: readonly string[],
): PolicyStatement {
  return new PolicyStatement({
    actions: [`dynamodb:${action}`],
    resources: [resource],
    ...(leadingKeys && {
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...new Set(together)] },
        'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': partitions },
      },
    }),
  });
}

function environment(settings: Settings, row: Row, parts: Parts): Record<string, string> {
  const queues = [...(row.sendsTo ?? []), ...(row.on === 'queue' ? [row.queue] : [])];
  return {
    POWERTOOLS_SERVICE_NAME: settings.name,
    ...(isWorker(row) && { POWERTOOLS_METRICS_NAMESPACE: METRIC_NAMESPACE }),
    BASE_URL: parts.baseUrl,
    RETENTION_DAYS: String(settings.retentionDays),
    TABLE_NAME: parts.table.tableName,
    ...(settings.operatorContact && { OPERATOR_CONTACT: settings.operatorContact }),
    ...Object.fromEntries(
      queues.map((name) => [queueUrlVariable(name), queueNamed(name, parts.queues).queue.queueUrl]),
    ),
    ...(row.on === 'call' && { STAGE: settings.stage, KEEPS_DATA: String(settings.keepsData) }),
    ...Object.fromEntries((row.calls ?? []).map((name) => [functionVariable(name), `${settings.name}-${idOf(name)}`])),
    ...(row.readsGatewayAccounts && { GATEWAY_ACCOUNTS_SECRET_ARN: parts.gatewayAccounts.secretArn }),
  };
}

function reservedConcurrency(settings: Settings, name: string): number | undefined {
  const reserved: Readonly<Record<string, number | undefined>> = settings.reservedConcurrency ?? {};
  return reserved[name];
}

import { join } from 'node:path';
import { ArnFormat, Duration, Stack, Stage } from 'aws-cdk-lib';
import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { functionVariable, queueUrlVariable } from '../../shared/runtime/outside/environment.ts';
import { METRIC_NAMESPACE } from '../../shared/runtime/outside/metric-names.ts';
import { type Audience, gatewayAccountsName, idOf, logGroupName } from '../../shared/runtime/stage/names.ts';
import { type CompleteRow, type Row, type TableRights, tableActions } from '../../shared/runtime/triggers/row.ts';
import { release } from '../release.ts';
import { bundle } from './bundle.ts';
import { audienceOf } from './logs.ts';
import { queueNamed, type ServiceQueue } from './queues.ts';
import type { Settings } from './settings.ts';
import { acknowledgeStageRights, acknowledgeStar, allow, mayCall, stageRights } from './stage-rights.ts';

export interface Uses {
  readonly table: ITable;
  readonly logs: Readonly<Record<Audience, ILogGroup>>;
  readonly queues: ReadonlyMap<string, ServiceQueue>;
  readonly baseUrl: string;
}

/**
 * Refers to the main stack's resources by name, for use in an additional stack. Cross-stack references would be looked
 * up at each use, and AWS throttles such look-ups. Only the main stack uses queues.
 */
export function usesOfPart(part: Stack, { name, tableName }: Settings, baseUrl: string): Uses {
  const log = (audience: Audience) => LogGroup.fromLogGroupName(part, `Log-${audience}`, logGroupName(name, audience));
  return {
    table: Table.fromTableName(part, 'Table', tableName),
    logs: { customers: log('customers'), merchants: log('merchants'), work: log('work') },
    queues: new Map(),
    baseUrl,
  };
}

interface FunctionOfRow {
  readonly name: string;
  readonly row: CompleteRow;
  readonly code: Code;
}

export function createFunction(
  scope: Construct,
  settings: Settings,
  { name, row, code }: FunctionOfRow,
  uses: Uses,
): LambdaFunction {
  const id = idOf(name);
  const functionName = `${settings.name}-${id}`;
  const own = new Construct(scope, id);
  const stack = Stack.of(scope);
  const audience = audienceOf(row);
  const streams = `log-group:${logGroupName(settings.name, audience)}:*`;
  const statements = [
    // AWS's managed policy would allow writing to every log in the account.
    allow(
      ['logs:CreateLogStream', 'logs:PutLogEvents'],
      [stack.formatArn({ service: 'logs', resource: streams, arnFormat: ArnFormat.NO_RESOURCE_NAME })],
    ),
    ...grants(stack, row, uses, settings),
    ...(row.calls ?? []).map((called) => mayCall(scope, settings, called)),
    ...(row.on === 'call' ? stageRights(scope, settings, uses.table) : []),
  ];
  const inlinePolicies = { Rights: new PolicyDocument({ statements }) };
  const role = new Role(own, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com'), inlinePolicies });
  acknowledgeStar(role, 'logs', streams, 'Lambda chooses the names of its log streams.');
  if (row.on === 'call') acknowledgeStageRights(role, settings);
  return new LambdaFunction(own, 'Function', {
    functionName,
    description: `${row.on === 'http' ? `${row.method} ${row.path}` : row.on === 'area' ? row.path : name}. When it fails: ${row.whenItFails}`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code,
    role,
    logGroup: uses.logs[audience],
    loggingFormat: LoggingFormat.JSON,
    // WARN keeps Lambda's lines about failures, timeouts and exhausted memory, which the alarms need. The lines about
    // successful calls accounted for a tenth of the cost of a paid charge (P10).
    systemLogLevelV2: SystemLogLevel.WARN,
    memorySize: row.memoryMegabytes,
    timeout: Duration.seconds(row.timeoutSeconds),
    reservedConcurrentExecutions: reservedConcurrency(settings, name),
    // A function requeues a job that must wait longer than SQS allows. Lambda would otherwise drop the job after
    // sixteen rounds, about four hours.
    recursiveLoop: queuesItself(row) ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
    environment: environment(settings, row, uses),
  });
}

function queuesItself(row: Row): boolean {
  return row.on === 'queue' && row.sendsTo?.includes(row.queue) === true;
}

/** Returns true for a function that no caller waits for. Only these functions queue jobs and record metrics. */
export function isWorker({ on }: Row): boolean {
  return on !== 'http' && on !== 'default' && on !== 'area';
}

/**
 * Bundles every function into `cdk.out/bundles/<name>/index.js` if a stack with functions is being deployed. Without
 * bundling (`aws:cdk:bundling-stacks: []`), each function's code is a placeholder.
 */
export function bundleFunctions(stacks: readonly Stack[], rows: Readonly<Record<string, Row>>): (name: string) => Code {
  const [first] = stacks.filter((stack) => stack.bundlingRequired);
  if (!first) return () => Code.fromInline('exports.handler = () => {};');
  const outdir = join(Stage.of(first)?.assetOutdir ?? 'cdk.out', 'bundles');
  bundle(rows, outdir);
  return (name) => Code.fromAsset(join(outdir, name));
}

function grants(stack: Stack, row: CompleteRow, uses: Uses, settings: Settings): PolicyStatement[] {
  const { tableArn } = uses.table;
  const written = [...WRITES].flatMap((action) => row.table[action] ?? []);
  return [
    ...tableActions.flatMap((action) => {
      const partitions = row.table[action];
      if (!partitions) return [];
      return [
        allowItems(settings, action, tableArn, { partitions, together: WRITES.has(action) ? written : partitions }),
      ];
    }),
    ...Object.entries(row.indexes ?? {}).map(([index, partitions]) =>
      allowItems(settings, 'Query', `${tableArn}/index/${index}`, { partitions, together: partitions }),
    ),
    ...(row.sendsTo ?? []).map((name) => allow(['sqs:SendMessage'], [queueNamed(name, uses.queues).queue.queueArn])),
    ...(row.readsGatewayAccounts ? [allow(['secretsmanager:GetSecretValue'], secretsOf(stack, settings))] : []),
  ];
}

/** Returns the ARNs of the gateway accounts' secrets. AWS appends a dash and six characters to each name. */
function secretsOf(stack: Stack, { name }: Settings): string[] {
  const [service, resource, arnFormat] = ['secretsmanager', 'secret', ArnFormat.COLON_RESOURCE_NAME];
  return ['', '/?'].map((end) =>
    stack.formatArn({ service, resource, resourceName: `${gatewayAccountsName(name)}${end}-??????`, arnFormat }),
  );
}

const WRITES: ReadonlySet<keyof TableRights> = new Set(['ConditionCheckItem', 'PutItem', 'UpdateItem', 'DeleteItem']);

/**
 * Allows an action on the items in some partitions, including in batches and transactions. AWS does not document
 * whether a transaction's writes are checked separately or together. All keys must therefore be in `together`, the
 * partitions that the function writes. At least one must be in the action's own `partitions`. A setting turns the
 * condition off for accounts where AWS does not supply the keys.
 */
function allowItems(
  { leadingKeys }: Settings,
  action: string,
  resource: string,
  { partitions, together }: { readonly partitions: readonly string[]; readonly together: readonly string[] },
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

function environment(settings: Settings, row: Row, uses: Uses): Record<string, string> {
  const queues = [...(row.sendsTo ?? []), ...(row.on === 'queue' ? [row.queue] : [])];
  return {
    POWERTOOLS_SERVICE_NAME: settings.name,
    ...(isWorker(row) && { POWERTOOLS_METRICS_NAMESPACE: METRIC_NAMESPACE }),
    BASE_URL: uses.baseUrl,
    RETENTION_DAYS: String(settings.retentionDays),
    TABLE_NAME: uses.table.tableName,
    ...(settings.operatorContact && { OPERATOR_CONTACT: settings.operatorContact }),
    ...Object.fromEntries(queues.map((name) => [queueUrlVariable(name), queueNamed(name, uses.queues).queue.queueUrl])),
    ...(row.on === 'call' && { STAGE: settings.stage, KEEPS_DATA: String(settings.keepsData), RELEASE: release }),
    ...Object.fromEntries((row.calls ?? []).map((name) => [functionVariable(name), `${settings.name}-${idOf(name)}`])),
    ...(row.readsGatewayAccounts && { GATEWAY_ACCOUNTS_SECRET: gatewayAccountsName(settings.name) }),
  };
}

function reservedConcurrency(settings: Settings, name: string): number | undefined {
  const reserved: Readonly<Record<string, number | undefined>> = settings.reservedConcurrency ?? {};
  return reserved[name];
}

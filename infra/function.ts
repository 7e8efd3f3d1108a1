import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { queueUrlVariable } from '../shared/runtime/environment.ts';
import type { Row } from '../shared/runtime/row.ts';
import { tableSchema } from '../shared/runtime/table-schema.ts';
import { bundle } from './bundle.ts';
import { queueNamed, type ServiceQueue } from './queues.ts';
import type { Settings } from './settings.ts';

/** What functions may be allowed to use. */
export interface Parts {
  readonly table: Table;
  readonly queues: ReadonlyMap<string, ServiceQueue>;
  readonly gatewayAccounts: Secret;
  readonly baseUrl: string;
}

/** A row of the manifest as a Lambda with a role and a log of its own. Everything it is called by the names of its file. */
export function createFunction(
  scope: Construct,
  settings: Settings,
  name: string,
  row: Row,
  code: Code,
  parts: Parts,
): LambdaFunction {
  const id = idOf(name);
  const functionName = `${settings.name}-${id}`;
  const own = new Construct(scope, id);
  const role = new Role(own, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const logGroup = new LogGroup(own, 'Log', {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: settings.logRetentionDays,
    // Also where data is kept: logs expire anyway, and a group that outlives its stack would block the name for the next.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  // In place of AWS's managed policy, which lets a function write to every log of the account.
  logGroup.grantWrite(role);
  for (const statement of grants(row, parts)) role.addToPolicy(statement);
  return new LambdaFunction(own, 'Function', {
    functionName,
    description: row.on === 'http' ? `${row.method} ${row.path}` : `Momo Kiosk: ${name}`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    memorySize: row.memoryMegabytes,
    timeout: Duration.seconds(row.timeoutSeconds),
    reservedConcurrentExecutions: reservedConcurrency(settings, name),
    environment: environment(settings, row, parts),
  });
}

/** A function's name where no slash may stand: in constructs, Lambdas, queues and alarms. */
export function idOf(name: string): string {
  return name.replaceAll('/', '-');
}

/**
 * Bundles every function, to `cdk.out/bundles/<name>/index.js`. With bundling switched off (`aws:cdk:bundling-stacks: []`)
 * nothing is read or written and the code is a stand-in.
 */
export function bundleFunctions(scope: Construct, names: readonly string[]): (name: string) => Code {
  if (!Stack.of(scope).bundlingRequired) return () => Code.fromInline('exports.handler = () => {};');
  const outdir = join(Stage.of(scope)?.assetOutdir ?? 'cdk.out', 'bundles');
  bundle(names, outdir);
  return (name) => Code.fromAsset(join(outdir, name));
}

function grants(row: Row, parts: Parts): PolicyStatement[] {
  const statements: PolicyStatement[] = [];
  const allow = (actions: string[], resources: string[]) => {
    if (actions.length > 0) statements.push(new PolicyStatement({ actions, resources }));
  };
  const { tableArn } = parts.table;
  allow(
    row.table.map((action) => `dynamodb:${action}`),
    [tableArn],
  );
  if (row.queriesIndexes) {
    allow(
      ['dynamodb:Query'],
      tableSchema.indexes.map(({ name }) => `${tableArn}/index/${name}`),
    );
  }
  for (const name of row.sendsTo ?? []) allow(['sqs:SendMessage'], [queueNamed(name, parts.queues).queue.queueArn]);
  if (row.readsGatewayAccounts) allow(['secretsmanager:GetSecretValue'], [parts.gatewayAccounts.secretArn]);
  return statements;
}

function environment(settings: Settings, row: Row, parts: Parts): Record<string, string> {
  const queues = [...(row.sendsTo ?? []), ...(row.on === 'queue' ? [row.queue] : [])];
  return {
    STAGE: settings.stage,
    BASE_URL: parts.baseUrl,
    TABLE_NAME: parts.table.tableName,
    ...Object.fromEntries(
      queues.map((name) => [queueUrlVariable(name), queueNamed(name, parts.queues).queue.queueUrl]),
    ),
    ...(row.readsGatewayAccounts && { GATEWAY_ACCOUNTS_SECRET_ARN: parts.gatewayAccounts.secretArn }),
  };
}

function reservedConcurrency(settings: Settings, name: string): number | undefined {
  const reserved: Readonly<Record<string, number | undefined>> = settings.reservedConcurrency ?? {};
  return reserved[name];
}

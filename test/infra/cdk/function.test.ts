import { describe, expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { rights } from '../../../functions/rights.ts';
import { isWorker } from '../../../infra/cdk/function.ts';
import { release } from '../../../infra/release.ts';
import { idOf } from '../../../shared/runtime/stage/names.ts';
import { completeRows } from '../../../shared/runtime/triggers/complete-row.ts';
import type { CompleteRow } from '../../../shared/runtime/triggers/row.ts';
import { checkEach } from '../../support/check-each.ts';
import { synthesise, type Template } from './synthesise.ts';

const dev = synthesise();
const prod = synthesise({ stage: 'prod' });
const rows = completeRows(manifest, rights);

test('every manifest row has exactly one function', () => {
  const names = dev.all('AWS::Lambda::Function').map((fn) => dev.nameOf(fn));
  expect(names.sort()).toEqual(rows.map(([name]) => `momo-kiosk-dev-${idOf(name)}`).sort());
});

describe('a function', () => {
  const functions = rows.map(([name, row]) => ({
    name,
    row,
    fn: dev.the('AWS::Lambda::Function', `momo-kiosk-dev-${idOf(name)}`),
  }));
  const everyFunction = (check: (one: (typeof functions)[number]) => unknown) => checkEach(functions, check);

  test('runs on Node 24 and ARM', () =>
    everyFunction(({ row, fn }) => {
      const runtime = { Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' };
      const size = { MemorySize: row.memoryMegabytes, Timeout: row.timeoutSeconds };
      expect(fn.Properties).toMatchObject({ ...runtime, ...size });
    }));

  test('is exempt from loop detection only if it queues jobs for itself', () =>
    everyFunction(({ row, fn }) => {
      const queuesItself = row.on === 'queue' && row.sendsTo?.includes(row.queue);
      expect(fn.Properties.RecursiveLoop).toBe(queuesItself ? 'Allow' : 'Terminate');
    }));

  test('has exactly the permissions in its manifest row', () =>
    everyFunction(({ name, row, fn }) => {
      expect(dev.grantsOf(dev.resource(fn.Properties.Role))).toEqual(grantsOf(name, row).sort());
    }));

  test('has only the environment variables that it uses', () =>
    everyFunction(({ name, row, fn }) => {
      const variables = Object.entries(fn.Properties.Environment.Variables).map(([key, value]) => [
        key,
        dev.text(value),
      ]);
      const queues = [...(row.sendsTo ?? []), ...(row.on === 'queue' ? [row.queue] : [])];
      expect(Object.fromEntries(variables)).toEqual({
        POWERTOOLS_SERVICE_NAME: 'momo-kiosk-dev',
        ...(name.startsWith('work/') && { POWERTOOLS_METRICS_NAMESPACE: 'MomoKiosk' }),
        BASE_URL: 'momo-kiosk-dev.ApiEndpoint',
        RETENTION_DAYS: '400',
        TABLE_NAME: 'momo-kiosk-dev',
        ...Object.fromEntries(
          queues.map((queue) => [`QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`, `momo-kiosk-dev-${queue}`]),
        ),
        ...(row.readsGatewayAccounts && { GATEWAY_ACCOUNTS_SECRET: 'momo-kiosk-dev/gateways' }),
        ...(row.calls?.includes('work/repair') && { FUNCTION_WORK_REPAIR: 'momo-kiosk-dev-work-repair' }),
        ...(row.on === 'call' && { STAGE: 'dev', KEEPS_DATA: 'false', RELEASE: release }),
      });
    }));

  test('logs JSON to its own log group', () =>
    everyFunction(({ row, fn }) => {
      const { LogFormat, SystemLogLevel, LogGroup } = fn.Properties.LoggingConfig;
      expect({ LogFormat, SystemLogLevel }).toEqual({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
      expect(dev.text(LogGroup)).toBe(logGroupOf(row));
    }));

  test('has a description of the impact of its failure', () =>
    everyFunction(({ row, fn }) => {
      expect(fn.Properties.Description).toContain(row.whenItFails);
      expect(fn.Properties.Description.length).toBeLessThanOrEqual(256);
    }));
});

test('customers, merchants and workers have one log group each', () => {
  expect(logsOf('checkout/page', 'checkout/claim', 'checkout/short-link')).toEqual(['customers']);
  expect(logsOf('transaction/initialize', 'sms/send', 'docs/page', 'not-found')).toEqual(['merchants']);
  expect(logsOf('callback/smsgate', 'work/relay', 'work/settle-receipt', 'work/housekeeping')).toEqual(['work']);
});

test('every function has its own role', () => {
  const roles = dev.all('AWS::Lambda::Function').map(({ Properties }) => dev.resource(Properties.Role));
  expect(new Set(roles).size).toBe(rows.length);
  expect(dev.all('AWS::IAM::Role')).toHaveLength(rows.length);
});

test('policies use * only for reads without a resource', () => {
  const lines = dev.all('AWS::IAM::Role').flatMap((role) => dev.grantsOf(role));
  expect(lines.length).toBeGreaterThan(rows.length);
  expect(lines.filter((line) => line.split(' of ')[0]?.includes('*')).sort()).toEqual(
    [...OF_THE_ACCOUNT, ...OF_ANY_ID].sort(),
  );
  for (const { Properties } of dev.all('AWS::IAM::Role')) expect(Properties).not.toHaveProperty('ManagedPolicyArns');
});

test('permissions for items are limited to specific partitions', () => {
  const grants = dev.all('AWS::IAM::Role').flatMap((role) => dev.grantsOf(role));
  const lines = grants.filter((line) => /^dynamodb:\w*(Item|Query)\b/.test(line));
  expect(lines.length).toBeGreaterThan(rows.length);
  expect(lines.filter((line) => !/ of [A-Z]/.test(line))).toEqual([]);
});

test('logs are kept for a week in dev and three months in prod', () => {
  const daysOf = (stack: Template) =>
    stack.all('AWS::Logs::LogGroup').map(({ Properties }) => Properties.RetentionInDays);
  expect(daysOf(dev)).toEqual(Array(4).fill(7));
  expect(daysOf(prod)).toEqual(Array(4).fill(90));
});

test('no concurrency is reserved by default', () => {
  const reservedOf = (stack: Template, name: string) =>
    stack.the('AWS::Lambda::Function', name).Properties.ReservedConcurrentExecutions;
  const reserved = synthesise({}, { reservedConcurrency: { 'work/relay': 20 } });
  expect(reservedOf(dev, 'momo-kiosk-dev-work-relay')).toBeUndefined();
  expect(reservedOf(reserved, 'momo-kiosk-dev-work-relay')).toBe(20);
  expect(reservedOf(reserved, 'momo-kiosk-dev-sms-send')).toBeUndefined();
});

test('executions are reserved from the callback to settling if the deployer chooses to', () => {
  const reserved = synthesise({ stage: 'prod', reserveExecutions: 'on' });
  const functions = reserved.all('AWS::Lambda::Function');
  const executions = functions.flatMap(({ Properties }) => {
    const { FunctionName, ReservedConcurrentExecutions } = Properties;
    return ReservedConcurrentExecutions === undefined ? [] : [[FunctionName, ReservedConcurrentExecutions]];
  });
  expect(Object.fromEntries(executions)).toEqual({
    'momo-kiosk-prod-callback-smsgate': 40,
    'momo-kiosk-prod-callback-forwarder': 10,
    'momo-kiosk-prod-work-relay': 16,
    'momo-kiosk-prod-work-settle-receipt': 5,
  });
});

function logGroupOf(row: CompleteRow): string {
  const isPage = row.on === 'http' && ['pages', 'claims'].includes(row.throttledWith ?? '');
  const isWork = isWorker(row) || (row.on === 'http' && row.throttledWith === 'callbacks');
  return `/aws/lambda/momo-kiosk-dev/${isPage ? 'customers' : isWork ? 'work' : 'merchants'}`;
}

/** Returns the audiences in the functions' log names. */
function logsOf(...names: string[]): string[] {
  const logs = names.map((name) => {
    const { LoggingConfig } = dev.the('AWS::Lambda::Function', `momo-kiosk-dev-${idOf(name)}`).Properties;
    return dev.text(LoggingConfig.LogGroup).replace('/aws/lambda/momo-kiosk-dev/', '');
  });
  return [...new Set(logs)];
}

function grantsOf(name: string, row: CompleteRow): string[] {
  const on = (resource: string, ...actions: string[]) => actions.map((action) => `${action} ${resource}`);
  return [
    ...on(logGroupOf(row), 'logs:CreateLogStream', 'logs:PutLogEvents'),
    ...Object.entries(row.table).map(
      ([action, partitions]) => `dynamodb:${action} momo-kiosk-dev of ${partitions.join(' ')}`,
    ),
    ...Object.entries(row.indexes ?? {}).map(
      ([index, partitions]) => `dynamodb:Query momo-kiosk-dev/index/${index} of ${partitions.join(' ')}`,
    ),
    ...(row.sendsTo ?? []).map((queue) => `sqs:SendMessage momo-kiosk-dev-${queue}`),
    ...(row.calls ?? []).map(
      (called) => `lambda:InvokeFunction ${arn('lambda', `function:momo-kiosk-dev-${idOf(called)}`)}`,
    ),
    ...(row.on === 'call' ? looksAfterStage : []),
    ...(row.readsGatewayAccounts
      ? ['', '/?'].flatMap((end) =>
          on(arn('secretsmanager', `secret:momo-kiosk-dev/gateways${end}-??????`), 'secretsmanager:GetSecretValue'),
        )
      : []),
    ...(row.on === 'queue' ? on(`momo-kiosk-dev-${row.queue}`, ...takesFromQueue) : []),
    ...(row.on === 'stream' ? on('momo-kiosk-dev.StreamArn', ...readsStream) : []),
    ...(row.on === 'stream' ? on(`momo-kiosk-dev-${idOf(name)}-dead-letters`, ...sendsToQueue) : []),
  ];
}

/** Read-only actions that cannot be limited to resources. */
const OF_THE_ACCOUNT = [
  ...['cloudwatch:DescribeAlarms *', 'cloudwatch:GetMetricData *', 'lambda:GetAccountSettings *'],
  'lambda:ListEventSourceMappings *',
];
/** Resources that a policy cannot list individually. */
const OF_ANY_ID = [
  ...['', '-api', '-dashboard'].map(
    (part) => `cloudformation:DescribeStacks ${arn('cloudformation', `stack/momo-kiosk-dev${part}/*`)}`,
  ),
  ...['GetRecords', 'GetShardIterator'].map(
    (action) => `dynamodb:${action} ${arn('dynamodb', 'table/momo-kiosk-dev/stream/*')}`,
  ),
  ...['GetFunction', 'ListTags'].map((action) => `lambda:${action} ${arn('lambda', 'function:momo-kiosk-dev-*')}`),
];
const QUEUES = ['deliver-sms', 'settle-receipt', 'deliver-webhook', 'deliver-push', 'run-follow-up'];
const looksAfterStage = [
  ...OF_THE_ACCOUNT,
  ...[...QUEUES, ...[...QUEUES, 'work-relay', 'work-follow-up'].map((of) => `${of}-dead-letters`)].flatMap((queue) =>
    ['GetQueueUrl', 'GetQueueAttributes'].map((action) => `sqs:${action} ${queueArn(queue)}`),
  ),
  ...QUEUES.map((queue) => `sqs:SendMessage ${queueArn(queue)}`),
  ...[...QUEUES, 'work-relay', 'work-follow-up'].flatMap((of) =>
    ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility'].map(
      (action) => `sqs:${action} ${queueArn(`${of}-dead-letters`)}`,
    ),
  ),
  ...['work-relay', 'work-follow-up'].map(
    (name) => `lambda:InvokeFunction ${arn('lambda', `function:momo-kiosk-dev-${name}`)}`,
  ),
  ...OF_ANY_ID,
  ...['DescribeTable', 'DescribeTimeToLive', 'DescribeContinuousBackups'].map(
    (action) => `dynamodb:${action} momo-kiosk-dev`,
  ),
  ...['DescribeRule', 'ListTargetsByRule'].map(
    (action) => `events:${action} ${arn('events', 'rule/momo-kiosk-dev-work-housekeeping')}`,
  ),
  `sns:ListSubscriptionsByTopic ${arn('sns', 'momo-kiosk-dev-alarms')}`,
];

function queueArn(queue: string): string {
  return arn('sqs', `momo-kiosk-dev-${queue}`);
}

function arn(service: string, resource: string): string {
  return `arn:AWS::Partition:${service}:AWS::Region:AWS::AccountId:${resource}`;
}

const readsStream = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((it) => `dynamodb:${it}`);
const sendsToQueue = ['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'].map((it) => `sqs:${it}`);
const taking = ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'];
const takesFromQueue = taking.map((it) => `sqs:${it}`);

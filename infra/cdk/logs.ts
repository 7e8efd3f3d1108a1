import { RemovalPolicy } from 'aws-cdk-lib';
import { FilterPattern, LogGroup, MetricFilter, type MetricFilterProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Audience, audiences, IAM_REFUSALS, logGroupName } from '../../shared/runtime/stage/names.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';
import type { Settings } from './settings.ts';

export type Logs = Readonly<Record<Audience, LogGroup>>;

/** Creates one log group per audience (the people affected by failures). Each function has its own log streams. */
export function createLogs(scope: Construct, settings: Settings): Logs {
  const create = (audience: Audience) =>
    new LogGroup(scope, `Log-${audience}`, {
      logGroupName: logGroupName(settings.name, audience),
      retention: settings.logRetentionDays,
      removalPolicy: keptAsData(settings),
    });
  const logs = { customers: create('customers'), merchants: create('merchants'), work: create('work') };
  for (const audience of audiences) {
    countLines(scope, settings, `IamRefusals-${audience}`, {
      logGroup: logs[audience],
      filterPattern: IAM_REFUSED,
      metricName: IAM_REFUSALS,
    });
  }
  return logs;
}

/**
 * Keeps the logs and gateway accounts of a stack that keeps its data. A failed first deployment deletes them, because
 * their names would block the next attempt.
 */
export function keptAsData({ keepsData }: Settings): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/** Matches log lines about missing permissions: `AccessDeniedException` or `AccessDenied`. */
const IAM_REFUSED = FilterPattern.stringValue('$.error.name', '=', 'AccessDenied*');

export function audienceOf(row: Row): Audience {
  if (row.on === 'area') return 'merchants';
  if (row.on !== 'http' && row.on !== 'default') return 'work';
  switch (row.throttledWith) {
    case 'pages':
    case 'claims':
      return 'customers';
    case 'callbacks':
      return 'work';
    default:
      return 'merchants';
  }
}

/**
 * Matches failed invocations. After a bug, the invocation itself succeeds, but a line at level ERROR remains. After a
 * timeout or exhausted memory, Lambda's report has a line at system level WARN
 * (https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report).
 */
export const FAILURES = FilterPattern.any(
  FilterPattern.stringValue('$.level', '=', 'ERROR'),
  FilterPattern.stringValue('$.level', '=', 'FATAL'),
  FilterPattern.all(
    FilterPattern.stringValue('$.type', '=', 'platform.report'),
    FilterPattern.stringValue('$.record.status', '!=', 'success'),
  ),
);

/**
 * Matches 5xx responses except a function's 503, which must not roll back a deployment. A function returns 503 if no
 * number can send, if two requests change the same item, or if it reads a row that the release being deployed wrote.
 * API Gateway's own errors have no function status.
 */
export const FAULTS = FilterPattern.all(
  FilterPattern.stringValue('$.status', '=', '5*'),
  FilterPattern.stringValue('$.function_status', '!=', '503'),
);

/** Matches the only 503 that counts as a fault: a throttled table. */
export const THROTTLED = FilterPattern.stringValue('$.message', '=', 'table_throttled');

/** Counts failures as `<audience> failures`. AWS charges only for hours with at least one failure. */
export function countFailures(scope: Construct, settings: Settings, logs: Logs): void {
  for (const audience of audiences) {
    countLines(scope, settings, `Failures-${audience}`, {
      logGroup: logs[audience],
      filterPattern: FAILURES,
      metricName: failuresOf(audience),
    });
  }
}

export function countLines(
  scope: Construct,
  { name: metricNamespace }: Settings,
  id: string,
  lines: Omit<MetricFilterProps, 'metricNamespace'>,
): void {
  new MetricFilter(scope, id, { ...lines, metricNamespace });
}

export function failuresOf(audience: Audience): string {
  return `${audience} failures`;
}

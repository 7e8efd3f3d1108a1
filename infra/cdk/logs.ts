import { RemovalPolicy } from 'aws-cdk-lib';
import { FilterPattern, LogGroup, MetricFilter, type MetricFilterProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Audience, audiences, IAM_REFUSALS, logGroupName } from '../../shared/runtime/stage/names.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';
import type { Settings } from './settings.ts';

export type Logs = Readonly<Record<Audience, LogGroup>>;

/**
 * Creates one log group for each audience that failures affect. A function's lines are in the streams named after it.
 */
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
 * Keeps logs and gateway accounts when a stack that keeps its data is deleted, in case of later questions. A failed
 * first deployment deletes them, because they are still empty and would block their names for the next attempt.
 */
export function keptAsData({ keepsData }: Settings): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/**
 * Matches missing permissions, which are logged at any level as `AccessDeniedException` or sometimes `AccessDenied`.
 */
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
 * Matches failed invocations. When a bug occurs, the wrappers answer or report failed changes instead of failing the
 * invocation, so the only trace is a line at level ERROR. After a timeout or exhausted memory the function itself logs
 * nothing, but Lambda's report has a line at system level WARN
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
 * Matches 5xx answers except a 503 from a function, which is not the function's fault and must not roll back a
 * deployment. A function answers 503 if no number can send (phones have their own alarms), if two requests change the
 * same item at once (anyone with a key could cause that all night), or if a row was written by the release being
 * deployed. Answers from API Gateway itself have no function status.
 */
export const FAULTS = FilterPattern.all(
  FilterPattern.stringValue('$.status', '=', '5*'),
  FilterPattern.stringValue('$.function_status', '!=', '503'),
);

/** Matches the only 503 that counts as a fault: DynamoDB is throttling the table. */
export const THROTTLED = FilterPattern.stringValue('$.message', '=', 'table_throttled');

/**
 * Counts failures as `<audience> failures` in the stage's namespace. AWS charges only for hours that have at least one.
 */
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

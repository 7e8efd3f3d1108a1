import { RemovalPolicy } from 'aws-cdk-lib';
import { FilterPattern, LogGroup, MetricFilter, type MetricFilterProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Audience, audiences, IAM_REFUSALS, logGroupName } from '../../shared/runtime/stage/names.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';
import type { Settings } from './settings.ts';

export type Logs = Readonly<Record<Audience, LogGroup>>;

/** A few logs for all functions, by who is hurt when one fails. A function's own lines are in the streams with its name. */
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
 * Where a stage keeps its data, logs and gateway accounts outlive its stack too: whoever takes it down may have to look something up. Not
 * where the stack's first deployment fails: still empty, they would only block their names for the next try.
 */
export function keptAsData({ keepsData }: Settings): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/** A service's refusal for want of a right, at whatever level it was logged: `AccessDeniedException`, with some `AccessDenied`. */
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
 * What functions fail by. The wrappers answer a bug and report a failed change without failing the invocation, so that only the
 * line at level ERROR tells. What is stopped, at its timeout or for want of memory, writes no line of its own: Lambda's report
 * on the invocation tells of that, at the system's level WARN (https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report).
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
 * Answers of 5xx, but for a 503 of a function's own, which is none of its faults and must not have a deployment go back: no number can send at
 * the moment, whose phone has alarms of its own; two requests change the same thing at once, which anyone with a key could do all night;
 * or a row is of the release that is being deployed. What API Gateway answers in a function's place has no status of the function's.
 */
export const FAULTS = FilterPattern.all(
  FilterPattern.stringValue('$.status', '=', '5*'),
  FilterPattern.stringValue('$.function_status', '!=', '503'),
);

/** Of these the one that is a fault all the same: the table takes no more. */
export const THROTTLED = FilterPattern.stringValue('$.message', '=', 'table_throttled');

/** Counts failures, as `<audience> failures` in the stage's namespace: AWS charges for it only in hours that have some. */
export function countFailures(scope: Construct, settings: Settings, logs: Logs): void {
  for (const audience of audiences) {
    countLines(scope, settings, `Failures-${audience}`, {
      logGroup: logs[audience],
      filterPattern: FAILURES,
      metricName: failuresOf(audience),
    });
  }
}

/** Counts a log's lines that fit a pattern, in the stage's namespace. */
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

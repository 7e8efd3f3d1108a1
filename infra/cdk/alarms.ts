import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { manifest } from '../../functions/manifest.ts';
import { METRIC_NAMESPACE, type MetricName } from '../../shared/runtime/outside/metric-names.ts';
import { MAX_DELAY_SECONDS } from '../../shared/runtime/outside/queues.ts';
import { type Audience, audiences, deadLettersOf, idOf, logGroupName } from '../../shared/runtime/stage/names.ts';
import type { Api } from './api.ts';
import { createTopic } from './channels.ts';
import { eventAlarms, FOLLOW_UP_HURT, gaugeAlarms, lateAlarms, letterAlarms, type Saying } from './counted-alarms.ts';
import { countFailures, countLines, FAILURES, FAULTS, failuresOf, type Logs, THROTTLED } from './logs.ts';
import { alarmName, type Severity, severities } from './names.ts';
import { queueNamed, type ServiceQueue } from './queues.ts';
import type { Settings } from './settings.ts';
import type { OnStream } from './table.ts';

/** Functions called by a queue, the stream or a schedule. Nothing waits for their response. */
type WorkerName = Exclude<Extract<keyof typeof manifest, `work/${string}`>, 'work/repair'>;

/** For each worker, the alarm that fires if the worker's event source mapping or schedule rule is disabled. */
export const heardWhenOff = {
  'work/relay': 'receipts-overdue',
  'work/follow-up': 'follow-up-late',
  'work/settle-receipt': 'receipts-overdue',
  'work/deliver-sms': 'texts-overdue',
  'work/deliver-webhook': 'webhooks-late',
  'work/deliver-push': 'notifications-late',
  'work/run-follow-up': 'follow-ups-wait',
  'work/housekeeping': 'housekeeping-silent',
} as const satisfies Record<WorkerName, string>;

export interface Watched {
  readonly api: Api;
  readonly queues: ReadonlyMap<string, ServiceQueue>;
  readonly onStream: ReadonlyMap<string, OnStream>;
}

interface Rule extends Saying {
  readonly name: string;
  readonly metric: IMetric;
  readonly limit: number;
  /** True if the alarm fires below the limit instead of at or above it. */
  readonly isTooLow?: boolean;
  /** True if the alarm also fires when the metric has no data. */
  readonly hearsSilence?: boolean;
  /** Consecutive periods before the alarm fires. Defaults to 1. */
  readonly periods?: number;
}

const PERIOD = Duration.minutes(5);
const MINUTE = Duration.minutes(1);

/**
 * The stage's alarms, grouped by the people affected. Does not watch account-wide metrics, which include other stages.
 */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: Alarm[] = [];
  readonly #settings: Settings;

  constructor(
    scope: Construct,
    settings: Settings,
    { logs, api, queues, onStream }: Watched & { readonly logs: Logs },
  ) {
    super(scope, 'Alarms');
    this.#settings = settings;
    this.topic = createTopic(this, settings);
    countFailures(this, settings, logs);
    this.#onFailures();
    this.#onApi(api, logs);
    this.#onHousekeeping();
    for (const rule of gaugeAlarms) this.#onCount(rule, Stats.MAXIMUM);
    for (const rule of eventAlarms) this.#onCount(rule, Stats.SUM);
    for (const [name, { fn, deadLetters }] of onStream) {
      this.#onLateness(name, fn);
      this.#onDeadLetters(idOf(name), deadLetters);
    }
    for (const [name, { deadLetters }] of queues) this.#onDeadLetters(name, deadLetters);
    this.#onWaiting(queueNamed('deliver-webhook', queues), {
      name: 'webhooks-late',
      severity: 'look-tomorrow',
      what: 'Webhooks have waited',
      hurt: 'merchants, because their servers are not notified of payments and texts. Nothing is lost.',
    });
    this.#onWaiting(queueNamed('deliver-push', queues), {
      name: 'notifications-late',
      severity: 'look-tomorrow',
      what: 'Notifications have waited',
      hurt: 'merchants, because their staff are not notified of payments. Nothing is lost.',
    });
    this.#onWaiting(queueNamed('run-follow-up', queues), {
      name: 'follow-ups-wait',
      what: 'Follow-up jobs for payments and answers have waited',
      hurt: `${FOLLOW_UP_HURT} Nothing is lost.`,
      done: 'done',
    });
  }

  /** Adds alarms that fire after a single failure in five minutes. */
  #onFailures(): void {
    const failures = (audience: Audience) => ({
      metric: this.#countOfLines(failuresOf(audience)),
      limit: 1,
      first: { logOf: audience },
    });
    this.#alarm({
      ...failures('customers'),
      name: 'customers-see-errors',
      happened: 'A checkout page failed, timed out or ran out of memory.',
      hurt: 'customers, who cannot pay or do not see that they have paid.',
    });
    this.#alarm({
      ...failures('merchants'),
      name: 'merchants-see-errors',
      severity: 'look-tomorrow',
      happened: 'A merchant’s request failed, timed out or ran out of memory.',
      hurt: 'the merchant who made the request. If many requests fail, api-fails fires too.',
    });
    this.#alarm({
      ...failures('work'),
      name: 'work-fails',
      severity: 'look-tomorrow',
      happened:
        'A worker failed, or a post from a phone was not accepted, because of an error, a timeout or exhausted memory.',
      hurt: 'nobody yet, because the work is retried. If it keeps failing, other alarms say who is affected.',
    });
  }

  #onApi({ accessLog, metrics: { slowestLatency } }: Api, logs: Logs): void {
    countLines(this, this.#settings, 'Faults', {
      logGroup: accessLog,
      filterPattern: FAULTS,
      metricName: 'api faults',
    });
    for (const audience of audiences)
      countLines(this, this.#settings, `Throttled-${audience}`, {
        logGroup: logs[audience],
        filterPattern: THROTTLED,
        metricName: 'api faults',
      });
    this.#alarm({
      name: 'api-fails',
      metric: this.#countOfLines('api faults'),
      limit: 5,
      happened: 'The API is returning server errors (5xx).',
      hurt: 'merchants and their customers. Charges are not created, checkout pages stay empty, and texts are not accepted.',
      next: 'The access log names the routes.',
    });
    this.#alarm({
      name: 'api-is-slow',
      metric: slowestLatency,
      // Half of the default timeout, and also the longest that phones wait. A single slow start is acceptable.
      limit: 5_000,
      periods: 2,
      severity: 'look-tomorrow',
      happened: 'One in a hundred API responses takes five seconds or more.',
      hurt: 'customers, who leave the checkout, and merchants, whose requests time out.',
      next: 'The access log names the routes.',
    });
  }

  /**
   * Adds a dead man's switch for housekeeping, which measures the gauges that other alarms watch. A run can take five
   * minutes, and the next starts within a minute.
   */
  #onHousekeeping(): void {
    this.#alarm({
      name: 'housekeeping-silent',
      metric: countOf(this.#settings, 'housekeeping_runs', Stats.SUM, MINUTE),
      limit: 1,
      isTooLow: true,
      periods: 8,
      happened:
        'Housekeeping has not completed a run for eight minutes. (This is normal in the first minutes of a stage.)',
      hurt: 'everybody, without a warning, because other alarms depend on housekeeping. Stuck jobs stay stuck.',
    });
  }

  #onCount({ metric, ...saying }: (typeof gaugeAlarms)[number], statistic: string): void {
    this.#alarm({
      ...saying,
      name: metric.replaceAll('_', '-'),
      metric: countOf(this.#settings, metric, statistic),
      limit: 1,
    });
  }

  /**
   * Adds an alarm for a slow or stopped stream function. A record older than a minute means that the function is stuck
   * or too slow. Housekeeping changes the table every minute, so eight minutes without data mean that the function is
   * not being called.
   */
  #onLateness(name: string, fn: LambdaFunction): void {
    const lateness = lateAlarms.get(name);
    if (lateness === 'heard otherwise') return;
    if (!lateness) throw new Error(`lateAlarms has no entry for ${name}`);
    this.#alarm({
      ...lateness,
      name: `${name.replace('work/', '')}-late`,
      metric: fn.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: MINUTE }),
      limit: MINUTE.toMilliseconds(),
      hearsSilence: true,
      periods: 8,
      happened: `The function ${name} is more than a minute behind the table.`,
      first: { logOf: 'work' },
      next: 'A change that fails becomes a dead letter after about 50 attempts. Then the next change is processed.',
    });
  }

  /** Adds an alarm that fires for every dead letter, so that somebody looks at the letter before it expires. */
  #onDeadLetters(of: string, deadLetters: Queue): void {
    const letters = letterAlarms.get(of);
    if (letters === 'heard otherwise') return;
    if (!letters) throw new Error(`letterAlarms has no entry for ${of}`);
    this.#alarm({
      ...letters,
      name: deadLettersOf(of),
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
      limit: 1,
      happened: `A job from ${of} failed every attempt and is now a dead letter.`,
      first: `dead-letters list --queue ${of}`,
      next: `Once the cause is fixed, run: ${this.#admin(`dead-letters retry --queue ${of}`)}`,
    });
  }

  /**
   * Adds an alarm for old jobs. The limit exceeds every delay and pause, so an older job means that no worker is being
   * called.
   */
  #onWaiting(
    { queue }: ServiceQueue,
    {
      what,
      done = 'sent',
      ...rule
    }: Pick<Rule, 'name' | 'hurt' | 'severity'> & { readonly what: string; readonly done?: string },
  ): void {
    const seconds = 2 * MAX_DELAY_SECONDS;
    this.#alarm({
      ...rule,
      metric: queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM }),
      limit: seconds,
      happened: `${what} for more than ${seconds / 60} minutes to be ${done}.`,
    });
  }

  #alarm({
    name,
    metric,
    limit,
    isTooLow = false,
    hearsSilence = isTooLow,
    periods = 1,
    severity = 'money-stops',
    ...saying
  }: Rule): void {
    const alarm = new Alarm(this, name, {
      alarmName: alarmName(this.#settings.name, severity, name),
      alarmDescription: this.#describe(name, { severity, ...saying }),
      metric,
      threshold: limit,
      comparisonOperator: isTooLow
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      // A metric that counts faults has no data while there are no faults. Other metrics always have data.
      treatMissingData: hearsSilence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    this.all.push(alarm);
  }

  #countOfLines(metricName: string): Metric {
    return new Metric({ namespace: this.#settings.name, metricName, statistic: Stats.SUM, period: PERIOD });
  }

  #describe(
    name: string,
    { severity, happened, hurt, first = 'doctor', next }: Saying & { severity: Severity },
  ): string {
    const off = Object.entries(heardWhenOff).flatMap(([worker, alarm]) => (alarm === name ? [worker] : []));
    return [
      `${severities[severity]}: ${happened}`,
      `Affected: ${hurt}`,
      `First: ${typeof first === 'string' ? this.#admin(first) : this.#tail(first.logOf)}`,
      ...(next ? [next] : []),
      ...(off.length > 0 ? [`This alarm also fires if ${off.join(' or ')} is no longer called.`] : []),
    ].join('\n');
  }

  #admin(command: string): string {
    return `npm run admin -- ${command} --stage ${this.#settings.stage}`;
  }

  /**
   * Returns the command that shows the alarm's log lines. The name of each line's log stream contains the function's
   * name.
   */
  #tail(audience: Audience): string {
    const pattern = FAILURES.logPatternString;
    return `aws logs tail ${logGroupName(this.#settings.name, audience)} --since 1h --filter-pattern '${pattern}'`;
  }
}

/** Returns a metric recorded with `outside.metrics`. */
export function countOf(settings: Settings, metricName: MetricName, statistic: string, period = PERIOD): Metric {
  const dimensionsMap = { service: settings.name };
  return new Metric({ namespace: METRIC_NAMESPACE, metricName, dimensionsMap, statistic, period });
}

import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { METRIC_NAMESPACE, type MetricName } from '../../shared/runtime/outside/metric-names.ts';
import { tableSchema } from '../../shared/runtime/table/table-schema.ts';
import type { CompleteRow, Row } from '../../shared/runtime/triggers/row.ts';
import { idOf } from './names.ts';
import type { Settings } from './settings.ts';

/**
 * One topic, and an alarm to it for everything that can go wrong. Each description says who is affected and what to do, so that
 * whoever is woken by the mail needs nothing else.
 */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: Alarm[] = [];
  readonly #settings: Settings;

  constructor(scope: Construct, settings: Settings) {
    super(scope, 'Alarms');
    this.#settings = settings;
    // Not encrypted with a key: CloudWatch may not use the one that AWS manages, and an alarm's text is no secret.
    this.topic = new Topic(this, 'Topic', { topicName: `${settings.name}-alarms`, enforceSSL: true });
    // A topic with a policy of its own loses the default one, which lets the account's alarms in.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (settings.alarmEmail) this.topic.addSubscription(new EmailSubscription(settings.alarmEmail));
    this.#onLambdaThrottles();
    this.#onPhonesNotSeen();
    this.#onDisabledWebhooks();
    this.#onUnreadReceipts();
    this.#onDisputedPayments();
    this.#onRefusedPayments();
    this.#onWrongClaims();
  }

  /**
   * One failure in five minutes. The wrappers answer a bug and report a failed message without failing the invocation, so
   * Lambda's own count is not enough: what the function logs as an error counts too. (AWS charges for that metric only in
   * hours that have an error.)
   */
  onFailures(name: string, fn: LambdaFunction, row: Row): void {
    const logged = { namespace: this.#settings.name, metricName: `${name} logged errors` };
    fn.logGroup.addMetricFilter('Errors', {
      filterPattern: FilterPattern.stringValue('$.level', '=', 'ERROR'),
      metricNamespace: logged.namespace,
      metricName: logged.metricName,
    });
    const failures = new MathExpression({
      expression: 'FILL(crashed, 0) + FILL(logged, 0)',
      label: `${name} failures`,
      usingMetrics: { crashed: fn.metricErrors(), logged: new Metric({ ...logged, statistic: Stats.SUM }) },
      period: Duration.minutes(5),
    });
    this.#alarm(`${idOf(name)}-fails`, failures, {
      atLeast: 1,
      saying: `${row.whenItFails} The reason is in the log group ${this.#logGroupOf(name)}, at level ERROR.`,
    });
  }

  /** Nobody waits for a worker, so it is slow only where it is nearly stopped; the API as a whole has `onSlowAnswers`. */
  onNearTimeout(name: string, fn: LambdaFunction, row: CompleteRow): void {
    const percent = 80;
    this.#alarm(`${idOf(name)}-is-slow`, fn.metricDuration({ statistic: Stats.p(99), period: Duration.minutes(5) }), {
      atLeast: (percent / 100) * row.timeoutSeconds * 1000,
      saying: `The function ${name} takes more than ${percent} % of its ${row.timeoutSeconds} seconds, after which it is stopped. ${row.whenItFails} Look which call is slow: the gateway, a merchant's server or the table.`,
    });
  }

  /** Any dead letter at all: somebody has to look at it before it expires. */
  onDeadLetters(of: string, deadLetters: Queue, consumer: Row): void {
    this.#alarm(
      `${idOf(of)}-dead-letters`,
      deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
      {
        atLeast: 1,
        saying: `Work of ${of} was given up and waits as a dead letter. ${consumer.whenItFails} Look at it: npm run admin -- dead-letters list --stage ${this.#settings.stage} --queue ${idOf(of)}. When the cause is fixed: dead-letters retry.`,
      },
    );
  }

  /** A record normally waits a fraction of a second, so a minute means that the function is stuck or cannot keep up. */
  onStreamAge(name: string, fn: LambdaFunction, row: Row): void {
    const age = fn.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: Duration.minutes(1) });
    this.#alarm(`${idOf(name)}-is-late`, age, {
      atLeast: Duration.minutes(1).toMilliseconds(),
      saying: `The function ${name} is more than a minute behind the table. ${row.whenItFails} After twelve hours a change is given up: look into the log group ${this.#logGroupOf(name)}.`,
    });
  }

  /** Five in five minutes: a merchant without a sender gets a 503 too, and one of those is no emergency. */
  onServerErrors(serverErrors: IMetric): void {
    this.#alarm('api-server-errors', serverErrors, {
      atLeast: 5,
      saying:
        'Merchants and their customers get server errors (5xx) from the API: charges are not made, checkout pages stay empty or texts are not taken. The access log names the routes.',
    });
  }

  /** Half of what a function may take, and all that a phone waits for an answer. */
  onSlowAnswers(latency: IMetric): void {
    this.#alarm('api-is-slow', latency, {
      atLeast: 5_000,
      saying:
        'One answer of the API in a hundred takes five seconds or more: customers leave their checkout and merchants run into timeouts. The access log names the routes.',
    });
  }

  /**
   * The table or one of its indexes, which slow the table down when they cannot keep up. On-demand capacity grows by itself, so
   * throttles mean a hot partition, or a load that has doubled within half an hour.
   */
  onTableThrottles(table: Table): void {
    const places = [{}, ...tableSchema.indexes.map(({ name }) => ({ GlobalSecondaryIndexName: name }))];
    const throttled = places.flatMap((place) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
        (metricName) =>
          new Metric({
            namespace: 'AWS/DynamoDB',
            metricName,
            dimensionsMap: { TableName: table.tableName, ...place },
            statistic: Stats.SUM,
          }),
      ),
    );
    const usingMetrics = Object.fromEntries(throttled.map((metric, n) => [`m${n}`, metric]));
    const together = new MathExpression({
      expression: Object.keys(usingMetrics)
        .map((id) => `FILL(${id}, 0)`)
        .join(' + '),
      label: 'throttled requests',
      usingMetrics,
      period: Duration.minutes(5),
    });
    this.#alarm('table-throttles', together, {
      // The SDK retries a few without anyone noticing.
      atLeast: 10,
      saying:
        'The table refuses requests: calls of merchants are slow or get a 503, workers fall behind. It grows with the load by itself within minutes; if it stays, one partition is too hot.',
    });
  }

  /** For all functions of the account: they share one limit, and it does not matter whose call was one too many. */
  #onLambdaThrottles(): void {
    const throttles = new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Throttles',
      statistic: Stats.SUM,
      period: Duration.minutes(5),
    });
    this.#alarm('lambda-throttles', throttles, {
      atLeast: 1,
      saying:
        "This account runs as many Lambda functions at once as it may: merchants and customers get errors, workers fall behind. Have the quota 'Concurrent executions' of Lambda raised; a new account may have ten.",
    });
  }

  #onPhonesNotSeen(): void {
    this.#alarm('phone-not-seen', countOf(this.#settings, 'phones_not_seen', Stats.MAXIMUM), {
      atLeast: 1,
      saying:
        'A phone has not been seen by its gateway for 15 minutes: payments to its number are not recognised, and its texts wait or are refused with 503. See that it is on, online, and that the SMSGate app runs.',
    });
  }

  #onDisabledWebhooks(): void {
    this.#alarm('webhook-disabled', countOf(this.#settings, 'webhooks_disabled', Stats.SUM), {
      atLeast: 1,
      saying: `A merchant's server refused every webhook for five days, or wants no more (410), and is told nothing any longer. Tell the merchant to fix it and set the webhook again; the log group ${this.#logGroupOf('work/deliver-webhook')} names the merchant (webhook_disabled).`,
    });
  }

  /** One may be a text that only looks like a receipt. */
  #onUnreadReceipts(): void {
    this.#alarm('receipts-unread', countOf(this.#settings, 'receipts_unread', Stats.SUM, Duration.hours(1)), {
      atLeast: 3,
      saying:
        'Texts of the networks that look like receipts cannot be read: the payments in them are not recognised. A network may have changed its wording; merchants find the texts with GET /api/v1/receipt?status=unread.',
    });
  }

  #onDisputedPayments(): void {
    this.#alarm('payment-disputed', countOf(this.#settings, 'payments_disputed', Stats.SUM), {
      atLeast: 1,
      saying: `Two texts told of one payment with different facts: one of them may be forged, and goods may leave for nothing. Compare both with the wallet: npm run admin -- receipt list --stage ${this.#settings.stage} (and --merchant ID); the charge, if one was paid, is marked as disputed and its merchant told (charge.disputed).`,
    });
  }

  /** One is a customer who could not pay, and who is told nothing by the network but that it failed. */
  #onRefusedPayments(): void {
    this.#alarm('payment-refused', countOf(this.#settings, 'payments_refused', Stats.SUM), {
      atLeast: 1,
      saying: `A wallet has reached its daily limit: its network refuses what customers pay, and more will be refused today. npm run admin -- doctor --stage ${this.#settings.stage} names the wallet. Its merchant was told (wallet.payment_refused), unless several share the number: tell those yourself. Have them paid on another number (merchant set --momo) until tomorrow, or have the network raise the limit.`,
    });
  }

  #onWrongClaims(): void {
    this.#alarm('claims-walked', countOf(this.#settings, 'claim_limits_reached', Stats.SUM), {
      atLeast: 1,
      saying:
        'Somebody claims payments on checkout pages with wrong ids, or has codes sent to numbers that paid nothing, many times in an hour on one wallet. Nothing was confirmed by it; until the hour ends a charge has two tries there. See who makes charges at this merchant.',
    });
  }

  #logGroupOf(name: string): string {
    return `/aws/lambda/${this.#settings.name}-${idOf(name)}`;
  }

  #alarm(name: string, metric: IMetric, { atLeast, saying }: { atLeast: number; saying: string }): void {
    const alarm = new Alarm(this, name, {
      alarmName: `${this.#settings.name}-${name}`,
      alarmDescription: saying,
      metric,
      threshold: atLeast,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    this.all.push(alarm);
  }
}

/** What functions count by themselves: `outside.metrics`. */
export function countOf(
  settings: Settings,
  metricName: MetricName,
  statistic: string,
  period = Duration.minutes(5),
): Metric {
  const dimensionsMap = { service: settings.name };
  return new Metric({ namespace: METRIC_NAMESPACE, metricName, dimensionsMap, statistic, period });
}

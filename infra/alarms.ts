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
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Row } from '../shared/runtime/row.ts';
import { idOf } from './names.ts';
import type { Settings } from './settings.ts';

/** One topic, and an alarm to it for everything that can go wrong. Each description says who is hurt, in words. */
export class Alarms extends Construct {
  readonly topic: Topic;
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
    this.#alarm(`${idOf(name)}-fails`, failures, { atLeast: 1, saying: row.whenItFails });
  }

  /** Any dead letter at all: somebody has to look at it before it expires. */
  onDeadLetters(of: string, deadLetters: Queue, consumer: Row): void {
    this.#alarm(
      `${of}-dead-letters`,
      deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
      {
        atLeast: 1,
        saying: `Work of ${of} was given up and waits in its dead-letter queue. ${consumer.whenItFails}`,
      },
    );
  }

  /** A record normally waits a fraction of a second, so a minute means that the function is stuck or cannot keep up. */
  onStreamAge(name: string, fn: LambdaFunction, row: Row): void {
    const age = fn.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: Duration.minutes(1) });
    this.#alarm(`${idOf(name)}-is-late`, age, {
      atLeast: Duration.minutes(1).toMilliseconds(),
      saying: `The function ${name} is more than a minute behind the table. ${row.whenItFails}`,
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
  }
}

import { describe, expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { completeRows } from '../../../shared/runtime/triggers/complete-row.ts';
import { synthesise } from './synthesise.ts';

const dev = synthesise();
const alarms = dev.all('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
const rows = completeRows(manifest);

describe.each(rows)('%s', (name, row) => {
  const functionName = `momo-kiosk-dev-${name.replaceAll('/', '-')}`;
  const alarm = alarms.find(({ AlarmName }) => AlarmName === `${functionName}-fails`);

  test('has an alarm that says who is affected when it fails, and where the reason is', () => {
    expect(alarm?.AlarmDescription).toContain(row.whenItFails);
    expect(alarm?.AlarmDescription).toContain(`/aws/lambda/${functionName}`);
  });

  test('raises it on one crash or one logged error', () => {
    expect(alarm).toMatchObject({ Threshold: 1, ComparisonOperator: 'GreaterThanOrEqualToThreshold' });
    const [crashed, logged] = ['crashed', 'logged'].map(
      (id) => alarm?.Metrics.find((metric: { Id: string }) => metric.Id === id)?.MetricStat.Metric,
    );
    expect(crashed).toMatchObject({ Namespace: 'AWS/Lambda', MetricName: 'Errors' });
    expect(dev.text(crashed?.Dimensions[0].Value)).toBe(functionName);
    const filter = dev
      .all('AWS::Logs::MetricFilter')
      .find(({ Properties }) => dev.text(Properties.LogGroupName) === `/aws/lambda/${functionName}`);
    expect(filter?.Properties).toMatchObject({
      FilterPattern: '{ $.level = "ERROR" }',
      MetricTransformations: [{ MetricNamespace: logged?.Namespace, MetricName: logged?.MetricName, MetricValue: '1' }],
    });
  });
});

test('every dead-letter queue has an alarm on its first message', () => {
  const watched = alarms
    .filter(({ MetricName, Threshold }) => MetricName === 'ApproximateNumberOfMessagesVisible' && Threshold === 1)
    .map(({ Dimensions }) => dev.text(Dimensions[0].Value));
  const deadLetters = dev
    .all('AWS::SQS::Queue')
    .filter(({ Properties }) => !Properties.RedrivePolicy)
    .map((queue) => dev.nameOf(queue));
  expect(deadLetters.length).toBeGreaterThan(0);
  expect(watched.sort()).toEqual(deadLetters.sort());
});

test('every function on the stream has an alarm for falling a minute behind', () => {
  const late = alarms.filter(({ MetricName, Threshold }) => MetricName === 'IteratorAge' && Threshold === 60_000);
  const onStream = rows.filter(([, row]) => row.on === 'stream');
  expect(late.map(({ Dimensions }) => dev.text(Dimensions[0].Value))).toEqual(
    onStream.map(([name]) => `momo-kiosk-dev-${name.replaceAll('/', '-')}`),
  );
});

test('every worker has an alarm before it runs out of time', () => {
  const slow = alarms.filter(({ MetricName }) => MetricName === 'Duration');
  const found = slow.map(({ Dimensions, Threshold, ExtendedStatistic }) => [
    dev.text(Dimensions[0].Value),
    Threshold,
    ExtendedStatistic,
  ]);
  const workers = rows.filter(([, row]) => row.on !== 'http' && row.on !== 'default');
  expect(workers.length).toBeGreaterThan(3);
  expect(found.sort()).toEqual(
    workers
      .map(([name, row]) => [`momo-kiosk-dev-${name.replaceAll('/', '-')}`, 800 * row.timeoutSeconds, 'p99'])
      .sort(),
  );
});

test('the API has one for slow answers, well before its functions run out of time', () => {
  const [alarm] = alarms.filter(({ AlarmName }) => AlarmName === 'momo-kiosk-dev-api-is-slow');
  expect(alarm).toMatchObject({ MetricName: 'Latency', ExtendedStatistic: 'p99', Threshold: 5_000 });
  expect(dev.text(alarm?.Dimensions[0].Value)).toBe('momo-kiosk-dev');
});

test('throttles of the functions and of the table raise alarms', () => {
  const [lambda] = alarms.filter(({ AlarmName }) => AlarmName === 'momo-kiosk-dev-lambda-throttles');
  expect(lambda).toMatchObject({ Namespace: 'AWS/Lambda', MetricName: 'Throttles', Threshold: 1 });
  expect(lambda).not.toHaveProperty('Dimensions');
  const [table] = alarms.filter(({ AlarmName }) => AlarmName === 'momo-kiosk-dev-table-throttles');
  const watched = table?.Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: WatchedMetric } }) =>
    MetricStat ? [`${MetricStat.Metric.MetricName} ${MetricStat.Metric.Dimensions.map(textOf).join(' ')}`] : [],
  );
  expect(watched.sort()).toEqual(
    ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) =>
      ['gsi1 momo-kiosk-dev', 'gsi2 momo-kiosk-dev', 'momo-kiosk-dev'].map((place) => `${name} ${place}`),
    ),
  );
});

test.each([
  ['phone-not-seen', 'phones_not_seen', 'Maximum', 1],
  ['webhook-disabled', 'webhooks_disabled', 'Sum', 1],
  ['receipts-unread', 'receipts_unread', 'Sum', 3],
  ['payment-refused', 'payments_refused', 'Sum', 1],
])('%s looks at what the functions count', (name, MetricName, Statistic, Threshold) => {
  const [alarm] = alarms.filter(({ AlarmName }) => AlarmName === `momo-kiosk-dev-${name}`);
  const { Properties } = dev.the('AWS::Lambda::Function', 'momo-kiosk-dev-work-relay');
  const { POWERTOOLS_SERVICE_NAME, POWERTOOLS_METRICS_NAMESPACE } = Properties.Environment.Variables;
  expect(alarm).toMatchObject({
    Namespace: POWERTOOLS_METRICS_NAMESPACE,
    MetricName,
    Statistic,
    Threshold,
    Dimensions: [{ Name: 'service', Value: POWERTOOLS_SERVICE_NAME }],
  });
});

test('server errors of the API raise an alarm', () => {
  const [alarm] = alarms.filter(({ MetricName }) => MetricName === '5xx');
  expect(alarm?.Dimensions.map(({ Value }: { Value: unknown }) => dev.text(Value))).toEqual([
    'momo-kiosk-dev',
    '$default',
  ]);
});

test('every alarm says something, stays quiet without data, and tells the topic when it comes and goes', () => {
  for (const alarm of alarms) {
    expect(alarm.AlarmDescription).toMatch(/^[A-Z].{20,}\.$/);
    expect(alarm.AlarmDescription.length).toBeLessThan(1024);
    expect(alarm.TreatMissingData).toBe('notBreaching');
    for (const actions of [alarm.AlarmActions, alarm.OKActions]) {
      expect(actions.map((action: unknown) => dev.text(action))).toEqual(['momo-kiosk-dev-alarms']);
    }
  }
});

test('only alarms of this account may publish to the topic', () => {
  const [policy] = dev.all('AWS::SNS::TopicPolicy');
  expect(policy?.Properties.PolicyDocument.Statement).toMatchObject([
    { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    {
      Effect: 'Allow',
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    },
  ]);
});

test('an address given by context gets the e-mails; without one there is no subscription', () => {
  const [subscription] = synthesise({ alarmEmail: 'ops@example.com' }).all('AWS::SNS::Subscription');
  expect(subscription?.Properties).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
  expect(dev.all('AWS::SNS::Subscription')).toEqual([]);
});

interface WatchedMetric {
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: unknown }[];
}

function textOf({ Value }: WatchedMetric['Dimensions'][number]): string {
  return dev.text(Value);
}

import { describe, expect, test } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import type { Row } from '../../shared/runtime/row.ts';
import { synthesise } from './synthesise.ts';

const dev = synthesise();
const alarms = dev.all('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
const rows = Object.entries<Row>(manifest);

describe.each(rows)('%s', (name, row) => {
  const functionName = `momo-kiosk-dev-${name.replaceAll('/', '-')}`;
  const alarm = alarms.find(({ AlarmName }) => AlarmName === `${functionName}-fails`);

  test('has an alarm that says who is hurt when it fails', () => {
    expect(alarm?.AlarmDescription).toBe(row.whenItFails);
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

test('an address given by context gets the mails; without one there is no subscription', () => {
  const [subscription] = synthesise({ alarmEmail: 'ops@example.com' }).all('AWS::SNS::Subscription');
  expect(subscription?.Properties).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
  expect(dev.all('AWS::SNS::Subscription')).toEqual([]);
});

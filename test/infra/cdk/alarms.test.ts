import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { manifest, queues } from '../../../functions/manifest.ts';
import { heardWhenOff } from '../../../infra/cdk/alarms.ts';
import { rollbackAlarms } from '../../../infra/cdk/names.ts';
import { IAM_REFUSALS } from '../../../shared/runtime/stage/names.ts';
import { mistakeIn, wordsOf } from '../../support/admin-commands.ts';
import { checkEach } from '../../support/check-each.ts';
import { type Resource, synthesise } from './synthesise.ts';

const prod = synthesise({ stage: 'prod' });
const alarms = prod.all('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);

const operating = readFileSync('docs/operate/operating.md', 'utf8');

test('the operating manual lists every alarm with its severity', () => {
  const listed = ['Money stops', 'Look tomorrow'].flatMap((severity) => {
    const [, table = ''] =
      new RegExp(`^\\| ${severity} \\| fires when \\|\\n((?:\\|.*\\n)+)`, 'm').exec(operating) ?? [];
    const names = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[a-z-]{4,}/g) ?? []);
    return names.map((name) => `momo-kiosk-prod-${severity.toLowerCase().replace(' ', '-')}-${name}`);
  });
  const names = alarms.map(({ AlarmName }) => AlarmName).sort();
  expect(listed.filter((name) => !name.includes('----')).sort()).toEqual(names);
});

test('there are at most 25 alarms, each on one metric', () => {
  expect(alarms.length).toBeGreaterThan(15);
  expect(alarms.length).toBeLessThanOrEqual(25);
  expect(alarms.filter(({ Metrics }) => Metrics)).toEqual([]);
});

describe('an alarm', () => {
  const told = alarms.map((alarm) => {
    const [what = '', who = '', first = ''] = String(alarm.AlarmDescription).split('\n');
    return { name: String(alarm.AlarmName), alarm, what, who, first };
  });
  const everyAlarm = (check: (one: (typeof told)[number]) => unknown) => checkEach(told, check);

  test('has a severity at the start of its name and text', () =>
    everyAlarm(({ name, what }) => {
      const severity = /^momo-kiosk-prod-(money-stops|look-tomorrow)-/.exec(name)?.[1];
      const inWords = { 'money-stops': 'Money stops: ', 'look-tomorrow': 'Look tomorrow: ' }[String(severity)];
      expect(inWords).toBeDefined();
      expect(what.startsWith(String(inWords))).toBe(true);
    }));

  test('states the impact and the first command to run', () =>
    everyAlarm(({ alarm, what, who, first }) => {
      expect(what).toMatch(/: [A-Z].{20,}[.)]$/);
      expect(who).toMatch(/^Affected: .{10,}\.$/);
      expect(first).toMatch(/^First: (npm run admin -- .+ --stage prod|aws logs tail .+)$/);
      expect(alarm.AlarmDescription.length).toBeLessThan(1024);
    }));

  test('mentions only existing commands', () =>
    everyAlarm(async ({ alarm }) => {
      for (const [, line = ''] of alarm.AlarmDescription.matchAll(/npm run admin -- ([^\n]*)/g))
        expect(await mistakeIn(wordsOf(line)), line).toBeUndefined();
    }));

  test('mentions an existing log', () =>
    everyAlarm(({ first }) => {
      const [, group] = /aws logs tail (\S+)/.exec(first) ?? [];
      if (group) expect(prod.all('AWS::Logs::LogGroup').map((log) => prod.nameOf(log))).toContain(group);
    }));

  test('monitors the stage’s own metrics', () =>
    everyAlarm(({ alarm }) => {
      const values = metricsOf(alarm).flatMap(
        (metric) => metric.Dimensions?.map(({ Value }: { Value: unknown }) => prod.text(Value)) ?? [metric.Namespace],
      );
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(value).toMatch(/^momo-kiosk-prod\b|^\$default$/);
    }));

  test('notifies the topic', () =>
    everyAlarm(({ alarm }) => {
      for (const actions of [alarm.AlarmActions, alarm.OKActions])
        expect(actions.map((action: unknown) => prod.text(action))).toEqual(['momo-kiosk-prod-alarms']);
    }));
});

test('missing data triggers only the housekeeping alarms', () => {
  const loud = alarms.filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
  const names = ['follow-up-late', 'housekeeping-silent'].map((name) => `momo-kiosk-prod-money-stops-${name}`);
  expect(loud.map(({ AlarmName }) => AlarmName).sort()).toEqual(names);
  expect(alarms.find(({ AlarmName }) => AlarmName.endsWith('housekeeping-silent'))).toMatchObject({
    TreatMissingData: 'breaching',
    MetricName: 'housekeeping_runs',
    Statistic: 'Sum',
    Period: 60,
    EvaluationPeriods: 8,
    Threshold: 1,
    ComparisonOperator: 'LessThanThreshold',
  });
});

describe.each(['customers', 'merchants', 'work'])('the log for %s', (audience) => {
  const [filter, ...more] = prod
    .all('AWS::Logs::MetricFilter')
    .filter(({ Properties }) => prod.text(Properties.LogGroupName) === `/aws/lambda/momo-kiosk-prod/${audience}`)
    .filter(({ Properties }) => ![IAM_REFUSALS, 'api faults'].includes(Properties.MetricTransformations[0].MetricName));

  test('has one filter for errors', () => {
    expect(more).toEqual([]);
    expect(filter?.Properties.FilterPattern).toBe(
      '{ ($.level = "ERROR") || ($.level = "FATAL") || (($.type = "platform.report") && ($.record.status != "success")) }',
    );
  });

  test('has an alarm that fires on the first failure', () => {
    const [{ MetricNamespace, MetricName, MetricValue }] = filter?.Properties.MetricTransformations ?? [{}];
    expect(MetricValue).toBe('1');
    expect(alarms.filter((alarm) => alarm.Namespace === MetricNamespace && alarm.MetricName === MetricName)).toEqual([
      expect.objectContaining({ Threshold: 1, Statistic: 'Sum', Period: 300, EvaluationPeriods: 1 }),
    ]);
  });
});

test('every dead-letter queue is covered by an alarm', () => {
  const watched = alarms
    .filter(({ MetricName, Threshold }) => MetricName === 'ApproximateNumberOfMessagesVisible' && Threshold === 1)
    .map(({ Dimensions }) => prod.text(Dimensions[0].Value));
  const lastOnes = prod.all('AWS::SQS::Queue').filter(({ Properties }) => !Properties.RedrivePolicy);
  const deadLetters = lastOnes.map((queue) => prod.nameOf(queue));
  const deadLettersOf = (name: string) => `momo-kiosk-prod-${name}-dead-letters`;
  const covered = Object.keys(COVERED_BY_ANOTHER_ALARM).map(deadLettersOf);
  expect([...watched, ...covered].sort()).toEqual(deadLetters.sort());
});

const COVERED_BY_ANOTHER_ALARM = {
  'deliver-push': 'each failed attempt of an abandoned notification is an error in the log',
  'deliver-sms': 'an overdue alarm fires before the job of a text is abandoned',
  'work-relay': 'unqueued texts and receipts trigger the overdue alarms first',
};

test('the follow-up worker has an alarm for late runs', () => {
  const late = alarms.filter(({ MetricName, Threshold }) => MetricName === 'IteratorAge' && Threshold === 60_000);
  expect(late.map(({ Dimensions }) => prod.text(Dimensions[0].Value))).toEqual(['momo-kiosk-prod-work-follow-up']);
  expect(late[0]).toMatchObject({ TreatMissingData: 'breaching', Period: 60, EvaluationPeriods: 8 });
  const comesThrough = manifest['work/follow-up'].only.find(({ event }) => event === 'MODIFY')?.sortKeyPrefixes;
  expect(comesThrough).toContain('housekeeping');
});

describe('alarms about disabled event source mappings', () => {
  const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName.endsWith(`-${name}`));
  const off = [...prod.all('AWS::Lambda::EventSourceMapping'), ...prod.all('AWS::Events::Rule')].map(({ Properties }) =>
    prod.text(Properties.FunctionName ?? Properties.Targets[0].Arn),
  );

  test('exist for each worker', () => {
    const heard = Object.keys(heardWhenOff).map((worker) => `momo-kiosk-prod-${worker.replace('/', '-')}`);
    expect(heard.sort()).toEqual(off.sort());
  });

  test('are listed in the operating manual', () => {
    for (const [worker, name] of Object.entries(heardWhenOff))
      expect(operating).toMatch(new RegExp(`^\\| \`${worker}\` \\(.*\\) \\| \`${name}\` \\|$`, 'm'));
  });

  test.each(workersWhenOff())('report that %s is not invoked: %s', (worker, name) => {
    expect(named(name)?.AlarmDescription).toMatch(
      new RegExp(`This alarm also fires if .*${worker}.* no longer called`),
    );
    const of = manifest[worker];
    const metrics = metricsOf(named(name) ?? {}).filter(
      ({ Dimensions }) =>
        named(name)?.MetricName || (of.on === 'queue' && prod.text(Dimensions[0].Value).endsWith(`-${of.queue}`)),
    );
    // A worker that is not invoked cannot publish metrics.
    if (worker === 'work/housekeeping' || worker === 'work/follow-up')
      expect(named(name)?.TreatMissingData).toBe('breaching');
    else
      for (const metric of [metrics[0]?.MetricName])
        expect(['receipts_overdue', 'texts_overdue', 'ApproximateAgeOfOldestMessage']).toContain(metric);
  });
});

test('alarms on housekeeping’s metrics fire on the first bad value', () => {
  const gauges = alarms.filter(({ Namespace, Statistic }) => Namespace === 'MomoKiosk' && Statistic === 'Maximum');
  expect(gauges.map(({ MetricName }) => MetricName).sort()).toEqual([
    ...[
      'callbacks_not_understood',
      'follow_ups_overdue',
      'phones_not_heard',
      'receipts_overdue',
      'senders_failing',
      'senders_held_back',
    ],
    'texts_overdue',
    ...['wallets_unread', 'webhooks_off'],
  ]);
  for (const gauge of gauges) {
    const Dimensions = [{ Name: 'service', Value: 'momo-kiosk-prod' }];
    expect(gauge).toMatchObject({ Threshold: 1, Period: 300, EvaluationPeriods: 1, Dimensions });
  }
});

test('alarms on counters use the correct namespace and statistic', () => {
  const { Properties } = prod.the('AWS::Lambda::Function', 'momo-kiosk-prod-work-relay');
  const { POWERTOOLS_SERVICE_NAME, POWERTOOLS_METRICS_NAMESPACE } = Properties.Environment.Variables;
  const counted = alarms.filter(({ MetricName }) => /^payments_/.test(MetricName));
  expect(counted).toHaveLength(2);
  for (const alarm of counted) {
    const Dimensions = [{ Name: 'service', Value: POWERTOOLS_SERVICE_NAME }];
    const counting = { Namespace: POWERTOOLS_METRICS_NAMESPACE, Dimensions };
    expect(alarm).toMatchObject({ ...counting, Statistic: 'Sum', Threshold: 1 });
  }
});

test('the API has alarms for server errors and slow responses', () => {
  const isOfApi = (one: Resource['Properties']) =>
    one.Namespace === 'AWS/ApiGateway' || one.MetricName === 'api faults';
  expect(alarms.filter(isOfApi)).toEqual([
    expect.objectContaining({ MetricName: 'api faults', Statistic: 'Sum', Threshold: 5 }),
    expect.objectContaining({ MetricName: 'Latency', ExtendedStatistic: 'p99', Threshold: 5_000 }),
  ]);
  const [faults, ...throttled] = prod
    .all('AWS::Logs::MetricFilter')
    .filter(({ Properties }) => Properties.MetricTransformations[0].MetricName === 'api faults')
    .map(({ Properties }) => [prod.text(Properties.LogGroupName).split('/').at(-1), Properties.FilterPattern]);
  // A 503 from a function is not a fault: no sender is available, or a deployment is in progress.
  expect(faults).toEqual(['api', '{ ($.status = "5*") && ($.function_status != "503") }']);
  const pattern = '{ $.message = "table_throttled" }';
  expect(throttled).toEqual(['customers', 'merchants', 'work'].map((log) => [log, pattern]));
});

test('at most five alarms can roll back a deployment', () => {
  expect(rollbackAlarms.length).toBeLessThanOrEqual(5);
  for (const name of rollbackAlarms)
    expect(alarms.map(({ AlarmName }) => AlarmName)).toContain(`momo-kiosk-prod-money-stops-${name}`);
});

describe('a stage’s alarms', () => {
  const dev = synthesise();

  test('are off in dev and on in prod by default', () => {
    for (const type of ['AWS::CloudWatch::Alarm', 'AWS::Logs::MetricFilter', 'AWS::SNS::Topic']) {
      const ofAlarms = (stack: typeof dev) => stack.all(type).filter((one) => !isOfRefusals(one));
      expect(ofAlarms(dev)).toEqual([]);
      expect(ofAlarms(synthesise({ alarms: 'on' }))).not.toEqual([]);
      expect(ofAlarms(synthesise({ stage: 'prod', alarms: 'off' }))).toEqual([]);
    }
    expect(dev.outputs).not.toHaveProperty('AlarmTopicArn');
  });
});

test('only this account’s alarms can publish to the topic', () => {
  const [policy] = prod.all('AWS::SNS::TopicPolicy');
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

test('only urgent alarms are sent to the https URL', () => {
  const subscriptions = synthesise({
    stage: 'prod',
    alarmEmail: 'ops@example.com',
    alarmUrl: 'https://pager.example.com/momo?key=1',
  })
    .all('AWS::SNS::Subscription')
    .map(({ Properties }) => Properties);
  expect(subscriptions).toHaveLength(2);
  const mail = subscriptions.find(({ Protocol }) => Protocol === 'email');
  expect(mail).toMatchObject({ Endpoint: 'ops@example.com' });
  expect(mail).not.toHaveProperty('FilterPolicy');
  expect(subscriptions.find(({ Protocol }) => Protocol === 'https')).toMatchObject({
    Endpoint: 'https://pager.example.com/momo?key=1',
    FilterPolicyScope: 'MessageBody',
    FilterPolicy: { AlarmName: [{ prefix: 'momo-kiosk-prod-money-stops-' }] },
  });
  expect(prod.all('AWS::SNS::Subscription')).toEqual([]);
});

test('every queue in the manifest has a worker', () => {
  expect(Object.keys(queues).every((name) => `work/${name}` in heardWhenOff)).toBe(true);
});

test('every IAM denial in a log is counted', () => {
  for (const stack of [prod, synthesise()]) {
    const filters = stack.all('AWS::Logs::MetricFilter').filter(isOfRefusals);
    const logs = filters.map(({ Properties }) => stack.text(Properties.LogGroupName).split('/').at(-1));
    expect(logs).toEqual(['customers', 'merchants', 'work']);
    for (const { Properties } of filters) {
      expect(Properties.FilterPattern).toBe('{ $.error.name = "AccessDenied*" }');
      // Without a default value and dimensions, AWS bills only hours with a denial.
      const MetricNamespace = stack === prod ? 'momo-kiosk-prod' : 'momo-kiosk-dev';
      const counting = { MetricName: 'iam refusals', MetricNamespace, MetricValue: '1' };
      expect(Properties.MetricTransformations).toEqual([counting]);
    }
  }
});

function isOfRefusals({ Properties }: Resource): boolean {
  return Properties.MetricTransformations?.[0].MetricName === IAM_REFUSALS;
}

function workersWhenOff(): [keyof typeof heardWhenOff, string][] {
  const isWorker = (name: string): name is keyof typeof heardWhenOff => name in heardWhenOff;
  return Object.keys(heardWhenOff)
    .filter(isWorker)
    .map((worker) => [worker, heardWhenOff[worker]]);
}

/** Returns an alarm's own metric, or the metrics in its expression. */
function metricsOf(alarm: Resource['Properties']): Resource['Properties'][] {
  return alarm.Metrics?.flatMap(({ MetricStat }: Resource['Properties']) => MetricStat?.Metric ?? []) ?? [alarm];
}

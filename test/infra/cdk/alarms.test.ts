import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { manifest, queues } from '../../../functions/manifest.ts';
import { heardWhenOff } from '../../../infra/cdk/alarms.ts';
import { rollbackAlarms } from '../../../infra/cdk/names.ts';
import { IAM_REFUSALS } from '../../../shared/runtime/stage/names.ts';
import { mistakeIn, wordsOf } from '../../support/admin-commands.ts';
import { type Resource, synthesise } from './synthesise.ts';

const prod = synthesise({ stage: 'prod' });
const alarms = prod.all('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);

const operating = readFileSync('docs/operate/operating.md', 'utf8');

test('the operating manual lists each of them, under how urgent it is', () => {
  const listed = ['Money stops', 'Look tomorrow'].flatMap((severity) => {
    const [, table = ''] =
      new RegExp(`^\\| ${severity} \\| rings when \\|\\n((?:\\|.*\\n)+)`, 'm').exec(operating) ?? [];
    const names = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[a-z-]{4,}/g) ?? []);
    return names.map((name) => `momo-kiosk-prod-${severity.toLowerCase().replace(' ', '-')}-${name}`);
  });
  const names = alarms.map(({ AlarmName }) => AlarmName).sort();
  expect(listed.filter((name) => !name.includes('----')).sort()).toEqual(names);
});

test('there are few: AWS charges for each metric that an alarm watches', () => {
  expect(alarms.length).toBeGreaterThan(15);
  expect(alarms.length).toBeLessThanOrEqual(22);
  expect(alarms.filter(({ Metrics }) => Metrics)).toEqual([]);
});

describe.each(alarms.map((alarm) => [alarm.AlarmName, alarm]))('%s', (name, alarm) => {
  const [what, who, first] = String(alarm.AlarmDescription).split('\n');

  test('begins with how urgent it is, in its name and in its text', () => {
    const severity = /^momo-kiosk-prod-(money-stops|look-tomorrow)-/.exec(name)?.[1];
    const inWords = { 'money-stops': 'Money stops: ', 'look-tomorrow': 'Look tomorrow: ' }[String(severity)];
    expect(inWords).toBeDefined();
    expect(what?.startsWith(String(inWords))).toBe(true);
  });

  test('says what happened, who is hurt, and the first command to type', () => {
    expect(what).toMatch(/: [A-Z].{20,}[.)]$/);
    expect(who).toMatch(/^Who is hurt: .{10,}\.$/);
    expect(first).toMatch(/^First: (npm run admin -- .+ --stage prod|aws logs tail .+)$/);
    expect(alarm.AlarmDescription.length).toBeLessThan(1024);
  });

  test('names commands that would run', async () => {
    for (const [, line = ''] of alarm.AlarmDescription.matchAll(/npm run admin -- ([^\n]*)/g))
      expect(await mistakeIn(wordsOf(line)), line).toBeUndefined();
  });

  test('names a log that there is', () => {
    const [, group] = /aws logs tail (\S+)/.exec(String(first)) ?? [];
    if (group) expect(prod.all('AWS::Logs::LogGroup').map((log) => prod.nameOf(log))).toContain(group);
  });

  test('watches the stage’s own, and nothing of the whole account', () => {
    const values = metricsOf(alarm).flatMap(
      (metric) => metric.Dimensions?.map(({ Value }: { Value: unknown }) => prod.text(Value)) ?? [metric.Namespace],
    );
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(value).toMatch(/^momo-kiosk-prod\b|^\$default$/);
  });

  test('tells the topic when it comes and goes', () => {
    for (const actions of [alarm.AlarmActions, alarm.OKActions])
      expect(actions.map((action: unknown) => prod.text(action))).toEqual(['momo-kiosk-prod-alarms']);
  });
});

test('missing data is quiet, but where housekeeping must have run, and where its lease must have come through', () => {
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

describe.each(['customers', 'merchants', 'work'])('the log of %s', (audience) => {
  const [filter, ...more] = prod
    .all('AWS::Logs::MetricFilter')
    .filter(({ Properties }) => prod.text(Properties.LogGroupName) === `/aws/lambda/momo-kiosk-prod/${audience}`)
    .filter(({ Properties }) => ![IAM_REFUSALS, 'api faults'].includes(Properties.MetricTransformations[0].MetricName));

  test('has one filter, which counts errors and whatever Lambda reports as no success', () => {
    expect(more).toEqual([]);
    expect(filter?.Properties.FilterPattern).toBe(
      '{ ($.level = "ERROR") || ($.level = "FATAL") || (($.type = "platform.report") && ($.record.status != "success")) }',
    );
  });

  test('has an alarm on the first', () => {
    const [{ MetricNamespace, MetricName, MetricValue }] = filter?.Properties.MetricTransformations ?? [{}];
    expect(MetricValue).toBe('1');
    expect(alarms.filter((alarm) => alarm.Namespace === MetricNamespace && alarm.MetricName === MetricName)).toEqual([
      expect.objectContaining({ Threshold: 1, Statistic: 'Sum', Period: 300, EvaluationPeriods: 1 }),
    ]);
  });
});

test('dead letters raise an alarm at the first, but those of texts, of texts and receipts that are not queued, which are overdue before, and of notifications, which fail as errors', () => {
  const watched = alarms
    .filter(({ MetricName, Threshold }) => MetricName === 'ApproximateNumberOfMessagesVisible' && Threshold === 1)
    .map(({ Dimensions }) => prod.text(Dimensions[0].Value));
  const lastOnes = prod.all('AWS::SQS::Queue').filter(({ Properties }) => !Properties.RedrivePolicy);
  const deadLetters = lastOnes.map((queue) => prod.nameOf(queue));
  const deadLettersOf = (name: string) => `momo-kiosk-prod-${name}-dead-letters`;
  const heardOtherwise = ['deliver-push', 'deliver-sms', 'work-relay'].map(deadLettersOf);
  expect([...watched, ...heardOtherwise].sort()).toEqual(deadLetters.sort());
});

test('what follows changes has an alarm for falling a minute behind, and for not being called: housekeeping’s lease comes through each minute', () => {
  const late = alarms.filter(({ MetricName, Threshold }) => MetricName === 'IteratorAge' && Threshold === 60_000);
  expect(late.map(({ Dimensions }) => prod.text(Dimensions[0].Value))).toEqual(['momo-kiosk-prod-work-follow-up']);
  expect(late[0]).toMatchObject({ TreatMissingData: 'breaching', Period: 60, EvaluationPeriods: 8 });
  const comesThrough = manifest['work/follow-up'].only.find(({ event }) => event === 'MODIFY')?.sortKeyPrefixes;
  expect(comesThrough).toContain('housekeeping');
});

describe('a mapping or a rule that is disabled', () => {
  const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName.endsWith(`-${name}`));
  const off = [...prod.all('AWS::Lambda::EventSourceMapping'), ...prod.all('AWS::Events::Rule')].map(({ Properties }) =>
    prod.text(Properties.FunctionName ?? Properties.Targets[0].Arn),
  );

  test('has an alarm that hears it, each of those that there are', () => {
    const heard = Object.keys(heardWhenOff).map((worker) => `momo-kiosk-prod-${worker.replace('/', '-')}`);
    expect(heard.sort()).toEqual(off.sort());
  });

  test('is in the operating manual', () => {
    for (const [worker, name] of Object.entries(heardWhenOff))
      expect(operating).toMatch(new RegExp(`^\\| \`${worker}\` \\(.*\\) \\| \`${name}\` \\|$`, 'm'));
  });

  test.each(workersWhenOff())('%s: %s, which says so and looks at what is left undone', (worker, name) => {
    expect(named(name)?.AlarmDescription).toMatch(new RegExp(`It also rings where .*${worker}.* no longer called`));
    const of = manifest[worker];
    const metrics = metricsOf(named(name) ?? {}).filter(
      ({ Dimensions }) =>
        named(name)?.MetricName || (of.on === 'queue' && prod.text(Dimensions[0].Value).endsWith(`-${of.queue}`)),
    );
    // None that only the worker itself would count: it counts nothing where it is not called.
    if (worker === 'work/housekeeping' || worker === 'work/follow-up')
      expect(named(name)?.TreatMissingData).toBe('breaching');
    else
      for (const metric of [metrics[0]?.MetricName])
        expect(['receipts_overdue', 'texts_overdue', 'ApproximateAgeOfOldestMessage']).toContain(metric);
  });
});

test('what housekeeping measures is looked at over five of its runs, and rings at the first', () => {
  const gauges = alarms.filter(({ Namespace, Statistic }) => Namespace === 'MomoKiosk' && Statistic === 'Maximum');
  expect(gauges.map(({ MetricName }) => MetricName).sort()).toEqual([
    ...['callbacks_not_understood', 'phones_not_heard', 'receipts_overdue', 'senders_failing', 'senders_held_back'],
    'texts_overdue',
    ...['wallets_unread', 'webhooks_off'],
  ]);
  for (const gauge of gauges) {
    const Dimensions = [{ Name: 'service', Value: 'momo-kiosk-prod' }];
    expect(gauge).toMatchObject({ Threshold: 1, Period: 300, EvaluationPeriods: 1, Dimensions });
  }
});

test('what the functions count is watched where and as they count it', () => {
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

test('the API has one for server errors and one for slow answers, well before its functions run out of time', () => {
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
  // What a function refuses for now is no fault of the service: no number can send, or a row is of the release that is being deployed.
  expect(faults).toEqual(['api', '{ ($.status = "5*") && ($.function_status != "503") }']);
  const pattern = '{ $.message = "table_throttled" }';
  expect(throttled).toEqual(['customers', 'merchants', 'work'].map((log) => [log, pattern]));
});

test('the alarms that take a deployment back are among those for which money stops, and CloudFormation takes five', () => {
  expect(rollbackAlarms.length).toBeLessThanOrEqual(5);
  for (const name of rollbackAlarms)
    expect(alarms.map(({ AlarmName }) => AlarmName)).toContain(`momo-kiosk-prod-money-stops-${name}`);
});

describe('a stage without alarms', () => {
  const dev = synthesise();

  test('is dev, unless the context says otherwise', () => {
    for (const type of ['AWS::CloudWatch::Alarm', 'AWS::Logs::MetricFilter', 'AWS::SNS::Topic']) {
      const ofAlarms = (stack: typeof dev) => stack.all(type).filter((one) => !isOfRefusals(one));
      expect(ofAlarms(dev)).toEqual([]);
      expect(ofAlarms(synthesise({ alarms: 'on' }))).not.toEqual([]);
      expect(ofAlarms(synthesise({ stage: 'prod', alarms: 'off' }))).toEqual([]);
    }
    expect(dev.outputs).not.toHaveProperty('AlarmTopicArn');
  });
});

test('only alarms of this account may publish to the topic', () => {
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

test('an e-mail address gets all alarms, an https address those for which somebody must be woken', () => {
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

test('every queue of the manifest is fed to a worker, so that the table of what is heard is whole', () => {
  expect(Object.keys(queues).every((name) => `work/${name}` in heardWhenOff)).toBe(true);
});

test('what IAM refuses is counted from every log, also where there are no alarms: the doctor names it', () => {
  for (const stack of [prod, synthesise()]) {
    const filters = stack.all('AWS::Logs::MetricFilter').filter(isOfRefusals);
    const logs = filters.map(({ Properties }) => stack.text(Properties.LogGroupName).split('/').at(-1));
    expect(logs).toEqual(['customers', 'merchants', 'work']);
    for (const { Properties } of filters) {
      expect(Properties.FilterPattern).toBe('{ $.error.name = "AccessDenied*" }');
      // No default, and no dimension: AWS charges for hours in which there are some.
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

/** The metrics that an alarm watches: its own, or those that it takes the largest of. */
function metricsOf(alarm: Resource['Properties']): Resource['Properties'][] {
  return alarm.Metrics?.flatMap(({ MetricStat }: Resource['Properties']) => MetricStat?.Metric ?? []) ?? [alarm];
}

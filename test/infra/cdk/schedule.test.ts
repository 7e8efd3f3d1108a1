import { expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import type { Row } from '../../../shared/runtime/triggers/row.ts';
import { synthesise } from './synthesise.ts';

const dev = synthesise();

test('each manifest row with a schedule has an EventBridge rule', () => {
  const expected = Object.entries<Row>(manifest).flatMap(([name, row]) =>
    row.on === 'schedule'
      ? [
          `rate(${row.everyMinutes} minute${row.everyMinutes === 1 ? '' : 's'}) -> momo-kiosk-dev-${name.replaceAll('/', '-')}`,
        ]
      : [],
  );
  const rules = dev
    .all('AWS::Events::Rule')
    .map(({ Properties }) => `${Properties.ScheduleExpression} -> ${dev.text(Properties.Targets[0].Arn)}`);
  expect(rules).toEqual(expected);
});

test('EventBridge does not retry a failed invocation', () => {
  for (const { Properties } of dev.all('AWS::Events::Rule'))
    expect(Properties.Targets[0].RetryPolicy.MaximumRetryAttempts).toBe(0);
});

test('Lambda does not retry a failed invocation', () => {
  const configured = dev.all('AWS::Lambda::EventInvokeConfig').map(({ Properties }) => Properties);
  const called = dev.all('AWS::Events::Rule').map(({ Properties }) => dev.text(Properties.Targets[0].Arn));
  expect(configured.map(({ FunctionName }) => dev.text(FunctionName))).toEqual(called);
  for (const { Qualifier, MaximumRetryAttempts, MaximumEventAgeInSeconds } of configured)
    expect({ Qualifier, MaximumRetryAttempts, MaximumEventAgeInSeconds }).toEqual({
      Qualifier: '$LATEST',
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
});

test('only its own rule may invoke a scheduled function', () => {
  const permissions = dev
    .all('AWS::Lambda::Permission')
    .filter(({ Properties }) => Properties.Principal === 'events.amazonaws.com');
  expect(permissions).toHaveLength(dev.all('AWS::Events::Rule').length);
});

test('deployed functions cannot send webhooks to private hosts', () => {
  for (const { Properties } of dev.all('AWS::Lambda::Function'))
    expect(Properties.Environment.Variables).not.toHaveProperty('ALLOWS_THIS_MACHINE');
});

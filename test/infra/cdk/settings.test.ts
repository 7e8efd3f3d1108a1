import { expect, test } from 'vitest';
import { refuseUnknown, settingsFrom } from '../../../infra/cdk/settings.ts';

test('the default stage is dev', () => {
  expect(settings()).toMatchObject({ stage: 'dev', name: 'momo-kiosk-dev', keepsData: false });
  expect(settings({ stage: 'prod' })).toMatchObject({ stage: 'prod', name: 'momo-kiosk-prod', keepsData: true });
});

test('a stage keeps its data by default', () => {
  expect(settings({ stage: 'staging' }).keepsData).toBe(true);
});

test('personal data expires after 400 days by default', () => {
  expect(settings().retentionDays).toBe(400);
  expect(settings({ retentionDays: '3650' }).retentionDays).toBe(3650);
  expect(settings({ retentionDays: '30' }).retentionDays).toBe(30);
});

test('every stage except dev has alarms by default', () => {
  expect(settings().alarms).toBe(false);
  expect(settings({ alarms: 'on', alarmEmail: 'ops@example.com' }).alarms).toBe(true);
  expect(settings({ stage: 'staging' }).alarms).toBe(true);
  expect(settings({ stage: 'prod', alarms: 'off' }).alarms).toBe(false);
});

test('permissions are limited by leading keys by default', () => {
  for (const stage of ['dev', 'prod', 'staging']) expect(settings({ stage }).leadingKeys).toBe(true);
  expect(settings({ stage: 'prod', leadingKeys: 'off' }).leadingKeys).toBe(false);
});

test('the table has the stack’s name by default', () => {
  expect(settings({ stage: 'prod' }).tableName).toBe('momo-kiosk-prod');
  const tableName = 'momo-kiosk-prod.restored-2026-11-20';
  expect(settings({ stage: 'prod', tableName })).toMatchObject({ name: 'momo-kiosk-prod', tableName });
});

test('a domain requires a certificate', () => {
  const given = { domain: 'pay.example.com', certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f6f' };
  expect(settings(given).domain).toEqual({ name: 'pay.example.com', certificateArn: given.certificateArn });
  expect(settings({ ...given, hostedZoneId: 'Z123', hostedZoneName: 'example.com' }).domain).toEqual({
    name: 'pay.example.com',
    certificateArn: given.certificateArn,
    hostedZone: { id: 'Z123', name: 'example.com' },
  });
});

test.each([
  [{ stage: 'Prod' }, 'a stage is a lower-case letter'],
  [{ stage: 'a-stage-of-twenty-one' }, 'a stage is a lower-case letter'],
  [{ domain: 'pay.example.com' }, 'domain and certificateArn belong together'],
  [{ domain: 'https://pay.example.com', certificateArn: 'arn:aws:acm:x' }, 'a domain is a host name'],
  [{ domain: 'pay.example.com', certificateArn: '0f6f' }, 'the ARN of a certificate'],
  [{ hostedZoneId: 'Z123' }, 'hostedZoneId and hostedZoneName belong together'],
  [{ hostedZoneId: 'Z123', hostedZoneName: 'example.com' }, 'a hosted zone has no effect without a domain'],
  [{ alarmEmail: 'ops' }, 'an email address'],
  [{ alarms: 'yes' }, 'on or off'],
  [{ leadingKeys: 'none' }, 'leadingKeys are on or off'],
  [{ reserveExecutions: '20' }, 'reserving executions is on or off'],
  [{ stage: 'prod', alarmUrl: 'http://pager.example.com' }, 'an https address'],
  [{ stage: 'prod', alarmUrl: 'pager.example.com' }, 'an https address'],
  [{ alarmUrl: 'https://pager.example.com' }, 'dev has no alarms to send'],
  [{ alarmEmail: 'ops@example.com' }, 'dev has no alarms to send'],
  [{ stage: 'prod', tableName: 'a table' }, 'letters, digits, dots'],
  [{ stage: 'prod', tableName: 'momo-kiosk-prod-eu' }, 'begins with "momo-kiosk-prod."'],
  [{ stage: 'prod', tableName: 'momo-kiosk-dev' }, 'begins with "momo-kiosk-prod."'],
  [{ tableName: 'momo-kiosk-dev.restored' }, 'does not keep its data'],
  [{ retentionDays: '29' }, 'from 30 to 3650'],
  [{ retentionDays: '3651' }, 'from 30 to 3650'],
  [{ retentionDays: '1e3' }, 'from 30 to 3650'],
  [{ monthlyBudget: '20' }, 'set both'],
  [{ monthlyBudget: '20 $', alarmEmail: 'ops@example.com' }, 'a whole number of US dollars'],
])('the context %j is rejected with one sentence', (context, sentence) => {
  expect(() => settings(context)).toThrow(sentence);
});

function settings(context: Readonly<Record<string, string>> = {}) {
  return settingsFrom((name) => context[name]);
}

test('the error about an unknown setting lists all settings', () => {
  expect(() => refuseUnknown(['stage', 'alarmMail'])).toThrow(
    /no setting alarmMail\..* alarms, alarmEmail, alarmUrl, tableName, monthlyBudget, retentionDays\.$/,
  );
  refuseUnknown(['stage', 'aws:cdk:bundling-stacks', '@aws-cdk/core:newStyleStackSynthesis', 'alarmEmail']);
});

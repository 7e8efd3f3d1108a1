import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  endedWell,
  filledIn,
  REMOVAL,
  skipReason,
  stages,
  stepsIn,
  unknownBlanks,
  withOptions,
} from '../../emulate/document.ts';
import { failingJourneys, gaps } from '../../emulate/gaps.ts';
import { stageStories } from '../../journeys/stage-stories.ts';
import { stories } from '../../journeys/stories.ts';

// Tests how `npm run prove -- emulate` parses commands in the documents, without an emulator.

const steps = stepsIn('docs/deploy/deploying.md');
const commands = steps.map(({ command }) => command);
const restoring = stepsIn('docs/operate/runbooks.md').filter(({ section }) => section === 'Restore to a point in time');

test('the emulated run gives a reason for each skipped command', () => {
  const blocks = [...readFileSync('docs/deploy/deploying.md', 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(
    ([, text]) => text,
  );
  const lines = blocks
    .join('')
    .split('\n')
    .filter((line) => line.trim() && !line.trim().startsWith('#'));
  expect(commands.flatMap((command) => command.split('\n')).map((line) => line.trim())).toEqual(
    lines.map((line) => line.trim()),
  );
  for (const stage of stages) {
    const leftOut = commands.filter((command) => skipReason(command, stage));
    expect(leftOut.every((command) => /^(aws|git|cd|npm ci)/.test(command))).toBe(true);
    expect(commands.length - leftOut.length).toBeGreaterThan(15);
  }
});

test('the emulated run executes every command of a restore', () => {
  const all = restoring.map(({ command }) => command);
  expect(all.filter((command) => skipReason(command, 'prod'))).toEqual([]);
  const order = [/ stage stop /, /restore-table-to-point-in-time/, /^npm run deploy /, / stage start /, /delete-table/];
  const places = order.map((one) => all.findIndex((command) => one.test(command)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test('every placeholder in the deployment guide is known', () => {
  for (const command of commands) expect({ command, blanks: unknownBlanks(command) }).toEqual({ command, blanks: [] });
  expect(unknownBlanks('npm run --silent admin -- user list --merchant WHOSE')).toEqual(['WHOSE']);
  expect(unknownBlanks('export MOMO_LIVE_KEY=sk_live_… MOMO_OTHER=…')).toEqual(['MOMO_OTHER=…']);
});

test('a placeholder is replaced with the latest output', () => {
  const printed = 'merchant_id: 01NEW\nid  name\nphone-7  Emulated phone  now\nmerchant_id: 01OLD\n';
  expect(filledIn('admin -- key create --merchant ID --kind live --stage prod', printed, 'dev')).toBe(
    'admin -- key create --merchant 01NEW --kind live --stage dev',
  );
  expect(filledIn('export STAGE=dev', '', 'prod')).toBe('export STAGE=prod');
  expect(filledIn('admin -- sender add --network MTN --device DEVICE', printed, 'dev')).toBe(
    'admin -- sender add --network MTN --device phone-7',
  );
  expect(() => filledIn('admin -- key create --merchant ID', 'nothing', 'dev')).toThrow('No value is known for ID');
});

test('retained tables and logs of a removed stage are printed', () => {
  const printed = 'kept\ntable momo-kiosk-prod.2026, 0.00 GB  $0.00\nlog /aws/lambda/momo-kiosk-prod/work  $0.03';
  expect(filledIn('aws dynamodb delete-table --table-name TABLE', printed, 'prod')).toMatch(/ momo-kiosk-prod\.2026$/);
  expect(filledIn('aws dynamodb wait --table-name $TABLE', printed, 'prod')).toMatch(/ \$TABLE$/);
  expect(filledIn('aws logs delete-log-group --log-group-name LOG', printed, 'prod')).toMatch(/prod\/work$/);
});

test('an option is inserted before a trailing comment', () => {
  expect(withOptions('npm run deploy -- -c stage=dev   # once', '-c alarms=on')).toBe(
    'npm run deploy -- -c stage=dev -c alarms=on   # once',
  );
  expect(withOptions('npm run deploy', '-- -c stage=dev')).toBe('npm run deploy -- -c stage=dev');
  const deploy = 'npm run deploy -- -c stage=prod -c alarmEmail=a@b.c -c monthlyBudget=20 # so';
  expect(filledIn(deploy, '', 'dev')).toBe(
    'npm run deploy -- -c stage=dev -c alarmEmail=a@b.c -c alarms=on --yes # so',
  );
  expect(filledIn(deploy, '', 'prod')).toBe('npm run deploy -- -c stage=prod -c alarmEmail=a@b.c --yes # so');
  expect(filledIn('npm run deploy -- -c stage=$STAGE', '', 'prod')).toBe(
    'npm run deploy -- -c stage=$STAGE -c alarmEmail=you@example.com --yes',
  );
});

test('the stage is removed in a separate section at the end', () => {
  expect(steps.at(-1)?.section).toBe(REMOVAL);
  expect(steps[0]?.section).not.toBe(REMOVAL);
});

test('a gateway without a signing key is reported', () => {
  const [first = '', again = ''] = commands.filter((command) => command.includes(' gateway connect '));
  const finding = { code: 1, printed: '✗ The phone has no signing key here' };
  expect({
    finding: endedWell(first, finding),
    unreachable: endedWell(first, { code: 1, printed: 'ECONNREFUSED' }),
  }).toEqual({ finding: true, unreachable: false });
  expect({ finding: endedWell(again, finding), quiet: endedWell(again, { code: 0, printed: '' }) }).toEqual({
    finding: false,
    quiet: true,
  });
});

test('each gap in the emulation has an observation', () => {
  for (const { name, seen, workaround, probe } of gaps) expect([name, seen, workaround, probe]).not.toContain('');
  expect(new Set(gaps.map(({ name }) => name)).size).toBe(gaps.length);
  const told = [...stories, ...stageStories].map(({ name }) => name);
  for (const { name } of failingJourneys) expect(told).toContain(name);
});

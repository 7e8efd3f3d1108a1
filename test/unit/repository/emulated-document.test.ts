import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  endedWell,
  filledIn,
  stepsIn,
  TAKING_DOWN,
  unknownBlanks,
  whyLeftOut,
  withOptions,
} from '../../emulate/document.ts';
import { failingJourneys, gaps } from '../../emulate/gaps.ts';
import { stageStories } from '../../journeys/stage-stories.ts';
import { stories } from '../../journeys/stories.ts';

// What `npm run emulate` makes of docs/deploying.md, without an emulator.

const steps = stepsIn('docs/deploying.md');
const commands = steps.map(({ command }) => command);

test('every command of the document is run, or is left out for a reason', () => {
  const blocks = [...readFileSync('docs/deploying.md', 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text);
  const lines = blocks
    .join('')
    .split('\n')
    .filter((line) => line.trim() && !line.trim().startsWith('#'));
  expect(commands.flatMap((command) => command.split('\n')).map((line) => line.trim())).toEqual(
    lines.map((line) => line.trim()),
  );
  expect(commands.filter(whyLeftOut).every((command) => /^(aws|git|cd|npm ci)/.test(command))).toBe(true);
  expect(commands.filter((command) => !whyLeftOut(command)).length).toBeGreaterThan(15);
});

test('what a newcomer writes in place of a word is known', () => {
  for (const command of commands) expect([command, unknownBlanks(command)]).toEqual([command, []]);
  expect(unknownBlanks('npm run --silent admin -- user list --merchant WHOSE')).toEqual(['WHOSE']);
  expect(unknownBlanks('export MOMO_LIVE_KEY=sk_live_… MOMO_OTHER=…')).toEqual(['MOMO_OTHER=…']);
});

test('it is filled in with what was printed last, for the stage dev', () => {
  const printed = 'merchant_id: 01NEW\nid  name\nphone-7  Emulated phone  now\nmerchant_id: 01OLD\n';
  expect(filledIn('admin -- key create --merchant ID --kind live --stage prod', printed)).toBe(
    'admin -- key create --merchant 01NEW --kind live --stage dev',
  );
  expect(filledIn('admin -- sender add --network MTN --device DEVICE', printed)).toBe(
    'admin -- sender add --network MTN --device phone-7',
  );
  expect(() => filledIn('admin -- key create --merchant ID', 'nothing')).toThrow('Nobody knows what to write for ID');
});

test('options are added before what is noted behind a command', () => {
  expect(withOptions('npm run deploy -- -c stage=dev   # once', '-c alarms=on')).toBe(
    'npm run deploy -- -c stage=dev -c alarms=on   # once',
  );
  expect(withOptions('npm run deploy', '-- -c stage=dev')).toBe('npm run deploy -- -c stage=dev');
  expect(filledIn('npm run deploy -- -c stage=prod -c alarmEmail=a@b.c -c monthlyBudget=20 # so', '')).toBe(
    'npm run deploy -- -c stage=dev -c alarmEmail=a@b.c -c alarms=on --yes # so',
  );
});

test('the stage is taken down in a section of its own, which comes last', () => {
  expect(steps.at(-1)?.section).toBe(TAKING_DOWN);
  expect(steps[0]?.section).not.toBe(TAKING_DOWN);
});

test('a loop is one command', () => {
  const [loop = ''] = commands.filter((command) => command.startsWith('for '));
  expect(loop).toMatch(/^for STACK in .*; do\n.*\ndone$/);
});

test('a gateway without a key is found at first, and is no longer when it is connected again', () => {
  const [first = '', again = ''] = commands.filter((command) => command.includes(' gateway connect '));
  const finding = { code: 1, printed: '✗ The phone has no signing key here' };
  expect([endedWell(first, finding), endedWell(first, { code: 1, printed: 'ECONNREFUSED' })]).toEqual([true, false]);
  expect([endedWell(again, finding), endedWell(again, { code: 0, printed: '' })]).toEqual([false, true]);
});

test('each gap says what was seen, what the run does without, and how it shows', () => {
  for (const { name, seen, workaround, probe } of gaps) expect([name, seen, workaround, probe]).not.toContain('');
  expect(new Set(gaps.map(({ name }) => name)).size).toBe(gaps.length);
  const told = [...stories, ...stageStories].map(({ name }) => name);
  for (const { name } of failingJourneys) expect(told).toContain(name);
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BILLED_PING, BILLED_RUN, type IdleCosts, idleCosts, idlePing, idleRun } from '../../support/idle-costs.ts';
import { synthesise } from './synthesise.ts';

const [prod, dev] = [synthesise({ stage: 'prod' }), synthesise()];
const operating = readFileSync('docs/operating.md', 'utf8');

test('an idle stage costs two and a half dollars a month at the most, dev without alarms one and a half', () => {
  expect(idleCosts(prod, true).total).toBeLessThanOrEqual(2.5);
  expect(idleCosts(dev, true).total).toBeLessThanOrEqual(1.5);
});

test('a run of housekeeping uses no more than it is billed for', async () => {
  const used = await idleRun();
  expect(used.readUnits).toBeLessThanOrEqual(BILLED_RUN.readUnits);
  expect(used.writeUnits).toBeLessThanOrEqual(BILLED_RUN.writeUnits);
  expect(used.metrics).toBeLessThanOrEqual(BILLED_RUN.metrics);
});

test('a ping of a phone uses what it is billed for', async () => {
  expect(await idlePing()).toEqual({ ...BILLED_PING, queueRequests: 0, storedByteMonths: 0 });
});

describe('the operating manual', () => {
  const columns = [idleCosts(prod, true), idleCosts(dev, true), idleCosts(prod, false), idleCosts(dev, false)];

  test.each<[string, keyof IdleCosts]>([
    ['alarms', 'alarms'],
    ['housekeeping’s metrics', 'metrics'],
    ['Lambda’s polls of the queues', 'queues'],
    ['the secret', 'secrets'],
    ['housekeeping', 'housekeeping'],
    ['a phone’s pings', 'pings'],
    ['together', 'total'],
  ])('says what %s cost', (row, part) => {
    const cells = columns.map((costs) => `$${costs[part].toFixed(2)}`);
    expect(operating).toContain(`| ${row} | ${cells.join(' | ')} |`);
  });
});

test('the README and the way to deploy say what a month costs', () => {
  const [withAlarms, without] = [prod, dev].map((template) => `$${idleCosts(template, true).total.toFixed(2)}`);
  expect(readFileSync('README.md', 'utf8')).toContain(`${withAlarms} in a month in which nothing happens`);
  expect(readFileSync('docs/deploying.md', 'utf8')).toContain(`${withAlarms} a month, \`dev\` ${without}`);
});

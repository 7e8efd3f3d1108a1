import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MONITORING_MINUTES } from '../../../infra/cdk/deployment.ts';
import { reportedMetrics } from '../../bench/price.ts';
import {
  BILLED_PING,
  BILLED_RUN,
  FREE,
  type IdleCosts,
  idleCosts,
  idlePing,
  idleRun,
  MONTHLY,
} from '../../support/idle-costs.ts';
import { synthesise, type Template } from './synthesise.ts';

const [prod, dev] = [synthesise({ stage: 'prod' }), synthesise()];
const WORDS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const operating = proseOf('docs/operate/operating.md');
const scoreboard = readFileSync('docs/internals/scoreboard.md', 'utf8');

test('an idle stage costs at most $3.10 a month', () => {
  expect(idleCosts(prod, true).total).toBeLessThanOrEqual(3.1);
  expect(idleCosts(dev, true).total).toBeLessThanOrEqual(1.6);
});

test('a housekeeping run stays within the calculated cost', async () => {
  const used = await idleRun();
  expect(used.readUnits).toBeLessThanOrEqual(BILLED_RUN.readUnits);
  expect(used.writeUnits).toBeLessThanOrEqual(BILLED_RUN.writeUnits);
  expect(used.metrics).toBeLessThanOrEqual(BILLED_RUN.metrics);
});

test('a phone’s ping has exactly the calculated cost', async () => {
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
  ])('states the cost of %s', (row, part) => {
    const cells = columns.map((costs) => `$${costs[part].toFixed(2)}`);
    expect(operating).toContain(`| ${row} | ${cells.join(' | ')} |`);
  });
});

test('the README and the deployment guide state the monthly cost', () => {
  const [withAlarms, without] = [prod, dev].map((template) => `$${idleCosts(template, true).total.toFixed(2)}`);
  const both = `$${(idleCosts(prod, true).total + idleCosts(dev, false).total).toFixed(2)}`;
  const readme = proseOf('README.md');
  expect(readme).toContain(`costs ${withAlarms} a month on AWS, or ${both} with a \`dev\` stage for trials`);
  const [, perMillion] = /^\| P10 \| one million charges: paid .* \| (\$\d+) \|/m.exec(scoreboard) ?? [];
  expect(readme).toContain(`A million paid charges cost about ${perMillion} more`);
  const deploying = proseOf('docs/deploy/deploying.md');
  expect(deploying).toContain(`\`prod\` costs ${withAlarms} a month. An idle \`dev\` costs ${without}`);
  expect(deploying).toContain(`Both in one account cost ${both}`);
  expect(operating).toContain(`\`prod\` with a \`dev\` beside it, in one account: ${both}.`);
});

test('the operating manual states the cost of metrics', async () => {
  const reported = (await reportedMetrics()).size;
  const dollars = (metrics: number) => `$${(metrics * MONTHLY.customMetric).toFixed(2)}`;
  const beyondIdle = reported - BILLED_RUN.metrics;
  expect(reported - FREE.customMetrics).toBe(beyondIdle);
  expect(operating).toContain(`reports ${WORDS[beyondIdle]} of them: ${dollars(beyondIdle)} a month.`);
});

test('the documents state the number of stacks, queues and executions', () => {
  const queues = (template: Template) =>
    template.all('AWS::SQS::Queue').filter(({ Properties }) => Properties.RedrivePolicy).length;
  // Counts the executions for the four shards of a new table's stream.
  const executions = (template: Template) =>
    template
      .all('AWS::Lambda::EventSourceMapping')
      .map(
        ({ Properties }) => Properties.ScalingConfig?.MaximumConcurrency ?? 4 * (Properties.ParallelizationFactor ?? 1),
      )
      .reduce((sum: number, one: number) => sum + one, template.all('AWS::Events::Rule').length);
  expect(operating).toContain(`| ${WORDS[queues(prod)]} queues, a dead-letter queue for each`);
  expect(operating).toContain(`With housekeeping, up to ${executions(prod)} executions run at once`);
  expect(operating).toContain(`briefly at most ${executions(dev)}`);
  expect(operating).toContain(`The routes of the other ${WORDS[prod.stacks.length - 1]} stacks`);
  const deploying = proseOf('docs/deploy/deploying.md');
  expect(deploying).toContain(`the stage's ${WORDS[prod.stacks.length]} stacks`);
  expect(deploying).toContain(`fires within ${MONITORING_MINUTES} minutes`);
  expect(operating).toContain(`So a deployment takes ${MONITORING_MINUTES} minutes longer`);
});

/** Returns a document without its line breaks. */
function proseOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
}

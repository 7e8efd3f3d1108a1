import { expect, test } from 'vitest';
import * as z from 'zod';
import { manifest, queues } from '../../../functions/manifest.ts';
import { metricNames } from '../../../shared/runtime/outside/metric-names.ts';
import { synthesise } from './synthesise.ts';

const dev = synthesise({ alarms: 'on' });
const [dashboard, ...more] = dev.all('AWS::CloudWatch::Dashboard');
const Body = z.object({
  widgets: z.array(
    z.object({
      type: z.string(),
      properties: z.object({
        title: z.string(),
        metrics: z.array(z.array(z.unknown())).default([]),
        alarms: z.array(z.string()).default([]),
      }),
    }),
  ),
});
const { widgets } = Body.parse(JSON.parse(dev.text(dashboard?.Properties.DashboardBody)));
/** `['AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName', 'momo-kiosk-dev-deliver-sms', { … }]` */
const metrics = widgets.flatMap(({ properties }) => properties.metrics);

test('the stage has one CloudWatch dashboard', () => {
  expect(more).toEqual([]);
  expect(dashboard?.Properties.DashboardName).toBe('momo-kiosk-dev');
});

test('the dashboard shows the state of every alarm', () => {
  const shown = widgets.flatMap(({ properties }) => properties.alarms);
  expect(shown.sort()).toEqual(
    dev
      .all('AWS::CloudWatch::Alarm')
      .map((alarm) => dev.nameOf(alarm))
      .sort(),
  );
});

test('the dashboard of a stage without alarms has no alarm widget', () => {
  const without = synthesise();
  const [quiet] = without.all('AWS::CloudWatch::Dashboard');
  const shown = Body.parse(JSON.parse(without.text(quiet?.Properties.DashboardBody))).widgets;
  expect(shown.length).toBe(widgets.length - 1);
  expect(shown.map(({ type }) => type)).not.toContain('alarm');
});

test('the dashboard shows every custom metric', () => {
  const counted = metrics.filter(([namespace]) => namespace === 'MomoKiosk');
  expect(counted.map(([, name]) => name).sort()).toEqual([...metricNames].sort());
  expect(new Set(counted.map(([, , dimension, value]) => `${dimension} ${value}`))).toEqual(
    new Set(['service momo-kiosk-dev']),
  );
});

test('the dashboard shows every queue and stream', () => {
  for (const name of Object.keys(queues)) {
    const waits = name === 'deliver-sms' || name === 'deliver-webhook' ? 2 : 1;
    expect(namesOf(`momo-kiosk-dev-${name}`)).toHaveLength(waits);
  }
  for (const [name, row] of Object.entries(manifest)) {
    const expected = row.on === 'stream' ? ['IteratorAge'] : [];
    expect(namesOf(`momo-kiosk-dev-${name.replaceAll('/', '-')}`)).toEqual(expected);
  }
});

test('the dashboard shows the API and the table', () => {
  const ofApi = metrics.filter(([namespace]) => namespace === 'AWS/ApiGateway');
  expect(ofApi.map(([, name]) => name)).toEqual(['Count', '4xx', '5xx', 'Latency']);
  expect(namesOf('momo-kiosk-dev')).toContain('WriteThrottleEvents');
});

test('the dashboard stays within the free tier’s number of metrics', () => {
  expect(metrics.length).toBeLessThanOrEqual(50);
});

function namesOf(name: string): unknown[] {
  return metrics.filter((metric) => metric[3] === name).map((metric) => metric[1]);
}

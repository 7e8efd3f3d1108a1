import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { embeddedMetrics, publishMetrics } from '../../../shared/runtime/metrics.ts';

let written: string[];

beforeEach(() => {
  written = [];
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'MomoKiosk');
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'momo-kiosk-dev');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('what a function counted is one line in the embedded metric format, once', () => {
  embeddedMetrics.count('texts_accepted', 3);
  embeddedMetrics.count('charges_paid');
  embeddedMetrics.count('charges_paid');
  expect(written).toEqual([]);
  publishMetrics();
  publishMetrics();
  expect(written.map((line) => JSON.parse(line))).toEqual([
    {
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'MomoKiosk',
            Dimensions: [['service']],
            Metrics: [
              { Name: 'texts_accepted', Unit: 'Count' },
              { Name: 'charges_paid', Unit: 'Count' },
            ],
          },
        ],
      },
      service: 'momo-kiosk-dev',
      texts_accepted: 3,
      charges_paid: [1, 1],
    },
  ]);
});

test('a function that counted nothing writes nothing', () => {
  publishMetrics();
  expect(written).toEqual([]);
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// Runs each case in a separate process, because counts are kept per process.

test('counts are published in one line of the embedded metric format', async () => {
  const lines = await linesOf(`
    metrics.count('texts_accepted', 3);
    metrics.count('charges_paid');
    metrics.count('charges_paid');
    publish();
    publish();`);
  expect(lines).toEqual([
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

test('nothing is written without counts', async () => {
  expect(await linesOf(`metrics.count('texts_accepted', 3)`)).toEqual([]);
  expect(await linesOf('publish()')).toEqual([]);
});

test('the local stack writes no metrics', async () => {
  const off = { POWERTOOLS_METRICS_DISABLED: 'true' };
  expect(await linesOf(`metrics.count('texts_accepted', 3); publish()`, off)).toEqual([]);
});

/** Runs code in a separate process. Returns the printed lines. */
async function linesOf(act: string, more: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
  const file = new URL('../../../../shared/runtime/outside/metrics.ts', import.meta.url).href;
  const script = `import { embeddedMetrics as metrics, publishMetrics as publish } from '${file}'; ${act}`;
  const env = { POWERTOOLS_METRICS_NAMESPACE: 'MomoKiosk', POWERTOOLS_SERVICE_NAME: 'momo-kiosk-dev', ...more };
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], { env });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const run = promisify(execFile);

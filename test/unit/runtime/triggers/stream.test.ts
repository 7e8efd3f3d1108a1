import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { manifest } from '../../../../functions/manifest.ts';
import { stream } from '../../../../shared/runtime/triggers/stream.ts';
import { synthesise } from '../../../infra/cdk/synthesise.ts';
import { createWorld, streamEvent } from '../../../support/world.ts';

const row = manifest['work/relay'];
const [mapping] = synthesise()
  .all('AWS::Lambda::EventSourceMapping')
  .flatMap(({ Properties }) => (Properties.MaximumRetryAttempts === undefined ? [] : [Properties]));
const { MaximumRetryAttempts, BisectBatchOnFunctionError, BatchSize } = mapping ?? {};

test.each([0, 4, 9])('only the change that always fails is dropped (%i of ten)', async (at) => {
  const { done, letters } = await feed(changes(10), `PK-${at}`);
  expect(letters).toEqual([[`PK-${at}`]]);
  expect(done).toEqual(keys(10).filter((key) => key !== `PK-${at}`));
});

test('timeouts block a shard for at most 30 minutes', async () => {
  const { failedTries } = await feed(changes(BatchSize), 'PK-0');
  // The first attempt, fifty retries, and the attempts that split the batch.
  expect(failedTries).toBe(1 + MaximumRetryAttempts + Math.ceil(Math.log2(BatchSize)));
  expect(failedTries).toBeGreaterThanOrEqual(50);
  expect(failedTries * row.timeoutSeconds).toBeLessThanOrEqual(30 * 60);
  const document = readFileSync('docs/operate/operating.md', 'utf8').replaceAll(/\s+/g, ' ');
  expect(document).toContain(`for at most ${(failedTries * row.timeoutSeconds) / 60} minutes.`);
});

/**
 * Simulates Lambda's event source mapping as documented. It resumes at the change that the function reports, splits a
 * batch whose invocation fails, and drops a batch after its last attempt. Splitting does not count as an attempt.
 */
async function feed(given: readonly { after: { pk: string; sk: string } }[], poison: string) {
  const { outside } = await createWorld({ inMemory: true });
  const done: string[] = [];
  const letters: string[][] = [];
  let failedTries = 0;
  const handler = stream(row, async ({ after }) => {
    if (after?.pk === poison) throw new Error('It cannot be carried on');
    if (!done.includes(String(after?.pk))) done.push(String(after?.pk));
  }).with(outside);
  await process(given, 0);
  return { done, letters, failedTries };

  async function process(batch: typeof given, retries: number): Promise<void> {
    if (batch.length === 0) return;
    const failed = await firstFailed(batch);
    if (failed === undefined) return;
    failedTries++;
    if (failed === 'all' && BisectBatchOnFunctionError && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await process(batch.slice(0, half), retries);
      return process(batch.slice(half), 0);
    }
    const at = failed === 'all' ? 0 : failed;
    if (at > 0) return process(batch.slice(at), 0);
    if (retries < MaximumRetryAttempts) return process(batch, retries + 1);
    letters.push(batch.map(({ after }) => after.pk));
  }

  async function firstFailed(batch: typeof given): Promise<number | 'all' | undefined> {
    try {
      const { batchItemFailures } = await handler(streamEvent(batch));
      return batchItemFailures[0] && Number(batchItemFailures[0].itemIdentifier);
    } catch {
      return 'all';
    }
  }
}

function changes(count: number) {
  return keys(count).map((pk) => ({ after: { pk, sk: 'SEND' } }));
}

function keys(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `PK-${n}`);
}

import { describe, expect, test } from 'vitest';
import { manifest, queues } from '../../../functions/manifest.ts';
import { rights } from '../../../functions/rights.ts';
import { completeRows } from '../../../shared/runtime/triggers/complete-row.ts';
import type { Queue } from '../../../shared/runtime/triggers/row.ts';
import { synthesise } from './synthesise.ts';

const dev = synthesise();
const rows = completeRows(manifest, rights);
const fourteenDays = 14 * 24 * 60 * 60;

describe.each(Object.entries<Queue>(queues))('the %s queue', (name, rules) => {
  const queue = dev.the('AWS::SQS::Queue', `momo-kiosk-dev-${name}`);
  const consumers = rows.filter(([, row]) => row.on === 'queue' && row.queue === name);

  test('moves failed messages to a dead-letter queue', () => {
    expect(queue.Properties.RedrivePolicy.maxReceiveCount).toBe(rules.maxReceiveCount);
    expect(dev.text(queue.Properties.RedrivePolicy.deadLetterTargetArn)).toBe(`momo-kiosk-dev-${name}-dead-letters`);
  });

  test('keeps messages for the maximum time', () => {
    const deadLetters = dev.the('AWS::SQS::Queue', `momo-kiosk-dev-${name}-dead-letters`);
    expect(queue.Properties.MessageRetentionPeriod).toBe(fourteenDays);
    expect(deadLetters.Properties.MessageRetentionPeriod).toBe(rules.deadLetterRetentionDays * 24 * 60 * 60);
  });

  test('hides received messages for six times the consumer’s timeout', () => {
    expect(consumers).toHaveLength(1);
    for (const [, { timeoutSeconds }] of consumers)
      expect(queue.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeoutSeconds);
  });

  test('has one consumer', () => {
    const mappings = mappingsFrom(`momo-kiosk-dev-${name}`);
    const [[consumer, row] = []] = consumers;
    expect(mappings).toHaveLength(1);
    expect(dev.text(mappings[0]?.FunctionName)).toBe(`momo-kiosk-dev-${consumer?.replaceAll('/', '-')}`);
    expect(mappings[0]).toMatchObject({
      BatchSize: row?.on === 'queue' && row.batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });
});

test('every queue is or has a dead-letter queue', () => {
  const isDeadLetters = (name: string) => name.endsWith('-dead-letters');
  const without = dev
    .all('AWS::SQS::Queue')
    .filter((queue) => !isDeadLetters(dev.nameOf(queue)) && !queue.Properties.RedrivePolicy);
  expect(without).toEqual([]);
});

test('queues in dev have the minimum concurrency', () => {
  const mappings = dev.all('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties);
  const ofQueues = mappings.flatMap(({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency ?? []);
  expect(ofQueues).toEqual(Object.keys(queues).map(() => 2));
  expect(mappings.flatMap(({ ParallelizationFactor }) => ParallelizationFactor ?? [])).toEqual([1, 1]);
});

test('every queue is encrypted and requires TLS', () => {
  const refusing = dev.all('AWS::SQS::QueuePolicy').flatMap(({ Properties }) => {
    expect(Properties.PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
    return Properties.Queues.map((queue: unknown) => dev.text(queue));
  });
  for (const queue of dev.all('AWS::SQS::Queue')) {
    expect(queue.Properties.SqsManagedSseEnabled).toBe(true);
    expect(queue.Properties).not.toHaveProperty('FifoQueue');
    expect(refusing).toContain(dev.nameOf(queue));
  }
});

describe.each(rows.filter(([, row]) => row.on === 'stream'))('the stream mapping to %s', (name, row) => {
  const mapping = mappingsFrom('momo-kiosk-dev.StreamArn').find(
    ({ FunctionName }) => dev.text(FunctionName) === `momo-kiosk-dev-${name.replaceAll('/', '-')}`,
  );

  test('receives only the changes listed in its manifest row', () => {
    const patterns = mapping?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern));
    const keysOf = (prefixes: readonly string[]) => ({ sk: { S: prefixes.map((prefix) => ({ prefix })) } });
    const wanted = (row.on === 'stream' ? row.only : []).map(({ event, sortKeyPrefixes }) => ({
      eventName: [event],
      dynamodb: { Keys: keysOf(sortKeyPrefixes) },
    }));
    expect(patterns).toEqual(wanted);
    // AWS's default quota for filters.
    expect(patterns.length).toBeLessThanOrEqual(5);
  });

  test('starts at the oldest record', () => {
    expect(mapping).toMatchObject({ StartingPosition: 'TRIM_HORIZON', MaximumBatchingWindowInSeconds: 0 });
  });

  test('gives up on a record after 50 retries', () => {
    const again = {
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 50,
      MaximumRecordAgeInSeconds: 12 * 60 * 60,
    };
    expect(mapping).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'], ...again });
    expect(dev.text(mapping?.DestinationConfig.OnFailure.Destination)).toBe(
      `momo-kiosk-dev-${name.replaceAll('/', '-')}-dead-letters`,
    );
  });
});

function mappingsFrom(source: string) {
  const mappings = dev.all('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties);
  return mappings.filter(({ EventSourceArn }) => dev.text(EventSourceArn) === source);
}

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lambdaLog, logInvocation } from '../../../../shared/runtime/outside/log.ts';
import { RowOfLaterRelease } from '../../../../shared/runtime/table/row-shape.ts';

let written: string[];

beforeEach(() => {
  written = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
  }
});
afterEach(() => void vi.restoreAllMocks());

test('a log line is JSON with the event, level, time and fields', () => {
  const context = { awsRequestId: 'c6af9ac6', functionName: 'momo-kiosk-dev-sms-send' };
  logInvocation(context as Context);
  lambdaLog.info('request', { request_id: 'a1', merchant_id: 'm1', route: 'POST /api/v1/sms/send', status: 200 });
  expect(lines()).toMatchObject([
    {
      level: 'INFO',
      message: 'request',
      // The time zone depends on the machine. Lambda uses UTC.
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/),
      function_name: 'momo-kiosk-dev-sms-send',
      function_request_id: 'c6af9ac6',
      request_id: 'a1',
      merchant_id: 'm1',
      route: 'POST /api/v1/sms/send',
      status: 200,
    },
  ]);
});

test('an error is logged with its cause', () => {
  lambdaLog.error('job_failed', { error: new Error('No answer', { cause: new TypeError('fetch failed') }) });
  expect(lines()).toMatchObject([
    {
      level: 'ERROR',
      error: { name: 'Error', message: 'No answer', stack: expect.any(String), cause: { message: 'fetch failed' } },
    },
  ]);
});

test('an error about a row from a newer release triggers no alarm', () => {
  const row = { pk: 'LINK#1', sk: 'LINK', shape: 2 };
  lambdaLog.error('task_failed', { error: new RowOfLaterRelease(row) });
  expect(lines()).toMatchObject([
    {
      level: 'WARN',
      error: { message: expect.stringContaining('A row LINK has shape 2, which this release does not know') },
    },
  ]);
});

test('table errors are logged without items', () => {
  const Item = { message: { S: 'Meet me at noon' }, to: { L: [{ S: '+233551112222' }] } };
  const error = new ConditionalCheckFailedException({ message: 'refused', Item, $metadata: {} });
  lambdaLog.warn('job_failed', { error: new Error('Not written', { cause: error }) });
  lambdaLog.error('job_failed', { error });
  expect(lines()).toHaveLength(2);
  expect(written.join()).not.toMatch(/noon|551112222/);
});

function lines(): unknown[] {
  return written.map((line) => JSON.parse(line));
}

import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startSqs } from '../../../infra/local/sqs.ts';

test.each([
  ['for this machine', 200, {}],
  ['for another host name, as in DNS rebinding', 403, { host: 'evil.example.com' }],
  ['from a page of another site', 403, { origin: 'https://evil.example.com' }],
])('the local queues answer a request %s with %d', async (_, expected, headers) => {
  const { endpoint, stop } = await startSqs();
  onTestFinished(stop);
  expect(await statusOf(endpoint, headers)).toBe(expected);
});

/** Lists the queues. `fetch` would not send another host name. */
function statusOf(endpoint: string, given: Record<string, string>): Promise<number | undefined> {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ListQueues', ...given };
  return new Promise((resolve, reject) => {
    const asked = request(endpoint, { method: 'POST', headers, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end('{}');
  });
}

import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenHere } from '../../../../infra/local/loopback.ts';
import { newDynamoDbClient } from '../../../../shared/runtime/table/connection.ts';
import { openTable } from '../../../../shared/runtime/table/open-table.ts';

test('the DynamoDB client handles 200 simultaneous requests', async () => {
  const endpoint = await startSlowDynamoDb(1_200);
  const table = openTable(newDynamoDbClient(endpoint), 'table', {
    randomBytes: (length) => Buffer.alloc(length),
    sleep: async () => {},
  });
  const answers = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => table.get({ pk: String(n), sk: String(n) })),
  );
  expect(answers.filter(({ status }) => status === 'rejected').length).toBe(0);
});

/** Starts a slow DynamoDB without items. */
async function startSlowDynamoDb(answerMs: number): Promise<string> {
  const server = createServer((_request, response) => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
    }, answerMs);
  });
  const { port, stop } = await listenHere(server);
  onTestFinished(stop);
  return `http://127.0.0.1:${port}`;
}

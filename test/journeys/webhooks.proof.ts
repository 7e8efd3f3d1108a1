import { randomBytes } from 'node:crypto';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import { createCharge, sendText, showCharge, showText, testWebhook, until } from '../../infra/local/story/steps.ts';
import { newDynamoDbClient } from '../../shared/runtime/table/connection.ts';
import { openTable } from '../../shared/runtime/table/open-table.ts';
import { replaceWebhookEvent, webhookEventRows } from '../../shared/webhook/event.table.ts';
import { admin, adminJson } from '../support/admin-commands.ts';
import { PATIENCE, request } from '../support/http.ts';
import { startLocalStack } from '../support/local-stack.ts';
import { mtn } from '../support/receipts.ts';
import { requireDocumentedEvent } from '../support/reference.ts';
import { postJson, startServer } from '../support/server.ts';
import { shopOf } from './story.ts';

const receiver = await startReceiver();
// No balance is named, so a text with any balance counts.
const stack = await startLocalStack({ isNewShop: true });
const { facts, folder } = stack;
const shop = shopOf(facts);
const merchant = ['--merchant', facts.merchant_id];
afterAll(async () => {
  await receiver.stop();
  await stack.stop();
});

let { url, secret } = await adminJson(folder, 'webhook', 'set', ...merchant, '--url', receiver.url);

test('the API does not return a webhook’s secret', async () => {
  expect({ url, secret }).toEqual({ url: receiver.url, secret: expect.stringMatching(/^whsec_/) });
  const { status, json, text } = await request(stack, '/api/v1/webhook', { key: facts.secret_key });
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ url: receiver.url, enabled: true });
  expect(text).not.toContain('whsec_');
});

test('the event for a paid charge is retried until it is accepted', async () => {
  receiver.answers.push(500, 500);
  const metadata = { order: 'A-7', total: 36.5, tags: ['x'] };
  const { reference } = await createCharge(shop, { amount: 36, metadata });
  await arrive(mtn({ reference }));

  const [first] = await receiver.posts('charge.success', 2);
  if (!first) throw new Error('Two posts are two posts');
  // The third attempt is due in five minutes.
  await makeDue(first.id);
  const posts = await receiver.posts('charge.success', 3);
  expect(posts.map(({ status }) => status)).toEqual([500, 500, 200]);
  expect(new Set(posts.map(({ id }) => id)).size).toBe(1);
  expect(new Set(posts.map(({ body }) => body)).size).toBe(1);
  const verified = await showCharge(shop, reference);
  expect(verified).toMatchObject({ status: 'success', metadata });
  for (const { body, headers } of posts) {
    expect(new Webhook(secret).verify(body, headers)).toEqual({
      type: 'charge.success',
      timestamp: verified.paid_at,
      livemode: true,
      data: verified,
    });
  }

  const path = `/api/v1/webhook/event/${first.id}`;
  await vi.waitFor(async () => {
    const { json } = await request(stack, path, { key: facts.secret_key });
    expect(json.data).toMatchObject({
      type: 'charge.success',
      status: 'delivered',
      tries: 3,
      attempts: [{ status_code: 500 }, { status_code: 500 }, { status_code: 200, answer: 'answer 200' }],
    });
  }, PATIENCE);
  expect((await request(stack, `${path}/replay`, { key: facts.secret_key, body: {} })).status).toBe(200);
  const [, , , fourth] = await receiver.posts('charge.success', 4);
  expect({ id: fourth?.id, body: fourth?.body }).toEqual({ id: first.id, body: first.body });
  expect(fourth && new Webhook(secret).verify(fourth.body, fourth.headers)).toMatchObject({ type: 'charge.success' });

  const { json } = await request(stack, '/api/v1/webhook/event', { key: facts.secret_key });
  expect(json.data.events.map(({ id }: { id: string }) => id)).toEqual([first.id]);
});

test('a payment that matches no charge is reported as held', async () => {
  await arrive(mtn({ amount: '17.35' }));
  const [post] = await receiver.posts('receipt.held', 1);
  expect(post && new Webhook(secret).verify(post.body, post.headers)).toMatchObject({
    type: 'receipt.held',
    data: { status: 'held', amount: 17.35, momo_number: '+233241234567' },
  });
});

test('a delivered text triggers an event within half a minute', async () => {
  const body = { to: '0551112223', message: 'Your order is ready', metadata: { order: 'A-7' } };
  const { id } = await sendText(shop, body);
  const shown = await until(
    shop,
    () => showText(shop, id),
    ({ status }) => status === 'delivered',
  );
  expect(shown.status).toBe('delivered');
  // The gateway reports the time of each state.
  const { created_at, sending_at, sent_at, delivered_at } = shown;
  const times = [created_at, sending_at, sent_at, delivered_at];
  expect(times).toEqual(times.toSorted());
  expect(times).not.toContain(null);
  const [post] = await receiver.posts('sms.delivered', 1);
  expect(post && new Webhook(secret).verify(post.body, post.headers)).toEqual({
    type: 'sms.delivered',
    timestamp: shown.delivered_at,
    livemode: true,
    data: shown,
  });
});

describe('webhook commands', () => {
  test('rotate the secret', async () => {
    const { secret: newer, ...more } = await adminJson(folder, 'webhook', 'roll', ...merchant);
    expect({ newer, more }).toEqual({ newer: expect.stringMatching(/^whsec_/), more: {} });
    expect(newer).not.toBe(secret);
    const id = await testWebhook(shop);
    const [post] = await receiver.posts('webhook.test', 1);
    if (!post) throw new Error('One post is one post');
    expect(post.id).toBe(id);
    for (const each of [secret, newer]) {
      expect(new Webhook(each).verify(post.body, post.headers)).toMatchObject({ type: 'webhook.test' });
    }
    secret = newer;
  });

  test('change the URL and keep the secret', async () => {
    const elsewhere = `${receiver.url}/elsewhere`;
    expect(await adminJson(folder, 'webhook', 'set', ...merchant, '--url', elsewhere)).toEqual({
      url: elsewhere,
      secret,
    });
    await testWebhook(shop);
    const [, second] = await receiver.posts('webhook.test', 2);
    expect(second?.path).toBe('/hooks/elsewhere');
  });

  test('manage a webhook for sms keys', async () => {
    const ofSms = [...merchant, '--kind', 'sms'];
    const own = await adminJson(folder, 'webhook', 'set', ...ofSms, '--url', `${receiver.url}/sms`);
    expect(own).toEqual({ url: `${receiver.url}/sms`, secret: expect.stringMatching(/^whsec_/) });
    const urls = await Promise.all(
      [facts.secret_key, facts.sms_secret_key].map(
        async (key) => (await request(stack, '/api/v1/webhook', { key })).json.data.url,
      ),
    );
    expect(urls).toEqual([`${receiver.url}/elsewhere`, `${receiver.url}/sms`]);
    await testWebhook(shop, { key: facts.sms_secret_key });
    expect((await receiver.posts('webhook.test', 3)).at(-1)?.path).toBe('/hooks/sms');
    expect(await adminJson(folder, 'webhook', 'remove', ...ofSms)).toEqual({ removed: `${receiver.url}/sms` });
  });

  test('reject an invalid URL with one sentence', async () => {
    expect(await admin(folder, 'webhook', 'set', ...merchant, '--url', 'ftp://shop.example.com')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^.*https:\/\/ address.*\n$/),
    });
  });

  test('remove the webhook', async () => {
    expect(await adminJson(folder, 'webhook', 'remove', ...merchant)).toEqual({ removed: `${receiver.url}/elsewhere` });
    const { status } = await request(stack, '/api/v1/webhook', { key: facts.secret_key });
    expect(status).toBe(404);
    expect(await admin(folder, 'webhook', 'remove', ...merchant)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no webhook/),
    });
    expect((await admin(folder, 'webhook', 'roll', ...merchant)).code).toBe(1);
  });
});

test('a healthy local stack logs no errors', () => {
  const lines = stack.printed.stderr.split('\n');
  // The stack's own housekeeping may have run concurrently.
  expect(lines.filter((line) => line && !line.includes('"run_skipped"'))).toEqual([]);
});

/** Simulates an SMS on the merchant's phone. */
async function arrive({ sender, text }: { sender: string; text: string }): Promise<void> {
  const response = await postJson(`${facts.phone_url}/receive`, { sender, message: text, simNumber: 1 });
  const { deliveries } = JSON.parse(await response.text());
  expect(deliveries).toEqual([{ url: facts.smsgate.callback_url, status: 200 }]);
}

/** Makes an event due and runs housekeeping. */
async function makeDue(id: string): Promise<void> {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: facts.aws_access_key_id });
  const table = openTable(newDynamoDbClient(facts.dynamodb_endpoint), facts.table_name, {
    randomBytes,
    sleep: async () => {},
  });
  await vi.waitFor(async () => {
    const event = await webhookEventRows.find({ table }, { event_id: id });
    if (event?.tries !== 2 || !event.next_try_at) throw new Error('The second try is not settled yet');
    if (Date.parse(event.next_try_at) < Date.now() + 60_000) throw new Error('The third is not planned yet');
    const next_try_at = new Date(Date.now() - 60_000).toISOString();
    await table.write([replaceWebhookEvent({ randomBytes }, event, { ...event, next_try_at })]);
  }, PATIENCE);
  const sqs = new SQSClient({ endpoint: facts.sqs_endpoint, region: 'us-east-1' });
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'deliver-webhook' }));
  Object.assign(process.env, {
    TABLE_NAME: facts.table_name,
    BASE_URL: facts.base_url,
    RETENTION_DAYS: '400',
    POWERTOOLS_METRICS_DISABLED: 'true',
    DYNAMODB_ENDPOINT: facts.dynamodb_endpoint,
    SQS_ENDPOINT: facts.sqs_endpoint,
    QUEUE_URL_DELIVER_WEBHOOK: QueueUrl,
    GATEWAY_ACCOUNTS: JSON.stringify({
      phone: { url: `${facts.phone_url}/api/3rdparty/v1`, username: 'demo', password: 'demo' },
    }),
  });
  await housekeeping();
}

interface Post {
  readonly id: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly status: number;
}

/** Starts a merchant's server that returns these responses in order, and then 200. */
async function startReceiver() {
  const answers: number[] = [];
  const arrived: Post[] = [];
  const { url, stop } = await startServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const status = answers.shift() ?? 200;
    const id = headers['webhook-id'] ?? '';
    arrived.push({ id, path: incoming.url ?? '', headers, body, status });
    response.writeHead(status).end(`answer ${status}`);
  });
  return {
    url: `${url}/hooks`,
    answers,
    stop,
    /** Returns the requests for an event type once there are `count` of them. */
    posts(type: string, count: number): Promise<Post[]> {
      return vi.waitFor(() => {
        const posts = arrived.filter(({ body }) => JSON.parse(body).type === type);
        if (posts.length < count) throw new Error(`${posts.length} of ${count} posts have arrived`);
        for (const { body } of posts) requireDocumentedEvent(body);
        return posts;
      }, PATIENCE);
    },
  };
}

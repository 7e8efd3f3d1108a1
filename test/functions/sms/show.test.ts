import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { messageId, newSendId } from '../../../shared/texts/sms/message-id.ts';
import { expectFailure, expectOk } from '../../support/envelope.ts';
import { type Merchant, scene } from '../../support/scene.ts';

const world = await scene();
await world.createSender('+233241234567');
const merchant = await world.createMerchant({ credits: 1_000 });
const stranger = await world.createMerchant();

test('a text is pending immediately after sending', async () => {
  for (let n = 0; n < 20; n++) {
    const { id } = (await queue({ message: 'Hello' })).data;
    expect((await show(id)).json.data.status).toBe('pending');
  }
});

test('a text is shown with its sender, recipient and outcome', async () => {
  const { data } = await queue({ to: ['0551112223', '0551112224'], message: 'Hello', metadata: { order: 7 } });
  expectOk(await show(data.ids[1]), {
    id: data.ids[1],
    livemode: true,
    send_id: data.id,
    to: '+233551112224',
    from: '+233241234567',
    status: 'pending',
    gateway_message_id: data.ids[1],
    message: 'Hello',
    purpose: 'transactional',
    metadata: { order: 7 },
    segments: 1,
    encoding: 'GSM-7',
    created_at: world.iso(),
    send_at: null,
    expires_at: null,
    sending_at: null,
    sent_at: null,
    delivered_at: null,
    failed_at: null,
    cancelled_at: null,
    expired_at: null,
    failure_reason: null,
  });
});

test('each recipient is shown with their own text and state', async () => {
  const { data } = await queue({ to: ['0551112223', '0551112224', '0551112225'], message: 'Hello' });
  await world.writeMessageState(data.id, 'delivered', 1);
  const shown = await Promise.all(data.ids.map((id: string) => show(id)));
  expect(shown.map(({ json }) => ({ to: json.data.to, status: json.data.status }))).toEqual([
    { to: '+233551112223', status: 'pending' },
    { to: '+233551112224', status: 'delivered' },
    { to: '+233551112225', status: 'pending' },
  ]);
});

test('the time of each state is shown', async () => {
  const { data } = await queue({ message: 'Hello' });
  world.clock.nowMs += 5_000;
  await world.work('deliver-sms', [{ send_id: data.id, index: 0 }]);
  expect((await show(data.id)).json.data).toMatchObject({
    status: 'sending',
    created_at: world.iso(-5_000),
    sending_at: world.iso(),
    sent_at: null,
  });
});

test.each([
  ['160 letters', 'x'.repeat(160), 1, 'GSM-7'],
  ['161 letters', 'x'.repeat(161), 2, 'GSM-7'],
  ['1000 letters', 'x'.repeat(1_000), 7, 'GSM-7'],
  ['70 letters including one that GSM-7 lacks', `ɛ${'x'.repeat(69)}`, 1, 'UCS-2'],
  ['71 letters including one that GSM-7 lacks', `ɛ${'x'.repeat(70)}`, 2, 'UCS-2'],
  ['35 emoji', '😀'.repeat(35), 1, 'UCS-2'],
])('%s count as the correct number of SMS', async (_, message, segments, encoding) => {
  const { data } = await queue({ message });
  expect((await show(data.id)).json.data).toMatchObject({ segments, encoding });
});

test('missing metadata is null', async () => {
  expect((await show((await queue({ message: 'Hello' })).data.id)).json.data.metadata).toBeNull();
});

test('showing a text makes one DynamoDB request', async () => {
  const { data } = await queue({ message: 'Hello' });
  world.requests.length = 0;
  await show(data.id);
  expect(world.requests).toEqual(['BatchGetItem']);
});

describe('GET /sms/{id}', () => {
  test('returns 404 for an unknown id', async () => {
    expectFailure(await show(newSendId(world.clock.nowMs, randomBytes)), 404, 'not_found');
  });

  test('returns 404 for an id beyond the last recipient', async () => {
    const { data } = await queue({ to: ['0551112223', '0551112224'], message: 'Hello' });
    expectFailure(await show(messageId(data.id, 2)), 404, 'not_found');
    expectFailure(await show(messageId(data.id, 63)), 404, 'not_found');
  });

  test('returns 404 for another merchant’s text', async () => {
    const { data } = await queue({ message: 'Hello' });
    expectFailure(await show(data.id, stranger), 404, 'not_found');
  });

  test.each(['', 'from', 'SEND', '01902b7a-0000-4000-8000-000000000000', '%'])(
    'returns 404 for %j without a table read',
    async (id) => {
      await show('nonsense');
      world.requests.length = 0;
      expectFailure(await show(id), 404, 'not_found');
      // Only a few failed requests are recorded.
      expect(world.requests.filter((one) => one !== 'PutItem')).toEqual([]);
    },
  );
});

async function queue(body: object) {
  return (await merchant.call('sms/send', { body: { to: '0551112223', ...body } })).json;
}

function show(id: string, by: Merchant = merchant) {
  return by.call('sms/show', { parameters: { id } });
}

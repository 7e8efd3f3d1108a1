import { beforeEach, describe, expect, test } from 'vitest';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { messageId } from '../../../shared/texts/sms/message-id.ts';
import { keepOnce, keepUnclearBalance } from '../../../shared/wallets/wallet/wallet-notice.table.ts';
import { keyKindOfEvent, WebhookEventType } from '../../../shared/webhook/event.ts';
import { checkEach } from '../../support/check-each.ts';
import { arrive, mtn, reversal, signedCallback } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { cashIn, refusal } from '../../support/wallets.ts';
import { HOOK, opened, setWebhookWith } from '../../support/webhooks.ts';
import { callWorker, streamEvent, UNLIMITED } from '../../support/world.ts';

let world: Scene;
let shop: Shop;
let secret: string;
beforeEach(async () => {
  world = await scene();
  shop = await world.createShop();
  secret = await shop.setWebhook();
});

describe('webhook events for a charge', () => {
  test('include charge.success for a paid charge', async () => {
    const reference = await shop.charge({
      amount: 36,
      email: 'kofi@example.com',
      customer_name: 'Kofi Mensah Boateng',
      description: 'Two yards of kente',
      metadata: { order: 7, tags: ['a', null, true], name: 'Abɛna 😀' },
    });
    await relaying(reference, () => shop.pay(mtn({ reference })));

    const [event] = await world.rows('EVENT');
    const data = await shop.verified(reference);
    expect(data.status).toBe('success');
    expect(await bodies()).toEqual([{ type: 'charge.success', timestamp: data.paid_at, livemode: true, data }]);
    expect(event).toMatchObject({ merchant_id: shop.id, state: 'pending', tries: 0, next_try_at: data.paid_at });
  });

  test('contain the metadata byte for byte', async () => {
    const metadata = '{"z":1.10,"id":12345678901234567890,"a":{"tiny":1e-400,"é":"\\u0001"}}';
    const body = `{"amount":36,"metadata":${metadata}}`;
    const { json } = await world.call('transaction/initialize', { key: shop.liveKey, body });
    const reference: string = json.data.reference;
    await relaying(reference, () => shop.pay(mtn({ reference })));

    const [event] = await world.rows('EVENT');
    const id = String(event?.event_id);
    await world.makeTry(id);
    const [post] = world.posted;
    expect(post?.body).toContain(`"metadata":${metadata}`);
    expect(post && opened(world, post, secret)).toMatchObject({ type: 'charge.success' });
    const answer = await world.call('transaction/verify', { key: shop.liveKey, parameters: { reference } });
    expect(answer.text).toContain(`"metadata":${metadata}`);
    expect(JSON.parse(String(post?.body)).data).toEqual(answer.json.data);
  });

  test('include charge.reversed for a reversed charge', async () => {
    const { reference, receipt } = await paid();
    world.clock.nowMs += 60_000;
    await relaying(reference, () => shop.arrive(reversal(receipt.id)));

    const data = await shop.verified(reference);
    expect(data).toMatchObject({ status: 'reversed', reversed_at: world.iso() });
    expect(await bodies()).toEqual([{ type: 'charge.reversed', timestamp: data.reversed_at, livemode: true, data }]);
  });

  test('include both events in order for a charge paid and reversed at once', async () => {
    const reference = await shop.charge({ amount: 36 });
    const open = await chargeRow(reference);
    const receipt = mtn({ reference });
    await shop.pay(receipt);
    const success = await chargeRow(reference);
    world.clock.nowMs += 1000;
    await shop.arrive(reversal(receipt.id));
    await world.relayChanges({ before: open, after: success }, { before: success, after: await chargeRow(reference) });
    const told = await bodies();
    expect(told.map(({ type, data }) => [type, data.status]).sort()).toEqual([
      ['charge.reversed', 'reversed'],
      ['charge.success', 'success'],
    ]);
  });

  test('keep their order within one second', async () => {
    const reference = await shop.charge({ amount: 36 });
    const states = [await chargeRow(reference)];
    let part = mtn();
    for (let n = 1; n <= 12; n++) {
      part = mtn({ reference, amount: '3.00' });
      await shop.pay(part);
      states.push(await chargeRow(reference));
      world.clock.nowMs += 10;
    }
    await shop.arrive(reversal(part.id, '3.00'));
    states.push(await chargeRow(reference));
    const changes = states.slice(1).map((after, n) => ({ before: states[n], after }));
    await world.relayChanges(...changes);
    await world.relayChanges(...changes);

    const told: [string, number][] = [];
    let cursor: string | null = null;
    do {
      const query = { per_page: '3', ...(cursor && { cursor }) };
      const { json } = await world.call('webhook/list-events', { key: shop.liveKey, query });
      for (const { type, body } of json.data.events) told.unshift([type, body.data.amount_paid]);
      cursor = json.meta.next;
    } while (cursor);
    expect(told).toEqual([
      ...Array.from({ length: 11 }, (_, n) => ['charge.partly_paid', 3 * (n + 1)]),
      ['charge.success', 36],
      ['charge.reversed', expect.any(Number)],
    ]);
  });

  test('are created only for relevant changes', async () => {
    const reference = await shop.charge({ amount: 36 });
    const open = await chargeRow(reference);
    const { reference: other } = await paid();
    const success = await chargeRow(other);
    await world.relayChanges(
      { after: open },
      { before: open, after: { ...open, description: 'changed' } },
      { before: success, after: { ...success, description: 'changed' } },
      { before: success },
    );
    expect(await bodies()).toEqual([]);
  });
});

describe('webhook events for a receipt', () => {
  test('include receipt.held for a held receipt', async () => {
    await shop.pay(mtn({ amount: '17.00' }));
    await world.relayChanges({ after: await receiptRow() });
    const [data] = await shop.listed('held');
    expect(data).toMatchObject({ status: 'held', amount: 17 });
    const timestamp = expect.stringContaining(world.iso().slice(0, 19));
    expect(await bodies()).toEqual([{ type: 'receipt.held', timestamp, livemode: true, data }]);
  });

  test('include a second receipt.held for a new reason', async () => {
    await shop.pay(mtn({ amount: '17.00' }));
    const row = await receiptRow();
    const reversed = { ...row, reason: 'reversed' };
    await world.relayChanges({ after: row }, { before: row, after: { ...row, text: 'changed' } });
    expect(await world.rows('EVENT')).toHaveLength(1);
    await world.relayChanges({ before: row, after: reversed });
    const told = (await bodies()).map(({ data }) => data.reason);
    expect(told.sort()).toEqual([row.reason, 'reversed'].sort());
  });

  test('exclude receipt events for a matched receipt', async () => {
    await paid();
    const after = await receiptRow();
    expect(after.state).toBe('matched');
    await world.relayChanges({ after });
    expect(await bodies()).toEqual([]);
  });

  test('exclude receipt events for an unassigned receipt', async () => {
    await arrive(world, { number: '+233249999999' }, mtn());
    const after = await receiptRow();
    expect(after).toMatchObject({ state: 'held' });
    expect(after).not.toHaveProperty('merchant_id');
    await world.relayChanges({ after });
    expect(await bodies()).toEqual([]);
  });

  test('include charge.success for a manually assigned receipt', async () => {
    const receipt = mtn({ amount: '17.00' });
    await shop.pay(receipt);
    const reference = await shop.charge({ amount: 36 });
    const [{ id } = { id: '' }] = await shop.listed('held');
    const request = { parameters: { id: String(id) }, body: { reference } };
    const { status } = await relaying(reference, () => shop.call('receipt/assign', request));
    expect(status).toBe(200);
    const data = await shop.verified(reference);
    expect(await bodies()).toEqual([{ type: 'charge.success', timestamp: data.paid_at, livemode: true, data }]);
  });
});

describe('webhook events for a text', () => {
  test.each([
    ['sms:delivered', 'sms.delivered', 'delivered'],
    ['sms:failed', 'sms.failed', 'failed'],
  ])('report the callback %s as %s with the same data as the API', async (callback, type, status) => {
    const { id, key } = await handedOver(['0551112223', '0551112224']);
    const before = await world.messageRow(id, 1);
    world.clock.nowMs += 5_000;
    await report(callback, messageId(id, 1));
    await world.relayChanges(changed(before, await world.messageRow(id, 1)));

    const parameters = { id: messageId(id, 1) };
    const { data } = (await world.call('sms/show', { key, parameters })).json;
    expect(data).toMatchObject({ status, to: '+233551112224', metadata: { order: 7 } });
    expect(await bodies()).toEqual([{ type, timestamp: world.iso(), livemode: true, data }]);
  });

  test('include sms.failed for a text that the gateway rejects', async () => {
    world.gateway = async () => Response.json({ message: 'no such number' }, { status: 400 });
    const { id } = await handedOver(['0551112223']);
    await world.relayChanges(changed(undefined, await world.messageRow(id)));
    const failure_reason = expect.stringContaining('no such number');
    const data = { id, status: 'failed', failure_reason };
    expect(await bodies()).toMatchObject([{ type: 'sms.failed', data }]);
  });

  test('exclude a text that is being sent', async () => {
    const { id } = await handedOver(['0551112223']);
    const sending = await world.messageRow(id);
    await report('sms:sent', id);
    await world.relayChanges(changed(undefined, sending), changed(sending, await world.messageRow(id)));
    expect(await bodies()).toEqual([]);
  });
});

describe('webhook events for a wallet', () => {
  test('include wallet.payment_refused for a refused payment', async () => {
    const receivedAt = world.iso(-5_000);
    const { id, ...text } = refusal({ amount: '6000.50', from: 'AKUA OSEI' });
    await shop.arrive({ ...text, receivedAt });
    const after = await noticeRow(`payment_refused#${id}`);
    await world.relayChanges({ after }, { after });
    expect(await bodies()).toEqual([
      {
        type: 'wallet.payment_refused',
        timestamp: expect.stringContaining(world.iso().slice(0, 19)),
        livemode: true,
        data: {
          network: 'MTN',
          momo_number: shop.number,
          transaction_id: id,
          amount: 6000.5,
          currency: 'GHS',
          payer_name: 'AKUA OSEI',
          reason: 'daily_limit',
          received_at: receivedAt,
        },
      },
    ]);
    expect(await world.rows('EVENT')).toMatchObject([{ merchant_id: shop.id }]);
  });

  test('include wallet.near_limit once a day for a nearly full wallet', async () => {
    await shop.change({ balance_limit: { number: undefined, limit_pesewas: 40_000_00 } });
    await shop.arrive(cashIn('37250.00'));
    const first = await noticeRow('near_limit#4000000');
    world.clock.nowMs += 24 * 3_600_000;
    await shop.arrive(cashIn('37300.50'));
    const second = await noticeRow('near_limit#4000000');
    await world.relayChanges({ after: first }, { before: first, after: second }, { before: first, after: second });
    const told = await bodies();
    const facts = { network: 'MTN', momo_number: shop.number, limit: 40_000, currency: 'GHS', assumed: false };
    expect(told.toSorted((a, b) => (a.data.received_at < b.data.received_at ? -1 : 1))).toMatchObject(
      [first, second].map(({ received_at }) => ({ type: 'wallet.near_limit', data: { ...facts, received_at } })),
    );
  });

  test('differ for each kind of gap in the wallet’s texts', async () => {
    const wallet = { network: 'MTN' as const, momo_number: shop.number };
    const [from, to] = ['2026-11-20T10:01:40.000Z', '2026-11-20T10:14:12.000Z'];
    const noticed = { ...wallet, merchant_id: shop.id, received_at: to };
    const moved = { ...noticed, amount_pesewas: 36_00, from, to };
    const [charged, uncharged] = ['63418844970', '63418844969'];
    const reference = 'MK-0123456789';
    const payments = [{ transaction_id: charged, reference }, { transaction_id: uncharged }];
    const unclear = { ...noticed, balance_pesewas: 3_017_27, proven_pesewas: 2_981_27, texts: 2 };
    await world.outside.table.write([
      keepUnclearBalance(world.outside, { kind: 'balance_unclear', ...unclear }),
      keepOnce(world.outside, { kind: 'payment_missed', ...moved, phone_asked: true, references: [reference] }),
      keepOnce(world.outside, { kind: 'reversal_suspected', ...moved, payments }),
    ]);
    const notices = [
      await noticeRow(`balance_unclear#${world.iso()}`),
      await noticeRow(`payment_missed#${from}`),
      await noticeRow(`reversal_suspected#${from}#3600`),
    ];
    for (const after of notices) await world.relayChanges({ after }, { after });
    const told = await bodies();
    const money = { ...wallet, amount: 36, currency: 'GHS', from, to };
    const may_be_reversed = [
      { transaction_id: charged, reference },
      { transaction_id: uncharged, reference: null },
    ];
    expect(told.toSorted((a, b) => (a.type < b.type ? -1 : 1))).toMatchObject([
      { type: 'wallet.balance_unclear', data: { ...wallet, texts: 2, received_at: to } },
      { type: 'wallet.payment_missed', data: { ...money, phone_asked: true, may_have_paid: [reference] } },
      { type: 'wallet.reversal_suspected', data: { ...money, may_be_reversed } },
    ]);
  });

  test('are not sent for a wallet shared by several merchants', async () => {
    await (await world.createShop({ number: shop.number })).setWebhook('https://other.example.com/hooks');
    const { id, ...text } = refusal();
    await shop.arrive(text);
    await world.relayChanges({ after: await noticeRow(`payment_refused#${id}`) });
    expect(await bodies()).toEqual([]);
  });

  const noticeRow = (id: string) => onlyRow(`NOTICE#${id}`);
});

describe('webhook events for a stream record', () => {
  test('are created once if the record is delivered five times', async () => {
    const { before, after } = await change();
    for (let times = 0; times < 5; times++) await world.relayChanges({ before, after });
    await Promise.all(Array.from({ length: 5 }, () => world.relayChanges({ before, after })));
    expect(await world.rows('EVENT')).toHaveLength(1);
  });

  test('are not created again after delivery', async () => {
    const { before, after } = await change();
    await world.relayChanges({ before, after });
    const [{ event_id } = { event_id: '' }] = await world.rows('EVENT');
    await world.makeTry(String(event_id));
    const delivered = await world.eventRow(String(event_id));
    world.queued.length = 0;
    world.clock.nowMs += 60_000;
    await world.relayChanges({ before, after });
    expect(await world.eventRow(String(event_id))).toEqual(delivered);
    expect(world.queued).toEqual([]);
  });

  test('are queued in the merchant’s message group', async () => {
    const { before, after } = await change();
    await world.relayChanges({ before, after });
    const [event = {}] = await world.rows('EVENT');
    await world.relayChanges({ after: event });
    expect(world.queued).toContainEqual({
      queue: 'deliver-webhook',
      job: { body: { event_id: event.event_id, tries: 0 }, group: shop.id, delaySeconds: 0 },
    });
  });

  test('are not queued for a change that only records an attempt', async () => {
    const id = await shop.newEvent();
    const before = await world.eventRow(id);
    await world.makeTry(id);
    world.queued.length = 0;
    await world.relayChanges({ before, after: await world.eventRow(id) });
    expect(world.queued).toEqual([]);
  });

  test('cause a retry of the batch if they cannot be stored', async () => {
    const { before, after } = await change();
    const { table } = world.outside;
    world.outside.table = { ...table, write: async () => Promise.reject(new Error('The table is away')) };
    const answer = await callWorker(world, followUp, streamEvent([{ before, after }]));
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
    world.outside.table = table;
    await world.relayChanges({ before, after });
    expect(await world.rows('EVENT')).toHaveLength(1);
  });
});

describe('the choice of webhooks for an event', () => {
  test('skips a merchant without a webhook', async () => {
    const other = await world.createShop();
    const reference = await other.charge({ amount: 36 });
    await relaying(reference, () => other.pay(mtn({ reference })));
    expect(await bodies()).toEqual([]);
  });

  test('skips a webhook without the event’s type', async () => {
    const { before, after } = await change();
    const choose = (events: string[]) => shop.call('webhook/set', { body: { url: HOOK, events } });
    await choose(['charge.expired', 'sms.failed']);
    await world.relayChanges({ before, after });
    expect(await bodies()).toEqual([]);
    await choose(['charge.expired', 'charge.success']);
    await world.relayChanges({ before, after });
    expect(await world.rows('EVENT')).toHaveLength(1);
  });

  test('skips a removed webhook', async () => {
    const { before, after } = await change();
    await shop.call('webhook/remove');
    await world.relayChanges({ before, after });
    expect(await bodies()).toEqual([]);
  });

  test('skips a disabled webhook', async () => {
    const { before, after } = await change();
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
    await world.makeTry(await shop.newEvent());
    await world.relayChanges({ before, after });
    expect((await world.rows('EVENT')).map(({ type }) => type)).toEqual(['webhook.test']);
  });

  test('skips other merchants’ webhooks', async () => {
    const other = await world.createShop();
    const otherSecret = await other.setWebhook('https://other.example.com/hooks');
    for (const each of [shop, other]) {
      const reference = await each.charge({ amount: 36, metadata: { of: each.id } });
      await relaying(reference, () => each.pay(mtn({ reference })));
    }
    const events = await world.rows('EVENT');
    for (const { event_id } of events) await world.makeTry(String(event_id));

    expect(world.posted).toHaveLength(2);
    for (const [url, own, others, of] of [
      [HOOK, secret, otherSecret, shop.id],
      ['https://other.example.com/hooks', otherSecret, secret, other.id],
    ] as const) {
      const [post] = world.posted.filter((one) => one.url === url);
      if (!post) throw new Error(`Nothing was posted to ${url}`);
      expect(opened(world, post, own)).toMatchObject({ data: { metadata: { of } } });
      expect(() => opened(world, post, others)).toThrow();
    }
    for (const { event_id, merchant_id } of events) {
      const [own, stranger] = merchant_id === shop.id ? [shop, other] : [other, shop];
      expect((await own.shownEvent(String(event_id))).id).toBe(event_id);
      expect(await stranger.shownEvent(String(event_id))).toBeUndefined();
    }
  });
});

describe('events for a merchant with a live key and an sms key', () => {
  const SMS_HOOK = 'https://sms.example.com/hooks';
  let smsKey: string;
  beforeEach(async () => {
    smsKey = await shop.addKey('sms', { requestsPerSecond: UNLIMITED });
    await world.createSender('+233241234567');
    await shop.topUp(10);
  });

  test('about texts are sent only to the sms key’s webhook', async () => {
    await setWebhookWith(world, smsKey, SMS_HOOK);
    await textFails();
    expect(await told()).toEqual([['sms.failed', SMS_HOOK]]);
  });

  test('about payments are sent only to the live key’s webhook', async () => {
    await setWebhookWith(world, smsKey, SMS_HOOK);
    await moneyMoves();
    expect(await told()).toEqual([
      ['charge.success', HOOK],
      ['receipt.held', HOOK],
      ['wallet.payment_refused', HOOK],
    ]);
  });

  test('about texts are sent to the live key’s webhook if the sms key has none', async () => {
    await textFails();
    expect(await told()).toEqual([['sms.failed', HOOK]]);
  });

  test('about payments are not sent if the live key has no webhook', async () => {
    await shop.call('webhook/remove');
    await setWebhookWith(world, smsKey, SMS_HOOK);
    await moneyMoves();
    await textFails();
    expect(await told()).toEqual([['sms.failed', SMS_HOOK]]);
  });

  test('about texts are not sent if the sms key’s webhook is disabled', async () => {
    await setWebhookWith(world, smsKey, SMS_HOOK);
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
    await world.makeTry(await shop.newEvent('sms'));
    await textFails();
    expect((await world.rows('EVENT')).map(({ type }) => type)).toEqual(['webhook.test']);
  });

  test('are not sent again to a webhook added later', async () => {
    const failed = await textFails();
    await setWebhookWith(world, smsKey, SMS_HOOK);
    await world.relayChanges({ after: failed });
    expect(await told()).toEqual([['sms.failed', HOOK]]);
  });

  test('are sent to the correct kind of key', () =>
    checkEach(
      WebhookEventType.options.filter((type) => type !== 'webhook.test'),
      (type) => {
        expect(keyKindOfEvent(type)).toBe(/^(sms|credits)\./.test(type) ? 'sms' : 'live');
      },
    ));

  async function textFails(): Promise<Item> {
    const { id } = await { ...shop, smsKey }.text();
    await world.work('deliver-sms', [{ send_id: id, index: 0 }]);
    await report('sms:failed', id);
    const after = await onlyRow('MESSAGE#00');
    await world.relayChanges({ after });
    return after;
  }

  async function moneyMoves(): Promise<void> {
    const { before, after } = await change();
    await shop.pay(mtn({ amount: '77.00', reference: 'nothing' }));
    const { id, ...text } = refusal();
    await shop.arrive(text);
    const held = await onlyRow('RECEIPT', ({ state }) => state === 'held');
    const notice = await onlyRow(`NOTICE#payment_refused#${id}`);
    await world.relayChanges({ before, after }, { after: held }, { after: notice });
  }

  /** Returns each event with the URL to which it was posted. */
  async function told() {
    for (const { event_id } of await world.rows('EVENT')) await world.makeTry(String(event_id));
    return world.posted.map(({ url, body }) => [JSON.parse(body).type, url]).sort();
  }
});

function chargeRow(reference: string): Promise<Item> {
  return onlyRow('TRANSACTION', (one) => one.reference === reference);
}

function receiptRow(): Promise<Item> {
  return onlyRow('RECEIPT');
}

async function onlyRow(sk: string, isMeant = (_: Item) => true): Promise<Item> {
  const [row] = (await world.rows(sk)).filter(isMeant);
  if (!row) throw new Error(`There is no row ${sk}`);
  return row;
}

async function paid() {
  const reference = await shop.charge({ amount: 36 });
  const receipt = mtn({ reference });
  await shop.pay(receipt);
  return { reference, receipt };
}

/** Runs `happens` and passes all changes of the charge to the stream worker. */
async function relaying<Answer>(reference: string, happens: () => Promise<Answer>): Promise<Answer> {
  const before = await chargeRow(reference);
  const answer = await happens();
  await world.relayChanges({ before, after: await chargeRow(reference) });
  return answer;
}

/** Returns the bodies of all events. */
async function bodies() {
  return (await world.rows('EVENT')).map(({ body }) => JSON.parse(String(body)));
}

/** Returns the stream record of a charge that becomes paid. */
async function change() {
  const reference = await shop.charge({ amount: 36 });
  const before = await chargeRow(reference);
  await shop.pay(mtn({ reference }));
  return { before, after: await chargeRow(reference) };
}

function changed(before: Item | undefined, after: Item | undefined) {
  return { ...(before && { before }), ...(after && { after }) };
}

/** Sends texts for a merchant with a webhook. Returns the first text's id. */
async function handedOver(to: string[]): Promise<{ id: string; key: string }> {
  const merchant = await world.createMerchant({ credits: 10 });
  await merchant.setWebhook();
  await world.createSender('+233241234567');
  const { id } = await merchant.text({ to, metadata: { order: 7 } });
  for (const index of to.keys()) await world.work('deliver-sms', [{ send_id: id, index }]);
  return { id, key: merchant.smsKey };
}

/** Reports a text's state as the phone does. */
async function report(event: string, messageId: string): Promise<void> {
  const payload = { messageId, recipient: '+233551112223', simNumber: 1, reason: 'RESULT_ERROR_GENERIC_FAILURE' };
  const posted = { deviceId: 'device-1', event, id: 'event', webhookId: 'webhook', payload };
  const { status } = await world.call('callback/smsgate', signedCallback(world, posted));
  if (status !== 200) throw new Error(`The phone's post was answered ${status}`);
}

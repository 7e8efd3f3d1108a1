import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { handler as relay } from '../../../functions/work/relay.ts';
import { setWebhook } from '../../support/actions.ts';
import { liveHolder } from '../../support/holders.ts';
import { fromTelecel, newPayerNumber, pay } from '../../support/receipts.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { callWorker, streamEvent } from '../../support/world.ts';

const MINUTE_MS = 60_000;
const CREDITS = 5;

let world: Scene;
let merchant: Merchant;
/** The row of the code's send. */
let send: Record<string, unknown>;
let job: object;

beforeEach(async () => {
  world = await scene();
  await world.createSender('+233240009999');
  merchant = await world.createMerchant({ credits: CREDITS });
  await setWebhook(world.outside, liveHolder(merchant.id), 'https://shop.example.com/hooks');
  const payer = newPayerNumber();
  await pay(world, { number: '+233241234567' }, fromTelecel({ phone: payer }));
  const { access_code } = await merchant.createCharge();
  await world.call('checkout/ask-for-code', { parameters: { access_code }, body: { phone: `+${payer}` } });
  [send = {}] = await world.rows('SEND');
  world.queued.length = 0;
  await callWorker(world, relay, streamEvent([{ after: send }]));
  job = z
    .object({ queue: z.literal('deliver-sms'), job: z.object({ body: z.object({}).loose() }) })
    .parse(world.queued[0]).job.body;
});

describe('a code', () => {
  test('is handed to the gateway like any text, for as long as it is valid', async () => {
    world.clock.nowMs += MINUTE_MS;
    expect(await world.work('deliver-sms', [job])).toEqual({ batchItemFailures: [] });
    expect(world.fetched.map(({ body }) => body)).toMatchObject([
      { id: send.send_id, phoneNumbers: send.to, ttl: 540 },
    ]);
  });

  test('that is delivered twice is handed over under one id', async () => {
    for (let n = 0; n < 2; n++) await world.work('deliver-sms', [job]);
    expect(new Set(world.fetched.map(({ body }) => z.object({ id: z.string() }).parse(body).id)).size).toBe(1);
  });

  test('that is no longer valid is not sent', async () => {
    world.clock.nowMs += 10 * MINUTE_MS;
    expect(await world.work('deliver-sms', [job])).toEqual({ batchItemFailures: [] });
    expect(world.fetched).toEqual([]);
    expect(await world.messageRow(String(send.send_id))).toMatchObject({ state: 'expired' });
  });

  test('that fails is refunded to nobody, since nobody paid for it', async () => {
    world.gateway = async () => Response.json({ message: 'no such number' }, { status: 400 });
    await world.work('deliver-sms', [job]);
    const row = await world.messageRow(String(send.send_id));
    expect(row).toMatchObject({ state: 'failed' });
    // It is in nobody's list of failed ones.
    expect(row).not.toHaveProperty('gsi1pk');
    expect(await merchant.balance()).toBe(CREDITS);
    expect(await merchant.refunds()).toEqual([]);
    expect(await world.rows('BALANCE')).toHaveLength(1);
  });

  test('is in no merchant’s list, and no merchant can show it by its id', async () => {
    const { json } = await merchant.call('sms/list');
    expect(json.data.sends).toEqual([]);
    const shown = await merchant.call('sms/show', { parameters: { id: String(send.send_id) } });
    expect(shown.status).toBe(404);
  });

  test.each(['delivered', 'failed'])('that is %s is reported to no webhook', async (state) => {
    await world.work('deliver-sms', [job]);
    const before = await world.messageRow(String(send.send_id));
    await callWorker(world, followUp, streamEvent([{ before: before ?? {}, after: { ...before, state } }]));
    expect((await world.rows('EVENT')).filter(({ type }) => String(type).startsWith('sms.'))).toEqual([]);
    expect(world.counted).toMatchObject({ [`codes_${state}`]: 1 });
    for (const name of ['texts_accepted', 'texts_delivered', 'texts_failed', 'credits_refunded']) {
      expect(world.counted).not.toHaveProperty(name);
    }
  });
});

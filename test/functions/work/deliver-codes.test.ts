import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { handler as ask } from '../../../functions/checkout/ask-for-code.ts';
import { handler as list } from '../../../functions/sms/list.ts';
import { handler as show } from '../../../functions/sms/show.ts';
import { handler as deliver } from '../../../functions/work/deliver-sms.ts';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { handler as relay } from '../../../functions/work/relay.ts';
import { setWebhook } from '../../support/actions.ts';
import { liveHolder } from '../../support/holders.ts';
import { fromTelecel, newPayerNumber, pay, rows } from '../../support/receipts.ts';
import { balanceOf, messageRow, refundsOf } from '../../support/rows.ts';
import {
  call,
  callWorker,
  createMerchant,
  createSender,
  createWorld,
  queueEvent,
  streamEvent,
  type TestMerchant,
  type World,
} from '../../support/world.ts';
import { createCharge } from '../checkout/charges.ts';

const MINUTE_MS = 60_000;
const CREDITS = 5;

let world: World;
let merchant: TestMerchant;
/** The row of the code's send. */
let send: Record<string, unknown>;
let job: object;

beforeEach(async () => {
  world = await createWorld();
  await createSender(world, '+233240009999');
  merchant = await createMerchant(world, { credits: CREDITS });
  await setWebhook(world.outside, liveHolder(merchant.id), 'https://shop.example.com/hooks');
  const payer = newPayerNumber();
  await pay(world, { number: '+233241234567' }, fromTelecel({ phone: payer }));
  const { access_code } = await createCharge(world, merchant);
  await call(world, ask, { parameters: { access_code }, body: { phone: `+${payer}` } });
  [send = {}] = await rows(world, 'SEND');
  world.queued.length = 0;
  await callWorker(world, relay, streamEvent([{ after: send }]));
  job = z
    .object({ queue: z.literal('deliver-sms'), job: z.object({ body: z.object({}).loose() }) })
    .parse(world.queued[0]).job.body;
});

describe('a code', () => {
  test('is handed to the gateway like any text, for as long as it is valid', async () => {
    world.clock.nowMs += MINUTE_MS;
    expect(await callWorker(world, deliver, queueEvent([job]))).toEqual({ batchItemFailures: [] });
    expect(world.fetched.map(({ body }) => body)).toMatchObject([
      { id: send.send_id, phoneNumbers: send.to, ttl: 540 },
    ]);
  });

  test('that is delivered twice is handed over under one id', async () => {
    for (let n = 0; n < 2; n++) await callWorker(world, deliver, queueEvent([job]));
    expect(new Set(world.fetched.map(({ body }) => z.object({ id: z.string() }).parse(body).id)).size).toBe(1);
  });

  test('that is no longer valid is not sent', async () => {
    world.clock.nowMs += 10 * MINUTE_MS;
    expect(await callWorker(world, deliver, queueEvent([job]))).toEqual({ batchItemFailures: [] });
    expect(world.fetched).toEqual([]);
    expect(await messageRow(world, String(send.send_id))).toMatchObject({ state: 'expired' });
  });

  test('that fails is refunded to nobody, since nobody paid for it', async () => {
    world.gateway = async () => Response.json({ message: 'no such number' }, { status: 400 });
    await callWorker(world, deliver, queueEvent([job]));
    const row = await messageRow(world, String(send.send_id));
    expect(row).toMatchObject({ state: 'failed' });
    // It is in nobody's list of failed ones.
    expect(row).not.toHaveProperty('gsi1pk');
    expect(await balanceOf(world, merchant)).toBe(CREDITS);
    expect(await refundsOf(world, merchant)).toEqual([]);
    expect(await rows(world, 'BALANCE')).toHaveLength(1);
  });

  test('is in no merchant’s list, and no merchant can show it by its id', async () => {
    const { json } = await call(world, list, { key: merchant.smsKey });
    expect(json.data.sends).toEqual([]);
    const shown = await call(world, show, { key: merchant.smsKey, parameters: { id: String(send.send_id) } });
    expect(shown.status).toBe(404);
  });

  test.each(['delivered', 'failed'])('that is %s is reported to no webhook', async (state) => {
    await callWorker(world, deliver, queueEvent([job]));
    const before = await messageRow(world, String(send.send_id));
    await callWorker(world, followUp, streamEvent([{ before: before ?? {}, after: { ...before, state } }]));
    expect((await rows(world, 'EVENT')).filter(({ type }) => String(type).startsWith('sms.'))).toEqual([]);
    expect(world.counted).toMatchObject({ [`codes_${state}`]: 1 });
    for (const name of ['texts_accepted', 'texts_delivered', 'texts_failed', 'credits_refunded']) {
      expect(world.counted).not.toHaveProperty(name);
    }
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { listSenders, putSender } from '../../../shared/phones/sender/sender.table.ts';
import { type Sender, unavailableMessages } from '../../../shared/phones/sender/sender.ts';
import { expectOk } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const MTN = '+233241234567';

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant({ credits: 10 });
});

test('a number keeps its owner when it is moved to another phone', async () => {
  await world.createSender(MTN);
  const place = { network: 'MTN', gateway: 'phone', device_id: 'device-2', sim_number: 2 } as const;
  world.rightBefore('PutItem', () => merchant.giveSender(MTN));
  await world.addSender({ number: MTN, ...place });
  expect(await listSenders(world.outside)).toMatchObject([{ ...place, owner: merchant.id }]);
});

test('sender numbers are listed with the default', async () => {
  await world.createSender(MTN);
  const place = { gateway: 'phone', device_id: 'device-1', sim_number: 2 };
  await world.addSender({ number: '+233201234567', network: 'TELECEL', ...place });
  await merchant.change({ default_from: MTN });
  await world.switchSender('+233201234567', false);
  await merchant.giveSender(MTN);

  expectOk(await merchant.call('sms/from'), {
    default: MTN,
    senders: [
      {
        number: '+233201234567',
        network: 'TELECEL',
        own: false,
        available: false,
        reason: 'disabled',
        message: expect.stringContaining('disabled'),
      },
      { number: MTN, network: 'MTN', own: true, available: true, reason: null, message: null },
    ],
  });
});

test('a merchant without senders gets an empty list', async () => {
  const { json } = await merchant.call('sms/from');
  expect(json.data).toEqual({ default: null, senders: [] });
});

test('GET /sms/from reveals no gateways, devices or SIMs', async () => {
  await world.createSender(MTN, 'device-of-the-operator');
  const { text } = await merchant.call('sms/from');
  expect(text).not.toMatch(/device|gateway|sim/);
});

describe('the reported availability of a sender', () => {
  test.each([
    ['its phone is off', { held_back: 'phone_not_seen' }, 'phone_off'],
    ['its texts would fail', { fault: { reason: 'gateway_rejects', since_ms: 1, is_lasting: true } }, 'out_of_reach'],
    ['its texts failed only a moment ago', { fault: { reason: 'not_listed', since_ms: 1, is_lasting: false } }, null],
    ['it is disabled and its phone is off', { enabled: false, held_back: 'phone_not_seen' }, 'disabled'],
  ] as const)('is correct if %s', async (_, state, reason) => {
    await setSender(state);
    expect(await shown()).toMatchObject({ available: reason === null, reason });
    const answer = await merchant.call('sms/send', { body: { to: '0551112223', message: 'Hello', from: MTN } });
    expect(answer.status).toBe(reason === null ? 200 : 503);
    if (reason) expect(answer.json.message).toContain(unavailableMessages[reason]);
  });

  test('is queue_full if the merchant’s own texts fill the queue', async () => {
    await setSender({ full_until_ms: { [merchant.id]: world.clock.nowMs + 1000 } });
    expect(await shown()).toMatchObject({
      available: false,
      reason: 'queue_full',
      message: expect.stringContaining('queued'),
    });
    expect(await shown(await world.createMerchant())).toMatchObject({ available: true, reason: null, message: null });
    world.clock.nowMs += 2000;
    expect(await shown()).toMatchObject({ available: true, reason: null });
  });

  async function setSender(state: Partial<Sender>): Promise<void> {
    await world.createSender(MTN);
    const [sender] = await listSenders(world.outside);
    if (sender) await world.outside.table.write([putSender({ ...sender, ...state }, sender)]);
  }

  async function shown(to = merchant) {
    return (await to.call('sms/from')).json.data.senders[0];
  }
});

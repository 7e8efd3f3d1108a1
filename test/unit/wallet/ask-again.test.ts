import { beforeEach, describe, expect, test } from 'vitest';
import { INBOX_ASKED_MS, listPhones, NO_INBOX_MS, noteHeard } from '../../../shared/phones/gateway/phone.table.ts';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { askPhoneAgain } from '../../../shared/wallets/wallet/ask-again.ts';
import { refuse } from '../../support/disturb.ts';
import { createWorld, type World } from '../../support/world.ts';

const PHONE = { gateway: 'phone', device_id: 'device-1' };
const SINCE = '2026-11-20T10:01:00.400Z';
const UNTIL = '2026-11-20T10:14:00.400Z';

let world: World;
let answer: () => Response;
beforeEach(async () => {
  world = await createWorld();
  answer = () => new Response(null, { status: 202 });
  world.gateway = async () => answer();
});

test('a phone is asked for texts from the period plus a few minutes', async () => {
  expect(await ask()).toBe(true);
  expect(world.fetched).toMatchObject([
    {
      url: 'https://gateway.example.com/3rdparty/v1/inbox/refresh',
      body: {
        since: '2026-11-20T09:56:00.000Z',
        until: '2026-11-20T10:19:01.000Z',
        deviceId: 'device-1',
        messageTypes: ['SMS'],
        triggerWebhooks: true,
      },
    },
  ]);
  expect(world.noted).toEqual([{ event: 'phone_asked_again', fields: { gateway: 'phone', device: 'device-1' } }]);
});

test('a phone whose texts lag behind is asked for texts with older time stamps', async () => {
  await noteHeard(world.outside, 'phone', 'device-1', { delayMs: HOUR_MS });
  await ask();
  expect(world.fetched).toMatchObject([
    { body: { since: '2026-11-20T08:56:00.000Z', until: '2026-11-20T10:19:01.000Z' } },
  ]);
});

describe('askPhoneAgain', () => {
  test('asks a phone at most once every ten minutes', async () => {
    await ask();
    for (let n = 0; n < 25; n++) expect(await ask()).toBe(false);
    world.clock.nowMs += INBOX_ASKED_MS - 1;
    expect(await ask()).toBe(false);
    expect(world.fetched).toHaveLength(1);
    world.clock.nowMs += 1;
    expect(await ask()).toBe(true);
    expect(world.fetched).toHaveLength(2);
  });

  test('asks once for ten simultaneous requests', async () => {
    const asked = await Promise.all(Array.from({ length: 10 }, () => ask()));
    expect(asked.filter(Boolean)).toHaveLength(1);
    expect(world.fetched).toHaveLength(1);
  });

  test('does not delay a request to a different phone', async () => {
    await ask();
    expect(await ask({ gateway: 'phone', device_id: 'device-2' })).toBe(true);
    expect(await ask({ gateway: 'spare', device_id: 'device-1' })).toBe(true);
  });
});

describe('a gateway that does not support resending', () => {
  test.each([404, 501])('is asked again after a day if it returns %d', async (status) => {
    answer = () => Response.json({ message: 'no' }, { status });
    expect(await ask()).toBe(false);
    expect(world.logged).toEqual([]);
    answer = () => new Response(null, { status: 202 });
    world.clock.nowMs += NO_INBOX_MS - 1;
    expect(await ask()).toBe(false);
    expect(world.fetched).toHaveLength(1);
    world.clock.nowMs += 1;
    expect(await ask()).toBe(true);
  });
});

describe('a failed request to resend texts', () => {
  test.each([400, 401, 403, 409, 429, 500, 503])(
    'is logged only with ids and stops nothing if the gateway returns %d',
    async (status) => {
      answer = () => Response.json({ message: 'canary +233241234567' }, { status });
      expect(await ask()).toBe(false);
      expectLogged(`The gateway responded with ${status}`);
      world.clock.nowMs += INBOX_ASKED_MS;
      answer = () => new Response(null, { status: 202 });
      expect(await ask()).toBe(true);
    },
  );

  test('is logged only with ids after a gateway timeout', async () => {
    const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    answer = () => {
      throw timeout;
    };
    expect(await ask()).toBe(false);
    expectLogged(timeout.message);
  });

  test('is logged only with ids if there is no gateway account', async () => {
    expect(await ask({ gateway: 'gone', device_id: 'device-1' })).toBe(false);
    expect(world.logged).toMatchObject([{ event: 'phone_not_asked', fields: { gateway: 'gone' } }]);
  });

  test('is logged only with ids after a table error', async () => {
    refuse(world, 'UpdateItem', 1, () => new Error('no table'));
    expect(await ask()).toBe(false);
    expectLogged('no table');
    expect(world.fetched).toEqual([]);
  });
});

test('asking a phone to resend does not change its other data', async () => {
  await ask();
  expect(await listPhones(world.outside)).toEqual({ phones: [], pingsSinceMs: new Map() });
  await noteHeard(world.outside, 'phone', 'device-1', { isPing: true });
  const { phones } = await listPhones(world.outside);
  expect(phones).toMatchObject([{ device_id: 'device-1', heard_ms: world.clock.nowMs }]);
  world.clock.nowMs += 60_000;
  expect(await ask()).toBe(false);
  world.clock.nowMs += INBOX_ASKED_MS;
  expect(await ask()).toBe(true);
  expect((await listPhones(world.outside)).phones).toEqual(phones);
});

function ask(phone = PHONE): Promise<boolean> {
  return askPhoneAgain(world.outside, phone, SINCE, UNTIL);
}

function expectLogged(message: string): void {
  const fields = { gateway: 'phone', device: 'device-1', error: expect.objectContaining({ message }) };
  expect(world.logged).toEqual([{ level: 'warn', event: 'phone_not_asked', fields }]);
}

import { beforeEach, describe, expect, test } from 'vitest';
import { eraseCustomer } from '../../../infra/admin/erase-customer.ts';
import { withNight } from '../../../shared/ghana/quiet-hours.ts';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import { PublicError } from '../../../shared/runtime/values/errors.ts';
import { removeContact } from '../../../shared/texts/contact/contact.table.ts';
import { storeContact } from '../../../shared/texts/contact/store-contacts.ts';
import { findOptOut, listOptOuts } from '../../../shared/texts/conversation/opt-out.table.ts';
import { agree, CONSENT, wrote } from '../../support/contacts.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { failWrite } from '../../support/disturb.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const KOFI = '+233551112223';
const ESI = '+233201112223';
const ASKED = { at: '2026-01-02', how: 'Asked for it in the shop' };

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  // Marketing texts are not sent at night.
  world.goToNoon();
  merchant = await world.createMerchant({ credits: 100 });
  await world.createSender('+233241234567');
  world.gateway = async () => Response.json({ state: 'Pending' }, { status: 202 });
});

describe('contacts', () => {
  test('are stored once per number with the latest values', async () => {
    const { status, json } = await stores([
      { number: '0551112223', name: 'Kofi', consent: ASKED },
      { number: '+233 20 111 2223', name: ' Esi ' },
      { number: '233551112223', name: 'Kofi Mensah' },
    ]);
    expect({ status, message: json.message }).toEqual({ status: 200, message: 'Stored 2 contacts' });
    expect(json.data).toEqual({ livemode: true, added: 2, updated: 0, unchanged: 0, withdrawn: 0, merged: 1 });
    expect(await listed()).toEqual([
      {
        livemode: true,
        number: ESI,
        name: 'Esi',
        consent: null,
        withdrawn_at: null,
        gets_marketing: false,
        created_at: world.iso(),
      },
      {
        livemode: true,
        number: KOFI,
        name: 'Kofi Mensah',
        withdrawn_at: null,
        gets_marketing: true,
        consent: {
          at: '2026-01-02T00:00:00.000Z',
          how: ASKED.how,
          stored_by: expect.stringMatching(/^key …/),
          stored_at: world.iso(),
        },
        created_at: world.iso(),
      },
    ]);
  });

  test('keep omitted fields and clear null fields', async () => {
    await stores([{ number: KOFI, name: 'Kofi', consent: ASKED }]);
    expect((await stores([{ number: KOFI, name: 'Kofi' }])).json.data).toMatchObject({ updated: 0, unchanged: 1 });
    await stores([{ number: KOFI, name: null }]);
    expect(await listed()).toMatchObject([{ name: null, consent: { how: ASKED.how } }]);
    await stores([{ number: KOFI, consent: null }]);
    expect(await listed()).toMatchObject([{ name: null, consent: null }]);
  });

  test('can receive marketing again after giving new consent', async () => {
    const old = [
      { number: KOFI, name: 'Kofi', consent: ASKED },
      { number: ESI, consent: ASKED },
    ];
    await stores(old);
    await stores([{ number: KOFI, consent: null }]);
    const withdrawn_at = world.iso();
    const { json } = await stores(old.map((one) => ({ ...one, name: 'From the list' })));
    expect(json.data).toMatchObject({ added: 0, updated: 2, unchanged: 0, withdrawn: 1 });
    const kofi = { number: KOFI, name: 'From the list', consent: null, withdrawn_at, gets_marketing: false };
    expect(await listed({ number: KOFI })).toMatchObject([kofi]);
    expectFailure(await sends({ to: KOFI, purpose: 'marketing' }), 409, 'consent_missing');
    world.clock.nowMs += 60_000;
    const anew = { ...ASKED, at: world.iso() };
    expect((await stores([{ number: KOFI, consent: anew }])).json.data).toMatchObject({ updated: 1, withdrawn: 0 });
    expect(await listed({ number: KOFI })).toMatchObject([{ consent: { at: anew.at }, gets_marketing: true }]);
    // The old list predates the new consent.
    expect((await stores(old)).json.data).toMatchObject({ withdrawn: 1 });
    expect(await listed({ number: KOFI })).toMatchObject([{ consent: { at: anew.at } }]);
  });

  test.each<[string, (withdraw: () => Promise<unknown>) => Promise<unknown>]>([
    ['was not a contact before', (withdraw) => withdraw()],
    [
      'was a contact without consent',
      async (withdraw) => (await stores([{ number: KOFI, name: 'Kofi' }])) && withdraw(),
    ],
    ['was removed afterwards', async (withdraw) => (await agreed()) && (await withdraw()) && removes(KOFI)],
    ['was erased afterwards', async (withdraw) => (await agreed()) && (await withdraw()) && erase(KOFI)],
    ['replied START afterwards', async (withdraw) => (await agreed()) && (await withdraw()) && start(KOFI)],
    ['replied STOP and START before', async (withdraw) => (await start(KOFI)) && withdraw()],
    ['withdrew again after agreeing on paper', async (withdraw) => (await withdraw()) && (await later()) && withdraw()],
  ])('get no marketing from an old list if the person %s', async (_, happens) => {
    await happens(() => stores([{ number: KOFI, consent: null }]));
    const list = [{ number: KOFI, consent: { ...ASKED, at: world.iso() } }];
    world.clock.nowMs += 60_000;
    expect((await stores(list)).json.data).toMatchObject({ withdrawn: 1 });
    expect(await listed()).toMatchObject([{ consent: null, withdrawn_at: list[0]?.consent.at, gets_marketing: false }]);
    expectFailure(await sends({ to: KOFI, purpose: 'marketing' }), 409, 'consent_missing');
    const anew = [{ number: KOFI, consent: { ...ASKED, at: world.iso() } }];
    expect((await stores(anew)).json.data).toMatchObject({ withdrawn: 0 });
    expect(await listed()).toMatchObject([{ consent: { at: anew[0]?.consent.at }, gets_marketing: true }]);
  });

  test('are listed as opted out only after STOP', async () => {
    await stores([{ number: KOFI, consent: null }]);
    const list = async () => (await listOptOuts(world.outside, merchant.id, { limit: 10 })).optOuts;
    expect({ list: await list(), optOut: await findOptOut(world.outside, merchant.id, KOFI) }).toEqual({
      list: [],
      optOut: undefined,
    });
    expect((await sends({ to: KOFI, purpose: 'reminder' })).status).toBe(200);
    await wrote(world, 'STOP', merchant.id, KOFI);
    expect(await list()).toMatchObject([{ number: KOFI, word: 'STOP' }]);
    expectFailure(await sends({ to: KOFI, purpose: 'reminder' }), 409, 'recipient_opted_out');
    expect(await listed()).toMatchObject([{ withdrawn_at: expect.any(String), gets_marketing: false }]);
  });

  test('keep a withdrawal of consent made while an import is running', async () => {
    await stores([{ number: KOFI, consent: ASKED }]);
    world.rightBefore('TransactWriteItems', () => world.outside.table.write(withdrawal()));
    const list = [{ number: KOFI, consent: { ...ASKED, how: 'Another list' } }];
    expectFailure(await stores(list), 503, 'busy');
    expect((await stores(list)).json.data).toMatchObject({ withdrawn: 1 });
    expect(await listed()).toMatchObject([{ consent: null, gets_marketing: false }]);
  });

  test('are stored a thousand at a time, and the request can be retried after a failure', async () => {
    const contacts = Array.from({ length: 1_000 }, (_, n) => ({ number: `055${String(n).padStart(7, '0')}` }));
    failWrite(world, 4);
    const headers = { 'idempotency-key': 'contacts-1' };
    expect((await stores(contacts, { headers })).status).toBe(500);
    const { json } = await stores(contacts, { headers });
    expect(json.data.added + json.data.unchanged).toBe(1_000);
    expect(json.data.unchanged).toBeGreaterThan(0);
    expect((await world.scan()).filter(({ pk }) => pk === `CONTACT#${merchant.id}`)).toHaveLength(1_000);
    expect((await stores(contacts, { headers })).json).toEqual(json);
  });

  test('are partly stored if the table is throttled, and the error says how many', async () => {
    const contacts = Array.from({ length: 100 }, (_, n) => ({ number: `055${String(n).padStart(7, '0')}` }));
    failWrite(world, 4, new PublicError('busy', 'Nothing was done.'));
    const { status, json } = await stores(contacts);
    expect({ status, message: json.message }).toEqual({
      status: 503,
      message: expect.stringContaining('Only 90 of 100 contacts have been stored so far'),
    });
    expect((await stores(contacts)).json.data).toMatchObject({ added: 10, unchanged: 90 });
  });

  test('are paginated and searchable by number', async () => {
    await agree(world, merchant.id, [KOFI, ESI, '+233241112223']);
    const first = await merchant.call('contact/list', { query: { per_page: '2' } });
    const next = { per_page: '2', cursor: first.json.meta.next };
    const second = await merchant.call('contact/list', { query: next });
    const numbers = [...first.json.data.contacts, ...second.json.data.contacts].map(({ number }) => number);
    expect({ numbers, next: second.json.meta.next }).toEqual({ numbers: [ESI, '+233241112223', KOFI], next: null });
    expect(await listed({ number: '055 111 2223' })).toMatchObject([{ number: KOFI }]);
    expect(await listed({ number: '0551119999' })).toEqual([]);
    expectBadFields(await merchant.call('contact/list', { query: { number: '12' } }), 'number');
  });

  test('are visible only to their own merchant and mode', async () => {
    await agree(world, merchant.id, [KOFI]);
    const other = await world.createMerchant();
    for (const key of [other.smsKey, merchant.smsTestKey]) expectFailure(await removes(KOFI, key), 404, 'not_found');
    expect((await removes('0551112223')).status).toBe(200);
    expect(await listed()).toEqual([]);
    for (const number of [KOFI, 'x']) expectFailure(await removes(number), 404, 'not_found');
    expect((await world.scan()).find(({ action }) => action === 'contact remove')?.about).toBe('…2223');
  });

  test.each([
    ['an invalid number', { number: '12' }, 'contacts[1].number'],
    [
      'a consent that does not say how it was given',
      { number: ESI, consent: { at: '2026-01-01' } },
      'contacts[1].consent.how',
    ],
    [
      'a consent dated in the future',
      { number: ESI, consent: { ...ASKED, at: '2099-01-01' } },
      'contacts[1].consent.at',
    ],
    [
      'a consent with an invalid time',
      { number: ESI, consent: { ...ASKED, at: 'yesterday' } },
      'contacts[1].consent.at',
    ],
    ['an empty name', { number: ESI, name: ' ' }, 'contacts[1].name'],
  ])('are all rejected if one has %s', async (_, bad, field) => {
    const answer = await stores([{ number: KOFI }, bad]);
    expectFailure(answer, 400, 'invalid_request');
    expect(answer.json.errors).toMatchObject([{ field }]);
    expect(await listed()).toEqual([]);
  });
});

describe('a marketing text', () => {
  test('is sent only with stored consent', async () => {
    await agree(world, merchant.id, [KOFI]);
    const answer = await sends({ to: [KOFI, ESI], purpose: 'marketing' });
    expectFailure(answer, 409, 'consent_missing');
    expect(answer.json.errors).toEqual([{ field: 'to[1]', message: `${ESI} has no stored consent` }]);
    expect({ balance: await merchant.balance(), sends: await merchant.sends() }).toEqual({ balance: 100, sends: [] });
    expect((await sends({ to: KOFI, purpose: 'marketing' })).status).toBe(200);
    for (const purpose of ['transactional', 'reminder']) expect((await sends({ to: ESI, purpose })).status).toBe(200);
  });

  test('is stored and checked for 50 recipients in one transaction', async () => {
    const numbers = Array.from({ length: 50 }, (_, n) => `+233551113${String(n).padStart(3, '0')}`);
    await agree(world, merchant.id, numbers);
    const legs: number[] = [];
    const { write } = world.outside.table;
    world.outside.table.write = (all) => {
      legs.push(all.length);
      return write(all);
    };
    const headers = { 'idempotency-key': 'market-1' };
    expect((await sends({ to: numbers, purpose: 'marketing' }, headers)).status).toBe(200);
    expect(Math.max(...legs)).toBe(53);
  });

  test.each([
    ['is withdrawn', () => withdrawal()],
    ['is deleted with its contact', () => [removeContact(merchant.id, KOFI)]],
  ])('fails without a debit if consent %s at the same moment', async (_, change) => {
    await agree(world, merchant.id, [KOFI, ESI]);
    world.rightBefore('TransactWriteItems', () => world.outside.table.write(change()));
    expectFailure(await sends({ to: [ESI, KOFI], purpose: 'marketing' }), 409, 'consent_missing');
    expect({ balance: await merchant.balance(), sends: await merchant.sends() }).toEqual({ balance: 100, sends: [] });
  });

  test('fails if the recipient sends STOP at the same moment', async () => {
    await agree(world, merchant.id, [KOFI]);
    world.rightBefore('TransactWriteItems', async () => {
      await wrote(world, 'STOP', merchant.id, KOFI);
      await agree(world, merchant.id, [KOFI]);
    });
    expectFailure(await sends({ to: KOFI, purpose: 'marketing' }), 409, 'recipient_opted_out');
    expect(await listed()).toMatchObject([{ gets_marketing: false, consent: { how: CONSENT.how } }]);
  });

  test('is rejected if the recipient sent STOP before becoming a contact', async () => {
    await wrote(world, 'STOP', merchant.id, KOFI);
    expect(await listed()).toEqual([]);
    await stores([{ number: KOFI, consent: ASKED }]);
    expectFailure(await sends({ to: KOFI, purpose: 'marketing' }), 409, 'recipient_opted_out');
    expect(await listed()).toMatchObject([{ gets_marketing: false }]);
  });

  test.each([
    ['withdrawn', () => withdrawal()],
    ['deleted', () => [removeContact(merchant.id, KOFI)]],
  ])('is cancelled and refunded if consent is %s before sending', async (_, change) => {
    await agree(world, merchant.id, [KOFI]);
    const { json } = await sends({ to: KOFI, purpose: 'marketing' });
    await world.outside.table.write(change());
    world.fetched.length = 0;
    await handOver(json.data.id);
    expect(world.fetched).toEqual([]);
    expect(await world.messageRow(json.data.id)).toMatchObject({ state: 'failed' });
    expect(await merchant.balance()).toBe(100);
  });

  test('is never sent at night, regardless of quiet_hours', async () => {
    await agree(world, merchant.id, [KOFI]);
    world.clock.nowMs = Date.UTC(2026, 5, 1, 21, 30);
    for (const quiet_hours of [undefined, 'none', '23:00-05:00'])
      expect((await sends({ to: KOFI, purpose: 'marketing', quiet_hours })).json.data.send_at).toBe(
        '2026-06-02T07:00:00.000Z',
      );
    expect((await sends({ to: KOFI, quiet_hours: 'none' })).json.data.send_at).toBeNull();
    expectBadFields(await sends({ to: KOFI, purpose: 'marketing', quiet_hours: '12:00-13:00' }), 'quiet_hours');
  });

  test.each([
    ['marketing', '20:58:30', 90],
    ['marketing', '07:00:00', 14 * 3600],
    ['reminder', '20:58:30', 24 * 3600],
  ])('with the purpose %s, sent at %s, waits on the phone for at most %i seconds', async (purpose, at, ttl) => {
    world.clock.nowMs = Date.parse(`2026-06-01T${at}Z`);
    await agree(world, merchant.id, [KOFI]);
    const { json } = await sends({ to: KOFI, purpose });
    world.fetched.length = 0;
    await handOver(json.data.id);
    expect(world.fetched).toMatchObject([{ body: { ttl } }]);
  });

  describe('after a failed first attempt', () => {
    let send_id: string;
    beforeEach(async () => {
      world.clock.nowMs = Date.UTC(2026, 5, 1, 20, 58);
      await agree(world, merchant.id, [KOFI]);
      send_id = (await sends({ to: KOFI, purpose: 'marketing' })).json.data.id;
      world.gateway = async () => Response.json({}, { status: 503 });
      await handOver(send_id);
      expect(await world.messageRow(send_id)).toMatchObject({ state: 'sending' });
      world.gateway = async () => Response.json({ state: 'Pending' }, { status: 202 });
      world.fetched.length = 0;
    });

    test('is sent by the second attempt', async () => {
      await handOver(send_id);
      expect(world.fetched).toHaveLength(1);
    });

    test('is not sent at night', async () => {
      world.clock.nowMs = Date.UTC(2026, 5, 1, 21, 1);
      await handOver(send_id);
      expect(world.fetched).toEqual([]);
      world.gateway = knowsNone;
      await world.housekeeping();
      expect(await world.messageRow(send_id)).toMatchObject({ state: 'sending' });
      world.clock.nowMs = Date.UTC(2026, 5, 1, 21, 10);
      await world.housekeeping();
      expect(await world.messageRow(send_id)).toMatchObject({ state: 'failed' });
      expect(await merchant.balance()).toBe(100);
    });

    test.each([
      ['STOP', () => wrote(world, 'STOP', merchant.id, KOFI)],
      ['consent is withdrawn', () => world.outside.table.write(withdrawal())],
    ])('is not sent after %s', async (_, change) => {
      await change();
      await handOver(send_id);
      expect(world.fetched).toEqual([]);
      world.gateway = knowsNone;
      world.clock.nowMs += 7 * 60 * 60 * 1000;
      await world.housekeeping();
      expect(await world.messageRow(send_id)).toMatchObject({ state: 'failed' });
      expect(await merchant.balance()).toBe(100);
    });
  });

  test('requires test-mode consent if sent with a test key', async () => {
    await agree(world, merchant.id, [KOFI]);
    const body = { to: KOFI, message: 'Half price', purpose: 'marketing' };
    const asked = () => world.call('sms/send', { key: merchant.smsTestKey, body });
    expectFailure(await asked(), 409, 'consent_missing');
    await stores([{ number: KOFI, consent: ASKED }], { key: merchant.smsTestKey });
    expect((await asked()).status).toBe(200);
    const rows = (await world.scan()).filter(({ pk }) => pk === `CONTACT#${testAccountIdOf(merchant.id)}`);
    expect(rows).toMatchObject([{ expires_at_epoch_seconds: expect.any(Number) }]);
  });
});

test.each([
  [undefined, '21:00-07:00'],
  ['22:00-06:00', '21:00-07:00'],
  ['20:00-08:00', '20:00-08:00'],
  ['20:00-22:00', '20:00-07:00'],
  ['06:00-09:00', '21:00-09:00'],
  ['07:00-08:00', '21:00-08:00'],
  ['18:00-21:00', '18:00-07:00'],
  ['12:00-13:00', undefined],
  ['07:00-21:00', undefined],
  ['06:00-22:00', undefined],
])('quiet hours of %s combined with the night are %s', (written, all) => {
  expect(withNight(written)).toBe(all);
});

const contact = (number: string) => ({ merchant_id: merchant.id, number });
const withdrawal = () => storeContact(world.outside, contact(KOFI), { consent: undefined });

function stores(contacts: readonly object[], { key = merchant.smsKey, headers = {} } = {}) {
  return world.call('contact/store', { key, headers, body: { contacts } });
}

async function listed(query: Record<string, string> = {}) {
  return (await merchant.call('contact/list', { query })).json.data.contacts;
}

function removes(number: string, key = merchant.smsKey) {
  return world.call('contact/remove', { key, parameters: { number } });
}

function sends(body: object, headers = {}) {
  return merchant.call('sms/send', { headers, body: { message: 'Half price', ...body } });
}

const agreed = () => stores([{ number: KOFI, consent: ASKED }]);

async function later(): Promise<true> {
  world.clock.nowMs += 24 * 60 * 60 * 1000;
  return true;
}

function erase(phone: string) {
  return eraseCustomer(deploymentOf(world), { phone }, { isForReal: true });
}

/** Sends a STOP and then a START. */
async function start(number: string): Promise<true> {
  await wrote(world, 'STOP', merchant.id, number);
  await wrote(world, 'START', merchant.id, number);
  return true;
}

async function handOver(send_id: string): Promise<void> {
  await world.work('deliver-sms', [{ send_id, index: 0 }]);
}

/** A gateway that knows none of our texts. */
const knowsNone: Scene['gateway'] = async ({ url }) => {
  const lastSeen = world.iso();
  return url.endsWith('/devices')
    ? Response.json([{ id: 'device-1', lastSeen, createdAt: lastSeen, updatedAt: lastSeen, name: 'phone' }])
    : Response.json({}, { status: 404 });
};

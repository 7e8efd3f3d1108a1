import { beforeEach, describe, expect, test } from 'vitest';
import { KEY_CACHE_SECONDS } from '../../../shared/merchants/merchant/api-key.table.ts';
import { removePerson } from '../../../shared/merchants/user/manage-users.ts';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { failMessage } from '../../../shared/texts/sms/text-outcome.ts';
import { removeApiKey, rollApiKey } from '../../support/actions.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

const KEY_REVOKED = 'The API key that sent it was revoked';
const PERSON_REMOVED = 'The person who sent it was removed from the team';
const TO = '0551112223';

let world: Scene;
let merchant: Merchant;
let owner: Person;
let cashier: Person;
let handedOver: number;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.createSender('+233241234567', 'device-1');
  merchant = await world.createMerchant({ credits: 100 });
  [owner, cashier] = await Promise.all([merchant.signIn('owner'), merchant.signIn('cashier')]);
  handedOver = 0;
  world.gateway = async () => {
    handedOver++;
    return Response.json({ state: 'Pending' }, { status: 202 });
  };
});

describe('a waiting text', () => {
  const bulk = { recipients: [{ to: TO }], message: 'Hello' };
  const many = { csv: `to\n${TO}`, message: 'Hello', step: 'send' };
  test.each<[string, () => Promise<unknown>, () => Promise<unknown>, string]>([
    ['its key is revoked', () => merchant.text({ send_at: world.iso(HOUR_MS) }), revokeKey, KEY_REVOKED],
    ['the key of its bulk is revoked', () => merchant.call('sms/bulk', { body: bulk }), revokeKey, KEY_REVOKED],
    ['its writer is removed', () => write({ send_at: world.iso(HOUR_MS) }), removeCashier, PERSON_REMOVED],
    ['its resender is removed', resend, removeCashier, PERSON_REMOVED],
    ['the writer of its bulk is removed', () => press('many', many), removeCashier, PERSON_REMOVED],
  ])('is refunded if %s', async (_, send, end, reason) => {
    await send();
    await end();
    const id = await deliverNewest();
    expect(await world.messageRow(id)).toMatchObject({ state: 'failed', failure_reason: reason });
    expect({ handedOver, balance: await merchant.balance() }).toEqual({ handedOver: 0, balance: 100 });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['its key is replaced', () => rollApiKey(world.outside, merchant.id, hint(), { overlap: '1h' })],
    ['another key is revoked', async () => revokeKey((await merchant.addKey('sms')).slice(-4))],
    ['another person is removed', removeCashier],
  ])('is sent if %s', async (_, end) => {
    await merchant.text({ send_at: world.iso(2 * HOUR_MS) });
    await end();
    await deliverNewest();
    expect(handedOver).toBe(1);
  });
});

test('an immediate text is sent without reading its writer’s row', async () => {
  await write({});
  await removeCashier();
  world.clock.nowMs += KEY_CACHE_SECONDS * 1000 - 1;
  await deliverNewest(0);
  expect(handedOver).toBe(1);
});

function hint(): string {
  return merchant.smsKey.slice(-4);
}

function revokeKey(last = hint()): Promise<unknown> {
  return removeApiKey(world.outside, merchant.id, last);
}

function removeCashier(): Promise<void> {
  return removePerson(world.outside, cashier.user, { by: owner.user.user_id });
}

async function press(page: string, form: Record<string, string>): Promise<void> {
  expect((await cashier.visit(`/dashboard/${page}`, { form })).status).toBe(303);
}

function write(more: Readonly<Record<string, string>>): Promise<void> {
  return press('texts/send', { to: TO, message: 'Hello', ...more });
}

/** Lets an owner's bulk text fail, and the cashier resend it. */
async function resend(): Promise<void> {
  const { json } = await merchant.call('sms/bulk', { body: { recipients: [{ to: TO }], message: 'Hello' } });
  const { id } = json.data;
  await failMessage(world.outside, { send_id: id, merchant_id: merchant.id }, 0, { reason: 'Refused' });
  world.clock.nowMs += 1_000;
  await press(`many/${id}/retry`, {});
}

/** Runs the job of the newest text, later than the key's cache remembers. */
async function deliverNewest(afterMs = 2 * HOUR_MS): Promise<string> {
  world.clock.nowMs += afterMs;
  const send_id = String((await merchant.sends()).at(-1)?.send_id);
  await world.work('deliver-sms', [{ send_id, index: 0, has_turn: true }]);
  return send_id;
}

import { expect, test } from 'vitest';
import type { Session } from '../../../shared/merchants/user/session.table.ts';
import type { SharedPhone } from '../../../shared/merchants/user/shared-phone.table.ts';
import { activityCookie, isPinSession, sharedPhoneCookie } from '../../../shared/merchants/user/shared-phone.ts';
import type { User } from '../../../shared/merchants/user/user.table.ts';
import { sha256 } from '../../../shared/runtime/values/sha256.ts';

const AT = '2026-11-20T10:00:00.000Z';
const outside = { baseUrl: 'https://kiosk.example.com', now: () => Date.parse(AT) };
const ids = { merchant_id: 'A'.repeat(26), phone_id: 'B'.repeat(26) };
const proof = { ...ids, key: 'k'.repeat(43), secret: 's'.repeat(43) };
const by_pin = { phone_id: ids.phone_id, set_at: AT, role: 'cashier', activity_key: 'activity' };
const session = { user_id: 'ama', hash: 'the session', by_pin } as Session;
const user = { user_id: 'ama', merchant_id: ids.merchant_id, role: 'cashier' } as User;
const phone = {
  ...ids,
  name: 'Counter',
  added_by: 'owner',
  added_at: AT,
  version: 1,
  expires_at_epoch_seconds: 4_000_000_000,
  key_hash: sha256(proof.key),
  secret_hash: sha256(proof.secret),
  session_hash: 'the session',
  used_at: AT,
  people: { ama: { pin: { salt: '', hash: '', set_at: AT } } },
} as SharedPhone;
const sent = [sharedPhoneCookie(outside, proof), activityCookie(outside, by_pin)].map((one) => one.split(';')[0] ?? '');

const isHeld = ({ on = phone, of = session, who = user, cookies = sent } = {}) =>
  isPinSession(outside, { session: of, user: who }, on, cookies);

test('a PIN session continues if nothing changes', () => {
  expect(isHeld()).toBe(true);
  expect(isHeld({ on: { ...phone, secret_hash: 'newer', earlier_secret_hash: sha256(proof.secret) } })).toBe(true);
});

test.each<[string, Parameters<typeof isHeld>[0]]>([
  ['somebody else has signed in since', { on: { ...phone, session_hash: 'another' } }],
  ['it belongs to another phone', { of: { ...session, by_pin: { ...by_pin, phone_id: 'C'.repeat(26) } } as Session }],
  ['the user belongs to another shop', { who: { ...user, merchant_id: 'D'.repeat(26) } }],
  ['the user has a new PIN', { of: { ...session, by_pin: { ...by_pin, set_at: 'before' } } as Session }],
  ['the user has a new role', { who: { ...user, role: 'manager' } }],
  ['it is used on another phone', { on: { ...phone, key_hash: 'other' } }],
  ['the phone has a new secret', { on: { ...phone, secret_hash: 'other' } }],
  ['the phone was copied', { on: { ...phone, copied_at: AT } }],
  ['the phone is no longer registered', { on: { ...phone, expires_at_epoch_seconds: 1 } }],
  ['the request identifies no phone', { cookies: sent.slice(1) }],
  ['no page was opened', { cookies: sent.slice(0, 1) }],
])('a PIN session ends if %s', (_, changed) => {
  expect(isHeld(changed)).toBe(false);
});

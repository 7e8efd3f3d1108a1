import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../../shared/merchants/audit/audit.table.ts';
import { giveRole, inviteAgain, removePerson, revokeSessions } from '../../../shared/merchants/user/manage-users.ts';
import { MAX_WRONG, MAX_WRONG_IN_MONTH, MAX_WRONG_OF_PHONE } from '../../../shared/merchants/user/pin-tries.ts';
import { listSessions } from '../../../shared/merchants/user/session.table.ts';
import { LINK_SECONDS, listSharedPhones, UNUSED_SECONDS } from '../../../shared/merchants/user/shared-phone.table.ts';
import { IDLE_SECONDS } from '../../../shared/merchants/user/shared-phone.ts';
import { listUsers, removeUser, requireUser, userRows } from '../../../shared/merchants/user/user.table.ts';
import { changeItem, type TableWrite } from '../../../shared/runtime/table/table.ts';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { newUlid } from '../../../shared/runtime/values/ids.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { allPages, noticeIn } from '../../support/dashboard.ts';
import type { TestPasskey } from '../../support/passkeys.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';
import { addPhone, codeFor, ON_PHONE, phoneLink, phonePage, TestPhone } from '../../support/shared-phone.ts';
import { addPasskey } from '../../support/sign-in.ts';

const TODAY = '/dashboard/today';
const PIN = '804917';
const WRONG = '804918';
let world: Scene;
let merchant: Merchant;
let owner: Person;
let ama: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant();
  owner = await merchant.signIn('owner');
  ama = await merchant.signIn('cashier');
});

/** Adds a phone on which the user has a PIN but nobody is signed in. */
async function phoneOf(person: Person, pin = PIN): Promise<TestPhone> {
  const phone = await addPhone(world, owner);
  await setPin(phone, person, pin);
  return phone;
}

async function setPin(phone: TestPhone, person: Person, pin = PIN): Promise<void> {
  expect((await phone.setPin(person, await codeFor(world, owner, person), pin)).status).toBe(303);
  await phone.change();
}

/** Adds a phone on which the user is signed in with a PIN. */
async function signedOn(person: Person): Promise<TestPhone> {
  const phone = await phoneOf(person);
  await phone.pin(person, PIN);
  return phone;
}

function cookieOf(phone: TestPhone, name = 'shared_phone'): string {
  const start = `__Host-${name}=`;
  return phone.cookies.find((one) => one.startsWith(start))?.slice(start.length) ?? '';
}

/** Submits the form that adds a phone. */
function enrol(link: string, phone = new TestPhone(world)) {
  return phone.visit(link, { form: {} });
}

/** Returns whether somebody is signed in on the phone. */
async function isIn(phone: TestPhone): Promise<boolean> {
  const { status } = await phone.visit(TODAY);
  // Signed-out users are redirected to the sign-in page.
  expect([200, 303]).toContain(status);
  return status === 200;
}

const later = (ms: number) => {
  world.clock.nowMs += ms;
};

describe('a shared phone', () => {
  test('lets several users set PINs and take turns', async () => {
    const kofi = await merchant.signIn('cashier');
    const phone = await phoneOf(ama);
    await setPin(phone, kofi, '592816');
    const answer = await phone.pin(ama, PIN, { next: '/dashboard/charges' });
    expect({ status: answer.status, location: answer.headers.location }).toEqual({
      status: 303,
      location: '/dashboard/charges',
    });
    expect((await phone.visit(TODAY)).text).toContain('Change<span class="unseen"> person');
    expect((await phone.change()).headers.location).toBe(ON_PHONE);
    expect(await isIn(phone)).toBe(false);
    expect((await phone.open()).text).toMatch(/Canary the cashier[\s\S]*Canary the cashier/);
    expect((await phone.pin(kofi, '592816')).status).toBe(303);
    expect(await isIn(phone)).toBe(true);
  });

  test('refreshes its page until a newly invited user appears', async () => {
    const phone = await addPhone(world, owner);
    const { text } = await phone.open();
    expect(text).toMatch(/<main [^>]*data-refresh="15"/);
    expect(text).toContain('http-equiv="refresh" content="15"');
    await codeFor(world, owner, ama);
    expect((await phone.open()).text).toContain(ama.user.name);
  });

  test('redirects signed-out users to its own sign-in page', async () => {
    const phone = await phoneOf(ama);
    const answer = await phone.visit('/dashboard/sign-in', { query: { next: '/dashboard/charges' } });
    expect(answer.headers.location).toBe(`${ON_PHONE}?next=%2Fdashboard%2Fcharges`);
    expect((await phone.open()).text).toContain('/dashboard/sign-in?passkey=1');
    expect((await phone.visit('/dashboard/sign-in', { query: { passkey: '1' } })).status).toBe(200);
  });

  test('stores no PIN, code, key or secret in plain text', async () => {
    const phone = await addPhone(world, owner);
    const code = await codeFor(world, owner, ama);
    await phone.setPin(ama, code, PIN);
    const [row] = await world.outside.table.list(`SHARED_PHONE#${merchant.id}`);
    const [key = '', secret = ''] = cookieOf(phone).split('.').slice(2);
    expect({ key: key.length, secret: secret.length }).toEqual({ key: 43, secret: 43 });
    expectWords(JSON.stringify([row, world.logged, world.noted]), [], [PIN, code, key, secret]);
  });

  test('reports failed sign-in attempts to the user', async () => {
    const phone = await phoneOf(ama);
    await phone.pin(ama, WRONG);
    await phone.pin(ama, WRONG);
    expect(noticeIn((await phone.pin(ama, PIN)).cookies)).toContain('A wrong PIN was entered for you 2 times');
  });

  test('appears next to the user in the audit log', async () => {
    const phone = await signedOn(ama);
    await phone.visit('/dashboard/charges/new', { form: { amount: '5', customer_name: 'Kofi Mensah' } });
    const offer = { to: '0551112223', message: 'Sale', purpose: 'marketing', agreed_how: 'Told us in the shop' };
    await world.createSender('+233241234567');
    await phone.visit('/dashboard/texts/send', { form: offer });
    const [{ phone_id } = { phone_id: '' }] = await listSharedPhones(world.outside, merchant.id);
    expect((await merchant.audit()).map(({ action, by, phone_id: on }) => [action, by, on])).toEqual(
      expect.arrayContaining([
        ['phone add', owner.user.user_id, undefined],
        ['phone enrol', owner.user.user_id, undefined],
        ['pin invite', owner.user.user_id, phone_id],
        ['pin set', ama.user.user_id, phone_id],
        ['charge create', ama.user.user_id, phone_id],
        ['contacts store', ama.user.user_id, phone_id],
      ]),
    );
    const { text } = await owner.visit('/dashboard/settings/audit');
    expect(text).toContain('Canary the cashier, on Till at the door');
  });

  const alike = ['000000', '121212', '808080', '112233', '123123'];
  test.each([...alike, '123456', '987654', '202611', '311299', '246802', '147258'])(
    'rejects the weak PIN %s',
    async (pin) => {
      const phone = await addPhone(world, owner);
      const code = await codeFor(world, owner, ama);
      const page = `${ON_PHONE}/person/${ama.user.user_id}`;
      expect((await phone.open(page)).text).toContain('Six digits. Avoid dates, years, patterns');
      const { status, text } = await phone.setPin(ama, code, pin);
      expect({
        status,
        saysEasyToGuess: /id="pin-error">Your new PIN is easy to guess, because it /.test(text),
      }).toEqual({
        status: 400,
        saysEasyToGuess: true,
      });
      // The form keeps the code for the next attempt, but never the PIN.
      expect({ keepsCode: text.includes(`value="${code}"`), keepsPin: text.includes(`value="${pin}"`) }).toEqual({
        keepsCode: true,
        keepsPin: false,
      });
      expect((await phone.setPin(ama, code, PIN)).status).toBe(303);
    },
  );

  test('requires a new PIN to be typed twice', async () => {
    const phone = await addPhone(world, owner);
    const code = await codeFor(world, owner, ama);
    for (const again of [WRONG, '']) expect((await phone.pin(ama, PIN, { code, again })).status).toBe(400);
    expect((await phone.pin(ama, '80491', { code, again: '80491' })).status).toBe(400);
    expect((await phone.setPin(ama, code, PIN)).status).toBe(303);
  });

  test('says whether the PIN or the code was wrong', async () => {
    const phone = await phoneOf(ama);
    expectWords((await phone.pin(ama, WRONG)).text, ['That PIN is wrong.'], [WRONG]);
    expect((await phone.setPin(ama, '00000000', PIN)).text).toContain('That code is wrong or has expired.');
  });
});

describe('a PIN session', () => {
  test('has at most a cashier’s permissions', async () => {
    const phone = await signedOn(owner);
    const opened: string[] = [];
    for (const { name, pattern, page } of await allPages()) {
      if (page.needs === 'nothing' || page.onSharedPhone) continue;
      const address = pattern.replace(/\{\w+\}/g, 'unknown');
      const { status } = await phone.visit(address, page.method === 'POST' ? { form: {} } : {});
      if (status !== 403) opened.push(`${name} ${page.needs}${page.needsFresh ? ' fresh' : ''}`);
    }
    const cashiers = / (charges:read|charges:write|receipts:read|texts:read|texts:send|credits:read|till:take)$/;
    expect(opened.filter((one) => !cashiers.test(one))).toEqual([]);
    expect(opened.length).toBeGreaterThan(40);
  });

  test.each([
    ['cannot read a balance', '/dashboard/settings/wallets'],
    ['cannot see the team', '/dashboard/settings/team'],
    ['cannot open the account page', '/dashboard/sign-in/account'],
    ['cannot confirm with a passkey', '/dashboard/sign-in/confirm'],
    ['cannot choose notifications', '/dashboard/app'],
    ['cannot add another phone', '/dashboard/shared-phones/add'],
  ])('started by an owner %s', async (_, path) => {
    const phone = await signedOn(owner);
    expectAnswer(await phone.visit(path), 403, 'This needs your passkey');
  });

  test('started by a viewer has no cashier permissions', async () => {
    const viewer = await merchant.signIn('viewer');
    const phone = await signedOn(viewer);
    expect(await isIn(phone)).toBe(true);
    for (const path of ['/dashboard/charges/new', '/dashboard/today/reports'])
      expect((await phone.visit(path)).status).toBe(403);
  });

  test('cannot switch to test mode', async () => {
    const phone = await signedOn(ama);
    expect((await phone.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test' } })).status).toBe(403);
  });

  test('expires after ten idle minutes, ignoring refreshes', async () => {
    const phone = await signedOn(ama);
    for (let n = 0; n < 3; n++) {
      later((IDLE_SECONDS - 2) * 1000);
      expect(await isIn(phone)).toBe(true);
    }
    for (let n = 0; n < 2; n++) {
      later((IDLE_SECONDS * 1000) / 2 - 1000);
      expect((await phone.visit(TODAY, { headers: { 'sec-fetch-mode': 'cors' } })).status).toBe(200);
    }
    later(3000);
    expect(await isIn(phone)).toBe(false);
  });

  test('ignores a forged time in the cookie', async () => {
    const phone = await signedOn(ama);
    const [, signature] = cookieOf(phone, 'active').split('.');
    later(IDLE_SECONDS * 1000);
    phone.keep('active', `${world.clock.nowMs.toString(36)}.${signature}`);
    expect(await isIn(phone)).toBe(false);
  });

  test('lasts at most twelve hours', async () => {
    const phone = await signedOn(ama);
    for (let n = 0; n < 12 * 10; n++) {
      await phone.visit(TODAY);
      later(6 * 60 * 1000);
    }
    expect(await isIn(phone)).toBe(false);
  });

  test.each<[string, (page: string) => Promise<unknown>]>([
    ['the owner removes the phone', (page) => post(page, 'end')],
    ['the owner signs the phone out', (page) => post(page, 'sign-out')],
    ['the user receives a new code', () => codeFor(world, owner, ama)],
    ['the user is removed', () => removePerson(world.outside, ama.user, { by: COMMAND_LINE })],
    ['the user’s role changes', () => giveRole(world.outside, ama.user, 'manager', { by: COMMAND_LINE })],
    ['the user receives a new invitation', () => inviteAgain(world.outside, ama.user, { by: COMMAND_LINE })],
    ['the user’s sessions are revoked', () => revokeSessions(world.outside, ama.user, { by: COMMAND_LINE })],
  ])('ends immediately when %s', async (_, happens) => {
    const phone = await signedOn(ama);
    expect(await isIn(phone)).toBe(true);
    await happens(await phonePage(world, owner));
    expect(await isIn(phone)).toBe(false);
  });

  test('ends when the next user signs in', async () => {
    const kofi = await merchant.signIn('cashier');
    const phone = await phoneOf(ama);
    await setPin(phone, kofi);
    await phone.pin(ama, PIN);
    const amas = phone.copy();
    await phone.pin(kofi, PIN);
    expect({ onAmasPhone: await isIn(amas), onThisPhone: await isIn(phone) }).toEqual({
      onAmasPhone: false,
      onThisPhone: true,
    });
  });

  test.each(['shared_phone', 'active'])('is rejected if the %s cookie is missing', async (name) => {
    const phone = await signedOn(ama);
    phone.forget(name);
    expect(await isIn(phone)).toBe(false);
  });

  const another = 'A'.repeat(43);
  test.each<[string, (cookie: string) => string]>([
    ['another key', (cookie) => cookie.replace(/[\w-]{43}\./, `${another}.`)],
    ['another secret', (cookie) => cookie.replace(/[\w-]{43}$/, another)],
    ['extra characters at the start', (cookie) => `x${cookie}`],
    ['extra characters at the end', (cookie) => `${cookie}x`],
  ])("is rejected if the phone's cookie has %s", async (_, change) => {
    const phone = await signedOn(ama);
    phone.keep('shared_phone', change(cookieOf(phone)));
    expect(await isIn(phone)).toBe(false);
    expect((await phone.pin(ama, PIN)).status).toBe(403);
  });

  test('is rejected on the shop’s other shared phones', async () => {
    const phone = await phoneOf(ama);
    const other = await addPhone(world, owner, 'Another');
    await phone.pin(ama, PIN);
    for (const name of ['session', 'active']) other.keep(name, cookieOf(phone, name));
    expect(await isIn(other)).toBe(false);
  });
});

async function usePasskey(phone: TestPhone, passkey: TestPasskey, path: string) {
  const { json } = await phone.visit('/dashboard/sign-in/challenge', { form: {} });
  expect((await phone.visit(path, { form: { credential: passkey.sign(json.challenge) } })).status).toBe(303);
}

const anyCookies: [string, (phone: TestPhone) => void][] = [
  ['', () => {}],
  [' even without the phone’s cookie', (phone) => phone.forget('shared_phone')],
];

describe('a passkey session on a shared phone', () => {
  test.each(anyCookies)('ends after 15 minutes%s, but not the user’s other sessions', async (_, change) => {
    const phone = await phoneOf(ama);
    const { passkey } = await addPasskey(world, owner);
    await usePasskey(phone, passkey, '/dashboard/sign-in');
    change(phone);
    later(HOUR_MS / 4 - 60_000);
    expect(await isIn(phone)).toBe(true);
    later(120_000);
    expect(await isIn(phone)).toBe(false);
    expect((await owner.visit(TODAY)).status).toBe(200);
  });

  test.each(anyCookies)('sets up nothing that outlives it%s', async (_, change) => {
    const phone = await phoneOf(ama);
    const { passkey } = await addPasskey(world, owner);
    await usePasskey(phone, passkey, '/dashboard/sign-in');
    change(phone);
    const subscription = { endpoint: 'https://push.example.com/1', keys: { p256dh: 'x', auth: 'y' } };
    const answers = {
      browser: await phone.visit('/dashboard/app/on', { form: { subscription: JSON.stringify(subscription) } }),
      text: await phone.visit('/dashboard/app/text', { form: { to: '0551112223', texts_per_day: '5' } }),
      passkey: (await addPasskey(world, { token: cookieOf(phone, 'session') })).answer,
    };
    const accepted = Object.entries(answers).filter(([, { text }]) => !text.includes('This is a shared phone'));
    expect(accepted.map(([name]) => name)).toEqual([]);
  });

  test('continues for 15 minutes after another use of the passkey', async () => {
    const phone = await phoneOf(ama);
    const { passkey } = await addPasskey(world, owner);
    await usePasskey(phone, passkey, '/dashboard/sign-in');
    later(HOUR_MS / 6);
    await usePasskey(phone, passkey, '/dashboard/sign-in/confirm');
    later(HOUR_MS / 6);
    expect(await isIn(phone)).toBe(true);
    later(HOUR_MS / 6);
    expect(await isIn(phone)).toBe(false);
  });

  test('lasts twelve hours once the phone is no longer shared', async () => {
    const phone = await phoneOf(ama);
    await post(await phonePage(world, owner), 'end');
    const { passkey } = await addPasskey(world, owner);
    await usePasskey(phone, passkey, '/dashboard/sign-in');
    later(HOUR_MS);
    expect(await isIn(phone)).toBe(true);
  });

  test('ends when somebody signs in with a PIN', async () => {
    const phone = await phoneOf(ama);
    phone.keep('session', owner.token);
    await phone.pin(ama, PIN);
    expect((await owner.visit(TODAY)).status).toBe(303);
  });
});

function post(page: string, what: string, by = owner) {
  return by.visit(`${page}/${what}`, { form: {} });
}

describe('a removed user’s PIN', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['was removed', () => removePerson(world.outside, ama.user, { by: COMMAND_LINE })],
    ['was invited again', () => inviteAgain(world.outside, ama.user, { by: COMMAND_LINE })],
  ])('is deleted from every phone if the user %s', async (_, happens) => {
    const phones = [await phoneOf(ama), await phoneOf(ama)];
    await happens();
    for (const phone of phones) expect((await phone.pin(ama, PIN)).status).toBe(422);
    for (const { people } of await listSharedPhones(world.outside, merchant.id))
      expect(Object.keys(people)).toEqual([owner.user.user_id]);
  });

  test('is deleted without changing other phones', async () => {
    await phoneOf(await merchant.signIn('cashier'));
    const before = await listSharedPhones(world.outside, merchant.id);
    await removePerson(world.outside, ama.user, { by: COMMAND_LINE });
    expect(await listSharedPhones(world.outside, merchant.id)).toEqual(before);
  });

  test.each<[string, () => readonly TableWrite[]]>([
    ['no longer in the team', () => removeUser(world.outside, ama.user)],
    ['in another shop’s team', () => [changeItem(userRows.key(ama.user), { merchant_id: newUlid(world.outside) })]],
  ])('is rejected if the user is %s', async (_, writes) => {
    const phone = await phoneOf(ama);
    await world.outside.table.write(writes());
    expect((await phone.pin(ama, PIN)).status).toBe(422);
  });

  test('cannot start a session while the phone is being removed', async () => {
    const phone = await phoneOf(ama);
    await Promise.all([phone.pin(ama, PIN), removePerson(world.outside, ama.user, { by: COMMAND_LINE })]);
    expect(await isIn(phone)).toBe(false);
    expect((await phone.pin(ama, PIN)).status).toBe(422);
  });
});

describe('guessing a PIN', () => {
  test('returns the same response for unknown users', async () => {
    const phone = await phoneOf(ama);
    const kofi = await merchant.signIn('cashier');
    const nobody = { user: { ...kofi.user, user_id: '01KATYQ6Z5C5J8YB4SFH1N3XQ2' } };
    const said = async (who: Pick<Person, 'user'>) => {
      const before = world.requests.length;
      const { status, text } = await phone.pin(who, WRONG);
      const [fault] = /That PIN is wrong\.|Too many[^<]*/.exec(text) ?? [];
      return [status, fault, world.requests.slice(before).filter((one) => one.includes('Write')).length];
    };
    const [one, two, three] = [await said(ama), await said(kofi), await said(nobody)];
    expect(two).toEqual(one);
    expect(three).toEqual(one);
  });

  test('is blocked after ten failures until an owner unlocks the phone', async () => {
    const phone = await phoneOf(ama);
    const began = world.clock.nowMs;
    const triedAfterHours: number[] = [];
    let entries: unknown[] = [];
    for (let n = 0; n < 150; n++) {
      if ((await phone.pin(ama, WRONG)).status === 422) {
        triedAfterHours.push(Math.floor((world.clock.nowMs - began) / HOUR_MS));
        // Read at once, because the audit log of the next month starts empty.
        entries = (await merchant.audit()).map(({ action, by, about }) => [action, by, about]);
      }
      later(HOUR_MS / 2);
    }
    expect(triedAfterHours).toEqual([0, 0, 1, 1, 2, 2, 3, 7, 19, 43]);
    expect(triedAfterHours).toHaveLength(MAX_WRONG);
    expectAnswer(await phone.pin(ama, PIN), 429, 'An owner can unlock this phone');
    expect(entries).toContainEqual(['phone lock', 'shared phone', ama.user.user_id]);
    await unlock();
    expect((await phone.pin(ama, PIN)).status).toBe(303);
  });

  async function unlock(): Promise<void> {
    owner = await merchant.signIn('owner');
    await post(await phonePage(world, owner), 'unlock');
  }

  test('is blocked for a minute after three failures', async () => {
    const phone = await phoneOf(ama);
    for (let n = 0; n < 3; n++) expect((await phone.pin(ama, WRONG)).status).toBe(422);
    expect((await phone.pin(ama, PIN)).status).toBe(429);
    later(60_000);
    expect((await phone.pin(ama, PIN)).status).toBe(303);
  });

  test('is limited to three parallel attempts', async () => {
    const phone = await phoneOf(ama);
    const guesses = Array.from({ length: 100 }, (_, n) => phone.copy().pin(ama, String(300_000 + n)));
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(3);
    const tries = (await listSharedPhones(world.outside, merchant.id))[0]?.people[ama.user.user_id]?.tries;
    expect(tries?.wrong).toBe(answers.filter(({ status }) => status === 422).length);
  });

  test('locks only the phone in use if many users are targeted', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => merchant.signIn('cashier')));
    const phone = await phoneOf(ama);
    for (const one of people) await codeFor(world, owner, one);
    const other = await addPhone(world, owner, 'Another');
    await setPin(other, ama);
    let tried = 0;
    for (const one of people) for (let n = 0; n < 2; n++) if ((await phone.pin(one, WRONG)).status === 422) tried++;
    expect(tried).toBe(MAX_WRONG_OF_PHONE);
    expect((await phone.pin(ama, PIN)).status).toBe(429);
    expect((await other.pin(ama, PIN)).status).toBe(303);
  });

  test('locks the phone after ten failures for unknown users', async () => {
    const phone = await phoneOf(ama);
    let tried = 0;
    for (let n = 0; n < 15; n++) {
      later(24 * HOUR_MS);
      const { user } = ama;
      const nobody = { user: { ...user, user_id: `${user.user_id.slice(0, 22)}${String(n).padStart(4, '0')}` } };
      if ((await phone.pin(nobody, WRONG)).status === 422) tried++;
    }
    expect(tried).toBe(MAX_WRONG);
  });

  test('is limited to forty failures a month even if correct PINs are entered in between', async () => {
    const phone = await phoneOf(ama);
    let tried = 0;
    for (let n = 0; n < 40; n++) {
      for (let guess = 0; guess < 2; guess++) if ((await phone.pin(ama, WRONG)).status === 422) tried++;
      if ((await phone.pin(ama, PIN)).status !== 303) break;
      await phone.change();
    }
    expect(tried).toBe(MAX_WRONG_IN_MONTH);
  });

  test('is limited like guessing a sign-in code', async () => {
    const phone = await addPhone(world, owner);
    const code = await codeFor(world, owner, ama);
    const wrong = code === '00000000' ? '00000001' : '00000000';
    let tried = 0;
    for (let n = 0; n < 100; n++) {
      later(12 * 60_000);
      if ((await phone.setPin(ama, wrong, PIN)).status === 422) tried++;
    }
    expect(tried).toBeLessThan(MAX_WRONG);
    expect(tried).toBeGreaterThan(5);
  });
});

describe('a stolen phone', () => {
  test('has PINs that cannot be guessed without the phone’s key', async () => {
    const phone = await phoneOf(ama);
    const [row] = await listSharedPhones(world.outside, merchant.id);
    const pin = row?.people[ama.user.user_id]?.pin;
    expect(pin?.hash).toMatch(/^[\w-]{43}$/);
    const [key = ''] = cookieOf(phone).split('.').slice(2);
    const { isPin } = await import('../../../shared/merchants/user/pin.ts');
    expect({
      withKey: await isPin(pin, PIN, key),
      withHashOfKey: await isPin(pin, PIN, createHash('sha256').update(key).digest('hex')),
    }).toEqual({ withKey: true, withHashOfKey: false });
  });

  test('is locked and shown as copied once a second browser signs in', async () => {
    const phone = await phoneOf(ama);
    const home = phone.copy();
    expect((await home.pin(ama, PIN)).status).toBe(303);
    await home.change();
    expect((await phone.pin(ama, PIN)).status).toBe(303);
    await phone.change();
    expectAnswer(await home.pin(ama, PIN), 403, 'Another browser has signed in as this phone');
    expect({ isSignedIn: await isIn(phone), status: (await phone.pin(ama, PIN)).status }).toEqual({
      isSignedIn: false,
      status: 403,
    });
    expect((await owner.visit('/dashboard/shared-phones')).text).toContain('Copied');
    expect((await merchant.audit()).filter(({ action }) => action === 'phone copied')).toHaveLength(1);
  });

  test('is not shown as copied after a lost response', async () => {
    const phone = await phoneOf(ama);
    for (let n = 0; n < 3; n++) await phone.copy().pin(ama, PIN);
    expect((await phone.pin(ama, PIN)).status).toBe(303);
  });

  test('is signed out when the next user signs in on the original phone', async () => {
    const phone = await signedOn(ama);
    const home = phone.copy();
    expect(await isIn(home)).toBe(true);
    await phone.change();
    expect(await isIn(home)).toBe(false);
  });

  test('stops working after 30 days without use', async () => {
    const phone = await phoneOf(ama);
    for (let n = 0; n < 3; n++) {
      later((UNUSED_SECONDS - 60) * 1000);
      expect((await phone.pin(ama, PIN)).status).toBe(303);
    }
    later(UNUSED_SECONDS * 1000);
    expect((await phone.pin(ama, PIN)).status).toBe(403);
    expect((await phone.open()).text).toContain('Not a shared phone');
  });

  test('can be removed by the owner', async () => {
    const phone = await phoneOf(ama);
    const page = await phonePage(world, owner);
    await post(page, 'end');
    expect((await post(page, 'unlock')).status).toBe(404);
    expectAnswer(await phone.pin(ama, PIN), 403, 'This browser is not set up as a shared phone, or no longer is');
    expect((await merchant.audit()).map(({ action }) => action)).toContain('phone end');
  });
});

describe('a shared phone’s record', () => {
  const onPhone = async () => (await listSharedPhones(world.outside, merchant.id))[0];
  const seconds = (after: number) => Math.floor(world.clock.nowMs / 1000) + after;
  const isoNow = () => world.iso();

  test("stores the phone's state and expiry", async () => {
    const link = await phoneLink(world, owner);
    const phone = new TestPhone(world);
    const code = {
      hash: expect.any(String),
      given_by: owner.user.user_id,
      ends_at_epoch_seconds: seconds(24 * 60 * 60),
    };
    const people = { [owner.user.user_id]: { code } };
    expect(await onPhone()).toEqual({
      merchant_id: merchant.id,
      phone_id: expect.any(String),
      name: 'Till at the door',
      version: 1,
      people,
      added_by: owner.user.user_id,
      added_at: isoNow(),
      link_hash: expect.any(String),
      expires_at_epoch_seconds: seconds(LINK_SECONDS),
    });
    later(1000);
    await enrol(link, phone);
    const enrolled = await onPhone();
    const { phone_id, key_hash, secret_hash, browser } = enrolled ?? {};
    const inUse = { used_at: isoNow(), expires_at_epoch_seconds: seconds(UNUSED_SECONDS) };
    expect(enrolled).toMatchObject({ ...inUse, version: 2 });
    expect(enrolled?.link_hash).toBeUndefined();
    expect(new Set([key_hash, secret_hash]).size).toBe(2);
    later(1000);
    await setPin(phone, ama);
    later(1000);
    await phone.pin(ama, PIN);
    const sessions = await listSessions(world.outside, ama.user.user_id);
    expect(sessions.map((one) => one.browser)).toContain('Shared phone Till at the door');
    const used = await onPhone();
    expect(used).toMatchObject({ used_at: isoNow(), key_hash, expires_at_epoch_seconds: seconds(UNUSED_SECONDS) });
    expect(used?.people[ama.user.user_id]).toMatchObject({ used_at: isoNow(), tries: { wrong: 0 } });
    expect(used?.people[ama.user.user_id]?.code).toBeUndefined();
    expect([used?.secret_hash, used?.earlier_secret_hash]).not.toContain(secret_hash);
    const page = await phonePage(world, owner);
    for (const what of ['sign-out', 'unlock', 'end']) {
      later(1000);
      await post(page, what);
    }
    const [by, on, name] = [owner.user.user_id, phone_id, 'Till at the door'];
    const set_at = used?.people[ama.user.user_id]?.pin?.set_at;
    const entry = { at: expect.any(String), merchant_id: merchant.id };
    const entries = (await merchant.audit()).filter(
      ({ action, about }) => /^(phone|pin) /.test(action) && about !== by,
    );
    expect(entries).toEqual(
      [
        { by, action: 'phone add', about: on, after: { name } },
        { by, action: 'phone enrol', about: on, after: { name, browser } },
        { by, action: 'pin invite', about: ama.user.user_id, phone_id: on },
        { at: set_at, by: ama.user.user_id, action: 'pin set', about: ama.user.user_id, phone_id: on },
        { by, action: 'phone sign-out', about: on },
        { by, action: 'phone unlock', about: on },
        { by, action: 'phone end', about: on, before: { name } },
      ].map((one) => expect.objectContaining({ ...entry, ...one })),
    );
  });

  test.each([
    ['a user, then for the phone', true],
    ['unknown users, then for the phone', false],
  ])('is locked for %s', async (_, isPersonFirst) => {
    const phone = await phoneOf(ama);
    const { phone_id } = (await onPhone()) ?? {};
    const stranger = { user: { ...ama.user, user_id: '01KATYQ6Z5C5J8YB4SFH1N3XQ2' } };
    for (const one of isPersonFirst ? [ama, stranger] : [stranger, ama])
      for (let n = 0; n < MAX_WRONG; n++) {
        later(24 * HOUR_MS);
        await phone.pin(one, WRONG);
      }
    // Ten failures for a user and ten for unknown users make twenty for the phone.
    const locks = (await world.scan()).filter(({ action }) => action === 'phone lock');
    expect(locks.toSorted((one, other) => String(one.at).localeCompare(String(other.at)))).toMatchObject([
      { by: 'shared phone', about: isPersonFirst ? ama.user.user_id : phone_id, phone_id },
      { by: 'shared phone', about: phone_id, phone_id },
    ]);
    later(1000);
    owner = await merchant.signIn('owner');
    await post(await phonePage(world, owner), 'unlock');
    const unlocked = await onPhone();
    expect(unlocked?.strangers).toBeUndefined();
    expect(unlocked?.people[ama.user.user_id]).toEqual({ pin: expect.any(Object), used_at: expect.any(String) });
  });

  test('returns 503 on a simultaneous change', async () => {
    const phone = await phoneOf(ama);
    world.rightBefore('TransactWriteItems', () => phone.copy().pin(ama, WRONG));
    expectAnswer(await phone.pin(ama, PIN), 503, 'Somebody else has just used or changed this phone. Nothing was done');
  });
});

describe('the link to add a shared phone', () => {
  test('is rejected if it was modified', async () => {
    const link = await phoneLink(world, owner);
    for (const path of [`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`, link.slice(0, -1), `${link}A`])
      expect((await enrol(path)).status).toBe(404);
    expect((await enrol(link)).status).toBe(303);
  });

  test('works once within 15 minutes', async () => {
    const link = await phoneLink(world, owner);
    for (let n = 0; n < 2; n++) expect((await new TestPhone(world).open(link)).status).toBe(200);
    const both: number[] = [];
    const send = async () => both.push((await enrol(link)).status);
    world.rightBefore('TransactWriteItems', send);
    await send();
    expect(both).toEqual([303, 404]);
    expect((await enrol(link)).status).toBe(404);
    const late = await phoneLink(world, owner);
    later(LINK_SECONDS * 1000);
    expect((await enrol(late)).status).toBe(404);
  });

  test('is rejected if the owner who gave it was removed', async () => {
    const giver = await merchant.signIn('owner');
    const [early, late] = [await phoneLink(world, giver), await phoneLink(world, giver)];
    expect((await enrol(early)).status).toBe(303);
    await removePerson(world.outside, giver.user, { by: COMMAND_LINE });
    expect((await enrol(late)).status).toBe(404);
  });

  test('does not let a thief see users or sign in', async () => {
    await phoneOf(ama);
    const thief = new TestPhone(world);
    await thief.visit(await phoneLink(world, owner), { form: {} });
    expect((await thief.open()).text).not.toContain(ama.user.name);
    expect((await thief.pin(ama, PIN)).status).toBe(422);
    expect((await thief.setPin(owner, '00000000', PIN)).status).toBe(422);
  });

  test('signs out the browser’s current user', async () => {
    const phone = new TestPhone(world);
    phone.keep('session', owner.token);
    expect(await isIn(phone)).toBe(true);
    const link = await phoneLink(world, owner);
    await enrol(link, phone);
    expect((await owner.visit(TODAY)).status).toBe(303);
  });

  test('is rejected if the phone belongs to another shop', async () => {
    const phone = await phoneOf(ama);
    const another = await world.createMerchant();
    const stranger = await another.signIn('owner');
    expectAnswer(
      await phone.visit(await phoneLink(world, stranger), { form: {} }),
      400,
      'is already set up as the shared phone',
    );
    expect((await phone.pin(ama, PIN)).status).toBe(303);
  });

  test('requires an owner with a recent passkey sign-in', async () => {
    for (const role of ['manager', 'cashier', 'viewer', 'developer'] as const) {
      const by = await merchant.signIn(role);
      for (const path of ['/dashboard/shared-phones', '/dashboard/shared-phones/add'])
        expect((await by.visit(path)).status).toBe(403);
      expect((await by.visit('/dashboard/shared-phones/add', { form: { name: 'Mine' } })).status).toBe(403);
    }
    later(HOUR_MS);
    const answer = await owner.visit('/dashboard/shared-phones/add', { form: { name: 'Mine' } });
    expect(answer.headers.location).toMatch(/^\/dashboard\/sign-in\/confirm/);
    expect(await listSharedPhones(world.outside, merchant.id)).toEqual([]);
  });

  test('is limited to five phones, excluding expired links', async () => {
    for (let n = 0; n < 5; n++) expect(await phoneLink(world, owner)).not.toBe('');
    const refused = await owner.visit('/dashboard/shared-phones/add', {
      form: { person: 'new', name: 'Yaw', phone: 'new', phone_name: 'Sixth' },
    });
    expectAnswer(refused, 400, 'A shop can have at most 5 shared phones. Remove one first.');
    later(LINK_SECONDS * 1000);
    expect(await phoneLink(world, { ...owner, ...(await world.signInAgain(owner.user)) })).not.toBe('');
  });
});

describe('a sign-in code for a shared phone', () => {
  const give = (form: Readonly<Record<string, string>>) => owner.visit('/dashboard/shared-phones/add', { form });
  const ofNew = { person: 'new', name: 'Yaw', phone: 'new', phone_name: 'Till' };

  test('can be created together with a cashier and a phone', async () => {
    const { text } = await give(ofNew);
    const [, link = ''] = /(\/dashboard\/sign-in\/phone\/add\/[\w.-]+)/.exec(text) ?? [];
    const [, ...halves] = /<p [^>]*>(\d{4}) (\d{4})</.exec(text) ?? [];
    const phone = new TestPhone(world);
    const { headers } = await enrol(link, phone);
    const [user_id = ''] = Object.keys((await listSharedPhones(world.outside, merchant.id))[0]?.people ?? {});
    expect(headers.location).toBe(`${ON_PHONE}/person/${user_id}`);
    const yaw = await requireUser(world.outside, user_id, merchant.id);
    expect({ name: yaw.name, role: yaw.role }).toEqual({ name: 'Yaw', role: 'cashier' });
    expect((await phone.setPin({ user: yaw }, halves.join(''), PIN)).status).toBe(303);
    expect(await isIn(phone)).toBe(true);
    expect((await merchant.audit()).map(({ action, about }) => [action, about])).toEqual(
      expect.arrayContaining([
        ['user invite', user_id],
        ['pin invite', user_id],
        ['phone add', expect.any(String)],
      ]),
    );
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['a new cashier without a name', { name: '' }, 'Name of the new cashier is missing'],
    [
      'both an existing person and a new name',
      { person: 'them' },
      'must be empty when you choose a person from the list',
    ],
    ['a new phone without a name', { phone_name: '' }, 'Name of the new phone is missing'],
  ])('is not created for %s', async (_, wrong, said) => {
    const person = wrong.person ? ama.user.user_id : 'new';
    expectAnswer(await give({ ...ofNew, ...wrong, person }), 400, said);
    expect(await listSharedPhones(world.outside, merchant.id)).toEqual([]);
    expect(await listUsers(world.outside, merchant.id)).toHaveLength(2);
  });

  test('is created once if the form is submitted twice', async () => {
    const { text } = await owner.visit('/dashboard/shared-phones/add');
    const [, once = ''] = /name="once" value="([^"]+)"/.exec(text) ?? [];
    expect((await give({ ...ofNew, once })).status).toBe(200);
    expect((await give({ ...ofNew, once })).headers.location).toBe('/dashboard/shared-phones');
    expect(await listSharedPhones(world.outside, merchant.id)).toHaveLength(1);
    expect(await listUsers(world.outside, merchant.id)).toHaveLength(3);
  });

  test('works once and expires after a day', async () => {
    const phone = await addPhone(world, owner);
    const code = await codeFor(world, owner, ama);
    expect((await phone.setPin(ama, code, PIN)).status).toBe(303);
    expect((await phone.setPin(ama, code, '592816')).status).toBe(422);
    const inTime = await codeFor(world, owner, ama);
    later(24 * HOUR_MS - 60_000);
    expect((await phone.setPin(ama, inTime, PIN)).status).toBe(303);
    await phone.change();
    owner = { ...owner, ...(await world.signInAgain(owner.user)) };
    const late = await codeFor(world, owner, ama);
    later(24 * HOUR_MS);
    expect((await phone.setPin(ama, late, PIN)).status).toBe(422);
  });

  test('is rejected if the owner who gave it was removed', async () => {
    const giver = await merchant.signIn('owner');
    const phone = await addPhone(world, owner);
    const code = await codeFor(world, giver, ama);
    await removePerson(world.outside, giver.user, { by: COMMAND_LINE });
    expectAnswer(await phone.setPin(ama, code, PIN), 422, 'That code is wrong or has expired.');
    expect((await phone.setPin(ama, await codeFor(world, owner, ama), PIN)).status).toBe(303);
  });

  test('works for one user on one phone', async () => {
    const phone = await addPhone(world, owner);
    const kofi = await merchant.signIn('cashier');
    const code = await codeFor(world, owner, ama);
    expect((await phone.setPin(kofi, code, PIN)).status).toBe(422);
    const other = await addPhone(world, owner);
    expect((await other.setPin(ama, code, PIN)).status).toBe(422);
    expect((await phone.setPin(ama, code, PIN)).status).toBe(303);
  });

  test('can be created only for team members', async () => {
    await addPhone(world, owner);
    const another = await world.createMerchant();
    const theirs = await another.signIn('cashier');
    expect(await codeFor(world, owner, theirs)).toBe('');
    const stranger = await another.signIn('owner');
    expect(await codeFor(world, stranger, theirs, await phonePage(world, owner))).toBe('');
  });
});

describe('cross-site forms', () => {
  test.each(['add', 'person', 'change'])('cannot add a phone or change its user: %s', async (what) => {
    const phone = await phoneOf(ama);
    if (what === 'change') await phone.pin(ama, PIN);
    const paths = {
      add: await phoneLink(world, owner),
      person: `${ON_PHONE}/person/${ama.user.user_id}`,
      change: `${ON_PHONE}/change`,
    };
    const path = Object.entries(paths).find(([name]) => name === what)?.[1] ?? '';
    const form: Record<string, string> = what === 'person' ? { pin: PIN } : {};
    const { status } = await phone.visit(path, { form, headers: { 'sec-fetch-site': 'cross-site' } });
    expect({ status, isSignedIn: await isIn(phone) }).toEqual({ status: 403, isSignedIn: what === 'change' });
  });
});

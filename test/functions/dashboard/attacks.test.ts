import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '../../../functions/dashboard/sign-in.ts';
import { COMMAND_LINE } from '../../../shared/merchants/audit/audit.table.ts';
import { KEY_CACHE_SECONDS } from '../../../shared/merchants/merchant/api-key.table.ts';
import { showApiKeys } from '../../../shared/merchants/merchant/manage-keys.ts';
import { CHALLENGE_SECONDS } from '../../../shared/merchants/user/challenge.table.ts';
import { createDevice, devicesOf } from '../../../shared/merchants/user/device.table.ts';
import { dropPasskey } from '../../../shared/merchants/user/manage-access.ts';
import { giveRole, inviteAgain, inviteUser, removePerson } from '../../../shared/merchants/user/manage-users.ts';
import { listPasskeys } from '../../../shared/merchants/user/passkey.table.ts';
import type { Role } from '../../../shared/merchants/user/permissions.ts';
import { startSession } from '../../../shared/merchants/user/session.ts';
import { asMaker, listUsers, requireUser, type User } from '../../../shared/merchants/user/user.table.ts';
import { safeNext } from '../../../shared/pages/dashboard/parts/addresses.ts';
import { expectAnswer } from '../../support/answers.ts';
import { type PageCall, visit } from '../../support/dashboard.ts';
import { newPasskey, type TestPasskey } from '../../support/passkeys.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';
import { addPhone, codeFor, phoneLink } from '../../support/shared-phone.ts';
import { accept, addPasskey, newChallenge, signInBy, tokenIn } from '../../support/sign-in.ts';

const SIGN_IN = '/dashboard/sign-in';
const TEAM = '/dashboard/settings/team';
const BY = { by: COMMAND_LINE };
let world: Scene;
let merchant: Merchant;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant();
  owner = await merchant.signIn('owner');
});

describe('the return URL after sign-in', () => {
  test.each([
    'https://evil.example.com/dashboard/x',
    '//evil.example.com/dashboard/x',
    '/\\evil.example.com/dashboard/x',
    '\\\\evil.example.com',
    'javascript:alert(1)',
    '/dashboard/../../evil',
    '/dashboard',
    'dashboard/x',
    '/\t/evil.example.com/dashboard/',
    'https:/dashboard/x',
    'https:dashboard/x',
    `/dashboard/${'x'.repeat(3_000)}`,
    '',
    undefined,
  ])('falls back to the start page if it is %j', (next) => {
    expect(safeNext(next)).toMatch(/^\/dashboard\/(sign-in|x)$/);
  });

  test('is kept if it is a dashboard page', () => {
    const page = '/dashboard/charges?status=success&x=%2F%2Fevil';
    expect(safeNext(page)).toBe(page);
  });
});

describe('sessions under attack', () => {
  test('replace a planted token with a new one at sign-in', async () => {
    const { passkey, user } = await invited('Efua');
    const planted = `${user}.${'A'.repeat(43)}`;
    const answer = await signInBy(world, passkey, { cookies: [`__Host-session=${planted}`] });
    const cookie = answer.cookies.find((one) => one.startsWith('__Host-session='));
    const fresh = /^__Host-session=[\w]{26}\.[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/;
    expect(cookie).toMatch(fresh);
    expect(cookie).not.toContain(planted);
    expect((await world.visit('/dashboard/today', { cookies: [`__Host-session=${planted}`] })).status).toBe(303);
  });

  test("reject a cookie with another user's id", async () => {
    const other = await merchant.signIn('viewer');
    const [, secret] = owner.token.split('.');
    const mixed = { ...owner, token: `${other.user.user_id}.${secret}` };
    expect((await mixed.visit('/dashboard/today')).status).toBe(303);
  });

  test('cannot be resumed with a stolen cookie after sign-out', async () => {
    await owner.visit(`${SIGN_IN}/sign-out`, { form: {} });
    expect((await owner.visit('/dashboard/today')).status).toBe(303);
  });

  test('are rejected once their user is removed', async () => {
    const cashier = await merchant.signIn('cashier');
    await removePerson(world.outside, cashier.user, BY);
    const again = await world.signInAgain(cashier.user);
    for (const by of [cashier, again]) expect((await by.visit('/dashboard/today')).status).toBe(303);
  });

  test('can be ended only by their own user', async () => {
    const other = await world.signInAgain(owner.user);
    const stranger = await merchant.signIn('owner');
    const { text } = await other.visit(`${SIGN_IN}/account`);
    const hashes = [...text.matchAll(/account\/session\/(\w+)\/end/g)].map(([, hash]) => hash);
    expect(hashes).toHaveLength(1);
    const path = `${SIGN_IN}/account/session/${hashes[0]}/end`;
    expect((await stranger.visit(path, { form: {} })).status).toBe(404);
    expect((await owner.visit('/dashboard/today')).status).toBe(200);
    await other.visit(path, { form: {} });
    expect((await owner.visit('/dashboard/today')).status).toBe(303);
  });

  test('are stored without their tokens', async () => {
    const rows = await world.outside.table.list(`SESSION#${owner.user.user_id}`);
    expect(JSON.stringify(rows)).not.toContain(owner.token.split('.')[1]);
  });
});

describe('passkeys under attack', () => {
  test.each<[string, Parameters<TestPasskey['sign']>[1]]>([
    ['for another origin', { origin: 'https://evil.example.com' }],
    ['inside a frame on another site', { crossOrigin: true }],
    ['for another host', { host: 'evil.example.com' }],
    ['without user verification', { isVerified: false }],
    ['as a registration instead of a sign-in', { type: 'webauthn.create' }],
    ['with another key', { forges: true }],
    ['with another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ])('are rejected if the response was signed %s', async (_, how) => {
    const { passkey } = await invited('Efua');
    const answer = await signInBy(world, passkey, {}, how);
    expect({
      status: answer.status,
      hasSession: answer.cookies.some((one) => one.startsWith('__Host-session=')),
    }).toEqual({ status: 400, hasSession: false });
  });

  test('cannot use a challenge twice', async () => {
    const { passkey } = await invited('Efua');
    const { challenge, cookie } = await newChallenge(world);
    const form = { credential: passkey.sign(challenge) };
    const first = await world.visit(SIGN_IN, { form, cookies: [cookie] });
    const second = await world.visit(SIGN_IN, { form, cookies: [cookie] });
    expect({ first: first.status, second: second.status }).toEqual({ first: 303, second: 400 });
  });

  test('are rejected if the response is late or from a different browser', async () => {
    const { passkey } = await invited('Efua');
    const { challenge, cookie } = await newChallenge(world);
    const form = { credential: passkey.sign(challenge) };
    expect((await world.visit(SIGN_IN, { form })).status).toBe(400);
    const other = await newChallenge(world);
    expect((await world.visit(SIGN_IN, { form, cookies: [other.cookie] })).status).toBe(400);
    world.clock.nowMs += CHALLENGE_SECONDS * 1000;
    expect((await world.visit(SIGN_IN, { form, cookies: [cookie] })).status).toBe(400);
  });

  test('are rejected if their counter does not increase', async () => {
    const { passkey } = await invited('Efua');
    expect((await signInBy(world, passkey, {}, { counter: 7 })).status).toBe(303);
    expect((await signInBy(world, passkey, {}, { counter: 7 })).status).toBe(400);
    expect((await signInBy(world, passkey, {}, { counter: 8 })).status).toBe(303);
  });

  test('are rejected once their user is removed', async () => {
    const { passkey, user } = await invited('Efua', 'manager');
    await removePerson(world.outside, await requireUser(world.outside, user), BY);
    expect((await signInBy(world, passkey)).status).toBe(400);
  });

  test('cannot refresh a colleague’s session', async () => {
    const { passkey } = await invited('Efua');
    const { challenge, cookie } = await newChallenge(world);
    const form = { credential: passkey.sign(challenge) };
    const answer = await owner.visit(`${SIGN_IN}/confirm`, { form, cookies: [cookie] });
    expectAnswer(answer, 400, 'This passkey belongs to somebody else. Use your own.');
  });

  test.each(['', '{}', '[]', 'null', '{"id":"x"}', 'x'.repeat(9_000), `{"id":"${'A'.repeat(3_000)}"}`])(
    'are rejected if the credential is malformed: %#',
    async (credential) => {
      const { cookie } = await newChallenge(world);
      expect((await world.visit(SIGN_IN, { form: { credential }, cookies: [cookie] })).status).toBe(400);
    },
  );
});

describe('invitations', () => {
  test('can be opened repeatedly but used only once', async () => {
    const { token } = await invite('Efua');
    for (let n = 0; n < 3; n++) expect((await world.visit(`${SIGN_IN}/invitation/${token}`)).status).toBe(200);
    expect((await accept(world, token)).answer.status).toBe(303);
    expect((await accept(world, token)).answer.status).toBe(404);
    expect((await world.visit(`${SIGN_IN}/invitation/${token}`)).status).toBe(404);
  });

  test('are used once if two people submit the form simultaneously', async () => {
    const { token } = await invite('Efua');
    const both = await Promise.all([accept(world, token), accept(world, token)]);
    expect(both.map(({ answer }) => answer.status).sort()).toEqual([303, 404]);
  });

  test.each([
    [191, 303],
    // An id of 192 bytes does not fit into the URL that removes a passkey.
    [192, 400],
    [1_023, 400],
  ])('with a passkey id of %d bytes return %d', async (bytes, status) => {
    const { token } = await invite('Efua');
    expect((await accept(world, token, bytes)).answer.status).toBe(status);
  });

  test.each([
    ['owner', 15],
    ['manager', 15],
    ['developer', 15],
    ['cashier', 24 * 60],
    ['viewer', 24 * 60],
  ] as const)('for the %s role expire after %d minutes', async (role, minutes) => {
    const [early, late] = [await invite('Yaw', role), await invite('Efua', role)];
    world.clock.nowMs += minutes * 60_000 - 5_000;
    expect((await accept(world, early.token)).answer.status).toBe(303);
    world.clock.nowMs += 5_000;
    expectAnswer(await world.visit(`${SIGN_IN}/invitation/${late.token}`), 404, 'Ask for a new one');
    expectAnswer((await accept(world, late.token)).answer, 404, 'Ask for a new one');
  });

  test.each([
    ['has since become an owner', (user: User) => giveRole(world.outside, user, 'owner', BY)],
    ['has since been removed', (user: User) => removePerson(world.outside, user, BY)],
  ])('are rejected if the invited cashier %s', async (_, happens) => {
    const { token, user } = await invite('Yaw', 'cashier');
    await happens(user);
    expect((await accept(world, token)).answer.status).toBe(404);
  });

  test.each([
    ['was removed', (user: User) => removePerson(world.outside, user, BY)],
    ['may no longer invite', (user: User) => giveRole(world.outside, user, 'manager', BY)],
  ])('are rejected if the person who sent them %s', async (_, happens) => {
    const { user } = await merchant.signIn('owner');
    const person = { name: 'Yaw', role: 'cashier', merchant_id: merchant.id } as const;
    const [early, late] = await Promise.all(
      ['one', 'two'].map(() => inviteUser(world.outside, person, { by: user.user_id })),
    );
    expect((await accept(world, early?.token ?? '')).answer.status).toBe(303);
    await happens(user);
    expect((await accept(world, late?.token ?? '')).answer.status).toBe(404);
  });

  test('never store or log their token', async () => {
    const { token, user } = await invite('Efua');
    await accept(world, token);
    const rows = await merchant.audit();
    expect(rows.map(({ action, by }) => [action, by])).toContainEqual(['passkey add', user.user_id]);
    expect(JSON.stringify([rows, world.noted, world.logged])).not.toContain(token);
  });

  test('stop working once a newer invitation is created', async () => {
    const { token: first, user } = await invite('Efua');
    const second = await inviteAgain(world.outside, user, BY);
    expect((await world.visit(`${SIGN_IN}/invitation/${first}`)).status).toBe(404);
    expect((await accept(world, first)).answer.status).toBe(404);
    expect((await accept(world, second)).answer.status).toBe(303);
  });

  test('stop working on an open page once they are replaced', async () => {
    const { token: first, user } = await invite('Efua');
    const [, second] = await Promise.all([accept(world, first), inviteAgain(world.outside, user, BY)]);
    expect((await accept(world, second)).answer.status).toBe(303);
    expect((await accept(world, first)).answer.status).toBe(404);
  });

  test('disable the lost passkey that they replace', async () => {
    const { person: lost, passkey: old } = await invited('Efua');
    const session = await world.signInAgain(lost);
    const token = await inviteAgain(world.outside, lost, BY);
    expect((await signInBy(world, old)).status).toBe(400);
    expect((await session.visit('/dashboard/today')).status).toBe(303);
    const { answer, passkey } = await accept(world, token);
    expect(answer.status).toBe(303);
    expect((await signInBy(world, passkey)).status).toBe(303);
  });
});

describe('a stolen session', () => {
  test('loses a passkey added while a new sign-in link is created', async () => {
    const { person: lost } = await invited('Efua');
    const stolen = await world.signInAgain(lost);
    const another = await passkeyMaker(stolen);
    world.rightBefore('TransactWriteItems', async () => expect((await another.send()).status).toBe(303));
    await inviteAgain(world.outside, lost, BY);
    expect(await listPasskeys(world.outside, lost.user_id)).toEqual([]);
    expect((await signInBy(world, another.passkey)).status).toBe(400);
  });

  test('cannot add a passkey after a new sign-in link is created', async () => {
    const { person: lost } = await invited('Efua');
    const another = await passkeyMaker(await world.signInAgain(lost));
    world.rightBefore('TransactWriteItems', () => inviteAgain(world.outside, lost, BY));
    expect((await another.send()).status).toBe(400);
    expect(await listPasskeys(world.outside, lost.user_id)).toEqual([]);
  });

  async function passkeyMaker(by: Person) {
    const { challenge, cookie } = await newChallenge(world);
    const passkey = newPasskey(world.outside.baseUrl, Buffer.from(by.user.user_id).toString('base64url'));
    const form = { credential: passkey.make(challenge) };
    return { passkey, send: () => by.visit(`${SIGN_IN}/account/passkey`, { form, cookies: [cookie] }) };
  }
});

describe('a stolen phone', () => {
  test('is signed out, and notified no longer, once its passkey is removed', async () => {
    const { passkey, user } = await invited('Efua');
    const thief = await signedInBy(passkey);
    const efua = await signedInBy((await addPasskey(world, await signedInBy(passkey))).passkey);
    const [stolen = ''] = (await requireUser(world.outside, user)).passkeys ?? [];
    const device = { merchant_id: merchant.id, user_id: user, slot: '1', device_id: 'x', credential_id: stolen };
    const settings = { kinds: [], shows_details: false, created_at: world.iso() };
    await world.outside.table.write([createDevice({ ...device, ...settings })]);
    expectAnswer(await efua.visit(`${SIGN_IN}/account`), 200, '3 browsers');
    await efua.visit(`${SIGN_IN}/account/passkey/${stolen}/remove`, { form: {} });
    expect((await thief.visit('/dashboard/today')).status).toBe(303);
    expect((await efua.visit('/dashboard/today')).status).toBe(200);
    expect(await devicesOf(world.outside, device)).toEqual([]);
  });

  test('is signed out even if the row of its session is left over', async () => {
    const { passkey, user } = await invited('Efua');
    await addPasskey(world, await signedInBy(passkey));
    const [credential_id = ''] = (await requireUser(world.outside, user)).passkeys ?? [];
    await dropPasskey(world.outside, user, credential_id);
    const { token, write } = startSession(world.outside, { user_id: user }, { browser: 'Left over', credential_id });
    await world.outside.table.write([write]);
    expect((await world.visit('/dashboard/today', { by: { token } })).status).toBe(303);
  });
});

describe('a link or code from a thief’s session', () => {
  test.each<[string, (user: User) => Promise<unknown>]>([
    ['the owner gets a new link', (user) => inviteAgain(world.outside, user, BY)],
    [
      'the stolen passkey is removed',
      ({ user_id, passkeys = [] }) => dropPasskey(world.outside, user_id, passkeys[0] ?? ''),
    ],
  ])('is void once %s', async (_, end) => {
    const { passkey, user } = await invited('Efua');
    const thief = await signedInBy(passkey);
    await addPasskey(world, thief);
    const { text } = await thief.visit(`${TEAM}/invite`, { form: { name: 'Eve', role: 'owner' } });
    const [, token = ''] = /invitation\/([\w.-]+)/.exec(text) ?? [];
    const link = await phoneLink(world, { ...owner, token: thief.token });
    const phone = await addPhone(world, owner);
    const code = await codeFor(world, { ...owner, token: thief.token }, owner);
    const opened = async () => ({
      invitation: (await world.visit(`${SIGN_IN}/invitation/${token}`)).status,
      phone: (await world.visit(link)).status,
    });
    expect(await opened()).toEqual({ invitation: 200, phone: 200 });
    await end(await requireUser(world.outside, user));
    const { status } = await phone.setPin(owner, code, '804917');
    expect({ ...(await opened()), code: status }).toEqual({ invitation: 404, phone: 404, code: 422 });
  });

  test('is valid if owners give themselves a new link', async () => {
    const [{ passkey, user }] = await Promise.all([invited('Efua'), addPasskey(world, owner)]);
    const { text } = await (await signedInBy(passkey)).visit(`${TEAM}/${user}/link`, { form: {} });
    const [, token = ''] = /invitation\/([\w.-]+)/.exec(text) ?? [];
    expect((await accept(world, token)).answer.status).toBe(303);
  });
});

describe('a removed developer’s keys', () => {
  const KEYS = '/dashboard/developers/keys/new/live';
  const KEPT = 'keep working until somebody revokes them';
  test.each<[string, Record<string, string>, number]>([
    ['stop working', {}, 401],
    ['keep working if an owner takes them over', { keep_keys: 'on' }, 200],
  ])('%s', async (_, form, status) => {
    const developer = await merchant.signIn('developer');
    const { text } = await developer.visit(KEYS, { form: { mode: 'real' } });
    const [liveKey = ''] = /sk_live_\w+/.exec(text) ?? [];
    const path = `${TEAM}/${developer.user.user_id}`;
    expectAnswer(await owner.visit(path), 200, `…${liveKey.slice(-4)}`, 'A webhook that they set stays', KEPT);
    await owner.visit(`${path}/remove`, { form });
    world.clock.nowMs += KEY_CACHE_SECONDS * 1000;
    const answer = await merchant.call.call({ ...merchant, liveKey }, 'transaction/list');
    expect(answer.status).toBe(status);
    const maker = status === 200 ? owner : developer;
    expectAnswer(await owner.visit('/dashboard/developers'), 200, maker.user.name);
  });

  test.each<[string, Role, Record<string, string>, number, boolean]>([
    ['stop working, however many there are', 'developer', {}, 303, false],
    ['keep working if there are too many to take over', 'developer', { keep_keys: 'on' }, 400, true],
    ['keep working if their maker is the last owner', 'owner', {}, 400, true],
  ])('%s', async (_, role, form, status, areKept) => {
    const maker = await merchant.signIn(role);
    if (role === 'owner') await addPasskey(world, maker);
    for (let n = 0; n < 101; n++) await merchant.addKey('live', { madeBy: asMaker(maker.user) });
    const path = `${TEAM}/${maker.user.user_id}`;
    expect((await owner.visit(path)).status).toBe(200);
    expect((await owner.visit(`${path}/remove`, { form })).status).toBe(status);
    const made = (await showApiKeys(world.outside, merchant.id)).filter(
      ({ made_by }) => made_by === maker.user.user_id,
    );
    expect(made.filter(({ revoked_at }) => revoked_at === null)).toHaveLength(areKept ? 101 : 0);
  });
});

describe('team changes', () => {
  test.each([
    ['remove', {}],
    ['demote', { role: 'viewer' }],
    ['lock out', {}],
  ])('cannot %s the last owner with a passkey, even if another owner is invited', async (how, form) => {
    const { passkey } = await addPasskey(world, owner);
    await invite('Efua', 'owner');
    const action = { remove: 'remove', demote: 'role', 'lock out': 'link' }[how];
    const answer = await owner.visit(`${TEAM}/${owner.user.user_id}/${action}`, { form });
    expectAnswer(answer, 400, 'needs at least one owner with a passkey');
    expect((await signInBy(world, passkey)).status).toBe(303);
  });

  test('can remove the first owner once another owner has a passkey', async () => {
    await addPasskey(world, owner);
    await accept(world, (await invite('Efua', 'owner')).token);
    const path = `${TEAM}/${owner.user.user_id}`;
    expectAnswer(await owner.visit(path), 200, 'People and phones that they added stay');
    expect((await owner.visit(`${path}/remove`, { form: {} })).status).toBe(303);
  });

  test('keep one owner if two owners remove each other', async () => {
    const both = await Promise.all(['Efua', 'Esi'].map((name) => invited(name)));
    const answers = await Promise.allSettled(
      both.map(async ({ user }) => removePerson(world.outside, await requireUser(world.outside, user), BY)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('keep one passkey if two passkeys are removed at the same time', async () => {
    const { passkey, user } = await invited('Efua');
    const efua = await signedInBy(passkey);
    await addPasskey(world, efua);
    const ids = (await listPasskeys(world.outside, user)).map(({ credential_id }) => credential_id);
    const remove = (id: string) => efua.visit(`${SIGN_IN}/account/passkey/${id}/remove`, { form: {} });
    expect((await Promise.all(ids.map(remove))).map(({ status }) => status).sort()).toEqual([303, 400]);
    expect(await listPasskeys(world.outside, user)).toHaveLength(1);
  });

  test('are possible again after the operator invites the last owner again', async () => {
    const { user, person } = await invited('Efua');
    await accept(world, await inviteAgain(world.outside, person, BY));
    await accept(world, (await invite('Esi', 'owner')).token);
    await removePerson(world.outside, await requireUser(world.outside, user), BY);
  });

  test('cannot grant the operator role', async () => {
    const cashier = await merchant.signIn('cashier');
    const path = `${TEAM}/${cashier.user.user_id}/role`;
    expect((await owner.visit(path, { form: { role: 'operator' } })).status).toBe(400);
    const form = { name: 'Eve', role: 'operator' };
    expect((await owner.visit(`${TEAM}/invite`, { form })).status).toBe(400);
  });

  test('revoke lost permissions on the next page load', async () => {
    const manager = await merchant.signIn('manager');
    const audit = () => manager.visit('/dashboard/settings/audit');
    expect((await audit()).status).toBe(200);
    const path = `${TEAM}/${manager.user.user_id}/role`;
    await owner.visit(path, { form: { role: 'cashier' } });
    expect((await audit()).status).toBe(403);
  });

  test('appear in the audit log with the author’s name', async () => {
    const cashier = await merchant.signIn('cashier');
    const path = `${TEAM}/${cashier.user.user_id}`;
    await owner.visit(`${path}/role`, { form: { role: 'viewer' } });
    await owner.visit(`${path}/remove`, { form: {} });
    const { text } = await owner.visit('/dashboard/settings/audit');
    expect(text).toMatch(/Removed someone.*Changed someone’s role.*role: viewer \(was cashier\)/s);
    expect(text).toContain('Canary the owner');
  });
});

test('user names are escaped on every page', async () => {
  const hurtful = '<img src=x onerror=alert(1)>"\'';
  await owner.visit(`${TEAM}/invite`, { form: { name: hurtful, role: 'cashier' } });
  await merchant.change({});
  for (const path of [TEAM, '/dashboard/settings/audit']) {
    const { status, text } = await owner.visit(path);
    expect({ status, hasImage: text.includes('<img') }).toEqual({ status: 200, hasImage: false });
  }
  expect((await owner.visit(TEAM)).text).toContain('&lt;img src=x');
});

test('an operator can access only the merchant that is currently open', async () => {
  const operator = await world.signIn('operator');
  const open = () => operator.visit(TEAM);
  expect((await open()).status).not.toBe(200);
  await operator.visit(`${SIGN_IN}/open-merchant`, { form: { merchant: merchant.id } });
  expect((await open()).text).toContain('Ama Stores');
  await operator.visit(`${SIGN_IN}/open-merchant`, { form: {} });
  expect((await open()).status).not.toBe(200);
  expect((await operator.visit(`${SIGN_IN}/open-merchant`, { form: { merchant: 'x' } })).status).toBe(404);
  // Longer than a DynamoDB key may be.
  const long = { merchant: 'x'.repeat(3_000) };
  expect((await operator.visit(`${SIGN_IN}/open-merchant`, { form: long })).status).toBe(400);
});

test('a form is ignored if the operator has switched to another merchant', async () => {
  const [operator, another] = [await world.signIn('operator'), await world.createMerchant()];
  const open = (form: Record<string, string>) => operator.visit(`${SIGN_IN}/open-merchant`, { form });
  await open({ merchant: merchant.id });
  const once = /name="once" value="([^"]+)"/.exec((await operator.visit(`${TEAM}/invite`)).text)?.[1] ?? '';
  await open({ merchant: another.id });
  const form = { name: 'Efua', role: 'owner', once };
  expectAnswer(await operator.visit(`${TEAM}/invite`, { form }), 403, 'Nothing was done');
  expect(await listUsers(world.outside, another.id)).toEqual([]);
  await open({ merchant: merchant.id });
  expect((await operator.visit(`${TEAM}/invite`, { form })).status).toBe(200);
});

test('a deployed stage rejects local development links', async () => {
  for (const path of ['/local/sign-in/owner/x', `${SIGN_IN}/local`]) {
    const answer = await visit(world, handler, path);
    expect({ status: answer.status, cookies: answer.cookies }).toEqual({ status: 404, cookies: [] });
  }
});

function invite(name: string, role: Role = 'owner') {
  return inviteUser(world.outside, { name, role, merchant_id: merchant.id }, BY);
}

async function invited(name: string, role?: Role) {
  const { token, user } = await invite(name, role);
  const { passkey } = await accept(world, token);
  return { passkey, user: user.user_id, person: user };
}

async function signedInBy(passkey: TestPasskey) {
  const { cookies } = await signInBy(world, passkey);
  const by = { token: tokenIn(cookies) };
  return { ...by, visit: (path: string, request?: PageCall) => world.visit(path, { by, ...request }) };
}

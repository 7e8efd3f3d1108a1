import { beforeEach, describe, expect, test } from 'vitest';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { invitationSeconds, MAX_INVITATION_TEXTS_PER_DAY } from '../../../shared/merchants/user/invitation.table.ts';
import { createPasskey } from '../../../shared/merchants/user/passkey.table.ts';
import { listSessions } from '../../../shared/merchants/user/session.table.ts';
import { listUsers } from '../../../shared/merchants/user/user.table.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';
import { expectWords } from '../../support/answers.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';

const SENDER = '+233241230000';
const INVITE = '/dashboard/settings/team/invite';
const EFUA = { name: 'Efua', role: 'cashier', to: '0551112223' };
let world: Scene;
let merchant: Merchant;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant({ credits: 5 });
  owner = await merchant.signIn('owner');
  await world.createSender(SENDER);
});

const post = (path: string, form: Record<string, string>, by = owner) => by.visit(path, { form });
const linkIn = (text: string) => /https:\/\/pay\.example\.com\/dashboard\/sign-in\/invitation\/[\w.-]+/.exec(text)?.[0];
const names = async () => (await listUsers(world.outside, merchant.id)).map(({ name }) => name);
const sends = () => world.rows('SEND');
const audit = async () => (await merchant.audit(/^user/)).filter(({ by }) => by === owner.user.user_id);

test('a team member is shown as invited until they create a passkey', async () => {
  await post(INVITE, EFUA);
  const team = async () => (await owner.visit('/dashboard/settings/team')).text;
  expect((await team()).match(/>Invited</g)).toHaveLength(1);
  const efua = (await listUsers(world.outside, merchant.id)).find(({ name }) => name === 'Efua');
  const now = world.iso();
  const made = { credential_id: 'x', public_key: 'x', counter: 0, browser: 'Chrome', created_at: now, used_at: now };
  await world.outside.table.write([createPasskey({ user_id: efua?.user_id ?? '', ...made })]);
  expect(await team()).not.toContain('>Invited<');
});

describe('an invitation text', () => {
  test('costs no credits', async () => {
    const { status, text } = await post(INVITE, EFUA);
    expect({ status, text }).toEqual({
      status: 200,
      text: expect.stringContaining('as a text to 055 111 2223, from 024 123 0000'),
    });
    const [send] = await sends();
    expect(send).toMatchObject({ to: ['+233551112223'], from: SENDER, purpose: 'invitation' });
    expect(linkIn(String(send?.message))).toBe(linkIn(text));
    expect((await world.visit(new URL(linkIn(text) ?? '').pathname)).text).toContain('Efua');
    expect(await merchant.balance()).toBe(5);
  });

  test('fits into two SMS without the invitee’s name', async () => {
    const name = `Ɛdwoa 😀 ${'and her sisters '.repeat(20)}`;
    const { merchant_id } = await addMerchant(world.outside, { name, momo_accounts: [] });
    const by = await world.signIn('owner', merchant_id);
    await post(INVITE, { ...EFUA, name: 'Win GHS 900 at evil' }, by);
    const message = String((await sends())[0]?.message);
    expect(message).toMatch(/^Edwoa and her sisters .*: open this link on your own phone within 24 hours/);
    expect({ namesEvil: message.includes('evil'), link: linkIn(message) }).toEqual({
      namesEvil: false,
      link: message.split(' ').at(-1),
    });
    expect(sizeOf(message)).toMatchObject({ encoding: 'GSM-7', segments: 2 });
  });

  test('does not appear in lists, the API, webhooks, audits or notifications', async () => {
    await merchant.setWebhook();
    const { text, cookies } = await post(INVITE, { ...EFUA, once: 'real.one' });
    const token = linkIn(text)?.split('/').at(-1) ?? 'none';
    const send = (await sends())[0] ?? {};
    await world.relayChanges({ after: send });
    await world.work('deliver-sms', [{ send_id: send.send_id, index: 0 }]);
    const id = String(send.send_id);
    const before = (await world.messageRow(id)) ?? {};
    await world.relayChanges({ before, after: { ...before, state: 'delivered' } });
    expect(world.fetched.map(({ body }) => JSON.stringify(body)).join()).toContain(token);
    expect(await world.rows('EVENT')).toEqual([]);
    expect((await merchant.call('sms/show', { parameters: { id } })).status).toBe(404);
    expect((await merchant.call('sms/list')).json.data.sends).toEqual([]);
    for (const path of [`/${id}`, `/${id}/1`]) expect((await owner.visit(`/dashboard/texts${path}`)).status).toBe(404);
    expect((await owner.visit('/dashboard/texts')).text).toContain('No texts yet');
    const elsewhere = JSON.stringify([await audit(), await world.rows('IDEMPOTENCY'), await world.rows('INVITATION')]);
    expectWords(elsewhere + cookies.join(), [], [token, '551112223']);
    expect((await audit()).map(({ action, after }) => [action, after]).toSorted()).toEqual([
      ['user invite', { role: 'cashier' }],
      ['user send', { send_id: id }],
    ]);
  });

  test('is not sent after the invitation expires', async () => {
    await post(INVITE, EFUA);
    const id = String((await sends())[0]?.send_id);
    world.clock.nowMs += invitationSeconds({ role: 'cashier' }) * 1000;
    await world.work('deliver-sms', [{ send_id: id, index: 0 }]);
    expect(await world.messageRow(id)).toMatchObject({ state: 'expired', purpose: 'invitation' });
    expect({ fetched: world.fetched, balance: await merchant.balance() }).toEqual({ fetched: [], balance: 5 });
  });

  test('is sent once if the form is submitted twice', async () => {
    const form = { ...EFUA, once: 'real.one' };
    const [first, second] = [await post(INVITE, form), await post(INVITE, form)];
    expect({ first: first.status, second: second.status, location: second.headers.location }).toEqual({
      first: 200,
      second: 303,
      location: '/dashboard/settings/team',
    });
    expect({ names: (await names()).filter((name) => name === 'Efua'), sends: (await sends()).length }).toEqual({
      names: ['Efua'],
      sends: 1,
    });
  });

  test('is replaced by a QR code and link if no phone can send it', async () => {
    await world.switchSender(SENDER, false);
    const { status, text } = await post(INVITE, EFUA);
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('No phone can send the link now') });
    expect(text).toContain('aria-label="QR code of the link"');
    expect(linkIn(text)).toBeDefined();
    expect(await sends()).toEqual([]);
  });

  test('is not sent from a phone with another merchant’s number', async () => {
    const account = { number: SENDER, network: 'MTN', account_name: 'RIVAL' } as const;
    await addMerchant(world.outside, { name: 'Rival', momo_accounts: [account] });
    const other = { network: 'MTN', gateway: 'phone', messages_per_hour: 60 } as const;
    await world.addSender({ ...other, number: '+233241230001', device_id: 'device-1', sim_number: 2 });
    expect((await post(INVITE, EFUA)).text).toContain('No phone can send the link now');
    expect(await sends()).toEqual([]);

    await world.addSender({ ...other, number: '+233241230002', device_id: 'device-2', sim_number: 1 });
    world.clock.nowMs += 3_000;
    expect((await post(INVITE, { ...EFUA, name: 'Esi' })).text).toContain('from 024 123 0002');
  });

  test('is not sent without a phone number', async () => {
    const { role, name } = EFUA;
    expect(linkIn((await post(INVITE, { role, name, to: '' })).text)).toBeDefined();
    expect(await sends()).toEqual([]);
  });

  test.each(['0302123456', 'Efua', '0551112223,0551112224', '+447911123456'])(
    'requires one Ghanaian mobile number: %s',
    async (to) => {
      const { status, text } = await post(INVITE, { ...EFUA, to });
      expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('id="to-error">Phone number') });
      expect({ names: await names(), sends: await sends() }).toEqual({ names: [owner.user.name], sends: [] });
    },
  );

  test('is limited to three per number in 24 hours across all shops', async () => {
    const other = await world.createMerchant();
    const others = await other.signIn('owner');
    for (const by of [owner, others, owner]) expect((await post(INVITE, EFUA, by)).status).toBe(200);
    const { status, text } = await post(INVITE, { ...EFUA, name: 'Kojo' }, others);
    expect({ status, text }).toEqual({
      status: 400,
      text: expect.stringContaining('has received three links in 24 hours'),
    });
    expect((await listUsers(world.outside, other.id)).map(({ name }) => name)).not.toContain('Kojo');
    expect((await post(INVITE, { ...EFUA, to: '0551112224' })).status).toBe(200);
    expect((await sends()).length).toBe(4);
  });

  test('is limited to ten per shop per day', async () => {
    const invite = (n: number) => post(INVITE, { ...EFUA, to: `05511122${n + 10}` });
    for (let n = 0; n < MAX_INVITATION_TEXTS_PER_DAY; n++) expect((await invite(n)).status).toBe(200);
    const { status, text } = await invite(50);
    expect({ status, text }).toEqual({ status: 429, text: expect.stringContaining('links can be texted a day') });
    expect((await sends()).length).toBe(MAX_INVITATION_TEXTS_PER_DAY);
    world.clock.nowMs += 24 * 60 * 60_000;
    expect((await post(INVITE, EFUA, await merchant.signIn('owner'))).status).toBe(200);
  });
});

test('an owner’s invitation is not sent from the shop’s own phone', async () => {
  await merchant.change({ momo_accounts: [{ number: SENDER, network: 'MTN', account_name: 'AMA STORES' }] });
  const other = await merchant.signIn('owner');
  const ofOwner = { ...EFUA, role: 'owner' };
  for (const [path, form] of [
    [INVITE, ofOwner],
    [`/dashboard/settings/team/${other.user.user_id}/link`, { to: EFUA.to }],
  ] as const) {
    const { status, text } = await post(path, form);
    expect({ status, saysNotSent: text.includes('Not sent'), hasLink: linkIn(text) !== undefined }).toEqual({
      status: 200,
      saysNotSent: true,
      hasLink: true,
    });
  }
  expect(await sends()).toEqual([]);
  expect((await post(INVITE, EFUA)).text).toContain('from 024 123 0000');
  expect(await sends()).toHaveLength(1);
});

test('simultaneous invitations stay within the limits', async () => {
  const twelve = await Promise.all(
    Array.from({ length: 12 }, (_, n) => post(INVITE, { ...EFUA, name: `Efua ${n}`, to: `05511122${n + 10}` })),
  );
  const given = twelve.filter(({ status }) => status === 200).length;
  expect(given).toBeLessThanOrEqual(MAX_INVITATION_TEXTS_PER_DAY);
  expect({ sends: (await sends()).length, people: (await names()).length }).toEqual({
    sends: given,
    people: given + 1,
  });
});

describe('a new sign-in link', () => {
  test('is texted once and ends the user’s sessions', async () => {
    const { user } = await merchant.signIn('cashier');
    const path = `/dashboard/settings/team/${user.user_id}/link`;
    const form = { to: '0551112223', once: 'real.one' };
    const [first, second] = [await post(path, form), await post(path, form)];
    expect({ first: first.status, second: second.status }).toEqual({ first: 200, second: 303 });
    expect(linkIn(first.text)).toBe(linkIn(String((await sends())[0]?.message)));
    expect({ sessions: await listSessions(world.outside, user.user_id), sends: (await sends()).length }).toEqual({
      sessions: [],
      sends: 1,
    });
  });

  test('ends all sessions even if a later step fails', async () => {
    const { user } = await merchant.signIn('cashier');
    const path = `/dashboard/settings/team/${user.user_id}/link`;
    const { write } = world.outside.table;
    world.outside.table.write = async (writes) => {
      await write(writes);
      world.outside.table.write = () => Promise.reject(new Error('The table is away'));
      world.outside.table.list = () => Promise.reject(new Error('The table is away'));
    };
    const { list } = world.outside.table;
    const first = await post(path, { to: '0551112223', once: 'real.one' });
    Object.assign(world.outside.table, { write, list });
    const second = await post(path, { to: '0551112223', once: 'real.one' });
    expect({ first: first.status, second: second.status }).toEqual({ first: 500, second: 303 });
    expect(await listSessions(world.outside, user.user_id)).toEqual([]);
  });

  test('cannot be created for another shop’s user', async () => {
    const { user } = await world.signIn('owner', (await world.createMerchant()).id);
    const { status } = await post(`/dashboard/settings/team/${user.user_id}/link`, { to: '0551112223' });
    expect({ status, sends: await sends() }).toEqual({ status: 404, sends: [] });
  });
});

describe("a merchant's first owner", () => {
  const MERCHANTS = '/dashboard/operator-money';
  let operator: Person;
  let added: Merchant;

  beforeEach(async () => {
    operator = await world.signIn('operator');
    added = await world.createMerchant();
  });

  const invite = (form: Record<string, string>) => operator.visit(`${MERCHANTS}/${added.id}/invite`, { form });

  test('is invited by the operator with a text and a link', async () => {
    const page = () => operator.visit(`${MERCHANTS}/${added.id}`);
    expect((await page()).text).toContain('Nobody can open this shop’s dashboard yet');
    const form = { name: ' Ama Mensah ', to: '0551112223', once: 'one' };
    const [first, second] = [await invite(form), await invite(form)];
    expect({ first: first.status, second: second.status, location: second.headers.location }).toEqual({
      first: 200,
      second: 303,
      location: `${MERCHANTS}/${added.id}`,
    });
    expect(linkIn(first.text)).toBe(linkIn(String((await sends())[0]?.message)));
    expect(await listUsers(world.outside, added.id)).toMatchObject([{ name: 'Ama Mensah', role: 'owner' }]);
    expect((await page()).text).toContain('Ama Mensah');
    expect((await added.audit()).map(({ action, by }) => [action, by]).toSorted()).toEqual([
      ['user invite', operator.user.user_id],
      ['user send', operator.user.user_id],
    ]);
  });

  test('can be invited only with a recent passkey sign-in', async () => {
    const nowhere = `${MERCHANTS}/unknown/invite`;
    expect((await operator.visit(nowhere, { form: { name: 'Ama' } })).status).toBe(404);
    world.clock.nowMs += 6 * 60_000;
    expect((await invite({ name: 'Ama' })).headers.location).toContain('/confirm?next=');
    expect(await listUsers(world.outside, added.id)).toEqual([]);
  });
});

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { queues } from '../../../functions/manifest.ts';
import { shownNumber } from '../../../shared/ghana/shown-number.ts';
import { removePerson } from '../../../shared/merchants/user/manage-users.ts';
import { merchantRoles } from '../../../shared/merchants/user/permissions.ts';
import { changeRole, removeUser } from '../../../shared/merchants/user/user.table.ts';
import { disputeCharge } from '../../../shared/money/charge/change-charge.table.ts';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { addUnproven, UnprovenLimitReached } from '../../../shared/money/goods/unproven.table.ts';
import { PUSH_WAITS_SECONDS } from '../../../shared/push/deliver-push.ts';
import { PACE_MS } from '../../../shared/push/notice-turn.ts';
import { changeItem, type Item } from '../../../shared/runtime/table/table.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { noteLowCredits } from '../../../shared/texts/credits/credits.table.ts';
import { noteSilence } from '../../../shared/wallets/wallet/note-silence.ts';
import { keepOnce, keepUnclearBalance } from '../../../shared/wallets/wallet/wallet-notice.table.ts';
import { areas, loadArea, visit } from '../../support/dashboard.ts';
import { refuse } from '../../support/disturb.ts';
import { senderOf, TestBrowser } from '../../support/push-service.ts';
import { drainJobs, heardBy, switchOn, ticked, work } from '../../support/pushed.ts';
import { charge, mtn, reversal } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

let world: Scene;
let shop: Shop;
let owner: Person;
let browser: TestBrowser;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  owner = await shop.signIn('owner');
  browser = new TestBrowser();
});

/** Notifications received by the browser, except the sample. */
const heard = (of?: string) => heardBy(world, browser).filter(({ kind }) => kind !== 'hello' && kind === (of ?? kind));

async function payCharge(amount = 36): Promise<string> {
  const reference = await shop.charge({ amount });
  await shop.pay(mtn({ amount: amount.toFixed(2), reference }));
  await verifyMoney(world);
  return reference;
}

async function payAndTell(): Promise<string> {
  const reference = await payCharge();
  await world.tell();
  return reference;
}

/** Turns on notifications and pays a charge. Returns the queued jobs. */
async function queuedPush(): Promise<object[]> {
  await switchOn(world, owner, browser);
  await world.tell();
  await payCharge();
  return world.queuedNotices();
}

/** Receives a payment that matches no charge. */
async function payUnclear() {
  const receipt = mtn({ amount: '77.00', reference: 'shoes' });
  await shop.pay(receipt);
  await verifyMoney(world);
  return receipt;
}

/** Records that the wallet's texts lead to a different balance. */
async function noteUnclear(balance_pesewas: number, proven_pesewas: number): Promise<void> {
  const wallet = { network: 'MTN', momo_number: shop.number, merchant_id: shop.id, received_at: world.iso() } as const;
  const notice = { kind: 'balance_unclear', ...wallet, balance_pesewas, proven_pesewas, texts: 3 } as const;
  await world.outside.table.write([keepUnclearBalance(world.outside, notice)]);
}

describe('a payment notification', () => {
  test('is encrypted, signed and free of amounts and names', async () => {
    await switchOn(world, owner, browser);
    const reference = await payAndTell();
    const path = `/dashboard/charges/${reference}`;
    const notice = { kind: 'paid', title: 'Payment received', body: 'A bill was paid.', path };
    expect(heard()).toEqual([expect.objectContaining(notice)]);
    const [push] = world.posted.slice(-1);
    const ttl = String(12 * 60 * 60);
    expect(push?.headers).toMatchObject({ urgency: 'high', 'content-encoding': 'aes128gcm', ttl });
    expect(push?.headers.topic).toMatch(/^[\w-]{1,32}$/);
    const page = await owner.visit('/dashboard/app/on');
    const { key, subject } = push ? senderOf(push) : { key: '', subject: '' };
    expect(page.text).toContain(`data-subscription="${key}"`);
    expect(subject).toBe('https://pay.example.com');
    expect(() => new TestBrowser().open(push ?? { body: '' })).toThrow();
  });

  test('includes the amount and name if details are turned on', async () => {
    await switchOn(world, owner, browser, { details: true });
    await payAndTell();
    expect(heard()).toMatchObject([{ title: 'GHS 36.00 received', body: 'A bill was paid from KOFI MENSAH BOATENG.' }]);
  });

  test.each(['36.00', '1,200.00'])('shows GHS %s received for a bill of GHS 36', async (shown) => {
    await switchOn(world, owner, browser, { details: true });
    await shop.pay(mtn({ amount: shown.replace(',', ''), reference: await shop.charge({ amount: 36 }) }));
    await world.tell();
    expect(heard()).toMatchObject([{ title: `GHS ${shown} received, not verified` }]);
  });

  test.each([
    ['without details', false, 'Payment received, not verified', 'A payment, not verified, needs to be checked'],
    ['with details', true, 'GHS 36.00 received, not verified', 'GHS 77.00, not verified, needs to be checked'],
  ])('says in its title that the payment is not verified: %s', async (_, details, paid, held) => {
    await switchOn(world, owner, browser, { details });
    await shop.pay(mtn({ reference: await shop.charge({ amount: 36 }) }));
    await shop.pay(mtn({ amount: '77.00', reference: 'shoes' }));
    await world.tell();
    expect(heard().map(({ title }) => title)).toEqual(expect.arrayContaining([paid, held]));
    for (const { body, look_first, unsure } of heard()) {
      expect(body).toMatch(/^Check your MoMo balance first\. /);
      expect({ look_first, unsure }).toEqual({
        look_first: 'Check your MoMo balance first.',
        unsure: 'check which are verified',
      });
    }
  });

  test('shows that a contradictory text disputes the payment', async () => {
    await switchOn(world, owner, browser, { kinds: ['held'] });
    const receipt = mtn({ amount: '77.00', reference: 'shoes' });
    await shop.pay(receipt);
    await shop.arrive(mtn({ amount: '78.00', reference: 'shoes', id: receipt.id }));
    await world.tell();
    expect(heard().at(-1)).toMatchObject({ title: 'A payment, in doubt, needs to be checked' });
  });

  test('is not sent for a test payment', async () => {
    await switchOn(world, owner, browser);
    await world.tell();
    const before = world.posted.length;
    const liveKey = await shop.addKey('live', { mode: 'test' });
    const reference = await charge(world, { liveKey }, { amount: 5 });
    const body = { outcome: 'paid' };
    expect((await world.call('test/simulate', { key: liveKey, parameters: { reference }, body })).status).toBe(200);
    world.clock.nowMs += 60_000;
    await world.tell();
    expect(world.posted.length).toBe(before);
  });

  test('keeps its id when it is resent', async () => {
    const bodies = await queuedPush();
    await work(world, bodies, 2);
    await work(world, bodies, 3);
    world.clock.nowMs += 60_000;
    await payAndTell();
    const ids = heard().map(({ id }) => id);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(2);
    expect(world.posted.map(({ headers }) => headers.topic).slice(-3)).toEqual(ids);
  });
});

test('turning on notifications sends a sample notification', async () => {
  for (let times = 0; times < 2; times++) {
    await switchOn(world, owner, browser);
    await world.tell();
    await owner.visit('/dashboard/app/device/1/end', { form: {} });
  }
  expect(heardBy(world, browser)).toMatchObject([
    { kind: 'hello', title: 'Notifications are on', body: 'This is how they will look on this device.' },
    { kind: 'hello', path: '/dashboard/app' },
  ]);
});

test('changing the selected kinds sends no second sample', async () => {
  await switchOn(world, owner, browser);
  await world.tell();
  const form = ticked({ kinds: ['paid'] });
  expect((await owner.visit('/dashboard/app/device/1', { form })).status).toBe(303);
  await world.tell();
  expect(heardBy(world, browser).map(({ kind }) => kind)).toEqual(['hello']);
});

describe('many simultaneous payments', () => {
  test('are combined into two notifications', async () => {
    await switchOn(world, owner, browser);
    await world.tell();
    for (let n = 0; n < 5; n++) await payCharge();
    await world.tell();
    expect(heard().map(({ more }) => more)).toEqual([undefined]);
    const late = drainJobs(world);
    expect(late.map(({ delaySeconds }) => delaySeconds)).toEqual([PACE_MS / 1000]);

    world.clock.nowMs += PACE_MS;
    const bodies = late.map(({ body }) => body);
    await work(world, bodies);
    expect(heard().map(({ more }) => more)).toEqual([undefined, true]);
    expect(drainJobs(world)).toEqual([]);
  });

  test('are each reported once despite redelivered jobs', async () => {
    await switchOn(world, owner, browser);
    await world.tell();
    await payCharge();
    await payCharge();
    const bodies = await world.queuedNotices();
    await work(world, bodies);
    await work(world, bodies, 2);
    expect(new Set(heard().map(({ id }) => id)).size).toBe(2);
  });
});

describe('a notification', () => {
  async function everything(): Promise<void> {
    const paid = await shop.charge({ amount: 36 });
    const receipt = mtn({ reference: paid });
    await shop.pay(receipt);
    await shop.arrive(reversal(receipt.id));
    await payUnclear();
    await noteUnclear(98_765_43, 12_345_67);
    const pk = `CREDITS#${shop.id}`;
    const low = noteLowCredits(world.outside, { pk, balance: 51 }, { pk, balance: 49 });
    await world.outside.table.write(low ? [low] : []);
    await noteSilence(world.outside, [], [shop.number]);
  }

  test.each([
    ['owner', ['credits', 'held', 'phone', 'undone', 'wallet']],
    ['manager', ['credits', 'held', 'phone', 'undone']],
    ['cashier', ['credits', 'held', 'phone', 'undone']],
    ['viewer', ['credits', 'held', 'phone', 'undone']],
    ['developer', ['credits', 'phone', 'undone']],
  ] as const)('shows a %s only what the role allows', async (role, told) => {
    // The selection exceeds what the role allows.
    const person = await shop.signIn(role);
    await switchOn(world, person, browser, { details: true });
    await everything();
    await world.tell();
    // A charge that was reversed meanwhile is not reported as paid.
    const kinds = heard().map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(told);
    const said = JSON.stringify(heard().map(({ title, body }) => [title, body]));
    for (const balance of ['98765', '98,765', '12345', '12,345', '1,136', '1136']) expect(said).not.toContain(balance);
  });

  test('has a test case for every kind and role', () => {
    expect(merchantRoles).toHaveLength(5);
  });

  test.each([
    ['without details', false, 'A payment', '', '', ''],
    [
      'with details',
      true,
      'GHS 77.00',
      'The payment is from KOFI MENSAH BOATENG. ',
      ' from KOFI MENSAH BOATENG',
      ' to NUMBER',
    ],
  ])('has the expected text and link %s', async (_, details, held, payer, from, number) => {
    await switchOn(world, owner, browser, { details });
    await everything();
    await world.tell();
    const [receipt] = (await world.rows('RECEIPT')).filter(({ amount_pesewas }) => amount_pesewas === 77_00);
    const [reversed] = await world.rows('TRANSACTION');
    const said = heard().map(({ kind, title, body, path }) => [kind, title, body, path]);
    const checked = `/dashboard/held/${receipt?.receipt_id}`;
    const silent = `Payments${number.replace('NUMBER', shownNumber(shop.number))} will not be recognised until the phone is on, online and charged.`;
    const back = `${details ? 'GHS 36.00' : 'A payment'} was reversed`;
    const wallet = 'Check the balance of your MTN wallet and enter it under Wallets in the dashboard.';
    expect(said.toSorted()).toEqual([
      ['credits', 'Credits for texts are low', 'Ask support for more.', '/dashboard/texts/credits'],
      ['held', `${held} needs to be checked`, `${payer}Someone must match this payment to a bill.`, checked],
      ['phone', 'A phone is silent', silent, '/dashboard/today'],
      ['undone', back, `The network reversed a payment${from}.`, `/dashboard/charges/${reversed?.reference}`],
      ['wallet', 'A wallet needs your answer', wallet, '/dashboard/today'],
    ]);
  });

  test('warns against handing over goods if the payment is disputed', async () => {
    await switchOn(world, owner, browser, { kinds: ['undone'], details: true });
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ reference });
    await shop.pay(receipt);
    await shop.arrive(mtn({ reference, id: receipt.id, amount: '37.00' }));
    await world.tell();
    const body =
      'A text contradicts a payment from KOFI MENSAH BOATENG. Check your wallet before you hand over the goods.';
    const path = `/dashboard/charges/${reference}`;
    expect(heard()).toMatchObject([{ title: 'GHS 36.00 is in doubt', body, path }]);
    world.clock.nowMs += MINUTE_MS;
    await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${receipt.id} of GHS 36.00 will be reversed.` });
    await world.tell();
    const reversal = body.replace('A text contradicts', 'The network may have reversed');
    expect(heard().map((one) => one.body)).toEqual([body, reversal]);
  });

  test('links to a page that the recipient may open', async () => {
    await switchOn(world, owner, browser);
    await everything();
    await world.tell();
    for (const path of heard().flatMap((one) => [one.path, one.list])) {
      const area = areas().find(({ row }) => path.startsWith(row.path));
      const handler = await loadArea(area?.name ?? '');
      expect({ path, status: (await visit(world, handler, path, { by: owner })).status }).toEqual({
        path,
        status: 200,
      });
    }
  });

  test.each(['cashier', 'viewer'] as const)(
    'about a held payment does not give a %s the details needed to claim it',
    async (role) => {
      const person = await shop.signIn(role);
      await switchOn(world, person, browser, { kinds: ['held'], details: true });
      const receipt = await payUnclear();
      const jobs = await world.queuedNotices();
      await work(world, jobs);
      const [notice] = heard();
      expect(JSON.stringify(notice)).not.toContain(receipt.id);
      // A hash as the notification's id would reveal the receipt id by brute force.
      const { kind, about, at } = Object(jobs.at(-1));
      const guessed = createHash('sha256').update(`${kind} ${about} ${at}`).digest('base64url').slice(0, 22);
      expect({ kind, isGuessed: notice?.id === guessed }).toEqual({ kind: 'held', isGuessed: false });
      const page = await person.visit(notice?.path ?? '');
      expect({ status: page.status, showsId: page.text.includes(receipt.id) }).toEqual({ status: 200, showsId: false });
    },
  );

  test('is sent only if the person selected its kind', async () => {
    await switchOn(world, owner, browser, { kinds: ['held'] });
    await everything();
    // Unselected kinds are not even queued.
    const bodies = await world.queuedNotices();
    expect(bodies.map((body) => Object(body).kind)).toEqual(['hello', 'held']);
    await work(world, bodies);
    expect(heard().map(({ kind }) => kind)).toEqual(['held']);
  });

  test('about a held payment is sent once, after verification', async () => {
    await switchOn(world, owner, browser);
    await payUnclear();
    await world.tell();
    const [held] = await world.rows('RECEIPT');
    const key = { pk: String(held?.pk), sk: 'RECEIPT' };
    const jobsOf = async (change: Item) => {
      await world.outside.table.write([changeItem(key, change)]);
      return (await world.queuedNotices()).length;
    };
    expect({
      checking: await jobsOf({ reason: 'checking' }),
      nameDiffers: await jobsOf({ reason: 'name_differs' }),
    }).toEqual({ checking: 0, nameDiffers: 1 });
    expect(await jobsOf({ payer_name: 'KOFI' })).toBe(0);
    const reference = await shop.charge({ amount: 5 });
    await shop.call('transaction/cancel', { parameters: { reference } });
    expect(await world.queuedNotices()).toEqual([]);
  });

  test('about a held payment is dropped if the payment has been assigned', async () => {
    await switchOn(world, owner, browser);
    const id = shop.paymentId(await payUnclear());
    const bodies = await world.queuedNotices();
    const reference = await shop.charge({ amount: 77 });
    await shop.call('receipt/assign', { parameters: { id }, body: { reference } });
    await work(world, bodies);
    expect(heard()).toEqual([]);
  });

  test('about a held payment omits an unknown amount', async () => {
    await switchOn(world, owner, browser, { kinds: ['held'], details: true });
    await payUnclear();
    const [held] = await world.rows('RECEIPT');
    await world.outside.table.update(
      changeItem({ pk: String(held?.pk), sk: 'RECEIPT' }, { amount_pesewas: undefined }),
    );
    await world.tell();
    expect(heard()).toMatchObject([{ title: 'A payment needs to be checked' }]);
  });

  test('about a disputed payment is dropped if the dispute is resolved', async () => {
    await switchOn(world, owner, browser, { kinds: ['undone'] });
    const reference = await payCharge();
    await world.outside.table.update(disputeCharge(world.outside, reference, 'conflict'));
    const bodies = await world.queuedNotices();
    await world.outside.table.write([changeItem(chargeRows.key({ reference }), { disputed: undefined })]);
    await work(world, bodies);
    expect(heard()).toEqual([]);
  });

  test('is dropped after twelve hours', async () => {
    const bodies = await queuedPush();
    world.clock.nowMs += 12 * 60 * 60 * 1000 + 1000;
    await work(world, bodies);
    expect(heard()).toEqual([]);
    world.clock.nowMs -= 2_000;
    await work(world, bodies);
    expect(heard()).toHaveLength(1);
  });

  test('about a silent phone is sent once per outage', async () => {
    await switchOn(world, owner, browser);
    await world.tell();
    let known = await noteSilence(world.outside, [], [shop.number]);
    await world.tell();
    known = await noteSilence(world.outside, known, [shop.number]);
    expect(await world.rows(`SILENT#${shop.number}`)).toHaveLength(1);
    await noteSilence(world.outside, [], [shop.number]);
    await world.tell();
    expect(heard()).toHaveLength(1);
    const [silence] = await world.rows(`SILENT#${shop.number}`);
    expect(silence?.expires_at_epoch_seconds).toBe(Math.floor(world.clock.nowMs / 1000) + 7 * 24 * 60 * 60);
    known = await noteSilence(world.outside, known, []);
    world.clock.nowMs += 60_000;
    await noteSilence(world.outside, known, [shop.number]);
    await world.tell();
    expect(heard()).toHaveLength(2);
  });
});

describe('a notification about a suspected reversal', () => {
  async function suspect(references: readonly (string | undefined)[]): Promise<void> {
    const received_at = world.iso();
    const times = { from: received_at, to: received_at, received_at };
    const payments = references.map((reference, n) => ({ transaction_id: String(n), reference }));
    const wallet = { network: 'MTN', momo_number: shop.number, merchant_id: shop.id, amount_pesewas: 36_00 } as const;
    const notice = { kind: 'reversal_suspected', ...wallet, ...times, payments } as const;
    await world.outside.table.write([keepOnce(world.outside, notice)]);
    await world.tell();
  }

  test.each(merchantRoles)('links the %s role to the charge', async (role) => {
    const person = await shop.signIn(role);
    await switchOn(world, person, browser, { kinds: ['undone'] });
    const reference = await payCharge();
    await suspect([reference]);
    const title = 'A payment may have been reversed';
    const body =
      'Your balance fell by the amount of a payment. No text says why. Check your wallet before you hand over the goods.';
    const notice = { kind: 'undone', title, body, path: `/dashboard/charges/${reference}` };
    expect(heard()).toEqual([expect.objectContaining(notice)]);
  });

  test('shows the amount and name if only one payment matches', async () => {
    await switchOn(world, owner, browser, { kinds: ['undone'], details: true });
    const references = [await payCharge(), await payCharge()];
    await suspect(references.slice(0, 1));
    world.clock.nowMs += 60_000;
    await suspect(references);
    world.clock.nowMs += 60_000;
    await suspect([undefined]);
    const several = ['A payment may have been reversed', '/dashboard/today'];
    expect(heard().map(({ title, path }) => [title, path])).toEqual([
      ['GHS 36.00 may have been reversed', `/dashboard/charges/${references[0]}`],
      several,
      several,
    ]);
    const body = (from: string) =>
      `Your balance fell by the amount of a payment${from}. No text says why. Check your wallet before you hand over the goods.`;
    expect(heard().map((one) => one.body)).toEqual([body(' from KOFI MENSAH BOATENG'), body(''), body('')]);
  });

  test('is not sent to people who have not selected this kind', async () => {
    await switchOn(world, owner, browser, { kinds: ['paid', 'held', 'wallet'] });
    await suspect([undefined]);
    expect(heard()).toEqual([]);
  });

  test('is not sent if the network has already reported the reversal', async () => {
    await switchOn(world, owner, browser, { kinds: ['undone'] });
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ reference });
    await shop.pay(receipt);
    await shop.arrive(reversal(receipt.id));
    await suspect([reference]);
    world.clock.nowMs += PACE_MS;
    await work(world, await world.queuedNotices());
    expect(heard().map(({ title }) => title)).toEqual(['A payment was reversed']);
  });
});

test('the notification and the bill’s page name the reversed amount, not the bill’s', async () => {
  await switchOn(world, owner, browser, { kinds: ['undone'], details: true });
  const reference = await shop.charge({ amount: 36 });
  const receipt = mtn({ reference, amount: '50.00' });
  await shop.pay(receipt);
  await shop.arrive(reversal(receipt.id, '50.00'));
  expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  await world.tell();
  world.clock.nowMs += PACE_MS;
  await work(world, await world.queuedNotices());
  expect(heard().map(({ title }) => title)).toEqual(['GHS 50.00 was reversed']);
  const { access_code } = await world.chargeRow(reference);
  const { text } = await world.call('checkout/page', { parameters: { access_code } });
  expect(text).toContain('GHS 50.00 reached Ama Stores');
});

describe('a person who has lost access', () => {
  async function isSilentAfter(ends: (cookie: string) => Promise<unknown>): Promise<void> {
    const cookie = await switchOn(world, owner, browser);
    await world.tell();
    await payCharge();
    const bodies = await world.queuedNotices();
    expect(bodies).toHaveLength(1);
    await ends(cookie);
    expect(await work(world, bodies)).toBe(0);
    world.clock.nowMs += 60_000;
    await payAndTell();
    expect(heard()).toEqual([]);
  }

  const reread = async () => (await world.signInAgain(owner.user)).user;

  test('gets no queued notifications after removal', async () => {
    await shop.signIn('owner');
    await isSilentAfter(async () => removePerson(world.outside, await reread(), { by: 'test' }));
    expect(await world.rows('DEVICE')).toEqual([]);
  });

  test('gets no notifications on a leftover device', async () => {
    await shop.signIn('owner');
    await isSilentAfter(async () => world.outside.table.write(removeUser(world.outside, await reread())));
    expect(await world.rows('DEVICE')).toHaveLength(1);
  });

  test('gets only the notifications that the new role allows', async () => {
    await shop.signIn('owner');
    await switchOn(world, owner, browser, { kinds: ['wallet'] });
    await world.outside.table.write(changeRole(owner.user, 'manager'));
    await noteUnclear(1, 2);
    await world.tell();
    expect(heard()).toEqual([]);
  });

  test.each<[string, (cookie: string) => Promise<unknown>]>([
    [
      'after signing out on the device',
      (cookie) => owner.visit('/dashboard/sign-in/sign-out', { form: {}, cookies: [cookie] }),
    ],
    [
      'after the session was closed from another device',
      async () => {
        const other = await world.signInAgain(owner.user);
        const [device] = await world.rows('DEVICE');
        await other.visit(`/dashboard/sign-in/account/session/${device?.session_hash}/end`, { form: {} });
      },
    ],
    [
      'after all other sessions were closed, even an expired one',
      async () => (await world.signInAgain(owner.user)).visit('/dashboard/sign-in/account/end-others', { form: {} }),
    ],
    [
      'after a new sign-in link was issued for a lost phone',
      async () => {
        const path = `/dashboard/settings/team/${owner.user.user_id}/link`;
        expect((await (await shop.signIn('owner')).visit(path, { form: {} })).status).toBe(200);
      },
    ],
    ['after removing that device', () => owner.visit('/dashboard/app/device/1/end', { form: {} })],
    [
      'on a browser that now belongs to another person',
      async (cookie) => {
        const cashier = await shop.signIn('cashier');
        await switchOn(world, cashier, new TestBrowser(), { cookies: [cookie], kinds: [] });
      },
    ],
  ])('gets no notification %s', (_, ends) => isSilentAfter(ends));
});

describe('push delivery', () => {
  const answers = (statusCode: number, headers = {}) => {
    world.receiver = async () => ({ statusCode, headers, text: '' });
  };

  test.each([404, 410])('removes the device if the push service returns %i', async (status) => {
    const bodies = await queuedPush();
    answers(status);
    expect(await work(world, bodies)).toBe(0);
    expect(await world.rows('DEVICE')).toEqual([]);
    expect(world.noted).toContainEqual({ event: 'push_ended', fields: { merchant_id: shop.id, status } });
  });

  test.each([429, 500, 503])('retries a limited number of times after a %i, without a dead letter', async (status) => {
    const bodies = await queuedPush();
    answers(status);
    const before = world.posted.length;
    let receives = 1;
    while ((await work(world, bodies, receives)) > 0) receives++;
    expect(world.posted.length - before).toBe(PUSH_WAITS_SECONDS.length + 1);
    expect(world.postponed.map(({ seconds }) => seconds)).toEqual(PUSH_WAITS_SECONDS);
    expect(receives).toBeLessThan(queues['deliver-push'].maxReceiveCount);
    expect(await world.rows('DEVICE')).toMatchObject([{ failing_since: expect.any(String) }]);
    const given = { level: 'warn', event: 'push_given_up', fields: { merchant_id: shop.id, status } };
    expect(world.logged).toContainEqual(given);
  });

  test.each([199, 300, 400, 403, 413])('does not retry if the push service returns %i', async (status) => {
    const bodies = await queuedPush();
    answers(status);
    expect(await work(world, bodies)).toBe(0);
    expect(await world.rows('DEVICE')).toMatchObject([{ failing_since: expect.any(String) }]);
  });

  test.each([200, 201, 299])('succeeds if the push service returns %i', async (status) => {
    const bodies = await queuedPush();
    answers(status);
    expect(await work(world, bodies)).toBe(0);
    expect((await world.rows('DEVICE'))[0]).not.toHaveProperty('failing_since');
  });

  test('allows http on a developer’s machine', async () => {
    const bodies = await queuedPush();
    const [device] = await world.rows('DEVICE');
    const endpoint = browser.endpoint.replace('https:', 'http:');
    const subscription = { ...Object(device?.subscription), endpoint };
    const key = { pk: `DEVICES#${shop.id}`, sk: String(device?.sk) };
    await world.outside.table.write([changeItem(key, { subscription })]);
    await work(world, bodies);
    const told = world.posted.filter(({ url }) => url === endpoint);
    const senders = told.map((push) => [browser.open(push).kind, senderOf(push).subject]);
    expect(senders).toEqual([['paid', 'https://pay.example.com']]);
  });

  test('waits as long as the push service requests, within limits', async () => {
    const bodies = await queuedPush();
    answers(429, { 'retry-after': '60' });
    await work(world, bodies);
    answers(503, { 'retry-after': '86400' });
    await work(world, bodies, 2);
    expect(world.postponed.map(({ seconds }) => seconds)).toEqual([60, 900]);
  });

  test('removes the device after five days of failures', async () => {
    const bodies = await queuedPush();
    answers(403);
    expect(await work(world, bodies)).toBe(0);
    answers(201);
    await work(world, bodies, 2);
    const [device] = await world.rows('DEVICE');
    expect(device).not.toHaveProperty('failing_since');
    answers(403);
    await work(world, bodies, 2);
    for (const left of [1, 0]) {
      world.clock.nowMs += left ? 5 * 24 * 60 * 60 * 1000 : 120_000;
      await payAndTell();
      expect(await world.rows('DEVICE')).toHaveLength(left);
    }
  });

  test('does not log the device’s address on a timeout', async () => {
    const bodies = await queuedPush();
    world.receiver = async ({ url }) => {
      throw new Error(`No answer from ${url}`);
    };
    expect({ failedOnce: await work(world, bodies), failedAtLast: await work(world, bodies, 9) }).toEqual({
      failedOnce: 1,
      failedAtLast: 0,
    });
    expect(world.postponed.map(({ seconds }) => seconds)).toEqual([5]);
    expect(JSON.stringify([world.logged, world.noted])).not.toContain('canary-');
  });

  test.each(['http://push.example.com/1', 'https://127.0.0.1/1', 'https://metadata.internal/1', 'https://10.0.0.7/1'])(
    'rejects a registration with the address %s',
    async (endpoint) => {
      const form = { ...ticked({}), subscription: new TestBrowser(endpoint).subscription };
      const { status } = await owner.visit('/dashboard/app/on', { form });
      expect(status).toBe(400);
      expect(await world.rows('DEVICE')).toEqual([]);
    },
  );

  test.each([
    ['a key that is not on the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['a short secret', { auth: 'AAAA' }],
  ])('rejects a registration with %s', async (_, keys) => {
    const { endpoint, keys: good } = JSON.parse(browser.subscription);
    const subscription = JSON.stringify({ endpoint, keys: { ...good, ...keys } });
    const form = { ...ticked({}), subscription };
    expect((await owner.visit('/dashboard/app/on', { form })).status).toBe(400);
  });
});

test.each([
  ['p256dh', (key: string) => `.${key}`],
  ['auth', (key: string) => `${key}!`],
])('a browser whose %s key is malformed still gets notifications', async (name, odd) => {
  await owner.visit('/dashboard/app/on');
  const { keys, ...others } = JSON.parse(browser.subscription);
  const subscription = JSON.stringify({ ...others, keys: { ...keys, [name]: odd(keys[name]) } });
  await owner.visit('/dashboard/app/on', { form: { ...ticked({}), subscription } });
  await world.tell();
  expect(heardBy(world, browser).map(({ kind }) => kind)).toEqual(['hello']);
});

test('a person can register up to five browsers', async () => {
  for (let n = 0; n < 5; n++) await switchOn(world, owner, new TestBrowser());
  await expect(switchOn(world, owner, browser)).rejects.toThrow('You already get notifications on 5 browsers');
  const [known] = await world.rows('DEVICE');
  const again = new TestBrowser(Object(known?.subscription).endpoint);
  await switchOn(world, owner, again);
  expect(await world.rows('DEVICE')).toHaveLength(5);
});

test('simultaneous workers create only one signing key', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => shop.signIn('manager')));
  const pages = await Promise.all(people.map((by) => by.visit('/dashboard/app/on')));
  const keys = pages.map(({ text }) => /data-subscription="([\w-]+)"/.exec(text)?.[1]);
  expect(new Set(keys).size).toBe(1);
  expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(65);
});

describe('an owner without a reachable device', () => {
  const to = '0551112222';
  const textOn = (by: Person, form = {}) =>
    by.visit('/dashboard/app/text', { form: { to, texts_per_day: '3', ...ticked({}), ...form } });
  const sent = async () => (await world.rows('SEND')).map(({ to: whom, message }) => [whom, message]);

  beforeEach(async () => {
    await world.createSender('+233241999999');
    await shop.topUp(100);
  });

  test('gets one SMS per payment, up to the daily limit', async () => {
    expect((await textOn(owner)).status).toBe(303);
    // Texts never contain details, because erasing a customer does not search stored texts for names.
    await owner.visit('/dashboard/app/device/TEXT', { form: ticked({ details: true }) });
    expect(await world.rows('DEVICE')).toMatchObject([{ shows_details: true }]);
    for (let n = 0; n < 4; n++) {
      await payCharge();
      const bodies = await world.queuedNotices();
      expect({ failedOnce: await work(world, bodies), failedAgain: await work(world, bodies, 2) }).toEqual({
        failedOnce: 0,
        failedAgain: 0,
      });
      // The repeated job sends no second text.
      expect(await sent()).toHaveLength(Math.min(n + 1, 3));
    }
    const text = [['+233551112222'], 'Ama Stores: Payment received. A bill was paid.'];
    expect(await sent()).toEqual([text, text, text]);
    expect(await shop.balance()).toBe(97);
    const kept = (await world.scan()).filter(({ pk }) => pk === `PUSH_TEXT#${shop.id}`);
    const days = kept.map(({ expires_at_epoch_seconds: at }) => (Number(at) * 1000 - world.clock.nowMs) / 86_400_000);
    expect(days.map(Math.round).toSorted()).toEqual([2, 3, 3, 3]);
    const places = kept.map(({ sk }) => String(sk).replace(`${owner.user.user_id}#`, ''));
    expect(places.filter((place) => !/^([\w-]{22}|\d{4}-\d\d-\d\d)$/.test(place))).toEqual([]);
    world.clock.nowMs += 24 * 60 * 60 * 1000;
    await payAndTell();
    expect(await sent()).toHaveLength(4);
  });

  test('gets an SMS about “your shop” if the shop’s name is too long', async () => {
    await world.outside.table.write([changeItem({ pk: `MERCHANT#${shop.id}`, sk: 'MERCHANT' }, { name: '商店' })]);
    world.clock.nowMs += 60_000;
    await textOn(owner);
    await payAndTell();
    expect(await sent()).toEqual([[['+233551112222'], 'Your shop: Payment received. A bill was paid.']]);
  });

  test('gets an SMS to enter a wallet’s balance on the dashboard', async () => {
    await textOn(owner);
    await noteUnclear(1_041_00, 1_047_00);
    await world.tell();
    const body = 'Check the balance of your MTN wallet and enter it under Wallets in the dashboard.';
    expect(await sent()).toEqual([[['+233551112222'], `Ama Stores: A wallet needs your answer. ${body}`]]);
  });

  test('gets an SMS only if the owner has turned on SMS notifications', async () => {
    const manager = await shop.signIn('manager');
    await textOn(manager);
    await payAndTell();
    expect(await sent()).toEqual([]);
  });

  test('gets no SMS after losing the owner role', async () => {
    await textOn(owner);
    await shop.signIn('owner');
    await world.outside.table.write(changeRole(owner.user, 'manager'));
    await payAndTell();
    expect(await sent()).toEqual([]);
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['credits', 'insufficient_credits', () => shop.topUp(-100)],
    [
      'room in the queue',
      'queue_full',
      async () => {
        const full_until_ms = { [shop.id]: world.clock.nowMs + 60_000 };
        await world.outside.table.write([changeItem({ pk: 'SENDER', sk: '+233241999999' }, { full_until_ms })]);
      },
    ],
    ['a number that can send', 'no_sender_available', () => world.switchSender('+233241999999', false)],
  ])('gets no SMS without %s', async (_, code, ends) => {
    await textOn(owner);
    await ends();
    world.clock.nowMs += 3_000;
    await payAndTell();
    expect(await sent()).toEqual([]);
    const fields = { merchant_id: shop.id, code };
    expect(world.logged).toContainEqual({ level: 'warn', event: 'notice_not_texted', fields });
  });

  test('gets the SMS on a retry if the first table write fails', async () => {
    await textOn(owner);
    await payCharge();
    const bodies = await world.queuedNotices();
    refuse(world, 'TransactWriteItems', 1, () => new Error('The table is away'));
    expect(await work(world, bodies)).toBe(1);
    expect(await work(world, bodies, 2)).toBe(0);
    expect(await sent()).toHaveLength(1);
  });
});

describe('notifications about stock codes', () => {
  test('are sent when codes run low and when they run out', async () => {
    await switchOn(world, owner, browser, { kinds: ['credits'], details: true });
    const slug = await make(4, { low_stock_at: 2 });
    const path = `/dashboard/links/${slug}`;
    await sell(slug);
    expect(heard()).toEqual([]);
    await sell(slug);
    const body = 'Add more before the link sells out.';
    expect(heard()).toMatchObject([{ kind: 'stock_low', title: 'Only 2 codes left', body, path }]);
    await sell(slug);
    expect(heard()).toHaveLength(1);
    await sell(slug);
    const none = { title: 'No codes are left', body: 'The link is sold out until you add more.', path };
    expect(heard().slice(1)).toMatchObject([none]);
  });

  test('are sent once a day if the limit for unverified payments is reached', async () => {
    await switchOn(world, owner, browser, { kinds: ['held'] });
    const counted = { pesewas: 100, mostPesewas: 10 };
    for (let n = 0; n < 4; n++) {
      const sum = { kind: 'new', way: 'alone', atMs: world.clock.nowMs } as const;
      const write = await addUnproven(world.outside, shop.id, sum, counted);
      await expect(world.outside.table.write([write])).rejects.toThrow(UnprovenLimitReached);
      if (n % 2) world.clock.nowMs += DAY_MS;
    }
    const jobs = await world.queuedNotices('limit_reached');
    expect(jobs).toHaveLength(2);
    await work(world, jobs.slice(0, 1));
    const body = expect.stringContaining('Check your MoMo balance');
    expect(heard()).toMatchObject([{ kind: 'limit_reached', title: 'Today’s limit is used up', body }]);
  });

  test('are not sent if codes were added in the meantime', async () => {
    await switchOn(world, owner, browser, { kinds: ['credits'] });
    const slug = await make(1);
    await payFor(slug);
    await work(world, await world.queuedNotices('code'));
    const jobs = await world.queuedNotices('stock_low');
    expect(jobs).toHaveLength(1);
    await add(slug, 20);
    await work(world, jobs);
    expect(heard()).toEqual([]);
  });

  test('report a paid charge that is waiting for a code', async () => {
    await switchOn(world, owner, browser, { kinds: ['held'] });
    const slug = await make(1);
    const opened = await world.openLink(slug);
    await sell(slug);
    await payOf(opened.reference);
    const said = {
      title: 'A payer is waiting for a code',
      body: 'There are no codes left. This payer gets the next code you add.',
    };
    expect(heard()).toMatchObject([{ kind: 'code_waiting', ...said, path: `/dashboard/links/${slug}` }]);
    expect(await receiptOf(opened)).toContain('Not handed over yet');
    await add(slug, 2);
    await settle();
    expect(heard()).toHaveLength(1);
  });

  /** Makes a paid charge wait for a code. No notification has been sent yet. */
  async function waitsForCode() {
    await switchOn(world, owner, browser, { kinds: ['held'] });
    const slug = await make(1);
    const { reference } = await world.openLink(slug);
    await sell(slug);
    await shop.pay(mtn({ reference }));
    await work(world, await world.queuedNotices('code'));
    const jobs = await world.queuedNotices('code_waiting');
    expect(jobs).toHaveLength(1);
    return { slug, reference, jobs };
  }

  test('report a disputed payment instead of a waiting charge', async () => {
    const { slug, reference, jobs } = await waitsForCode();
    await world.outside.table.update(disputeCharge(world.outside, reference, 'conflict'));
    await work(world, jobs);
    const body = 'The payment is in doubt, so no code was sent. Check your wallet.';
    expect(heard()).toMatchObject([{ body, path: `/dashboard/links/${slug}/code/${reference}` }]);
  });

  test('are dropped if the waiting charge has received its code', async () => {
    const { slug, jobs } = await waitsForCode();
    await add(slug, 2);
    await settle();
    await work(world, jobs);
    expect(heard()).toEqual([]);
  });

  test('link to the charge whose code needs manual release', async () => {
    await shop.change({ confirm_unproven_up_to_pesewas: 2_000 });
    await switchOn(world, owner, browser, { kinds: ['held'] });
    const slug = await make(3);
    const { reference } = await world.openLink(slug);
    await payOf(reference);
    const body = 'The payment is not verified. Check your MoMo balance, then release the code.';
    expect(heard('code_waiting')).toMatchObject([{ body, path: `/dashboard/links/${slug}/code/${reference}` }]);
  });

  test('are not sent in test mode or for kinds that are turned off', async () => {
    await switchOn(world, owner, browser, { kinds: ['paid'] });
    const slug = await make(1);
    const opened = await world.openLink(slug);
    await sell(slug);
    await payOf(opened.reference);
    expect(heard().filter(({ kind }) => kind !== 'paid')).toEqual([]);
    const key = await shop.addKey('live', { mode: 'test' });
    const body = { title: 'Wi-Fi', amount: 25, codes: ['A'] };
    expect((await world.call('link/create', { key, body })).status).toBe(200);
    await settle();
    expect(heard().filter(({ kind }) => kind !== 'paid')).toEqual([]);
  });

  test('do not add the code to the customer receipt', async () => {
    const slug = await make(2);
    const opened = await world.openLink(slug);
    const receipt = await payOf(opened.reference);
    const shown = await receiptOf(opened);
    expect(shown).toMatch(/Code<\/dt><dd dir="auto">Handed over on \d/);
    expect(shown).not.toContain('CANARY');
    await shop.arrive(reversal(receipt.id));
    await settle();
    expect(await receiptOf(opened)).toContain('Already handed over');
  });

  test('do not ask for a release if the payment is disputed', async () => {
    await shop.change({ confirm_unproven_up_to_pesewas: 2_000 });
    await switchOn(world, owner, browser, { kinds: ['held'] });
    const slug = await make(3);
    const { reference } = await world.openLink(slug);
    await shop.pay(mtn({ reference }));
    await world.outside.table.update(disputeCharge(world.outside, reference, 'conflict'));
    await settle();
    expect(heard('code_waiting')).toMatchObject([
      { body: 'The payment is in doubt, so no code was sent. Check your wallet.' },
    ]);
    const { text } = await owner.visit(`/dashboard/links/${slug}/code/${reference}`);
    expect(text).toContain('The payment is in doubt, so its code is on hold.');
    expect(text).not.toMatch(/release the code/i);
  });

  test('are sent once if the low-stock limit is raised above the stock', async () => {
    await switchOn(world, owner, browser, { kinds: ['credits'] });
    const slug = await make(4, { low_stock_at: 1 });
    for (const low_stock_at of [3, 10, 12]) {
      await shop.call('link/change', { parameters: { slug }, body: { low_stock_at } });
      await settle();
      expect(heard('stock_low')).toHaveLength(low_stock_at === 3 ? 0 : 1);
    }
    expect(heard('stock_low')).toMatchObject([{ title: 'Only 4 codes left' }]);
    for (let n = 0; n < 4; n++) await sell(slug);
    expect(heard('stock_low').slice(1)).toMatchObject([{ title: 'No codes are left' }]);
  });

  async function make(codes: number, more: object = {}): Promise<string> {
    const body = { title: 'Wi-Fi', amount: 36, codes: Array.from({ length: codes }, (_, n) => `CANARY-${n}`), ...more };
    return (await shop.call('link/create', { body })).json.data.slug;
  }

  function add(slug: string, count: number) {
    const body = { codes: Array.from({ length: count }, (_, n) => `CANARY-MORE-${n}`) };
    return shop.call('link/add-codes', { parameters: { slug }, body });
  }

  async function payFor(slug: string): Promise<void> {
    const { reference } = await world.openLink(slug);
    await shop.pay(mtn({ reference }));
  }

  /** Sells a code, delivers the notifications and advances the clock. */
  async function sell(slug: string): Promise<void> {
    await payFor(slug);
    await settle();
    world.clock.nowMs += 60_000;
  }

  async function payOf(reference: string) {
    const receipt = mtn({ reference });
    await shop.pay(receipt);
    await settle();
    return receipt;
  }

  async function settle(): Promise<void> {
    for (let n = 0; n < 6; n++) await world.tell();
  }

  async function receiptOf({ access_code }: { access_code: string }): Promise<string> {
    return (await world.call('checkout/receipt', { parameters: { access_code } })).text;
  }
});

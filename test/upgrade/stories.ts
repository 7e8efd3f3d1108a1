import { eraseCustomer } from '../../infra/admin/erase-customer.ts';
import { migrateRows } from '../../infra/admin/migrate-rows.ts';
import {
  addCodes,
  askForText,
  createCharge,
  createLink,
  createRequest,
  sendText,
  testWebhook,
} from '../../infra/local/story/steps.ts';
import { COMMAND_LINE } from '../../shared/merchants/audit/audit.table.ts';
import { setLogo } from '../../shared/merchants/logo/set-logo.ts';
import { changeMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { giveSender } from '../../shared/merchants/merchant/senders.ts';
import { prepareSharedPhone } from '../../shared/merchants/user/manage-shared-phones.ts';
import { addUser, inviteUser } from '../../shared/merchants/user/manage-users.ts';
import { choosePin, enrolPhone } from '../../shared/merchants/user/sign-in-with-pin.ts';
import { codeOf, Goods } from '../../shared/money/charge/goods.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { confirmWallet, denyWallet } from '../../shared/wallets/chain/confirm-wallet.ts';
import {
  bookOf,
  callBackUntilAccepted,
  enforceChain,
  hear,
  itemsOf,
  minutes,
  reasonsOf,
  receive,
  type Story,
  shop,
  statesOf,
  stories,
} from '../simulation/crash-matrix.ts';
import { DEVICES, type Kiosk, SIGNING_KEY } from '../simulation/kiosk.ts';
import { letOwnerIn, tapUntilDone } from '../simulation/person.ts';
import { callOf } from '../support/dashboard.ts';
import { memoryClient } from '../support/memory-dynamodb/client.ts';
import { passkeyNamed } from '../support/passkeys.ts';
import { pictures } from '../support/pictures.ts';
import { mtn, telecel } from '../support/receipts.ts';

/** Returns the wallet of the first shop. */
const walletOf = (kiosk: Kiosk) => ({ network: 'MTN' as const, momo_number: shop(kiosk).number });
const slowReceiver = stories['webhooks that wait in the lane of a slow receiver'];
const KEEPS_NOTHING = { statusCode: 500, headers: {}, text: 'no' };

/** Stories for rows that the crash matrix does not create. */
const more = {
  'a charge with all that it can say': {
    given: async (kiosk) => {
      await charge(kiosk, {
        amount: 12,
        customer_name: 'Kofi Mensah',
        email: 'kofi@example.com',
        customer_phone: '0241112222',
        merchant_reference: 'A-1007',
        unique_reference: true,
        description: 'Cloth',
        metadata: { order: 7 },
      });
      // Rejected requests are stored for three days.
      await kiosk.request('transaction/initialize', { key: shop(kiosk).liveKey, body: { amount: -1 } });
    },
    happens: async (kiosk) => {
      const [row] = itemsOf(kiosk, 'TRANSACTION');
      await hear(kiosk, mtn({ reference: String(row?.reference), amount: '12.00', id: '50000000001' }).text);
    },
    inTheEnd: (kiosk) => ({ states: [statesOf(kiosk, 'TRANSACTION'), ['success']] }),
  },
  'payments that are held, each for another reason': {
    given: async (kiosk) => {
      const { number } = shop(kiosk);
      await charge(kiosk, { amount: 36, customer_name: 'Kofi Mensah' });
      await charge(kiosk, { amount: 36, customer_name: 'Mensah Boateng' });
      const parted = await charge(kiosk, { amount: 40 });
      const disputed = await charge(kiosk, { amount: 50 });
      const large = await charge(kiosk, { amount: 1500 });
      await charge(kiosk, { amount: 600, customer_name: 'Esi Canary' });
      await changeMerchant(kiosk.outside, shop(kiosk).id, { confirm_always_above_pesewas: 1000_00 });
      let ids = 50_000_000_100;
      const text = (said: { amount: string; reference?: string; from?: string; id?: string }) =>
        mtn({ id: String(++ids), ...said }).text;
      await receive(kiosk, text({ amount: '36.00' }));
      await receive(kiosk, text({ amount: '600.00', from: 'ESI CANARY' }));
      await receive(kiosk, text({ amount: '1500.00', reference: large }));
      await receive(kiosk, text({ amount: '36.00', reference: 'MK-0000000000' }));
      for (let n = 0; n < 21; n++) await receive(kiosk, text({ amount: '1.00', reference: parted }));
      await receive(kiosk, text({ amount: '30.00', reference: disputed, id: '50000000999' }));
      await receive(kiosk, text({ amount: '5.00', reference: disputed, id: '50000000999' }));
      await receive(kiosk, text({ amount: '20.00', reference: disputed }));
      await receive(kiosk, 'Payment received for GHS 36.00 in words that nobody knows');
      const untrue = await charge(kiosk, { amount: 900 });
      await receive(kiosk, bookOf(kiosk).receipt(900, { balance: 1, reference: untrue }).text);
      const old = text({ amount: '1500.00', reference: large });
      kiosk.arrive(DEVICES[0], old, 'MobileMoney', false, kiosk.nowMs - 31 * 24 * HOUR_MS);
      await kiosk.goOn();
      await kiosk.post(DEVICES[0], {
        event: 'sms:received',
        id: 'of-a-number-in-no-phone',
        payload: {
          message: text({ amount: '36.00' }),
          sender: 'MobileMoney',
          recipient: '+233249999999',
          simNumber: 1,
          receivedAt: new Date(kiosk.nowMs).toISOString(),
        },
      });
      await kiosk.goOn();
      const other = telecel({ amount: '36.00', id: '0000019300000001' });
      kiosk.arrive(DEVICES[0], other.text, other.sender);
      await kiosk.goOn();
      // The number moves to another phone. Then the old phone receives a text.
      const place = { gateway: 'phone', device_id: DEVICES[1], sim_number: 2, messages_per_hour: 600 };
      await addSender(kiosk.outside, { number, network: 'MTN', ...place });
      await minutes(kiosk, 10);
      await receive(kiosk, text({ amount: '36.00' }));
    },
    happens: (kiosk) => minutes(kiosk, 1),
    inTheEnd: (kiosk) => ({
      reasons: [
        [...new Set(reasonsOf(kiosk))],
        [
          'amount_differs',
          'balance_impossible',
          'before_charge',
          'charge_disputed',
          'conflict',
          'large_amount',
          'name_only',
          'network_differs',
          'number_not_placed',
          'number_unknown',
          'reference_unclear',
          'several_fit',
          'undefined',
        ],
      ],
    }),
  },
  'a payment with the reference of one bill and the amount of another': {
    given: async (kiosk) => {
      const reference = await charge(kiosk, { amount: 40, customer_name: 'Kofi Mensah' });
      await charge(kiosk, { amount: 45, customer_name: 'Kofi Mensah' });
      await receive(kiosk, mtn({ amount: '45.00', reference }).text);
    },
    happens: (kiosk) => minutes(kiosk, 1),
    inTheEnd: (kiosk) => ({ reasons: [reasonsOf(kiosk), ['amount_of_another']] }),
  },
  'a payment of an amount that too many charges are open for': {
    given: async (kiosk) => {
      for (let n = 0; n <= 200; n++) await charge(kiosk, { amount: 7, customer_name: 'Yaw Owusu' });
      await receive(kiosk, mtn({ amount: '7.00', from: 'ADJOA BOATENG' }).text);
    },
    happens: (kiosk) => minutes(kiosk, 1),
    inTheEnd: (kiosk) => ({ reasons: [reasonsOf(kiosk), ['too_many_open']] }),
  },
  'a wallet whose texts do not follow, until its owner says what it holds': {
    given: async (kiosk) => {
      await enforceChain(kiosk);
      await changeMerchant(kiosk.outside, shop(kiosk).id, { confirm_unproven_up_to_pesewas: 0 });
      const reference = await charge(kiosk, { amount: 300 });
      const book = bookOf(kiosk);
      await receive(kiosk, book.paid(10).text);
      const ahead = String(Number(book.nextId()) + 200_000_000);
      const odd = await charge(kiosk, { amount: 200 });
      await receive(kiosk, book.receipt(200, { id: ahead, reference: odd, balance: book.pesewas + 200_00 }).text);
      book.paid(5);
      await receive(kiosk, book.paid(300, { reference }).text);
      await receive(kiosk, book.receipt(30, { balance: 777_77 }).text);
      await minutes(kiosk, 30);
      await denyWallet(kiosk.outside, walletOf(kiosk), 777_77);
      await kiosk.goOn();
    },
    happens: async (kiosk) => {
      const held = itemsOf(kiosk, 'WAIT#').map(({ after }) => Number(after));
      await confirmWallet(kiosk.outside, walletOf(kiosk), Math.max(...held));
    },
    inTheEnd: (kiosk) => ({ breaks: [itemsOf(kiosk, 'GAP#').length, 1] }),
  },
  'a payment while its wallet’s balance is guessed, until its owner says what it holds': {
    given: async (kiosk) => {
      await enforceChain(kiosk);
      await changeMerchant(kiosk.outside, shop(kiosk).id, { confirm_unproven_up_to_pesewas: 0 });
      const book = bookOf(kiosk);
      for (const cedis of [1, 2, 3]) await receive(kiosk, book.receipt(1, { balance: cedis * 100 }).text);
      await minutes(kiosk, 3);
      const reference = await charge(kiosk, { amount: 300 });
      await receive(kiosk, book.paid(300, { reference }).text);
      await minutes(kiosk, 3);
    },
    happens: (kiosk) => confirmWallet(kiosk.outside, walletOf(kiosk), bookOf(kiosk).pesewas + 300_00).then(() => {}),
    inTheEnd: (kiosk) => ({ charge: [statesOf(kiosk, 'TRANSACTION'), ['success']] }),
  },
  'an owner who has seen what changed about the money': {
    given: (kiosk) => letOwnerIn(kiosk),
    happens: async (kiosk) => {
      const fields = { until: new Date(kiosk.nowMs).toISOString() };
      const path = '/dashboard/settings/changes/seen';
      await tapUntilDone(kiosk, { path, fields });
    },
    inTheEnd: (kiosk) => ({ seen: [itemsOf(kiosk, 'SEEN#').length, 1] }),
  },
  'a webhook whose receiver takes nothing for days': {
    receiver: () => () => KEEPS_NOTHING,
    given: async (kiosk) => {
      for (let hours = 0; hours < 200; hours++) {
        if (hours % 40 === 0) await testWebhook(kiosk, { once: `after ${hours} hours` }).catch(() => {});
        await kiosk.wait(HOUR_MS);
        await kiosk.goOn();
      }
    },
    happens: (kiosk) => minutes(kiosk, 2),
    inTheEnd: (kiosk) => ({
      events: [[...new Set(statesOf(kiosk, 'EVENT'))], ['gave_up']],
      endpoint: [itemsOf(kiosk, 'WEBHOOK').map(({ disabled_reason }) => disabled_reason), ['failing']],
    }),
  },
  'a webhook whose address is gone': {
    receiver: () => () => ({ statusCode: 410, headers: {}, text: '' }),
    given: async (kiosk) => {
      await testWebhook(kiosk, { once: 'first' });
      await kiosk.goOn();
    },
    happens: (kiosk) => minutes(kiosk, 2),
    inTheEnd: (kiosk) => ({
      endpoint: [itemsOf(kiosk, 'WEBHOOK').map(({ disabled_reason }) => disabled_reason), ['gone']],
    }),
  },
  'a text of which a slow receiver hears': {
    receiver: slowReceiver.receiver,
    given: slowReceiver.given,
    happens: async (kiosk) => {
      await sendText(kiosk, { to: '0551112223', message: 'Hello canary', from: 'random' }, { once: 'one' });
      await minutes(kiosk, 5);
    },
    inTheEnd: (kiosk) => ({ events: [statesOf(kiosk, 'EVENT'), ['delivered', 'delivered']] }),
  },
  'a phone that does not hear, with a wrong key': {
    given: async (kiosk) => {
      kiosk.pinging.add(DEVICES[0]);
      kiosk.phones.deaf.add(DEVICES[0]);
      kiosk.signing.set(DEVICES[1], { key: 'another', skewMs: 0, id: DEVICES[1] });
      kiosk.arrive(DEVICES[1], mtn({ id: '50000000001' }).text);
      await callBackUntilAccepted(kiosk);
      for (let n = 0; n < 15 * 60; n += 5) {
        await kiosk.wait(5 * 60_000);
        await kiosk.goOn();
      }
    },
    happens: async (kiosk) => {
      kiosk.phones.deaf.delete(DEVICES[0]);
      kiosk.signing.set(DEVICES[1], { key: SIGNING_KEY, skewMs: 0, id: DEVICES[1] });
      await hear(kiosk, mtn({ id: '50000000002' }).text);
    },
    inTheEnd: (kiosk) => {
      const rows = kiosk.items().filter(({ pk }) => pk === 'HEARING');
      return {
        tests: [rows.flatMap(({ state }) => state ?? []), ['missed', 'dropped']],
        'it was heard': [rows.some(({ sk }) => String(sk).endsWith(`#${DEVICES[0]}`)), true],
        payments: [reasonsOf(kiosk), ['no_charge', 'no_charge']],
      };
    },
  },
  'texts that wait for their turn': {
    messagesPerHour: 60,
    given: async (kiosk) => {
      const to = Array.from({ length: 15 }, (_, n) => `05511122${n + 10}`);
      for (const once of ['one', 'two'])
        await sendText(kiosk, { to, message: 'Hello canary', from: 'random' }, { once });
      for (let n = 0; n < 3; n++) await kiosk.goOn();
    },
    happens: (kiosk) => minutes(kiosk, 1),
    inTheEnd: (kiosk) => ({
      texts: [[...new Set(statesOf(kiosk, 'MESSAGE#'))], ['delivered']],
      'left the phones': [kiosk.phones.sent.size, 30],
    }),
  },
  'a payment link through which a charge was opened': {
    given: async (kiosk) => {
      const said = { title: 'Hostel Wi-Fi', amount: 25, note_label: 'Your room', metadata: { plan: 'week' } };
      const body = { ...said, codes: ['WIFI-1'], text_codes: true };
      const { slug } = await createLink(kiosk, body, { once: 'a link' });
      for (let n = 1; n <= 3; n++)
        await kiosk.request('pay/open', { parameters: { slug }, body: { note: 'Room 12', phone: '0551112223' } });
      await kiosk.goOn();
      // Two charges are paid: one has a code, and the other is waiting for one.
      for (const [n, row] of itemsOf(kiosk, 'TRANSACTION').slice(0, 2).entries())
        await receive(kiosk, mtn({ reference: String(row.reference), amount: '25.00', id: `5000000000${n + 2}` }).text);
    },
    happens: async (kiosk) => {
      const row = itemsOf(kiosk, 'TRANSACTION').find(({ state }) => state === 'pending');
      await hear(kiosk, mtn({ reference: String(row?.reference), amount: '25.00', id: '50000000001' }).text);
      await addCodes(kiosk, String(Object(row?.origin).slug), ['WIFI-2', 'WIFI-3'], { once: 'two more' });
      await minutes(kiosk, 1);
    },
    inTheEnd: (kiosk) => ({
      states: [statesOf(kiosk, 'TRANSACTION'), ['success', 'success', 'success']],
      codes: [codeNumbers(kiosk), [1, 2, 3]],
    }),
  },
  'a request in instalments of which one is paid': {
    given: async (kiosk) => {
      const body = {
        title: 'School fees',
        note: 'Term 2',
        customer_name: 'Kofi Mensah',
        customer_phone: '0551112223',
        lines: [{ description: 'Tuition', quantity: 2, amount: 25 }],
        due: '2020-01-31',
        repeat: { every: 'month', until: '2020-02-29' },
        reminders: [0],
        merchant_reference: 'INV-1',
        metadata: { term: 2 },
      };
      const { slug } = await createRequest(kiosk, body, { once: 'a request' });
      await kiosk.request('r/open', { parameters: { slug }, body: { amount: '50' } });
      await kiosk.goOn();
      const [row] = itemsOf(kiosk, 'TRANSACTION');
      await receive(kiosk, mtn({ reference: String(row?.reference), amount: '50.00', id: '50000000001' }).text);
    },
    happens: async (kiosk) => {
      const slug = String(itemsOf(kiosk, 'REQUEST')[0]?.slug);
      await kiosk.request('r/open', { parameters: { slug }, body: { amount: '50' } });
      await kiosk.goOn();
      const open = itemsOf(kiosk, 'TRANSACTION').find(({ state }) => state === 'pending');
      await hear(kiosk, mtn({ reference: String(open?.reference), amount: '50.00', id: '50000000002' }).text);
      await minutes(kiosk, 1);
    },
    inTheEnd: (kiosk) => ({
      states: [statesOf(kiosk, 'REQUEST'), ['paid']],
      charges: [statesOf(kiosk, 'TRANSACTION'), ['success', 'success']],
    }),
  },
  'a stranger who writes to a shop’s own number, and is replied to': {
    given: async (kiosk) => {
      await letOwnerIn(kiosk);
      const { id, number } = shop(kiosk);
      await changeMerchant(kiosk.outside, id, { answers: true });
      await giveSender(kiosk.outside, number, id);
      // Wait until cached settings have expired.
      kiosk.nowMs += 60_000;
      await hear(kiosk, 'Are you open?', DEVICES[0], '+233551112222');
      await kiosk.goOn();
      const path = '/dashboard/texts/inbox/233551112222/reply';
      await tapUntilDone(kiosk, { path, fields: { message: 'Until six' } });
    },
    happens: async (kiosk) => {
      await minutes(kiosk, 1);
      await hear(kiosk, 'Thank you', DEVICES[0], '+233551112222');
    },
    inTheEnd: (kiosk) => ({
      answers: [itemsOf(kiosk, 'ANSWER#').map(({ message }) => message), ['Are you open?', 'Thank you']],
      replies: [itemsOf(kiosk, 'REPLY#').length, 1],
      texts: [statesOf(kiosk, 'MESSAGE#'), ['delivered']],
    }),
  },
  'a shop with a logo, whose customer has what to pay texted': {
    given: async (kiosk) => {
      const merchant = await changeMerchant(kiosk.outside, shop(kiosk).id, { pay_texts_per_day: 5 });
      const image = { type: 'image/png', bytes: pictures.png } as const;
      await kiosk.outside.table.write(setLogo(kiosk.outside, merchant, image).writes);
      // Wait until cached settings have expired.
      kiosk.nowMs += 60_000;
      const reference = await charge(kiosk, { amount: 36 });
      const access_code = String(itemsOf(kiosk, 'TRANSACTION').find((row) => row.reference === reference)?.access_code);
      await askForText(kiosk, access_code, '0551112223');
    },
    happens: (kiosk) => minutes(kiosk, 1),
    inTheEnd: (kiosk) => ({
      texts: [statesOf(kiosk, 'MESSAGE#'), ['delivered']],
      logos: [itemsOf(kiosk, 'LOGO').length, 1],
    }),
  },
  'somebody who signs in with a passkey, and somebody who was invited': {
    given: async (kiosk) => {
      await invite(kiosk, 'Efua', 'owner');
      await accept(kiosk, 'Ama', await invite(kiosk, 'Ama', 'owner'));
      await challenge(kiosk);
      await sharePhone(kiosk);
      const { outside, memory } = kiosk;
      const table = { client: memoryClient(memory), name: memory.tableName };
      await migrateRows({ outside, table: { ...table, keepsData: true } }, { isForReal: true, rowsPerSecond: 1_000 });
      await eraseCustomer(
        { outside, table: { ...table, keepsData: true } },
        { phone: '+233249999999' },
        { isForReal: true },
      );
    },
    happens: async (kiosk) => {
      const passkey = passkeyOf(kiosk, 'Ama');
      const { value, cookie } = await challenge(kiosk);
      const form = { credential: passkey.sign(value) };
      const answer = await page(kiosk, '/dashboard/sign-in', { form, cookies: [cookie] });
      const token = /__Host-session=([^;]+)/.exec(answer?.cookies?.join() ?? '')?.[1] ?? '';
      const team = callOf('/dashboard/settings/team', { by: { token } });
      const shown = await kiosk.request('dashboard/settings', team);
      signedIn.set(kiosk, shown?.statusCode === 200 && shown.body.length > 0);
    },
    inTheEnd: (kiosk) => ({
      'the team was shown': [signedIn.get(kiosk), true],
      passkeys: [kiosk.items().filter(({ pk }) => String(pk).startsWith('PASSKEY#')).length, 1],
    }),
  },
} as const satisfies Readonly<Record<string, Story>>;

/** Stories that a later release must be able to continue. */
export const upgradeStories: Readonly<Record<string, Story>> = { ...stories, ...more };

/** These stories need a browser's encryption key, which the fixture does not contain. */
export const isInBrowser = (name: string) => /^(a payment that is told on a phone|a fall of the wallet)/.test(name);

/** These stories compare values from their start, so they cannot be resumed. */
export const isWhole = (name: string) => /^(a sender that is held back|somebody who signs in)/.test(name);

const signedIn = new WeakMap<Kiosk, boolean>();

/** Returns the numbers of the delivered stock codes, including repetitions. */
function codeNumbers(kiosk: Kiosk): number[] {
  const given = itemsOf(kiosk, 'TRANSACTION').flatMap(
    ({ goods }) => codeOf({ goods: Goods.safeParse(goods).data })?.number ?? [],
  );
  return given.toSorted((one, other) => one - other);
}

async function charge(kiosk: Kiosk, body: object): Promise<string> {
  const { reference } = await createCharge(kiosk, body);
  await kiosk.goOn();
  return reference;
}

async function invite(kiosk: Kiosk, name: string, role: 'owner'): Promise<string> {
  const merchant_id = shop(kiosk).id;
  return (await inviteUser(kiosk.outside, { name, role, merchant_id }, { by: COMMAND_LINE })).token;
}

/** Sets up a shared phone and a PIN. */
async function sharePhone({ outside, ...kiosk }: Kiosk): Promise<void> {
  const by = { by: COMMAND_LINE };
  const merchant_id = kiosk.shops[0]?.id ?? '';
  const user = await addUser(outside, { name: 'Yaw', role: 'cashier', merchant_id }, by);
  const { code, token, writes } = await prepareSharedPhone(outside, { merchant_id, name: 'Till' }, user, by);
  await outside.table.write(writes);
  const proof = await enrolPhone(outside, token, 'Chrome on Android');
  await choosePin(outside, proof, { userId: user.user_id, code, pin: '804917' });
}

async function accept(kiosk: Kiosk, name: string, token: string): Promise<void> {
  const { value, cookie } = await challenge(kiosk);
  const form = { credential: passkeyOf(kiosk, name).make(value) };
  await page(kiosk, `/dashboard/sign-in/invitation/${token}`, { form, cookies: [cookie] });
}

function passkeyOf(kiosk: Kiosk, name: string) {
  const user = itemsOf(kiosk, 'USER').find((one) => one.name === name);
  return passkeyNamed(kiosk.outside.baseUrl, Buffer.from(String(user?.user_id)).toString('base64url'), name);
}

async function challenge(kiosk: Kiosk): Promise<{ value: string; cookie: string }> {
  const answer = await page(kiosk, '/dashboard/sign-in/challenge', { form: {} });
  return {
    value: String(JSON.parse(answer?.body ?? '{}').challenge),
    cookie: answer?.cookies?.[0]?.split(';')[0] ?? '',
  };
}

function page(kiosk: Kiosk, path: string, request: Parameters<typeof callOf>[1]) {
  kiosk.nowMs += 1_000;
  return kiosk.request('dashboard/sign-in', callOf(path, request));
}

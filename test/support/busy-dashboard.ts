import { handler as storeContacts } from '../../functions/contact/store.ts';
import { handler as appArea } from '../../functions/dashboard/app.ts';
import { handler as settingsArea } from '../../functions/dashboard/settings.ts';
import { handler as makeLink } from '../../functions/link/create.ts';
import { handler as bulk } from '../../functions/sms/bulk.ts';
import { handler as send } from '../../functions/sms/send.ts';
import { handler as cancel } from '../../functions/transaction/cancel.ts';
import { handler as refund } from '../../functions/transaction/refund.ts';
import { arrivedPesewas } from '../../shared/ghana/arrived.ts';
import { COMMAND_LINE } from '../../shared/merchants/audit/audit.table.ts';
import { changeMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { merchantRows } from '../../shared/merchants/merchant/merchant.table.ts';
import { inviteUser } from '../../shared/merchants/user/manage-users.ts';
import { putTotals } from '../../shared/money/booking/booking.table.ts';
import { createReceipt } from '../../shared/money/receipt/receipt.table.ts';
import { addTill, beginShift } from '../../shared/money/till/shift.ts';
import { makeSticker } from '../../shared/money/till/sticker.ts';
import { takePayment, undoPayment } from '../../shared/money/till/take.ts';
import { tillRows } from '../../shared/money/till/till.table.ts';
import { addDays, dayOf } from '../../shared/runtime/values/calendar.ts';
import { noteOptOut } from '../../shared/texts/contact/contact.table.ts';
import { storeAnswer } from '../../shared/texts/inbox/receive-answer.ts';
import { type Person, signIn, visit } from './dashboard.ts';
import type { Examples } from './dashboard-pages.ts';
import { openLink, openPart } from './links.ts';
import { TestBrowser } from './push-service.ts';
import { switchOn, tell, ticked } from './pushed.ts';
import { arrive, charge, mtn, newNumber, pay, paymentId, request, rows, type Shop } from './receipts.ts';
import { writeMessageState } from './rows.ts';
import { addPhone, codeFor, phoneLink, phonePage } from './shared-phone.ts';
import { askAboutLost, begin, WALLET } from './wallet-chains.ts';
import { makeTry, newEvent, relayChanges, setWebhook } from './webhooks.ts';
import {
  call,
  createMerchant,
  createSender,
  createWorld,
  setDefaultSender,
  type TestMerchant,
  type World,
} from './world.ts';

export interface BusyDashboard {
  readonly world: World;
  readonly people: Readonly<Record<'owner' | 'operator', Person>>;
  readonly examples: Examples;
}

const NAME = 'Nana Akosua Konadu Agyeman-Wiredu';
const DESCRIPTION = `Two yards of kente, one of wax print, and ${'thread'.repeat(12)}`;

export async function openBusyDashboard(): Promise<BusyDashboard> {
  const world = await createWorld({ inMemory: true });
  const merchant = await createMerchant(world, { credits: 500 });
  await begin(world);
  await askAboutLost(world);
  const shop = await secondNumber(world, merchant);
  await createSender(world, WALLET.momo_number);
  await setDefaultSender(world, merchant.id, WALLET.momo_number);
  // A passkey sign-in stays fresh for the whole test, which takes longer than the default.
  const signed = { freshSeconds: 24 * 60 * 60 };
  const owner = await signIn(world, 'owner', merchant.id, signed);
  const operator = await signIn(world, 'operator', undefined, signed);
  await switchOn(world, owner, new TestBrowser(), { details: true });
  await switchOn(world, owner, new TestBrowser());
  const texted = { to: '0551112222', texts_per_day: '5', ...ticked({ kinds: ['held', 'phone'] }) };
  await visit(world, appArea, '/dashboard/app/text', { by: owner, form: texted });
  const examples = {
    ...(await makeCharges(world, shop)),
    ...(await makeLinks(world, shop)),
    ...(await makeTills(world, shop, owner)),
    ...(await makeRequests(world, shop)),
    ...(await makeTexts(world, merchant)),
    ...(await makeMany(world, merchant)),
    ...(await makeAnswers(world, merchant)),
    ...(await makeEvents(world, merchant)),
    ...(await makePeople(world, merchant)),
    ...(await makeChanges(world, merchant)),
    ...(await makePhones(world, merchant, owner)),
    ...(await makeUnassigned(world)),
    ...(await makeDays(world, merchant)),
    ...settingsPages(merchant),
  };
  return { world, people: { owner, operator }, examples: joined(examples, await makeForged(world, shop)) };
}

function joined(examples: Examples, more: Examples): Examples {
  const patterns = new Set([...Object.keys(examples), ...Object.keys(more)]);
  return Object.fromEntries([...patterns].map((one) => [one, [...(examples[one] ?? []), ...(more[one] ?? [])]]));
}

async function secondNumber({ outside }: World, { id, liveKey }: TestMerchant): Promise<Shop> {
  const number = newNumber();
  const account = { network: 'MTN' as const, account_name: 'AMA STORES' };
  const momo_accounts = [WALLET.momo_number, number].map((one) => ({ number: one, ...account }));
  await changeMerchant(outside, id, { momo_accounts });
  return { id, liveKey, number, network: 'MTN' };
}

async function makeCharges(world: World, shop: Shop): Promise<Examples> {
  const made = (more: object = {}) =>
    charge(world, shop, { amount: 36, customer_name: NAME, description: DESCRIPTION, ...more });
  const [open, paid, parted] = [await made(), await made(), await made({ amount: 1234.5 })];
  for (let n = 0; n < 2; n++) await pay(world, shop, mtn({ reference: paid, from: NAME.toUpperCase() }));
  await call(world, refund, { key: shop.liveKey, parameters: { reference: paid }, body: { amount: 1 } });
  for (let n = 0; n < 3; n++) await pay(world, shop, mtn({ reference: parted, amount: '100.00' }));
  for (let n = 0; n < 20; n++) await charge(world, shop, { amount: n + 1, customer_name: 'Kofi Mensah' });
  const held = Array.from({ length: 10 }, (_, n) =>
    mtn({
      amount: n % 2 ? '36.00' : '17.35',
      from: NAME.toUpperCase(),
      reference: n % 2 ? open.slice(0, -1) : DESCRIPTION.slice(0, 40),
    }),
  );
  for (const receipt of held) await pay(world, shop, receipt);
  await arrive(world, shop, { sender: 'MobileMoney', text: `You have received ${DESCRIPTION}` });
  const unread = (await rows(world, 'RECEIPT')).find(({ state }) => state === 'unread');
  const text = String(unread?.receipt_id);
  const payments = held.slice(0, 2).map((receipt) => `/dashboard/held/${paymentId(shop, receipt)}`);
  return {
    '/dashboard/charges': ['/dashboard/charges?q=kofi'],
    '/dashboard/charges/{reference}': [open, paid, parted].map((one) => `/dashboard/charges/${one}`),
    '/dashboard/records': ['/dashboard/records?q=kente'],
    '/dashboard/records/receipt/{reference}': [paid, open].map((one) => `/dashboard/records/receipt/${one}`),
    '/dashboard/records/case/{reference}': [paid, parted].map((one) => `/dashboard/records/case/${one}`),
    '/dashboard/held': ['unread', 'set_aside', 'decided'].map((list) => `/dashboard/held?list=${list}`),
    '/dashboard/held/{id}': [...payments, `/dashboard/held/${text}`],
    '/dashboard/charges/{reference}/mark': ['how=cash', 'how=transfer', `text=${text}`].map(
      (query) => `/dashboard/charges/${open}/mark?${query}`,
    ),
    '/dashboard/held/{id}/mark': [`/dashboard/held/${text}/mark?q=36`],
    '/dashboard/held/{id}/give': payments.slice(0, 1).map((one) => `${one}/give?reference=${open}`),
  };
}

/** Amounts of forged payments in cedis, unique among the examples. */
export const FORGED = {
  excess: '777.13',
  second: '778.14',
  late: '779.15',
  request: '781.17',
  link: '783.19',
} as const;

/**
 * Creates unverified payments for an overpaid bill, a bill paid twice, a cancelled bill, a payment request and a link.
 */
async function makeForged(world: World, shop: Shop): Promise<Examples> {
  const forge = async (reference: string, amount: string) => {
    const text = mtn({ reference, amount, from: 'YAW FORGER' });
    await pay(world, shop, text);
    return `/dashboard/held/${paymentId(shop, text)}`;
  };
  const made = () => charge(world, shop, { amount: 36, customer_name: 'Yaw Forger', customer_phone: '0241119999' });
  const [paid, cancelled] = [await made(), await made()];
  await forge(paid, FORGED.excess);
  const second = await forge(paid, FORGED.second);
  const body = { amount: 1, reason: 'Too much' };
  await call(world, refund, { key: shop.liveKey, parameters: { reference: paid }, body });
  await call(world, cancel, { key: shop.liveKey, parameters: { reference: cancelled } });
  const late = await forge(cancelled, FORGED.late);
  const asked = await request(world, shop, { title: 'Fees', lines: [{ description: 'Fees', amount: 40 }] });
  await forge(await openPart(world, asked, '40'), FORGED.request);
  const { json } = await call(world, makeLink, { key: shop.liveKey, body: { title: 'Ticket', amount: 25 } });
  const { slug } = json.data;
  await forge((await openLink(world, slug)).reference, FORGED.link);
  await tell(world);
  return {
    '/dashboard/charges': ['/dashboard/charges?q=forger'],
    '/dashboard/charges/{reference}': [paid, cancelled].map((one) => `/dashboard/charges/${one}`),
    '/dashboard/held/{id}': [second, late],
    '/dashboard/records': ['/dashboard/records?q=forger'],
    '/dashboard/records/receipt/{reference}': [`/dashboard/records/receipt/${paid}`],
    '/dashboard/records/case/{reference}': [paid, cancelled].map((one) => `/dashboard/records/case/${one}`),
    '/dashboard/requests/{slug}': [`/dashboard/requests/${asked}`],
    '/dashboard/links/{slug}': [`/dashboard/links/${slug}`],
  };
}

async function makeRequests(world: World, shop: Shop): Promise<Examples> {
  const said = { title: DESCRIPTION.slice(0, 80), customer_name: NAME, customer_phone: '0241112222' };
  const lines = [
    { description: DESCRIPTION.slice(0, 200), amount: 100 },
    { description: 'Books', quantity: 4, amount: 25 },
  ];
  const asked = [
    { ...said, lines },
    { ...said, lines, due: '2025-01-31', repeat: { every: 'month', until: '2025-12-31' }, reminders: [-3, 0, 7] },
    { ...said, lines, note: DESCRIPTION, merchant_reference: 'INV-2026-104' },
  ];
  const slugs: string[] = [];
  for (const body of asked) slugs.push(await request(world, shop, body));
  for (const [n, amount] of ['150.50', '700', '200'].entries()) {
    const reference = await openPart(world, slugs[n] ?? '', amount);
    await pay(world, shop, mtn({ reference, amount: Number(amount).toFixed(2) }));
  }
  return { '/dashboard/requests/{slug}': slugs.map((slug) => `/dashboard/requests/${slug}`) };
}

async function makeLinks(world: World, shop: Shop): Promise<Examples> {
  const made = async (body: object) =>
    (await call(world, makeLink, { key: shop.liveKey, body: { title: DESCRIPTION.slice(0, 80), ...body } })).json.data
      .slug;
  const slug = await made({
    description: DESCRIPTION,
    amount: 25,
    note_label: 'Your room',
    codes: ['WIFI-7QK2-M9XD', 'B'.repeat(100)],
  });
  const plain = await made({ min_amount: 5, max_amount: 500 });
  const references: string[] = [];
  for (let n = 0; n < 5; n++) references.push((await openLink(world, slug, { note: NAME })).reference);
  for (const reference of references.slice(0, 3)) await pay(world, shop, mtn({ reference, amount: '25.00' }));
  for (let n = 0; n < 2; n++) {
    for (const after of await rows(world, 'TRANSACTION')) if (after.link === slug) await relayChanges(world, { after });
    await tell(world);
  }
  const code = `/dashboard/links/${slug}/code`;
  return {
    '/dashboard/links/{slug}': [slug, plain].map((one) => `/dashboard/links/${one}`),
    '/dashboard/links/{slug}/code/{reference}': references.slice(0, 4).map((one) => `${code}/${one}`),
  };
}

/** Creates two tills. The first has accepted, undone and waiting payments. */
async function makeTills(world: World, shop: Shop, owner: Person): Promise<Examples> {
  const { outside } = world;
  const [{ till, writes }, other] = [
    await addTill(outside, shop.id, DESCRIPTION.slice(0, 40)),
    await addTill(outside, shop.id, 'Counter 2'),
  ];
  await outside.table.write([...writes, ...other.writes]);
  const by = owner.user.user_id;
  await outside.table.write(await beginShift(outside, shop.id, till.till_id, { by, insteadOf: undefined }));
  const theirs = { by: (await signIn(world, 'cashier', shop.id)).user.user_id, insteadOf: undefined };
  await outside.table.write(await beginShift(outside, shop.id, other.till.till_id, theirs));
  const [shift, merchant] = [
    (await tillRows.list(outside, { merchant_id: shop.id })).find(({ till_id }) => till_id === till.till_id)?.shift,
    await merchantRows.find(outside, { merchant_id: shop.id }),
  ];
  if (!shift || !merchant) throw new Error('The shift has begun');
  world.clock.nowMs += 1_000;
  const receipts = Array.from({ length: 6 }, (_, n) =>
    mtn({ from: n % 2 ? 'EFUA PREMPEH-AGYEMAN OPOKU' : 'EFUA ANSAH', amount: n === 5 ? '1234.50' : '41.00' }),
  );
  for (const receipt of receipts) await pay(world, shop, receipt);
  const at = { till_id: till.till_id, shift_id: shift.shift_id, by };
  for (const receipt of receipts.slice(0, 3)) {
    const what = { receiptId: paymentId(shop, receipt), amountPesewas: 4_100, reader: { seesIds: true } };
    const reference = await takePayment(outside, merchant, { ...at, ...what }, async (made, all) => {
      await outside.table.write(all);
      return made.reference;
    });
    if (receipt !== receipts[0]) continue;
    const { writes: undo } = await undoPayment(outside, shop.id, reference, { by, mayAssign: true });
    await outside.table.write(undo);
  }
  const sticker = await makeSticker(outside, merchant, till.till_id, async (slug, _, all) => {
    await outside.table.write(all);
    return slug;
  });
  await openLink(world, sticker, { amount: '41' });
  const { reference } = await openLink(world, sticker, { amount: '12.50' });
  await pay(world, shop, mtn({ reference, amount: '12.50', from: 'EFUA PREMPEH-AGYEMAN OPOKU' }));
  await tell(world);
  const address = `/dashboard/till/${till.till_id}`;
  return {
    '/dashboard/till/{till}': [address, `${address}?amount=41`],
    '/dashboard/till/closing': ['/dashboard/till/closing'],
  };
}

async function makeTexts(world: World, { smsKey }: TestMerchant): Promise<Examples> {
  const sent = async (numbers: number) => {
    const to = Array.from({ length: numbers }, (_, n) => `05511122${n + 10}`);
    const { json } = await call(world, send, { key: smsKey, body: { to, message: `${DESCRIPTION}. `.repeat(4) } });
    return String(json.data.id);
  };
  const [one, many] = [await sent(1), await sent(50)];
  for (const [index, state] of ['sent', 'delivered', 'failed'].entries())
    await writeMessageState(world, many, state, index);
  return {
    '/dashboard/texts/{id}': [one, many].map((id) => `/dashboard/texts/${id}`),
    '/dashboard/texts/{id}/{n}': [`/dashboard/texts/${many}/1`, `/dashboard/texts/${many}/3`],
  };
}

async function makeMany(world: World, { id: merchant_id, smsKey }: TestMerchant): Promise<Examples> {
  const recipients = Array.from({ length: 120 }, (_, n) => ({
    to: `0551113${String(n).padStart(3, '0')}`,
    name: NAME,
  }));
  const { json } = await call(world, bulk, {
    key: smsKey,
    body: { message: `Hello {name}, ${DESCRIPTION}`, recipients },
  });
  const { id } = json.data;
  for (const [index, state] of ['sent', 'delivered', 'failed'].entries())
    await writeMessageState(world, id, state, index);
  const consent = { at: '2026-01-02', how: DESCRIPTION };
  const contacts = recipients.map(({ to, name }, n) => ({ number: to, name, ...(n % 2 && { consent }) }));
  await call(world, storeContacts, { key: smsKey, body: { contacts } });
  await world.outside.table.write([noteOptOut(merchant_id, '+233551113001', true)]);
  return {
    '/dashboard/many/{id}': [`/dashboard/many/${id}`],
    '/dashboard/customers': ['contacts', 'stopped'].map((list) => `/dashboard/customers?list=${list}`),
    '/dashboard/customers/{number}': ['000', '001', '003'].map((end) => `/dashboard/customers/233551113${end}`),
  };
}

async function makeAnswers(world: World, { id }: TestMerchant): Promise<Examples> {
  await changeMerchant(world.outside, id, { answers: true, stop_words: ['GYAE'] });
  world.clock.nowMs += 5_000;
  const to = WALLET.momo_number;
  const writes = async (number: string, words: string) => {
    world.clock.nowMs += 2_000;
    const arrived = { to, line: to, owner: id, number, words, receivedMs: world.clock.nowMs, eventId: newNumber() };
    await storeAnswer(world.outside, arrived);
  };
  for (let n = 0; n < 12; n++)
    await writes('+233551112223', `${DESCRIPTION}, and number ${n} of them, please? `.repeat(2));
  await writes('+233551112224', 'GYAE');
  await writes('+233551112225', 'Hello?');
  return { '/dashboard/texts/inbox/{number}': ['223', '224'].map((end) => `/dashboard/texts/inbox/233551112${end}`) };
}

async function makeEvents(world: World, merchant: TestMerchant): Promise<Examples> {
  await setWebhook(world, merchant);
  const event = await newEvent(world, merchant);
  const { receiver } = world;
  world.receiver = async () => ({ statusCode: 500, headers: {}, text: `<h1>${DESCRIPTION}</h1>` });
  await makeTry(world, event);
  world.receiver = receiver;
  const developers = '/dashboard/developers';
  return {
    '/dashboard/developers/keys/new/{kind}': ['live', 'sms'].map((kind) => `${developers}/keys/new/${kind}`),
    '/dashboard/developers/keys/{hint}': [`${developers}/keys/${merchant.liveKey.slice(-4)}`],
    '/dashboard/developers/webhooks/{kind}': ['live', 'sms'].map((kind) => `${developers}/webhooks/${kind}`),
    '/dashboard/developers/events/{id}': [`${developers}/events/${event}`],
  };
}

async function makePeople(world: World, { id }: TestMerchant): Promise<Examples> {
  const { user } = await signIn(world, 'cashier', id);
  const person = { name: NAME, role: 'manager' as const, merchant_id: id };
  const { token } = await inviteUser(world.outside, person, { by: COMMAND_LINE });
  return {
    '/dashboard/settings/team/{id}': [`/dashboard/settings/team/${user.user_id}`],
    '/dashboard/sign-in/invitation/{token}': [`/dashboard/sign-in/invitation/${token}`],
  };
}

async function makePhones(world: World, { id }: TestMerchant, owner: Person): Promise<Examples> {
  const cashier = await signIn(world, 'cashier', id);
  const phone = await addPhone(world, owner, 'Till at the door to the yard on the left');
  const page = await phonePage(world, owner);
  await phone.setPin(cashier, await codeFor(world, owner, cashier), '804917');
  const person = `/dashboard/sign-in/phone/person/${cashier.user.user_id}`;
  return {
    '/dashboard/shared-phones/{id}': [page],
    '/dashboard/sign-in/phone/person/{id}': [person],
    '/dashboard/sign-in/phone/add/{token}': [await phoneLink(world, owner)],
  };
}

async function makeChanges(world: World, { id }: TestMerchant): Promise<Examples> {
  const [manager, other] = [await signIn(world, 'manager', id), await signIn(world, 'owner', id)];
  const settings = '/dashboard/settings';
  const add = { number: '0204000009', network: 'TELECEL', account_name: NAME.toUpperCase() };
  const limits = {
    match_by_name_up_to: '9000',
    confirm_unproven_up_to: '50',
    new_wallet_daily_limit: '1000',
    confirm_always_above: '',
  };
  await visit(world, settingsArea, `${settings}/numbers/new`, { by: manager, form: add });
  await visit(world, settingsArea, `${settings}/matching`, { by: manager, form: limits });
  await visit(world, settingsArea, `${settings}/matching`, {
    by: other,
    form: { ...limits, confirm_always_above: '800' },
  });
  return {};
}

async function makeUnassigned({ outside, clock }: World): Promise<Examples> {
  const received_at = new Date(clock.nowMs).toISOString();
  const text = `Payment received for GHS 36.00 from ${NAME.toUpperCase()} Current Balance: GHS 512.20. Reference: ${DESCRIPTION}. Transaction ID: 62841953770`;
  const arrived = { network: 'MTN', momo_number: '+233241112223', sender: 'MobileMoney', text, received_at } as const;
  const payment = {
    amount_pesewas: arrivedPesewas(36_00),
    payer_name: NAME.toUpperCase(),
    transaction_id: '62841953770',
  };
  const id = 'MTN-233241112223-62841953770';
  await outside.table.write([
    createReceipt({ receipt_id: id, state: 'held', reason: 'no_charge', ...arrived, ...payment }),
    createReceipt({ receipt_id: 'unread', state: 'unread', ...arrived }),
  ]);
  const unassigned = '/dashboard/operator-money/unassigned';
  return { [`${unassigned}/{id}`]: [`${unassigned}/${id}`, `${unassigned}/unread`] };
}

async function makeDays({ outside, clock }: World, { id }: TestMerchant): Promise<Examples> {
  const today = dayOf(clock.nowMs);
  for (const days of [3, 4, 10, 40]) {
    const totals = { charges_paid: days, payments: days, payments_pesewas: days * 1234_50, texts_accepted: 1_234 };
    await outside.table.write([putTotals(id, addDays(today, -days), { totals, disputed: [] })]);
  }
  const reports = '/dashboard/today/reports';
  return {
    [reports]: [`${reports}?from=${addDays(today, -360)}&to=${today}`],
    [`${reports}/files/{what}`]: ['charges', 'payments'].map((what) => `${reports}/files/${what}`),
  };
}

function settingsPages({ id, liveKey }: TestMerchant): Examples {
  const number = WALLET.momo_number.slice(1);
  const local = `0${number.slice(3)}`;
  const [settings, phones, merchants] = ['settings', 'operator-phones', 'operator-money'].map(
    (area) => `/dashboard/${area}`,
  );
  return {
    [`${settings}/numbers/{number}`]: [`${settings}/numbers/${local}`],
    [`${settings}/wallets/{number}`]: [`${settings}/wallets/${local}`],
    '/dashboard/today/balance/{network}/{number}': [`/dashboard/today/balance/MTN/${number}`],
    [`${phones}/{number}`]: [`${phones}/${number}`],
    [`${phones}/wallets/{network}/{number}`]: [`${phones}/wallets/MTN/${number}`],
    [`${merchants}/{id}`]: [`${merchants}/${id}`],
    [`${merchants}/{id}/settings`]: [`${merchants}/${id}/settings`],
    [`${merchants}/{id}/invite`]: [`${merchants}/${id}/invite`],
    [`${merchants}/{id}/keys/{hint}`]: [`${merchants}/${id}/keys/${liveKey.slice(-4)}`],
  };
}

import { beforeEach, describe, expect, test } from 'vitest';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { addNumber } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';

// Several texts may have the id of one payment. A person removes those whose money is not in the wallet.

const CHECKED_MS = 3 * MINUTE_MS;
const NO_SIM = { recipient: null, simNumber: null };
const PAID = { status: 'success', disputed: null, proof: { state: 'proven' } };

let world: Scene;
let shop: Shop;
let book: WalletBook;
let manager: Person;
let reference: string;
let other: string;
/** The genuine payment of the bill. */
let genuine: BookedText;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  book = await provenBook(world, shop, 6);
  [reference, other] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
  manager = await shop.signIn('manager');
});

const forge = (id: string, naming = other, from = 'EVE ANKRAH') =>
  book.receipt(36, { from, reference: naming, id, balance: 7_777_77 });

/** Settles a text until its proof is known. */
async function come<Text extends BookedText>(text: Text, phone: Partial<typeof NO_SIM> = {}): Promise<Text> {
  await shop.arrive({ ...text, ...phone });
  await wait(text);
  return text;
}

async function wait({ id }: BookedText) {
  world.clock.nowMs += CHECKED_MS;
  await world.work('settle-receipt', [{ receipt_id: shop.paymentId({ network: 'MTN', id }) }]);
  await world.followPayments();
  manager = await shop.signIn('manager');
}

/** Finds the stored text of a payer about the genuine payment. */
async function stored(from = 'KOFI MENSAH BOATENG'): Promise<Partial<Receipt>> {
  const receipts = await world.rows('RECEIPT');
  return receipts.find(({ transaction_id, payer_name }) => transaction_id === genuine.id && payer_name === from) ?? {};
}

const held = async (from: string) =>
  (await world.rows('RECEIPT')).filter(
    (one) => one.state === 'held' && one.payer_name === from && one.transaction_id === genuine.id,
  );

async function removeHeld(from = 'EVE ANKRAH') {
  const { receipt_id } = await stored(from);
  const form = { why: 'The money is not in the wallet.' };
  const { status } = await manager.visit(`/dashboard/held/${receipt_id}/set-aside`, { form });
  expect(status).toBe(303);
  await world.followPayments();
}

async function removeFrom(bill: string, from = 'EVE ANKRAH') {
  const form = { receipt: String((await stored(from)).receipt_id) };
  expect((await manager.visit(`/dashboard/charges/${bill}/not-there`, { form })).status).toBe(303);
  await world.followPayments();
}

async function putBack(from: string) {
  const { receipt_id } = await stored(from);
  expect((await manager.visit(`/dashboard/held/${receipt_id}/take-back`, { form: {} })).status).toBe(303);
  await world.followPayments();
}

async function give(bill = reference, shown = 'contradicted') {
  const form = { reference: bill, shown };
  return manager.visit(`/dashboard/held/${(await stored()).receipt_id}/give`, { form });
}

const reverse = () => shop.arrive(book.reversed(genuine, 36));

describe('a removed text without a SIM number', () => {
  test.each(['before', 'after'])(
    'leaves its id to the verified text if it is removed %s that text arrives',
    async (when) => {
      genuine = book.paid(36, { reference });
      await come(forge(genuine.id), NO_SIM);
      if (when === 'before') await removeHeld();
      await come(genuine);
      if (when === 'after') await removeHeld();
      expect(await shop.verified(reference)).toMatchObject(PAID);
      await reverse();
      expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
      expect(await stored()).toMatchObject({ state: 'held', reason: 'reversed' });
    },
  );

  test('leaves its id to a text that is verified later', async () => {
    const missing = book.spent(5);
    genuine = book.paid(36, { reference });
    await come(forge(genuine.id), NO_SIM);
    await come(genuine);
    await removeHeld();
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    await shop.arrive(missing);
    await wait(genuine);
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });
});

describe('a genuine text that comes without and with its SIM number', () => {
  beforeEach(async () => {
    await shop.pay(book.paid(36, { reference }));
    genuine = book.paid(36, { reference });
  });

  test('gets its reversal, although its copy remained after a forged text was removed', async () => {
    await come(forge(genuine.id), NO_SIM);
    await removeHeld();
    await come(genuine, NO_SIM);
    await come(genuine);
    expect(await shop.verified(reference)).toMatchObject({ second_payments: [{ proof: { state: 'proven' } }] });
    await reverse();
    expect(await shop.receipt(genuine)).toMatchObject({ reason: 'reversed' });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', second_payments: [] });
  });

  test('is verified, although a forged text was removed between both copies', async () => {
    await come(forge(genuine.id));
    await come(genuine, NO_SIM);
    await removeFrom(other);
    await come(genuine);
    expect(await shop.verified(reference)).toMatchObject({ second_payments: [{ proof: { state: 'proven' } }] });
    expect(await held('KOFI MENSAH BOATENG')).toHaveLength(1);
  });
});

describe('a removed text that the phone sends once more without its SIM number', () => {
  beforeEach(async () => {
    genuine = book.paid(36, { reference });
    await come(forge(genuine.id));
  });
  const copy = () => shop.arrive({ ...forge(genuine.id), ...NO_SIM });
  const send = () => come(genuine);
  const remove = () => removeFrom(other);

  test.each([
    ['before the genuine text and the removal', [copy, send, remove]],
    ['between the genuine text and the removal', [send, copy, remove]],
    ['between the removal and the genuine text', [remove, copy, send]],
    ['after the genuine text and the removal', [send, remove, copy]],
    ['after the removal and the genuine text', [remove, send, copy]],
  ])('does not contradict the genuine one if it comes %s', async (_, steps) => {
    for (const step of steps) await step();
    await world.followPayments();
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });
});

test.each([
  ['with its SIM number contradicts no genuine text', NO_SIM, {}, {}],
  ['contradicts no genuine text without its SIM number', {}, NO_SIM, {}],
] as const)('a copy of a removed text %s', async (_, first, second, copy) => {
  genuine = book.paid(36, { reference });
  const text = forge(genuine.id);
  await come(text, first);
  if (first === NO_SIM) await removeHeld();
  else await removeFrom(other);
  await come(genuine, second);
  const before = await held('KOFI MENSAH BOATENG');
  await come(text, copy);
  expect(await held('KOFI MENSAH BOATENG')).toEqual(before);
  expect(await held('EVE ANKRAH')).toHaveLength(1);
  expect(await shop.verified(reference)).toMatchObject({ disputed: null });
});

describe('a forged text that comes again with its SIM number, after the genuine one', () => {
  const again = async () => come(forge(genuine.id));
  const fake = async () => {
    const { receipt_id } = await stored('EVE ANKRAH');
    const form = { why: 'Fake message' };
    await manager.visit(`/dashboard/held/${receipt_id}/set-aside`, { form });
  };
  beforeEach(async () => {
    genuine = book.paid(36, { reference });
    await come(forge(genuine.id), NO_SIM);
  });

  test('pays nothing, because a verified text contradicts it', async () => {
    await come(genuine);
    await again();
    expect(await shop.verified(other)).toMatchObject({ status: 'pending', amount_paid: 0 });
  });

  test.each([
    ['before', [fake, () => come(genuine)]],
    ['after', [() => come(genuine), fake]],
  ] as const)('pays nothing if a person set it aside %s the genuine one', async (_, steps) => {
    for (const step of steps) await step();
    await again();
    expect(await shop.verified(other)).toMatchObject({ status: 'pending', amount_paid: 0 });
    expect(await held('EVE ANKRAH')).toHaveLength(1);
  });

  test('does not come back if it was removed', async () => {
    await come(genuine);
    await removeHeld();
    await again();
    expect(await shop.verified(reference)).toMatchObject(PAID);
    expect(await shop.verified(other)).toMatchObject({ status: 'pending', amount_paid: 0 });
  });
});

test('a removed text does not come back with its SIM number if the genuine text has none', async () => {
  genuine = book.paid(36, { reference });
  const text = forge(genuine.id);
  await come(text, NO_SIM);
  await come(genuine, NO_SIM);
  await removeHeld();
  await come(text);
  await come(genuine);
  expect(await held('EVE ANKRAH')).toHaveLength(1);
  expect(await shop.verified(reference)).toMatchObject(PAID);
});

test('a verified text is noted on its bill, although a text without its SIM number came while it was checked', async () => {
  const missing = book.spent(5);
  genuine = book.paid(36, { reference });
  await shop.arrive(genuine);
  expect(await stored()).toMatchObject({ reason: 'checking' });
  await shop.arrive({ ...forge(genuine.id), ...NO_SIM });
  await shop.arrive(missing);
  await wait(genuine);
  const { receipt_id = '', ...text } = await stored();
  expect(text).toMatchObject({ reason: 'conflict', suggested_reference: reference, proof: { state: 'proven' } });
  expect((await manager.visit(`/dashboard/charges/${reference}`)).text).toContain(receipt_id);
});

test('a verified text is noted on its bill if the forged text for the same bill is set aside', async () => {
  reference = await shop.charge({ amount: 900 });
  genuine = book.paid(900, { reference });
  const { id } = genuine;
  await come(book.receipt(900, { from: 'EVE ANKRAH', reference, id, balance: 7_777_77 }));
  await come(genuine);
  expect((await world.chargeRow(reference)).waiting_receipts).not.toContain((await stored()).receipt_id);
  const path = `/dashboard/held/${(await stored('EVE ANKRAH')).receipt_id}/set-aside`;
  await manager.visit(path, { form: { why: 'A friend' } });
  expect(await stored()).toMatchObject({ reason: 'conflict', suggested_reference: reference });
  expect((await world.chargeRow(reference)).waiting_receipts).toContain((await stored()).receipt_id);
});

test('a reversed payment stays reversed if a removed text with its id is put back', async () => {
  book.spent(5);
  genuine = book.paid(36, { reference });
  await come(forge(genuine.id));
  await removeFrom(other);
  await come(genuine);
  const { receipt_id = '' } = await stored();
  const row = { receipt_id };
  await world.outside.table.write([receiptRows.change(row, { reason: 'reversed' })]);
  await putBack('EVE ANKRAH');
  expect(await stored()).toMatchObject({ reason: 'reversed', first_undone: true });
});

test('a doubt about a reversal for one number does not pass to a payment to another', async () => {
  const second = { ...shop, number: await addNumber(world, shop) };
  genuine = book.paid(36, { reference });
  await second.pay(forge(genuine.id));
  await come(genuine);
  await second.arrive({ sender: 'MobileMoney', text: `Transaction ${genuine.id} of GHS 36.00 will be reversed.` });
  expect(await stored('EVE ANKRAH')).toHaveProperty('reversal_doubt_at');
  const { state } = await stored('EVE ANKRAH');
  await (state === 'matched' ? removeFrom(other) : removeHeld());
  expect(await stored()).not.toHaveProperty('reversal_doubt_at');
  expect(await shop.verified(reference)).toMatchObject(PAID);
});

describe('the bill of a payment that a later text contradicts', () => {
  const disputed = { status: 'success', disputed: { why: 'conflict' } };
  const unverified = { status: 'success', disputed: null, proof: { state: 'unproven' } };

  test('is no longer in doubt once that text is removed', async () => {
    genuine = await come(book.paid(36, { reference }));
    await come(forge(genuine.id));
    expect(await shop.verified(reference)).toMatchObject(disputed);
    await removeHeld();
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });

  test('is in doubt again if that text is put back and the payment is not verified', async () => {
    book.spent(5);
    genuine = await come(book.paid(36, { reference }));
    await come(forge(genuine.id));
    await removeHeld();
    expect(await shop.verified(reference)).toMatchObject(unverified);
    await putBack('EVE ANKRAH');
    expect(await shop.verified(reference)).toMatchObject(disputed);
  });

  test('stays in doubt while another text contradicts the payment', async () => {
    genuine = await come(book.paid(36, { reference }));
    await come(forge(genuine.id));
    await come(forge(genuine.id, other, 'YAW OSEI'));
    await removeHeld();
    expect(await shop.verified(reference)).toMatchObject(disputed);
    await removeHeld('YAW OSEI');
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });

  test('takes the verified rest of a part payment, which was held during the doubt', async () => {
    const bill = await shop.charge({ amount: 72 });
    genuine = await come(book.paid(36, { reference: bill }));
    await come(forge(genuine.id));
    const rest = await come(book.paid(36, { reference: bill }));
    expect(await shop.receipt(rest)).toMatchObject({ reason: 'charge_disputed' });
    await removeHeld();
    await wait(rest);
    expect(await shop.verified(bill)).toMatchObject({ ...PAID, amount_paid: 72 });
  });

  test('stays in doubt if another of its payments is contradicted', async () => {
    const bill = await shop.charge({ amount: 72 });
    const part = await come(book.paid(36, { reference: bill }));
    await come(forge(part.id, other, 'YAW OSEI'));
    genuine = await come(book.paid(30, { reference: bill }));
    await manager.visit(`/dashboard/held/${shop.paymentId(genuine)}/give`, {
      form: { reference: bill, shown: 'verified', as_part: 'on' },
    });
    await come(forge(genuine.id));
    await removeHeld();
    expect(await shop.verified(bill)).toMatchObject({ disputed: { why: 'conflict' } });
  });
});

describe('a reversal that comes before the removal', () => {
  beforeEach(() => {
    genuine = book.paid(36, { reference });
  });

  test('is about the verified text, not the forged one in use', async () => {
    await come(forge(genuine.id));
    await come(genuine);
    await reverse();
    await removeFrom(other);
    expect(await stored()).toMatchObject({ state: 'held', reason: 'reversed' });
    expect((await give()).status).not.toBe(303);
  });

  test('is a doubt about the genuine text if that text comes last', async () => {
    await come(forge(genuine.id));
    await removeFrom(other);
    await reverse();
    await shop.arrive(genuine);
    expect(await stored()).toMatchObject({ reason: 'conflict', reversal_doubt_at: expect.any(String) });
  });

  test('is a doubt about a genuine text without its SIM number', async () => {
    await come(forge(genuine.id));
    await removeFrom(other);
    await come(genuine, NO_SIM);
    await reverse();
    expect(await stored()).toMatchObject({ reason: 'conflict', reversal_doubt_at: expect.any(String) });
  });
});

test('a payment that is verified late pays its bill in spite of a removed text without its SIM number', async () => {
  const missing = book.spent(5);
  genuine = book.paid(36, { reference });
  await come(forge(genuine.id), NO_SIM);
  await removeHeld();
  await come(genuine);
  expect(await stored()).toMatchObject({ reason: 'conflict', suggested_reference: reference });
  await shop.arrive(missing);
  await wait(genuine);
  expect(await shop.verified(reference)).toMatchObject(PAID);
});

test('a text that already paid beside a removed one is stored once if the phone sends it again', async () => {
  genuine = book.paid(36, { reference });
  await come(forge(genuine.id), NO_SIM);
  await come(genuine);
  await removeHeld();
  expect(await shop.verified(reference)).toMatchObject(PAID);
  await come(genuine);
  expect(await held('KOFI MENSAH BOATENG')).toEqual([]);
  expect(await shop.verified(reference)).toMatchObject({ second_payments: [] });
});

test('a removed text without its SIM number does not contradict the genuine one', async () => {
  const missing = book.spent(5);
  genuine = await come(book.paid(36, { reference: 'rent' }));
  await come(forge(genuine.id));
  await come(forge(genuine.id), NO_SIM);
  await removeHeld();
  await shop.arrive(missing);
  await wait(genuine);
  expect(await stored()).toMatchObject({ reason: 'no_charge', proof: { state: 'proven' } });
});

describe('forged texts to both of a shop’s numbers', () => {
  let second: Shop;
  beforeEach(async () => {
    second = { ...shop, number: await addNumber(world, shop) };
    genuine = book.paid(36, { reference });
  });

  test('leave their id to the verified text once one of them is removed', async () => {
    await come(forge(genuine.id));
    await removeFrom(other);
    const third = await shop.charge({ amount: 36 });
    await second.pay(forge(genuine.id, third, 'YAW OSEI'));
    await come(genuine);
    expect(await shop.verified(reference)).toMatchObject(PAID);
    expect(await stored('YAW OSEI')).toMatchObject({ state: 'held', reason: 'balance_gap' });
  });

  test('do not dispute the verified payment again once the disputing text is removed', async () => {
    await second.pay(forge(genuine.id));
    await come(genuine);
    await come(forge(genuine.id, 'rent', 'YAW OSEI'));
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
    await removeHeld('YAW OSEI');
    expect(await shop.verified(reference)).toMatchObject(PAID);
    await come(forge(genuine.id), NO_SIM);
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });

  test('pay nothing by themselves once one of them is removed', async () => {
    await second.pay(forge(genuine.id));
    await removeFrom(other);
    await come(forge(genuine.id, other, 'YAW OSEI'));
    expect(await stored('YAW OSEI')).toMatchObject({ state: 'held', reason: 'balance_gap' });
    expect(await shop.verified(other)).toMatchObject({ status: 'pending' });
  });

  test('leave the verified text in conflict with one that remains when a mark for the other number is undone', async () => {
    const third = await shop.charge({ amount: 36 });
    const fields = { how: 'transfer', amount: '36', payer: 'Kofi Mensah', transaction_id: genuine.id };
    await manager.visit(`/dashboard/charges/${third}/mark`, { form: { ...fields, number: second.number } });
    await come(forge(genuine.id));
    await come(genuine);
    await manager.visit(`/dashboard/charges/${third}/unmark`, { form: {} });
    await world.followPayments();
    expect(await stored('EVE ANKRAH')).not.toHaveProperty('first_undone');
    await removeHeld();
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });
});

describe('a third text about a payment', () => {
  beforeEach(async () => {
    genuine = book.paid(36, { reference });
    await come(forge(genuine.id, reference));
    await come(genuine);
    await come(forge(genuine.id, other, 'YAW OSEI'));
    await removeFrom(reference);
  });

  test('keeps the verified text in conflict, and the bill’s page leads to it', async () => {
    const { receipt_id = '', ...text } = await stored();
    expect(text).toMatchObject({ reason: 'conflict', suggested_reference: reference, proof: { state: 'proven' } });
    expect((await world.chargeRow(reference)).waiting_receipts).toContain(receipt_id);
    expect((await manager.visit(`/dashboard/charges/${reference}`)).text).toContain(receipt_id);
  });

  test('leaves the bill to the verified text once it is removed too', async () => {
    await removeHeld('YAW OSEI');
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });

  test('contradicts the text that remained, if it arrives after the removal', async () => {
    await removeHeld('YAW OSEI');
    await come(forge(genuine.id, other, 'ABENA OFORI'));
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
    expect((await stored()).contradicted_by).toContain((await stored('ABENA OFORI')).receipt_id);
  });
});

describe('a removed text that an undone mark had freed', () => {
  let missing: BookedText;
  beforeEach(async () => {
    missing = book.spent(5);
    genuine = book.paid(36, { reference });
    const marked = await shop.charge({ amount: 36 });
    const fields = { how: 'transfer', amount: '36', payer: 'Kofi Mensah', transaction_id: genuine.id };
    await manager.visit(`/dashboard/charges/${marked}/mark`, { form: fields });
    await come(forge(genuine.id));
    await manager.visit(`/dashboard/charges/${marked}/unmark`, { form: {} });
    await world.followPayments();
    expect(await shop.verified(other)).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
    await come(genuine);
    await removeFrom(other);
  });

  test('leaves its id to a text that is verified later', async () => {
    await shop.arrive(missing);
    await wait(genuine);
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });

  test('leaves the network’s reversal to the text that remains', async () => {
    await shop.arrive(missing);
    await shop.pay(book.paid(36, { reference }));
    await wait(genuine);
    expect(await shop.verified(reference)).toMatchObject({ second_payments: [{ proof: { state: 'proven' } }] });
    await reverse();
    expect(await stored()).toMatchObject({ state: 'held', reason: 'reversed' });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', second_payments: [] });
  });
});

describe('a payment that was removed by mistake', () => {
  let missing: BookedText;
  beforeEach(async () => {
    missing = book.spent(5);
    genuine = await come(book.paid(36, { reference }));
    await come(forge(genuine.id));
    await removeFrom(reference, 'KOFI MENSAH BOATENG');
    expect(await stored('EVE ANKRAH')).toMatchObject({ first_undone: true, reason: 'conflict' });
  });

  test('is contradicted again once it is put back', async () => {
    await putBack('KOFI MENSAH BOATENG');
    expect(await stored('EVE ANKRAH')).not.toHaveProperty('first_undone');
    expect(await stored('EVE ANKRAH')).not.toHaveProperty('agreed_by');
  });

  test.each(['is put back', 'stays removed'])('gets its reversal if it was verified and %s', async (how) => {
    if (how === 'is put back') await putBack('KOFI MENSAH BOATENG');
    await shop.arrive(missing);
    await wait(genuine);
    expect(await stored()).toMatchObject({ proof: { state: 'proven' } });
    await reverse();
    expect(await stored()).toMatchObject({ reason: 'reversed' });
    expect(await stored('EVE ANKRAH')).not.toHaveProperty('reversal_doubt_at');
  });
});

test('a verified text that was removed by mistake pays its bill, if it is put back after the forged text was removed', async () => {
  genuine = book.paid(36, { reference });
  await come(forge(genuine.id));
  await come(genuine);
  await removeHeld('KOFI MENSAH BOATENG');
  await removeFrom(other);
  await putBack('KOFI MENSAH BOATENG');
  expect(await shop.verified(reference)).toMatchObject(PAID);
});

test('a payment pays its bill once it is verified, if the later text with its id is removed', async () => {
  reference = await shop.charge({ amount: 900 });
  const missing = book.spent(5);
  genuine = await come(book.paid(900, { reference }));
  await come(forge(genuine.id));
  await removeHeld();
  await shop.arrive(missing);
  await wait(genuine);
  expect(await shop.verified(reference)).toMatchObject(PAID);
});

describe('a verified text whose id a forged text used for a bill that can no longer be undone', () => {
  beforeEach(async () => {
    genuine = book.paid(36, { reference });
    await come(forge(genuine.id));
    await manager.visit(`/dashboard/charges/${other}/release`, { form: { shown: 'unverified' } });
    await come(genuine);
    expect(await stored()).toMatchObject({ reason: 'conflict', proof: { state: 'proven' } });
  });

  test('can be matched to its own bill, and puts the other bill in doubt', async () => {
    expect((await give()).status).toBe(303);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: null });
    expect(await shop.verified(other)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
  });

  test('gets the network’s reversal', async () => {
    await give();
    await reverse();
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    expect(await shop.verified(other)).toMatchObject({ status: 'success' });
  });

  test('is in doubt beside a further forged text only until that text is removed', async () => {
    await give();
    await come(forge(genuine.id, 'rent', 'YAW OSEI'));
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
    await removeHeld('YAW OSEI');
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });

  test('is not in doubt if the forged text comes again without its SIM number', async () => {
    await give();
    await come(forge(genuine.id), NO_SIM);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: null });
  });

  test('keeps its bill unpaid if an API key matches it, because nobody checked the wallet', async () => {
    const parameters = { id: String((await stored()).receipt_id) };
    const { status, json } = await shop.call('receipt/assign', { parameters, body: { reference } });
    expect([status, json.message]).toEqual([
      409,
      'Another text with the same transaction ID has already paid a charge. One payment can pay only one charge.',
    ]);
  });
});

test.each(['at once', 'later'])(
  'a payment without a reference that is verified %s on a shared number belongs to no shop that a forged text names',
  async (when) => {
    await world.createShop({ number: shop.number });
    const missing = when === 'later' ? book.spent(5) : undefined;
    genuine = book.paid(36, { reference: 'rent' });
    await come(forge(genuine.id));
    await come(genuine);
    if (missing) {
      await shop.arrive(missing);
      await wait(genuine);
      await removeFrom(other);
    }
    expect(await stored('EVE ANKRAH')).toMatchObject({ merchant_id: shop.id });
    expect(await stored()).not.toHaveProperty('merchant_id');
  },
);

describe('a verified text that a person matched beside a held forged one', () => {
  beforeEach(async () => {
    [reference, other] = [await shop.charge({ amount: 900 }), await shop.charge({ amount: 900 })];
    genuine = book.paid(900, { reference });
    await come(book.receipt(900, { from: 'EVE ANKRAH', reference: other, id: genuine.id, balance: 7_777_77 }));
    await come(genuine);
    expect((await give()).status).toBe(303);
    await come(forge(genuine.id, 'rent', 'YAW OSEI'));
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
  });

  test('is in doubt beside a later forged text only until that text is removed', async () => {
    await removeHeld('YAW OSEI');
    expect(await shop.verified(reference)).toMatchObject(PAID);
    expect(await stored('EVE ANKRAH')).toMatchObject({ reason: 'conflict' });
  });

  test('is in doubt until the last of two later texts is removed', async () => {
    await come(forge(genuine.id, 'rent', 'ABENA OFORI'));
    await removeHeld('YAW OSEI');
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
    await removeHeld('ABENA OFORI');
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });

  test('stays in doubt if the removed text’s reversal is in doubt', async () => {
    await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${genuine.id} of GHS 900.00 will be reversed.` });
    await removeHeld('YAW OSEI');
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'reversal' } });
  });
});

describe('a bill marked as paid', () => {
  const mark = (marked: string, more: object = {}) =>
    manager.visit(`/dashboard/charges/${marked}/mark`, {
      form: { how: 'transfer', amount: '36', payer: 'Kofi Mensah', transaction_id: genuine.id, ...more },
    });

  test.each(['with', 'without'])(
    'is paid by its text if a forged text %s a SIM number was removed before',
    async (sim) => {
      genuine = book.paid(36, { reference });
      await mark(reference);
      await come(forge(genuine.id), sim === 'with' ? {} : NO_SIM);
      expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
      await removeHeld();
      expect(await shop.verified(reference)).toMatchObject({ disputed: null });
      await come(genuine);
      expect(await shop.verified(reference)).toMatchObject(PAID);
    },
  );

  test('can be completed by the rest of its price', async () => {
    const bill = await shop.charge({ amount: 72 });
    genuine = book.paid(36, { reference: bill });
    await mark(bill);
    await come(forge(genuine.id));
    await removeHeld();
    await come(genuine);
    await come(book.paid(36, { reference: bill }));
    expect(await shop.verified(bill)).toMatchObject(PAID);
  });

  test.each(['the bill', 'nothing'])(
    'with the shop’s other number is paid by its text once a forged text that names %s is removed',
    async (naming) => {
      genuine = book.paid(36, { reference });
      await mark(reference, { number: await addNumber(world, shop) });
      await come(forge(genuine.id, naming === 'the bill' ? reference : 'rent'));
      await come(genuine);
      expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
      await removeHeld();
      expect(await shop.verified(reference)).toMatchObject(PAID);
      await reverse();
      expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    },
  );

  test('with the shop’s other number gets the doubt about a reversal although its own text never came', async () => {
    genuine = book.paid(36, { reference });
    await mark(reference, { number: await addNumber(world, shop) });
    await come(forge(genuine.id, 'rent'));
    await removeHeld();
    await reverse();
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'reversal' } });
  });

  test('for another bill’s payment stays in doubt once the forged text is removed', async () => {
    genuine = book.paid(36, { reference });
    await mark(other, { number: await addNumber(world, shop) });
    await come(forge(genuine.id, 'rent'));
    await come(genuine);
    await removeHeld();
    expect(await shop.verified(other)).toMatchObject({ disputed: { why: 'conflict' } });
  });

  test('is in doubt again if the forged text is put back', async () => {
    genuine = book.paid(36, { reference });
    await mark(reference);
    await come(forge(genuine.id));
    await removeHeld();
    await putBack('EVE ANKRAH');
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
  });
});

describe.each(['to the bill', 'to another bill'])(
  'a payment %s that a person matched while its SIM number was unknown',
  (naming) => {
    beforeEach(async () => {
      genuine = book.paid(36, { reference: naming === 'to the bill' ? reference : other });
      await come(genuine, NO_SIM);
      expect((await give(reference, 'unverified')).status).toBe(303);
    });

    const forged = () => come(forge(genuine.id));
    const forgedForBill = () => come(forge(genuine.id, reference));
    const numbered = () => come(genuine);
    const removed = () => removeHeld();

    test.each([
      { steps: [numbered], order: 'its text arrives with the number' },
      { steps: [forged, numbered, removed], order: 'a forged text is removed after that' },
      { steps: [forgedForBill, numbered, removed], order: 'a forged text that names the bill is removed after that' },
      { steps: [forged, removed, numbered], order: 'a forged text is removed before that' },
    ])('is verified and reversed once $order', async ({ steps }) => {
      for (const step of steps) await step();
      expect(await shop.verified(reference)).toMatchObject(PAID);
      expect(await held('KOFI MENSAH BOATENG')).toEqual([]);
      await reverse();
      expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    });

    test('may still be reversed after its text arrives with the number', async () => {
      await forged();
      await removed();
      const suspected = { kind: 'suspected', network: 'MTN', momo_number: shop.number, transaction_id: genuine.id };
      await world.work('settle-receipt', [suspected]);
      await numbered();
      const stored = (await shop.receipts()).find(({ text }) => text === genuine.text);
      expect(stored).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
      expect(await shop.verified(reference)).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
    });
  },
);

test('a payment is booked once although a copy with the SIM number replaces its text', async () => {
  genuine = book.paid(36, { reference });
  await come(genuine, NO_SIM);
  await give(reference, 'unverified');
  await come(genuine);
  await world.followChanges();
  const booked = (await world.scan()).filter(({ pk }) => String(pk).startsWith('BOOKING#'));
  const sumOf = (name: string) => booked.reduce((sum, row) => sum + Number(row[name] ?? 0), 0);
  expect([sumOf('charges_paid'), sumOf('payments_pesewas'), sumOf('released_pesewas')]).toEqual([1, 36_00, 0]);
});

test('a matched payment is verified and reversed although a forged text without a SIM number came first', async () => {
  genuine = book.paid(36, { reference });
  await come(forge(genuine.id), NO_SIM);
  await come(genuine, NO_SIM);
  expect((await give()).status).toBe(303);
  await come(forge(genuine.id));
  await come(genuine);
  for (const { receipt_id } of await held('EVE ANKRAH')) {
    const form = { why: 'The money is not in the wallet.' };
    expect((await manager.visit(`/dashboard/held/${receipt_id}/set-aside`, { form })).status).toBe(303);
    await world.followPayments();
  }
  expect(await shop.verified(reference)).toMatchObject(PAID);
  await reverse();
  expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
});

test.each(['before', 'after'])(
  'a doubt about a reversal that arose %s a person matched the payment disputes its bill only then',
  async (when) => {
    const doubt = () =>
      shop.arrive({ ...book.reversed(genuine, 36), text: `Transaction ${genuine.id} of GHS 36.00 will be reversed.` });
    genuine = book.paid(36, { reference });
    await come(forge(genuine.id, 'rent'));
    if (when === 'before') await doubt();
    await come(genuine);
    await give();
    if (when === 'after') await doubt();
    await removeHeld();
    if (when === 'before') expect(await stored()).not.toHaveProperty('reversal_doubt_at');
    const disputed = when === 'after' ? { why: 'reversal' } : null;
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed });
  },
);

describe('on a number that two shops share', () => {
  let neighbour: Shop;
  let bill: string;
  beforeEach(async () => {
    neighbour = await world.createShop({ number: shop.number });
    bill = await neighbour.charge({ amount: 36 });
    genuine = book.paid(36, { reference });
  });

  async function mark(by: Shop, marked: string) {
    const form = { how: 'transfer', amount: '36', payer: 'Kofi Mensah', transaction_id: genuine.id };
    const person = await by.signIn('manager');
    expect((await person.visit(`/dashboard/charges/${marked}/mark`, { form })).status).toBe(303);
  }

  async function removeAsNeighbour() {
    const person = await neighbour.signIn('manager');
    const { receipt_id, state } = await stored('EVE ANKRAH');
    const [path, form] =
      state === 'matched'
        ? [`charges/${bill}/not-there`, { receipt: String(receipt_id) }]
        : [`held/${receipt_id}/set-aside`, { why: 'The money is not in the wallet.' }];
    expect((await person.visit(`/dashboard/${path}`, { form })).status).toBe(303);
    await world.followPayments();
    manager = await shop.signIn('manager');
  }

  test.each(['before', 'after'])(
    'a mark with another shop’s ID is in doubt if a forged text is removed %s the payment is verified',
    async (when) => {
      await mark(neighbour, bill);
      await come(forge(genuine.id, bill));
      if (when === 'before') await removeAsNeighbour();
      await come(genuine);
      if (when === 'after') await removeAsNeighbour();
      expect(await neighbour.verified(bill)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
      const status = when === 'before' ? 'success' : 'pending';
      expect(await shop.verified(reference)).toMatchObject({ status, disputed: null });
    },
  );

  test('a marked bill is paid by its verified text once the other shop removed a forged one', async () => {
    await mark(shop, reference);
    await come(forge(genuine.id, bill));
    await come(genuine);
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
    await removeAsNeighbour();
    expect(await shop.verified(reference)).toMatchObject(PAID);
    expect(await neighbour.verified(bill)).toMatchObject({ status: 'pending' });
  });
});

test('a forged copy of a verified payment cannot be matched to another bill', async () => {
  genuine = await come(book.paid(36, { reference: 'rent' }));
  await come(forge(genuine.id, other, 'KOFI MENSAH BOATENG'));
  const texts = (await world.rows('RECEIPT')).filter(({ transaction_id }) => transaction_id === genuine.id);
  const forged = texts.find(({ payer_reference }) => payer_reference === other);
  const form = { reference: other, shown: 'contradicted' };
  const { status, text } = await manager.visit(`/dashboard/held/${forged?.receipt_id}/give`, { form });
  expect(status).toBe(409);
  expect(text).toContain('A verified payment with the same transaction ID is waiting.');
  expect(await shop.verified(other)).toMatchObject({ status: 'pending' });
});

test('a forged text that paid a bill whose goods have left gives way to the genuine text', async () => {
  genuine = book.paid(36, { reference });
  await come(forge(genuine.id, reference));
  await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
  await come(genuine);
  expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
  const { receipt_id: receipt } = await stored('EVE ANKRAH');
  await manager.visit(`/dashboard/charges/${reference}/not-there`, { form: { receipt: String(receipt) } });
  await world.followPayments();
  expect(await shop.verified(reference)).toMatchObject({ ...PAID, amount_paid: 36 });
  expect(await stored('EVE ANKRAH')).toMatchObject({ state: 'held', set_aside: { by: manager.user.user_id } });
  await shop.arrive(book.reversed(genuine, 36));
  expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
});

test('a second payment that was set aside without its SIM number replaces the first one once it is put back', async () => {
  const first = await come(book.paid(36, { reference }));
  genuine = await come(book.paid(36, { from: 'YAW ADJEI', reference }), NO_SIM);
  const form = { why: 'It is not for a bill.' };
  const { receipt_id } = await stored('YAW ADJEI');
  await manager.visit(`/dashboard/held/${receipt_id}/set-aside`, { form });
  await come(genuine);
  const { receipt_id: again } = await stored('YAW ADJEI');
  await manager.visit(`/dashboard/held/${again}/take-back`, { form: {} });
  expect(await shop.verified(reference)).toMatchObject({ second_payments: [{ amount: 36 }] });
  await shop.arrive(book.reversed(first, 36));
  await world.followPayments();
  expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment: { transaction_id: genuine.id } });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { disputeCharge } from '../../../shared/money/charge/change-charge.table.ts';
import { requireCharge } from '../../../shared/money/charge/charge.table.ts';
import { paymentsOf } from '../../../shared/money/payment/payment.ts';
import { namesOfPayments } from '../../../shared/money/receipt/shown-proof.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { addNumber } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';

// A person who finds the money of a bill in doubt says so on the bill's page.

const CHECKED_MS = 3 * MINUTE_MS;
const CERTAIN = { status: 'success', disputed: null, proof: { state: 'proven' } };

let world: Scene;
let shop: Shop;
let book: WalletBook;
let manager: Person;
let reference: string;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  book = await provenBook(world, shop, 6);
  reference = await shop.charge({ amount: 36 });
});

/** Settles a text until its proof is known. */
async function come<Text extends BookedText>(text: Text): Promise<Text> {
  await shop.arrive(text);
  world.clock.nowMs += CHECKED_MS;
  await world.work('settle-receipt', [{ receipt_id: shop.paymentId({ network: 'MTN', id: text.id }) }]);
  await world.followPayments();
  manager = await shop.signIn('manager');
  return text;
}

const forge = (id?: string, from = 'AMA SERWAA') =>
  book.receipt(36, { from, reference, balance: 7_777_77, ...(id && { id }) });

async function doubt({ id }: BookedText) {
  await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${id} of GHS 36.00 will be reversed.` });
  world.clock.nowMs += MINUTE_MS;
}

const suspect = ({ id }: BookedText) =>
  world.work('settle-receipt', [{ kind: 'suspected', network: 'MTN', momo_number: shop.number, transaction_id: id }]);

const named = async () => namesOfPayments(await requireCharge(world.outside, reference, shop.id));
const vouch = async (by = manager, shown = 'contradicted', payments?: string) =>
  by.visit(`/dashboard/charges/${reference}/there`, { form: { shown, payments: payments ?? (await named()) } });
const open = async (by = manager) => (await by.visit(`/dashboard/charges/${reference}`)).text;
const verified = () => shop.verified(reference);

describe('a verified payment whose reversal is in doubt', () => {
  let paid: BookedText;
  beforeEach(async () => {
    paid = await come(book.paid(36, { reference }));
    await doubt(paid);
    expect(await verified()).toMatchObject({ disputed: { why: 'reversal' }, proof: { state: 'unproven' } });
  });

  test('stays certain if the phone posts the reversal’s text again under another event id', async () => {
    const receivedAt = world.iso();
    const text = { sender: 'MobileMoney', text: `Transaction ${paid.id} of GHS 36.00 may be reversed.`, receivedAt };
    await shop.arrive(text);
    expect((await vouch()).status).toBe(303);
    expect(await verified()).toMatchObject(CERTAIN);
    world.clock.nowMs += MINUTE_MS;
    await shop.arrive(text);
    expect(await verified()).toMatchObject(CERTAIN);
  });

  test('counts again once a person finds the money', async () => {
    expectWords(await open(), [
      'The money is there',
      'Look in the wallet itself, not at its texts.',
      'Confirm only if all of this matches:',
      `from KOFI MENSAH BOATENG, reference “${reference}”, ID ending ${paid.id.slice(-4)}`,
      'Yes, the money is there',
    ]);
    expect((await vouch()).status).toBe(303);
    expect(await verified()).toMatchObject(CERTAIN);
    const entry = { about: reference, by: manager.user.user_id, after: { shown: 'contradicted' } };
    expect(await shop.audit(/charge there/)).toMatchObject([entry]);
    expect(await open()).not.toContain('The money is there');
  });

  test('is shown with what its payer typed if it was matched by name', async () => {
    reference = await shop.charge({ amount: 40, customer_name: 'Kofi Mensah Boateng' });
    await doubt(await come(book.paid(40, { reference: 'lunch' })));
    const form = await open();
    expectWords(form.slice(form.indexOf('Confirm only if')), [
      'from KOFI MENSAH BOATENG, reference “lunch”, ID ending',
    ]);
  });

  test('is confirmed only if the wallet lists no reversal of it', async () => {
    expectWords(await open(), [
      'may be forged or reversed',
      'shows both the payment and its reversal. Confirm only if it has none.',
    ]);
  });

  test('can be removed after that if another payment waits', async () => {
    await vouch();
    expect(await open()).not.toContain('The money is not there');
    await come(book.paid(36, { reference }));
    expect(await open()).toContain('The money is not there');
  });

  test('is reversed by the network’s own text even after that', async () => {
    await vouch();
    await shop.arrive(book.reversed(paid, 36));
    expect(await verified()).toMatchObject({ status: 'reversed' });
  });

  test('is in doubt again after another text about a reversal', async () => {
    await vouch();
    await doubt(paid);
    expect(await verified()).toMatchObject({ disputed: { why: 'reversal' } });
  });

  test('is shown as in doubt on its own page, and not as verified', async () => {
    const id = shop.paymentId({ network: 'MTN', id: paid.id });
    const { text } = await manager.visit(`/dashboard/held/${id}`);
    expectWords(text, ['pill plain">Matched', 'In doubt'], ['Verified: the balance', 'pill good">Verified']);
    expect((await vouch()).status).toBe(303);
    expectWords((await manager.visit(`/dashboard/held/${id}`)).text, ['pill good">Verified']);
  });

  test('is refused if the form did not show that the payment is in doubt', async () => {
    expectAnswer(await vouch(manager, 'verified'), 409, 'This payment has changed since the page was loaded');
    expect(await verified()).toMatchObject({ disputed: { why: 'reversal' } });
  });

  test('is refused if a text about the reversal arrived since the form was shown', async () => {
    const shown = await named();
    book.spent(5);
    await shop.arrive(book.reversed(paid, 36));
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
    expectAnswer(
      await vouch(manager, 'contradicted', shown),
      409,
      'This payment has changed since the page was loaded',
    );
    expect((await vouch()).status).toBe(303);
  });

  test('is refused if the balance fell by its amount since the form was shown', async () => {
    const shown = await named();
    await suspect(paid);
    expectAnswer(
      await vouch(manager, 'contradicted', shown),
      409,
      'This payment has changed since the page was loaded',
    );
    expect((await vouch()).status).toBe(303);
    expect(await verified()).toMatchObject(CERTAIN);
  });

  test('is not refused because the same text was settled again', async () => {
    const shown = await named();
    const [text] = (await world.rows('RECEIPT')).filter((one) => one.state === 'unread');
    await world.work('settle-receipt', [{ receipt_id: text?.receipt_id }]);
    expect((await vouch(manager, 'contradicted', shown)).status).toBe(303);
  });

  test('is vouched for once if two people say so at the same moment', async () => {
    const owner = await shop.signIn('owner');
    world.rightBefore('TransactWriteItems', () => vouch(owner), 'looked_by');
    expectAnswer(await vouch(), 409, 'no longer in doubt');
    expect(await shop.audit(/charge there/)).toHaveLength(1);
  });

  test('counts again although a contradicting text arrives at the same moment', async () => {
    world.rightBefore('TransactWriteItems', () => come(forge(paid.id)), 'looked_by');
    expect((await vouch()).status).toBe(303);
    expect(await verified()).toMatchObject(CERTAIN);
    expect((await world.rows('RECEIPT')).find((one) => one.payer_name === 'AMA SERWAA')).toMatchObject({
      state: 'held',
    });
  });

  test('cannot be vouched for by a cashier or another shop', async () => {
    const cashier = await shop.signIn('cashier');
    expect(await open(cashier)).not.toContain('The money is there');
    expect((await vouch(cashier)).status).toBe(403);
    const other = await (await world.createShop()).signIn('owner');
    expect((await vouch(other)).status).toBe(404);
    expect(await verified()).toMatchObject({ disputed: { why: 'reversal' } });
  });
});

describe('an unverified payment that another text contradicts', () => {
  beforeEach(async () => {
    await come(forge());
  });

  const first = async () => (await world.rows('RECEIPT')).find((one) => one.payer_name === 'AMA SERWAA');

  test('counts as verified by the person who found it', async () => {
    await come(forge(String((await first())?.transaction_id), 'EVE ANKRAH'));
    expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
    expect((await vouch()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', disputed: null });
    expect(await first()).toMatchObject({ looked_by: manager.user.user_id });
    expect(await open()).not.toContain('The money is not there');
  });

  test('is refused if the other text is verified', async () => {
    const id = book.paid(36, { reference: 'rent' });
    reference = await shop.charge({ amount: 36 });
    await come(forge(id.id));
    await come(id);
    expectAnswer(await vouch(), 409, 'Another text with the same transaction ID may report this money');
    expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
  });
});

test('a payment that the wallet’s balance denies counts once a person finds it, and a late text does not deny it again', async () => {
  const forged = await come(forge());
  await world.outside.table.write([disputeCharge(world.outside, reference, 'forged')]);
  expect((await vouch()).status).toBe(303);
  expect(await verified()).toMatchObject({ status: 'success', disputed: null });
  await come(book.paid(5, { reference: 'rent' }));
  await world.work('settle-receipt', [{ receipt_id: shop.paymentId(forged) }]);
  expect(await verified()).toMatchObject({ status: 'success', disputed: null });
});

test('a payment that a person finds while its proof is checked is not denied afterwards', async () => {
  const forged = await come(book.receipt(36, { from: 'AMA SERWAA', reference, balance: book.pesewas + 36_00 }));
  for (let n = 0; n < 6; n++) {
    await shop.arrive(book.paid(11 + n));
    world.clock.nowMs += MINUTE_MS;
    await shop.arrive(book.spent(3 + n));
    world.clock.nowMs += 7 * MINUTE_MS;
  }
  for (const { receipt_id } of await shop.receipts()) await world.settle({ receipt_id });
  await world.tell(3);
  await nameBalance(world.outside, { network: 'MTN', momo_number: shop.number }, book.pesewas);
  manager = await shop.signIn('manager');
  expect(await verified()).toMatchObject({ disputed: { why: 'forged' } });
  const usual = world.dynamoDb;
  let commands = 0;
  world.dynamoDb = async (_, send) => {
    commands++;
    if (commands === 3) {
      world.dynamoDb = usual;
      expect((await vouch()).status).toBe(303);
    }
    await send();
  };
  await world.settle({ receipt_id: shop.paymentId(forged) });
  world.dynamoDb = usual;
  expect(commands).toBe(3);
  expect(await verified()).toMatchObject({ status: 'success', disputed: null });
});

test.each(['before', 'after'])(
  'a payment matched without its SIM number is verified and reversed if its copy arrives %s a person found the money',
  async (when) => {
    const paid = book.paid(36, { reference });
    await come({ ...paid, recipient: null, simNumber: null });
    const give = { reference, shown: 'unverified' };
    await manager.visit(`/dashboard/held/MTN-unknown-${paid.id}/give`, { form: give });
    await come(forge(paid.id));
    expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
    if (when === 'before') await come(paid);
    expect((await vouch()).status).toBe(303);
    await world.followPayments();
    if (when === 'after') await come(paid);
    // Only the copy is settled again, not the text that contradicts it.
    const forged = (await world.rows('RECEIPT')).find(({ payer_name }) => payer_name === 'AMA SERWAA');
    expect(forged).toMatchObject({ state: 'held', reason: 'conflict' });
    expect(forged).not.toHaveProperty('first_undone');
    expect(await verified()).toMatchObject(CERTAIN);
    await shop.arrive(book.reversed(paid, 36));
    expect(await verified()).toMatchObject({ status: 'reversed' });
  },
);

test('a doubt that arises after the page was loaded does not end', async () => {
  const paid = await come(book.paid(36, { reference }));
  await come(forge(paid.id));
  expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
  const payments = await named();
  await world.work('settle-receipt', [
    { kind: 'suspected', network: 'MTN', momo_number: shop.number, transaction_id: paid.id },
  ]);
  expect(await shop.receipt(paid)).toHaveProperty('reversal_suspected_at');
  expectAnswer(await vouch(manager, 'contradicted', payments), 409, 'This payment has changed');
  expect((await vouch()).status).toBe(303);
});

test('a payment that arrives after the page was loaded is not vouched for', async () => {
  const part = await come(book.paid(20, { reference }));
  const { network, id } = part;
  await world.work('settle-receipt', [{ kind: 'suspected', network, momo_number: shop.number, transaction_id: id }]);
  const payments = await named();
  const forged = await come(book.receipt(16, { from: 'AMA SERWAA', reference, balance: 7_777_77 }));
  expectAnswer(
    await vouch(manager, 'contradicted', payments),
    409,
    'This payment has changed since the page was loaded',
  );
  expect(await shop.receipt(forged)).not.toHaveProperty('looked_by');
  expect((await vouch()).status).toBe(303);
});

describe('a bill marked with the id of another bill’s payment', () => {
  let others: string;
  beforeEach(async () => {
    manager = await shop.signIn('manager');
    others = await shop.charge({ amount: 36 });
  });

  test('cannot be vouched for, because the money is the other bill’s', async () => {
    const paid = book.paid(36, { reference: others });
    await manager.visit(`/dashboard/charges/${reference}/mark`, {
      form: { how: 'transfer', amount: '36', payer: 'Kofi Mensah', transaction_id: paid.id },
    });
    await come(paid);
    expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
    expect(await open()).not.toContain('The money is there');
    expectAnswer(await vouch(), 409, 'no longer in doubt');
  });

  test('cannot be vouched for if its forged text copies the other payment’s amount and payer', async () => {
    const paid = book.paid(36, { reference: others });
    await come(forge(paid.id, 'KOFI MENSAH BOATENG'));
    await shop.arrive(
      book.receipt(36, { from: 'KOFI MENSAH BOATENG', reference: others, id: paid.id, balance: 5_555_55 }),
    );
    expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
    expectAnswer(await vouch(), 409, 'Another text with the same transaction ID may report this money');
    expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
  });
});

describe('a bill marked as paid by MoMo whose reversal is in doubt', () => {
  const ID = '51000770077';
  const mark = (amount: number, id = ID) =>
    manager.visit(`/dashboard/charges/${reference}/mark`, {
      form: { how: 'transfer', amount: String(amount), payer: 'Kofi Mensah Boateng', transaction_id: id },
    });
  beforeEach(async () => {
    manager = await shop.signIn('manager');
  });

  async function doubtLater(id = ID) {
    world.clock.nowMs += 30 * HOUR_MS;
    await doubt({ ...forge(), id });
    manager = await shop.signIn('manager');
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
  }

  test('counts again, unverified, once a person finds the money', async () => {
    await mark(36);
    await doubtLater();
    expect((await vouch()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', disputed: null, proof: { state: 'unproven' } });
    expect(await open()).toContain('Not verified');
  });

  test('is in doubt again after the next text about its reversal', async () => {
    const paid = book.paid(36, { reference });
    await mark(36, paid.id);
    await doubtLater(paid.id);
    await vouch();
    await shop.arrive(book.reversed(paid, 36));
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
  });

  test('is verified by the payment’s text after that', async () => {
    const paid = book.paid(36, { reference });
    await mark(36, paid.id);
    await doubtLater(paid.id);
    await vouch();
    await come(paid);
    expect(await verified()).toMatchObject(CERTAIN);
  });

  test('is undone, and not vouched for, if a text contradicts the mark', async () => {
    await mark(36);
    await doubtLater();
    await shop.arrive(book.receipt(36, { from: 'AMA SERWAA', reference: '1', id: ID, balance: 5_555_55 }));
    expectAnswer(await vouch(), 409);
    expect(await open()).toContain('Undo the mark');
  });

  test('must be undone if a text contradicts it, even if only the other part’s reversal is in doubt', async () => {
    reference = await shop.charge({ amount: 72 });
    await mark(36);
    const part = await come(book.paid(36, { reference }));
    await doubtLater(part.id);
    await shop.arrive(book.receipt(36, { from: 'AMA SERWAA', reference: '1', id: ID, balance: 5_555_55 }));
    expectAnswer(await vouch(), 409, 'Undo the mark instead.');
  });

  test('counts again with its verified part', async () => {
    reference = await shop.charge({ amount: 72 });
    await mark(36);
    const part = await come(book.paid(36, { reference }));
    await doubtLater(part.id);
    expect((await vouch()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', disputed: null });
  });
});

describe('a verified payment counts again although its ID', () => {
  let paid: BookedText;
  let others: string;
  const expectThere = async () => {
    await doubt(paid);
    manager = await shop.signIn('manager');
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
    expect((await vouch()).status).toBe(303);
    expect(await verified()).toMatchObject(CERTAIN);
  };
  const markOther = (by: Person) =>
    by.visit(`/dashboard/charges/${others}/mark`, {
      form: { how: 'transfer', amount: '36', payer: 'Kofi Mensah Boateng', transaction_id: paid.id },
    });
  beforeEach(async () => {
    others = await shop.charge({ amount: 36 });
    paid = book.paid(36, { reference });
    manager = await shop.signIn('manager');
  });

  test('was first entered for another bill, and that mark was undone', async () => {
    await markOther(manager);
    await come(paid);
    await manager.visit(`/dashboard/charges/${others}/unmark`, { form: {} });
    await expectThere();
  });

  test('was entered by another shop on the number', async () => {
    const rival = await world.createShop({ name: 'Rival', number: shop.number });
    others = await rival.charge({ amount: 36 });
    await markOther(await rival.signIn('manager'));
    await come(paid);
    await expectThere();
  });

  test('belongs to a forged text whose goods have left', async () => {
    reference = others;
    await come(forge(paid.id));
    await manager.visit(`/dashboard/charges/${others}/release`, { form: { shown: 'unverified' } });
    reference = await shop.charge({ amount: 36 });
    await come(paid);
    const text = (await shop.listed('held')).find(({ payer_name }) => payer_name === 'KOFI MENSAH BOATENG');
    const form = { reference, shown: 'contradicted' };
    expect((await manager.visit(`/dashboard/held/${text?.id}/give`, { form })).status).toBe(303);
    await expectThere();
  });
});

test('a verified payment counts again although a copy of its text is held for another shop on the number', async () => {
  const rival = await world.createShop({ name: 'Rival', number: shop.number });
  const paid = await come(book.paid(36, { reference }));
  const naming = await rival.charge({ amount: 50 });
  await shop.arrive(
    book.receipt(36, { from: 'KOFI MENSAH BOATENG', reference: naming, id: paid.id, balance: 7_777_77 }),
  );
  expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
  expect((await vouch()).status).toBe(303);
  expect(await verified()).toMatchObject(CERTAIN);
});

describe('a bill of which a part is in doubt', () => {
  beforeEach(async () => {
    reference = await shop.charge({ amount: 72 });
    await come(book.paid(36, { reference }));
    await come(forge());
  });

  test('is vouched for only where a payment is not verified', async () => {
    const [verifiedPart, unverified] = paymentsOf(await world.chargeRow(reference));
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
    await doubt({ ...forge(), id: String(unverified?.transaction_id) });
    expect((await vouch()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', disputed: null });
    const [first, second] = paymentsOf(await world.chargeRow(reference));
    expect(first).toEqual(verifiedPart);
    expect(second).toMatchObject({ looked_by: manager.user.user_id });
    expect(second).not.toHaveProperty('reversal_doubt_at');
  });
});

test('a partly paid bill in doubt waits for the rest once its part is found', async () => {
  reference = await shop.charge({ amount: 72 });
  const part = await come(book.paid(36, { reference }));
  await doubt(part);
  expect((await vouch()).status).toBe(303);
  expect(await verified()).toMatchObject({ status: 'pending', disputed: null, amount_paid: 36 });
  await come(book.paid(36, { reference }));
  expect(await verified()).toMatchObject(CERTAIN);
});

test('a bill paid partly in cash is certain again once the MoMo payment is found', async () => {
  reference = await shop.charge({ amount: 72 });
  manager = await shop.signIn('manager');
  await manager.visit(`/dashboard/charges/${reference}/mark`, { form: { how: 'cash', amount: '36' } });
  await doubt(await come(book.paid(36, { reference })));
  expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
  const [, form = ''] = (await open()).split('Confirm only if all of this matches:');
  expect(form.slice(0, form.indexOf('</form>')).match(/ID ending/g)).toHaveLength(1);
  expect((await vouch()).status).toBe(303);
  expect(await verified()).toMatchObject({ status: 'success', disputed: null });
  const looked = paymentsOf(await world.chargeRow(reference)).map((one) => one.looked_by !== undefined);
  expect(looked.toSorted()).toEqual([false, true]);
});

test('a payment whose ID a verified text to the shop’s other number took over cannot be vouched for', async () => {
  const second = { ...shop, number: await addNumber(world, shop) };
  const genuine = book.paid(36, { reference: await shop.charge({ amount: 36 }) });
  await second.pay(forge(genuine.id));
  await come(genuine);
  expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
  expectAnswer(await vouch(), 409, 'counts instead of this one');
});

test('a payment takes its ID back from an unverified text of another shop on a shared number', async () => {
  const rival = await world.createShop({ name: 'Rival', number: await addNumber(world, shop) });
  const paid = await come(forge(undefined, 'KOFI MENSAH BOATENG'));
  const bill = await rival.charge({ amount: 36 });
  const text = book.receipt(36, { from: 'YAW ADJEI', reference: bill, id: paid.id, balance: 5_555_55 });
  await rival.pay(text);
  const by = await rival.signIn('manager');
  const given = await by.visit(`/dashboard/held/${rival.paymentId(text)}/give`, {
    form: { reference: bill, shown: 'contradicted' },
  });
  expect(given.status).toBe(303);
  await doubt(paid);
  manager = await shop.signIn('manager');
  expect(await verified()).toMatchObject({ disputed: { why: 'reversal' } });
  expect((await vouch()).status).toBe(303);
  expect(await verified()).toMatchObject(CERTAIN);
});

test('a removed copy with the same amount and payer does not prevent an unverified payment from being found', async () => {
  const paid = await come(forge(undefined, 'KOFI MENSAH BOATENG'));
  const naming = await shop.charge({ amount: 36 });
  await shop.arrive(
    book.receipt(36, { from: 'KOFI MENSAH BOATENG', reference: naming, id: paid.id, balance: 5_555_55 }),
  );
  expectAnswer(await vouch(), 409, 'may report this money');
  const copy = (await world.rows('RECEIPT')).find(({ payer_reference }) => payer_reference === naming);
  const form = { why: 'The money is not in the wallet.' };
  await manager.visit(`/dashboard/held/${copy?.receipt_id}/set-aside`, { form });
  await doubt(paid);
  expect((await vouch()).status).toBe(303);
  expect(await verified()).toMatchObject(CERTAIN);
});

test.each([
  ['is found although no shop sees a forged text with its ID, amount and payer', false, 303],
  ['waits for a comparison with another held text with its ID, amount and payer', true, 409],
])('an unverified payment %s', async (_, isSeen, status) => {
  if (!isSeen) await world.createShop({ number: shop.number });
  const paid = await come(forge(undefined, 'KOFI MENSAH BOATENG'));
  const said = { from: 'KOFI MENSAH BOATENG', reference: '1', balance: 7_777_77, id: paid.id };
  await come({ ...book.receipt(36, said), ...(!isSeen && { recipient: null }) });
  const beside = (await shop.listed('held')).filter(({ transaction_id }) => transaction_id === paid.id);
  expect(beside).toHaveLength(isSeen ? 1 : 0);
  expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
  expect((await vouch()).status).toBe(status);
});

test('an unverified payment beside another shop’s text with its details is found once that shop is suspended', async () => {
  const rival = await world.createShop({ number: shop.number });
  const paid = await come(forge(undefined, 'KOFI MENSAH BOATENG'));
  const said = { from: 'KOFI MENSAH BOATENG', balance: 7_777_77, id: paid.id };
  await come(book.receipt(36, { ...said, reference: await rival.charge({ amount: 36 }) }));
  expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
  expectAnswer(await vouch(), 409, 'If the other one is not listed for you');
  await rival.suspend();
  expect((await vouch()).status).toBe(303);
  expect(await verified()).toMatchObject({ status: 'success', disputed: null });
});

test('a bill whose payment was reversed cannot be vouched for', async () => {
  const paid = await come(book.paid(36, { reference }));
  await doubt(paid);
  await shop.arrive(book.reversed(paid, 36));
  await world.outside.table.write([disputeCharge(world.outside, reference, 'conflict')]);
  expect(await verified()).toMatchObject({ status: 'reversed', disputed: { why: 'conflict' } });
  expectAnswer(await vouch(), 409, 'no longer in doubt');
});

test('a payment that a person vouched for can be removed once its bill is in doubt again', async () => {
  const other = await shop.charge({ amount: 36 });
  const genuine = book.paid(36, { reference: other });
  await come(forge(genuine.id));
  await doubt(genuine);
  manager = await shop.signIn('manager');
  expect((await vouch()).status).toBe(303);
  expect(await open()).not.toContain('The money is not there');
  await come(genuine);
  expect(await verified()).toMatchObject({ disputed: { why: 'conflict' } });
  expectWords(await open(), ['The money is not there']);
  const receipt = String(paymentsOf(await world.chargeRow(reference))[0]?.receipt_id);
  await manager.visit(`/dashboard/charges/${reference}/not-there`, { form: { receipt } });
  await world.followPayments();
  expect(await verified()).toMatchObject({ status: 'pending', disputed: null });
  expect(await shop.verified(other)).toMatchObject({ status: 'success' });
});

test('a bill that is not in doubt cannot be vouched for', async () => {
  await come(book.paid(36, { reference }));
  expectAnswer(await vouch(), 409, 'no longer in doubt');
});

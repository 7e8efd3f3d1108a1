import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkOfSender } from '../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey } from '../../../shared/merchants/merchant/manage-keys.ts';
import { sendersOf } from '../../../shared/merchants/merchant/senders.ts';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { receiptRows as receipts } from '../../../shared/money/receipt/receipt.table.ts';
import { withoutBalanceWords } from '../../../shared/money/receipt/shown-receipt.ts';
import { heldWords } from '../../../shared/pages/dashboard/charges/held-words.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { chainRows } from '../../../shared/wallets/chain/chain.table.ts';
import { assignUnassignedReceipt } from '../../support/actions.ts';
import { expectWords } from '../../support/answers.ts';
import { loseAnswers } from '../../support/disturb.ts';
import { expectFailure } from '../../support/envelope.ts';
import {
  arrive,
  charge,
  fixtures,
  mtn,
  newNumber,
  pay,
  paymentId,
  placeNumber,
  post,
  type ReceiptText,
  reversal,
  settleAtOnce,
  telecel,
  verified,
} from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { runsOf } from '../../support/slice.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';

const KOFI = { customer_name: 'Kofi Mensah' };
const SAME = { ...KOFI, email: 'kofi@example.com' };
const AMA = { customer_name: 'Ama Owusu' };
type Said = Omit<Parameters<Shop['charge']>[0], 'amount'> & { amount?: number };

const world = await scene();
let shop: Shop;
/** Reference of an open charge for GHS 36 without a customer. */
let reference: string;
beforeEach(async () => {
  shop = await world.createShop();
  reference = await shop.charge({ amount: 36 });
});

describe('a payment with a charge’s reference', () => {
  test('pays the charge', async () => {
    world.clock.nowMs += 2 * MINUTE_MS;
    const receivedAt = world.iso(-5_000);
    const receipt = { ...mtn({ reference }), receivedAt };
    const row = await shop.pay(receipt);
    expect(await shop.verified(reference)).toMatchObject({
      status: 'success',
      amount: 36,
      paid_at: world.iso(),
      reversed_at: null,
      payment: {
        network: 'MTN',
        transaction_id: receipt.id,
        amount: 36,
        payer_name: 'KOFI MENSAH BOATENG',
        payer_phone: null,
        received_at: receivedAt,
        matched_by: 'reference',
        receipt_id: shop.paymentId(receipt),
      },
    });
    expect(row).toMatchObject({
      state: 'matched',
      merchant_id: shop.id,
      network: 'MTN',
      momo_number: shop.number,
      transaction_id: receipt.id,
      amount_pesewas: 3_600,
      payer_name: 'KOFI MENSAH BOATENG',
      payer_reference: reference,
      sender: 'MobileMoney',
      text: receipt.text,
      received_at: receivedAt,
      matched_by: 'reference',
      reference,
    });
    expect(row).not.toHaveProperty('reason');
    expect(await shop.listed('matched')).toMatchObject([{ id: shop.paymentId(receipt), status: 'matched' }]);
    expect(await shop.listed('held')).toEqual([]);
  });

  test('shows the payer’s number if the text is from Telecel', async () => {
    const kojo = await world.createShop({ network: 'TELECEL' });
    const reference = await kojo.charge({ amount: 1_234.5 });
    const receipt = telecel({ amount: '1,234.50', reference, phone: '233201112223' });
    expect(await kojo.pay(receipt)).toMatchObject({ state: 'matched', payer_phone: '+233201112223' });
    expect(await kojo.verified(reference)).toMatchObject({
      status: 'success',
      payment: { network: 'TELECEL', transaction_id: receipt.id, amount: 1_234.5, payer_phone: '+233201112223' },
    });
  });

  test.each<[string, open: Said[], typed: (meant: string) => string]>([
    ['exactly, although other charges match by name', [AMA, KOFI, KOFI], (meant) => meant],
    ['in lower case without a hyphen', [AMA], (meant) => meant.toLowerCase().replace('-', '')],
    ['with spaces and hyphens', [AMA], (meant) => `MK ${meant.slice(3, 7)}-${meant.slice(7)}`],
    ['as ten digits only', [AMA], (meant) => meant.slice(3)],
    ['as ten digits with spaces', [AMA], (meant) => ` ${meant.slice(3, 6)} ${meant.slice(6)} `],
    ['with a full stop', [AMA], (meant) => `${meant}.`],
    [
      'in full-width digits',
      [{}],
      (meant) => meant.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ],
    ['in Arabic digits', [{}], (meant) => meant.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))],
    ['with invisible characters in between', [{}], (meant) => [...meant].join('\u200b')],
    ['with slashes between the digits', [{}], (meant) => meant.replace(/(\d{3})/g, '$1/')],
    ['with line breaks between the digits', [{}], (meant) => meant.replace(/(\d{5})/g, '$1\n')],
  ])('pays only that charge if the reference is written %s', async (_, open, typed) => {
    await expectDecision(open, typed, { matched_by: 'reference' }, 0);
  });

  test.each([
    ['one pesewa too low', 36, '35.99'],
    ['a hundredth of the charge', 36, '0.36'],
    ['the amount of another customer’s charge', 40, '36.00'],
  ])('is counted as a part payment if its amount is %s', async (_, amount, paid) => {
    const reference = await shop.charge({ amount, ...KOFI });
    const other = await shop.charge({ amount: Number(paid), ...AMA });
    const row = await shop.pay(mtn({ amount: paid, reference }));
    expect(row).toMatchObject({ state: 'matched', reference, merchant_id: shop.id });
    const part = { status: 'pending', payment: null, amount_paid: Number(paid) };
    expect(await shop.verified(reference)).toMatchObject(part);
    expect(await shop.verified(other)).toMatchObject({ status: 'pending', amount_paid: 0 });
  });

  test.each([
    ['36.01', 0.01],
    ['360.00', 324],
  ])('overpays a charge of GHS 36 with GHS %s', async (amount, overpaid) => {
    const receipt = await paidCharge({ amount });
    const payment = { amount: Number(amount) };
    const paid = { status: 'success', amount: 36, amount_paid: Number(amount), overpaid, payment };
    expect(await shop.verified(reference)).toMatchObject(paid);
    await shop.arrive(reversal(receipt.id));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', amount_paid: 0, overpaid: 0 });
  });

  test('is held as already_paid if the charge is already paid', async () => {
    await paidCharge();
    const paid = await shop.verified(reference);
    world.clock.nowMs += MINUTE_MS;
    const row = await shop.pay(mtn({ reference, from: 'AMA OWUSU' }));
    expect(row).toMatchObject({ state: 'held', reason: 'already_paid' });
    const { second_payments, ...now } = await shop.verified(reference);
    expect({ ...now, second_payments: [] }).toEqual(paid);
    expect(second_payments).toMatchObject([{ amount: 36, network: 'MTN', sent_back_at: null }]);
  });

  test('is held as reference_unclear if the charge has a different number', async () => {
    const elsewhere = await world.createShop();
    const reference = await elsewhere.charge({ amount: 36, ...KOFI });
    expect(await shop.pay(mtn({ reference }))).toMatchObject({ reason: 'reference_unclear', merchant_id: shop.id });
    expect(await elsewhere.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('pays a charge created before the merchant changed its number', async () => {
    await shop.change(account(newNumber()));
    expect(await shop.pay(mtn({ reference }))).toMatchObject({ state: 'matched', merchant_id: shop.id });
  });

  test('does not pay a charge that belongs to the number’s previous merchant', async () => {
    const other = await takeNumber();
    const row = await shop.pay(mtn({ reference }));
    expect(row).toMatchObject({ state: 'held', reason: 'reference_unclear', merchant_id: other.id });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 0 });
  });
});

describe('two payments with swapped references', () => {
  const swap = async ([forty, fortyFive]: readonly [string, string], from = 'KOFI MENSAH') => [
    await shop.pay(mtn({ reference: forty, amount: '45.00', from })),
    await shop.pay(mtn({ reference: fortyFive, amount: '40.00', from })),
  ];
  const bills = async (one: Said, other: Said = one) =>
    [await shop.charge({ ...one, amount: 40 }), await shop.charge({ ...other, amount: 45 })] as const;

  test.each<[string, Said, Said?, string?]>([
    ['the payer’s name', KOFI],
    ['a phone number', { customer_phone: '0241112222' }, undefined, 'AMA OWUSU'],
    ['an e-mail address', { email: 'kofi@example.com' }, { email: 'Kofi@example.com' }, 'AMA OWUSU'],
    ['a name that is not the payer’s', KOFI, KOFI, 'AMA OWUSU'],
  ])('are held with a suggested bill if the bills share %s', async (_, one, other, from) => {
    const both = await bills(one, other);
    await world.followChanges();
    const held = { state: 'held', reason: 'amount_of_another' };
    expect(await swap(both, from)).toMatchObject(both.map((suggested_reference) => ({ ...held, suggested_reference })));
    for (const reference of both) {
      expect(await shop.verified(reference)).toMatchObject({ amount_paid: 0 });
      const { access_code } = await world.chargeRow(reference);
      const { text } = await world.call('checkout/page', { parameters: { access_code } });
      expectWords(text, ['A payment message about this bill arrived']);
    }
  });

  test.each([
    ['after', true],
    ['before', false],
  ])('are recognised by the payer’s name %s the first payment is indexed', async (_, isIndexed) => {
    const both = await bills({});
    const first = await shop.pay(mtn({ reference: both[0], amount: '45.00', from: 'KOFI MENSAH' }));
    if (isIndexed) await world.followChanges();
    const second = await shop.pay(mtn({ reference: both[1], amount: '40.00', from: 'KOFI MENSAH' }));
    expect({ first, second }).toMatchObject({
      first: { state: 'matched' },
      second: { state: 'held', reason: 'amount_of_another' },
    });
  });

  test('are held if two payment requests share a name', async () => {
    const open = async (amount: number, request?: string) => {
      const line = { title: `Fees ${amount}`, lines: [{ description: 'Fees', amount }], ...KOFI };
      const slug = request ?? (await shop.request(line));
      return { slug, reference: await world.openPart(slug, `${amount}`) };
    };
    const [forty, fortyFive] = [await open(40), await open(45)];
    const twenty = await open(20, fortyFive.slug);
    await world.followChanges();
    expect(await shop.pay(mtn({ reference: forty.reference, amount: '45.00', from: 'AMA OWUSU' }))).toMatchObject({
      state: 'held',
      reason: 'amount_of_another',
    });
    const again = mtn({ reference: twenty.reference, amount: '45.00', from: 'AMA OWUSU' });
    expect(await shop.pay(again)).toMatchObject({ state: 'matched', reference: twenty.reference });
  });

  test('pay the referenced bills if the amounts match', async () => {
    const both = await bills(KOFI);
    await world.followChanges();
    expect(await shop.pay(mtn({ reference: both[0], amount: '40.00' }))).toMatchObject({ state: 'matched' });
    expect(await shop.pay(mtn({ reference: both[1], amount: '45.00' }))).toMatchObject({ state: 'matched' });
  });

  test.each<[string, Said, Said, amount?: string]>([
    ['no other bill is for that amount', KOFI, KOFI, '46.00'],
    ['the bill for that amount belongs to another customer', KOFI, AMA],
    ['the bill for that amount has no customer', {}, {}],
    ['one name has two numbers', { ...AMA, customer_phone: '0241112222' }, { ...AMA, customer_phone: '0551112222' }],
  ])('overpay the referenced bill if %s', async (_, one, other, amount = '45.00') => {
    const [forty] = await bills(one, other);
    await world.followChanges();
    const row = await shop.pay(mtn({ reference: forty, amount, from: 'KOFI MENSAH' }));
    expect(row).toMatchObject({ state: 'matched', reference: forty });
  });

  test('pay the referenced bills if the customer’s other bill is closed', async () => {
    const [forty, fortyFive] = await bills(KOFI);
    await shop.pay(mtn({ reference: fortyFive, amount: '45.00' }));
    await world.followChanges();
    expect(await shop.pay(mtn({ reference: forty, amount: '45.00' }))).toMatchObject({ state: 'matched' });
  });

  test('are not held because of a bill from another shop', async () => {
    const forty = await shop.charge({ amount: 40, ...KOFI });
    const other = await world.createShop({ number: shop.number });
    await other.charge({ amount: 45, ...KOFI });
    expect(await shop.pay(mtn({ reference: forty, amount: '45.00' }))).toMatchObject({ state: 'matched' });
  });
});

describe('a payment without a charge’s reference', () => {
  test.each<[customer_name: string, open?: Said[], typed?: string]>([
    ['Kofi Mensah'],
    ['mensah kofi'],
    ['Dr. Kofi Mɛnsah Boateng'],
    ['Boateng-Mensah Kofi'],
    ['Kofi Mensah', [], 'kente 0241234567'],
    ['Kofi Mensah', Array.from({ length: 198 }, () => AMA)],
  ])(
    'pays the only charge for its amount if the customer is called %j',
    async (customer_name, others = [], typed = 'kente') => {
      const row = { matched_by: 'name', payer_reference: typed, payer_name: 'KOFI MENSAH BOATENG' };
      await expectDecision([{ customer_name }, ...others, { amount: 36.01, customer_name }], () => typed, row, 0);
    },
  );

  test('pays the charge if Telecel’s text contains no reference', async () => {
    const kojo = await world.createShop({ network: 'TELECEL' });
    const reference = await kojo.charge({ amount: 36, ...KOFI });
    expect(await kojo.pay(telecel({ reference: '' }))).toMatchObject({ state: 'matched', reference });
  });

  test.each<[reason: string, names: (string | undefined)[]]>([
    ['name_differs', ['Ama Owusu']],
    ['no_charge', [undefined]],
    ['name_differs', ['Kofi Owusu', undefined]],
    ['several_fit', ['Kofi Mensah', 'Mensah Boateng']],
    // These names match too many people.
    ['no_charge', ['Kofi']],
    ['no_charge', ['K. Boateng']],
    ['no_charge', ['Kofi M']],
    ['no_charge', ['MENSAH OWUSU BOATENG ASANTE OSEI KOFI KWAME AMA A B C D E F G H I J K L M N O P']],
    ['name_differs', ['Kofi Kofi']],
    ['no_charge', []],
  ])('is held as %s if the open charges for its amount are for %j', async (reason, names) => {
    const open = names.map((customer_name) => ({ customer_name }));
    await expectDecision([...open, { amount: 35.99, ...KOFI }], () => '1', { reason });
  });

  test.each<[string, typed: (meant: string) => string, meant?: Said]>([
    ['an unknown reference', () => 'MK-9999999999'],
    ['a missing digit', (meant) => meant.slice(0, -1)],
    ['an extra digit', (meant) => `${meant}0`],
    ['two extra digits', (meant) => `pay ${meant}07 please`],
    ['a wrong digit', (meant) => `${meant.slice(3, 7)}${meant[7] === '0' ? '1' : '0'}${meant.slice(8)}`],
    ['letters in place of two digits', (meant) => meant.replace(/.(.)..$/, 'O$1IO')],
    ['digits on separate lines', (meant) => `${meant.slice(3, 8)}\n${meant.slice(8, 12)}`],
    ['a letter in place of a digit', (meant) => `${meant.slice(0, 8)}O${meant.slice(9)}`],
    ['an incomplete reference of a charge for another amount', (meant) => meant.slice(3, -1), { amount: 40 }],
  ])('is held as reference_unclear if the payer typed %s', async (_, typed, meant = AMA) => {
    await expectDecision([meant, KOFI], typed, { reason: 'reference_unclear' });
  });

  test('is stored without characters that change the order of the digits on a page', async () => {
    const reference = await shop.charge({ amount: 36 });
    const typed = `MK-\u202e${reference.slice(3)}\u202c`;
    expect(await shop.pay(mtn({ reference: typed }))).toMatchObject({ reference, payer_reference: reference });
  });

  test('pays the newest checkout of a customer who opened two', async () => {
    const said = { amount: 36, ...KOFI, email: 'kofi@example.com' };
    const first = await shop.charge(said);
    world.clock.nowMs += MINUTE_MS;
    const again = await shop.charge({ ...said, customer_name: 'MENSAH, Kofi', email: 'Kofi@Example.com' });
    expect(await shop.pay(mtn())).toMatchObject({ state: 'matched', reference: again });
    expect(await shop.verified(first)).toMatchObject({ status: 'pending' });
  });

  test.each([
    ['another e-mail address', { email: 'kofi@example.com' }, { email: 'thief@example.com' }],
    ['no e-mail address', {}, {}],
    ['another phone', { customer_phone: '0241234567' }, { customer_phone: '0551112222' }],
    [
      'an additional name',
      { email: 'kofi@example.com' },
      { email: 'kofi@example.com', customer_name: 'Kofi Mensah Boateng' },
    ],
  ])('is held as several_fit if the customer’s second checkout has %s', async (_, one, other) => {
    await expectDecision(
      [
        { ...KOFI, ...one },
        { ...KOFI, ...other },
      ],
      () => '1',
      { reason: 'several_fit' },
    );
  });

  test.each<[outcome: string, reason: string | undefined, paid: Said, open: Said]>([
    ['held if the payer paid another charge of the amount after this one was opened', 'several_fit', KOFI, KOFI],
    ['held if that charge is for the same customer', 'several_fit', SAME, SAME],
    ['matched if that charge is for another amount', undefined, { amount: 37, ...KOFI }, KOFI],
  ])('is %s', async (_, reason, paid, open) => {
    const { amount = 36 } = paid;
    const reference = await shop.charge({ ...paid, amount });
    await shop.charge({ amount: 36, ...open });
    await shop.pay(mtn({ reference, amount: String(amount) }));
    expect(await shop.pay(mtn())).toMatchObject(reason ? { state: 'held', reason } : { state: 'matched' });
  });

  test('is held if the index does not list the payer’s other payment of the amount yet', async () => {
    const paid = mtn({ reference: await shop.charge({ amount: 36, ...KOFI }) });
    await shop.charge({ amount: 36, ...KOFI });
    await world.followChanges();
    await shop.pay(paid);
    const key = { pk: `RECEIPT#${shop.paymentId(paid)}`, sk: 'RECEIPT' };
    await world.outside.table.write([changeItem(key, { gsi1pk: undefined, gsi1sk: undefined })]);
    expect(await shop.pay(mtn())).toMatchObject({ state: 'held', reason: 'several_fit' });
  });

  test('is matched if its charge was opened after the payer paid another one of the amount', async () => {
    await shop.pay(mtn({ reference: await shop.charge({ amount: 36, ...KOFI }) }));
    world.clock.nowMs += MINUTE_MS;
    const reference = await shop.charge({ amount: 36, ...KOFI });
    expect(await shop.pay(mtn())).toMatchObject({ state: 'matched', reference });
  });

  test('is held as name_only above GHS 500', async () => {
    const reference = await shop.charge({ amount: 500.01, ...KOFI });
    expect(await shop.pay(mtn({ amount: '500.01' }))).toMatchObject({ state: 'held', reason: 'name_only' });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    const lunch = await shop.charge({ amount: 500, ...KOFI });
    expect(await shop.pay(mtn({ amount: '500' }))).toMatchObject({ state: 'matched', reference: lunch });
  });

  test('is held as name_only above the merchant’s limit for name matches', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    await shop.change({ match_by_name_up_to_pesewas: 0 });
    expect(await shop.pay(mtn())).toMatchObject({ state: 'held', reason: 'name_only' });
    await shop.change({ match_by_name_up_to_pesewas: 36_00 });
    expect(await shop.pay(mtn())).toMatchObject({ state: 'matched', reference });
  });

  test('is held as too_many_open if over two hundred charges are pending', async () => {
    await Promise.all(Array.from({ length: 201 }, () => shop.charge({ amount: 36, customer_name: 'Eve Thief' })));
    const read = chargesRead();
    expect(await shop.pay(mtn())).toMatchObject({ state: 'held', reason: 'too_many_open' });
    expect(read).toEqual([]);
  });

  test('is compared with the pending charges in one small read', async () => {
    await shop.charge({ amount: 36, ...AMA, metadata: { note: 'x'.repeat(10_000) } });
    const read = chargesRead();
    await shop.pay(mtn());
    expect(read).toHaveLength(1);
    expect(read[0]).toContain('ProjectionExpression');
    expect(read[0]).not.toContain('metadata');
  });

  test('never pays a charge based on its amount alone', async () => {
    const word = fc.constantFrom('AMA', 'OWUSU', 'YAW', 'ADJEI', 'ESI', 'K', 'B', 'M', 'STORES');
    const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
    const amount = fc.integer({ min: 1, max: 999_999 });
    const typed = fc.stringMatching(/^[a-z ]{0,20}$/);
    await fc.assert(
      fc.asyncProperty(amount, fc.option(name), typed, async (pesewas, customer_name, reference) => {
        const somebody = await world.createShop();
        const open = await somebody.charge({ amount: pesewas / 100, ...(customer_name !== null && { customer_name }) });
        const row = await somebody.pay(mtn({ amount: (pesewas / 100).toFixed(2), reference }));
        expect(row).toMatchObject({ state: 'held', reason: expect.stringMatching(/^(name_differs|no_charge)$/) });
        expect(await somebody.verified(open)).toMatchObject({ status: 'pending' });
      }),
      { numRuns: 15 },
    );
  });
});

describe('a reference typed by the payer', () => {
  test.each([
    'REF Obaapa',
    'REF order 5',
    'REF Isaac',
    'Hello! REF',
    'Mr. Mensah REF',
    'REF from St. Mary',
    'REF thank you',
  ])('is found in groups of digits next to other words: %s', async (words) => {
    const tcash = await world.createShop({ network: 'TELECEL' });
    for (const [place, written] of [
      [shop, mtn],
      [tcash, telecel],
    ] as const) {
      const reference = await place.charge({ amount: 20 });
      const grouped = reference.replace(/MK-(\d{4})(\d{3})(\d{3})/, 'MK $1 $2 $3');
      const typed = written({ amount: '20', reference: words.replace('REF', grouped) });
      const text = typed.text.replace(/\.\nStay alert.*$/s, '');
      await place.arrive({ ...typed, text });
      expect(await place.verified(reference)).toMatchObject({ status: 'success', amount_paid: 20 });
    }
  });

  test.each([
    ['pays if its digits are grouped as on our pages', 'MK $1 $2 $3', 'success'],
    ['is unclear if its digits are grouped in another way', 'MK $1$2 $3', 'pending'],
  ])('%s and a further digit follows', async (_, written, status) => {
    const reference = await shop.charge({ amount: 20 });
    const grouped = reference.replace(/MK-(\d{4})(\d{3})(\d{3})/, written);
    await shop.arrive(mtn({ amount: '20', reference: `${grouped} 5` }));
    expect(await shop.verified(reference)).toMatchObject({ status });
    const reason = status === 'pending' ? 'reference_unclear' : null;
    expect(await shop.listed(reason ? 'held' : 'matched')).toMatchObject([{ reason }]);
  });

  test.each(['GHS 500.00 REFERENCE', 'You have received GHS500.00 REFERENCE'])(
    'does not let a payment of one pesewa pay a larger charge: %j',
    async (written) => {
      const dear = await shop.charge({ amount: 500, ...AMA });
      const row = await shop.pay(mtn({ amount: '0.01', reference: written.replace('REFERENCE', dear) }));
      expect(row).toMatchObject({ amount_pesewas: 1, payer_name: 'KOFI MENSAH BOATENG' });
      expect(await shop.verified(dear)).toMatchObject({ status: 'pending', amount_paid: 0.01 });
      expect(await shop.receipts()).toHaveLength(1);
    },
  );

  test.each([
    'Payment received for GHS 9999.00 from AMA OWUSU. Reference: REFERENCE. Transaction ID: 99999999999. TRANSACTION FEE: 0.00',
    '1. Transaction ID: 99999999999. TRANSACTION FEE: 0.00 Payment received for GHS 500.00 from AMA OWUSU. Reference: REFERENCE',
  ])('identifies no charge if it imitates a network’s text: %j', async (written) => {
    const dear = await shop.charge({ amount: 500, ...AMA });
    await shop.arrive(mtn({ amount: '0.01', reference: written.replace('REFERENCE', dear) }));
    expect(await shop.receipts()).toMatchObject([{ state: 'unread' }]);
    expect(await shop.verified(dear)).toMatchObject({ status: 'pending', amount_paid: 0 });
  });

  test.each(['reversed ID', 'Transaction ID has been reversed', '. Transaction ID: ID reversed', 'Reversal of ID.'])(
    'never reverses a payment, even if it mentions a reversal: %j',
    async (written) => {
      const victim = await paidCharge();
      const row = await shop.pay(mtn({ amount: '0.01', reference: written.replaceAll('ID', victim.id) }));
      expect(row).toMatchObject({ state: 'held', reason: 'no_charge', amount_pesewas: 1 });
      expect(await shop.verified(reference)).toMatchObject({ status: 'success', reversed_at: null });
      expect(await shop.receipt(victim)).toMatchObject({ state: 'matched' });
    },
  );

  test('identifies no charge if it contains two references', async () => {
    const [one, other] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
    for (const reference of [`${one} ${other}`, `${one}${other}`, `${one.slice(3)}/${other.slice(3)}`]) {
      expect(await shop.pay(mtn({ reference }))).toMatchObject({ state: 'held', reason: 'reference_unclear' });
    }
    for (const reference of [one, other]) {
      expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    }
  });

  test('does not block a later payment whose id follows “reversed”', async () => {
    const victim = mtn({ reference });
    await shop.pay(mtn({ amount: '0.01', reference: `reversed ${victim.id}` }));
    expect(await shop.pay(victim)).toMatchObject({ state: 'matched', reference });
  });
});

describe('a text from an untrusted sender', () => {
  test.each(['+233555000111', 'M-o-M-o', 'm o m o', 'Mo\u00a0Mo', 'Mobile Money'])(
    'is ignored if its sender is %j',
    async (sender) => {
      const reference = await shop.charge({ amount: 36, ...KOFI });
      const fake = mtn({ reference });
      const before = world.counted.receipts_forged ?? 0;
      await shop.arrive({ ...fake, sender });
      expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
      expect(await shop.receipts()).toEqual([]);
      expect(await shop.listed('held')).toEqual([]);
      expect(await world.claim(reference, fake.id)).toEqual({ outcome: 'unknown' });
      expect(world.counted.receipts_forged).toBe(before + 1);
    },
  );

  test('does not block the genuine text with the same id', async () => {
    const real = mtn({ reference });
    await shop.arrive({ ...real, sender: 'MobiIeMoney' });
    expect(await shop.pay(real)).toMatchObject({ state: 'matched', reference });
  });

  test('never confirms a payment', async () => {
    const lookalikes = ['MTN', 'MobileMoney.', 'M0bileMoney', 'T\u2011CASH', 'ATMoney', '1'];
    const sender = fc.oneof(
      fc.constantFrom('+233241234567', '0241234567', ...lookalikes),
      fc.string({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(sender, fc.constantFrom(mtn, telecel), async (name, receiptOf) => {
        fc.pre(networkOfSender(name) !== 'MTN' && networkOfSender(name) !== 'TELECEL');
        const receipt = receiptOf();
        const somebody = await world.createShop({ network: receipt.network });
        const reference = await somebody.charge({ amount: 36, customer_name: 'Kofi Mensah Boateng' });
        await somebody.arrive({ ...receiptOf({ reference }), sender: name });
        expect(await somebody.verified(reference)).toMatchObject({ status: 'pending' });
        expect((await somebody.receipts()).filter(({ state }) => state === 'matched')).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });
});

describe('the network of a receipt', () => {
  test('must match the network of the account', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    const row = await shop.pay(telecel({ reference }));
    expect(row).toMatchObject({ state: 'held', reason: 'network_differs', network: 'TELECEL', merchant_id: shop.id });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('distinguishes two payments with the same id', async () => {
    const id = '0000019305566778';
    await shop.pay(telecel({ id }));
    expect(await shop.pay(mtn({ id: id.slice(-11), reference }))).toMatchObject({ state: 'matched' });
    expect(await shop.receipts()).toHaveLength(2);
  });
});

describe('the receiving number of a receipt', () => {
  // device-1 has two registered SIMs, device-2 has one and device-3 has none.
  const [first, second, single] = [newNumber(), newNumber(), newNumber()];
  const shops = new Map<string, Shop>();
  let phones: Scene;
  beforeAll(async () => {
    phones = await scene();
    for (const [device_id, sim_number, number] of [
      ['device-1', 1, first],
      ['device-1', 2, second],
      ['device-2', 1, single],
    ] as const) {
      await phones.addSender({ number, device_id, sim_number });
      shops.set(number, await phones.createShop({ number }));
    }
  });

  test.each([
    ['the text’s recipient', { recipient: second, simNumber: 1 }, second],
    ['the text’s recipient in local format', { recipient: `0${first.slice(4)}` }, first],
    ['the number of the device and SIM', { simNumber: 1 }, first],
    ['the number of the device and SIM', { simNumber: 2 }, second],
    ['the device’s only number', { device: 'device-2' }, single],
  ])('is taken from %s: %j', async (_, told, number) => {
    const paid = shops.get(number) ?? shop;
    const reference = await paid.charge({ amount: 36 });
    const row = await paid.pay({ ...mtn({ reference }), recipient: null, ...told });
    expect(row).toMatchObject({ state: 'matched', momo_number: number });
  });

  test.each([
    ['the phone does not report which of its two SIMs received the text', {}],
    ['the SIM is not registered', { simNumber: 3 }],
    ['the only number is in another SIM', { device: 'device-2', simNumber: 2 }],
    ['the device has no number', { device: 'device-3', gateway: 'spare' as const, simNumber: 1 }],
    ['the number is registered in another phone', { device: 'device-2', recipient: first }],
    ['the number is registered with another gateway', { gateway: 'spare' as const, recipient: first, simNumber: 1 }],
  ])('is unknown if %s', async (_, told) => {
    const references: [Shop, string][] = [];
    for (const one of shops.values()) references.push([one, await one.charge({ amount: 36, ...KOFI })]);
    const [[, reference = ''] = []] = references;
    const receipt = mtn({ reference });
    await arrive(phones, shop, { ...receipt, recipient: null, ...told });
    const row = await phones.receiptRow(`MTN-unknown-${receipt.id}`);
    expect(row).toMatchObject({ state: 'held', reason: 'number_unknown', transaction_id: receipt.id });
    expect(row).not.toHaveProperty('merchant_id');
    for (const [one, open] of references) {
      expect(await one.verified(open)).toMatchObject({ status: 'pending' });
      expect(await one.listed('held')).toEqual([]);
      expectFailure(await assignTo(one, `MTN-unknown-${receipt.id}`, open), 404, 'not_found');
    }
  });

  test('is filled in when a second copy of the text reveals it', async () => {
    const paid = shops.get(first) ?? shop;
    const reference = await paid.charge({ amount: 36 });
    const receipt = mtn({ reference });
    await paid.arrive({ ...receipt, recipient: null });
    await paid.arrive({ ...receipt, recipient: null, simNumber: 1 });
    const payment = { receipt_id: paid.paymentId(receipt) };
    expect(await paid.verified(reference)).toMatchObject({ status: 'success', payment });
  });
});

describe('a text without a receiving number', () => {
  let other: Shop;
  let book: WalletBook;
  let paid: BookedText;
  let phones: Scene;
  let owner: Shop;
  let charged: string;
  beforeEach(async () => {
    phones = await scene({ inMemory: true });
    phones.goToNoon();
    owner = await phones.createShop();
    book = await provenBook(phones, owner, 6);
    other = await phones.createShop({ number: newNumber() });
    charged = await owner.charge({ amount: 300 });
    paid = book.paid(300, { reference: charged });
  });

  const elsewhere = { gateway: 'spare', device: 'device-3', recipient: null, simNumber: 8 } as const;
  const say = async (text: { readonly sender: string; readonly text: string }) =>
    phones.settle(await post(phones, { ...text, ...elsewhere }));
  const undisputed = { status: 'success', proof: { state: 'proven' }, disputed: null };

  test('does not dispute a verified payment if it reports a reversal', async () => {
    await owner.pay(paid);
    const held = book.paid(77);
    await owner.pay(held);
    for (const { id } of [paid, held]) await say({ sender: 'MobileMoney', text: `Transaction ${id} reversed` });
    expect(await owner.verified(charged)).toMatchObject(undisputed);
    expect(await owner.receipt(held)).toMatchObject({ reason: 'no_charge' });
  });

  test('does not dispute a verified payment if its amount differs', async () => {
    await say(mtn({ id: paid.id, amount: '1.00' }));
    await owner.pay(paid);
    for (const amount of ['2.00', '3.00']) await say(mtn({ id: paid.id, amount }));
    expect(await owner.verified(charged)).toMatchObject(undisputed);
  });

  test('does not dispute a verified payment on another shop’s number', async () => {
    await owner.pay(paid);
    for (const amount of ['1.00', '2.00']) await other.arrive(mtn({ id: paid.id, amount }));
    expect(await owner.verified(charged)).toMatchObject(undisputed);
  });

  describe('and a text with it that are settled at the same moment', () => {
    const settleBoth = async (between: string, first: object, second: object) => {
      const settle = (job: object) => async () => phones.settle(job);
      if (between === 'without') phones.rightBefore('TransactWriteItems', settle(first), charged);
      else phones.rightBefore('TransactWriteItems', settle(second), 'RECEIPT#MTN-unknown');
      await phones.settle(between === 'without' ? second : first);
    };
    const postBoth = async (withNumber: BookedText) => ({
      unnumbered: await post(phones, { ...paid, recipient: null }),
      numbered: await post(phones, { ...withNumber, recipient: owner.number }),
    });
    const lookAgain = async () => {
      const jobs = phones.queued.splice(0).filter(({ queue }) => queue === 'settle-receipt');
      phones.clock.nowMs += 3 * MINUTE_MS;
      await phones.settle(...jobs.map(({ job }) => job.body));
    };
    const held = () => phones.receiptRow(`MTN-unknown-${paid.id}`);
    const forgetBalance = () =>
      phones.outside.table.write([chainRows.remove({ network: 'MTN', momo_number: owner.number })]);

    test.each(['without', 'with'])(
      'dispute the charge if they differ and nobody has named the balance (%s)',
      async (between) => {
        await forgetBalance();
        const { unnumbered, numbered } = await postBoth(
          book.receipt(300, { reference: charged, id: paid.id, balance: 777_77 }),
        );
        await settleBoth(between, unnumbered, numbered);
        await lookAgain();
        expect(await owner.verified(charged)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
        expect(await held()).toMatchObject({ state: 'held', reason: 'conflict', numbers_of_phone: expect.any(Array) });
      },
    );

    test.each(['without', 'with'])('count once if they agree (%s)', async (between) => {
      const { unnumbered, numbered } = await postBoth(paid);
      await settleBoth(between, unnumbered, numbered);
      await lookAgain();
      expect(await owner.verified(charged)).toMatchObject(undisputed);
      expect(await held()).toMatchObject({ state: 'held', reason: 'already_paid' });
    });

    test('are compared again after a copy if the first job was lost', async () => {
      await forgetBalance();
      const forged = book.receipt(300, { reference: charged, id: paid.id, balance: 777_77 });
      const { unnumbered, numbered } = await postBoth(forged);
      await settleBoth('with', unnumbered, numbered);
      phones.queued.splice(0);
      await owner.arrive({ ...paid, recipient: null });
      await lookAgain();
      expect(await owner.verified(charged)).toMatchObject({ disputed: { why: 'conflict' } });
    });
  });

  test('stays unchanged when it is evaluated again', async () => {
    await owner.arrive({ ...paid, recipient: null });
    const before = await phones.receiptRow(`MTN-unknown-${paid.id}`);
    await phones.settle({ receipt_id: `MTN-unknown-${paid.id}` });
    expect(before).toMatchObject({ state: 'held', reason: 'number_unknown' });
    expect(await phones.receiptRow(`MTN-unknown-${paid.id}`)).toEqual(before);
  });
});

describe('the time of a payment', () => {
  test.each<[string, laterMs: number, isTyped: boolean, reason?: string]>([
    ['a minute before its charge', -MINUTE_MS, false],
    ['more than a minute before its charge', -MINUTE_MS - 1, false, 'no_charge'],
    ['two hours after its charge', 2 * HOUR_MS, false],
    ['more than two hours after its charge', 2 * HOUR_MS + 1, false, 'no_charge'],
    ['a day after its charge', DAY_MS, true],
    ['after its charge expired', DAY_MS + 1, true, 'charge_expired'],
    ['after its charge expired', DAY_MS + 1, false, 'no_charge'],
  ])('decides whether the payment counts: %s (%i ms, by reference: %j)', async (_, laterMs, isTyped, reason) => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    const receivedAt = world.iso(laterMs);
    world.clock.nowMs += 3 * DAY_MS;
    expect(await shop.verified(reference)).toMatchObject({ status: 'expired' });
    const row = await shop.pay({ ...mtn(isTyped ? { reference } : {}), receivedAt });
    expect(row).toMatchObject(reason ? { state: 'held', reason } : { state: 'matched', reference });
    const paid = { status: 'success', paid_at: world.iso(), payment: { received_at: receivedAt } };
    expect(await shop.verified(reference)).toMatchObject(reason ? { status: 'expired', payment: null } : paid);
  });

  test('does not prevent a claim if it is before the charge', async () => {
    const receipt = mtn();
    expect(await shop.pay(receipt)).toMatchObject({ state: 'held', reason: 'no_charge' });
    world.clock.nowMs += MINUTE_MS + 1;
    const reference = await shop.charge({ amount: 36, ...KOFI });
    // A copy does not pay the new charge.
    await shop.arrive({ ...receipt, receivedAt: world.iso() });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    expect(await world.claim(reference, receipt.id)).toEqual({ outcome: 'paid' });
    const payment = { matched_by: 'claim', transaction_id: receipt.id };
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment });
    expect(await shop.receipts()).toMatchObject([{ state: 'matched', matched_by: 'claim', reference }]);
  });

  test.each<[string, receivedAt: string | null, isTyped: boolean, row: () => object]>([
    ['no time', null, true, () => ({ state: 'matched', received_at: world.iso() })],
    ['a word instead of a time', 'yesterday', true, () => ({ state: 'matched', received_at: world.iso() })],
    ['the future', '2099-01-01T00:00:00.000Z', true, () => ({ state: 'matched', received_at: world.iso() })],
    ['1970', '1970-01-01T00:00:00.000Z', false, () => ({ state: 'held', reason: 'no_charge' })],
    ['the year 1', '0001-01-01T00:00:00Z', false, () => ({ state: 'held', reason: 'no_charge' })],
    [
      '1970 for a payment with its charge’s reference',
      '0000000000',
      true,
      () => ({ state: 'matched', received_at: world.iso() }),
    ],
    ['a negative time', '-1', true, () => ({ state: 'matched', received_at: world.iso() })],
    [
      'the day before mobile wallets existed in Ghana',
      '2009-06-30T23:59:59Z',
      true,
      () => ({ state: 'matched', received_at: world.iso() }),
    ],
    [
      'the first day of mobile wallets for a payment with its charge’s reference',
      '2009-07-01T00:00:00Z',
      true,
      () => ({ state: 'matched', received_at: world.iso() }),
    ],
    ['the earliest possible time', '-271821-04-20T00:00:00.000Z', true, () => ({ state: 'matched' })],
    ['a time before Christ', '-000001-01-01T00:00:00.000Z', true, () => ({ state: 'matched' })],
    ['the latest possible time', '+275760-09-13T00:00:00.000Z', true, () => ({ state: 'matched' })],
  ])('does not prevent settlement if the phone reports %s', async (_, receivedAt, isTyped, row) => {
    expect(await shop.pay({ ...mtn(isTyped ? { reference } : {}), receivedAt })).toMatchObject(row());
  });

  test.each([1, 29, 30, 31, 90, 399])('prevents a match by name if it is %i days before the charge', async (days) => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    const receivedAt = world.iso(-days * DAY_MS);
    const expires_at_epoch_seconds = Math.floor(world.clock.nowMs / 1000) + 400 * 86_400;
    const kept = { state: 'held', received_at: receivedAt, expires_at_epoch_seconds };
    expect(await shop.pay({ ...mtn(), receivedAt })).toMatchObject({ reason: 'no_charge', ...kept });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test.each([
    ['a second', 1_000],
    ['four minutes', 4 * MINUTE_MS],
    ['six minutes', 6 * MINUTE_MS],
    ['an hour', HOUR_MS],
    ['400 days', 400 * DAY_MS],
  ])('is the time of arrival if the charge was created %s later', async (_, behindMs) => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    const receivedAt = world.iso(-behindMs);
    world.clock.nowMs += 2 * MINUTE_MS;
    for (const typed of [reference, reference.slice(3)]) {
      const row = await shop.pay({ ...mtn({ amount: '18', reference: typed }), receivedAt });
      expect(row).toMatchObject({ state: 'matched', reference, received_at: world.iso() });
    }
    expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
  });

  test('is the reported time if the charge existed then', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receivedAt = world.iso();
    world.clock.nowMs += HOUR_MS;
    expect(await shop.pay({ ...mtn({ reference }), receivedAt })).toMatchObject({ received_at: receivedAt });
  });

  test('is the reported time if the text names no charge of that time', async () => {
    world.clock.nowMs += MINUTE_MS;
    const receivedAt = world.iso(-HOUR_MS);
    const row = await shop.pay({ ...mtn({ reference: '4071932685, MK-4071932686' }), receivedAt });
    expect(row).toMatchObject({ state: 'held', received_at: receivedAt });
  });

  test('rules out charges created later unless the payment names them', async () => {
    const dayMinutes = 24 * 60;
    const anyDay = fc.integer({ min: -400 * dayMinutes, max: 2 * dayMinutes });
    const minutes = fc.oneof(anyDay, fc.integer({ min: -150, max: 10 }));
    await fc.assert(
      fc.asyncProperty(minutes, fc.boolean(), async (minutesOff, isTyped) => {
        const somebody = await world.createShop();
        const reference = await somebody.charge({ amount: 36, ...KOFI });
        world.clock.nowMs += 2 * MINUTE_MS;
        const receivedAt = world.iso(minutesOff * MINUTE_MS);
        const row = await somebody.pay({ ...mtn(isTyped ? { reference } : {}), receivedAt });
        // The charge is two minutes old. Allowed clock skew by name: one minute.
        const isPaid = isTyped || minutesOff >= -3;
        expect(row?.state).toBe(isPaid ? 'matched' : 'held');
        expect(await somebody.verified(reference)).toMatchObject({ status: isPaid ? 'success' : 'pending' });
      }),
      runsOf(150, 5),
    );
  });

  test('is parsed with any UTC offset', async () => {
    const receivedAt = `${world.iso(2 * HOUR_MS - MINUTE_MS).slice(0, -1)}+02:00`;
    const row = await shop.pay({ ...mtn({ reference }), receivedAt });
    expect(row).toMatchObject({ state: 'matched', received_at: world.iso(-MINUTE_MS) });
  });
});

describe('a copy of a payment’s text', () => {
  test('changes nothing, even with a different event id', async () => {
    const receipt = await paidCharge();
    const row = await shop.receipt(receipt);
    const paid = await shop.verified(reference);
    world.clock.nowMs += MINUTE_MS;
    for (const receivedAt of [undefined, null, world.iso(-HOUR_MS)]) {
      expect(await shop.pay(receivedAt === undefined ? receipt : { ...receipt, receivedAt })).toEqual(row);
    }
    expect(await shop.verified(reference)).toEqual(paid);
    expect(await shop.receipts()).toHaveLength(1);
  });

  test('leaves the payment held for its original reason', async () => {
    const receipt = mtn();
    const row = await shop.pay(receipt);
    const reference = await shop.charge({ amount: 36, ...KOFI });
    expect(await shop.pay(receipt)).toEqual(row);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('is held as already_paid if it has a different receiving number', async () => {
    const other = await world.createShop();
    const receipt = await paidCharge();
    const theirs = await other.charge({ amount: 36 });
    expect(await other.pay(receipt)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await other.verified(theirs)).toMatchObject({ status: 'pending' });
    expectFailure(await assignTo(other, other.paymentId(receipt), theirs), 409, 'receipt_not_held');
  });

  test('does not pay a second charge if the first copy was assigned manually', async () => {
    const receipt = mtn({ reference });
    await shop.arrive({ ...receipt, recipient: null });
    await assignUnassignedReceipt(world.outside, `MTN-unknown-${receipt.id}`, await shop.charge({ amount: 36 }));
    expect(await shop.pay(receipt)).toMatchObject({ state: 'matched', matched_by: 'hand' });
    expect(await shop.receipts()).toHaveLength(1);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('belongs to the shop on whose number it arrived, although the first copy was assigned to another shop', async () => {
    const other = await world.createShop();
    const theirs = await other.charge({ amount: 36 });
    const receipt = mtn({ reference: theirs });
    await shop.arrive({ ...receipt, recipient: null });
    await assignUnassignedReceipt(world.outside, `MTN-unknown-${receipt.id}`, reference);
    expect(await other.pay(receipt)).toMatchObject({ state: 'held', merchant_id: other.id });
    expect((await shop.verified(reference)).payment).toMatchObject({ proof: null });
  });

  test('is settled once if 20 copies are delivered simultaneously', async () => {
    const receipt = mtn({ reference });
    await settleAtOnce(world, Array(20).fill(await posted(receipt)));
    expect(await shop.receipts()).toMatchObject([{ state: 'matched', reference }]);
    expect(await shop.verified(reference)).toMatchObject({ payment: { transaction_id: receipt.id } });
  });

  test('pays no second charge if 20 copies are settled simultaneously', async () => {
    const said = { amount: 36, ...KOFI };
    const receipt = mtn();
    const reference = await shop.charge(said);
    const jobs = await Promise.all(Array.from({ length: 20 }, () => posted(receipt)));
    await settleAtOnce(world, jobs);
    const other = await shop.charge(said);
    await settleAtOnce(world, jobs);
    expect(await shop.receipts()).toMatchObject([{ state: 'matched', reference }]);
    expect(await shop.verified(other)).toMatchObject({ status: 'pending' });
  });

  test('is settled once if DynamoDB’s first response is lost', async () => {
    const receipt = mtn({ reference });
    const job = await posted(receipt);
    const usual = world.dynamoDb;
    loseAnswers(world, 'TransactWriteItems', 99, 'PAYMENT#');
    expect(await world.work('settle-receipt', [job])).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
    world.dynamoDb = usual;
    const paid = await shop.verified(reference);
    expect(paid).toMatchObject({ status: 'success', payment: { transaction_id: receipt.id } });
    await world.settle(job);
    expect(await shop.verified(reference)).toEqual(paid);
    expect(await shop.receipts()).toHaveLength(1);
  });
});

describe('an unclear text about a reversal', () => {
  test.each([
    'KOFI MENSAH has requested GHS 1.00 from you. Reason: transaction ID has been reversed.',
    'Hello, KOFI reversed Transaction ID has successfully refunded GHS 3.00 to your account.',
    'From NOTE TRADING: the payment with Transaction ID ID was reversed.',
    'Reversal of transaction ID has failed.',
    'Transaction ID will be reversed unless you object.',
    'Reversal of transaction ID may be completed in 3 days.',
    'A reversal claim on transaction ID was made by KOFI MENSAH. Reply NO to keep the money.',
    'Transaction ID got nearly reversed.',
    'Transaction ID has been reversed in your favour.',
    'Transaction ID has been reversed to your MoMo wallet.',
    'Transaction ID has been reversed into suspense.',
    'Transaction ID: your commission has been reversed.',
    'Transaction ID: your bonus has been reversed.',
    'Transaction ID: cashback has been reversed.',
  ])('puts the charge in dispute and is kept for review: %s', async (shape) => {
    const receipt = await paidCharge();
    await shop.arrive({ sender: 'MobileMoney', text: shape.replace(/ID\b(?! ID)/, receipt.id) });
    const disputed = { why: 'reversal', at: world.iso() };
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed });
    expect(await shop.listed('unread')).toHaveLength(1);
  });

  test.each([
    'The reversal of transaction ID was cancelled. GHS 36.00 has been returned to your wallet.',
    'The reversal of transaction ID has been reversed.',
  ])('is kept for review if the payment is already reversed: %s', async (shape) => {
    const receipt = await paidCharge();
    await shop.arrive(reversal(receipt.id));
    await shop.arrive({ sender: 'MobileMoney', text: shape.replace('ID', receipt.id) });
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    expect(await shop.listed('unread')).toHaveLength(1);
  });

  test('makes a held payment unclaimable', async () => {
    const receipt = mtn();
    await shop.pay(receipt);
    const text = `EVE has requested GHS 1.00. Reason: transaction ${receipt.id} was reversed`;
    await shop.arrive({ sender: 'MobileMoney', text });
    expect(await world.claim(reference, receipt.id)).toEqual({ outcome: 'unknown' });
    expect((await assignTo(shop, shop.paymentId(receipt), reference)).status).toBe(200);
  });

  const REWORDED = [
    'Transaction ID of GHS 36.00 was rolled back.',
    'Transaction ID has been recalled.',
    'Transaction ID of GHS 36.00 was charged back. Current Balance: GHS 1.00',
    'Your transaction ID of GHS 36.00 has been refunded to the sender.',
    'GHS 36.00 sent to you in error by KOFI MENSAH has been recalled. Transaction ID: ID.',
    'The payment ID has been cancelled and GHS 36.00 returned to the sender.',
  ];

  test.each(REWORDED)('puts the charge in dispute without the word “reversed”: %s', async (shape) => {
    const receipt = await paidCharge();
    await shop.arrive({ sender: 'MobileMoney', text: shape.replace(/ID\b(?!:)/, receipt.id) });
    const disputed = { why: 'reversal', at: world.iso() };
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed });
    expect(await shop.listed('unread')).toHaveLength(1);
  });

  test.each(REWORDED)('does not affect a later payment without the word “reversed”: %s', async (shape) => {
    const receipt = mtn({ reference });
    await shop.arrive({ sender: 'MobileMoney', text: shape.replace(/ID\b(?!:)/, receipt.id) });
    expect(await shop.receipts()).toMatchObject([{ state: 'unread' }]);
    await shop.pay(receipt);
    const verified = await shop.verified(reference);
    expect(verified).toMatchObject({ status: 'success' });
    expect(verified).not.toHaveProperty('disputed.why');
  });

  test.each([
    'KOFI MENSAH has requested GHS 1.00 from you. Reason: transaction ID has been recalled.',
    'Payment request of GHS 1.00 from KOFI MENSAH was cancelled. Reason: transaction ID.',
    'Transfer by KOFI MENSAH: transaction ID has been recalled.',
    'Payment of GHS 1.00. Reference: transaction ID was rolled back. Transaction ID: 51234500001.',
    'Your payment of GHS 36.00 to ECG was cancelled. Transaction ID: ID.',
    'Transaction ID was not rolled back.',
    'Transaction ID or 51234500001 was rolled back.',
  ])('is only kept for review if it may not report a reversal: %s', async (shape) => {
    const receipt = await paidCharge();
    await shop.arrive({ sender: 'MobileMoney', text: shape.replace(/ID\b(?!:)/, receipt.id) });
    expect(await shop.verified(reference)).not.toHaveProperty('disputed.why');
    expect(await shop.listed('unread')).toHaveLength(1);
  });

  test('is kept for review even after the charge has been deleted', async () => {
    const receipt = await paidCharge();
    await world.outside.table.write([chargeRows.remove({ reference })]);
    await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${receipt.id} will be reversed.` });
    expect(await shop.listed('unread')).toHaveLength(1);
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'matched', reversal_doubt_at: world.iso() });
  });

  test('puts the charge in dispute even without a receiving number', async () => {
    const receipt = await paidCharge();
    await shop.arrive({ ...reversal(receipt.id), recipient: null });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
  });

  test('does not reverse any payment if it lists too many', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `6${String(n).padStart(10, '0')}`);
    await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${ids.join(' ')} reversed` });
    expect(await shop.listed('held')).toEqual([]);
    expect(await shop.listed('unread')).toHaveLength(1);
  });

  test('does not block a payment to a different wallet', async () => {
    const other = await world.createShop();
    const [early, late] = [mtn(), mtn()];
    await shop.pay(early);
    for (const { id } of [early, late]) await other.arrive(reversal(id));
    await shop.pay(late);
    for (const { id } of [early, late]) {
      expect(await world.claim(await shop.charge({ amount: 36, ...KOFI }), id)).toEqual({ outcome: 'paid' });
    }
  });
});

describe('a contradictory second text', () => {
  test('puts the charge in dispute even without a receiving number', async () => {
    const forged = ({ id }: ReceiptText) => ({ ...mtn({ id, amount: '3.60' }), recipient: null });
    await shop.arrive(forged(await paidCharge()));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    const second = await shop.charge({ amount: 36 });
    const genuine = mtn({ reference: second });
    for (const text of [forged(genuine), genuine]) await shop.arrive(text);
    expect(await shop.verified(second)).toMatchObject({ status: 'pending' });
    expect((await shop.listed('held')).map(({ reason }) => reason)).toEqual(['conflict']);
  });

  test('puts the charge in dispute even if the merchant has already chosen between two texts', async () => {
    const { id } = mtn();
    for (const amount of ['9.00', '36.00']) await shop.arrive(mtn({ id, amount }));
    const chosen = (await shop.listed('held')).find(({ amount }) => amount === 36);
    expect((await assignTo(shop, String(chosen?.id), reference)).status).toBe(200);
    await shop.arrive(mtn({ id, amount: '7.00' }));
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'conflict' } });
  });

  test('is stored if both texts arrive after a reversal', async () => {
    const first = mtn();
    await shop.arrive(reversal(first.id));
    const [one, other] = [await posted(first), await posted(mtn({ id: first.id, amount: '37.00' }))];
    world.rightBefore('PutItem', () => world.settle(other));
    await world.settle(one);
    expect((await shop.listed('held')).map(({ amount }) => amount).sort()).toEqual([36, 37]);
  });

  test('counts as a copy if only letter case and spaces differ', async () => {
    const receipt = await paidCharge();
    await shop.arrive({ ...receipt, text: receipt.text.replace('KOFI MENSAH', 'Kofi  Mensah') });
    expect(await shop.verified(reference)).toMatchObject({ disputed: null });
  });

  test.each([
    ['amount', { amount: '3600' }],
    ['payer', { from: 'AMA OWUSU' }],
  ])('puts the paid charge in dispute if its %s differs', async (_, told) => {
    const first = await paidCharge();
    const second = mtn({ reference, id: first.id, ...told });
    await shop.arrive(second);
    const payment = { receipt_id: shop.paymentId(first) };
    const disputed = { why: 'conflict', at: world.iso() };
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment, disputed });
    expect(await shop.listed('matched')).toMatchObject([{ text: withoutBalanceWords(first.text) }]);
    expect(await shop.listed('held')).toMatchObject([{ text: withoutBalanceWords(second.text), reason: 'conflict' }]);
  });

  test('puts the charge in dispute if its balance differs', async () => {
    const first = mtn();
    await shop.pay(first);
    await shop.arrive({ ...first, text: first.text.replaceAll('1,136.50', '1,236.50') });
    expect((await shop.listed('held')).map(({ reason }) => reason)).toEqual(['conflict', 'conflict']);
  });

  test('does not suppress the genuine text if it arrives first', async () => {
    const dear = await shop.charge({ amount: 500, customer_name: 'Eve Thief' });
    const genuine = mtn({ reference });
    const forged = mtn({ id: genuine.id, amount: '9.00', from: 'EVE THIEF' });
    await shop.arrive(forged);
    await shop.arrive(genuine);
    const held = await shop.listed('held');
    expect(held).toHaveLength(2);
    const idOf = (text: string) =>
      String(held.find((one) => one.text === withoutBalanceWords(text) && one.reason === 'conflict')?.id);
    expect(await world.claim(reference, genuine.id)).toEqual({ outcome: 'unknown' });
    expect((await assignTo(shop, idOf(genuine.text), reference)).status).toBe(200);
    // The forged payment can pay no charge.
    expectFailure(await assignTo(shop, idOf(forged.text), dear), 409, 'receipt_not_held');
  });

  test('is stored once despite repeated delivery', async () => {
    const first = mtn();
    const second = mtn({ id: first.id, amount: '9.00' });
    for (const text of [first, second, second, first, second]) await shop.arrive(text);
    expect(await shop.listed('held')).toHaveLength(2);
  });

  test.each([
    ['after', (first: ReceiptText, second: ReceiptText) => [first, reversal(first.id), second], 'reversed'],
    ['before', (first: ReceiptText, second: ReceiptText) => [first, second, reversal(first.id)], 'conflict'],
  ])('cannot be assigned if it arrives %s the payment’s reversal', async (_, inOrder, reason) => {
    const first = mtn();
    for (const text of inOrder(first, mtn({ id: first.id, amount: '9.00' }))) await shop.arrive(text);
    const reference = await shop.charge({ amount: 9 });
    const held = await shop.listed('held');
    expect(held.map((one) => one.reason)).toEqual([reason, 'reversed']);
    for (const { id } of held) expectFailure(await assignTo(shop, String(id), reference), 409, 'receipt_not_held');
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });
});

test('MTN’s 12-digit ids (from February 2027) are supported', async () => {
  await paidCharge({ id: '100000000123' });
  await shop.arrive(reversal('100000000123'));
  expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  await shop.pay(mtn({ id: '100000000124' }));
  expect(await world.claim(await shop.charge({ amount: 36 }), '100000000124')).toEqual({ outcome: 'paid' });
});

describe('simultaneous payments and changes', () => {
  describe.each([
    ['by reference', true, 'already_paid'],
    ['by name', false, 'no_charge'],
  ])('for one charge, matched %s', (_, typed, reason) => {
    test('leave one payment held while the other pays the charge', async () => {
      const reference = await shop.charge({ amount: 36, ...KOFI });
      const receipts = [0, 1].map(() => mtn(typed ? { reference } : {}));
      await settleAtOnce(world, await Promise.all(receipts.map(posted)));
      const rows = await shop.receipts();
      const [matched, held] = rows.sort((a, b) => String(b.state).localeCompare(String(a.state)));
      expect(matched).toMatchObject({ state: 'matched', reference });
      expect(held).toMatchObject({ state: 'held', reason });
      expect(rows).toHaveLength(2);
      const payment = { transaction_id: matched?.transaction_id };
      expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment });
    });

    test('are re-evaluated at once if the charge is paid in the meantime', async () => {
      const reference = await shop.charge({ amount: 36, ...KOFI });
      const [first, second] = [mtn({ reference }), mtn(typed ? { reference } : {})];
      world.rightBefore('TransactWriteItems', () => shop.pay(first));
      expect(await shop.pay(second)).toMatchObject({ state: 'held', reason });
      expect(await shop.receipt(first)).toMatchObject({ state: 'matched', reference });
      expect(await shop.verified(reference)).toMatchObject({ payment: { transaction_id: first.id } });
    });
  });

  test('do not confirm a payment that is reversed during settlement', async () => {
    const receipt = mtn({ reference });
    world.rightBefore('TransactWriteItems', () => shop.arrive(reversal(receipt.id)));
    expect(await shop.pay(receipt)).toMatchObject({ state: 'held', reason: 'reversed', amount_pesewas: 3_600 });
    const refused = await assignTo(shop, shop.paymentId(receipt), reference);
    expectFailure(refused, 409, 'receipt_not_held');
    expect(refused.json.message).toContain('The network reversed this payment');
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', payment: null });
  });

  test('still reverse a payment that is stored after the reversal looked for it', async () => {
    const receipt = mtn({ reference });
    const job = await posted(reversal(receipt.id));
    world.rightBefore('TransactWriteItems', () => shop.pay(receipt));
    await world.settle(job);
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    expect(await shop.receipts()).toMatchObject([{ state: 'held', reason: 'reversed', reference }]);
  });

  test('still reverse a held payment that is claimed after the reversal looked for it', async () => {
    const receipt = mtn();
    await shop.pay(receipt);
    const job = await posted(reversal(receipt.id));
    world.rightBefore('TransactWriteItems', () => world.claim(reference, receipt.id));
    await world.settle(job);
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    expect(await shop.receipts()).toMatchObject([{ state: 'held', reason: 'reversed', reference }]);
  });

  test('pay one charge each if ten payments arrive for ten charges', async () => {
    const references = await Promise.all(Array.from({ length: 10 }, () => shop.charge({ amount: 36 })));
    const receipts = references.map((one) => mtn({ reference: one }));
    await settleAtOnce(world, await Promise.all(receipts.map(posted)));
    for (const [n, one] of references.entries()) {
      expect(await shop.verified(one)).toMatchObject({ payment: { transaction_id: receipts[n]?.id } });
    }
  });

  test('leave the charge unpaid if a payment and its reversal are settled together', async () => {
    for (let round = 0; round < 3; round++) {
      const somebody = await world.createShop();
      const reference = await somebody.charge({ amount: 36 });
      const receipt = mtn({ reference });
      const texts = [receipt, reversal(receipt.id), receipt, reversal(receipt.id)];
      const jobs = await Promise.all(texts.map((text) => post(world, { ...text, recipient: somebody.number })));
      await settleAtOnce(world, round % 2 ? jobs.reverse() : jobs);
      const { status } = await somebody.verified(reference);
      expect(['pending', 'reversed']).toContain(status);
      expect(await somebody.receipts()).toMatchObject([{ state: 'held', reason: 'reversed', amount_pesewas: 3_600 }]);
    }
  });
});

describe('a reversal text', () => {
  test('reverses the charge and holds its payment', async () => {
    const receipt = await paidCharge();
    const paid = await shop.verified(reference);
    world.clock.nowMs += HOUR_MS;
    await shop.arrive(reversal(receipt.id));
    expect(await shop.verified(reference)).toEqual({
      ...paid,
      status: 'reversed',
      reversed_at: world.iso(),
      amount_paid: 0,
    });
    expect(await shop.receipts()).toMatchObject([
      { state: 'held', reason: 'reversed', transaction_id: receipt.id, amount_pesewas: 3_600, reference },
    ]);
    expect(await shop.listed('matched')).toEqual([]);
    expect(await shop.listed('held')).toMatchObject([{ id: shop.paymentId(receipt), reason: 'reversed' }]);
  });

  test('changes nothing if it arrives again', async () => {
    const receipt = await paidCharge();
    await shop.arrive(reversal(receipt.id));
    const [charged, row] = [await shop.verified(reference), await shop.receipt(receipt)];
    world.clock.nowMs += HOUR_MS;
    await shop.arrive(reversal(receipt.id));
    expect(await shop.pay(receipt)).toEqual(row);
    expect(await shop.verified(reference)).toEqual(charged);
  });

  test('puts the charge in dispute if its amount differs and could be a part of the payment', async () => {
    const receipt = await paidCharge();
    await shop.arrive(reversal(receipt.id, '10.00'));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
    expect(await shop.listed('unread')).toHaveLength(1);
    await shop.arrive(reversal(receipt.id, '36.00'));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });

  test.each([
    'Reversal of GHS 10.00 for payment ID of GHS 36.00 was successful.',
    'Reversal of 10.00GHS for payment ID was successful. Current Balance: GHS 1126.50',
    'Transaction ID of GHS 36.00: GHC 10 has been reversed.',
    'Payment ID of GHS 36.00 was reversed by 10 cedis.',
    'Reversal of E-levy GHS 0.36 for transaction ID was successful.',
    'Transaction ID of GHS 36.00: fee GHS 0.36 has been reversed.',
  ])('puts the charge in dispute if it may be about a part of the payment or its fee: %s', async (text) => {
    const { id } = await paidCharge();
    await shop.arrive({ sender: 'MobileMoney', text: text.replace('ID', id) });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
  });

  test('marks a payment whose text arrives later as reversed', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    const receipt = mtn({ reference });
    await shop.arrive(reversal(receipt.id));
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held', reason: 'reversed' });
    expect(await shop.listed('held')).toMatchObject([{ reason: 'reversed', amount: null }]);
    const details = { amount_pesewas: 3_600, payer_name: 'KOFI MENSAH BOATENG', payer_reference: reference };
    const row = { state: 'held', reason: 'reversed', merchant_id: shop.id, text: receipt.text, ...details };
    for (const _ of ['its text', 'a copy of it']) expect(await shop.pay(receipt)).toMatchObject(row);
    expect(await shop.listed('held')).toMatchObject([{ reason: 'reversed', amount: 36 }]);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', payment: null });
  });

  test.each([
    ['another amount', (id: string) => reversal(id, '10.00')],
    [
      'another amount and a warning',
      (id: string) => ({
        sender: 'MobileMoney',
        text: `Reversal of GHS 10.00 for payment ${id} was successful on 2026-11-26. Never share your PIN with anyone.`,
      }),
    ],
    ['unknown words', (id: string) => ({ sender: 'MobileMoney', text: `We have reversed the transaction ${id}.` })],
    [
      'a word that announces it',
      (id: string) => ({
        sender: 'MobileMoney',
        text: `Transaction ${id} of GHS 36.00 has been reversed. Please call 100 for more information.`,
      }),
    ],
  ])('puts a later payment on hold for review if it has %s', async (_, reversalOf) => {
    const { reference, access_code } = await shop.createCharge({ amount: 36, ...KOFI });
    const receipt = mtn({ reference });
    await shop.arrive(reversalOf(receipt.id));
    const row = { state: 'held', reason: 'conflict', amount_pesewas: 3_600, reversal_doubt_at: world.iso() };
    for (const _ of ['its text', 'a copy of it']) expect(await shop.pay(receipt)).toMatchObject(row);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', payment: null });
    const { text } = await world.call('checkout/page', { parameters: { access_code } });
    expectWords(text, ['A payment message about this bill arrived']);
    expect((await assignTo(shop, shop.paymentId(receipt), reference)).status).toBe(200);
    await shop.arrive(reversal(receipt.id, '36.00'));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });

  test('lists a later payment as a second one if its amount differs and the charge is paid', async () => {
    await paidCharge();
    const receipt = mtn({ reference });
    await shop.arrive(reversal(receipt.id, '10.00'));
    expect(await shop.pay(receipt)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect((await shop.verified(reference)).second_payments).toMatchObject([{ amount: 36 }]);
  });

  test('marks a later payment as reversed even if a partial reversal came first', async () => {
    const reference = await shop.charge({ amount: 36, ...KOFI });
    const receipt = mtn({ reference });
    for (const amount of ['10.00', '36.00']) await shop.arrive(reversal(receipt.id, amount));
    expect(await shop.pay(receipt)).toMatchObject({ state: 'held', reason: 'reversed', text: receipt.text });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', payment: null });
  });

  test('stores no dispute if its id may be a phone number or if it has two ids', async () => {
    const ids = ['0241234567', '51234500001', '51234500002'];
    const [phone, one, other] = ids;
    await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${phone}.` });
    await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transactions ${one} and ${other}.` });
    for (const id of ids) expect(await shop.receipt(mtn({ id }))).toBeUndefined();
    expect(await shop.listed('unread')).toHaveLength(2);
  });

  test('makes a held payment unclaimable and unassignable', async () => {
    for (const isFirst of [true, false]) {
      const somebody = await world.createShop();
      const receipt = mtn();
      const texts = isFirst ? [reversal(receipt.id), receipt] : [receipt, reversal(receipt.id)];
      for (const text of texts) await somebody.arrive(text);
      const reference = await somebody.charge({ amount: 36 });
      expect(await world.claim(reference, receipt.id)).toEqual({ outcome: 'unknown' });
      expectFailure(await assignTo(somebody, somebody.paymentId(receipt), reference), 409, 'receipt_not_held');
      expect(await somebody.verified(reference)).toMatchObject({ status: 'pending' });
      expect(await somebody.receipts()).toMatchObject([{ state: 'held', reason: 'reversed' }]);
    }
  });

  test('reverses the charge after a claim or an assignment', async () => {
    const receipts = [mtn(), mtn({ amount: '35.00' })] as const;
    for (const receipt of receipts) await shop.pay(receipt);
    const [claimed, assigned] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
    expect(await world.claim(claimed, receipts[0].id)).toEqual({ outcome: 'paid' });
    expect((await assignTo(shop, shop.paymentId(receipts[1]), assigned)).status).toBe(200);
    for (const { id } of receipts) await shop.arrive(reversal(id));
    for (const reference of [claimed, assigned]) {
      expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', reversed_at: world.iso() });
    }
  });

  test('does not change other payments', async () => {
    const other = await world.createShop();
    const receipt = await paidCharge();
    const others = await other.charge({ amount: 36 });
    await other.pay(mtn({ reference: others }));
    // A reversal in one wallet does not affect another wallet.
    await other.arrive(reversal(receipt.id));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
    expect(await other.verified(others)).toMatchObject({ status: 'success' });
    expect(await other.listed('unread')).toHaveLength(1);
  });

  test('identifies the payment by 16 digits if it is from Telecel', async () => {
    const kojo = await world.createShop({ network: 'TELECEL' });
    const reference = await kojo.charge({ amount: 36 });
    const receipt = telecel({ reference });
    await kojo.pay(receipt);
    const text = `0000019399999999 Confirmed. Reversal of transaction ${receipt.id} of GHS36.00 was successful.`;
    await kojo.arrive({ sender: 'T-CASH', text });
    expect(await kojo.verified(reference)).toMatchObject({ status: 'reversed' });
  });

  test('leaves its charge reversed if a further payment arrives', async () => {
    const receipt = await paidCharge();
    await shop.arrive(reversal(receipt.id));
    for (const typed of [reference, '1']) {
      const again = mtn({ reference: typed });
      expect(await shop.pay(again)).toMatchObject({ state: 'held' });
      expectFailure(await assignTo(shop, shop.paymentId(again), reference), 409, 'charge_not_pending');
    }
    const payment = { transaction_id: receipt.id };
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', payment });
  });

  test.each([
    ['a phone number', '+233555000111'],
    ['a lookalike sender name', 'MobiIeMoney'],
    ['another network', 'T-CASH'],
    ['a network whose texts are not supported', 'ATMoney'],
  ])('reverses nothing if it is from %s', async (_, sender) => {
    const receipt = await paidCharge();
    await shop.arrive({ ...reversal(receipt.id), sender });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', reversed_at: null });
  });

  test('reverses nothing if the receiving number belongs to a different phone', async () => {
    const phones = await scene();
    const somebody = await phones.createShop();
    await phones.addSender({ number: somebody.number });
    const own = await somebody.charge({ amount: 36 });
    const receipt = mtn({ reference: own });
    await somebody.pay(receipt);
    await somebody.arrive({ ...reversal(receipt.id), device: 'device-2' });
    expect(await somebody.verified(own)).toMatchObject({ status: 'success', reversed_at: null });
  });

  test.each([
    'Payment received for GHS 36.00 from KOFI MENSAH BOATENG has been reversed. Reference: REFERENCE. Transaction ID: ID.',
    'Payment received for GHS 36.00 from KOFI MENSAH BOATENG was REVERSED Current Balance: GHS 1.00 . Available Balance: GHS 1.00. Reference: REFERENCE. Transaction ID: ID. TRANSACTION FEE: 0.00',
  ])('is not parsed as a payment, even with all of a payment’s fields: %s', async (shape) => {
    const { id } = mtn();
    const text = shape.replace('REFERENCE', reference).replace(/ID\b(?!:)/, id);
    await shop.arrive({ sender: 'MobileMoney', text });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', payment: null });
    expect(await shop.receipts()).toHaveLength(1);
  });

  test.each([
    'Payment received for GHS 36.00 from KOFI MENSAH BOATENG has been reversed. Reference: 1. Transaction ID: ID.',
    'GHS 36.00 was reversed. Reference: 1. Transaction ID: ID.',
    'The payment that you received from KOFI MENSAH (ID) has been reversed.',
  ])('is kept for review if its text template is unknown: %s', async (shape) => {
    const receipt = mtn();
    await shop.pay(receipt);
    const text = shape.replace(/ID\b(?!:)/, receipt.id);
    await shop.arrive({ sender: 'MobileMoney', text });
    const rows = await shop.receipts();
    expect(rows.some((row) => row.state === 'unread' || row.reason === 'reversed')).toBe(true);
  });
});

describe('a text that is not about a payment', () => {
  test.each([
    ...fixtures.flatMap(({ reads, sender, text }) => (reads.kind === 'other' ? [[sender, text]] : [])),
    ['+233551112223', 'Shall we meet at six?'],
    ['+233551112223', 'I have sent you GHS 36.00, Transaction ID: 51234567890. Please send my order.'],
    ['Kofi', 'Payment received'],
    ['GCB Bank', 'Your OTP is 123456.'],
  ])('is neither stored nor logged (from %s): %s', async (sender = '', text = '') => {
    const reference = await shop.charge({ amount: 20, customer_name: 'Kwaku Stores' });
    const before = world.logged.length;
    await shop.arrive({ sender, text });
    expect(await shop.receipts()).toEqual([]);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    expect(world.logged.slice(before)).toEqual([]);
  });

  test.each([
    [
      'MobileMoney',
      'Your OTP is 123456. Never share it with anyone.',
      'Your OTP is ******. Never share it with anyone.',
    ],
    ['T-CASH', 'Your verification code is 123456.', 'Your verification code is ******.'],
    ['MobileMoney', 'Use 771204 to approve the request of SHOP.', 'Use ****** to approve the request of SHOP.'],
    ['MobileMoney', 'Your default PIN is 8291', 'Your default PIN is ****'],
  ])('is stored with its digits masked if it may contain a code (from %s): %s', async (sender, text, kept) => {
    await shop.arrive({ sender, text });
    expect(await shop.receipts()).toMatchObject([{ state: 'unread', sender, text: kept }]);
    // The phone's event does not contain the text either.
    const stored = JSON.stringify([await world.rows('PHONE_EVENT'), await world.rows('RECEIPT')]);
    expect(stored).not.toContain(JSON.stringify(text).slice(1, -1));
  });

  test.each([
    'You have received 36.00 GHS from Ecobank ova (233539333391) on your mobile money account at 2026-11-19 17:34:06. Message from sender: REF. Your new balance:136.00 GHS. Financial Transaction Id: 51000000001.',
    'An amount of GHS 36.00 has been credited to your mobile money account. Message:REF. Your new balance: GHS 136.00. Financial Transaction Id: 51000000001.',
    'Hello, AMA OWUSU has successfully refunded GHS 36.00 to your mobile money account at 2026-07-11 23:09:24. Message from refunder: REF. Your new balance:136.00 GHS. Financial Transaction Id: 51000000001. External Transaction Id: -. TRANSACTION FEE IS 0',
  ])('is stored for a person only if it contains a charge’s reference: %s', async (text) => {
    await shop.arrive({ sender: 'MobileMoney', text: text.replace('REF', 'rent') });
    expect(await shop.receipts()).toEqual([]);
    const reference = await shop.charge({ amount: 36 });
    await shop.arrive({ sender: 'MobileMoney', text: text.replace('REF', reference) });
    expect(await shop.receipts()).toMatchObject([{ state: 'unread', network: 'MTN', momo_number: shop.number }]);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test.each<[string, typed: (reference: string) => string]>([
    ['a reference and the word voucher', (typed) => `${typed} exam voucher`],
    ['a reference and an activation fee', (typed) => `Activation fee 20 ${typed}`],
    [
      'a reference behind many words',
      (typed) => `${'Being payment for goods bought at Makola Market '.repeat(5)}${typed}`,
    ],
    ['a reference without its prefix', (typed) => typed.slice(3)],
    ['a reference without its last digit', (typed) => typed.slice(0, -1)],
    ['a reference with an extra digit', (typed) => `${typed}1`],
    ['a reference with a letter for a digit', (typed) => `${typed.slice(0, -1)}O`],
    ['a reference in groups before a number', (typed) => `${typed.replace(/-(.{4})/, ' $1 ')} 2 yards`],
    ['an incomplete reference and the word voucher', (typed) => `${typed.slice(0, -1)} voucher`],
  ])('is stored for a person if a bank’s message contains %s', async (_, typed) => {
    const bank = (message: string) =>
      `You have received 36.00 GHS from Ecobank ova (233539333391) on your mobile money account at 2026-11-19 17:34:06. Message from sender: ${message}. Your new balance:136.00 GHS. Financial Transaction Id: 51000000001.`;
    await shop.arrive({ sender: 'MobileMoney', text: bank('school fees of Kofi, 0244123456') });
    expect(await shop.receipts()).toEqual([]);
    await shop.arrive({ sender: 'MobileMoney', text: bank(typed(reference)) });
    expect(await shop.receipts()).toMatchObject([{ state: 'unread' }]);
  });

  test('is stored once, whatever the format of its time', async () => {
    for (const receivedAt of ['2026-11-25T12:00:00Z', '2026-11-25T12:00:00.000Z', '2026-11-25T13:00:00+01:00'])
      await shop.arrive({ sender: 'MobileMoney', text: 'Ama Sample don send you GHS 77.00', receivedAt });
    expect(await shop.listed('unread')).toHaveLength(1);
  });

  test('is stored as not recognised if it is from AT', async () => {
    const at = await world.createShop({ network: 'AT' });
    const reference = await at.charge({ amount: 20, customer_name: 'Kofi Boateng' });
    const [fixture] = fixtures.filter(({ network }) => network === 'AT');
    const text = `${fixture?.text} Reference: ${reference}`;
    for (const _ of ['once', 'twice']) await at.arrive({ sender: 'ATMoney', text });
    const [unread, ...more] = await at.listed('unread');
    expect(more).toEqual([]);
    // Any number in an unread text may be a balance, which no key may see.
    const words = { text: text.replaceAll(/\d[\d,.]*/g, '…'), amount: null, reference: null };
    expect(unread).toMatchObject({ status: 'unread', reason: null, network: 'AT', ...words });
    expect(await at.verified(reference)).toMatchObject({ status: 'pending' });
    expectFailure(await assignTo(at, String(unread?.id), reference), 409, 'receipt_not_held');
  });

  test('is stored again if the same words arrive later', async () => {
    for (const offsetMs of [0, -MINUTE_MS]) {
      await shop.arrive({ sender: 'MobileMoney', text: 'A promotion!', receivedAt: world.iso(offsetMs) });
    }
    expect(await shop.listed('unread')).toHaveLength(2);
  });

  test('is listed once if a phone with a fast clock posts it twice', async () => {
    const receivedAt = world.iso(2 * MINUTE_MS);
    for (const _ of ['once', 'twice']) {
      await shop.arrive({ sender: 'MobileMoney', text: 'A promotion!', receivedAt });
      world.clock.nowMs += 10_000;
    }
    expect(await shop.listed('unread')).toHaveLength(1);
  });

  test('does not block the queue if it contains a very long number', async () => {
    await shop.arrive(mtn({ amount: '9'.repeat(30) }));
    expect(await shop.receipts()).toHaveLength(1);
  });

  test('has no pending event after it is settled', async () => {
    const job = await posted({ ...mtn(), eventId: 'settled-once' });
    const waiting = async () =>
      (await world.rows('PHONE_EVENT')).filter(({ gsi2sk }) => String(gsi2sk).endsWith('#settled-once'));
    expect(await waiting()).toHaveLength(1);
    await world.settle(job);
    expect(await waiting()).toEqual([]);
  });

  test('is retried if it cannot be stored', async () => {
    const job = { gateway: 'phone', device_id: 'device-1', event_id: 'not-there' };
    expect(await world.work('settle-receipt', [job])).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
  });
});

describe('the merchant of a payment', () => {
  test('is unknown on a shared number if no charge matches', async () => {
    const [ama, kofi] = await twoOnOneNumber();
    const receipt = mtn();
    const row = await ama.pay(receipt);
    expect(row).toMatchObject({ state: 'held', reason: 'no_charge' });
    expect(row).not.toHaveProperty('merchant_id');
    await ama.arrive({ sender: 'MobileMoney', text: 'A promotion!' });
    const reference = await kofi.charge({ amount: 36 });
    for (const one of [ama, kofi]) {
      expect({ held: await one.listed('held'), unread: await one.listed('unread') }).toEqual({ held: [], unread: [] });
      const open = await one.charge({ amount: 1 });
      expectFailure(await assignTo(one, ama.paymentId(receipt), open), 404, 'not_found');
    }
    expect(await world.claim(reference, receipt.id)).toEqual({ outcome: 'paid' });
    expect(await kofi.listed('matched')).toMatchObject([{ id: ama.paymentId(receipt), reference }]);
    expect(await ama.listed('matched')).toEqual([]);
  });

  test('is never a former merchant of a shared number', async () => {
    const { number } = shop;
    await shop.change(account(newNumber()));
    for (const _ of [1, 2]) await world.createShop({ number });
    const receipt = mtn();
    expect(await shop.pay(receipt)).not.toHaveProperty('merchant_id');
    expect(await world.claim(reference, receipt.id)).toEqual({ outcome: 'unknown' });
  });

  test('stays the same after the number is assigned to another merchant', async () => {
    const first = await paidCharge();
    const again = mtn({ reference });
    await shop.pay(again);
    const other = await takeNumber();
    await shop.arrive(reversal(first.id));
    await world.settle({ receipt_id: shop.paymentId(again) });
    const kept = { merchant_id: shop.id, reason: 'charge_reversed', suggested_reference: reference };
    expect(await shop.receipt(again)).toMatchObject(kept);
    expect(await other.listed('held')).toEqual([]);
  });

  test('is the merchant of the referenced charge if the number is shared', async () => {
    const [ama, kofi] = await twoOnOneNumber();
    const reference = await ama.charge({ amount: 36 });
    const [exact, second] = [mtn({ reference }), mtn({ reference })];
    expect(await ama.pay(exact)).toMatchObject({ state: 'matched', merchant_id: ama.id });
    expect(await ama.pay(second)).toMatchObject({ reason: 'already_paid', merchant_id: ama.id });
    expect(await ama.listed('held')).toMatchObject([{ id: ama.paymentId(second) }]);
    expect(await ama.listed('matched')).toMatchObject([{ id: ama.paymentId(exact) }]);
    for (const status of ['held', 'matched', 'unread']) expect(await kofi.listed(status)).toEqual([]);
    const open = await kofi.charge({ amount: 36 });
    expectFailure(await assignTo(kofi, ama.paymentId(second), open), 404, 'not_found');
  });

  test('is found by name among the merchants of a shared number', async () => {
    const [ama, kofi] = await twoOnOneNumber();
    for (const one of [ama, kofi]) await one.charge({ amount: 36, ...KOFI });
    expect(await ama.pay(mtn())).toMatchObject({ state: 'held', reason: 'several_fit' });
    const reference = await kofi.charge({ amount: 37, ...KOFI });
    expect(await ama.pay(mtn({ amount: '37' }))).toMatchObject({ reference, merchant_id: kofi.id });
  });

  test('is nobody if the number has no merchant', async () => {
    const number = newNumber();
    await placeNumber(world.outside, number);
    const row = await pay(world, { number }, mtn());
    expect(row).toMatchObject({ state: 'held', reason: 'no_charge' });
    expect(row).not.toHaveProperty('merchant_id');
  });

  test('is known even if no phone has the number', async () => {
    const unplaced = newNumber();
    const { merchant_id } = await addMerchant(world.outside, { name: 'Nowhere', ...account(unplaced) });
    const liveKey = await addApiKey(world.outside, merchant_id, 'live');
    const reference = await charge(world, { liveKey }, { amount: 36, ...KOFI });
    for (const typed of [reference, '1']) {
      const receipt = mtn({ reference: typed });
      await world.settle(await post(world, { ...receipt, recipient: unplaced }));
      const row = await world.receiptRow(paymentId({ number: unplaced }, receipt));
      expect(row).toMatchObject({ state: 'held', reason: 'number_not_placed', merchant_id });
      expect(row?.suggested_reference).toBe(typed === reference ? reference : undefined);
      expect(heldWords(receipts.parse(row ?? {})).steps.join(' ')).toContain(
        'Ask support to assign the number to its phone',
      );
    }
    expect(await chainRows.find(world.outside, { network: 'MTN', momo_number: unplaced })).toBeUndefined();
    expect(await verified(world, { liveKey }, reference)).toMatchObject({ status: 'pending' });
    // The customer's page says that a message is being checked.
    expect(await world.chargeRow(reference)).toMatchObject({ checking_until: world.iso() });
    // A placed number receives payments but sends no texts.
    await placeNumber(world.outside, unplaced);
    expect(await pay(world, { number: unplaced }, mtn({ reference }))).toMatchObject({ state: 'matched' });
    const placed = (await listSenders(world.outside)).find(({ number }) => number === unplaced);
    expect(placed).toMatchObject({ enabled: false });
    expect((await sendersOf(world.outside, { merchant_id })).map(({ number }) => number)).not.toContain(unplaced);
  });
});

describe('GET /transaction/verify', () => {
  test('returns a charge in each state with unchanged metadata', async () => {
    const metadata = '{"order":12345678901234567890,"price":1.10,"name":"Abɛna","list":[1E2,null]}';
    const said = `{"amount":36,"email":"kofi@example.com","customer_name":"Kofi","description":"Kente","callback_url":"https://shop.example.com/","metadata":${metadata}}`;
    const { json } = await shop.call('transaction/initialize', { body: said });
    const reference = String(json.data.reference);
    const receipt = mtn({ reference });
    const show = async () => {
      const { json, text } = await shop.call('transaction/verify', { parameters: { reference } });
      expect(text).toContain(`"metadata":${metadata},`);
      return json.data;
    };
    const pending = await show();
    world.clock.nowMs += MINUTE_MS;
    await shop.pay(receipt);
    const success = await show();
    world.clock.nowMs += 2 * DAY_MS;
    const later = await show();
    await shop.arrive(reversal(receipt.id));
    const reversed = await show();
    expect(pending).toMatchObject({ status: 'pending', paid_at: null, reversed_at: null, payment: null });
    const proof = { state: 'unproven', why: 'not_anchored' };
    const payment = {
      network: 'MTN',
      transaction_id: receipt.id,
      amount: 36,
      payer_name: 'KOFI MENSAH BOATENG',
      payer_phone: null,
      received_at: world.iso(-2 * DAY_MS),
      matched_by: 'reference',
      reversible_until: world.iso(13 * DAY_MS),
      proof,
      marked: null,
      receipt_id: shop.paymentId(receipt),
    };
    const paid = { status: 'success', paid_at: world.iso(-2 * DAY_MS), amount_paid: 36, proof, payment };
    expect(success).toEqual({ ...pending, ...paid });
    // A paid charge does not expire.
    expect(later).toEqual(success);
    expect(reversed).toEqual({ ...success, status: 'reversed', reversed_at: world.iso(), amount_paid: 0 });
  });

  test('returns an unpaid charge as expired after its lifetime', async () => {
    const [receipt, late] = [mtn({ amount: '1.00' }), mtn({ amount: '2.00' })];
    for (const one of [receipt, late]) await shop.pay(one);
    world.clock.nowMs += 1;
    const [one, other] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
    world.clock.nowMs += 2 * DAY_MS;
    expect(await shop.verified(one)).toMatchObject({ status: 'expired', payment: null });
    expect(await assignTo(shop, shop.paymentId(receipt), one)).toMatchObject({ status: 200 });
    world.clock.nowMs += 1;
    expectFailure(await assignTo(shop, shop.paymentId(late), other), 409, 'charge_not_pending');
  });
});

test('every payment with a charge’s reference pays exactly that charge', async () => {
  const amount = fc.integer({ min: 1, max: 10_000_000 });
  // Names of such syllables contain no status word: `PAID` or `NO FUNDS` after "from" leaves the text unread.
  const from = fc.stringMatching(/^([BDFGKMS][AU]){1,4}( ([BDFGKMS][AU]){1,4}){0,3}$/);
  await fc.assert(
    fc.asyncProperty(amount, from, fc.constantFrom(mtn, telecel), fc.nat(2), async (pesewas, name, receiptOf, n) => {
      const { network } = receiptOf();
      const somebody = await world.createShop({ network });
      const said = { amount: pesewas / 100, customer_name: name };
      const references = await Promise.all([0, 1, 2].map(() => somebody.charge(said)));
      const meant = references[n] ?? '';
      const written = (pesewas / 100).toLocaleString('en', { minimumFractionDigits: 2 });
      const receipt: ReceiptText = receiptOf({ amount: written, from: name, reference: meant });
      expect(await somebody.pay(receipt)).toMatchObject({ state: 'matched', reference: meant });
      const states = await Promise.all(references.map(async (one) => (await somebody.verified(one)).status));
      expect(states).toEqual(references.map((one) => (one === meant ? 'success' : 'pending')));
    }),
    { numRuns: 20 },
  );
});

/** Receives a text while these charges are open. Expects this receipt row, and that charge `pays` is paid. */
async function expectDecision(open: Said[], typed: (meant: string) => string, row: object, pays?: number) {
  const references: string[] = [];
  for (const said of open) references.push(await shop.charge({ amount: 36, ...said }));
  const reference = pays === undefined ? undefined : references[pays];
  const decided = reference ? { state: 'matched', reference } : { state: 'held' };
  const stored = await shop.pay(mtn({ reference: typed(references[0] ?? '') }));
  expect(stored).toMatchObject({ merchant_id: shop.id, ...decided, ...row });
  for (const one of references) {
    const unpaid = { status: 'pending', payment: null };
    expect(await shop.verified(one)).toMatchObject(one === reference ? { status: 'success' } : unpaid);
  }
}

/** Pays the charge by its reference. Returns the text. */
async function paidCharge(said: Parameters<typeof mtn>[0] = {}): Promise<ReceiptText> {
  const receipt = mtn({ reference, ...said });
  expect(await shop.pay(receipt)).toMatchObject({ state: 'matched', reference });
  return receipt;
}

function posted(arrival: Parameters<typeof post>[1]): Promise<object> {
  return post(world, { recipient: shop.number, ...arrival });
}

function account(number: string) {
  return { momo_accounts: [{ number, network: 'MTN' as const, account_name: 'AMA STORES' }] };
}

/** Moves the shop to a new number and gives the old number to another merchant. */
async function takeNumber(): Promise<Shop> {
  const other = await world.createShop();
  await shop.change(account(newNumber()));
  await other.change(account(shop.number));
  return other;
}

async function twoOnOneNumber(): Promise<[Shop, Shop]> {
  const number = newNumber();
  return [await world.createShop({ number }), await world.createShop({ number })];
}

function assignTo(by: Shop, id: string, reference: string) {
  return by.call('receipt/assign', { parameters: { id }, body: { reference } });
}

/** Records all later reads of several charges. */
function chargesRead(): string[] {
  const read: string[] = [];
  world.dynamoDb = async ({ command, input }, send) => {
    const asked = JSON.stringify(input);
    if (command === 'BatchGetItem' && asked.includes('TRANSACTION#')) read.push(asked);
    await send();
  };
  return read;
}

describe('unread texts from a phone that does not report the time', () => {
  const text = (id: string) => `Ama Sample don send you GHS 77.00 now. Tx ${id}`;
  const arrive = (id: string, eventId: string) =>
    shop.arrive({ sender: 'MobileMoney', text: text(id), receivedAt: null, eventId });

  test('are all kept if they differ only in masked digits', async () => {
    await arrive('87425747422', 'first');
    await arrive('87425748111', 'second');
    expect(await shop.listed('unread')).toHaveLength(2);
  });

  test('are kept once if the phone repeats its post', async () => {
    for (let copies = 0; copies < 2; copies++) await arrive('87425747422', 'repeated');
    expect(await shop.listed('unread')).toHaveLength(1);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { receiptNumberOf, receiptText } from '../../../shared/money/receipt/text-customer-receipt.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';
import { work } from '../../support/pushed.ts';
import { fromTelecel, mtn, telecel } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

const PAYER = '+233209876543';
const CUSTOMER = '+233241111111';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop({ network: 'TELECEL', number: '+233201234567' });
  await world.createSender('+233241234500');
  await shop.topUp(5);
  await shop.change({ text_receipts: true, contact: '+233241234567' });
});

const texts = () => world.rows('SEND');

describe('the customer receipt', () => {
  test('is sent by SMS to the payer’s number', async () => {
    const reference = await paid();
    await verifyMoney(world);
    await world.tell();

    const [text, ...others] = await texts();
    expect(others).toEqual([]);
    expect(text).toMatchObject({ merchant_id: shop.id, to: [PAYER], reference });
    expect(text?.message).toMatch(
      new RegExp(
        `^Ama Stores: GHS 36\\.00 received on \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d\\. Telecel ID \\d{16}\\. Reference ${reference}\\. Questions: 024 123 4567$`,
      ),
    );
    expect(await shop.balance()).toBe(4);
    expect((await world.chargeRow(reference)).receipt_send_id).toBe(text?.send_id);
  });

  test('describes an unverified payment as reported', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.pay(telecel({ reference, amount: '40.00' }));
    await world.tell();
    const [text] = await texts();
    expect(text?.message).toMatch(/^Ama Stores: GHS 36\.00 reported on [\w :,]+, not verified yet\. /);
    expect(sizeOf(String(text?.message)).segments).toBe(1);
  });

  test('is sent only if the merchant has it turned on', async () => {
    await shop.change({ text_receipts: false });
    await paid();
    expect(await world.queuedNotices()).toEqual([]);

    await shop.change({ text_receipts: true });
    world.clock.nowMs += 60_000;
    await paid();
    const jobs = await world.queuedNotices();
    expect(jobs.length).toBe(1);
    await shop.change({ text_receipts: false });
    expect(await work(world, jobs)).toBe(0);
    expect(await texts()).toEqual([]);
  });

  test('is sent once despite repeated jobs', async () => {
    await paid();
    const jobs = await world.queuedNotices();
    await work(world, [jobs, jobs, jobs].flat());
    await work(world, jobs, 2);
    expect((await texts()).length).toBe(1);
    expect(await shop.balance()).toBe(4);
  });

  test('is not sent without credits', async () => {
    await shop.topUp(-5);
    await paid();
    expect(await work(world, await world.queuedNotices())).toBe(0);
    expect(await texts()).toEqual([]);
    expect(world.logged).toMatchObject([{ event: 'receipt_not_texted', fields: { code: 'insufficient_credits' } }]);
    expect(await shop.balance()).toBe(0);
  });

  test('is not sent if its merchant is suspended or its payment is disputed', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = telecel({ reference });
    await shop.pay(receipt);
    const jobs = await world.queuedNotices();
    expect(jobs).toHaveLength(1);
    await shop.suspend();
    await work(world, jobs);
    await shop.suspend(false);
    await shop.arrive(telecel({ reference, id: receipt.id, amount: '37.00' }));
    await work(world, jobs);
    expect(await texts()).toEqual([]);
  });

  test('is masked in API responses to an `sms` key', async () => {
    const reference = await paid();
    await world.tell();
    const key = await shop.addKey('sms');
    const { text, json } = await world.call('sms/list', { key });
    expect(json.data.sends).toMatchObject([{ to: [PAYER], message: '********', segments: 1 }]);
    const [{ id }] = json.data.sends;
    const one = await world.call('sms/show', { key, parameters: { id } });
    expect(one.json.data.message).toBe('********');
    for (const told of [text, one.text]) expect(told).not.toContain(reference);
  });

  test('is cancelled and refunded if the payment is reversed first', async () => {
    const reference = await shop.charge({ amount: 36, customer_phone: CUSTOMER });
    const receipt = telecel({ reference });
    await shop.pay(receipt);
    await world.tell();
    const [text] = await texts();
    const job = { send_id: text?.send_id, index: 0 };
    const taken = `0000019399999999 Confirmed. Reversal of transaction ${receipt.id} of GHS36.00 was successful.`;
    await shop.arrive({ sender: 'T-CASH', text: taken });
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'reversed' });
    await world.work('deliver-sms', [job]);
    expect({ fetched: world.fetched, balance: await shop.balance() }).toEqual({ fetched: [], balance: 5 });
  });

  test('is free for a test charge', async () => {
    const liveKey = await shop.addKey('live', { mode: 'test' });
    const body = { amount: 5, customer_phone: CUSTOMER };
    const { json } = await world.call('transaction/initialize', { key: liveKey, body });
    const { reference } = json.data;
    await world.call('test/simulate', { key: liveKey, parameters: { reference }, body: { outcome: 'paid' } });
    await world.tell();
    expect(await texts()).toMatchObject([{ merchant_id: `${shop.id}_test`, to: [CUSTOMER] }]);
    expect(await shop.balance()).toBe(5);
    expect(world.fetched).toEqual([]);
  });
});

describe('the recipient of a customer receipt', () => {
  test('is the charge’s customer if the payer’s number is unknown', async () => {
    const mtnShop = await world.createShop();
    await mtnShop.topUp(5);
    await mtnShop.change({ text_receipts: true });
    const reference = await mtnShop.charge({ amount: 36, customer_phone: CUSTOMER });
    await mtnShop.pay(mtn({ reference }));
    const nobody = await mtnShop.charge({ amount: 36 });
    await mtnShop.pay(mtn({ reference: nobody }));
    // An MTN payer may have typed this number.
    const typed = await mtnShop.charge({ amount: 36 });
    await mtnShop.pay(fromTelecel({ reference: typed }));
    await world.tell();
    expect((await texts()).map(({ to, reference: about }) => ({ to, about }))).toEqual([
      { to: [CUSTOMER], about: reference },
    ]);
  });

  test('is never a payer whose payment was matched by name or assigned manually', async () => {
    const byName = await shop.charge({ amount: 36, customer_name: 'Kofi Boateng' });
    await shop.pay(telecel({ reference: '1' }));
    const byHand = await shop.charge({ amount: 20, customer_phone: CUSTOMER });
    const held = await shop.pay(telecel({ reference: '1', amount: '20.00' }));
    const given = { parameters: { id: String(held?.receipt_id) }, body: { reference: byHand } };
    expect((await shop.call('receipt/assign', { ...given })).status).toBe(200);
    await world.tell();
    expect((await world.chargeRow(byName)).state).toBe('success');
    expect((await texts()).map(({ to, reference }) => ({ to, reference }))).toEqual([
      { to: [CUSTOMER], reference: byHand },
    ]);
  });

  test('is nobody for a payment below one cedi', async () => {
    const mtnShop = await world.createShop();
    await mtnShop.topUp(5);
    await mtnShop.change({ text_receipts: true });
    const [less, enough] = [0.99, 1].map((amount) => mtnShop.charge({ amount, customer_phone: CUSTOMER }));
    await mtnShop.pay(mtn({ amount: '0.99', reference: (await less) ?? '' }));
    await mtnShop.pay(mtn({ amount: '1.00', reference: (await enough) ?? '' }));
    const [little, payers] = [await shop.charge({ amount: 0.99 }), await shop.charge({ amount: 1 })];
    await shop.pay(telecel({ amount: '0.99', reference: little }));
    await shop.pay(telecel({ amount: '1.00', reference: payers }));
    await world.tell();
    const told = (await texts()).map(({ to, reference }) => `${to} ${reference}`);
    expect(told.toSorted()).toEqual([`${PAYER} ${payers}`, `${CUSTOMER} ${await enough}`]);
  });

  test('is the charge’s customer if several people paid', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.pay(telecel({ reference, amount: '6.00', phone: '233201111111' }));
    await shop.pay(telecel({ reference, amount: '30.00' }));
    const together = await world.chargeRow(reference);
    expect(together.state).toBe('success');
    expect(receiptNumberOf(together)).toBeUndefined();
    expect(receiptNumberOf({ ...together, customer_phone: CUSTOMER })).toBe(CUSTOMER);
    expect(receiptNumberOf({ ...together, customer_phone: '+233302123456' })).toBeUndefined();
    expect(receiptText(together)).toContain('GHS 36.00 reported on');
    expect(receiptText(together)).toContain('2 payments.');
  });
});

test('a customer receipt fits into one SMS and contains no names', async () => {
  const description = 'For Ɛsi Canary';
  const reference = await shop.charge({ amount: 100_000, customer_name: 'Esi Canary', description });
  await shop.pay(telecel({ amount: '100,000.00', reference, from: 'ESI CANARY' }));
  const row = await world.chargeRow(reference);
  const text = receiptText({ ...row, merchant_name: 'Ɛkua’s Enterprise & Sons Limited 🎉'.repeat(5) });
  expect(sizeOf(text)).toEqual({ segments: 1, encoding: 'GSM-7' });
  expect(text).toContain('Reference MK-');
  expect(text).not.toMatch(/canary|http|checkout/i);
});

async function paid(): Promise<string> {
  const reference = await shop.charge({ amount: 36 });
  await shop.pay(telecel({ reference }));
  return reference;
}

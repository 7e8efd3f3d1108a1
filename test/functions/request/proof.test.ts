import { beforeEach, describe, expect, test } from 'vitest';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { requestRows } from '../../../shared/money/request/request.table.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { mtn } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

// Verification of a payment request on its page, in lists and in the API.

const FEES = { title: 'School fees', lines: [{ description: 'Tuition', amount: 850 }] };
const PROVEN = { state: 'proven', why: null };
const UNPROVEN = { state: 'unproven', why: 'not_anchored' };

let world: Scene;
let shop: Shop;
let slug: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  slug = await shop.request(FEES);
});

describe('the verification state of a payment request', () => {
  test('is null until money arrives', async () => {
    await world.openPart(slug, '850');
    expect(await answers()).toEqual([null, null]);
  });

  test('is unproven after a forged text', async () => {
    await shop.setWebhook();
    await forge('850');
    await world.followChanges();
    expect(await answers()).toEqual([UNPROVEN, UNPROVEN]);
    const [event] = (await world.rows('EVENT')).filter(({ type }) => type === 'request.paid');
    const data = { status: 'paid', proof: UNPROVEN, payments: [{ proof: UNPROVEN }] };
    expect(JSON.parse(String(event?.body))).toMatchObject({ data });
  });

  test('ignores charges without money', async () => {
    await world.openPart(slug, '20');
    await forge('400');
    expect(await answers()).toEqual([UNPROVEN, UNPROVEN]);
  });

  test('matches the weakest payment', async () => {
    await change(await forge('400'), { proof: { state: 'proven' } });
    const weak = await forge('450');
    await world.tell(3);
    expect(await answers()).toEqual([UNPROVEN, UNPROVEN]);
    const { payments } = await shop.shownRequest(slug);
    expect(payments).toMatchObject([{ proof: PROVEN }, { reference: weak, proof: UNPROVEN }]);
  });

  test('is updated when the payment is verified', async () => {
    await change(await forge('850'), { proof: { state: 'proven' } });
    expect(await answers()).toEqual([PROVEN, PROVEN]);
    expect(await recorded()).toEqual({ backing: 'verified' });
  });

  test('is updated when somebody releases the goods', async () => {
    await setCharge(await forge('850'), { released_by: 'user' });
    expect(await answers()).toEqual([PROVEN, PROVEN]);
  });

  test('is updated when the payment is disputed', async () => {
    const reference = await forge('850');
    await change(reference, { proof: { state: 'proven' } });
    await setCharge(reference, { disputed: { at: world.iso(), why: 'conflict' } });
    const doubt = { state: 'unproven', why: null };
    expect(await answers()).toEqual([doubt, doubt]);
    expect(await recorded()).toEqual({ backing: 'contradicted', proof: { state: 'unproven' } });
  });

  test('is unproven for money whose backing is not recorded', async () => {
    const reference = await forge('850');
    const charges = [{ reference, paid_pesewas: 850_00, paid_at: world.iso() }];
    await world.outside.table.write([changeItem(requestRows.key({ slug }), { charges })]);
    expect(await answers()).toEqual([UNPROVEN, { state: 'unproven', why: null }]);
  });

  test('is null in test mode', async () => {
    const merchant = await world.createMerchant();
    const { json } = await merchant.call('request/create', { key: merchant.testKey, body: FEES });
    const reference = await world.openPart(json.data.slug, '850');
    const paid = { parameters: { reference }, body: { outcome: 'paid' }, key: merchant.testKey };
    expect((await merchant.call('test/simulate', paid)).status).toBe(200);
    const shown = await merchant.call('request/show', { parameters: { slug: json.data.slug }, key: merchant.testKey });
    expect(shown.json.data).toMatchObject({ status: 'paid', proof: null, payments: [{ proof: null }] });
  });
});

/** Pays a part from a new wallet, so the payment is unverified. */
async function forge(amount: string): Promise<string> {
  const reference = await world.openPart(slug, amount);
  await shop.pay(mtn({ reference, amount: `${amount}.00` }));
  await world.tell(3);
  return reference;
}

async function change(reference: string, fields: object): Promise<void> {
  const { payment } = await world.chargeRow(reference);
  await setCharge(reference, { payment: { ...payment, ...fields } });
}

async function setCharge(reference: string, fields: Record<string, unknown>): Promise<void> {
  await world.outside.table.write([changeItem(chargeRows.key({ reference }), fields)]);
  await world.tell(3);
}

/** Returns the proof from `show`, which reads the charges, and from `list`, which does not. */
async function answers() {
  const [listed] = (await shop.call('request/list')).json.data.requests;
  return [(await shop.shownRequest(slug)).proof, listed.proof];
}

async function recorded() {
  const [charge] = (await requestRows.find(world.outside, { slug }))?.charges ?? [];
  const { backing, proof } = charge ?? {};
  return { ...(backing && { backing }), ...(proof && { proof }) };
}

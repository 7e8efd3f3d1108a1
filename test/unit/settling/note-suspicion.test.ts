import { beforeEach, describe, expect, test } from 'vitest';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectAnswer } from '../../support/answers.ts';
import { setOffer } from '../../support/bundles.ts';
import { claim, mtn } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

let world: Scene;
let shop: Shop;
let reference: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  reference = await shop.charge({ amount: 36 });
});

type Text = ReturnType<typeof mtn>;

async function arrive(text: Text): Promise<Text> {
  await shop.pay(text);
  await verifyMoney(world);
  return text;
}

const suspect = (transaction_id: string) => {
  const payment = { network: 'MTN', momo_number: shop.number, transaction_id };
  return world.work('settle-receipt', [{ kind: 'suspected', ...payment }]);
};
const row = async (text: Pick<Text, 'id' | 'network'>) => Object(await shop.receipt(text));

describe('a suspected reversal', () => {
  test('is noted on the part that it concerns, and on no other', async () => {
    const [first, second] = [
      await arrive(mtn({ reference, amount: '10.00' })),
      await arrive(mtn({ reference, amount: '12.00' })),
    ];
    await suspect(first.id);
    const at = world.iso();
    expect((await row(first)).reversal_suspected_at).toBe(at);
    expect(await row(second)).not.toHaveProperty('reversal_suspected_at');
    const noted = Object(await world.chargeRow(reference)).parts.map(
      (part: object) => Object(part).reversal_suspected_at,
    );
    expect(noted).toEqual([at, undefined]);
  });

  test('keeps its first time if it is reported again', async () => {
    const paid = await arrive(mtn({ reference }));
    await suspect(paid.id);
    const at = world.iso();
    world.clock.nowMs += MINUTE_MS;
    await suspect(paid.id);
    expect((await row(paid)).reversal_suspected_at).toBe(at);
    expect(Object(await world.chargeRow(reference)).payment).toMatchObject({ reversal_suspected_at: at });
  });

  test('puts a held payment in doubt, once', async () => {
    const held = await arrive(mtn({ reference: 'thanks' }));
    await suspect(held.id);
    const at = world.iso();
    world.clock.nowMs += MINUTE_MS;
    await suspect(held.id);
    expect(await row(held)).toMatchObject({ state: 'held', reason: 'conflict', reversal_doubt_at: at });
    expect(await row(held)).not.toHaveProperty('reversal_suspected_at');
  });

  test('puts a payment that a person has set aside in doubt, without bringing it back', async () => {
    const held = await arrive(mtn({ reference: 'thanks' }));
    const manager = await shop.signIn('manager');
    await manager.visit(`/dashboard/held/${shop.paymentId(held)}/set-aside`, { form: { why: 'a friend' } });
    const { set_aside } = await row(held);
    expect(set_aside).toBeDefined();
    await suspect(held.id);
    const doubt = { reason: 'conflict', reversal_doubt_at: world.iso() };
    expect(await row(held)).toMatchObject({ state: 'held', set_aside, ...doubt });
    await manager.visit(`/dashboard/held/${shop.paymentId(held)}/take-back`, { form: {} });
    expect(await row(held)).toMatchObject({ state: 'held', ...doubt });
    expect(await row(held)).not.toHaveProperty('set_aside');
  });

  test('keeps the bill in doubt to which an API key assigns the payment', async () => {
    const held = await arrive(mtn({ reference: 'thanks' }));
    await suspect(held.id);
    expect((await shop.assign(held, reference)).status).toBe(200);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
  });

  test('of a bill marked as paid ends once a person finds the money', async () => {
    const manager = await shop.signIn('manager');
    const form = { how: 'transfer', amount: '36', payer: 'Ama Sample', transaction_id: '51000770077' };
    await manager.visit(`/dashboard/charges/${reference}/mark`, { form });
    await suspect(form.transaction_id);
    const page = async () => (await manager.visit(`/dashboard/charges/${reference}`)).text;
    const [, payments = ''] = /name="payments" value="([^"]*)"/.exec(await page()) ?? [];
    const there = { shown: 'contradicted', payments };
    expect((await manager.visit(`/dashboard/charges/${reference}/there`, { form: there })).status).toBe(303);
    expect(await page()).not.toContain('In doubt');
  });

  describe('is shown to the shop, but not to the customer,', () => {
    const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '');
    const publicPage = async () => {
      const { access_code } = await world.chargeRow(reference);
      const parameters = { access_code };
      const pages = await Promise.all([
        world.call('checkout/page', { parameters }),
        world.call('checkout/receipt', { parameters }),
        world.call('checkout/status', { parameters }),
      ]);
      return pages.map(({ text }) => withoutNonce(text)).join('');
    };

    test('if the payment has paid its bill', async () => {
      const paid = await arrive(mtn({ reference }));
      const before = await publicPage();
      await suspect(paid.id);
      expect(await publicPage()).toBe(before);
      expect(await shop.verified(reference)).toMatchObject({ proof: { state: 'unproven' } });
      const owner = await shop.signIn('owner');
      expect((await owner.visit(`/dashboard/charges/${reference}`)).text).toContain('In doubt');
    });

    test('if it is a second payment', async () => {
      await arrive(mtn({ reference }));
      const second = await arrive(mtn({ reference, amount: '12.00' }));
      const before = await publicPage();
      expect(before).toContain('GHS 12.00');
      await suspect(second.id);
      expect(await publicPage()).toBe(before);
      const { second_payments } = await shop.verified(reference);
      expect(second_payments).toMatchObject([{ amount: 12, proof: { state: 'unproven' } }]);
    });

    test('if it is a part, before and after its bill expires', async () => {
      const other = await shop.charge({ amount: 36 });
      const parts = [
        await arrive(mtn({ reference, amount: '12.00' })),
        await arrive(mtn({ reference: other, amount: '12.00' })),
      ];
      await suspect(parts[0]?.id ?? '');
      const codes = await Promise.all([reference, other].map(async (one) => (await world.chargeRow(one)).access_code));
      const status = () =>
        Promise.all(
          codes.map(async (access_code) => {
            const { json } = await world.call('checkout/status', { parameters: { access_code } });
            return { ...json.data, expires_at: undefined };
          }),
        );
      const [suspected, plain] = await status();
      expect(suspected).toEqual(plain);
      world.clock.nowMs += 25 * 60 * 60_000;
      await world.housekeeping();
      const [ended, other_ended] = await status();
      expect(ended).toEqual(other_ended);
      expect(ended).toMatchObject({ status: 'expired', amount_paid: 12 });
      expect(await row(parts[0] ?? { id: '', network: 'MTN' })).toMatchObject({ reason: 'conflict' });
    });

    test('if it is claimed by its id, but its goods wait', async () => {
      const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 36, codes: ['CODE-1'] } });
      const { reference: sold } = await world.openLink(json.data.slug);
      const held = await arrive(mtn({ reference: 'thanks' }));
      await suspect(held.id);
      expect(await row(held)).toMatchObject({ reason: 'conflict', unsuspected_reason: expect.any(String) });
      expect(await claim(world, sold, held.id)).toEqual({ outcome: 'paid' });
      await world.tell(3);
      const proof = { state: 'unproven', why: 'reversal_suspected' };
      expect(await shop.verified(sold)).toMatchObject({ status: 'success', proof, disputed: null });
      expect(await world.chargeRow(sold)).toMatchObject({ goods: { state: 'to_release' } });
      expect(await row(held)).toMatchObject({ state: 'matched', reversal_suspected_at: expect.any(String) });
      expect(await row(held)).not.toHaveProperty('reversal_doubt_at');
      expect((await (await shop.signIn('owner')).visit(`/dashboard/charges/${sold}`)).text).toContain('In doubt');
    });

    test('if it is claimed by its id, but not once another text contradicts it', async () => {
      const held = await arrive(mtn({ reference: 'thanks' }));
      await suspect(held.id);
      await shop.pay(mtn({ reference: 'goods', amount: '40.00', from: 'EVE ANKRAH', id: held.id }));
      expect(await claim(world, reference, held.id)).not.toEqual({ outcome: 'paid' });
      expect(await row(held)).toMatchObject({ state: 'held', reason: 'conflict', unsuspected_reason: 'conflict' });
    });

    test('if it has paid a payment request', async () => {
      const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 36 }] });
      reference = await world.openPart(slug, '36');
      const paid = await arrive(mtn({ reference }));
      await world.tell(3);
      const page = async () => {
        const shown = await world.call('r/page', { parameters: { slug } });
        const opened = await world.call('r/open', { parameters: { slug }, body: { amount: '36' } });
        return withoutNonce(shown.text) + opened.json.message;
      };
      const before = await page();
      await suspect(paid.id);
      await world.tell(3);
      expect(await page()).toBe(before);
      const { json } = await shop.call('request/show', { parameters: { slug } });
      expect(json.data).toMatchObject({ proof: { state: 'unproven' } });
      const owner = await shop.signIn('owner');
      expect((await owner.visit('/dashboard/requests')).text).toContain('In doubt');
    });
  });

  test.each(['before', 'after'])(
    'of a bill marked as paid offers no payment if it is noted %s the mark is undone',
    async (when) => {
      const manager = await shop.signIn('manager');
      const form = { how: 'transfer', amount: '36', payer: 'Ama Sample', transaction_id: '51000770077' };
      await manager.visit(`/dashboard/charges/${reference}/mark`, { form });
      if (when === 'before') await suspect(form.transaction_id);
      expect((await manager.visit(`/dashboard/charges/${reference}/unmark`, { form: {} })).status).toBe(303);
      if (when === 'after') await suspect(form.transaction_id);
      const undone = await row({ id: form.transaction_id, network: 'MTN' });
      expect(undone).toMatchObject({ state: 'held', reversal_doubt_at: expect.any(String) });
      expect(undone).not.toHaveProperty('reason');
    },
  );

  test('lets no more goods out', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 36, codes: ['CODE-1'] } });
    const [first, second] = [await world.openLink(json.data.slug), await world.openLink(json.data.slug)];
    await arrive(mtn({ reference: first.reference }));
    const waiting = await arrive(mtn({ reference: second.reference }));
    await world.tell(3);
    await suspect(waiting.id);
    await shop.call('link/add-codes', { parameters: { slug: json.data.slug }, body: { codes: ['CODE-2'] } });
    await world.tell(5);
    const goods = async (of: string) => Object(await world.chargeRow(of)).goods.state;
    expect([await goods(first.reference), await goods(second.reference)]).toEqual(['given', 'to_release']);
    const manager = await shop.signIn('manager');
    const { text } = await manager.visit(`/dashboard/links/${json.data.slug}/code/${second.reference}`);
    expect(text).toContain('The payment is in doubt');
    expect(text).not.toContain('Release the code');
  });

  test('of a part does not hold back the code of an expired bill that a whole payment pays', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 36, codes: ['CODE-1'] } });
    const { reference: sold } = await world.openLink(json.data.slug);
    const part = await arrive(mtn({ reference: sold, amount: '16.00' }));
    await suspect(part.id);
    world.clock.nowMs += 60 * MINUTE_MS;
    await world.housekeeping();
    const late = await arrive(mtn({ reference: sold }));
    await world.tell(3);
    const manager = await shop.signIn('manager');
    const page = `/dashboard/held/${shop.paymentId(late)}/give`;
    const { text } = await manager.visit(`${page}?reference=${sold}`);
    expect(text).toContain('A code of “Router” will be sent at once.');
  });

  test('stops further purchases of credits', async () => {
    const buyer = await world.createMerchant();
    await setOffer(world, shop.id, 500, 30);
    const buy = () => buyer.call('sms/buy-credits', { body: { credits: 500, price: 30 } });
    const { json } = await buy();
    const paid = await arrive(mtn({ reference: json.data.reference, amount: '30.00' }));
    await world.tell(3);
    await suspect(paid.id);
    await world.tell(3);
    expectAnswer(await buy(), 403, 'was reversed or is in doubt');
  });

  test('asks nobody to pay again while another payment for the charge waits', async () => {
    const [first, second] = [await arrive(mtn({ reference })), await arrive(mtn({ reference }))];
    for (const { id } of [first, second]) await suspect(id);
    const manager = await shop.signIn('manager');
    const form = { receipt: shop.paymentId(first), shown: 'contradicted' };
    expect((await manager.visit(`/dashboard/charges/${reference}/not-there`, { form })).status).toBe(303);
    const { access_code } = await world.chargeRow(reference);
    const { text } = await world.call('checkout/page', { parameters: { access_code } });
    expect(text).toContain('A payment message about this bill arrived; Ama Stores is checking it.');
  });

  test('changes no reversed payment', async () => {
    const paid = await arrive(mtn({ reference }));
    await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${paid.id} of GHS 36.00 has been reversed.` });
    const before = await row(paid);
    expect(before).toMatchObject({ reason: 'reversed' });
    await suspect(paid.id);
    expect(await row(paid)).toEqual(before);
  });

  test('changes nothing if the charge was deleted before the payment', async () => {
    const paid = await arrive(mtn({ reference }));
    const before = await row(paid);
    await world.outside.table.remove(chargeRows.key({ reference }));
    expect(await suspect(paid.id)).toEqual({ batchItemFailures: [] });
    expect(await row(paid)).toEqual(before);
  });

  test('changes nothing if the payment is unknown', async () => {
    const before = await world.rows('RECEIPT');
    expect(await suspect('99999999999')).toEqual({ batchItemFailures: [] });
    expect(await world.rows('RECEIPT')).toEqual(before);
  });
});

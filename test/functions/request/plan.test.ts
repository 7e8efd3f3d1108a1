import { expect, test } from 'vitest';
import { listExpiries } from '../../../shared/money/charge/expiry.table.ts';
import { remind } from '../../../shared/money/request/remind.ts';
import { findRequest } from '../../../shared/money/request/request.table.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { mtn, type ReceiptText, reversal } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import { isWhole } from '../../support/slice.ts';

/** Seven months have each kind of payment once. The long proofs play three years. */
const MONTHS = isWhole ? 36 : 7;
const RENT_PESEWAS = 50_033;
const LAST_DAY = new Date(Date.UTC(2027, MONTHS, 0));

/** Simulates months of rent with on-time, late, partial, double and reversed payments. */
test('a plan splits every month’s rent exactly', async () => {
  const world = await scene({ inMemory: true });
  world.clock.nowMs = Date.parse('2027-01-01T12:00:00Z');
  await world.createSender('+233201234567');
  const shop = await world.createShop();
  await shop.topUp(1_000);
  const slug = await shop.request({
    title: 'Rent, room 12',
    lines: [{ description: 'Rent', amount: RENT_PESEWAS / 100 }],
    customer_phone: '0241112222',
    due: '2027-01-31',
    repeat: { every: 'month', until: LAST_DAY.toISOString().slice(0, 10) },
    reminders: [-2, 0, 3],
  });
  let arrivedPesewas = 0;
  const openAndPay = async (askedPesewas: number, paidPesewas = askedPesewas): Promise<ReceiptText> => {
    const reference = await world.openPart(slug, (askedPesewas / 100).toFixed(2));
    const text = mtn({ reference, amount: (paidPesewas / 100).toFixed(2) });
    await shop.pay(text);
    arrivedPesewas += paidPesewas;
    await world.tell(2);
    return text;
  };
  const takeBack = async ({ id }: ReceiptText, pesewas: number) => {
    await shop.arrive(reversal(id, (pesewas / 100).toFixed(2)));
    arrivedPesewas -= pesewas;
    await world.tell(2);
  };

  const { instalments = [] } = (await findRequest(world.outside, slug)) ?? {};
  expect(instalments).toHaveLength(MONTHS);
  const dueBy = (day: string) => instalments.filter(({ due = '' }) => due <= day).length * RENT_PESEWAS;
  const reminded: string[] = [];
  let late: (() => Promise<unknown>) | undefined;
  for (let day = world.clock.nowMs; day < LAST_DAY.getTime() + 20 * DAY_MS; day += DAY_MS) {
    const today = new Date(day).toISOString().slice(0, 10);
    // Housekeeping runs twice each morning.
    for (const hours of [8, 11.5]) {
      world.clock.nowMs = Date.parse(today) + hours * 60 * 60 * 1000;
      const { send_id: before } = (await findRequest(world.outside, slug))?.last_reminder ?? {};
      await Promise.allSettled([remind(world.outside, slug), remind(world.outside, slug)]);
      const { send_id, until = '' } = (await findRequest(world.outside, slug))?.last_reminder ?? {};
      if (!send_id || send_id === before) continue;
      expect(arrivedPesewas, `reminded on ${today}`).toBeLessThan(dueBy(until));
      reminded.push(today);
      await world.work('deliver-sms', [{ send_id, index: 0 }]);
      expect(await world.messageRow(send_id)).toMatchObject({ state: 'sending' });
    }
    world.clock.nowMs = Date.parse(today) + 14 * 60 * 60 * 1000;
    for (const expiry of await listExpiries(world.outside, world.iso(), 100)) await endCharge(world.outside, expiry);
    await world.tell(2);
    for (const { reference, expires_at_epoch_seconds } of await world.rows('TRANSACTION'))
      if (Number(expires_at_epoch_seconds) * 1000 < world.clock.nowMs)
        await world.outside.table.remove({ pk: `TRANSACTION#${reference}`, sk: 'TRANSACTION' });
    if (late) {
      await late();
      late = undefined;
    }
    const month = instalments.findIndex(({ due }) => due === today);
    if (month < 0) continue;
    const isLast = month === MONTHS - 1;
    const openPesewas = MONTHS * RENT_PESEWAS - arrivedPesewas;
    if (isLast) await openAndPay(openPesewas);
    else if (month % 6 === 1) late = () => openAndPay(RENT_PESEWAS);
    else if (month % 6 === 2) {
      await openAndPay(20_001);
      // The second charge expires partly paid.
      await openAndPay(RENT_PESEWAS - 20_001, RENT_PESEWAS - 20_002);
    } else if (month % 6 === 3) {
      await openAndPay(RENT_PESEWAS);
      await openAndPay(RENT_PESEWAS);
    } else if (month % 6 === 4) {
      // Last month's double payment covers this month.
    } else if (month % 6 === 5) {
      const text = await openAndPay(RENT_PESEWAS);
      await takeBack(text, RENT_PESEWAS);
      late = () => openAndPay(RENT_PESEWAS + 1);
    } else await openAndPay(RENT_PESEWAS);
    const now = await shop.shownRequest(slug);
    expect(Math.round(now.amount_paid * 100), today).toBe(arrivedPesewas);
    expect(Math.round((now.amount_paid + now.amount_due) * 100)).toBe(MONTHS * RENT_PESEWAS);
  }
  expect(await shop.shownRequest(slug)).toMatchObject({
    status: 'paid',
    amount_paid: (MONTHS * RENT_PESEWAS) / 100,
    amount_due: 0,
    amount_overpaid: 0,
    next_reminder_at: null,
  });
  expect(await findRequest(world.outside, slug)).toMatchObject({ state: 'paid' });
  // After 400 days, old charge rows have expired, but their payments still count.
  if (isWhole) expect((await world.rows('TRANSACTION')).length).toBeLessThan(25);
  expect(new Set(reminded).size).toBe(reminded.length);
  expect(reminded.length).toBeGreaterThan(MONTHS);
  expect(await shop.balance()).toBe(1_000 - reminded.length);
});

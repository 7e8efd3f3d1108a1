import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { chanceFrom } from '../../simulation/random.ts';
import type { CreatedCharge } from '../../support/receipts.ts';
import { arrive, fromTelecel, newPayerNumber, pay, reversal } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import { isWhole, runsOf } from '../../support/slice.ts';

/** Totals over all runs, to check that the runs exercise payments and codes. */
const totals = { paid: 0, codes: 0 };
const SHOP = { number: '+233241234567' };

test('each charge is paid at most once in any order of concurrent events', async () => {
  const step = fc.record({
    what: fc.constantFrom('ask', 'ask', 'right', 'right', 'wrong', 'others', 'pay', 'reverse'),
    charge: fc.nat(3),
    number: fc.nat(1),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 6 }),
      fc.integer(),
      async (rounds, seed) => {
        const chance = chanceFrom(seed);
        const world = await scene({ inMemory: true });
        world.dynamoDb = async (_, send) => {
          for (let n = chance.between(0, 3); n > 0; n--) await setImmediate();
          await send();
        };
        await world.createSender('+233240009999');
        const merchant = await world.createMerchant({ credits: 5 });
        const numbers = [newPayerNumber(), newPayerNumber()];
        const ids: string[] = [];
        const receive = async (phone = '') => {
          const receipt = fromTelecel({ phone });
          ids.push(receipt.id);
          await pay(world, SHOP, receipt);
        };
        for (const phone of numbers) await receive(phone);
        const charges: CreatedCharge[] = [];
        for (let n = 0; n < 4; n++) charges.push(await merchant.createCharge());
        /** The charges for which each code may have been requested. */
        const codesFor = new Map<string, Set<number>>();
        for (const round of rounds) {
          world.clock.nowMs += 1_000;
          const known = [...codesFor].map(([code]) => code);
          const before = new Set((await world.rows('SEND')).map(({ send_id }) => send_id));
          const answers = await Promise.all(
            round.map(async ({ what, charge: n, number }) => {
              const phone = `+${numbers[number]}`;
              const at = {
                method: 'POST',
                parameters: { access_code: charges[n]?.access_code ?? '' },
                headers: { accept: 'application/json' },
              };
              const own = [...codesFor].filter(([, of]) => of.has(n)).map(([code]) => code);
              const others = known.filter((code) => !own.includes(code));
              if (what === 'pay') return void (await receive(numbers[number]));
              if (what === 'reverse') return void (await arrive(world, SHOP, reversal(ids[n] ?? '')));
              if (what === 'ask') return void (await world.call('checkout/ask-for-code', { ...at, body: { phone } }));
              const code = what === 'right' ? own.at(-1) : what === 'others' ? others.at(-1) : '000000';
              if (code) await world.call('checkout/confirm-code', { ...at, body: { phone, code } });
            }),
          );
          expect(answers).toHaveLength(round.length);
          const asking = new Set(round.filter(({ what }) => what === 'ask').map(({ charge: n }) => n));
          for (const { send_id, message, to, merchant_id } of await world.rows('SEND')) {
            if (before.has(send_id)) continue;
            expect(merchant_id).toBeUndefined();
            expect(numbers.map((phone) => [`+${phone}`])).toContainEqual(to);
            codesFor.set(String(message).slice(0, 6), asking);
          }
        }
        const paid = (await world.rows('TRANSACTION')).filter(({ state }) => state === 'success');
        totals.paid += paid.length;
        totals.codes += codesFor.size;
        const used = paid.map(({ payment }) => z.parse(z.object({ receipt_id: z.string() }), payment).receipt_id);
        expect(new Set(used).size).toBe(used.length);
        const matched = (await world.rows('RECEIPT')).filter(({ state }) => state === 'matched');
        expect(matched.map(({ reference }) => reference).toSorted()).toEqual(
          paid.map(({ reference }) => reference).toSorted(),
        );
        for (const { reference } of paid) {
          const n = charges.findIndex((one) => one.reference === reference);
          expect([...codesFor.values()].some((of) => of.has(n))).toBe(true);
        }
        for (const { codes = 0, tries = 0 } of await world.rows('CODE')) {
          expect(codes).toBeLessThanOrEqual(3);
          expect(tries).toBeLessThanOrEqual(5);
        }
        for (const phone of numbers)
          expect(
            (await world.rows('SEND')).filter(({ to }) => Array.isArray(to) && to[0] === `+${phone}`).length,
          ).toBeLessThanOrEqual(3);
        expect(await merchant.balance()).toBe(5);
        expect(world.logged.filter(({ level }) => level === 'error')).toEqual([]);
      },
    ),
    { seed: 1, ...runsOf(60, 4) },
  );
  expect(totals.codes).toBeGreaterThan(0);
  // A slice of fifteen runs may pay no charge.
  if (isWhole) expect(totals.paid).toBeGreaterThan(0);
});

import { expect, test } from 'vitest';
import * as z from 'zod';
import { handler as send } from '../../functions/sms/send.ts';
import { handler as check } from '../../functions/verify/check.ts';
import { handler as start } from '../../functions/verify/start.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import {
  MAX_TRIES_OF_CODE,
  MAX_WRONG_OF_MERCHANT,
  MAX_WRONG_OF_NUMBER,
} from '../../shared/texts/verification/verification.table.ts';
import { reportFigure } from '../support/figures.ts';
import { scan } from '../support/rows.ts';
import { call, createMerchant, createSender, createWorld, type TestMerchant } from '../support/world.ts';
import { chanceFrom } from './random.ts';
import { TimedWork } from './timed-work.ts';

const SECOND_MS = 1000;

const SENDER = '+233241234567';
const SIX_DIGITS = 1_000_000;

test('only a few guesses are checked across all codes', async () => {
  const world = await createWorld({ inMemory: true });
  await createSender(world, SENDER);
  const chance = chanceFrom(11);
  const merchants = await Promise.all([1, 2].map(() => createMerchant(world, { credits: 1_000 })));
  const [days, rounds, numbers, guesses] = [2, 3, 12, 12];
  world.clock.nowMs = Date.parse('2027-01-04T08:00:00.000Z');
  let [made, right] = [0, 0];
  const guess = async (merchant: TestMerchant, id: string) => {
    const code = String(chance.between(0, SIX_DIGITS - 1)).padStart(6, '0');
    const { json } = await call(world, check, { key: merchant.smsKey, body: { id, code } });
    made += 1;
    if (json.data?.verified) right += 1;
  };
  const attack = async (merchant: TestMerchant, n: number) => {
    const { json } = await call(world, start, { key: merchant.smsKey, body: { to: `05511122${n + 10}` } });
    // Guesses also use ids of earlier codes and nonexistent ids.
    if (json.data) ids.push([merchant, json.data.id]);
    const known = ids.filter(([of]) => of === merchant).slice(-3);
    for (let n = 0; n < guesses; n++) {
      const [, id] = chance.pick(known.length > 0 ? known : [[merchant, 'unknown'] as const]);
      await guess(merchant, json.data && n % 2 === 0 ? json.data.id : id);
    }
  };
  const ids: [TestMerchant, string][] = [];
  for (let day = 0; day < days; day++) {
    for (let round = 0; round < rounds; round++) {
      const attacks = merchants.flatMap((merchant) => Array.from({ length: numbers }, (_, n) => attack(merchant, n)));
      await Promise.all(attacks);
      world.clock.nowMs += MINUTE_MS;
    }
    world.clock.nowMs += DAY_MS + 2 * 60 * MINUTE_MS;
  }
  const codes = z
    .array(z.object({ merchant_id: z.string(), to: z.string(), tries: z.number(), created_at: z.string() }))
    .parse((await scan(world)).filter(({ sk }) => sk === 'VERIFICATION'));
  const comparedBy = (nameOf: (code: (typeof codes)[number]) => string) =>
    Object.values(Object.groupBy(codes, nameOf)).map((of = []) => of.reduce((sum, { tries }) => sum + tries, 0));
  const dayOf = ({ created_at }: (typeof codes)[number]) => created_at.slice(0, 10);
  expect(Math.max(...codes.map(({ tries }) => tries))).toBe(MAX_TRIES_OF_CODE);
  const ofNumbers = comparedBy((code) => `${code.merchant_id} ${code.to} ${dayOf(code)}`);
  const ofMerchants = comparedBy((code) => `${code.merchant_id} ${dayOf(code)}`);
  expect(Math.max(...ofNumbers)).toBe(MAX_WRONG_OF_NUMBER);
  expect(ofMerchants).toEqual(Array.from({ length: days * merchants.length }, () => MAX_WRONG_OF_MERCHANT));
  expect(right).toBe(0);
  expect(made).toBe(days * rounds * merchants.length * numbers * guesses);
  // A six-digit guess is correct once in a million.
  expect(MAX_WRONG_OF_NUMBER / SIX_DIGITS).toBeLessThanOrEqual(1e-5);
  const compared = ofMerchants.reduce((sum, one) => sum + one, 0);
  reportFigure(
    `codes: ${made} guesses at ${merchants.length} merchants, ${numbers} numbers each, in ${days} days: ${compared} compared, chance of one right ${(compared / SIX_DIGITS).toExponential(0)}`,
  );
});

test('codes are not delayed by a bulk send on the same SIM', async () => {
  const world = await createWorld({ inMemory: true });
  const work = new TimedWork(world);
  const place = { gateway: 'phone', device_id: 'device-1', sim_number: 1, messages_per_hour: 100 };
  await addSender(world.outside, { number: SENDER, network: 'MTN', ...place });
  const acceptedMs = new Map<string, { atMs: number; isCode: boolean }>();
  const waits = { codes: [] as number[], texts: [] as number[] };
  world.gateway = async (request) => {
    const { id } = z.object({ id: z.string() }).parse(await request.json());
    const { atMs, isCode } = acceptedMs.get(id) ?? {};
    if (atMs !== undefined) waits[isCode ? 'codes' : 'texts'].push(world.clock.nowMs - atMs);
    return Response.json({ state: 'Pending' }, { status: 202 });
  };
  const queue = (merchant: TestMerchant, sendId: string, count = 1) =>
    world.outside.queues.send(
      'deliver-sms',
      Array.from({ length: count }, (_, index) => ({ body: { send_id: sendId, index }, group: merchant.id })),
    );
  const text = async (merchant: TestMerchant, count: number) => {
    const body = { to: Array.from({ length: count }, (_, n) => `05511122${n + 10}`), message: 'Hello' };
    const { json } = await call(world, send, { key: merchant.smsKey, body });
    if (count === 1) acceptedMs.set(json.data.id, { atMs: world.clock.nowMs, isCode: false });
    await queue(merchant, json.data.id, count);
  };
  const code = async (merchant: TestMerchant, n: number) => {
    const { json } = await call(world, start, { key: merchant.smsKey, body: { to: `0551110${100 + n}` } });
    acceptedMs.set(json.data.id, { atMs: world.clock.nowMs, isCode: true });
    await queue(merchant, json.data.id);
  };
  const [bulky, ...modest] = await Promise.all(
    Array.from({ length: 4 }, () => createMerchant(world, { credits: 10_000 })),
  );
  if (!bulky) throw new Error('There are four');
  const chance = chanceFrom(7);
  for (let n = 0; n < 8; n++) work.after(0, () => void text(bulky, 50));
  let asked = 0;
  for (let ms = 10 * MINUTE_MS; ms < 3 * HOUR_MS; ms += chance.between(2, 6) * MINUTE_MS) {
    work.after(ms, () => void code(bulky, ++asked));
    for (const merchant of modest) work.after(ms + chance.between(0, MINUTE_MS), () => void text(merchant, 1));
  }
  await work.run(4 * HOUR_MS);
  expect(waits.codes).toHaveLength(asked);
  expect(asked).toBeGreaterThan(30);
  const [codes, texts] = [p95(waits.codes), p95(waits.texts)];
  reportFigure(
    `codes: p95 of ${asked} beside 400 texts of their own merchant’s ${seconds(codes)}, worst ${seconds(Math.max(...waits.codes))}; p95 of others’ single texts ${seconds(texts)}`,
  );
  expect(codes).toBeLessThanOrEqual(texts);
  expect(Math.max(...waits.codes)).toBeLessThan(10 * MINUTE_MS);
});

function p95(waits: readonly number[]): number {
  return [...waits].sort((a, b) => a - b)[Math.ceil(0.95 * waits.length) - 1] ?? Number.NaN;
}

function seconds(ms: number): string {
  return `${(ms / SECOND_MS).toFixed(1)} s`;
}

import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  isReference,
  isSameAccessCode,
  listOpenReferences,
  newAccessCode,
  newReference,
  referenceOfAccessCode,
} from '../../../shared/money/charge/charge.table.ts';
import {
  createExpiry,
  expiryOf,
  expiryRows,
  listExpiries,
  noteExpiry,
} from '../../../shared/money/charge/expiry.table.ts';
import { noteLookups } from '../../../shared/money/charge/lookup.table.ts';
import { encodeBase62 } from '../../../shared/runtime/values/base62.ts';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

const AMAS = { amount: 36, customer_name: 'Ama Owusu' };

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene();
  shop = await world.createShop();
});

describe('charges found by name and amount', () => {
  test('include unpaid charges, newest first', async () => {
    const first = await shop.charge(AMAS);
    world.clock.nowMs += 1_000;
    const last = await shop.charge(AMAS);
    await shop.charge({ ...AMAS, amount: 36.01 });
    // A charge without a customer name cannot be found by name.
    await shop.charge({ amount: 36 });
    await (await world.createShop()).charge(AMAS);
    expect(await waiting()).toEqual([last, first]);
  });

  test('exclude paid charges that were reversed', async () => {
    const [paid, other] = [await shop.charge(AMAS), await shop.charge(AMAS)];
    const receipt = mtn({ reference: paid });
    await shop.pay(receipt);
    expect((await world.chargeRow(paid)).state).toBe('success');
    expect(await waiting()).toEqual([other]);
    await shop.arrive(reversal(receipt.id));
    expect(await waiting()).toEqual([other]);
  });

  test('include partly paid charges by their outstanding amount', async () => {
    const [, second] = await threeCharges();
    await world.outside.table.write([noteExpiry({ ...second, parts: [storedPayment('part', 3_500)] })]);
    await world.outside.table.write([createExpiry(second)]);
    expect(await waiting(100)).toEqual([second.reference]);
  });
});

test('expired charges are listed oldest first', async () => {
  const [first, second, last] = await threeCharges();
  // The stream may deliver a charge twice.
  for (const expiry of [last, second, first, first]) await world.outside.table.write([createExpiry(expiry)]);
  expect(await listExpiries(world.outside, second.expires_at, 10)).toEqual([first, second].map(expiryOf));
  expect(await listExpiries(world.outside, last.expires_at, 1)).toEqual([expiryOf(first)]);
  await world.outside.table.write([expiryRows.remove(expiryOf(first))]);
  expect(await listExpiries(world.outside, last.expires_at, 10)).toEqual([second, last].map(expiryOf));
});

test('a charge’s index rows expire together with the charge', async () => {
  const found = await world.chargeRow(await shop.charge(AMAS));
  const ends: unknown[] = [];
  const write: typeof world.outside.table.write = async (writes) => {
    ends.push(...writes.map(({ put }) => put?.Item?.expires_at_epoch_seconds));
    await world.outside.table.write(writes);
  };
  await noteLookups({ table: { ...world.outside.table, write } }, found);
  expect(ends.length).toBeGreaterThan(0);
  expect(new Set(ends)).toEqual(new Set([found.expires_at_epoch_seconds]));
  expect(found.expires_at_epoch_seconds).toBeGreaterThan(world.clock.nowMs / 1000);
});

test('a reference has a two-letter prefix, a hyphen and ten digits', () => {
  for (let n = 0; n < 2_000; n++) {
    const reference = newReference(randomBytes);
    expect(reference).toMatch(/^MK-\d{10}$/);
    expect(isReference(reference)).toBe(true);
  }
  expect(newReference((length) => Buffer.alloc(length))).toBe('MK-1000000000');
});

test('references are spread evenly over their range', () => {
  const references = Array.from({ length: 2_000 }, () => newReference(randomBytes));
  // References are random, so a few duplicates are expected.
  expect(new Set(references).size).toBeGreaterThan(1_990);
  // References never start with 0, unlike phone numbers.
  expect([...new Set(references.map((reference) => reference[3]))].sort().join('')).toBe('123456789');
});

test.each(['', 'MK-123456789', 'MK-12345678901', 'mk-1234567890', 'XX-1234567890', 'MK1234567890', ' MK-1234567890'])(
  '%j is not a reference',
  (text) => {
    expect(isReference(text)).toBe(false);
  },
);

test('a checkout code decodes to its reference', () => {
  const references = Array.from({ length: 2_000 }, () => newReference(randomBytes));
  for (const reference of ['MK-0000000000', 'MK-9999999999', ...references]) {
    const code = newAccessCode(reference, randomBytes);
    expect(code).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(referenceOfAccessCode(code)).toBe(reference);
  }
});

test('two checkout codes for the same reference differ', () => {
  const codes = Array.from({ length: 100 }, () => newAccessCode('MK-1234567890', randomBytes));
  expect(new Set(codes.map((code) => code.slice(0, 6))).size).toBe(1);
  expect(new Set(codes).size).toBe(100);
});

test('a checkout code with a changed character no longer matches', () => {
  for (let n = 0; n < 200; n++) {
    const code = newAccessCode(newReference(randomBytes), randomBytes);
    expect(isSameAccessCode(code, code)).toBe(true);
    for (let at = 0; at < code.length; at++) expect(isSameAccessCode(withOtherCharacter(code, at), code)).toBe(false);
  }
});

test('a malformed checkout code is rejected', () => {
  const code = newAccessCode('MK-1234567890', randomBytes);
  expect(isSameAccessCode(code.slice(1), code)).toBe(false);
  const pastTheLast = encodeBase62(10 ** 10, 6) + code.slice(6);
  const others = ['', code.slice(1), `${code}0`, code.replace(/.$/, '-'), `${code}\n`, 'z'.repeat(22), pastTheLast];
  for (const other of others) expect(referenceOfAccessCode(other)).toBeUndefined();
});

/** Creates three charges, one minute apart. */
async function threeCharges() {
  const make = async () => {
    world.clock.nowMs += 60_000;
    return world.chargeRow(await shop.charge(AMAS));
  };
  return [await make(), await make(), await make()] as const;
}

/** Returns the charges that can be matched by name and have this amount. */
function waiting(pesewas = 3_600): Promise<string[]> {
  const [from = '', to = ''] = [-HOUR_MS, HOUR_MS].map((ms) => world.iso(ms));
  return listOpenReferences(world.outside, shop.id, pesewas, { made: [from, to], limit: 10 });
}

function withOtherCharacter(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}

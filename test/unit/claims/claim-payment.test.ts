import { beforeEach, describe, expect, test } from 'vitest';
import type { Charge } from '../../../shared/money/charge/charge.table.ts';
import { matchableName } from '../../../shared/money/charge/customer-name.ts';
import { claimTries, countersOf } from '../../../shared/money/claims/claim.table.ts';
import { claimPayment } from '../../../shared/money/claims/claim-payment.ts';
import { MAX_CANDIDATES } from '../../../shared/money/matching/match.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { refuse } from '../../support/disturb.ts';
import { claimedPayments, mtn, reversal, telecel } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { provenBook } from '../../support/wallet-book.ts';

const WINDOW_MS = 10 * MINUTE_MS;
const PAID = { outcome: 'paid' };
const UNKNOWN = { outcome: 'unknown' };
const NOBODYS_ID = '99999999999';

const world = await scene();
let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

/** Payments that cannot be claimed for a charge of GHS 36 at this shop. */
const others: Readonly<Record<string, () => Promise<{ id: string }>>> = {
  'was a second payment for another charge': async () => {
    const reference = await shop.charge({ amount: 36 });
    await held({ reference });
    return held({ reference });
  },
  'has another merchant’s charge reference': async () => {
    const another = await world.createShop();
    return held({ reference: `for ${await another.charge({ amount: 36 })}` });
  },
  'has two conflicting texts': async () => {
    const receipt = await held();
    await shop.arrive(mtn({ id: receipt.id, from: 'EVE MENSAH KOFI' }));
    return receipt;
  },
  'is contradicted by a text to an unknown number': async () => {
    const receipt = await held();
    await shop.arrive({ ...mtn({ id: receipt.id, from: 'EVE THIEF' }), recipient: null, simNumber: 2 });
    expect(await shop.receipt(receipt)).not.toHaveProperty('reason', 'conflict');
    return receipt;
  },
  'arrived through another network': async () => {
    const receipt = telecel();
    expect(await shop.pay(receipt)).toMatchObject({ reason: 'network_differs' });
    return receipt;
  },
  'was sent to an unknown number': async () => {
    const receipt = mtn();
    await shop.arrive({ ...receipt, recipient: null });
    return receipt;
  },
  'is known only from the text about its reversal': async () => {
    const receipt = mtn();
    await shop.arrive(reversal(receipt.id));
    return receipt;
  },
};

test.each(Object.entries(others))('claiming a payment that %s pays nothing', async (_, arrives) => {
  const { id } = await arrives();
  expect(await claim(await shop.charge({ amount: 36 }), id)).toEqual(UNKNOWN);
});

describe('claiming a held payment by its id', () => {
  test('pays the charge', async () => {
    const receipt = await held();
    world.clock.nowMs += MINUTE_MS;
    const reference = await shop.charge({ amount: 36 });
    expect(await claim(reference, receipt.id)).toEqual(PAID);
    const payment = { transaction_id: receipt.id, amount: 36, matched_by: 'claim', payer_name: 'KOFI MENSAH BOATENG' };
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', paid_at: world.iso(), payment });
    const row = await shop.receipt(receipt);
    expect(row).toMatchObject({ state: 'matched', matched_by: 'claim', reference, text: receipt.text });
    expect(row).not.toHaveProperty('reason');
    expect(await shop.listed('held')).toEqual([]);
  });

  test.each<[string, { customer_name?: string }]>([
    ['name_differs', { customer_name: 'Ama Owusu' }],
    ['no_charge', {}],
  ])('pays the charge if the payment was held for %s', async (reason, said) => {
    if (reason !== 'no_charge') await shop.charge({ amount: 36, ...said });
    const receipt = mtn();
    expect(await shop.pay(receipt)).toMatchObject({ reason });
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test('pays the charge if the payer’s reference has one wrong digit', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({
      reference: `${reference.slice(0, 9)}${reference[9] === '0' ? '1' : '0'}${reference.slice(10)}`,
    });
    expect(await shop.pay(receipt)).toMatchObject({ reason: 'reference_unclear' });
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('pays only the charge whose order number the payer typed', async () => {
    const reference = await shop.charge({ amount: 36, merchant_reference: 'INV-1008' });
    await world.tell();
    const receipt = mtn({ reference: 'order inv 1008' });
    expect(await shop.pay(receipt)).toMatchObject({ reason: 'reference_unclear' });
    for (const merchant_reference of ['INV-1009', 'B-1008'])
      expect(await claim(await shop.charge({ amount: 36, merchant_reference }), receipt.id)).toEqual(UNKNOWN);
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('pays the charge whatever the order of the names', async () => {
    for (const name of ['Mensah Kofi', 'Mr. Kofi Boateng', 'KOFI MENSAH BOATENG']) {
      const receipt = mtn();
      const another = await world.createShop();
      await another.pay(receipt);
      expect(await claim(await another.charge({ amount: 36 }), receipt.id, name)).toEqual(PAID);
    }
  });
});

describe('claiming a payment that only the merchant can assign', () => {
  test.each(['Ama Owusu', 'Kofi Mensah Owusu', 'Kofi Owusu'])('fails with the unrelated name %j', async (name) => {
    const receipt = await held();
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id, name)).toEqual(UNKNOWN);
  });

  test('fails if the payment has a paid charge’s reference', async () => {
    const dear = await shop.charge({ amount: 40 });
    const [under, second] = [mtn({ reference: dear }), mtn({ reference: dear })];
    expect(await shop.pay(under)).toMatchObject({ reference: dear });
    await shop.pay(mtn({ amount: '40', reference: dear }));
    expect(await shop.pay(second)).toMatchObject({ reason: 'already_paid' });
    for (const { id } of [under, second]) expect(await claim(await shop.charge({ amount: 36 }), id)).toEqual(UNKNOWN);
  });

  test('fails if the payment may be a duplicate', async () => {
    await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    await shop.pay(mtn());
    const second = mtn();
    expect(await shop.pay(second)).toMatchObject({ reason: 'no_charge' });
    expect(await claim(await shop.charge({ amount: 36 }), second.id)).toEqual(UNKNOWN);
    const own = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    expect(await claim(own, second.id)).toEqual(PAID);
  });

  test('fails if the payment’s reference resembles that of a paid charge', async () => {
    const paid = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference: paid, from: 'AMA OWUSU' }));
    const dear = await shop.charge({ amount: 40 });
    for (const meant of [paid, dear]) {
      const receipt = mtn({ reference: meant.slice(0, -1) });
      expect(await shop.pay(receipt)).toMatchObject({ reason: 'reference_unclear' });
      expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(UNKNOWN);
    }
  });

  test('fails if the payment’s reference resembles a different charge’s reference', async () => {
    const meant = await shop.charge({ amount: 36 });
    const receipt = await held({ reference: `${meant.slice(3, 8)}${meant[8] === '0' ? '1' : '0'}${meant.slice(9)}` });
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(UNKNOWN);
    expect(await claim(meant, receipt.id)).toEqual(PAID);
  });

  test.each([
    ['open', 0],
    ['recently expired', 24 * 60 * MINUTE_MS + 1],
  ])('fails if another charge in the payer’s name is %s', async (_, laterMs) => {
    const victims = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    world.clock.nowMs += laterMs === 0 ? 3 * 60 * MINUTE_MS : laterMs;
    const receipt = mtn();
    expect(await shop.pay(receipt)).toMatchObject({ reason: 'no_charge' });
    const thiefs = await shop.charge({ amount: 36, customer_name: 'Kofi Boateng' });
    expect(await claim(thiefs, receipt.id)).toEqual(UNKNOWN);
    expect((await shop.verified(victims)).status).toBe(laterMs === 0 ? 'pending' : 'expired');
  });

  test('fails if the payment arrived over 30 minutes before the charge', async () => {
    const receipt = await held();
    world.clock.nowMs += 30 * MINUTE_MS;
    const inTime = await shop.charge({ amount: 36 });
    world.clock.nowMs += 1;
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(UNKNOWN);
    expect(await claim(inTime, receipt.id)).toEqual(PAID);
  });

  test('fails if the number belonged to another merchant when the payment arrived', async () => {
    const receipt = mtn();
    expect(await shop.pay(receipt)).toMatchObject({ merchant_id: shop.id });
    const neighbour = await world.createShop({ number: shop.number });
    expect(await claim(await neighbour.charge({ amount: 36 }), receipt.id)).toEqual(UNKNOWN);
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  });
});

describe('a claimed payment id', () => {
  test.each([
    ['no payment has the id', () => NOBODYS_ID],
    ['nothing', () => ''],
    ['only punctuation', () => ' -–. '],
    ['one additional digit', (id: string) => `${id}0`],
    ['one missing digit', (id: string) => id.slice(1)],
    ['a letter in place of a digit', (id: string) => `${id}A`],
    ['a stored receipt id', (id: string) => `MTN-${shop.number.slice(1)}-${id}`],
    ['part of a database key', (id: string) => `${id}#RECEIPT`],
    ['a very long id', () => '9'.repeat(40)],
  ])('is rejected as unknown: %s', async (_, typed) => {
    const { receipt, reference } = await heldFor36();
    expect(await claim(reference, typed(receipt.id))).toEqual(UNKNOWN);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
  });

  test.each([35.99, 36.01, 0.36, 3_600])(
    'is rejected as unknown for a payment of GHS 36 and a charge of GHS %d',
    async (amount) => {
      const receipt = await held();
      const reference = await shop.charge({ amount });
      expect(await claim(reference, receipt.id)).toEqual(UNKNOWN);
      expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    },
  );

  test('is rejected as unknown if the payment went to a different number', async () => {
    const elsewhere = await world.createShop();
    const receipt = mtn();
    await elsewhere.pay(receipt);
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(UNKNOWN);
    expect(await elsewhere.receipt(receipt)).toMatchObject({ state: 'held' });
  });

  test('is rejected as unknown if the payment paid a different charge', async () => {
    const other = await shop.charge({ amount: 36 });
    const receipt = await held({ reference: other });
    const reference = await shop.charge({ amount: 36 });
    expect(await claim(reference, receipt.id)).toEqual(UNKNOWN);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    expect(await shop.verified(other)).toMatchObject({ payment: { transaction_id: receipt.id } });
  });

  test('is rejected as unknown if the payment was reversed', async () => {
    const [before, after] = [mtn(), mtn()];
    for (const text of [reversal(before.id), before, after, reversal(after.id)]) await shop.arrive(text);
    const reference = await shop.charge({ amount: 36 });
    for (const { id } of [before, after]) expect(await claim(reference, id)).toEqual(UNKNOWN);
  });
});

describe('claiming a payment for a paid charge', () => {
  test('succeeds with any id', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference }));
    for (let n = 0; n < 8; n++) expect(await claim(reference, 'anything')).toEqual(PAID);
  });

  test('keeps the payment that paid the charge after the page was loaded', async () => {
    const { receipt: other, reference } = await heldFor36();
    const stale = await world.chargeRow(reference);
    const receipt = await held({ reference });
    expect(await claimAt(stale, other.id)).toEqual(PAID);
    expect(await claimAt(stale, receipt.id)).toEqual(PAID);
    expect(await shop.verified(reference)).toMatchObject({ payment: { transaction_id: receipt.id } });
    await shop.arrive(reversal(receipt.id));
    expect(await claimAt(stale, other.id)).not.toEqual(PAID);
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    expect(await shop.receipt(other)).toMatchObject({ state: 'held' });
  });
});

describe('attempts to claim a payment', () => {
  test('are rejected after five wrong ids in ten minutes', async () => {
    const { receipt, reference } = await heldFor36();
    for (let n = 0; n < 5; n++) {
      expect(await claim(reference, `9999999999${n}`)).toEqual(UNKNOWN);
      world.clock.nowMs += MINUTE_MS;
    }
    expect(await claim(reference, receipt.id)).toEqual({ outcome: 'too_many', waitSeconds: 300 });
    world.clock.nowMs += 299_000;
    expect(await claim(reference, receipt.id)).toEqual({ outcome: 'too_many', waitSeconds: 1 });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    world.clock.nowMs += 1_000;
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('are allowed again after ten minutes', async () => {
    const reference = await shop.charge({ amount: 36 });
    const outcomes: string[] = [];
    for (let window = 0; window < 3; window++) {
      for (let n = 0; n < 8; n++) outcomes.push((await claim(reference, NOBODYS_ID)).outcome);
      world.clock.nowMs += WINDOW_MS;
    }
    const each = [...Array<string>(5).fill('unknown'), ...Array<string>(3).fill('too_many')];
    expect(outcomes).toEqual([...each, ...each, ...each]);
  });

  test('do not count if the id is correct', async () => {
    for (let n = 0; n < 70; n++) {
      const receipt = mtn({ from: `KOFI MENSAH ${'ABCDEFGHIJ'[n % 10]}${'KLMNOPQ'[Math.floor(n / 10)]}` });
      await shop.pay(receipt);
      expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
    }
    const reference = await shop.charge({ amount: 36 });
    for (let n = 0; n < 5; n++) expect(await claim(reference, NOBODYS_ID)).toEqual(UNKNOWN);
  });

  test('are counted separately for each wallet', async () => {
    const other = await world.createShop();
    for (let n = 0; n < 20; n++) await claim(await shop.charge({ amount: 36 }), NOBODYS_ID);
    const more = await shop.charge({ amount: 36 });
    expect(await claim(more, NOBODYS_ID)).toMatchObject({ outcome: 'paused' });
    const reference = await other.charge({ amount: 36 });
    for (let n = 0; n < 5; n++) expect(await claim(reference, NOBODYS_ID)).toEqual(UNKNOWN);
  });

  test('take the same time for every error', async () => {
    const [held, other] = [mtn(), mtn({ reference: await shop.charge({ amount: 40 }) })];
    for (const receipt of [held, other]) await shop.pay(receipt);
    const reference = await shop.charge({ amount: 36 });
    const started = world.slept.length;
    await claim(reference, NOBODYS_ID);
    await claim(reference, held.id, 'Ama Owusu');
    await claim(reference, other.id);
    expect(world.slept.slice(started)).toEqual([700, 700, 700]);
  });

  test('are counted separately for each charge', async () => {
    const [mine, yours] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
    for (let n = 0; n < 6; n++) await claim(mine, NOBODYS_ID);
    expect(await claim(mine, NOBODYS_ID)).toMatchObject({ outcome: 'too_many' });
    expect(await claim(yours, NOBODYS_ID)).toEqual(UNKNOWN);
  });

  test('read at most five receipts, even if 20 are made simultaneously', async () => {
    const reference = await shop.charge({ amount: 36 });
    const ids = Array.from({ length: 20 }, (_, n) => `999999999${String(n).padStart(2, '0')}`);
    const looks = await looksOf(() => Promise.all(ids.map((id) => claim(reference, id))));
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThanOrEqual(5);
    // Later attempts count towards the same limit.
    const more = await looksOf(async () => {
      for (const id of ids) await claim(reference, id);
    });
    expect(looks + more).toBe(5);
  });

  test('succeed after a double tap', async () => {
    const { receipt, reference } = await heldFor36();
    expect(await Promise.all([claim(reference, receipt.id), claim(reference, receipt.id)])).toEqual([PAID, PAID]);
  });
});

describe('a claim during a concurrent change', () => {
  test('pays only one of two charges with one payment', async () => {
    const receipt = await held();
    const references = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
    const outcomes = await Promise.all(references.map((reference) => claim(reference, receipt.id)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['paid', 'unknown']);
    const statuses = await Promise.all(references.map((reference) => shop.verified(reference)));
    expect(statuses.map(({ status }) => status)).toEqual(
      outcomes.map(({ outcome }) => (outcome === 'paid' ? 'success' : 'pending')),
    );
  });

  test('fails if the payment is assigned elsewhere', async () => {
    const receipt = await held();
    const [mine, yours] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
    world.rightBefore('TransactWriteItems', () => claim(yours, receipt.id));
    expect(await claim(mine, receipt.id)).toEqual(UNKNOWN);
    expect(await shop.verified(mine)).toMatchObject({ status: 'pending' });
    expect(await shop.verified(yours)).toMatchObject({ status: 'success' });
  });

  test('fails if the payment is reversed', async () => {
    const { receipt, reference } = await heldFor36();
    world.rightBefore('TransactWriteItems', () => shop.arrive(reversal(receipt.id)));
    expect(await claim(reference, receipt.id)).toEqual(UNKNOWN);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('holds the claimed payment if the charge is paid', async () => {
    const { receipt: other, reference } = await heldFor36();
    const own = mtn({ reference });
    world.rightBefore('TransactWriteItems', () => shop.pay(own));
    expect(await claim(reference, other.id)).toEqual(PAID);
    expect(await shop.verified(reference)).toMatchObject({ payment: { transaction_id: own.id } });
    expect(await shop.receipt(other)).toMatchObject({ state: 'held' });
  });

  test('pays the charge with only one of two payments', async () => {
    const { receipt: other, reference } = await heldFor36();
    const own = mtn({ reference });
    const [outcome] = await Promise.all([claim(reference, other.id), shop.pay(own)]);
    expect(outcome).toEqual(PAID);
    const { payment } = await shop.verified(reference);
    const rows = await Promise.all([other, own].map((receipt) => shop.receipt(receipt)));
    const [matched, ...more] = rows.filter((row) => row?.state === 'matched');
    expect(more).toEqual([]);
    expect(matched?.transaction_id).toBe(payment.transaction_id);
  });

  test('leaves the charge unpaid if its payment is reversed', async () => {
    const { receipt: other, reference } = await heldFor36();
    await Promise.all([claim(reference, other.id), shop.arrive(reversal(other.id))]);
    expect(['pending', 'reversed']).toContain((await shop.verified(reference)).status);
    expect(await shop.receipt(other)).toMatchObject({ state: 'held', reason: 'reversed' });
  });
});

describe('claiming a payment that may belong to a different charge', () => {
  test('succeeds for an unassigned payment on a shared number', async () => {
    const neighbour = await world.createShop({ number: shop.number });
    const receipt = mtn();
    expect(await shop.pay(receipt)).not.toHaveProperty('merchant_id');
    expect(await claim(await neighbour.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test('succeeds for a verified payment even if a different shop’s unverified text used its id', async () => {
    const real = (await provenBook(world, shop, 6)).paid(36);
    const other = await world.createShop();
    await other.pay(mtn({ id: real.id, amount: '5.00', reference: await other.charge({ amount: 5 }) }));
    expect(await shop.pay(real)).toMatchObject({ state: 'held' });
    expect(await claim(await shop.charge({ amount: 36 }), real.id)).toEqual(PAID);
  });

  test('succeeds if the payer also entered an unknown reference', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ reference: `${reference} or MK-0000000000` });
    expect(await shop.pay(receipt)).toMatchObject({ reason: 'reference_unclear' });
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('succeeds if no other charge is in the payer’s name', async () => {
    const receipt = await held();
    const reference = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('succeeds if the payer’s reference is for a different number', async () => {
    const elsewhere = await (await world.createShop()).charge({ amount: 36 });
    const receipt = await held({ reference: elsewhere.slice('MK-'.length) });
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test.each<[string, other: object, object, outcome: object]>([
    ['in the same name', {}, {}, PAID],
    ['in the same name, one with a number', { customer_phone: '0241112222' }, {}, PAID],
    [
      'in the same name, once hyphenated',
      { customer_name: 'Kofi-Mensah Boateng' },
      { customer_name: 'Kofimensah Boateng' },
      PAID,
    ],
    ['with other numbers', { customer_phone: '0241112222' }, { customer_phone: '0241113333' }, UNKNOWN],
    ['with another part of the payer’s name', { customer_name: 'Mensah Boateng' }, {}, UNKNOWN],
    ['of the son', { customer_name: 'Kofi Mensah Jnr' }, {}, UNKNOWN],
    ['of the father', {}, { customer_name: 'Kofi Mensah Jnr' }, UNKNOWN],
  ])('depends on whether another request may be the same parent’s: %s', async (_, other, own, outcome) => {
    const openPart = async (some: object) => {
      const body = {
        title: 'Fees',
        customer_name: 'Kofi Mensah',
        lines: [{ description: 'Fees', amount: 36 }],
        ...some,
      };
      return world.openPart((await shop.call('request/create', { body })).json.data.slug, '36');
    };
    await openPart(other);
    const reference = await openPart(own);
    await world.tell(3);
    expect(await claim(reference, (await held()).id)).toEqual(outcome);
  });

  test.each([
    ['a day before the payment', 2 * DAY_MS, UNKNOWN],
    ['more than a day before the payment', 2 * DAY_MS + 1, PAID],
  ])('depends on the expiry of the other charge: %s', async (_, laterMs, outcome) => {
    await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    world.clock.nowMs += laterMs;
    const receipt = await held();
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(outcome);
  });
});

test('a cancelled charge in the payer’s name blocks claims', async () => {
  const cancelled = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
  expect((await shop.call('transaction/cancel', { parameters: { reference: cancelled } })).status).toBe(200);
  const receipt = await held();
  expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(UNKNOWN);
});

test('a payment with another charge’s reference cannot be claimed', async () => {
  const meant = await shop.charge({ amount: 40 });
  const receipt = mtn({ reference: meant.slice('MK-'.length) });
  expect(await shop.pay(receipt)).toMatchObject({ reference: meant });
  expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(UNKNOWN);
});

test('a payment cannot be claimed if too many charges match', async () => {
  const receipt = await held();
  const said = { amount: 36, customer_name: 'Ama Owusu' };
  const made = Array.from({ length: MAX_CANDIDATES }, () => shop.charge(said));
  const [reference = ''] = await Promise.all(made);
  const more = await shop.charge(said);
  expect(await claim(more, receipt.id)).toEqual(UNKNOWN);
  await shop.pay(mtn({ reference: more, from: 'YAW ADJEI' }));
  expect(await claim(reference, receipt.id)).toEqual(PAID);
});

test('a table error does not count as a wrong claim', async () => {
  const { receipt, reference } = await heldFor36();
  refuse(world, 'TransactWriteItems', 1, () => new Error('The table fails'));
  await expect(claim(reference, receipt.id)).rejects.toThrow('The table fails');
  expect(await claim(reference, receipt.id)).toEqual(PAID);
});

describe('many wrong claims within ten seconds', () => {
  const STRANGER = '198.51.100.7';
  const NAMES = ['Ama Owusu', 'Yaw Adjei', 'Kwame Boateng', 'Esi Addo', 'Kofi Boateng'];

  /** Makes a stranger's wrong claims, each for a new charge. The default name is the payer's. */
  async function guess(claims: number, from: (n: number) => string, nameOf?: (n: number) => string | undefined) {
    const guesses = Array.from({ length: claims }, async (_, n) => {
      const reference = await shop.charge({ amount: 36 });
      world.clock.nowMs += 150;
      return claim(reference, String(90_000_000_000 + n), nameOf?.(n), from(n));
    });
    return Promise.all(guesses);
  }

  test.each([
    ['from one address', () => STRANGER],
    ['from 65 addresses', (n: number) => `198.51.100.${n}`],
  ])('with other names %s do not block a correct claim', async (_, from) => {
    const receipt = await held();
    await guess(65, from, (n) => NAMES[n % NAMES.length]);
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test('do not block a correct claim if one address uses the payer’s name', async () => {
    const receipt = await held();
    const outcomes = await guess(65, () => STRANGER);
    expect(outcomes.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(20);
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test('block claims for an hour if 65 addresses use the payer’s name', async () => {
    world.clock.nowMs = Math.ceil(world.clock.nowMs / HOUR_MS) * HOUR_MS;
    const receipt = await held({ from: 'KOFI MENSAH' });
    const outcomes = await guess(65, (n) => `198.51.100.${n}`);
    expect(outcomes.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(30);
    const waitSeconds = 3600 - Math.floor((world.clock.nowMs % HOUR_MS) / 1000);
    const paused = { outcome: 'paused', waitSeconds };
    // The response does not reveal whether the id is correct.
    const honest = await shop.charge({ amount: 36 });
    expect(await claim(honest, receipt.id)).toEqual(paused);
    expect(await claim(honest, NOBODYS_ID)).toEqual(paused);
    expect(await claim(honest, receipt.id)).toEqual(paused);
    // Other amounts and payers are not blocked.
    const [other, dear] = [mtn({ from: 'AMA OWUSU' }), mtn({ from: 'KOFI MENSAH', amount: '40.00' })];
    for (const one of [other, dear]) await shop.pay(one);
    expect(await claim(await shop.charge({ amount: 36 }), other.id, 'Ama Owusu')).toEqual(PAID);
    expect(await claim(await shop.charge({ amount: 40 }), dear.id)).toEqual(PAID);
    world.clock.nowMs += waitSeconds * 1000;
    expect(await claim(honest, receipt.id)).toEqual(PAID);
  });

  test('do not block a claim with the payer’s full name', async () => {
    const [mine, whole] = [mtn({ from: 'KOFI MENSAH', amount: '40.00' }), mtn()];
    await guess(65, (n) => `198.51.100.${n}`);
    await shop.pay(whole);
    const anybody = await shop.charge({ amount: 36 });
    expect(await claim(anybody, whole.id)).toMatchObject({ outcome: 'paused' });
    expect(await claim(anybody, whole.id, 'Kofi Mensah Boateng')).toEqual(PAID);
    await shop.pay(mine);
    const named = await shop.charge({ amount: 40, customer_name: 'Kofi Mensah' });
    expect(await claim(named, mine.id)).toEqual(PAID);
  });

  test.each([
    ['KOFI MENSAH', 30],
    ['KOFI MENSAH BOATENG', 45],
    ['KOFI MENSAH BOATENG OWUSU', 60],
  ])('with the payer’s name %s are limited to %i per hour', async (name, most) => {
    const words = name.split(' ');
    let guesses = 0;
    for (let n = 0; n < 120; n++) {
      const pair = [words[n % words.length], words[(n + 1 + (n % (words.length - 1))) % words.length]];
      for (const said of [pair.join(' '), name]) {
        const reference = await shop.charge({ amount: 36 });
        const { outcome } = await claim(reference, NOBODYS_ID, said, `203.0.113.${n}`);
        if (outcome === 'unknown') guesses++;
      }
    }
    expect(guesses).toBe(most);
  });

  test('share one limit for partly paid and unpaid charges', async () => {
    await guess(30, (n) => `203.0.113.${n}`);
    const parted = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ amount: '1.00', reference: parted }));
    expect(await claim(parted, NOBODYS_ID)).toMatchObject({ outcome: 'paused' });
  });

  test('share one limit across an IPv6 network', async () => {
    const outcomes = await guess(40, (n) => `2001:db8:1:${n}::${n}`);
    expect(outcomes.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(20);
  });
});

test('a repeated correct claim is subtracted from the wrong ones only once', async () => {
  const receipt = await held();
  for (let n = 0; n < 2; n++) await claim(await shop.charge({ amount: 36 }), NOBODYS_ID);
  const usual = world.dynamoDb;
  world.dynamoDb = async ({ input }, send) => {
    await send();
    if (!JSON.stringify(input).includes('wrong > :none')) return;
    world.dynamoDb = usual;
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  };
  expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  expect(world.dynamoDb).toBe(usual);
  const counted = (await world.rows('CLAIM_HOUR')).filter(({ pk }) => String(pk).includes(shop.number));
  expect(counted.map(({ wrong }) => wrong)).toEqual([2]);
});

test('counters for wrong claims contain no personal data', async () => {
  await claim(await shop.charge({ amount: 36 }), NOBODYS_ID, 'Kwaku Ananse', '203.0.113.99');
  const counted = (await world.rows('CLAIM_HOUR')).filter(({ pk }) => String(pk).includes(shop.number));
  expect(counted).toHaveLength(1);
  expect(JSON.stringify(counted)).not.toMatch(/203\.0\.113|KWAKU|ANANSE/);
  expect(Object.keys(counted[0] ?? {}).filter((name) => name.startsWith('from_'))).toEqual([
    expect.stringMatching(/^from_[0-9a-f]{4}$/),
  ]);
});

test('a wrong claim counts towards at most six words of a name', async () => {
  const charge = await world.chargeRow(await shop.charge({ amount: 36 }));
  const payers = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
  const [counters = [], ...others] = countersOf(world.outside, charge, { payers, sourceIp: '192.0.2.1' });
  expect([counters.length, others.length]).toEqual([6, 0]);
  for (const { key } of counters) expect(key.sk).toMatch(/^CLAIM_HOUR#[0-9a-f]{32}$/);
});

test('the total number of claims for a charge is counted', async () => {
  const reference = await shop.charge({ amount: 36 });
  expect(await claimTries(world.outside, reference)).toBeUndefined();
  await claim(reference, NOBODYS_ID);
  world.clock.nowMs += WINDOW_MS;
  await claim(reference, NOBODYS_ID);
  expect(await claimTries(world.outside, reference)).toBe(2);
});

test('counters for wrong claims expire', async () => {
  await claim(await shop.charge({ amount: 36 }), NOBODYS_ID);
  const nowSeconds = world.clock.nowMs / 1_000;
  for (const [kind, leastSeconds] of [
    ['CLAIM', 7 * 24 * 60 * 60],
    ['CLAIM_HOUR', 60 * 60],
  ] as const) {
    const ends = (await world.rows(kind)).map((row) => Number(row.expires_at_epoch_seconds) - nowSeconds);
    expect(Math.max(...ends)).toBeGreaterThan(leastSeconds);
    expect(Math.max(...ends)).toBeLessThan(leastSeconds * 3);
  }
});

/** Claims a payment through the checkout page's form. */
async function claim(reference: string, transactionId: string, name?: string, sourceIp?: string) {
  return claimAt(await world.chargeRow(reference), transactionId, name, sourceIp);
}

/** Claims a payment from an outdated page. */
async function claimAt(charge: Charge, transactionId: string, name = 'Kofi Mensah', sourceIp = '192.0.2.1') {
  const nameWords = matchableName(name);
  if (!nameWords) throw new Error(`${name} is not matched`);
  const payments = claimedPayments(charge, transactionId);
  return claimPayment(world.outside, charge, { payments, nameWords, sourceIp });
}

/** Receives an unmatched payment to the shop and returns its receipt. */
async function held(said: Parameters<typeof mtn>[0] = {}) {
  const receipt = mtn(said);
  await shop.pay(receipt);
  return receipt;
}

/** Creates a held payment of 36 and a charge for the same amount. */
async function heldFor36() {
  return { receipt: await held(), reference: await shop.charge({ amount: 36 }) };
}

/** Returns the number of receipts that an action looks up. */
async function looksOf(happens: () => Promise<unknown>): Promise<number> {
  let looks = 0;
  world.dynamoDb = async ({ command, input }, send) => {
    if (command === 'BatchGetItem' && JSON.stringify(input).includes('"RECEIPT#MTN-unknown-')) looks++;
    await send();
  };
  await happens();
  world.dynamoDb = (_, send) => send();
  return looks;
}

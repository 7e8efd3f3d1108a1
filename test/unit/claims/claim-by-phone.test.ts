import { beforeEach, describe, expect, test } from 'vitest';
import { codeText, payByCode, requestCode } from '../../../shared/money/claims/claim-by-phone.ts';
import { MAX_CODE_TRIES, MAX_CODES_OF_PAYMENT } from '../../../shared/money/claims/phone-code.table.ts';
import { senderRows } from '../../../shared/phones/sender/sender.table.ts';
import { ANSWER_TAKES_MS } from '../../../shared/runtime/outside/same-timing.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';
import { OPERATOR } from '../../../shared/texts/sms/send.table.ts';
import { expectNoCode } from '../../support/answers.ts';
import { refuse } from '../../support/disturb.ts';
import { fromTelecel, mtn, newNumber, newPayerNumber, placeNumber, reversal, telecel } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';

const HEARD = { isHeard: true };
const SENDER = '+233240009999';

const world = await scene();
await world.createSender(SENDER);
let shop: Shop;
/** The payer's number, in local and in international format. */
let payer: string;
let phone: string;
/** Client IP address. */
let sourceIp: string;
beforeEach(async () => {
  shop = await world.createShop();
  payer = newPayerNumber();
  phone = `+${payer}`;
  sourceIp = '192.0.2.1';
});

describe('a claim code for a payment from another network', () => {
  test('pays the charge without revealing the payer’s number', async () => {
    const receipt = await paidElsewhere();
    const reference = await shop.charge({ amount: 36 });
    expect(await request(reference)).toEqual(HEARD);
    expect(await confirm(reference, await codeOf(phone))).toBe(true);
    expect(await shop.verified(reference)).toMatchObject({
      status: 'success',
      payment: { transaction_id: receipt.id, matched_by: 'phone', payer_phone: null },
    });
    const matched = { state: 'matched', matched_by: 'phone', reference, said_phone: phone };
    expect(await shop.receipt(receipt)).toMatchObject(matched);
    expect(await shop.listed('matched')).toMatchObject([{ payer_phone: null }]);
  });

  test('is sent to the payer’s number in one SMS', async () => {
    await asked();
    const sent = await textsTo(phone);
    expect(sent).toMatchObject([{ to: [phone], from: SENDER }]);
    expect(sent[0]?.message).toMatch(
      /^\d{6} is your code to confirm GHS 36\.00 to Ama Stores\. Nobody from the shop or the network will ask you for it\.$/,
    );
    for (const field of ['merchant_id', 'gsi1pk', 'gsi1sk']) expect(sent[0]).not.toHaveProperty(field);
  });

  test('is sent to the number in the network’s text', async () => {
    const telecelShop = await world.createShop({ network: 'TELECEL' });
    await telecelShop.pay(telecel({ phone: payer }));
    const reference = await telecelShop.charge({ amount: 36 });
    await request(reference);
    expect(await confirm(reference, await codeOf(phone))).toBe(true);
  });

  test('pays a charge whose outstanding amount equals the payment', async () => {
    const reference = await shop.charge({ amount: 40 });
    await shop.pay(mtn({ amount: '4.00', reference }));
    await paidElsewhere();
    await request(reference);
    expect(await confirm(reference, await codeOf(phone))).toBe(true);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 40 });
  });

  test.each([
    ['36.00', '40.00'],
    ['40.00', '36.00'],
  ])('is for the newest payment of either the full or the outstanding amount: %s, then %s', async (first, second) => {
    const reference = await shop.charge({ amount: 40 });
    await shop.pay(mtn({ amount: '4.00', reference }));
    for (const amount of [first, second]) {
      await shop.pay(byPayer({ amount }));
      world.clock.nowMs += 1_000;
    }
    await request(reference);
    expect((await textsTo(phone))[0]?.message).toContain(`to confirm GHS ${second} to`);
  });

  test('pays the charge with the payment that it was sent for', async () => {
    const { receipt, reference, code } = await asked();
    world.clock.nowMs += 1_000;
    const newer = await paidElsewhere();
    expect(await confirm(reference, code)).toBe(true);
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'matched', reference });
    expect(await shop.receipt(newer)).toMatchObject({ state: 'held' });
  });

  test.each([
    [2, true],
    [3, false],
  ])('works if the payer has made %i newer payments (%s)', async (count, is) => {
    const { reference, code } = await asked();
    world.clock.nowMs += 1_000;
    for (let n = 0; n < count; n++) await paidElsewhere();
    expect(await confirm(reference, code)).toBe(is);
  });

  test.each([
    ['1.00', 1],
    ['0.99', 0],
  ])('is sent for a payment of at least a cedi: %s', async (amount, texts) => {
    await shop.pay(byPayer({ amount }));
    await request(await shop.charge({ amount: Number(amount) }));
    expect(await textsTo(phone)).toHaveLength(texts);
  });

  test('is sent only if the payment came through the network of the number that received it', async () => {
    const other = newNumber();
    await placeNumber(world.outside, other);
    const accounts = [
      { number: shop.number, network: 'MTN' as const, account_name: 'A' },
      { number: other, network: 'TELECEL' as const, account_name: 'A' },
    ];
    await shop.change({ momo_accounts: accounts });
    const reference = await shop.charge({ amount: 36 });
    await shop.arrive(telecel({ phone: payer }));
    await request(reference);
    expect(await textsTo(phone)).toEqual([]);
    await paidElsewhere();
    await request(reference);
    expect(await textsTo(phone)).toHaveLength(1);
  });

  test('pays the payer’s charge despite an open charge in the same name', async () => {
    await shop.charge({ amount: 36, customer_name: 'Kofi Mensah', email: 'one@example.com' });
    const reference = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah', email: 'two@example.com' });
    expect(await shop.pay(byPayer())).toMatchObject({ reason: 'several_fit' });
    await request(reference);
    expect(await confirm(reference, await codeOf(phone))).toBe(true);
  });

  test('works again for the payer’s second payment', async () => {
    for (let n = 0; n < 2; n++) {
      await paidElsewhere();
      const reference = await shop.charge({ amount: 36 });
      await request(reference);
      expect(await confirm(reference, await codeOf(phone))).toBe(true);
    }
  });
});

describe('code requests that send no code', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['the number has paid nothing', async () => undefined],
    ['the payment has another amount', () => shop.pay(byPayer({ amount: '35.99' }))],
    ['the payment came from another number', () => shop.pay(fromTelecel({ phone: newPayerNumber() }))],
    ['the payment went to another merchant’s number', async () => (await world.createShop()).pay(byPayer())],
    [
      'the payment belongs to another merchant on the same number',
      async () => {
        await paidElsewhere();
        shop = await world.createShop({ number: shop.number });
      },
    ],
    ['the payment belongs to another network on the same number', () => shop.arrive(telecel({ phone: payer }))],
    [
      'the payment has paid another charge',
      async () => shop.pay(byPayer({ reference: await shop.charge({ amount: 36 }) })),
    ],
    [
      'the payment has another charge’s reference',
      async () => {
        const meant = await shop.charge({ amount: 30 });
        await shop.pay(mtn({ amount: '30.00', reference: meant }));
        await shop.pay(byPayer({ reference: meant }));
      },
    ],
    [
      'the payment has another charge’s reference with a missing digit',
      async () => {
        const meant = await shop.charge({ amount: 36, customer_name: 'Ama Owusu' });
        await shop.pay(byPayer({ reference: meant.slice(0, -1) }));
      },
    ],
    [
      'the payment has an expired charge’s reference',
      async () => {
        const meant = await shop.charge({ amount: 36 });
        world.clock.nowMs += DAY_MS + MINUTE_MS;
        const receipt = await shop.pay(byPayer({ reference: meant }));
        expect(receipt).toMatchObject({ reason: 'charge_expired' });
      },
    ],
    [
      'the payment has an expired charge’s reference with a missing digit',
      async () => {
        const meant = await shop.charge({ amount: 36, customer_name: 'Ama Owusu' });
        world.clock.nowMs += DAY_MS + 60 * MINUTE_MS;
        const receipt = await shop.pay(byPayer({ reference: meant.slice(3, -1) }));
        expect(receipt).toMatchObject({ reason: 'no_charge' });
      },
    ],
    [
      'the payment was reversed',
      async () => {
        const receipt = await paidElsewhere();
        await shop.arrive(reversal(receipt.id));
      },
    ],
    [
      'two texts about the payment differ',
      async () => {
        const receipt = await paidElsewhere();
        await shop.arrive(byPayer({ id: receipt.id, amount: '36.00', from: 'EVE THIEF' }));
      },
    ],
    [
      'the payment is more than half an hour older than the charge',
      async () => {
        await paidElsewhere();
        world.clock.nowMs += 30 * MINUTE_MS + 1;
      },
    ],
    [
      'the text contains a landline number',
      async () => {
        payer = '233302123456';
        phone = `+${payer}`;
        await paidElsewhere();
      },
    ],
  ])('get the usual response if %s', async (_, given) => {
    await given();
    const reference = await shop.charge({ amount: 36 });
    expect(await timed(request(reference))).toEqual({ outcome: HEARD, tookMs: ANSWER_TAKES_MS });
    expect(await textsTo(phone)).toEqual([]);
  });

  test('include requests for a payment with a contradictory text', async () => {
    const { receipt, reference, code } = await asked();
    const elsewhere = byPayer({ id: receipt.id, amount: '36.00', from: 'EVE THIEF' });
    await shop.arrive({ ...elsewhere, recipient: null, simNumber: 2 });
    const texts = await textsTo(phone);
    expect(await shop.receipt(receipt)).not.toHaveProperty('reason', 'conflict');
    await request(await shop.charge({ amount: 36 }));
    expect(await textsTo(phone)).toEqual(texts);
    // An earlier code does not work either.
    expect(await confirm(reference, code)).toBe(false);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('include requests for a disputed charge', async () => {
    const reference = await shop.charge({ amount: 40 });
    const part = mtn({ amount: '4.00', reference });
    await shop.pay(part);
    await shop.arrive(mtn({ amount: '5.00', reference, id: part.id }));
    await paidElsewhere();
    expect(await request(reference)).toEqual(HEARD);
    expect(await textsTo(phone)).toEqual([]);
  });
});

describe('the response to a code request', () => {
  test('is identical whether or not a code is sent', async () => {
    await paidElsewhere();
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await timed(request(await shop.charge({ amount: 36 }))));
    phone = `+${newPayerNumber()}`;
    answers.push(await timed(request(await shop.charge({ amount: 36 }))));
    expect(answers).toEqual(Array.from({ length: 5 }, () => ({ outcome: HEARD, tookMs: ANSWER_TAKES_MS })));
  });

  test('takes the same time during concurrent writes', async () => {
    await paidElsewhere();
    const reference = await shop.charge({ amount: 36 });
    const outcome = await whileBusy('TransactWriteItems', 'TransactionInProgressException', () => request(reference));
    expect(outcome).toEqual(HEARD);
  });

  test('is identical if no sender is available', async () => {
    const receipt = await paidElsewhere();
    const reference = await shop.charge({ amount: 36 });
    await world.switchSender(SENDER, false);
    world.clock.nowMs += 5_000;
    const outcome = await timed(request(reference));
    await world.switchSender(SENDER, true);
    world.clock.nowMs += 5_000;
    expect(outcome).toEqual({ outcome: HEARD, tookMs: ANSWER_TAKES_MS });
    expect(await textsTo(phone)).toEqual([]);
    const row = await codeRow(shop.paymentId(receipt));
    expect(row).toHaveProperty('no_sender_at');
    // An unsent code does not count towards the limit of three.
    expect(row).not.toHaveProperty('codes');
    await request(reference);
    expect(await confirm(reference, await codeOf(phone))).toBe(true);
  });

  test('is identical if the sender’s queue is full', async () => {
    const receipt = await paidElsewhere();
    const reference = await shop.charge({ amount: 36 });
    const setFull = (full_until_ms: Readonly<Record<string, number>>) =>
      world.outside.table.write([senderRows.change({ number: SENDER }, { full_until_ms })]);
    await setFull({ [OPERATOR]: world.clock.nowMs + MINUTE_MS });
    world.clock.nowMs += 5_000;
    expect(await timed(request(reference))).toEqual({ outcome: HEARD, tookMs: ANSWER_TAKES_MS });
    await setFull({});
    world.clock.nowMs += 5_000;
    expect(await textsTo(phone)).toEqual([]);
    expect(await codeRow(shop.paymentId(receipt))).toHaveProperty('no_sender_at');
  });

  test('is identical during a concurrent write of the code', async () => {
    const { reference, code } = await asked();
    const confirmed = whileBusy('UpdateItem', 'TransactionConflictException', () => confirm(reference, code));
    expect(await confirmed).toBe(false);
    expect(await confirm(reference, code)).toBe(true);
  });

  test('is identical if no code is sent because of a table error, which is logged', async () => {
    await paidElsewhere();
    const reference = await shop.charge({ amount: 36 });
    world.logged.length = 0;
    refuse(world, 'TransactWriteItems', 1, () => new Error('The table fails'));
    expect(await request(reference)).toEqual(HEARD);
    expect(notSent()).toMatchObject([{ reference, error: expect.any(Error) }]);
  });

  test('is not logged as an error if there is no payment, no code is left or writes conflict', async () => {
    world.logged.length = 0;
    await request(await shop.charge({ amount: 36 }));
    const receipt = await paidElsewhere();
    for (let n = 0; n < 4; n++) await request(await shop.charge({ amount: 36 }));
    const reference = await shop.charge({ amount: 36 });
    await whileBusy('TransactWriteItems', 'TransactionInProgressException', () => request(reference));
    expect(notSent()).toEqual([]);
    expect(await codeRow(shop.paymentId(receipt))).not.toHaveProperty('no_sender_at');
  });

  test('takes the same time for a wrong code and a missing code', async () => {
    await paidElsewhere();
    const reference = await shop.charge({ amount: 36 });
    expect(await timed(confirm(reference, '000000'))).toEqual({ outcome: false, tookMs: ANSWER_TAKES_MS });
    await request(reference);
    const wrong = otherThan(await codeOf(phone));
    expect(await timed(confirm(reference, wrong))).toEqual({ outcome: false, tookMs: ANSWER_TAKES_MS });
  });

  test('is the same as for a wrong code if another merchant used the payment’s id', async () => {
    const { receipt, reference, code } = await asked();
    const rival = await world.createShop();
    const theirs = await rival.charge({ amount: 5 });
    expect(await rival.pay(mtn({ id: receipt.id, amount: '5.00', reference: theirs }))).toMatchObject({
      state: 'matched',
    });
    expect(await timed(confirm(reference, code))).toEqual({ outcome: false, tookMs: ANSWER_TAKES_MS });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });
});

describe('the limits on claim codes', () => {
  test('allow three codes per payment', async () => {
    const receipt = await paidElsewhere();
    const references = await Promise.all(Array.from({ length: 6 }, () => shop.charge({ amount: 36 })));
    await Promise.all(references.map(request));
    expect(await textsTo(phone)).toHaveLength(MAX_CODES_OF_PAYMENT);
    // The limit per payment outlasts the limit per number.
    world.clock.nowMs += 20 * MINUTE_MS;
    const later = await shop.charge({ amount: 36 });
    world.clock.nowMs += DAY_MS - 10 * MINUTE_MS;
    await request(later);
    expect(await textsTo(phone)).toHaveLength(MAX_CODES_OF_PAYMENT);
    expect(await codeRow(shop.paymentId(receipt))).toMatchObject({ codes: MAX_CODES_OF_PAYMENT });
  });

  test('allow three codes per phone number in 24 hours', async () => {
    const ask = async () => {
      const another = await world.createShop();
      await another.pay(byPayer());
      await request(await another.charge({ amount: 36 }));
      return (await textsTo(phone)).length;
    };
    expect([await ask(), await ask()]).toEqual([1, 2]);
    world.clock.nowMs += 60 * MINUTE_MS;
    expect([await ask(), await ask()]).toEqual([3, 3]);
    world.clock.nowMs += DAY_MS - 60 * MINUTE_MS - 1_000;
    expect(await ask()).toBe(3);
    world.clock.nowMs += 2_000;
    // Two of the three codes have left the 24-hour window.
    expect([await ask(), await ask(), await ask()]).toEqual([4, 5, 5]);
  });

  test('allow three texts to a number that someone else enters as the reference', async () => {
    for (let n = 0; n < 5; n++) {
      await shop.pay(mtn({ from: 'EVE THIEF', reference: `EVE THIEF ,${payer},shoes from VODAFONE` }));
      await request(await shop.charge({ amount: 36 }));
    }
    expect(await textsTo(phone)).toHaveLength(3);
  });

  test('allow five requests per charge in ten minutes', async () => {
    // Start on a full second, because waits are rounded to seconds.
    world.clock.nowMs += 1_000 - (world.clock.nowMs % 1_000);
    const reference = await shop.charge({ amount: 36 });
    for (let n = 0; n < 5; n++) {
      phone = `+${newPayerNumber()}`;
      expect(await request(reference)).toEqual(HEARD);
    }
    expect(await request(reference)).toEqual({ refusedBy: 'charge', waitSeconds: 600 });
  });

  test('allow fifteen failed requests per number per hour', async () => {
    await paidElsewhere();
    const mine = await shop.charge({ amount: 36 });
    await request(mine);
    await confirm(mine, await codeOf(phone));
    const refused = { refusedBy: 'payer', waitSeconds: expect.any(Number) };
    for (const [address, left] of [
      ['192.0.2.1', 10],
      ['192.0.2.2', 5],
      ['192.0.2.3', 0],
    ] as const) {
      sourceIp = address;
      for (let n = 0; n < left; n += 5) {
        const guesses = await shop.charge({ amount: 36 });
        for (let k = 0; k < 5; k++) expect(await request(guesses)).toEqual(HEARD);
      }
      const more = await shop.charge({ amount: 36 });
      for (let n = 0; n < 2; n++) expect(await request(more)).toEqual(HEARD);
      expect(await request(more)).toEqual(refused);
    }
    // Other numbers have their own limits.
    phone = `+${newPayerNumber()}`;
    const another = await shop.charge({ amount: 36 });
    for (let n = 0; n < 5; n++) expect(await request(another)).toEqual(HEARD);
  });
});

describe('the validity of a claim code', () => {
  test('ends after five attempts', async () => {
    const { receipt, reference, code } = await asked();
    const wrong = otherThan(code);
    const guesses = Array.from({ length: 12 }, (_, n) => confirm(reference, n < 11 ? wrong : otherThan(wrong, code)));
    expect(await Promise.all(guesses)).toEqual(guesses.map(() => false));
    expect(await codeRow(shop.paymentId(receipt))).toMatchObject({ tries: MAX_CODE_TRIES });
    expect(await confirm(reference, code)).toBe(false);
  });

  test.each([
    [false, 10 * MINUTE_MS],
    [true, 10 * MINUTE_MS - 1_000],
  ])('is ten minutes: valid=%s after %i ms', async (isPaid, laterMs) => {
    const { reference, code } = await asked();
    world.clock.nowMs += laterMs;
    expect(await confirm(reference, code)).toBe(isPaid);
  });

  test('ends when a code for a newer payment is sent for the charge', async () => {
    const { reference, code: first } = await asked();
    world.clock.nowMs += 1_000;
    const newer = await paidElsewhere();
    await request(reference);
    const second = await codeOf(phone);
    if (first !== second) expect(await confirm(reference, first)).toBe(false);
    // The table returns rows in any order.
    const { table } = world.outside;
    const getMany: typeof table.getMany = async (keys) => (await table.getMany(keys)).toReversed();
    const outside = { ...world.outside, table: { ...table, getMany } };
    expect(await payByCode(outside, await world.chargeRow(reference), { phone, sourceIp }, second)).toBe(true);
    expect(await shop.receipt(newer)).toMatchObject({ state: 'matched' });
  });

  test('ends when a newer code is sent', async () => {
    const { reference, code: first } = await asked();
    for (let n = 0; n < 4; n++) await confirm(reference, otherThan(first));
    await request(reference);
    const second = await codeOf(phone);
    expect(await confirm(reference, otherThan(second))).toBe(false);
    if (first !== second) expect(await confirm(reference, first)).toBe(false);
    expect(await confirm(reference, second)).toBe(true);
  });

  test('is limited to the requested charge', async () => {
    const thiefs = await shop.charge({ amount: 36 });
    const { receipt, reference, code } = await asked();
    for (let n = 0; n < 6; n++) expect(await confirm(thiefs, code)).toBe(false);
    expect(await codeRow(shop.paymentId(receipt))).toMatchObject({ tries: 0 });
    expect(await confirm(reference, code)).toBe(true);
  });

  test('is limited to the number that received the code', async () => {
    const { reference, code } = await asked();
    const another = newPayerNumber();
    await shop.pay(fromTelecel({ phone: another }));
    phone = `+${another}`;
    expect(await confirm(reference, code)).toBe(false);
  });

  test('ends when the payment gets a code for a second charge', async () => {
    const { reference: first, code: ofFirst } = await asked();
    const second = await shop.charge({ amount: 36 });
    await request(second);
    expect(await confirm(first, ofFirst)).toBe(false);
    expect(await confirm(second, await codeOf(phone))).toBe(true);
  });

  test('ends when the code is used', async () => {
    const { receipt, reference, code } = await asked();
    expect(await Promise.all([confirm(reference, code), confirm(reference, code)])).toEqual([true, true]);
    expect(await shop.listed('matched')).toHaveLength(1);
    expect(await codeRow(shop.paymentId(receipt))).not.toHaveProperty('code_hash');
    const another = await shop.charge({ amount: 36 });
    expect(await confirm(another, code)).toBe(false);
  });
});

describe('confirming a claim code', () => {
  test.each(['UpdateItem', 'TransactWriteItems'])('fails if the table fails at %s', async (command) => {
    const { reference, code } = await asked();
    const usual = world.dynamoDb;
    refuse(world, command, 1, () => new Error('The table fails'));
    await expect(confirm(reference, code)).rejects.toThrow('The table fails');
    world.dynamoDb = usual;
    expect(await confirm(reference, code)).toBe(true);
  });

  test('succeeds with any code once the charge is paid', async () => {
    const { receipt, reference, code } = await asked();
    await shop.pay(mtn({ reference }));
    for (const typed of [otherThan(code), code]) expect(await confirm(reference, typed)).toBe(true);
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
  });

  test('counts its request as wrong until the correct code is entered', async () => {
    const { reference, code } = await asked();
    const wrong = async () =>
      (await world.rows('CLAIM_HOUR')).flatMap((row) => (String(row.pk).includes(shop.number) ? [row.wrong] : []));
    await confirm(reference, otherThan(code));
    expect(await wrong()).toEqual([1]);
    await confirm(reference, code);
    expect(await wrong()).toEqual([0]);
  });

  test.each<[string, (receipt: ReturnType<typeof fromTelecel>) => Promise<unknown>]>([
    ['the payment was reversed', (receipt) => shop.arrive(reversal(receipt.id))],
    ['another text contradicts the payment', ({ id }) => shop.arrive(byPayer({ id, from: 'EVE THIEF' }))],
  ])('does not pay the charge if %s', async (_, happens) => {
    for (const isLate of [false, true]) {
      shop = await world.createShop();
      payer = newPayerNumber();
      phone = `+${payer}`;
      const { receipt, reference, code } = await asked();
      if (isLate) world.rightBefore('TransactWriteItems', () => happens(receipt));
      else await happens(receipt);
      expect(await confirm(reference, code)).toBe(false);
      expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    }
  });

  test('does not pay the charge if a newer code is sent concurrently', async () => {
    const { reference, code } = await asked();
    const another = await shop.charge({ amount: 36 });
    world.rightBefore('TransactWriteItems', () => request(another));
    expect(await confirm(reference, code)).toBe(false);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('holds the payment if the charge is paid first', async () => {
    const { receipt, reference, code } = await asked();
    world.rightBefore('TransactWriteItems', () => shop.pay(mtn({ reference })));
    expect(await confirm(reference, code)).toBe(true);
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
  });
});

test('a claim code is stored as a hash and expires', async () => {
  const { receipt, code } = await asked();
  const row = await codeRow(shop.paymentId(receipt));
  expectNoCode(Object.values(row ?? {}), code);
  const [text] = await textsTo(phone);
  const number = (await world.rows('NUMBER')).find(({ pk }) => pk === `CODE#${phone}`);
  for (const [kept, wholeDays] of [
    [row, 8],
    [text, 8],
    [number, 2],
  ] as const) {
    const days = (Number(kept?.expires_at_epoch_seconds) * 1000 - world.clock.nowMs) / DAY_MS;
    expect(Math.round(days)).toBe(wholeDays);
  }
});

test('the claim code’s text shows the amount and the shop', () => {
  expect(codeText('012345', { merchant_name: 'Ama Stores' }, 123_450)).toBe(
    '012345 is your code to confirm GHS 1,234.50 to Ama Stores. Nobody from the shop or the network will ask you for it.',
  );
});

test.each([
  ['Ɛdwɔm Café', 'Edwom Cafe'],
  ['Shop 😀 of `Ama`', 'Shop of Ama'],
  ['Two\nlines', 'Two lines'],
  ['商店', 'the shop'],
  ['A'.repeat(200), 'A'.repeat(53)],
  ['{[~]}'.repeat(40), `${'{[~]}'.repeat(5)}{`],
])('the claim code’s text fits into one SMS if the shop’s name is %s', (merchant_name, shown) => {
  const text = codeText('012345', { merchant_name }, 10_000_000);
  expect(sizeOf(text)).toEqual({ segments: 1, encoding: 'GSM-7' });
  expect(text).toContain(` to ${shown}. Nobody`);
});

/** Returns a receipt of the other network for a payment by `payer`. */
const byPayer = (receipt: Parameters<typeof fromTelecel>[0] = {}) => fromTelecel({ phone: payer, ...receipt });

/** Receives an unmatched payment from the other network and returns its receipt. */
async function paidElsewhere() {
  const receipt = byPayer();
  await shop.pay(receipt);
  return receipt;
}

/** Creates a charge whose customer has paid and received a code. */
async function asked() {
  const receipt = await paidElsewhere();
  const reference = await shop.charge({ amount: 36 });
  await request(reference);
  return { receipt, reference, code: await codeOf(phone) };
}

async function request(reference: string) {
  const outcome = await requestCode(world.outside, await world.chargeRow(reference), { phone, sourceIp });
  world.clock.nowMs += 1;
  return outcome;
}

async function confirm(reference: string, code: string) {
  return payByCode(world.outside, await world.chargeRow(reference), { phone, sourceIp }, code);
}

/** Returns the outcome of `act` while DynamoDB rejects the given command. */
async function whileBusy<Outcome>(command: string, name: string, act: () => Promise<Outcome>): Promise<Outcome> {
  const usual = world.dynamoDb;
  refuse(world, command, Number.POSITIVE_INFINITY, () => Object.assign(new Error(), { name }));
  const outcome = await act();
  world.dynamoDb = usual;
  return outcome;
}

/** Returns the fields of each error logged about a code that was not sent. */
function notSent() {
  return world.logged.flatMap(({ event, fields }) => (event === 'code_not_sent' ? [fields] : []));
}

async function timed(asks: Promise<unknown>) {
  world.slept.length = 0;
  return { outcome: await asks, tookMs: world.slept.at(-1) };
}

/** Returns the texts sent to a number, newest first. */
async function textsTo(number: string) {
  const texts = (await world.rows('SEND')).filter(({ to }) => Array.isArray(to) && to.includes(number));
  return texts.toSorted((a, b) => (String(a.created_at) < String(b.created_at) ? 1 : -1));
}

/** Returns the code in the newest text to a number. */
async function codeOf(number: string): Promise<string> {
  const [newest] = await textsTo(number);
  const [code] = /^\d{6}(?= is your code)/.exec(String(newest?.message)) ?? [];
  if (!code) throw new Error('No code was sent');
  return code;
}

async function codeRow(receiptId: string) {
  return (await world.rows('CODE')).find(({ pk }) => pk === `CODE#${receiptId}`);
}

/** Returns six digits that differ from these codes. */
function otherThan(...codes: string[]): string {
  return ['000000', '111111', '222222'].find((code) => !codes.includes(code)) ?? '';
}

import { beforeEach, describe, expect, test } from 'vitest';
import { type Payment, paymentsOf } from '../../../shared/money/payment/payment.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { assignUnassignedReceipt } from '../../support/actions.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { expectFailure } from '../../support/envelope.ts';
import { chargeRow, mtn } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';
import { setCharge } from '../checkout/charges.ts';

// An unverified payment of GHS 900, and a bill of GHS 900 with a stock code.

const LOOK_FIRST = 'Check your MoMo balance first';

let world: Scene;
let shop: Shop;
let manager: Person;
let reference: string;
let text: ReturnType<typeof mtn>;
let path: string;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  manager = await shop.signIn('manager');
  const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 900, codes: ['CODE-1'] } });
  reference = (await world.openLink(json.data.slug)).reference;
  text = mtn({ amount: '900.00', reference: 'goods' });
  await shop.pay(text);
  path = `/dashboard/held/${shop.paymentId(text)}/give`;
});

describe('assigning an unverified payment', () => {
  test('sends the code of an expired bill that was in doubt, as the form says', async () => {
    await setCharge(world, { reference }, { state: 'expired', disputed: { at: world.iso(), why: 'conflict' } });
    const { text: page } = await manager.visit(path, { query: { reference } });
    expectWords(page, ['A code of “Router” will be sent at once'], ['stays on hold']);
    expect((await manager.visit(path, { form: { reference, shown: 'unverified' } })).status).toBe(303);
    await world.tell(8);
    expect(await goods()).toBe('given');
  });

  test('asks the user to check the wallet first', async () => {
    const { text: page } = await manager.visit(path, { query: { reference } });
    expectWords(page, ['Not verified', LOOK_FIRST, 'A code of “Router” will be sent at once'], ['Yes, match']);
    expect(page.indexOf(LOOK_FIRST)).toBeLessThan(page.indexOf('will be sent at once'));
    expect(page).toContain('The money is there: match GHS\u00a0900.00');
  });

  test('releases the code and records the confirmation', async () => {
    const { status } = await give();
    await world.tell(8);
    expect({ status, goods: await goods() }).toEqual({ status: 303, goods: 'given' });
    expect(await looked()).toEqual([manager.user.user_id]);
    const [entry] = await shop.audit(/receipt assign/);
    expect(entry).toMatchObject({ by: manager.user.user_id, after: { reference, shown: 'unverified' } });
  });

  test('sends the code of a bill that was accepted for too little, as the form says', async () => {
    const small = mtn({ amount: '300.00', reference: 'deposit' });
    await shop.pay(small);
    await manager.visit(`/dashboard/held/${shop.paymentId(small)}/give`, {
      form: { reference, shown: 'unverified', counts_as: 'full', still_due: '60000' },
    });
    await world.tell(8);
    expect(await goods()).toBe('to_release');
    const rest = mtn({ amount: '600.00', reference: 'the rest' });
    await shop.pay(rest);
    const at = `/dashboard/held/${shop.paymentId(rest)}/give`;
    const { text: page } = await manager.visit(at, { query: { reference } });
    expectWords(page, ['A code of “Router” will be sent at once'], ['does not change what you hand over']);
    expect((await manager.visit(at, { form: { reference, shown: 'unverified' } })).status).toBe(303);
    await world.tell(8);
    expect(await goods()).toBe('given');
  });

  test.each([
    ['showed the payment as verified', { shown: 'verified' }],
    ['did not show a verification state', {}],
  ])('is rejected if the page %s', async (_, shown) => {
    const answer = await manager.visit(path, { form: { reference, ...shown } });
    expectAnswer(answer, 409, 'Check it again', LOOK_FIRST, 'name="shown" value="unverified"');
    expect(await goods()).toBe('unpaid');
  });

  test('must be confirmed again after a conflicting text', async () => {
    const before = await shown();
    await shop.pay(mtn({ amount: '900.00', reference: 'goods', from: 'AMA OWUSU', id: text.id }));
    expectAnswer(await give(before), 409, 'Check it again', 'In doubt', 'value="contradicted"');
    expect(await goods()).toBe('unpaid');
    expect((await give()).status).toBe(303);
    await world.tell(8);
    expect(await goods()).toBe('given');
  });

  test('says that a reversed payment stays in the wallet’s list', async () => {
    const words = 'your wallet’s list shows both the payment and its reversal';
    expect((await manager.visit(path, { query: { reference } })).text).not.toContain(words);
    await tellsOfReversal('will be');
    await conflicts('AMA OWUSU');
    for (const at of [path, path.replace('/give', '')])
      expect((await manager.visit(at, { query: { reference } })).text).toContain(words);
  });

  const conflicts = (from: string) => shop.pay(mtn({ amount: '900.00', from, id: text.id }));
  const tellsOfReversal = (tense: string) =>
    shop.arrive({ sender: 'MobileMoney', text: `Transaction ${text.id} of GHS 900.00 ${tense} reversed.` });

  test.each([
    ['another conflicting text', () => conflicts('AMA OWUSU'), () => conflicts('EVE ANKRAH')],
    ['a text about its reversal', () => conflicts('AMA OWUSU'), () => tellsOfReversal('will be')],
    ['another text about its reversal', () => tellsOfReversal('will be'), () => tellsOfReversal('may be')],
  ])('must be confirmed again after %s about a payment in doubt', async (_, isDoubted, arrives) => {
    await isDoubted();
    const seen = { shown: await shown(), doubts: await doubts() };
    world.clock.nowMs += 1_000;
    await arrives();
    expectAnswer(await manager.visit(path, { form: { reference, ...seen } }), 409, 'Check it again');
    const form = { reference, shown: await shown(), doubts: await doubts() };
    expect((await manager.visit(path, { form })).status).toBe(303);
  });
});

describe('an open bill with an unverified part', () => {
  test('sends its code as the form says if a verified payment of the whole amount is matched', async () => {
    await shop.pay(mtn({ amount: '600.00', reference }));
    await verifyReceipt(text);
    expectWords((await manager.visit(path, { query: { reference } })).text, [
      'A code of “Router” will be sent at once',
    ]);
    expect((await manager.visit(path, { form: { reference, shown: 'verified' } })).status).toBe(303);
    await world.tell(8);
    expect(await goods()).toBe('given');
  });
});

describe('a bill that ended with a part payment', () => {
  const end = async () => {
    world.clock.nowMs += 61 * MINUTE_MS;
    await world.housekeeping();
    manager = await shop.signIn('manager');
  };
  const partOf = async (amount: string, isVerified: boolean) => {
    const part = mtn({ amount, reference });
    await shop.pay(part);
    if (isVerified) await verifyMoney(world);
    await end();
    return part;
  };
  const PAID = 'A code of “Router” will be sent at once';
  const HELD = 'The code of “Router” stays on hold';

  test.each([
    ['the rest of a verified part', '870.00', true, '30.00', PAID, 'given'],
    ['less than the rest of a verified part', '830.00', true, '30.00', PAID, 'given'],
    ['the rest of an unverified part', '600.00', false, '300.00', HELD, 'to_release'],
  ] as const)('releases its code as the form says if it gets %s', async (_, part, isVerified, amount, says, state) => {
    await partOf(part, isVerified);
    const late = mtn({ amount, reference });
    await shop.pay(late);
    await verifyReceipt(late);
    const at = `/dashboard/held/${shop.paymentId(late)}/give`;
    const { text: page } = await manager.visit(at, { query: { reference } });
    expectWords(page, [says]);
    const still_due = /name="still_due" value="(\d+)"/.exec(page)?.[1] ?? '';
    expect((await manager.visit(at, { form: { reference, shown: 'verified', still_due } })).status).toBe(303);
    await world.tell(8);
    expect(await goods()).toBe(state);
  });

  test('is verified if a verified payment covers it, whatever unverified parts it had', async () => {
    await partOf('45.00', false);
    const late = mtn({ amount: '900.00', reference });
    await shop.pay(late);
    await verifyReceipt(late);
    const at = `/dashboard/held/${shop.paymentId(late)}/give`;
    expectWords((await manager.visit(at, { query: { reference } })).text, [PAID]);
    expect((await manager.visit(at, { form: { reference, shown: 'verified' } })).status).toBe(303);
    await world.tell(8);
    expect(await goods()).toBe('given');
    const charge = await shop.verified(reference);
    expect(charge).toMatchObject({ amount_paid: 900, overpaid: 0, proof: { state: 'proven' } });
    expect(charge.second_payments).toMatchObject([{ amount: 45, proof: { state: 'unproven' } }]);
  });

  test.each([
    ['can be marked as paid with the rest of a verified part', false],
    ['can be marked as paid with the rest, whoever used the part’s ID at another shop', true],
  ])('%s', async (_, isForged) => {
    const { id } = await partOf('870.00', true);
    if (isForged) {
      const other = await world.createShop();
      await other.pay(mtn({ reference: await other.charge({ amount: 36 }), id, from: 'EVE ANKRAH' }));
    }
    const mark = `/dashboard/charges/${reference}/mark`;
    const { text: page } = await manager.visit(mark, { query: { how: 'cash' } });
    expectWords(page, ['name="amount" type="text" value="30"', 'Earlier payments count again: GHS\u00a0870.00.', PAID]);
    const less = await manager.visit(mark, { form: { how: 'cash', amount: '29' } });
    expectAnswer(less, 400, 'Tick that you accept less');
    expect((await manager.visit(mark, { form: { how: 'cash', amount: '30' } })).status).toBe(303);
    await world.tell(8);
    expect(await goods()).toBe('given');
  });
});

describe('two unverified texts that differ only in the reference', () => {
  let forged: ReturnType<typeof mtn>;
  const receipts = async () => (await world.rows('RECEIPT')).filter(({ transaction_id }) => transaction_id === text.id);
  const idOf = async (typed: string) => {
    const found = (await receipts()).find(({ payer_reference }) => payer_reference === typed);
    return String(found?.receipt_id);
  };
  const decide = async (typed: string, action: 'give' | 'set-aside', form: Record<string, string>) =>
    manager.visit(`/dashboard/held/${await idOf(typed)}/${action}`, { form });

  beforeEach(async () => {
    forged = mtn({ amount: '900.00', reference: 'phone', id: text.id });
    await shop.pay(forged);
  });

  test('are shown with their references', async () => {
    for (const typed of ['goods', 'phone']) {
      const { text: page } = await manager.visit(`/dashboard/held/${await idOf(typed)}/give`, {
        query: { reference },
      });
      expectWords(page, [`reference “${typed}”, ID ending ${text.id.slice(-4)}`]);
    }
  });

  test.each(['goods', 'phone'])('cannot be matched before a person removes the other one (%s)', async (typed) => {
    const other = typed === 'goods' ? 'phone' : 'goods';
    const match = () => decide(typed, 'give', { reference, shown: 'contradicted' });
    expectAnswer(await match(), 409, 'Compare their references.', 'that the money is not there');
    expect(await goods()).toBe('unpaid');
    await decide(other, 'set-aside', { why: 'The money is not in the wallet.' });
    expect((await match()).status).toBe(303);
    await world.tell(8);
    expect(await goods()).toBe('given');
  });

  test('cannot be taken at a till', async () => {
    const answer = await manager.visit(`/dashboard/held/${await idOf('goods')}/release`, {
      form: { shown: 'contradicted' },
    });
    expectAnswer(answer, 409, 'Compare their references.');
  });

  test('cannot be assigned over the API either', async () => {
    const request = { parameters: { id: await idOf('goods') }, body: { reference } };
    expectFailure(await shop.call('receipt/assign', request), 409, 'receipt_not_held');
  });
});

describe('releasing goods for an unverified payment', () => {
  const forms: readonly [string, () => Promise<{ page: string; done: () => Promise<unknown> }>][] = [
    [
      'at a till',
      async () => ({
        page: `/dashboard/held/${shop.paymentId(text)}`,
        done: async () => (await shop.receipt(text))?.released_by,
      }),
    ],
    [
      'for a bill',
      async () => {
        const bill = await shop.charge({ amount: 900 });
        await shop.pay(mtn({ amount: '900.00', reference: bill }));
        return { page: `/dashboard/charges/${bill}`, done: () => releasedBy(bill) };
      },
    ],
    [
      'for a code',
      async () => {
        await shop.pay(mtn({ amount: '900.00', reference }));
        await world.tell(8);
        const { slug } = Object(await chargeRow(world, reference)).origin;
        return { page: `/dashboard/links/${slug}/code/${reference}`, done: () => releasedBy(reference) };
      },
    ],
  ];

  test.each(forms)('requires a form that showed the payment as unverified (%s)', async (_, open) => {
    const { page, done } = await open();
    const send = (shown?: string) => manager.visit(`${page}/release`, { form: shown ? { shown } : {} });
    for (const before of [undefined, 'verified', 'checking'])
      expectAnswer(await send(before), 409, 'Check it again', LOOK_FIRST, 'name="shown" value="unverified"');
    expect(await done()).toBeUndefined();
    expect((await send('unverified')).status).toBe(303);
    expect(await done()).toBe(manager.user.user_id);
    expect(await shop.audit(/release/)).toMatchObject([{ by: manager.user.user_id, after: { shown: 'unverified' } }]);
  });

  test('is rejected after a conflicting text', async () => {
    await shop.pay(mtn({ amount: '900.00', reference: 'goods', from: 'AMA OWUSU', id: text.id }));
    const release = `/dashboard/held/${shop.paymentId(text)}/release`;
    expectAnswer(await manager.visit(release, { form: { shown: 'unverified' } }), 409, 'Check it again');
    expect((await shop.receipt(text))?.released_by).toBeUndefined();
  });
});

describe('an assignment through the API', () => {
  test('marks the bill as paid without releasing its code', async () => {
    expect((await shop.assign(text, reference)).status).toBe(200);
    await world.tell(8);
    expect({ goods: await goods(), looked: await looked() }).toEqual({ goods: 'to_release', looked: [undefined] });
  });
});

describe('a payment to a number shared by two merchants', () => {
  let unassigned: string;
  beforeEach(async () => {
    await world.createShop({ number: shop.number });
    text = mtn({ amount: '900.00', reference: 'nobody' });
    await shop.pay(text);
    unassigned = `/dashboard/operator-money/unassigned/${shop.paymentId(text)}`;
  });

  test('releases no code if assigned on the command line', async () => {
    await assignUnassignedReceipt(world.outside, shop.paymentId(text), reference);
    await world.tell(8);
    expect({ goods: await goods(), looked: await looked() }).toEqual({ goods: 'to_release', looked: [undefined] });
  });

  test('releases the code if the operator’s form showed the warning', async () => {
    const operator = await world.signIn('operator', undefined);
    const { text: page } = await operator.visit(unassigned, { query: { reference } });
    expectWords(page, ['Not verified', LOOK_FIRST, 'A code of “Router” will be sent at once', 'value="unverified"']);
    const refused = await operator.visit(`${unassigned}/assign`, { form: { reference } });
    expectAnswer(refused, 409, 'Check it again', LOOK_FIRST);
    const { status } = await operator.visit(`${unassigned}/assign`, { form: { reference, shown: 'unverified' } });
    await world.tell(8);
    expect({ status, goods: await goods(), looked: await looked() }).toEqual({
      status: 303,
      goods: 'given',
      looked: [operator.user.user_id],
    });
    expect(await shop.audit(/receipt assign/)).toMatchObject([{ after: { reference, shown: 'unverified' } }]);
  });
});

/** Returns the verification state in the form. */
async function shown(): Promise<string> {
  const { text: page } = await manager.visit(path, { query: { reference } });
  return /name="shown" value="(\w+)"/.exec(page)?.[1] ?? '';
}

async function doubts(): Promise<string> {
  const { text: page } = await manager.visit(path, { query: { reference } });
  return /name="doubts" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

async function verifyReceipt(of: ReturnType<typeof mtn>): Promise<void> {
  const { pk, sk } = Object(await shop.receipt(of));
  await world.outside.table.write([changeItem({ pk, sk }, { proof: { state: 'proven' } })]);
}

/** Submits the form, optionally with another verification state. */
async function give(said?: string) {
  return manager.visit(path, { form: { reference, shown: said ?? (await shown()) } });
}

async function goods(): Promise<string | undefined> {
  return (await chargeRow(world, reference)).goods?.state;
}

async function releasedBy(of: string): Promise<string | undefined> {
  return (await chargeRow(world, of)).released_by;
}

async function looked(): Promise<Payment['looked_by'][]> {
  return paymentsOf(await chargeRow(world, reference)).map(({ looked_by }) => looked_by);
}

import { beforeEach, describe, expect, test } from 'vitest';
import { disputeCharge } from '../../../shared/money/charge/change-charge.table.ts';
import { listExpiries } from '../../../shared/money/charge/expiry.table.ts';
import { MAX_CANDIDATES } from '../../../shared/money/matching/match.ts';
import { createReceipt, replaceReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import { type HeldReason, paymentReceiptId, Receipt } from '../../../shared/money/receipt/receipt.ts';
import { setAside } from '../../../shared/money/settling/assign-receipt.ts';
import { closingOf } from '../../../shared/money/till/closing.ts';
import { type CannotTake, cannotTake, isBeingChecked, mayUndo, refusalOf } from '../../../shared/money/till/take.ts';
import { tillRows } from '../../../shared/money/till/till.table.ts';
import { changeItem, type Item } from '../../../shared/runtime/table/table.ts';
import { DAY_MS, dayOf, dayStartMs, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { addSettled, listWaiting, removeWaiting } from '../../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../../shared/wallets/chain/chain.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { checkEach } from '../../support/check-each.ts';
import { versionIn } from '../../support/dashboard.ts';
import { plotColumn, sumOf, tillLinesIn, valuesOf, wordsOf } from '../../support/page-words.ts';
import { TestBrowser } from '../../support/push-service.ts';
import { drainJobs, heardBy, switchOn, work } from '../../support/pushed.ts';
import { mtn, type ReceiptText, reversal, verified } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { provenBook, type WalletBook } from '../../support/wallet-book.ts';

const TILL = '/dashboard/till';

let world: Scene;
let shop: Shop;
let manager: Person;
let ama: Person;
let kofi: Person;
let till: string;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  await shop.setWebhook();
  manager = await shop.signIn('manager');
  [ama, kofi] = [await shop.signIn('cashier'), await shop.signIn('cashier')];
  till = await newTill('Counter 1');
  await begin(ama, till);
});

describe('a cashier’s shift', () => {
  test('reserves the till for its cashier', async () => {
    const before = await shiftOf(till);
    expect((await begin(ama, till)).status).toBe(303);
    expect(await shiftOf(till)).toEqual(before);
    expect((await see(ama)).text).toContain('Just arrived');
    expect(await see(kofi)).toMatchObject({ status: 303, headers: { location: TILL } });
    const seen = async () => (await kofi.visit(TILL)).text;
    expectWords(await seen(), ['End that shift and start yours'], ['No shift now']);
    await newTill('Counter 2');
    expect(await seen()).toContain('No shift now');
  });

  test('is taken over only in a folded form that names its cashier, below one’s own shift', async () => {
    const other = await newTill('Counter 2');
    await begin(kofi, other);
    const [own = '', taken = ''] = (await kofi.visit(TILL)).text.split('<li class="card">').slice(1);
    expectWords(own, ['Counter 2', 'Your shift', 'Continue'], ['End that shift']);
    expect(taken).toContain(`<details><summary>Take over Counter 1</summary>`);
    expectWords(taken, [`This ends ${ama.user.name}’s shift.`], ['<button class="button">']);
  });

  test('can be replaced only if the page showed the current shift', async () => {
    expect((await begin(kofi, till)).status).toBe(409);
    const shown = await shiftId();
    expect((await begin(kofi, till, shown)).status).toBe(303);
    expect((await shiftOf(till))?.by).toBe(kofi.user.user_id);
    // Kofi has replaced the shift by now.
    expect((await begin(manager, till, shown)).status).toBe(409);
  });

  test('can be started by only one of two simultaneous users', async () => {
    await send(ama, 'end', { shift: await shiftId() });
    world.rightBefore('TransactWriteItems', () => begin(kofi, till));
    expectAnswer(await begin(ama, till), 409, 'Your shift has ended');
    const shift = await shiftId();
    world.rightBefore('TransactWriteItems', () => begin(ama, till, shift));
    const removed = await manager.visit(`${TILL}/${till}/remove`, { form: {} });
    expectAnswer(removed, 503, 'Somebody else is changing this till. Try again in a second.');
    expect((await shiftOf(till))?.by).toBe(ama.user.user_id);
  });

  test('can be ended by its cashier or a manager', async () => {
    const shift = await shiftId();
    await send(kofi, 'end', { shift });
    expect(await shiftOf(till)).toBeDefined();
    await send(manager, 'end', { shift });
    expect(await shiftOf(till)).toBeUndefined();
  });

  test('cannot be ended from an earlier shift’s page', async () => {
    const shift = await shiftId();
    for (const by of [ama, manager]) expect((await send(by, 'end', { shift })).status).toBe(303);
    await begin(kofi, till);
    expect((await send(manager, 'end', { shift })).status).toBe(303);
    expect((await shiftOf(till))?.by).toBe(kofi.user.user_id);
  });

  test('cannot start at a removed till', async () => {
    for (const _ of [1, 2]) expect((await manager.visit(`${TILL}/${till}/remove`, { form: {} })).status).toBe(303);
    expect((await begin(ama, till)).status).toBe(404);
    expect((await ama.visit(TILL)).text).toContain('No tills yet');
  });

  test('cannot start at another shop’s till', async () => {
    const stranger = await (await world.createShop()).signIn('manager');
    expect((await begin(stranger, till)).status).toBe(404);
  });

  test.each(['viewer', 'developer'] as const)('is not available to a %s', async (role) => {
    expect((await (await shop.signIn(role)).visit(TILL)).status).toBe(403);
  });
});

test('a shop can have up to twenty tills', async () => {
  const add = (name: string) => manager.visit(`${TILL}/new`, { form: { name } });
  await manager.visit(`${TILL}/${await newTill('Removed')}/remove`, { form: {} });
  for (let n = 2; n <= 20; n++) expect((await add(`Counter ${n}`)).status).toBe(303);
  expectAnswer(await add('Counter 21'), 400, 'You already have 20 tills, which is the maximum. Remove an unused one.');
  expect(await tills()).toHaveLength(21);
});

describe('the note about unverified payments', () => {
  const MEANING =
    '<b>Not verified</b>: your wallet’s balance is not entered yet. The shop accepts up to GHS\u00a050.00 each without proof.';

  test('is shown below the payments unless the typed amount differs', async () => {
    expect((await see(ama)).text).not.toContain(MEANING);
    await arrived();
    expect((await see(ama)).text).toContain(MEANING);
    expect((await see(ama, { amount: '36' })).text).toContain(MEANING);
    // The page already says that the amount differs.
    expect((await see(ama, { amount: '1' })).text).not.toContain(MEANING);
  });

  test('says that other texts do not confirm the payment if the wallet’s balance is named', async () => {
    await change(await arrived(), { proof: { state: 'unproven', why: 'balance_gap' } });
    const note =
      'the wallet’s other texts do not confirm it. The shop accepts up to GHS\u00a050.00 each without proof. If one is forged, the shop loses the goods.';
    const who = /Ask whoever has the phone with 0[\d\u00a0]+ to check the balance\./;
    expect((await see(ama)).text).toMatch(new RegExp(`${RegExp.escape(note)} ${who.source}`));
    const { text } = await see(ama, { amount: '36' });
    expect(text).toContain(note);
    expect(text).toMatch(new RegExp(`Check the MoMo balance first\\.</b> ${who.source}`));
  });

  test('is hidden if all payments are verified', async () => {
    await change(await arrived(), { proof: { state: 'proven' } });
    const { text } = await see(ama, { amount: '36' });
    expect(text).toContain('Verified');
    expect(text).not.toContain(MEANING);
  });
});

describe('the amount due', () => {
  test('says that payments of this amount have arrived, for five minutes', async () => {
    const text = async () => (await see(ama, { amount: '36' })).text;
    expect(await text()).toContain('Waiting for the payment.');
    await arrived();
    await arrived(mtn({ amount: '12.50' }));
    expect(wordsOf(await text())).toMatch(
      /1 text of this amount arrived\. Not verified\nCheck the MoMo balance first\. .* Then ask for the customer’s name\.\n/,
    );
    expect((await text()).match(/Check the MoMo balance first/g)).toHaveLength(1);
    world.clock.nowMs += 5 * MINUTE_MS + 1;
    expect(await text()).toContain('Waiting for the payment.');
  });

  test('calls only verified payments arrived, and says if none can be taken', async () => {
    const words = async () => wordsOf((await see(ama, { amount: '36' })).text);
    const first = await arrived();
    await change(first, { proof: { state: 'proven' } });
    expect(await words()).toContain('1 payment of this amount arrived.\nAsk for');
    const second = await arrived();
    expect(await words()).toContain('2 texts of this amount arrived. 1 not verified\nAsk for');
    await change(first, { reason: 'conflict' });
    expect(await words()).toContain('1 text of this amount arrived. Not verified\nCheck the MoMo balance first.');
    await change(second, { reason: 'conflict' });
    expect(await words()).toContain('No payment of this amount can be taken yet. Look under “Just arrived”.');
  });
});

describe('the list of arrived payments', () => {
  test('shows payments older than five minutes under their own heading', async () => {
    const list = async () => /<h2>Just arrived<\/h2>(.*?)<\/section>/s.exec((await see(ama)).text)?.[1] ?? '';
    await arrived();
    expect(await list()).not.toContain('<h3>Earlier</h3>');
    world.clock.nowMs += 5 * MINUTE_MS + 1;
    expect(await list()).toMatch(/Nothing in the last five minutes\..*<h3>Earlier<\/h3>.*GHS 36\.00/s);
    await arrived(mtn({ amount: '12.50' }));
    expect(await list()).toMatch(/GHS 12\.50.*<h3>Earlier<\/h3>.*GHS 36\.00/s);
    const { text } = await see(ama, { amount: '36' });
    expect(text).toMatch(/<h3>Earlier<\/h3>.*GHS 36\.00.*<h3>Other payments<\/h3>.*GHS 12\.50/s);
  });

  test('separates the payments of the typed amount from others', async () => {
    await arrived(mtn({ amount: '12.50' }));
    const list = async () => (await see(ama, { amount: '36' })).text;
    expect(await list()).toMatch(
      /Nothing of this amount in the last five minutes\..*<h3>Other payments<\/h3>.*GHS 12\.50/s,
    );
    await arrived();
    expect(await list()).toMatch(/GHS 36\.00<.*Take<.*<h3>Other payments<\/h3>.*GHS 12\.50/s);
  });
});

describe('taking a payment without a charge', () => {
  test('creates a paid charge of the same amount', async () => {
    const receipt = await arrived();
    const { text } = await see(ama, { amount: '36' });
    expect(tillLinesIn(text, 'Just arrived')).toMatchObject([
      {
        isButton: true,
        payer: 'KOFI MENSAH BOATENG',
        words: expect.stringMatching(/^GHS 36\.00 .* Take$/),
      },
    ]);
    const { status, headers } = await tap(ama, receipt);
    expect(status).toBe(303);
    const [taken] = await charges();
    expect(taken).toMatchObject({
      state: 'success',
      amount_pesewas: 3_600,
      description: 'Till: Counter 1',
      momo_number: shop.number,
      payment: { matched_by: 'till', receipt_id: shop.paymentId(receipt) },
      origin: { kind: 'till', till_id: till },
      goods: { kind: 'take', state: 'given', by: ama.user.user_id },
    });
    expect(Date.parse(String(taken?.expires_at)) - Date.parse(Object(taken?.goods).at)).toBe(MINUTE_MS);
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'matched', reference: taken?.reference });
    const shown = await see(ama, { taken: String(taken?.reference) });
    expect(headers.location).toBe(`${TILL}/${till}?taken=${taken?.reference}`);
    expectWords(shown.text, ['data-sound="soft"', ' data-until="', 'Undo GHS\u00a036.00']);
    expect(shown.text).toContain(
      '<strong>You can hand over the goods. This payment is not verified, but it is within the shop’s limit.</strong>',
    );
    expect(await shop.audit(/^till take$/)).toHaveLength(1);
  });

  test('does not require a typed amount', async () => {
    await arrived(mtn({ amount: '12.50' }));
    const others = tillLinesIn((await see(ama, { amount: '36' })).text, 'Just arrived');
    expect(others).toMatchObject([{ isButton: false, words: expect.stringContaining('Other amount') }]);
    const { text } = await see(ama);
    expect(tillLinesIn(text, 'Just arrived')).toMatchObject([
      { isButton: true, words: expect.stringMatching(/^GHS 12\.50 /) },
    ]);
    const [, form = ''] = /<form [^>]*data-till>(.*?)<\/form>/s.exec(text) ?? [];
    const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, ...field]) => field);
    expect((await send(ama, 'take', Object.fromEntries(fields))).headers.location).toContain('?taken=MK-');
    expect(await charges()).toMatchObject([{ state: 'success', amount_pesewas: 1_250 }]);
  });

  test('works with a typed amount if there are many newer payments', async () => {
    const receipt = await arrived();
    for (let n = 0; n < 42; n++) await arrived(mtn({ amount: '0.01', from: 'EVE THIEF' }));
    const seen = async () => (await see(ama, { amount: '36' })).text;
    const text = await seen();
    expect(payersIn(text)[0]).toBe('KOFI MENSAH BOATENG');
    expect((await see(ama)).text).not.toContain('KOFI MENSAH BOATENG');
    expect((await tap(ama, receipt)).status).toBe(303);
    expect(versionIn(await seen())).not.toBe(versionIn(text));
  });

  test('shows verified payments first', async () => {
    const proven = await arrived();
    for (let n = 0; n < 13; n++) await arrived(mtn({ from: 'EVE THIEF' }));
    const seen = async (query = {}) => (await see(ama, { amount: '36', ...query })).text;
    const open = await seen();
    expect(open).not.toContain('KOFI MENSAH BOATENG');
    const before = Receipt.parse(await shop.receipt(proven));
    await world.outside.table.write([replaceReceipt(before, { ...before, proof: { state: 'proven' } })]);
    const text = await seen();
    expect(payersIn(text)).toEqual(['KOFI MENSAH BOATENG', ...Array.from({ length: 11 }, () => 'EVE THIEF')]);
    expect(versionIn(text)).not.toBe(versionIn(open));
  });

  test('is possible from the second page of payments', async () => {
    const receipt = await arrived();
    for (let n = 0; n < 12; n++) await arrived(mtn({ from: 'EVE THIEF' }));
    const first = (await see(ama, { amount: '36' })).text;
    expect(payersIn(first)).toEqual(Array.from({ length: 12 }, () => 'EVE THIEF'));
    expect(/rel="next" href="([^"]*)"/.exec(first)?.[1]).toContain('amount=36&amp;cursor=12');
    const second = (await see(ama, { amount: '36', cursor: '12' })).text;
    expect(payersIn(second)).toEqual(['KOFI MENSAH BOATENG']);
    expect(second).toContain('Back to the first');
    for (const cursor of ['-1', 'x', '1e9']) expect((await see(ama, { amount: '36', cursor })).status).toBe(400);
    expect((await tap(ama, receipt)).status).toBe(303);
  });

  test('stores the number and account name that received the payment', async () => {
    const receipt = await arrived();
    const [number, account_name] = [shop.number, 'Right'];
    const momo_accounts = [
      { number: '+233249999999', network: 'MTN', account_name: 'Another number' },
      { number, network: 'TELECEL', account_name: 'Another network' },
      { number, network: 'MTN', account_name },
    ];
    await world.outside.table.write([changeItem({ pk: `MERCHANT#${shop.id}`, sk: 'MERCHANT' }, { momo_accounts })]);
    world.clock.nowMs += MINUTE_MS;
    expect((await tap(ama, receipt)).status).toBe(303);
    const paid = { momo_number: number, momo_network: 'MTN', momo_account_name: account_name };
    expect(await charges()).toMatchObject([paid]);
  });

  test('fails above the limit for unverified payments', async () => {
    await shop.change({ confirm_unproven_up_to_pesewas: 3_599 });
    // Functions cache the limit for a minute.
    world.clock.nowMs += MINUTE_MS;
    expectAnswer(await tap(ama, await arrived()), 409, cannotTake.not_proven);
  });

  test('does not show a cashier the full payment id', async () => {
    const receipt = await arrived();
    expect((await see(ama, { amount: '36' })).text).not.toContain(receipt.id);
    const form = await formOf(receipt, { receipt: shop.paymentId(receipt) });
    expect((await send(ama, 'take', form)).status).toBe(409);
  });

  test('hides the payment id from keys with charges:read', async () => {
    const receipt = await arrived();
    const { access_code } = await shop.createCharge();
    const reference = await takenBy(ama, receipt);
    const liveKey = await shop.addKey('live', { scope: ['charges:read'] });
    const { payment } = await verified(world, { liveKey }, reference);
    const listed = await world.call('transaction/list', { key: liveKey });
    expect((await shop.verified(reference)).payment.transaction_id).toBe(receipt.id);
    await send(ama, 'undo', { reference });
    await claimIt(access_code, { ...receipt, id: payment.transaction_id });
    expect((await charges()).map(({ state }) => state).toSorted()).toEqual(['cancelled', 'pending']);
    expect({ transaction_id: payment.transaction_id, status: listed.status }).toEqual({
      transaction_id: `…${receipt.id.slice(-4)}`,
      status: 200,
    });
    expect(JSON.stringify(payment) + listed.text).not.toContain(receipt.id);
  });

  test('happens once if the form is submitted repeatedly', async () => {
    const form = await formOf(await arrived());
    const answers = await Promise.all([1, 2, 3].map(() => send(ama, 'take', { ...form, once: 'once-1' })));
    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1);
    expect(await charges()).toHaveLength(1);
    expect(await takes()).toHaveLength(1);
  });

  test.each<[string, CannotTake, () => Promise<ReceiptText>]>([
    ['of a different amount', 'other_amount', () => arrived(mtn({ amount: '35.00' }))],
    ['made yesterday but reported today', 'before_shift', () => arrivedAt(world.clock.nowMs - DAY_MS)],
    ['made yesterday during the current shift', 'before_shift', () => arrivedThen(aDayLater)],
    [
      'with a web order’s reference',
      'for_another',
      async () => {
        const reference = await shop.charge({ amount: 99 });
        await shop.pay(mtn({ amount: '99.00', reference }));
        return arrived(mtn({ reference }));
      },
    ],
    [
      'with a mistyped reference of a web order',
      'for_another',
      async () => arrived(mtn({ reference: mistyped(await shop.charge({ amount: 36 })) })),
    ],
    [
      'matching two web orders by name',
      'for_another',
      async () => {
        for (const _ of [1, 2]) await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
        return arrived();
      },
    ],
    [
      'matching a newer web order by name',
      'for_another',
      () =>
        arrivedThen(() => {
          world.clock.nowMs += MINUTE_MS;
          return shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
        }),
    ],
    ['reversed by the network', 'gone', () => arrivedThen(({ id }) => shop.arrive(reversal(id)))],
    [
      'assigned to another bill',
      'gone',
      () => arrivedThen(async (receipt) => shop.assign(receipt, await shop.charge({ amount: 36 }))),
    ],
    [
      'contradicted by another text',
      'doubtful',
      () =>
        arrivedThen(async (receipt) => {
          const receipt_id = paymentReceiptId('MTN', undefined, receipt.id);
          const nobodys = { receipt_id, payer_name: 'EVE THIEF', momo_number: undefined, merchant_id: undefined };
          const text = Receipt.parse({ ...(await shop.receipt(receipt)), ...nobodys, text: 'another' });
          await world.outside.table.write([createReceipt(text)]);
        }),
    ],
    [
      'with the id of a verified payment to another of the shop’s numbers',
      'doubtful',
      () =>
        arrivedThen(async (receipt) => {
          const momo_number = '+233249999999';
          const accounts = [shop.number, momo_number].map((number) => ({ number, network: 'MTN', account_name: 'A' }));
          const merchant = { pk: `MERCHANT#${shop.id}`, sk: 'MERCHANT' };
          await world.outside.table.write([changeItem(merchant, { momo_accounts: accounts })]);
          world.clock.nowMs += MINUTE_MS;
          const receipt_id = paymentReceiptId('MTN', momo_number, receipt.id);
          const verifiedText = { receipt_id, momo_number, proof: { state: 'proven' } };
          const text = Receipt.parse({ ...(await shop.receipt(receipt)), ...verifiedText });
          await world.outside.table.write([createReceipt(text)]);
        }),
    ],
    ['set aside by a manager', 'gone', () => arrivedThen((receipt) => putAside(receipt))],
    [
      'above the limit for manual confirmation',
      'large',
      async () => {
        await shop.change({ confirm_always_above_pesewas: 3_000 });
        return arrived();
      },
    ],
  ])('fails for a payment %s with the reason %s', async (_, refusal, prepared) => {
    const receipt = await prepared();
    const before = await shop.receipt(receipt);
    expectAnswer(await tap(ama, receipt), 409, cannotTake[refusal]);
    expect(await shop.receipt(receipt)).toEqual(before);
    expect(await takes()).toEqual([]);
  });

  test('succeeds above the limit for manual confirmation once a manager has released the payment', async () => {
    await shop.change({ confirm_always_above_pesewas: 3_000 });
    const receipt = await arrived();
    await change(receipt, { released_by: manager.user.user_id });
    expect((await tap(ama, receipt)).status).toBe(303);
  });

  test('succeeds for a payment whose receiving number is not stored', async () => {
    const receipt = await arrived();
    await change(receipt, { momo_number: undefined });
    expect((await tap(ama, receipt)).status).toBe(303);
  });

  test('shows the reason for a failure instead of the amount, and a link for a manager', async () => {
    const fails = async (by: Person) => {
      await begin(by, till, await shiftId());
      const receipt = await arrived(mtn({ amount: '60.00' }));
      expect((await see(by)).text).not.toContain('>Take</b>');
      const id = by === manager && { receipt: shop.paymentId(receipt) };
      const { text } = await send(by, 'take', await formOf(receipt, { amount: '60', ...id }));
      expect(text).toMatch(/<section class="look" role="alert".*Back to the till/s);
      expectWords(
        text,
        [by === manager ? '<b class="plain button">Check</b>' : 'For a manager'],
        ['Another amount', '024 123 4567', '<p class="fault"'],
      );
      return text.includes('>See the payment</a>');
    };
    expect([await fails(kofi), await fails(manager)]).toEqual([false, true]);
  });

  const heldReasons: [CannotTake | undefined, HeldReason[]][] = [
    [undefined, ['no_charge', 'name_differs', 'too_many_open']],
    [
      'for_another',
      ['amount_differs', 'amount_of_another', 'already_paid', 'reference_unclear', 'several_fit', 'name_only'],
    ],
    ['for_another', ['charge_expired', 'before_charge', 'charge_cancelled', 'charge_reversed', 'charge_disputed']],
    ['for_another', ['balance_gap', 'balance_unsure']],
    ['checking', ['checking']],
    ['doubtful', ['conflict', 'network_differs', 'number_unknown', 'number_not_placed', 'clock_odd']],
    ['doubtful', ['balance_impossible']],
    ['large', ['large_amount']],
    ['gone', ['reversed']],
  ];
  test('reports every held reason', () =>
    checkEach(
      heldReasons.flatMap(([refusal, reasons]) => reasons.map((reason) => [reason, refusal] as const)),
      async ([reason, refusal]) => {
        const receipt = await arrived();
        await change(receipt, { reason });
        expect(refusalOf(Receipt.parse(await shop.receipt(receipt)), {})).toBe(refusal);
        expectAnswer(await tap(ama, receipt), refusal ? 409 : 303, refusal ? cannotTake[refusal] : '');
        expect(refusalOf(Receipt.parse(await shop.receipt(receipt)), {})).toBeDefined();
      },
    ));

  test('offers a manager a link to a disputed payment', async () => {
    const own = await newTill('Office');
    await begin(manager, own);
    const receipt = await arrived();
    await change(receipt, { reason: 'clock_odd' });
    const { text } = await manager.visit(`${TILL}/${own}`);
    const id = encodeURIComponent(shop.paymentId(receipt));
    expect(tillLinesIn(text, 'Just arrived').map(({ href }) => href)).toContain(`/dashboard/held/${id}`);
    const amas = tillLinesIn((await see(ama)).text, 'Just arrived');
    expect(amas.filter(({ href }) => href !== undefined)).toEqual([]);
  });

  test('waits up to 150 seconds while the payment is checked', async () => {
    const receipt = Receipt.parse(await shop.receipt(await arrived()));
    const now = (ms: number) => ({ now: () => Date.parse(receipt.received_at) + ms });
    const checking = { ...receipt, proof: { state: 'checking' as const } };
    expect([0, 149_999, 150_000].map((ms) => isBeingChecked(now(ms), checking))).toEqual([true, true, false]);
    for (const proof of [undefined, { state: 'proven' as const }])
      expect(isBeingChecked(now(0), { ...receipt, proof })).toBe(false);
  });

  test.each(['INV-1008', 'order inv 1008', '0241112222', 'for Ama Serwaa'])(
    'fails if the payer typed a detail of an open charge: %s',
    async (typed) => {
      const details = { customer_phone: '0241112222', merchant_reference: 'INV-1008' };
      await shop.charge({ amount: 50, ...details });
      await shop.charge({ amount: 36, customer_name: 'Ama Serwaa' });
      await world.tell();
      expectAnswer(await tap(ama, await arrived(mtn({ reference: typed }))), 409, cannotTake.for_another);
    },
  );

  test.each(['INV-1008', '0241112222', 'for Ama Serwaa'])(
    'fails if the payer typed a detail of a charge that was cancelled an hour ago: %s',
    async (typed) => {
      const details = { customer_name: 'Ama Serwaa', customer_phone: '0241112222', merchant_reference: 'INV-1008' };
      const reference = await shop.charge({ amount: 36, ...details });
      await shop.call('transaction/cancel', { parameters: { reference } });
      await world.tell();
      world.clock.nowMs += HOUR_MS;
      [ama, manager] = [await again(ama), await again(manager)];
      const receipt = await arrived(mtn({ reference: typed }));
      expect(await shop.receipt(receipt)).toMatchObject({ reason: 'no_charge' });
      expectAnswer(await tap(ama, receipt), 409, cannotTake.for_another);
      await change(receipt, { proof: { state: 'proven' } });
      const page = `/dashboard/held/${shop.paymentId(receipt)}`;
      expectWords((await manager.visit(page)).text, ['Let a till take it', 'for a sale at a till']);
      expect((await manager.visit(`${page}/release`, { form: { shown: 'verified' } })).status).toBe(303);
      expect((await tap(ama, receipt)).status).toBe(303);
    },
  );

  test.each<[string, Parameters<Shop['charge']>[0] | 'request']>([
    ['an initial', { amount: 36, customer_name: 'Kofi M. Boateng' }],
    ['a payment request', 'request'],
  ])('fails if an open bill in the payer’s whole name has the amount: %s', async (_, open) => {
    if (open === 'request') {
      const lines = [{ description: 'Fees', amount: 36 }];
      const body = { title: 'Fees', customer_name: 'Kofi Mensah', lines };
      await world.openPart((await shop.call('request/create', { body })).json.data.slug, '36');
    } else await shop.charge(open);
    await world.followChanges();
    const receipt = await arrived(mtn({ from: 'KOFI M BOATENG MENSAH' }));
    expectAnswer(await tap(ama, receipt), 409, cannotTake.for_another);
  });

  test('does not treat a manager’s release as confirming the money, even after the payment loses verification', async () => {
    await shop.charge({ amount: 600, customer_name: 'School Fees' });
    await world.tell();
    const receipt = await arrived(mtn({ amount: '600.00', reference: 'school fees' }));
    await change(receipt, { proof: { state: 'proven' } });
    const page = `/dashboard/held/${shop.paymentId(receipt)}`;
    await manager.visit(`${page}/release`, { form: { shown: 'verified' } });
    expectWords((await manager.visit(page)).text, ['Tills can take it.']);
    await change(receipt, { proof: { state: 'unproven', why: 'balance_gap' } });
    expectWords(
      (await manager.visit(page)).text,
      ['Let a till take it', 'Check your MoMo balance first'],
      ['Tills can'],
    );
    expectAnswer(await send(ama, 'take', await formOf(receipt, { amount: '600' })), 409, cannotTake.not_proven);
    await manager.visit(`${page}/release`, { form: { shown: 'unverified' } });
    expect((await send(ama, 'take', await formOf(receipt, { amount: '600' }))).status).toBe(303);
  });

  test('can be undone later by a manager on the bill’s page, but not by a cashier', async () => {
    const receipt = await arrived();
    const reference = await takenBy(ama, receipt);
    world.clock.nowMs += HOUR_MS;
    [ama, manager] = [await again(ama), await again(manager)];
    const page = `/dashboard/charges/${reference}`;
    expect((await ama.visit(page)).text).not.toContain('Undo this sale');
    expect((await ama.visit(`${page}/undo-tap`, { form: {} })).status).toBe(403);
    expect((await manager.visit(page)).text).toContain('Undo this sale');
    expect((await manager.visit(`${page}/undo-tap`, { form: {} })).status).toBe(303);
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
    expect(await shop.verified(reference)).toMatchObject({ status: 'cancelled' });
    expect((await manager.visit(page)).text).not.toContain('Undo this sale');
    expect((await manager.visit(`${page}/undo-tap`, { form: {} })).status).toBe(409);
  });

  test('needs no manager if the payment is verified and fits no bill', async () => {
    const receipt = await arrived();
    await change(receipt, { proof: { state: 'proven' } });
    const { text } = await manager.visit(`/dashboard/held/${shop.paymentId(receipt)}`);
    expect(text).not.toContain('Let a till take it');
  });

  test('is no longer offered to a manager a day after the payment arrived', async () => {
    const receipt = await arrived();
    const page = `/dashboard/held/${shop.paymentId(receipt)}`;
    expect((await manager.visit(page)).text).toContain('Let a till take it');
    world.clock.nowMs += DAY_MS + MINUTE_MS;
    manager = await again(manager);
    expect((await manager.visit(page)).text).not.toContain('Let a till take it');
  });

  test('succeeds once a manager has given the payment to the tills, although a detail was typed', async () => {
    await shop.charge({ amount: 36, customer_name: 'School Fees' });
    await world.tell();
    const receipt = await arrived(mtn({ reference: 'school fees' }));
    expectAnswer(await tap(ama, receipt), 409, cannotTake.for_another);
    const page = `/dashboard/held/${shop.paymentId(receipt)}`;
    expectWords((await manager.visit(page)).text, ['Let a till take it', 'for a sale at a till']);
    await manager.visit(`${page}/release`, { form: { shown: 'unverified' } });
    expect((await tap(ama, receipt)).status).toBe(303);
  });

  test('does not count a verified payment’s release as the manager’s word that its money arrived', async () => {
    await shop.charge({ amount: 36, customer_name: 'School Fees' });
    await world.tell();
    const receipt = await arrived(mtn({ reference: 'school fees' }));
    await change(receipt, { proof: { state: 'proven' } });
    const page = `/dashboard/held/${shop.paymentId(receipt)}`;
    expect((await manager.visit(`${page}/release`, { form: { shown: 'verified' } })).status).toBe(303);
    expect((await tap(ama, receipt)).status).toBe(303);
    const [charge] = (await world.rows('TRANSACTION')).filter(({ state }) => state === 'success');
    expect(charge).not.toHaveProperty('released_by');
  });

  test('fails if the transaction is already recorded', async () => {
    const receipt = await arrived();
    const before = Receipt.parse(await shop.receipt(receipt));
    await tap(ama, receipt);
    const after = Receipt.parse(await shop.receipt(receipt));
    await world.outside.table.write([replaceReceipt(after, before)]);
    expectAnswer(await tap(ama, receipt), 409, cannotTake.gone);
    expect(await takes()).toHaveLength(1);
  });

  test('has a distinct message for each rejection', () => {
    const words = Object.values(cannotTake);
    expect({
      differentWords: new Set(words).size,
      unfinished: words.filter((said) => !/^[A-Z].+\.$/.test(said)),
    }).toEqual({ differentWords: 9, unfinished: [] });
  });

  describe('among 201 abandoned checkouts for the same amount', () => {
    const abandon = (count: number, customer_name: string) =>
      Promise.all(Array.from({ length: count }, () => shop.charge({ amount: 36, customer_name })));

    test('succeeds while the checkouts are open', async () => {
      await abandon(201, 'Ama Owusu');
      const receipt = await arrived();
      expect(await shop.receipt(receipt)).toMatchObject({ state: 'held', reason: 'too_many_open' });
      expect((await tap(ama, receipt)).status).toBe(303);
      world.clock.nowMs += 30 * 60 * MINUTE_MS;
      [ama, manager] = [await again(ama), await again(manager)];
      await freshShift();
      expect((await tap(ama, await arrived())).status).toBe(303);
    });

    describe('with an older open charge', () => {
      const payers = { from: 'KOFI ABDULRAHMAN MENSAH' };
      const abandonOlder = async (body: object) => {
        const [reference = ''] = [await shop.charge({ amount: 36, ...body })];
        world.clock.nowMs += 1_000;
        await abandon(201, 'Ama Owusu');
        await world.tell();
        return reference;
      };

      test.each(['Kofi Mensah', 'MENSAH, Kofi Jnr', 'Alhaji Abdul-Rahman Kofi', 'Kofi Abdul-Rahman Mensah'])(
        'fails if the older charge’s customer is %s',
        async (customer_name) => {
          await abandonOlder({ customer_name });
          expectAnswer(await tap(ama, await arrived(mtn(payers))), 409, cannotTake.for_another);
        },
      );

      test.each<[string, object]>([
        ['a surname that the payer lacks', { customer_name: 'Kofi Mensah Boateng' }],
        ['another amount', { customer_name: 'Kofi Mensah', amount: 37 }],
        ['an incomplete name', { customer_name: 'Kofi' }],
      ])('succeeds if the older charge has %s', async (_, body) => {
        await abandonOlder(body);
        expect((await tap(ama, await arrived(mtn(payers)))).status).toBe(303);
      });

      test('succeeds once the older charge is paid', async () => {
        const reference = await abandonOlder({ customer_name: 'Kofi Mensah' });
        await shop.pay(mtn({ reference, id: '50000000001' }));
        await world.tell();
        expect((await tap(ama, await arrived(mtn(payers)))).status).toBe(303);
      });

      test('fails if the older charge’s amount due matches the payment', async () => {
        const reference = await abandonOlder({ customer_name: 'Kofi Mensah', amount: 50 });
        await shop.pay(mtn({ reference, amount: '14.00', id: '50000000001' }));
        await world.tell();
        expectAnswer(await tap(ama, await arrived(mtn(payers))), 409, cannotTake.for_another);
      });
    });

    test('reads a limited number of charges', async () => {
      await abandon(400, 'Kofi Owusu');
      await world.tell();
      const receipt = await arrived();
      const read = await chargesReadBy(() => tap(ama, receipt));
      expect(read).toBeLessThanOrEqual(MAX_CANDIDATES + 10);
    });

    test('does not allow a claim for a different charge', async () => {
      await abandon(201, 'Ama Owusu');
      const receipt = await arrived();
      const { access_code } = await shop.createCharge();
      expect((await claimIt(access_code, receipt)).status).toBe(422);
      expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
    });
  });

  describe('from a wallet whose balance is named', () => {
    let book: WalletBook;
    beforeEach(async () => {
      book = await provenBook(world, shop, 6);
      await freshShift();
    });

    test('succeeds if the payment is verified', async () => {
      const receipt = await arrived(book.paid(36));
      expect((await see(ama, { amount: '36' })).text).toContain('Verified');
      expect((await tap(ama, receipt)).status).toBe(303);
    });

    test('stores a verification that happened just before the tap', async () => {
      const lost = book.paid(5);
      const receipt = await arrived(book.paid(36));
      world.clock.nowMs += 3 * MINUTE_MS;
      await world.work('settle-receipt', [{ receipt_id: shop.paymentId(receipt) }]);
      expect(await shop.receipt(receipt)).toMatchObject({ proof: { state: 'unproven' } });
      await shop.arrive(lost);
      const charge = await world.chargeRow(await takenBy(ama, receipt));
      const proof = { state: 'proven' };
      expect([charge.payment?.proof, (await shop.receipt(receipt))?.proof]).toEqual([proof, proof]);
    });

    test('fails while an earlier text may be missing', async () => {
      await shop.change({ confirm_unproven_up_to_pesewas: 0 });
      const receipt = await arrived(book.receipt(36, { balance: 1 + book.pesewas }));
      expect((await tap(ama, receipt)).text).toContain(cannotTake.checking);
      world.clock.nowMs += 3 * MINUTE_MS;
      expect((await tap(ama, receipt)).text).toContain(cannotTake.not_proven);
      expect(await takes()).toEqual([]);
      await change(receipt, { released_by: manager.user.user_id });
      expect((await tap(ama, receipt)).status).toBe(303);
    });

    test('fails for a released payment once the texts prove it false', async () => {
      const receipt = await arrived(book.receipt(36, { balance: 777_700 }));
      world.clock.nowMs += 3 * MINUTE_MS;
      await change(receipt, { released_by: manager.user.user_id });
      const wallet = { network: shop.network, momo_number: shop.number };
      const waiting = await listWaiting(world.outside, wallet);
      const toFalse = (text: Movement) => addSettled(world.outside, wallet, { ...text, state: 'false' });
      await world.outside.table.write(waiting.flatMap((text) => [removeWaiting(wallet, text), toFalse(text)]));
      expect((await tap(ama, receipt)).text).toContain(cannotTake.doubtful);
      expect(await takes()).toEqual([]);
    });

    test('is limited per payment and by the till’s daily share', async () => {
      await shop.change({ confirm_unproven_up_to_pesewas: 3_600 });
      const forged = [];
      for (const _ of [1, 2, 3, 4]) forged.push(await arrived(book.receipt(36, { balance: 777_700 })));
      world.clock.nowMs += 3 * MINUTE_MS;
      const answers = [];
      for (const receipt of forged) answers.push(await tap(ama, receipt));
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 409, 409]);
      expect(answers.at(-1)?.text).toContain(cannotTake.limit);
    });
  });
});

describe('concurrent changes at a till', () => {
  let other: string;
  beforeEach(async () => {
    other = await newTill('Counter 2');
    await begin(kofi, other);
  });

  test('let only one of two tills take a payment', async () => {
    const receipt = await arrived();
    const [first, second] = [await formOf(receipt), await formOf(receipt, {}, other)];
    const takeThere = () => kofi.visit(`${TILL}/${other}/take`, { form: second });
    const answers = await Promise.all([send(ama, 'take', first), takeThere()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect(await charges()).toHaveLength(1);
    expect(await takes()).toHaveLength(1);
  });

  test.each<[string, (receipt: ReceiptText) => Promise<unknown>, row: object, paid: object[]]>([
    [
      'the other till takes the payment',
      async (receipt) => kofi.visit(`${TILL}/${other}/take`, { form: await formOf(receipt, {}, other) }),
      { state: 'matched', matched_by: 'till' },
      [{ goods: { kind: 'take' } }],
    ],
    [
      'a customer claims it for a web order',
      async (receipt) => claimIt((await shop.createCharge()).access_code, receipt),
      { state: 'matched', matched_by: 'claim' },
      [{ payment: { matched_by: 'claim' } }],
    ],
    [
      'a conflicting text names a web order',
      async ({ id }) => shop.arrive(mtn({ id, reference: await shop.charge({ amount: 36 }) })),
      { state: 'held', reason: 'conflict' },
      [],
    ],
    ['another shift begins at the till', async () => begin(manager, till, await shiftId()), { state: 'held' }, []],
    [
      'the network reverses the payment',
      ({ id }) => shop.arrive(reversal(id)),
      { state: 'held', reason: 'reversed' },
      [],
    ],
  ])('reject a tap if %s', async (_, happens, stored, paid) => {
    const receipt = await arrived();
    const form = await formOf(receipt);
    world.rightBefore('TransactWriteItems', () => happens(receipt));
    expect((await send(ama, 'take', form)).status).toBe(409);
    expect(await shop.receipt(receipt)).toMatchObject(stored);
    expect((await charges()).filter(({ state }) => state === 'success')).toMatchObject(paid);
    expect(await takes()).toEqual([]);
  });

  test('reject a tap from an earlier shift’s page', async () => {
    const shift = await shiftId();
    await begin(manager, till, shift);
    const form = await formOf(await arrived(), { shift });
    expect((await send(ama, 'take', form)).status).toBe(409);
    expect(await takes()).toEqual([]);
  });

  test('allow either a tap’s undo or its webhook event, never both', async () => {
    for (const isToldFirst of [true, false]) {
      const reference = await taken();
      world.clock.nowMs += MINUTE_MS - 1_000;
      const toldFirst = async () => {
        world.clock.nowMs += 2_000;
        await tellNow(reference);
      };
      if (isToldFirst) world.rightBefore('TransactWriteItems', toldFirst);
      expect((await send(ama, 'undo', { reference })).status).toBe(isToldFirst ? 409 : 303);
      world.clock.nowMs += MINUTE_MS;
      await tellNow(reference);
      const { state, goods } = Object(await world.chargeRow(reference));
      expect([state, goods.told_at !== undefined]).toEqual(isToldFirst ? ['success', true] : ['cancelled', false]);
    }
  });
});

describe('a tap at a till', () => {
  test('can be undone by its cashier for a minute', async () => {
    const receipt = await arrived();
    const reference = await takenBy(ama, receipt);
    world.clock.nowMs += 30_000;
    expect((await send(ama, 'undo', { reference })).status).toBe(303);
    const goods = { state: 'taken_back', undone_by: ama.user.user_id };
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'cancelled', goods });
    expect(await world.chargeRow(reference)).not.toHaveProperty('payment');
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held', reason: 'no_charge' });
    expect(await shop.audit(/^till undo$/)).toHaveLength(1);
    expect((await tap(ama, receipt)).status).toBe(303);
    expect((await charges()).map(({ state }) => state).toSorted()).toEqual(['cancelled', 'success']);
    expect((await shop.assign(await arrived(), reference)).status).toBe(409);
  });

  test('sends receipt.held again after an undo', async () => {
    const receipt = await arrived();
    await world.followChanges();
    const reference = await takenBy(ama, receipt);
    await world.followChanges();
    await send(ama, 'undo', { reference });
    await world.followChanges();
    expect((await world.rows('EVENT')).filter(({ type }) => type === 'receipt.held')).toHaveLength(2);
  });

  test('is audited with its till after an undo', async () => {
    const reference = await taken();
    const other = await newTill('Counter 2');
    await ama.visit(`${TILL}/${other}/undo`, { form: { reference } });
    expect(await shop.audit(/^till undo$/)).toMatchObject([{ about: reference, after: { till } }]);
  });

  test('cannot be undone by a different cashier', async () => {
    const reference = await taken();
    expect((await send(kofi, 'undo', { reference })).status).toBe(409);
    world.clock.nowMs += MINUTE_MS;
    expectAnswer(await send(ama, 'undo', { reference }), 409, 'within a minute. Ask a manager.');
    expect((await see(ama)).text).not.toContain('Undo GHS');
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'success' });
  });

  test('can be undone later by a manager', async () => {
    const reference = await taken();
    world.clock.nowMs += MINUTE_MS;
    await tellNow(reference);
    await world.followChanges();
    world.clock.nowMs += 60 * MINUTE_MS;
    manager = await shop.signIn('manager');
    expect((await send(manager, 'undo', { reference })).status).toBe(303);
    await world.followChanges();
    expect(await events()).toEqual(['charge.cancelled', 'charge.success']);
  });

  test.each([
    ['within its minute gives its amount back to the limits', false, 0],
    ['after its minute stays counted, because the goods have left', true, 36_00],
  ])('undone %s', async (_, isLate, left) => {
    const counted = async () =>
      (await world.rows('UNPROVEN'))
        .flatMap((row) => Object.entries(row))
        .reduce((sum, [name, pesewas]) => sum + (name.startsWith('till_') ? Number(pesewas) : 0), 0);
    const reference = await taken();
    expect(await counted()).toBe(36_00);
    if (isLate) {
      world.clock.nowMs += MINUTE_MS;
      await tellNow(reference);
    }
    manager = await shop.signIn('manager');
    expect((await send(manager, 'undo', { reference })).status).toBe(303);
    expect(await counted()).toBe(left);
  });

  test('cannot be undone during another cashier’s shift', async () => {
    const receipt = await arrived();
    const form = await formOf(receipt);
    expectAnswer(await send(kofi, 'take', form), 409, 'Your shift has ended');
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
    expect(await takes()).toEqual([]);
  });

  test('fails without a current shift', async () => {
    const receipt = await arrived();
    const form = await formOf(receipt);
    await send(ama, 'end', { shift: form.shift });
    expect((await send(ama, 'take', form)).status).toBe(409);
    await begin(ama, till);
    expect((await send(ama, 'take', form)).status).toBe(409);
    expect(await takes()).toEqual([]);
  });

  test('returns 500 if the receipt cannot be read', async () => {
    const form = await formOf(await arrived());
    const usual = world.dynamoDb;
    world.dynamoDb = async (request, go) => {
      if (JSON.stringify(request.input).includes('#RECEIPT#set_aside')) throw new Error('down');
      await go();
    };
    const { status, text } = await send(ama, 'take', form);
    world.dynamoDb = usual;
    expect({ status, saysGone: text.includes(cannotTake.gone) }).toEqual({ status: 500, saysGone: false });
  });

  test('can be undone by a manager if its payment is disputed', async () => {
    const receipt = await arrived();
    const reference = await takenBy(ama, receipt);
    await world.outside.table.update(disputeCharge(world.outside, reference, 'conflict'));
    expect((await send(manager, 'undo', { reference })).status).toBe(303);
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect(await world.rows('PAYMENT')).toEqual([]);
    expect((await tap(ama, receipt)).text).toContain(cannotTake.doubtful);
    expect((await shop.assign(receipt, await shop.charge({ amount: 36 }))).status).toBe(200);
  });

  test('can be undone only once', async () => {
    const reference = await taken();
    const answers = await Promise.all([1, 2].map(() => send(ama, 'undo', { reference })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  test('is required before a charge can be undone', async () => {
    const order = await shop.charge({ amount: 36 });
    for (const reference of [order, 'MK-0000000000'])
      expect((await send(manager, 'undo', { reference })).status).toBe(404);
  });

  test('can be undone by its cashier until its webhook event is sent', () => {
    const at = '2026-11-22T10:00:00.000Z';
    const goods = { kind: 'take', state: 'given', shift_id: 'shift', by: 'ama', at } as const;
    const cashier = { by: 'ama', mayAssign: false };
    const assigner = { by: 'kofi', mayAssign: true };
    const may = (charge: object, who = cashier, ms = 0) => {
      const outside = { ...world.outside, now: () => Date.parse(at) + ms };
      return mayUndo(outside, { state: 'success', goods, refunds: undefined, ...charge }, who);
    };
    expect([0, 59_999, 60_000].map((ms) => may({}, cashier, ms))).toEqual([true, true, false]);
    expect({ assigner: may({}, assigner, 60_000), colleague: may({}, { by: 'kofi', mayAssign: false }) }).toEqual({
      assigner: true,
      colleague: false,
    });
    expect(may({ goods: { ...goods, told_at: at } })).toBe(false);
    const refunds = [{ amount_pesewas: 1, state: 'noted' }];
    for (const none of [{ state: 'reversed' }, { goods: undefined }, { refunds }])
      expect(may(none, assigner)).toBe(false);
  });

  test('cannot be undone while a refund is on record', async () => {
    const reference = await taken();
    const { json } = await shop.call('transaction/refund', { parameters: { reference }, body: {} });
    expectAnswer(await send(ama, 'undo', { reference }), 409, 'If it was not sent, withdraw it first.');
    const parameters = { reference, refund_id: json.data.refunds[0].refund_id };
    await shop.call('transaction/close-refund', { parameters, body: { outcome: 'withdrawn' } });
    expect((await send(ama, 'undo', { reference })).status).toBe(303);
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'cancelled' });
  });

  test('cannot be undone if a refund is recorded simultaneously', async () => {
    const reference = await taken();
    const noted = { parameters: { reference }, body: {} };
    world.rightBefore('TransactWriteItems', () => shop.call('transaction/refund', noted));
    expect((await send(ama, 'undo', { reference })).status).toBe(409);
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'success' });
  });

  test('sends one webhook event after a minute', async () => {
    const browser = new TestBrowser();
    await switchOn(world, manager, browser, { kinds: ['paid'] });
    await world.tell();
    const reference = await taken();
    await world.followChanges();
    expect(await events()).toEqual([]);
    const body = { kind: 'take', merchant_id: shop.id, about: reference };
    expect(drainJobs(world)).toEqual([{ delaySeconds: 60, body }]);
    expect({
      isDone: await tellNow(reference),
      postponedSeconds: world.postponed.map(({ seconds }) => seconds),
    }).toEqual({ isDone: false, postponedSeconds: [60] });
    expect(await world.chargeRow(reference)).not.toHaveProperty('goods.told_at');
    world.clock.nowMs += MINUTE_MS;
    expect(await tellNow(reference)).toBe(true);
    const told = await world.chargeRow(reference);
    await world.followChanges();
    expect(await tellNow(reference)).toBe(true);
    await world.followChanges();
    expect(await events()).toEqual(['charge.success']);
    expect(await world.chargeRow(reference)).toEqual(told);
    const bodies = drainJobs(world).map(({ body }) => body);
    expect(bodies).toMatchObject([{ kind: 'paid' }]);
    await work(world, bodies);
    const path = `/dashboard/charges/${reference}`;
    expect(heardBy(world, browser)).toMatchObject([{ kind: 'hello' }, { kind: 'paid', path }]);
  });

  test('sends no webhook event if undone within the minute', async () => {
    const reference = await taken();
    await send(ama, 'undo', { reference });
    await world.followChanges();
    world.clock.nowMs += 10 * MINUTE_MS;
    expect(await tellNow(reference)).toBe(true);
    expect(await events()).toEqual([]);
  });

  test('sends no webhook event if a manager undoes it simultaneously', async () => {
    const reference = await taken();
    world.clock.nowMs += MINUTE_MS;
    world.rightBefore('TransactWriteItems', () => send(manager, 'undo', { reference }));
    expect({
      isDone: await tellNow(reference),
      postponedSeconds: world.postponed.map(({ seconds }) => seconds),
    }).toEqual({ isDone: false, postponedSeconds: [1] });
    expect(await tellNow(reference)).toBe(true);
    await world.followChanges();
    expect(await events()).toEqual([]);
  });

  test('sends its webhook event during housekeeping if its job is lost', async () => {
    const reference = await taken();
    await world.followChanges();
    world.clock.nowMs += 59_000;
    await world.housekeeping();
    expect(await world.chargeRow(reference)).not.toHaveProperty('goods.told_at');
    world.clock.nowMs += 31_000;
    await world.housekeeping();
    expect(await world.chargeRow(reference)).toHaveProperty('goods.told_at');
    expect(await listExpiries(world.outside, world.iso(MINUTE_MS), 10)).toEqual([]);
  });

  test('is shown as reversed after a reversal', async () => {
    const receipt = await arrived();
    const reference = await takenBy(ama, receipt);
    await shop.arrive(reversal(receipt.id));
    expect((await charges())[0]).toMatchObject({ state: 'reversed' });
    expect((await see(ama)).text).toContain('Reversed');
    world.clock.nowMs += MINUTE_MS;
    const { status, text } = await send(ama, 'undo', { reference });
    expect({ status, asksManager: text.includes('Ask a manager') }).toEqual({ status: 409, asksManager: false });
  });
});

describe('the daily closing', () => {
  const closing = (by: Person, query: Record<string, string> = {}) => by.visit(`${TILL}/closing`, { query });

  test('totals each cashier’s taps, undos, reversals and held payments', async () => {
    await taken();
    await send(ama, 'undo', { reference: await taken() });
    const back = await arrived();
    await tap(ama, back);
    await shop.arrive(reversal(back.id));
    const figuresFor = async (by: Person) => {
      const { text } = await closing(by);
      const figures = [...text.matchAll(/<dt>([^<]+)<\/dt><dd>(?:<b\b[^>]*>)?([^<]+)</g)];
      return Object.fromEntries(figures.map(([, name, shown]) => [name, shown]));
    };
    const figures = await figuresFor(ama);
    expect(figures).not.toHaveProperty('Arrived on your numbers');
    expect(figures).toMatchObject({
      Taken: 'GHS 36.00 (1)',
      Undone: 'GHS 36.00 (1)',
      'Reversed by the network': 'GHS 36.00 (1)',
      'Waiting to be checked': 'GHS 36.00 (1)',
    });
    expect(await figuresFor(manager)).toMatchObject({ 'Arrived on your numbers': 'GHS 108.00 (3)' });
  });

  test('marks only the total and the section if no payment is verified', async () => {
    await taken();
    await arrived();
    const { text } = await closing(manager);
    expect(wordsOf(text)).toContain('\nWhat arrived\nNone of this is verified\n');
    expect(valuesOf(text, 'Taken by cashiers')).toEqual(['GHS 36.00 (1)']);
    expect(valuesOf(text, 'Waiting to be checked')).toEqual(['GHS 36.00 (1)']);
    expect(valuesOf(text, 'Arrived on your numbers')).toEqual(['GHS 72.00 (2) Not verified']);
    expect(valuesOf((await closing(ama)).text, 'Waiting to be checked')).toEqual(['GHS 36.00 (1) Not verified']);
  });

  test('lists amounts owed to customers until they are sent back', async () => {
    const day = new Date(world.clock.nowMs).toISOString().slice(0, 10);
    const owed = async () => (await closingOf(world.outside, shop.id, await tills(), day)).toLookInto;
    const [tooMuch, promised] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 50 })];
    await shop.pay(mtn({ reference: tooMuch, amount: '40.00' }));
    await shop.pay(mtn({ reference: promised, amount: '50.00' }));
    expect(await owed()).toEqual({ count: 1, pesewas: 4_00 });
    const second = mtn({ reference: promised, amount: '50.00' });
    await shop.pay(second);
    const noted = { parameters: { reference: promised }, body: { amount: 10 } };
    const { json } = await shop.call('transaction/refund', noted);
    expect(await owed()).toEqual({ count: 3, pesewas: 64_00 });
    const parameters = { reference: promised, refund_id: json.data.refunds[0].refund_id };
    await shop.call('transaction/close-refund', { parameters, body: { outcome: 'sent' } });
    expect(await owed()).toEqual({ count: 2, pesewas: 54_00 });
    await putAside(second, { sent_back: true });
    expect(await owed()).toEqual({ count: 1, pesewas: 4_00 });
  });

  test('lists a payment retaken after an undo', async () => {
    const receipt = await arrived();
    const takenAgain = (reference: string) => new RegExp(`Taken again[\\s\\S]*now <a[^>]*>${reference}<`);
    await send(ama, 'undo', { reference: await takenBy(ama, receipt) });
    expect((await closing(manager)).text).not.toContain('Taken again');
    world.clock.nowMs += 1_000;
    const again = await takenBy(ama, receipt);
    expect((await closing(manager)).text).toMatch(takenAgain(again));
    await send(ama, 'undo', { reference: again });
    const { text } = await closing(manager);
    expect(text).toMatch(takenAgain(again));
    expect(text).toContain('GHS 72.00 (2)');
  });

  test('shows a cashier only their own taps', async () => {
    await taken();
    await begin(kofi, till, await shiftId());
    const owner = await shop.signIn('owner');
    const sees = async (by: Person) => {
      const { text } = await closing(by);
      return { takes: text.includes('Counter 1 · '), balance: text.includes('<h2>Balances</h2>') };
    };
    expect({
      ama: await sees(ama),
      kofi: await sees(kofi),
      manager: await sees(manager),
      owner: await sees(owner),
    }).toEqual({
      ama: { takes: true, balance: false },
      kofi: { takes: false, balance: false },
      manager: { takes: true, balance: false },
      owner: { takes: true, balance: true },
    });
  });

  test('shows totals by hour from midnight to midnight', async () => {
    const title = 'Taken by hour, GHS';
    const takenAt = async (ms: number) => {
      world.clock.nowMs = ms;
      ama = await again(ama);
      return taken();
    };
    const dayMs = dayStartMs(dayOf(world.clock.nowMs)) + DAY_MS;
    for (const ms of [dayMs - 20_000, dayMs, dayMs + DAY_MS - 20_000]) await takenAt(ms);
    await send(ama, 'undo', { reference: await takenAt(dayMs + DAY_MS - 20_000) });
    const { text } = await closing(ama);
    const counted = plotColumn(text, title, 'GHS');
    expect(counted).toEqual(Object.assign(Array(24).fill(0), { 0: 36, 23: 36 }));
    expect(plotColumn(text, title, 'Not verified')).toEqual(counted);
    expect(valuesOf(text, 'Taken')).toEqual([`GHS ${sumOf(counted).toFixed(2)} (2) Not verified`]);
    expect(plotColumn((await closing(await again(kofi))).text, title, 'GHS')).toEqual([]);
    const { text: all } = await closing(await again(manager));
    expect(sumOf(plotColumn(all, title, 'GHS'))).toBe(72);
    expect(wordsOf(all)).toMatch(/Taken at tills\nGHS 72\.00 Not verified\n2 payments on bills, not verified\n/);
  });

  test('shows any past day, today by default', async () => {
    await taken();
    expect((await closing(ama, { day: '2020-02-30' })).text).toContain('<dt>Taken');
    expect((await closing(ama, { day: '2020-02-29' })).text).toContain('You took no payments');
  });
});

test('an open till returns 304 until its payments change', async () => {
  // The page's version changes every minute.
  world.clock.nowMs += MINUTE_MS - (world.clock.nowMs % MINUTE_MS);
  expect((await see(ama, { amount: '36' })).headers.etag ?? '').toBe('');
  const version = versionIn((await see(ama, { amount: '36' })).text);
  const again = () =>
    ama.visit(`${TILL}/${till}`, { query: { amount: '36' }, headers: { 'if-none-match': `"${version}"` } });
  expect((await again()).status).toBe(304);
  const receipt = await arrived();
  expect((await again()).status).toBe(200);
  const moved = versionIn((await again()).text);
  await change(receipt, { proof: { state: 'proven' } });
  expect(versionIn((await again()).text)).not.toBe(moved);
});

test('an open till updates if a recent tap is disputed', async () => {
  world.clock.nowMs += MINUTE_MS - (world.clock.nowMs % MINUTE_MS);
  const [first, second] = [await taken(), await taken()];
  const changes = async (act: () => unknown) => {
    const before = versionIn((await see(ama)).text);
    await act();
    return versionIn((await see(ama)).text) !== before;
  };
  const dispute = (reference: string) =>
    world.outside.table.write([disputeCharge(world.outside, reference, 'reversal')]);
  expect(await changes(() => {})).toBe(false);
  expect(await changes(() => dispute(first))).toBe(true);
  world.clock.nowMs += 10 * MINUTE_MS;
  expect(await changes(() => dispute(second))).toBe(false);
});

test('an open till updates once its cashier can no longer undo a tap', async () => {
  // The page's version changes every minute, so the tap ends in the middle of one.
  world.clock.nowMs += 1.5 * MINUTE_MS - (world.clock.nowMs % MINUTE_MS);
  await taken();
  world.clock.nowMs += 50_000;
  const { text } = await see(ama);
  world.clock.nowMs += 10_000;
  const later = (await see(ama)).text;
  expect([text, later].map((page) => page.includes('>Undo GHS'))).toEqual([true, false]);
  expect(versionIn(later)).not.toBe(versionIn(text));
});

test('an open till reloads without JavaScript while an amount is due', async () => {
  const refresh = '<noscript><meta http-equiv="refresh" content="5"></noscript>';
  expect((await see(ama, { amount: '36' })).text).toContain(refresh);
  expect((await see(ama)).text).not.toContain('http-equiv="refresh"');
});

function tills() {
  return tillRows.list(world.outside, { merchant_id: shop.id });
}

async function newTill(name: string): Promise<string> {
  await manager.visit(`${TILL}/new`, { form: { name } });
  const found = (await tills()).find((one) => one.name === name);
  if (!found) throw new Error('The till was not added');
  return found.till_id;
}

function begin(by: Person, id: string, instead_of?: string) {
  return by.visit(`${TILL}/${id}/begin`, { form: { ...(instead_of && { instead_of }) } });
}

async function freshShift(): Promise<void> {
  await send(ama, 'end', { shift: await shiftId() });
  await begin(ama, till);
}

async function shiftOf(id: string) {
  return (await tills()).find(({ till_id }) => till_id === id)?.shift;
}

async function shiftId(id = till): Promise<string> {
  return (await shiftOf(id))?.shift_id ?? '';
}

/** Renews an expired session. */
async function again(by: Person): Promise<Person> {
  return { ...by, ...(await world.signInAgain(by.user)) };
}

function see(by: Person, query: Record<string, string> = {}) {
  return by.visit(`${TILL}/${till}`, { query });
}

function send(by: Person, what: 'take' | 'undo' | 'end', form: Record<string, string>) {
  return by.visit(`${TILL}/${till}/${what}`, { form });
}

/** Receives a payment that the till may take. */
async function arrived(receipt: ReceiptText = mtn()): Promise<ReceiptText> {
  world.clock.nowMs += 1_000;
  await shop.pay(receipt);
  return receipt;
}

/** Counts the charges read during `act`. */
async function chargesReadBy(act: () => Promise<unknown>): Promise<number> {
  let read = 0;
  const usual = world.dynamoDb;
  world.dynamoDb = async (request, send) => {
    if (request.command === 'BatchGetItem') read += JSON.stringify(request.input).split('TRANSACTION#').length - 1;
    await (usual ? usual(request, send) : send());
  };
  await act();
  world.dynamoDb = usual;
  return read;
}

async function arrivedAt(ms: number): Promise<ReceiptText> {
  const receipt = mtn();
  await shop.arrive({ ...receipt, receivedAt: new Date(ms).toISOString() });
  return receipt;
}

async function arrivedThen(happens: (receipt: ReceiptText) => Promise<unknown>): Promise<ReceiptText> {
  const receipt = await arrived();
  await happens(receipt);
  return receipt;
}

async function aDayLater(): Promise<void> {
  world.clock.nowMs += DAY_MS + 1_000;
  ama = await again(ama);
}

function change(receipt: ReceiptText, fields: Item) {
  const key = { pk: `RECEIPT#${shop.paymentId(receipt)}`, sk: 'RECEIPT' };
  return world.outside.table.write([changeItem(key, fields)]);
}

async function putAside(receipt: ReceiptText, more: { sent_back?: boolean } = {}): Promise<void> {
  const said = { by: manager.user.user_id, ...more };
  await world.outside.table.write(await setAside(world.outside, shop.id, shop.paymentId(receipt), said));
}

/** Returns the payers in page order. */
function payersIn(page: string): string[] {
  return tillLinesIn(page, 'Just arrived').map(({ payer }) => payer);
}

/** Returns a payment's form fields, even if its button is hidden. */
async function formOf(receipt: ReceiptText, more: Record<string, string> = {}, id = till) {
  const { received_at } = (await shop.receipt(receipt)) ?? {};
  const shown = `${Date.parse(String(received_at))}-${receipt.id.slice(-4)}`;
  return { receipt: shown, shift: await shiftId(id), amount: '36', ...more };
}

async function tap(by: Person, receipt: ReceiptText) {
  return send(by, 'take', await formOf(receipt));
}

/** Lets Ama take a payment and returns the charge's reference. */
async function taken(): Promise<string> {
  return takenBy(ama, await arrived());
}

async function takenBy(by: Person, receipt: ReceiptText): Promise<string> {
  return (await tap(by, receipt)).headers.location?.split('taken=')[1] ?? '';
}

/** Runs the job that reports a tap. Returns whether the job is done. */
async function tellNow(reference: string): Promise<boolean> {
  return (await work(world, [{ kind: 'take', merchant_id: shop.id, about: reference }])) === 0;
}

function charges(): Promise<Item[]> {
  return world.rows('TRANSACTION');
}

async function takes(): Promise<Item[]> {
  const { items } = await world.outside.table.listPage(`TAKE#${shop.id}#${till}`);
  return items;
}

async function events(): Promise<string[]> {
  const found = (await world.rows('EVENT')).filter(({ type }) => String(type).startsWith('charge.'));
  return found.map(({ type }) => String(type)).toSorted();
}

function claimIt(access_code: string, receipt: ReceiptText) {
  const body = { transaction_id: receipt.id, name: 'Kofi Mensah' };
  return world.call('checkout/claim', { parameters: { access_code }, body });
}

/** Changes one digit of the reference. */
function mistyped(reference: string): string {
  const last = Number(reference.at(-1));
  return `${reference.slice(0, -1)}${(last + 1) % 10}`;
}

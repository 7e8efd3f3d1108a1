import { beforeEach, describe, expect, test } from 'vitest';
import { BALANCE_QUESTION, REASONS } from '../../../shared/pages/dashboard/settings/name-balance.ts';
import { expectPings } from '../../../shared/phones/gateway/phone.table.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { changeChain, requireChain } from '../../../shared/wallets/chain/change-chain.ts';
import { noteWalletHeard } from '../../../shared/wallets/wallet/hearing.table.ts';
import { expectWords } from '../../support/answers.ts';
import { noticeIn } from '../../support/dashboard.ts';
import { pillsIn, valuesOf } from '../../support/page-words.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';
import { askAboutLost, at, BEGUN_MINUTE, begin, known, link, run, text, WALLET } from '../../support/wallet-chains.ts';

const WALLETS = '/dashboard/settings/wallets';
const PATH = `${WALLETS}/0241234567`;
const TODAY = '/dashboard/today';
const ANSWER = `${TODAY}/balance/MTN/233241234567`;
const AFTER_LOST = run(BEGUN_MINUTE + 1, 1_036_00, 5_00, 6_00);
let world: Scene;
let merchant: Merchant;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  at(world, 0);
  merchant = await world.createMerchant();
  await begin(world);
  owner = await merchant.signIn('owner');
});

const open = (path: string, by = owner) => by.visit(path);

describe('the wallet list', () => {
  test('shows each wallet’s last text and state', async () => {
    const heardAt = world.iso();
    await noteWalletHeard(world.outside, '+233241234567', { gateway: 'phone', device_id: 'd' }, heardAt);
    await merchant.change({
      momo_accounts: [
        { number: '+233241234567', network: 'MTN', account_name: 'AMA' },
        { number: '+233201112223', network: 'TELECEL', account_name: 'AMA' },
      ],
    });
    const { text } = await open(WALLETS);
    expectWords(
      text,
      [
        'GHS 1,000.00</span><br><span class="hint">from its texts<',
        ' data-age>now</time><',
        'Receives texts',
        'No payment yet',
      ],
      ['last verified', BALANCE_QUESTION],
    );
    expect(text).toContain(
      '<h1>Wallets</h1><div class="actions"><a class="plain button" href="/dashboard/settings/numbers/new">',
    );
    const own = ['>Last verified balance<', 'No gaps since', '20 Nov 2026, 10:25', 'Any amount'];
    expectWords((await open(PATH)).text, own);
  });

  test('links to the question about the balance', async () => {
    await askAboutLost(world);
    for (const path of [WALLETS, PATH])
      expectWords((await open(path)).text, [BALANCE_QUESTION, REASONS.break, `href="${ANSWER}">Enter the balance`]);
    const wallet = await open(PATH);
    expectWords(wallet.text, ['Needs its balance'], ['No gaps since']);
    // Each unverified payment leads to its page, which shows the payer and the bill.
    const payments = wallet.text.matchAll(/href="\/dashboard\/held\/MTN-[^"]+">\+ GHS\s([\d.]+)</g);
    expect(Array.from(payments, ([, amount]) => amount)).toEqual(['5.00', '6.00']);
  });
});

test('a wallet’s own page says directly below the balance where its true balance is', async () => {
  expect((await open(PATH)).text).toMatch(
    /<p class="amount">.*<\/p>\s*<p>Only MTN knows your true balance\. Dial <b class="number">\*170#<\/b> on [^\n]*<\/section>/,
  );
});

test('no page shows a balance until an owner has just named it, and then says where it comes from', async () => {
  const hidden = ['1,000.00', '1,036.00', '1,047.00'];
  const pages = ['/dashboard/till/closing', WALLETS, PATH, ANSWER, TODAY];
  const shown = async () => {
    const texts = await Promise.all(pages.map(async (path) => (await open(path)).text));
    return pages.filter((_, n) => hidden.some((balance) => texts[n]?.includes(balance)));
  };
  const seen = ['/dashboard/till/closing', WALLETS, PATH];
  expect(await shown()).toEqual(seen);
  const closing = valuesOf((await open('/dashboard/till/closing')).text, 'MTN MoMo, 024 123 4567');
  expect(closing).toEqual(['GHS 1,000.00 from its texts']);
  await link(world, text(BEGUN_MINUTE, 1_000_00, 36_00));
  world.clock.nowMs += 10 * MINUTE_MS;
  expect(await shown()).toEqual([]);
  await askAboutLost(world);
  owner = await merchant.signIn('owner');
  expect(await shown()).toEqual([]);
  await owner.visit(ANSWER, { form: { balance: '1047' } });
  expect(await shown()).toEqual(seen);
});

describe('a wallet’s state', () => {
  const PHONE = { gateway: 'phone', device_id: 'd' };
  const heard = (): Promise<void> => noteWalletHeard(world.outside, WALLET.momo_number, PHONE, world.iso());
  beforeEach(heard);

  test.each([
    ['works', 'Receives texts', async () => {}],
    ['needs its balance', 'Needs its balance', () => askAboutLost(world)],
    ['gets forged texts', 'Forged texts', () => guessAt()],
    [
      'has a silent phone',
      'Phone silent',
      async () => {
        await expectPings(world.outside, PHONE.gateway);
        world.clock.nowMs += 2 * DAY_MS;
        owner = await merchant.signIn('owner');
      },
    ],
  ] as const)('is the same on the Today page, in the list and on its own page if it %s', async (_, label, happens) => {
    await happens();
    for (const path of [TODAY, WALLETS, PATH]) {
      const labels = pillsIn((await open(path)).text).map((pill) => pill.label);
      const states = labels.filter((one) =>
        ['Receives texts', 'Needs its balance', 'Forged texts', 'Phone silent'].includes(one),
      );
      expect({ path, states: [...new Set(states)] }).toEqual({ path, states: [label] });
    }
  });

  test('is warned about while somebody guesses its balance, with a link for those who can act', async () => {
    await guessAt();
    const warningFor = async (role: 'owner' | 'manager' | 'cashier') => {
      const { text } = await (await merchant.signIn(role)).visit(TODAY);
      return /<p class="notice look">.*?guess the balance of.*?<\/p>/s.exec(text)?.[0] ?? '';
    };
    expectWords(await warningFor('owner'), [
      'This ends when you enter the balance, or on ',
      'href="/dashboard/today/balance/MTN/233241234567">Enter the balance<',
    ]);
    for (const role of ['manager', 'cashier'] as const)
      expectWords(await warningFor(role), ['This ends when the owner enters the balance, or on '], ['<a ']);
  });

  test('is listed as a task on the Today page while the phone is silent', async () => {
    await expectPings(world.outside, PHONE.gateway);
    owner = await merchant.signIn('owner');
    expect((await open(TODAY)).text).toContain('Nothing is waiting for you.');
    world.clock.nowMs += 2 * DAY_MS;
    for (const role of ['owner', 'cashier'] as const) {
      const { text } = await (await merchant.signIn(role)).visit(TODAY);
      expect(text).toMatch(/Your MTN phone is silent<.*024\u00a0123\u00a04567, last seen 2 days ago/s);
      expectWords(text, ['href="/dashboard/today#wallets"', 'id="wallets"'], ['Nothing is waiting']);
    }
    const { text } = await (await merchant.signIn('developer')).visit(TODAY);
    expect(text).toContain('Nothing is waiting for you.');
  });

  test('is shown for a shared wallet, too', async () => {
    await world.createMerchant();
    for (const path of [TODAY, WALLETS]) expect((await open(path)).text).toContain('>Receives texts<');
    expect((await open(WALLETS)).text).toContain('MTN, shared');
  });
});

describe('a wallet’s page', () => {
  test('shows the balance and explains gaps', async () => {
    await link(world, ...AFTER_LOST);
    const page = await open(PATH);
    expect(page.text).toContain('GHS 1,000.00');
    expect(page.text).toMatch(/Unknown: the balance rose without a text.*\+ GHS 36\.00/s);
  });

  test('shows that the waiting texts do not continue the balance chain', async () => {
    await link(world, text(BEGUN_MINUTE + 5, 1_000_00, 36_00), text(BEGUN_MINUTE + 1, 9_000_00, 5_00));
    expectWords(
      (await open(PATH)).text,
      ['These texts do not follow from the last verified text'],
      ['None: every text'],
    );
  });

  test('asks for the first balance if nobody has named one', async () => {
    const momo_accounts = [{ number: '+233241112223', network: 'MTN', account_name: 'AMA' } as const];
    await merchant.change({ momo_accounts });
    const asks = [REASONS['first look'], 'href="/dashboard/today/balance/MTN/233241112223">Enter the balance'];
    expectWords((await open(`${WALLETS}/0241112223`)).text, asks);
  });

  test('asks for the balance after forged texts', async () => {
    await guessAt();
    expectWords((await open(PATH)).text, [REASONS.paused, `href="${ANSWER}">Enter the balance`]);
    await owner.visit(ANSWER, { form: { balance: '1000' } });
    expectWords((await open(PATH)).text, ['Verified in 24 hours</dt><dd>Nothing yet'], [REASONS.paused]);
  });

  test('hides the balance of a wallet shared by several merchants', async () => {
    await world.createMerchant();
    await askAboutLost(world);
    for (const path of [WALLETS, PATH]) expect((await open(path)).text).not.toMatch(/1,0\d\d\.00/);
    expect((await open(PATH)).text).toContain('only support enters and sees its balance');
  });

  test('is visible only to the owner', async () => {
    for (const role of ['manager', 'cashier', 'viewer', 'developer'] as const) {
      const person = await merchant.signIn(role);
      for (const path of [WALLETS, PATH]) expect((await open(path, person)).status).toBe(403);
    }
  });
});

test('the owner is not asked for a balance if texts arrive in order', async () => {
  await link(world, text(BEGUN_MINUTE, 1_000_00, 36_00), ...AFTER_LOST);
  expectWords((await open(PATH)).text, ['No gaps since'], ['<h2>Gaps</h2>', 'Needs its balance']);
});

describe('the page for a wallet’s balance', () => {
  const enter = (balance: string, by = owner, more: Record<string, string> = {}) =>
    by.visit(ANSWER, { form: { balance, ...more } });
  const actions = async () => (await merchant.audit(/^wallet/)).map(({ action }) => action);

  describe('while texts wait', () => {
    beforeEach(async () => {
      await askAboutLost(world);
      owner = await merchant.signIn('owner');
    });

    test('is only for owners', async () => {
      expect((await open(TODAY)).text).toContain(`href="${ANSWER}"`);
      const asked = [BALANCE_QUESTION, REASONS.break, '*170#', 'Current Balance', 'Do not copy it from Messages'];
      expectWords((await open(ANSWER)).text, asked, ['1,047']);
      for (const role of ['manager', 'cashier', 'viewer', 'developer'] as const) {
        const by = await merchant.signIn(role);
        expectWords((await open(TODAY, by)).text, [], ['1,047.00', ANSWER]);
        expect([(await open(ANSWER, by)).status, (await enter('1047', by)).status]).toEqual([403, 403]);
      }
      const operator = await world.operatorAt(merchant.id);
      expect((await enter('1047', operator)).status).toBe(403);
      expect((await known(world)).waiting).toHaveLength(2);
    });

    test('needs a recent passkey', async () => {
      const stale = await world.signInAgain(owner.user, { freshSeconds: -1 });
      const { status, headers } = await enter('1047', stale);
      expect({ status, location: headers.location }).toEqual({
        status: 303,
        location: expect.stringMatching(/^\/dashboard\/sign-in\/confirm\?next=/),
      });
      expect((await known(world)).waiting).toHaveLength(2);
    });

    test('verifies the texts that lead to the balance, and writes one audit entry without it', async () => {
      for (let n = 0; n < 2; n++) {
        const { status, headers } = await enter('1047');
        expect({ status, location: headers.location }).toEqual({ status: 303, location: PATH });
        expect(await known(world)).toMatchObject({ balance: 1_047_00, waiting: [], gaps: [36_00] });
      }
      expect(await actions()).toEqual(['wallet balance', 'wallet balance']);
      expect(JSON.stringify(await merchant.audit())).not.toContain('1047');
    });

    test('keeps a balance that does not agree, and changes nothing before it is entered again', async () => {
      const rejected = await enter('1048');
      expect({ status: rejected.status, text: rejected.text }).toEqual({
        status: 400,
        text: expect.stringMatching(/GHS\u00a01,048\.00 does not match the texts.*value="1048"/s),
      });
      expect((await enter('1048')).status).toBe(400);
      expect((await known(world)).waiting).toHaveLength(2);
      world.clock.nowMs += 2 * MINUTE_MS;
      expect((await enter('1048')).status).toBe(303);
      expect(await known(world)).toMatchObject({ balance: 1_048_00, waiting: [] });
    });

    test.each(['a lot', '', '-3', '1.234'])('rejects the balance “%s”', async (balance) => {
      const before = await known(world);
      expect((await enter(balance)).status).toBe(400);
      expect(await known(world)).toEqual(before);
    });

    test('refuses a wallet that several merchants share', async () => {
      await world.createMerchant();
      expectWords((await open(TODAY)).text, [], ['1,047.00', ANSWER]);
      expect([(await open(ANSWER)).status, (await enter('1047')).status]).toEqual([404, 404]);
      expect((await known(world)).waiting).toHaveLength(2);
    });
  });

  test('refuses the wallet of another merchant', async () => {
    await merchant.change({ momo_accounts: [] });
    expect([(await open(ANSWER)).status, (await enter('1000')).status]).toEqual([404, 404]);
  });

  test('begins the chain at the first balance', async () => {
    const momo_accounts = [{ number: '+233241112223', network: 'MTN', account_name: 'AMA' } as const];
    await merchant.change({ momo_accounts });
    const path = '/dashboard/today/balance/MTN/233241112223';
    expectWords((await open(path)).text, [REASONS['first look']]);
    const answer = await owner.visit(path, { form: { balance: '3017.27' } });
    expect(noticeIn(answer.cookies)).toMatch(/^GHS\u00a03,017\.27 is the balance .* at most GHS\u00a01,000\.00 a day/);
    const wallet = { network: 'MTN', momo_number: '+233241112223' } as const;
    const anchor = { balance: 3_017_27, proves_since_ms: expect.any(Number) };
    expect(await requireChain(world.outside, wallet)).toMatchObject({ anchor });
  });

  test('says that a balance which anybody would try verifies nothing yet', async () => {
    const momo_accounts = [{ number: '+233241112223', network: 'MTN', account_name: 'AMA' } as const];
    await merchant.change({ momo_accounts });
    const answer = await owner.visit('/dashboard/today/balance/MTN/233241112223', { form: { balance: '50' } });
    expect(noticeIn(answer.cookies)).toContain('Payments are not verified yet. Anyone would guess a balance such as 0');
  });

  test('shows a naming to the other owners', async () => {
    const other = await merchant.signIn('owner');
    await enter('1000');
    const { text } = await other.visit('/dashboard/settings/changes');
    expectWords(text, ['Name the balance of 024 123 4567', 'It agrees with the texts'], ['1,000.00']);
  });
});

describe('the closing’s balance field', () => {
  const CLOSING = '/dashboard/till/closing';
  beforeEach(async () => {
    world.clock.nowMs += 10 * MINUTE_MS;
    owner = await merchant.signIn('owner');
  });

  test('hides the expected balance from the owner until they have entered theirs', async () => {
    expectWords((await open(CLOSING)).text, ['>MTN MoMo, ', 'name="balance"', `action="${ANSWER}"`], ['1,000.00']);
    const form = { balance: '1000', from: 'closing' };
    const { status, headers } = await owner.visit(ANSWER, { form });
    expect({ status, location: headers.location }).toEqual({ status: 303, location: CLOSING });
    expectWords((await open(CLOSING)).text, ['GHS 1,000.00', 'from its texts'], ['name="balance"']);
  });

  test('is not shown to a manager or the operator', async () => {
    for (const by of [await merchant.signIn('manager'), await world.operatorAt(merchant.id)])
      expectWords((await open(CLOSING, by)).text, [], ['name="balance"', ANSWER]);
  });
});

/** Records three failed guesses at the wallet's balance. */
function guessAt() {
  world.clock.nowMs += 10;
  return changeChain(world.outside, WALLET, () => ({ failed_ms: [1, 2, 3].map((n) => world.clock.nowMs - n) }));
}

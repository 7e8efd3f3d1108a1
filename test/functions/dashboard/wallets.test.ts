import { beforeEach, describe, expect, test } from 'vitest';
import { expectPings } from '../../../shared/phones/gateway/phone.table.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { changeChain } from '../../../shared/wallets/chain/change-chain.ts';
import { noteWalletHeard } from '../../../shared/wallets/wallet/hearing.table.ts';
import { expectWords } from '../../support/answers.ts';
import { cellsIn, pillsIn, valuesOf } from '../../support/page-words.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';
import {
  askAboutLost,
  at,
  beginAnew,
  ESTABLISHED_MINUTE,
  establish,
  known,
  link,
  run,
  text,
  useAtAllHours,
  WALLET,
} from '../../support/wallet-chains.ts';

const WALLETS = '/dashboard/settings/wallets';
const PATH = `${WALLETS}/0241234567`;
const TODAY = '/dashboard/today';
const ANSWER = `${TODAY}/balance/MTN/233241234567`;
const QUESTION = 'Did 024\u00a0123\u00a04567 hold GHS\u00a01,047.00 on ';
const AFTER_LOST = run(ESTABLISHED_MINUTE + 1, 1_036_00, 5_00, 6_00);
let world: Scene;
let merchant: Merchant;
let owner: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  at(world, 0);
  merchant = await world.createMerchant();
  await establish(world);
  owner = await merchant.signIn('owner');
});

const open = (path: string, by = owner) => by.visit(path);
const isNotVerified = ({ tone, label }: { tone: string; label: string }) => tone === 'look' && label === 'Not verified';

describe('the wallet list', () => {
  test('shows each wallet’s last text and balance chain', async () => {
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
      ['last verified', 'Did 024'],
    );
    expect(text).toContain(
      '<h1>Wallets</h1><div class="actions"><a class="plain button" href="/dashboard/settings/numbers/new">',
    );
    const own = ['>Last verified balance<', 'No gaps since', '12 Nov 2026, 02:25', 'Warn only'];
    expectWords((await open(PATH)).text, own);
  });

  test('links to the question about the balance', async () => {
    await askAboutLost(world);
    const { text } = await open(WALLETS);
    expect(text).toContain(QUESTION);
    expectWords(text, [`href="${ANSWER}">Answer`, '<span class="hint">last verified<'], ['from its texts']);
    const wallet = await open(PATH);
    expect(wallet.text).toContain(`href="${ANSWER}">Answer`);
    expect(wallet.text).toMatch(/GHS\u00a01,047\.00 on \d+\u00a0Nov\u00a02026 at \d\d:\d\d\?/);
    expectWords(wallet.text, ['Last verified balance', 'Needs your answer'], ['No gaps since']);
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

test('a balance is not called verified on any page unless its chain is established', async () => {
  const shown = async () => ({
    closing: valuesOf((await open('/dashboard/till/closing')).text, 'MTN MoMo, 024 123 4567'),
    list: cellsIn((await open(WALLETS)).text, 'This shop’s wallets').map((cells) => cells.at(-1)),
    isMarkedOnItsPage: pillsIn((await open(PATH)).text).some(isNotVerified),
  });
  const said = (balance: string) => ({ closing: [balance], list: [balance], isMarkedOnItsPage: false });
  expect(await shown()).toEqual(said('GHS 1,000.00 from its texts'));
  await askAboutLost(world);
  expect(await shown()).toEqual(said('GHS 1,000.00 last verified'));
  await changeChain(world.outside, WALLET, () => ({ established_ms: undefined }));
  expect(await shown()).toEqual({ ...said('GHS 1,000.00 Not verified'), isMarkedOnItsPage: true });
  expect(pillsIn((await open(WALLETS)).text).filter(isNotVerified)).toHaveLength(1);
});

describe('a wallet’s state', () => {
  const PHONE = { gateway: 'phone', device_id: 'd' };
  const heard = (): Promise<void> => noteWalletHeard(world.outside, WALLET.momo_number, PHONE, world.iso());

  test.each([
    ['works', 'Receives texts', async () => {}],
    ['is new', 'New', () => beginAnew(world)],
    ['needs an answer', 'Needs your answer', () => askAboutLost(world)],
    ['gets forged texts', 'Forged texts', () => guessAt()],
    [
      'has a silent phone',
      'Phone silent',
      async () => {
        await heard();
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
        ['Receives texts', 'New', 'Needs your answer', 'Forged texts', 'Phone silent'].includes(one),
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
      'This ends when you confirm the balance, or on ',
      'href="/dashboard/today/balance/MTN/233241234567">Confirm the balance<',
    ]);
    for (const role of ['manager', 'cashier'] as const)
      expectWords(await warningFor(role), ['This ends when the owner confirms the balance, or on '], ['<a ']);
  });

  test('is listed as a task on the Today page while the phone is silent', async () => {
    await heard();
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
    await heard();
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
    await link(world, text(ESTABLISHED_MINUTE - 10, 1_000_00, 36_00));
    expectWords(
      (await open(PATH)).text,
      ['These texts do not follow from the last verified text'],
      ['None: every text'],
    );
  });

  test('explains that no text has arrived yet', async () => {
    const momo_accounts = [{ number: '+233201112223', network: 'TELECEL', account_name: 'AMA' } as const];
    await merchant.change({ momo_accounts });
    expect((await open(`${WALLETS}/0201112223`)).text).toContain('No text has reported this wallet’s balance yet');
  });

  test('asks for the balance after forged texts', async () => {
    await beginAnew(world);
    const failed_ms = [world.clock.nowMs, world.clock.nowMs, world.clock.nowMs];
    await changeChain(world.outside, WALLET, () => ({ failed_ms }));
    expect((await open(PATH)).text).toContain(`href="${ANSWER}">Answer`);
    expect((await owner.visit(ANSWER)).text).toContain('What the wallet shows now');
    await owner.visit(`${ANSWER}/balance`, { form: { balance: '1000' } });
    expect((await known(world)).chain.failed_ms).toBeUndefined();
    expect((await open(PATH)).text).not.toContain('Answer');
  });

  test('hides the balance of a wallet shared by several merchants', async () => {
    await world.createMerchant();
    await askAboutLost(world);
    for (const path of [WALLETS, PATH]) expect((await open(path)).text).not.toMatch(/1,0\d\d\.00/);
    expect((await open(PATH)).text).toContain('only support sees and confirms its balance');
  });

  test('is visible only to the owner', async () => {
    for (const role of ['manager', 'cashier', 'viewer', 'developer'] as const) {
      const person = await merchant.signIn(role);
      for (const path of [WALLETS, PATH]) expect((await open(path, person)).status).toBe(403);
    }
  });
});

test('the owner is not asked for a balance if texts arrive in order', async () => {
  await link(world, text(ESTABLISHED_MINUTE, 1_000_00, 36_00), ...AFTER_LOST);
  expectWords((await open(PATH)).text, ['No gaps since'], ['<h2>Gaps</h2>', 'Needs your answer']);
});

describe('the question about a wallet’s balance', () => {
  beforeEach(async () => {
    await askAboutLost(world);
    owner = await merchant.signIn('owner');
  });

  test('is shown only to the owner', async () => {
    expect((await open(TODAY)).text).toContain(`href="${ANSWER}"`);
    expectWords((await open(ANSWER)).text, [
      ...[QUESTION, '*170#', 'Do not rely on the texts'],
      '<button class="plain button">Yes</button>',
      '<button class="plain button">No</button>',
      `<a class="plain button" href="${TODAY}">I don’t know</a>`,
    ]);
    for (const role of ['manager', 'cashier', 'viewer'] as const) {
      const by = await merchant.signIn(role);
      expect((await open(TODAY, by)).text).not.toContain('1,047.00');
      expect((await open(ANSWER, by)).status).toBe(403);
    }
  });

  test('accepts a yes once', async () => {
    await useAtAllHours(world);
    const form = await formOf('confirm');
    for (let n = 0; n < 2; n++) {
      const { status, headers } = await send('confirm', form);
      expect({ status, location: headers.location }).toEqual({ status: 303, location: TODAY });
      const { chain } = await known(world);
      expect({ tapped_ms: chain.tapped_ms, waiting: chain.waiting }).toEqual({
        tapped_ms: expect.any(Number),
        waiting: 2,
      });
      expect(await auditActions()).toEqual(['wallet confirm']);
    }
    expect((await open(ANSWER)).text).toContain('Your answer alone does not verify that balance yet');
  });

  test('verifies the texts if the owner enters the balance', async () => {
    await send('balance', { ...(await formOf('confirm')), balance: '1047' });
    expect((await known(world)).waiting).toEqual([]);
    expect((await open(ANSWER)).text).toContain('There is nothing to confirm');
  });

  test('marks the texts as false if the owner answers no', async () => {
    await send('deny', await formOf('deny'));
    expect((await known(world)).waiting).toEqual([]);
    expect(await auditActions()).toEqual(['wallet deny']);
    expect((await open(TODAY)).text).not.toContain('1,047.00');
  });

  test('rejects a balance that no text supports', async () => {
    const { status, text } = await send('balance', { ...(await formOf('confirm')), balance: '1048' });
    expect(status).toBe(400);
    expect(text).toMatch(/No waiting text ends at GHS 1,048\.00.*value="1048"/s);
    expect((await known(world)).waiting).toHaveLength(2);
  });

  test('is not asked if several merchants share the wallet', async () => {
    const form = await formOf('confirm');
    await world.createMerchant();
    expectWords((await open(TODAY)).text, [], ['1,047.00', ANSWER]);
    for (const answer of ['confirm', 'balance', 'deny']) expect((await send(answer, form)).status).toBe(404);
    expect((await known(world)).waiting).toHaveLength(2);
  });

  const send = (answer: string, form: Record<string, string>) => owner.visit(`${ANSWER}/${answer}`, { form });
  const auditActions = async () => (await merchant.audit(/^wallet/)).map(({ action }) => action);

  async function formOf(answer: string): Promise<Record<string, string>> {
    const fields = `${answer}">\\s*<input[^>]*name="once" value="([^"]*)">[\\s\\S]*?name="balance" value="(\\d+)"`;
    const [, once = '', balance = ''] = new RegExp(fields).exec((await open(ANSWER)).text) ?? [];
    return { once, balance };
  }
});

/** Records three failed guesses at the wallet's balance. */
function guessAt() {
  return changeChain(world.outside, WALLET, () => ({ failed_ms: [1, 2, 3].map((n) => world.clock.nowMs - n) }));
}

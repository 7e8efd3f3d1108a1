import { beforeEach, describe, expect, test } from 'vitest';
import { noteHeard, noteLookalike, noteOddForm } from '../../../shared/phones/gateway/phone.table.ts';
import { listSenders, setHeldBack, setSenderOwner } from '../../../shared/phones/sender/sender.table.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { hearingOf } from '../../../shared/wallets/wallet/hearing.table.ts';
import { expectWords } from '../../support/answers.ts';
import { pillsIn, wordsOf } from '../../support/page-words.ts';
import { type Person, type Scene, scene } from '../../support/scene.ts';
import { askAboutLost, at, begin, known } from '../../support/wallet-chains.ts';

const PHONES = '/dashboard/operator-phones';
const SENDER = '+233241234567';
const ADDRESS = '/233241234567';
const WALLET_ADDRESS = '/wallets/MTN/233241234567';
const PLACE = { network: 'MTN', gateway: 'phone', device: 'device-9', sim: '2', per_hour: '60' };

let world: Scene;
let operator: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  at(world, 0);
  operator = await world.signIn('operator');
});

const open = (path = '', by = operator) => by.visit(`${PHONES}${path}`);
/** Submits a form with a recent passkey sign-in. */
const send = async (path: string, form: Record<string, string> = {}) =>
  world.visit(`${PHONES}${path}`, { by: await world.signInAgain(operator.user), form });
/** Returns a merchant's audit entries, or the operator's own by default. */
const audit = async (of: Pick<Scene, 'audit'> = world) =>
  (await of.audit(/^(sender|wallet) /)).map(({ action, by, about, after }) => ({
    action,
    isTheirs: by === operator.user.user_id,
    about,
    after,
  }));

describe('sending numbers', () => {
  test('show an explanation if there are none', async () => {
    expect((await open()).text).toMatch(/href="\/dashboard\/operator-phones\/new">Add a number.*No numbers yet/s);
  });

  test('are listed with their owner’s name', async () => {
    await world.createSender(SENDER);
    const shop = await world.createShop();
    await world.outside.table.write([setSenderOwner(world.outside, SENDER, shop.id)]);
    const { text } = await open();
    expect(text).toContain('data-name="Owner">Ama Stores<');
    expect(text).not.toContain(shop.id);
  });

  test('are listed with the reason why they cannot send', async () => {
    await world.createSender(SENDER);
    await setHeldBack(world.outside, SENDER, { held_back: 'phone_not_seen' });
    const off = (await open()).text;
    expect(wordsOf(off)).toMatch(/024 123 4567.*Phone is off.*has not seen the phone/s);
    expect(pillsIn(off)).toContainEqual({ tone: 'bad', label: 'Phone is off' });
    const fault = { reason: 'no_account', since_ms: 0, is_lasting: true } as const;
    await setHeldBack(world.outside, SENDER, { held_back: undefined, fault });
    expect((await open(ADDRESS)).text).toContain('This stage has no gateway account with this name.');
  });

  test('are marked as late if their texts arrive late', async () => {
    const place = { gateway: 'forwarder', device_id: 'till', sim_number: 1 };
    await world.addSender({ number: SENDER, network: 'MTN', ...place });
    expect((await open()).text).toMatch(/024 123 4567.*Not online yet/s);
    await noteHeard(world.outside, 'forwarder', 'till', { delayMs: 4_000 });
    const page = (await open(ADDRESS)).text;
    expect(page).toMatch(/Receives.*Delay of texts.*4 s for the last one/s);
    expect(page).not.toMatch(/Last ping|Let it send/);
    await noteHeard(world.outside, 'forwarder', 'till', { delayMs: 240_000 });
    const late = (await open()).text;
    expect(wordsOf(late)).toMatch(/Late.*minutes late/s);
    expect(pillsIn(late)).toContainEqual({ tone: 'bad', label: 'Late' });
    expect((await send(`${ADDRESS}/enable`)).text).toContain(
      'can only receive, because its phone uses a forwarding app',
    );
    expect(await listSenders(world.outside)).toMatchObject([{ enabled: false, receives_only: true }]);
  });

  test('show unreadable posts until one day after the next readable post', async () => {
    await world.createSender(SENDER);
    const form = '{"event":"sms:received","payload":{"?":"string"}}';
    await noteOddForm(world.outside, 'phone', 'device-1', { fault: 'unknown', form });
    const odd = (await open()).text;
    expect(wordsOf(odd)).toMatch(/Not understood.*Versions from 1\.33\.0 are understood/s);
    expect(pillsIn(odd)).toContainEqual({ tone: 'bad', label: 'Not understood' });
    const { text } = await open(ADDRESS);
    expectWords(
      text,
      [
        'Posts with data that this version does not understand: 1',
        'to version 1.68.0',
        '{&quot;?&quot;:&quot;string&quot;}',
      ],
      [],
    );
    world.clock.nowMs += 1000;
    await noteHeard(world.outside, 'phone', 'device-1', { isRead: true });
    expect((await open()).text).toContain('Not understood');
    world.clock.nowMs += DAY_MS;
    expect((await open()).text).not.toContain('Not understood');
  });

  test('show whether their phone encrypts texts or sends invalid JSON', async () => {
    await world.createSender(SENDER);
    await noteOddForm(world.outside, 'phone', 'device-1', { fault: 'repaired', form: '"more"' });
    expect((await open()).text).not.toContain('Not understood');
    expect((await open(ADDRESS)).text).toContain('unescaped line feeds in texts');
    await noteOddForm(world.outside, 'phone', 'device-1', { fault: 'encrypted', form: '"encrypted"' });
    expect((await open(ADDRESS)).text).toContain('Turn off encryption in the app');
  });

  test('show senders whose names resemble a network', async () => {
    await world.createSender(SENDER);
    expect((await open(ADDRESS)).text).not.toContain('resemble a network');
    await noteLookalike(world.outside, 'phone', 'device-1', { sender: 'Mobile Money', network: 'MTN' });
    expect((await open(ADDRESS)).text).toMatch(/<dt>Mobile Money<\/dt><dd>Looks like MTN: 1 or more/);
  });

  test('are listed fifty per page', async () => {
    for (let n = 10; n < 70; n++) await world.createSender(`+2332412345${n}`);
    const first = (await open()).text;
    expect({ hasNinth: first.includes('024 123 4559'), hasTenth: first.includes('024 123 4560') }).toEqual({
      hasNinth: true,
      hasTenth: false,
    });
    const cursor = /cursor=([^"]+)"[^>]*>More</.exec(first)?.[1] ?? '';
    const { text } = await operator.visit(PHONES, { query: { cursor } });
    expect({ hasNinth: text.includes('024 123 4559'), hasTenth: text.includes('024 123 4560') }).toEqual({
      hasNinth: false,
      hasTenth: true,
    });
    expect(text).toContain('Back to the first');
  });

  test('are added once if the form is submitted twice', async () => {
    const form = { ...PLACE, number: '024 123 4567', once: 'real.one' };
    const [first, second] = [await send('/new', form), await send('/new', form)];
    expect({ status: first.status, location: second.headers.location }).toEqual({
      status: 303,
      location: `${PHONES}${ADDRESS}`,
    });
    expect(await listSenders(world.outside)).toMatchObject([
      { number: SENDER, gateway: 'phone', device_id: 'device-9', sim_number: 2, messages_per_hour: 60, enabled: true },
    ]);
    const after = { gateway: 'phone', sim: 2, per_hour: 60, owner: 'none' };
    expect(await audit()).toEqual([{ action: 'sender add', isTheirs: true, about: SENDER, after }]);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ number: '12' }, /id="number-error">Number &quot;12&quot; is not a Ghanaian number/],
    [{ gateway: 'Über' }, /id="gateway-error">Gateway account must be a lower-case letter/],
    [{ sim: '0' }, /id="sim-error">SIM slot/],
    [{ per_hour: '1.5' }, /id="per_hour-error">Texts an hour must be a whole number/],
  ])('show an error at the field for invalid input: %j', async (wrong, said) => {
    const { status, text } = await send('/new', { ...PLACE, number: '0241234567', ...wrong });
    expect({ status, text }).toEqual({ status: 400, text: expect.stringMatching(said) });
    expect(text).toContain('value="device-9"');
    expect(await listSenders(world.outside)).toEqual([]);
  });

  test('cannot be added to an occupied SIM slot', async () => {
    await world.addSender({ number: SENDER, device_id: PLACE.device, sim_number: Number(PLACE.sim) });
    const { text } = await send('/new', { ...PLACE, number: '0209999999' });
    expect(text).toContain('is already used by +233241234567. Move that number first.');
    expect(await listSenders(world.outside)).toHaveLength(1);
  });

  test('can be removed only if disabled and not a merchant’s default', async () => {
    const shop = await world.createShop({ number: SENDER });
    await world.createSender(SENDER);
    expect((await send(`${ADDRESS}/remove`)).text).toContain('still accepts texts. Disable the number');
    for (let n = 0; n < 2; n++) await send(`${ADDRESS}/disable`);
    const isDisabled = async () =>
      (await listSenders(world.outside)).find(({ number }) => number === SENDER)?.enabled === false;
    expect(await isDisabled()).toBe(true);
    await shop.change({ default_from: SENDER });
    expect((await send(`${ADDRESS}/remove`)).text).toMatch(/Texts from .* are sent from \+233241234567 by default/);
    expect(await isDisabled()).toBe(true);
  });

  test('disappear from the list after removal', async () => {
    await world.createSender(SENDER);
    await send(`${ADDRESS}/disable`);
    expect((await send(`${ADDRESS}/remove`)).headers.location).toBe(PHONES);
    expect(await listSenders(world.outside)).toEqual([]);
    expect((await audit()).map(({ action }) => action)).toEqual(['sender disable', 'sender remove']);
  });

  test.each(['/233209999999', '/nonsense', '/233209999999/place', '/233209999999/disable', '/233209999999/remove'])(
    'return 404 if unknown: %s',
    async (path) => {
      const isPage = path.split('/').length === 2;
      expect((await (isPage ? open(path) : send(path, path.endsWith('place') ? PLACE : {}))).status).toBe(404);
    },
  );

  test('escape the phone’s name', async () => {
    await world.createSender(SENDER);
    await send(`${ADDRESS}/place`, { ...PLACE, device: '"><script>alert(1)</script>' });
    expectWords((await open(ADDRESS)).text, ['&lt;script&gt;alert(1)'], ['<script>alert']);
  });
});

describe('wallets', () => {
  beforeEach(async () => {
    await world.createShop({ number: SENDER });
  });

  test('show an explanation if there are none', async () => {
    expect((await open('/wallets')).text).toContain('No wallet yet');
    expect((await open(WALLET_ADDRESS)).status).toBe(404);
    expect((await open('/wallets/NOWHERE/233241234567')).status).toBe(404);
  });

  describe('whose balance is named', () => {
    beforeEach(() => begin(world));

    test('are listed with state, gaps and balance', async () => {
      expect((await open('/wallets')).text).toMatch(/024 123 4567.*Unbroken.*1,000\.00/s);
      await askAboutLost(world);
      // The list also counts gaps before waiting texts.
      expect((await open('/wallets')).text).toMatch(/2 texts waiting.*data-name="Gaps"[^>]*>1</s);
      expect((await open(WALLET_ADDRESS)).text).toMatch(
        /Only its owner names its balance.*GHS 1,000\.00.*2 texts not verified.*Unknown: the balance rose.*\+ GHS 36\.00/s,
      );
    });

    test('name the command for a balance that several shops share', async () => {
      await world.createShop({ number: SENDER });
      expectWords((await open(WALLET_ADDRESS)).text, ['wallet balance', '2 merchants share it'], ['Only its owner']);
    });

    test('have no form for the balance', async () => {
      await askAboutLost(world);
      expect((await open(WALLET_ADDRESS)).text).not.toContain('name="balance"');
      expect((await send(`${WALLET_ADDRESS}/balance`, { balance: '1047' })).status).toBe(404);
      expect((await known(world)).waiting).toHaveLength(2);
    });

    test('have a reception test that can be turned off', async () => {
      await send(`${WALLET_ADDRESS}/hearing`, { canary: 'off' });
      expect(await hearingOf(world.outside, [SENDER])).toMatchObject([{ canary: false }]);
      expect((await open(WALLET_ADDRESS)).text).toContain('Turn the test on');
      expect((await audit()).map(({ after }) => after)).toEqual([{ canary: 'off' }]);
    });
  });
});

test('each list takes a fixed number of reads', async () => {
  await world.createSender(SENDER);
  await world.createShop({ number: SENDER });
  await begin(world);
  const readsOf = (path: string) => operator.reads(`${PHONES}${path}`);
  // Every page reads the session with one BatchGetItem.
  expect(await readsOf('')).toEqual(['BatchGetItem', 'Query', 'Query', 'Query', 'Query']);
  // The index contains only keys, so the rows need another read.
  expect(await readsOf('/wallets')).toEqual(['BatchGetItem', 'BatchGetItem', 'Query']);
  expect(await readsOf(ADDRESS)).toEqual(['BatchGetItem', 'GetItem', 'Query', 'Query', 'Query', 'Query']);
});

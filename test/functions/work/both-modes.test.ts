import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { manifest } from '../../../functions/manifest.ts';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import { referenceOfAccessCode } from '../../../shared/money/charge/charge.table.ts';
import { testSenders } from '../../../shared/phones/sender/test-senders.ts';
import { isWanted } from '../../../shared/runtime/triggers/stream.ts';
import { addDays, HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { magicNumbers } from '../../../shared/texts/sms/magic-numbers.ts';
import { TestBrowser } from '../../support/push-service.ts';
import { switchOn } from '../../support/pushed.ts';
import { charge, mtn, receivedEvent, signedCallback } from '../../support/receipts.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { readers } from '../../support/stream-readers.ts';
import { setWebhookWith } from '../../support/webhooks.ts';
import { callWorker, databaseOf } from '../../support/world.ts';

/**
 * One merchant performs the same actions in live and test mode, and each job receives the resulting rows of both modes
 * in
 * one batch. Test rows must cost nothing: they must not change the requests to phones, the push notifications, the
 * counts
 * or the rows of live mode. Every new job in the manifest must be added here.
 */

const NUMBER = '+233247390001';
const REFUSED = '+233247390009';
const CUSTOMER = { live: '+233247390002', test: '+233247390003' };
/**
 * Texts to a customer: one sent by hand, one verification code, two customer receipts, one stock code and one reminder.
 */
const SENT = 6;
const modes = ['live', 'test'] as const;
type Mode = (typeof modes)[number];

/** Jobs without a batch of both modes, and the reason. */
const withoutTests: Readonly<Record<string, string>> = {
  'work/settle-receipt': 'Phones report only real payments. Test payments are simulated.',
  'work/deliver-push': 'A test account has no browsers.',
  'work/repair': 'Its jobs concern the stage, not a merchant.',
};

/** Jobs that cost no merchant anything, and the reason. */
const spendsNothing: Readonly<Record<string, string>> = {
  'work/relay': 'It only queues jobs.',
  'work/repair': withoutTests['work/repair'] ?? '',
};

/** The resources that a job used in all of its batches. */
interface Spent {
  /** Requests to the phones, including texts to be sent. */
  readonly phones: string[];
  /** Number of notifications sent to browsers. */
  pushes: number;
  readonly counted: Record<string, number>;
  /** Kinds of rows that the job created or changed and that do not belong to a test. */
  readonly rows: string[];
}

/** Rows that name only their charge. For a test, they cost nothing but storage. */
const OF_CHARGES = ['EXPIRY'];

class Run {
  readonly #spent = new Map<string, Spent>();
  /** Jobs that received a batch with rows of both modes. */
  readonly mixed = new Set<string>();
  readonly world: Scene;
  readonly merchant: Merchant;
  readonly browser = new TestBrowser();
  /** Number of rows created by the jobs, by mode and kind. */
  readonly made: Record<Mode, Record<string, number>> = { live: {}, test: {} };
  #read = 0;

  private constructor(world: Scene, merchant: Merchant) {
    this.world = world;
    this.merchant = merchant;
  }

  static async of(modes: readonly Mode[]): Promise<Run> {
    const world = await scene({ inMemory: true });
    world.goToNoon();
    world.gateway = async (request) => {
      const asked = request.method === 'POST' ? await request.text() : '';
      return asked.includes(REFUSED)
        ? Response.json({ message: 'No' }, { status: 400 })
        : Response.json({}, { status: 202 });
    };
    world.receiver = async ({ url }) => ({ statusCode: url.includes('gone') ? 410 : 200, headers: {}, text: '' });
    const run = new Run(world, await world.createMerchant({ credits: 100 }));
    await run.#prepare();
    for (const mode of modes) await run.#begin(mode);
    await run.#work();
    // On the next morning, charges have expired and a reminder is due.
    world.clock.nowMs += 23 * HOUR_MS;
    await run.#work();
    return run;
  }

  spentBy(name: string): Spent {
    const { phones, rows, ...spent } = this.#spent.get(name) ?? { phones: [], pushes: 0, counted: {}, rows: [] };
    return { ...spent, phones: phones.toSorted(), rows: rows.toSorted() };
  }

  async statesOfTests(): Promise<unknown[]> {
    const rows = (await this.world.scan()).filter((row) => this.#modeOf(JSON.stringify(row)) === 'test');
    return rows.flatMap(({ sk, state }) => (String(sk).startsWith('MESSAGE#') ? [state] : [])).toSorted();
  }

  /** Creates the shop's people, phone and webhooks, which exist in every run. */
  async #prepare(): Promise<void> {
    const { world, merchant } = this;
    const account = { number: NUMBER, network: 'MTN' as const, account_name: 'AMA STORES' };
    await world.createSender(NUMBER);
    // The test sender's number is also the real number of another merchant, in a phone.
    const [{ number }] = testSenders;
    await world.createSender(number, 'device-2');
    await (await world.createMerchant()).giveSender(number);
    await merchant.change({ momo_accounts: [account], text_receipts: true });
    const owner = await merchant.signIn('owner');
    await switchOn(world, owner, this.browser);
    const { liveKey, smsKey, testKey, smsTestKey } = merchant;
    for (const key of [liveKey, testKey]) await setWebhookWith(world, key, 'https://shop.example.com/hooks');
    for (const key of [smsKey, smsTestKey]) await setWebhookWith(world, key, 'https://shop.example.com/gone');
  }

  async #begin(mode: Mode): Promise<void> {
    const { world, merchant } = this;
    const [liveKey, smsKey] =
      mode === 'live' ? [merchant.liveKey, merchant.smsKey] : [merchant.testKey, merchant.smsTestKey];
    const [customer, refused] = [CUSTOMER[mode], mode === 'live' ? REFUSED : magicNumbers.failed];
    await world.call('sms/send', { key: smsKey, body: { to: [customer, refused], message: 'Hello' } });
    await world.call('verify/start', { key: smsKey, body: { to: customer } });
    const due = addDays(world.iso().slice(0, 10), 1);
    const lines = [{ description: 'Tuition', amount: 36 }];
    const asked = { title: 'Fees', lines, customer_phone: customer, due, reminders: [0] };
    await world.call('request/create', { key: liveKey, body: asked });
    const link = { title: 'Wi-Fi', amount: 5, codes: ['canary-1', 'canary-2'], text_codes: true };
    const { slug } = (await world.call('link/create', { key: liveKey, body: link })).json.data;
    const typed = { phone: customer, amount: '' };
    const { headers } = await world.call('pay/open', { parameters: { slug }, body: typed });
    const pressed = referenceOfAccessCode(String(headers.location).split('/').at(-1) ?? '') ?? '';
    // The second charge is not paid and expires.
    const first = await charge(world, { liveKey }, { amount: 36, customer_phone: customer });
    await charge(world, { liveKey }, { amount: 41 });
    await this.#pay(mode, first, '36.00');
    await this.#pay(mode, pressed, '5.00');
  }

  async #pay(mode: Mode, reference: string, amount: string): Promise<void> {
    const { world, merchant } = this;
    if (mode === 'test') {
      const body = { outcome: 'paid' };
      await world.call('test/simulate', { key: merchant.testKey, parameters: { reference }, body });
      return;
    }
    const arrival = { ...mtn({ reference, amount }), recipient: NUMBER };
    await world.call('callback/smsgate', signedCallback(world, receivedEvent(world, arrival)));
  }

  /**
   * Runs housekeeping, then the stream readers and workers, each with everything in one batch, until nothing is left.
   */
  async #work(): Promise<void> {
    const { world } = this;
    await this.#watched('work/housekeeping', [], () => world.housekeeping());
    for (;;) {
      const all = databaseOf(world).records();
      const changes = all.slice(this.#read);
      this.#read = all.length;
      for (const { name, handler } of readers) {
        const wanted = changes.filter((record) => isWanted(record, handler.row));
        const Records = wanted.map((record) => ({
          ...record,
          dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: world.clock.nowMs / 1000 },
        }));
        await this.#watched(name, wanted, () => callWorker(world, handler, { Records }));
      }
      const queued = world.queued.splice(0);
      if (queued.length === 0) return;
      for (const [queue, jobs] of Map.groupBy(queued, (one) => one.queue)) {
        const bodies = jobs.map(({ job }) => job.body);
        const groups = jobs.map(({ job }) => job.group);
        const worker = queue as Parameters<Scene['work']>[0];
        await this.#watched(`work/${worker}`, groups, () => world.work(worker, bodies));
      }
    }
  }

  async #watched(name: string, batch: readonly unknown[], work: () => Promise<unknown>): Promise<void> {
    const { world, browser } = this;
    const [rows, counted] = [await this.#rows(), { ...world.counted }];
    const [fetched, posted] = [world.fetched.length, world.posted.length];
    await work();
    const changed = [...(await this.#rows())].filter(([key, row]) => rows.get(key) !== row);
    // Housekeeping receives no batch, so the rows that it changes are counted instead.
    const modesOf = [...batch.map((one) => JSON.stringify(one)), ...changed.map(([, row]) => row)].map((one) =>
      this.#modeOf(one),
    );
    if (modes.every((mode) => modesOf.includes(mode))) this.mixed.add(name);
    for (const [key, row] of changed) {
      const mode = this.#modeOf(row);
      if (mode && !rows.has(key)) this.made[mode][kindOf(key)] = (this.made[mode][kindOf(key)] ?? 0) + 1;
    }
    const spent = this.#spent.get(name) ?? { phones: [], pushes: 0, counted: {}, rows: [] };
    for (const { url, body } of world.fetched.slice(fetched)) {
      const { phoneNumbers } = Asked.parse(body || {});
      spent.phones.push(phoneNumbers?.join() ?? new URL(url).pathname.replace(/[0-9a-f-]{36}.*/, ''));
    }
    spent.pushes += world.posted.slice(posted).filter(({ url }) => url === browser.endpoint).length;
    for (const [metric, n] of Object.entries(world.counted)) {
      const more = n - (new Map(Object.entries(counted)).get(metric) ?? 0);
      if (more > 0) spent.counted[metric] = (spent.counted[metric] ?? 0) + more;
    }
    const live = changed.filter(([, row]) => this.#modeOf(row) !== 'test').map(([key]) => kindOf(key));
    spent.rows.push(...live.filter((kind) => !OF_CHARGES.includes(kind)));
    this.#spent.set(name, spent);
  }

  /** Returns the mode of the account whose id the text contains. */
  #modeOf(text: string): Mode | undefined {
    if (text.includes(testAccountIdOf(this.merchant.id))) return 'test';
    return text.includes(this.merchant.id) ? 'live' : undefined;
  }

  async #rows(): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.world.scan()).map((row) => [`${row.pk} / ${row.sk}`, JSON.stringify(row)]));
  }
}

const Asked = z.object({ phoneNumbers: z.optional(z.array(z.string())) });

/** Returns `CREDITS` for `CREDITS#… / BALANCE`. */
const kindOf = (key: string) => key.split('#')[0] ?? '';

const [nobody, live, tests, both] = await Promise.all([Run.of([]), Run.of(['live']), Run.of(['test']), Run.of(modes)]);
const jobs = Object.keys(manifest).filter((name) => name.startsWith('work/'));

describe.each(jobs)('%s', (name) => {
  test.skipIf(withoutTests[name])('handles live and test rows in one batch', () => {
    expect([...both.mixed]).toContain(name);
  });

  test('spends no credits on test rows', () => {
    expect(tests.spentBy(name)).toEqual(nobody.spentBy(name));
  });

  test('produces the same live results without test rows', () => {
    expect(both.spentBy(name)).toEqual(live.spentBy(name));
    if (!spendsNothing[name]) expect(live.spentBy(name)).not.toEqual(nobody.spentBy(name));
  });
});

test('live rows send texts, push notifications and metrics', () => {
  const [{ phones }, { counted }, { pushes }] = [
    both.spentBy('work/deliver-sms'),
    both.spentBy('work/follow-up'),
    both.spentBy('work/deliver-push'),
  ];
  // The first text is the receiving test sent to the shop's own wallet.
  expect(phones).toEqual([NUMBER, ...Array.from({ length: SENT }, () => CUSTOMER.live), REFUSED]);
  expect(counted).toMatchObject({ texts_accepted: SENT + 1, charges_created: 3, charges_paid: 2, credits_refunded: 1 });
  expect(both.spentBy('work/deliver-webhook').counted).toMatchObject({ webhook_tries_ok: expect.any(Number) });
  // For the greeting and both payments.
  expect(pushes).toBe(3);
});

test('test rows create the same kinds of rows as live rows', async () => {
  const { SEND, BOOKING } = live.made.live;
  expect(tests.made.test).toMatchObject({ SEND, BOOKING, EVENT: expect.any(Number) });
  expect(await tests.statesOfTests()).toEqual([...Array.from({ length: SENT }, () => 'delivered'), 'failed']);
  expect(both.made).toEqual({ live: live.made.live, test: tests.made.test });
  for (const kind of ['AUDIT', 'CODE_TEXT', 'CREDITS', 'CREDIT_ENTRY', 'PUSH_PACE'])
    expect(tests.made.test).not.toHaveProperty(kind);
});

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
 * Runs the same actions in live and test mode and checks that test rows cost nothing. Add every new job in the manifest
 * here.
 */

const NUMBER = '+233247390001';
const REFUSED = '+233247390009';
const CUSTOMER = { live: '+233247390002', test: '+233247390003' };
/** Texts per customer: a manual send, a verification code, two receipts, a stock code and a reminder. */
const SENT = 6;
const modes = ['live', 'test'] as const;
type Mode = (typeof modes)[number];

/** Jobs that never get test rows, with the reason. */
const withoutTests: Readonly<Record<string, string>> = {
  'work/settle-receipt': 'Phones report only real payments. Test payments are simulated.',
  'work/deliver-push': 'A test account has no browsers.',
  'work/repair': 'Its jobs concern the stage, not a merchant.',
};

/** Jobs that cost merchants nothing, with the reason. */
const spendsNothing: Readonly<Record<string, string>> = {
  'work/relay': 'It only queues jobs.',
  'work/repair': withoutTests['work/repair'] ?? '',
};

/** Resources that a job used. */
interface Spent {
  /** Requests to phones. */
  readonly phones: string[];
  /** Notifications sent to browsers. */
  pushes: number;
  readonly counted: Record<string, number>;
  /** Kinds of non-test rows that the job created or changed. */
  readonly rows: string[];
}

/** Kinds of rows that contain no merchant id. */
const OF_CHARGES = ['EXPIRY'];

class Run {
  readonly #spent = new Map<string, Spent>();
  /** Jobs that received live and test rows in one batch. */
  readonly mixed = new Set<string>();
  readonly world: Scene;
  readonly merchant: Merchant;
  readonly browser = new TestBrowser();
  /** Rows created by jobs, by mode and kind. */
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
    // Charges have expired by the next morning, and a reminder is due.
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

  /** Creates the shop's staff, phone and webhooks. */
  async #prepare(): Promise<void> {
    const { world, merchant } = this;
    const account = { number: NUMBER, network: 'MTN' as const, account_name: 'AMA STORES' };
    await world.createSender(NUMBER);
    // Another merchant has a real phone with the test sender's number.
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

  /** Runs housekeeping, then all readers and workers until no work is left. */
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
    // Housekeeping has no batch, so its changed rows count instead.
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
  // The first text tests the shop's own wallet.
  expect(phones).toEqual([NUMBER, ...Array.from({ length: SENT }, () => CUSTOMER.live), REFUSED]);
  expect(counted).toMatchObject({ texts_accepted: SENT + 1, charges_created: 3, charges_paid: 2, credits_refunded: 1 });
  expect(both.spentBy('work/deliver-webhook').counted).toMatchObject({ webhook_tries_ok: expect.any(Number) });
  // One sample notification and two payments.
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

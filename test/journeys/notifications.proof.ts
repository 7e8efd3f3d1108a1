import { afterAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { localStack } from '../../infra/admin/deployment.ts';
import { createCharge, showCharge } from '../../infra/local/story/steps.ts';
import { acquireLease } from '../../shared/runtime/table/lease.ts';
import { reportFigure } from '../support/figures.ts';
import { PATIENCE, textArrives } from '../support/http.ts';
import { startLocalStack } from '../support/local-stack.ts';
import { type Payload, senderOf, TestBrowser } from '../support/push-service.ts';
import { ticked } from '../support/pushed.ts';
import { postJson, startServer } from '../support/server.ts';
import { shopOf } from './story.ts';

// Measures how soon a payment's notification arrives, and tests the owner's summaries, on the complete local stack.

class Phone {
  readonly browser: TestBrowser;
  readonly pushed: { atMs: number; payload: Payload; key: string }[] = [];

  constructor(endpoint: string) {
    this.browser = new TestBrowser(endpoint);
  }

  of(kind: string): Payload[] {
    return this.pushed.map(({ payload }) => payload).filter((payload) => payload.kind === kind);
  }
}

const server = await startServer(async (call, answer) => {
  const phone = call.url === '/push/counter' ? counter : locked;
  const body = Buffer.concat(await call.toArray()).toString('base64');
  const headers = Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, String(value)]));
  const push = { url: phone.browser.endpoint, headers, body, encoding: 'base64' as const, timeoutMs: 0 };
  phone.pushed.push({ atMs: Date.now(), payload: phone.browser.open(push), key: senderOf(push).key });
  answer.writeHead(201).end();
});
const counter = new Phone(`${server.url}/push/counter`);
/** An owner's phone that hides details on the lock screen. */
const locked = new Phone(`${server.url}/push/locked`);
const stack = await startLocalStack();
const { facts } = stack;
const shop = shopOf(facts);
const signedIn = await fetch(facts.dashboard_url, { redirect: 'manual' });
const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
afterAll(async () => {
  await server.stop();
  await stack.stop();
});

test('a payment’s notification reaches the owner’s phone', async () => {
  const page = await fetch(`${facts.base_url}/dashboard/app/on`, { headers: { cookie } });
  const [, key] = /data-subscription="([\w-]+)"/.exec(await page.text()) ?? [];
  await choose('on', { ...ticked({ details: true }), subscription: counter.browser.subscription });
  await expect.poll(() => counter.pushed.map(({ payload }) => payload.kind), PATIENCE).toEqual(['hello']);
  expect(counter.pushed[0]?.key).toBe(key);

  const { reference } = await createCharge(shop, { amount: 36 });
  const fromMs = Date.now();
  await pay({ amount: 36, reference });
  await expect.poll(() => counter.pushed.length, PATIENCE).toBe(2);
  const pushed = counter.pushed.at(-1);
  expect(pushed?.payload).toMatchObject({ kind: 'paid', title: 'GHS 36.00 received' });
  // Reported without a limit, because machines differ.
  reportFigure(`from a text at the phone to the push: ${(pushed?.atMs ?? 0) - fromMs} ms in the local stack`);
});

test('the owner’s summary hides amounts and names by default', async () => {
  await choose('on', { ...ticked({ kinds: ['money_out'] }), subscription: locked.browser.subscription });
  await pay({ amount: 7 });
  // Together below GHS 1,000: a balance that was named once verifies no more in a day.
  const takings = await payCharge(500, 'Yaa Adjei');
  await payCharge(240);
  const undone = await payCharge(50);
  await postJson(`${facts.phone_url}/reverse`, { transaction_id: undone.id });
  await expect.poll(async () => (await showCharge(shop, undone.reference)).status, PATIENCE).toBe('reversed');
  await postJson(`${facts.phone_url}/send-back`, { transaction_id: takings.id, amount: 400 });
  const verified = 'Verified: your wallet’s other texts confirm it.';
  await expect
    .poll(() => [...counter.of('money_out'), ...locked.of('money_out')], PATIENCE)
    .toMatchObject([
      { title: expect.stringMatching(/^GHS 400\.00 went out at \d\d:\d\d to YAA ADJEI$/), body: verified },
      { title: expect.stringMatching(/^Money went out at \d\d:\d\d$/), body: verified },
    ]);

  let chosen = '';
  const summaries = async () => {
    const evening = String(new Date().getUTCHours());
    if (evening !== chosen) {
      await choose('device/1', { ...ticked({ details: true }), evening });
      await choose('device/2', { ...ticked({ kinds: ['money_out'] }), evening });
      await forgetHour();
      chosen = evening;
    }
    return [counter.of('evening').at(-1), locked.of('evening').at(-1)];
  };
  // Until one in the morning, the summary is of the day before, which had no payments.
  const rest = { body: expect.stringMatching(/^2 wait/), path: '/dashboard/today' };
  await expect.poll(summaries, PATIENCE).toMatchObject([
    { title: expect.stringMatching(/^GHS [\d,]+\.00 in \d payments/), ...rest },
    { title: expect.stringMatching(/^\d payments (today|yesterday)$/), ...rest },
  ]);

  const forged =
    'Payment for GHS40.00 to PRISCILLA OWUSU .Current Balance: GHS 60.00. Transaction Id: 81726354123. Fee charged: GHS0.00,Tax Charged 0.';
  await textArrives(stack, { sender: 'MobileMoney', text: forged });
  // An earlier text may still arrive for two minutes.
  await expect
    .poll(() => counter.of('money_out').at(-1)?.title, { ...PATIENCE, timeout: 2 * PATIENCE.timeout })
    .toMatch(/^GHS 40\.00 went out at \d\d:\d\d to PRISCILLA OWUSU, not verified$/);
});

/** Submits a form of the owner's page about notifications. */
async function choose(form: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(`${facts.base_url}/dashboard/app/${form}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fields),
  });
  expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({
    status: 303,
    location: '/dashboard/app',
  });
}

const Paid = z.object({ transaction_id: z.string() });

/** Pays at the simulated phone. Returns the payment's transaction id. */
async function pay(payment: { amount: number; reference?: string; name?: string }): Promise<string> {
  const answer = await postJson(`${facts.phone_url}/pay`, { name: 'Kofi Mensah', ...payment });
  return Paid.parse(await answer.json()).transaction_id;
}

async function payCharge(amount: number, name?: string): Promise<{ reference: string; id: string }> {
  const { reference } = await createCharge(shop, { amount });
  const id = await pay({ amount, reference, ...(name && { name }) });
  await expect.poll(async () => (await showCharge(shop, reference)).status, PATIENCE).toBe('success');
  return { reference, id };
}

/** Makes housekeeping send this hour's summaries again. */
async function forgetHour(): Promise<void> {
  vi.stubEnv('LOCAL_DIR', stack.folder);
  const { outside } = localStack();
  await vi.waitFor(async () => {
    const lease = await acquireLease(outside, 'housekeeping', 60);
    if (!lease) throw new Error('Housekeeping is running');
    // Housekeeping may not have run yet.
    await lease.release({ ...z.looseObject({}).nullish().parse(lease.memo), evening: undefined });
  }, PATIENCE);
}

import { afterAll, expect, test } from 'vitest';
import { createCharge } from '../../infra/local/story/steps.ts';
import { reportFigure } from '../support/figures.ts';
import { PATIENCE, textArrives } from '../support/http.ts';
import { startLocalStack } from '../support/local-stack.ts';
import { type Payload, senderOf, TestBrowser } from '../support/push-service.ts';
import { ticked } from '../support/pushed.ts';
import { mtn } from '../support/receipts.ts';
import { startServer } from '../support/server.ts';
import { shopOf } from './story.ts';

// Measures how soon a phone on the counter shows a payment, using all of `npm start` and a push service.

const MAX_SECONDS = 3;
const pushed: { atMs: number; payload: Payload; key: string }[] = [];
const server = await startServer(async (call, answer) => {
  const body = Buffer.concat(await call.toArray()).toString('base64');
  const headers = Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, String(value)]));
  const push = { url: browser.endpoint, headers, body, encoding: 'base64' as const, timeoutMs: 0 };
  pushed.push({ atMs: Date.now(), payload: browser.open(push), key: senderOf(push).key });
  answer.writeHead(201).end();
});
const browser = new TestBrowser(`${server.url}/push/1`);
const stack = await startLocalStack();
afterAll(async () => {
  await server.stop();
  await stack.stop();
});

test(`a payment’s notification is sent at most ${MAX_SECONDS} seconds after its text reaches the phone`, async () => {
  const { facts } = stack;
  const signedIn = await fetch(facts.dashboard_url, { redirect: 'manual' });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await fetch(`${facts.base_url}/dashboard/app/on`, { headers: { cookie } });
  const [, key] = /data-subscription="([\w-]+)"/.exec(await page.text()) ?? [];
  const switchedOn = await fetch(`${facts.base_url}/dashboard/app/on`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ ...ticked({ details: true }), subscription: browser.subscription }),
  });
  expect({ status: switchedOn.status, location: switchedOn.headers.get('location') }).toEqual({
    status: 303,
    location: '/dashboard/app',
  });
  await expect.poll(() => pushed.map(({ payload }) => payload.kind), PATIENCE).toEqual(['hello']);
  expect(pushed[0]?.key).toBe(key);

  const tookMs = [];
  for (let n = 1; n <= 3; n++) {
    const receipt = mtn({ reference: (await createCharge(shopOf(facts), { amount: 36 })).reference });
    // Wait for each notification's own window, because an earlier notification would delay the next one.
    if (n > 1) await new Promise((resolve) => setTimeout(resolve, 10_500));
    const fromMs = Date.now();
    await textArrives(stack, receipt);
    await expect.poll(() => pushed.length, PATIENCE).toBe(n + 1);
    tookMs.push((pushed.at(-1)?.atMs ?? 0) - fromMs);
    expect(pushed.at(-1)?.payload).toMatchObject({ kind: 'paid', title: 'GHS 36.00 received, not verified' });
  }
  const out =
    'Payment for GHS40.00 to PRISCILLA OWUSU .Current Balance: GHS 60.00. Transaction Id: 81726354123. Fee charged: GHS0.00,Tax Charged 0.';
  await textArrives(stack, { sender: 'MobileMoney', text: out });
  await expect
    .poll(() => pushed.at(-1)?.payload.title, PATIENCE)
    .toMatch(/^GHS 40\.00 went out at \d\d:\d\d to PRISCILLA OWUSU, not verified$/);
  reportFigure(`from a text at the phone to the push: ${tookMs.join(', ')} ms in the local stack`);
  const [, usual = Number.POSITIVE_INFINITY] = tookMs.toSorted((one, other) => one - other);
  expect(usual).toBeLessThanOrEqual(MAX_SECONDS * 1000);
}, 90_000);

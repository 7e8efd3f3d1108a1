import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MomoKiosk, webhooks } from 'momo-kiosk-client';
import { freePort } from './support/free-port.ts';
import { facts, project } from './support/stack.ts';

const momo = new MomoKiosk({ baseUrl: facts.base_url, secretKey: facts.test_secret_key });

test('the shop in Express', (context) => tryShop(context, '1007', 'examples/express', ['server.js']));
test('the shop in Hono', (context) => tryShop(context, '1008', 'examples/hono', ['server.js']));
test('the shop in Next.js', async (context) => {
  // A project of its own, because Next.js writes into it.
  const shop = join(project, 'nextjs');
  cpSync('examples/nextjs', shop, { recursive: true });
  symlinkSync(resolve('node_modules'), join(shop, 'node_modules'));
  await tryShop(context, '1009', shop, [resolve('node_modules/next/dist/bin/next'), 'dev', '--webpack']);
});

/** A customer presses Pay twice, pays once, and the shop learns of it; it believes nothing that is not signed. */
async function tryShop(context: TestContext, order: string, cwd: string, program: readonly string[]): Promise<void> {
  const port = await freePort();
  const shop = `http://localhost:${port}`;
  const { secret } = await momo.webhook.set({ url: `${shop}/webhook` });
  const environment = { MOMO_URL: facts.base_url, MOMO_SECRET_KEY: facts.test_secret_key, WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, program, {
    cwd,
    env: { ...process.env, ...environment, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  context.after(() => ended(child));
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (text) => {
      said += text;
    });
  await until(
    () => isUp(`${shop}/orders/${order}`),
    () => said,
  );
  assert.deepEqual(await (await fetch(`${shop}/orders/${order}`)).json(), { cedis: '36.50', isPaid: false });

  // Another test may have made a charge for an order of this number.
  const from = new Date().toISOString();
  const buy = async (of: string) => fetch(`${shop}/buy/${of}`, { method: 'POST', redirect: 'manual' });
  assert.equal((await buy('none')).status, 404);
  const [first, second] = [await buy(order), await buy(order)];
  assert.equal(first.status, 303, said);
  assert.match(first.headers.get('location') ?? '', /\/checkout\/\w+$/);
  assert.equal(second.headers.get('location'), first.headers.get('location'));

  const body = JSON.stringify({ type: 'charge.success', data: { merchant_reference: order } });
  const forged = await webhooks.sign(body, `whsec_${btoa('not the secret of the shop')}`);
  assert.equal((await fetch(`${shop}/webhook`, { method: 'POST', body, headers: forged })).status, 401);
  assert.equal((await fetch(`${shop}/webhook`, { method: 'POST', body })).status, 401);

  const charges = () => Array.fromAsync(momo.transaction.list({ merchant_reference: order, from }));
  // A charge is found by its order's number a second or two after it was made.
  await until(
    async () => (await charges()).length > 0,
    () => said,
  );
  const [charge, ...others] = await charges();
  assert.deepEqual(others, []);
  assert.deepEqual([charge?.merchant_reference, charge?.amount], [order, 36.5]);
  await momo.test.simulate(charge?.reference ?? '', { outcome: 'paid' });
  const isPaid = async () => (await (await fetch(`${shop}/orders/${order}`)).json()).isPaid;
  await until(isPaid, () => said);
}

async function until(isTrue: () => Promise<boolean>, said: () => string): Promise<void> {
  for (const end = Date.now() + 120_000; !(await isTrue()); ) {
    if (Date.now() > end) assert.fail(`It never was so. The shop said: ${said()}`);
    await new Promise((done) => setTimeout(done, 200));
  }
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Next.js starts processes of its own: the group ends. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || !child.pid) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exited;
}

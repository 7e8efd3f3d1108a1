import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MomoKiosk, webhooks } from 'momo-kiosk-client';
import { freePort } from './support/free-port.ts';
import { facts, project } from './support/stack.ts';

const momo = new MomoKiosk({ baseUrl: facts.base_url, secretKey: facts.test_secret_key });

const examples: Readonly<Record<string, readonly string[]>> = {
  'Express 5': ['express/server.js'],
  'Express 4': ['express/server.js'],
  Hono: ['hono/server.js'],
  'Next.js': [resolve('node_modules/next/dist/bin/next'), 'dev', 'nextjs', '--webpack'],
};
for (const [at, [name, program]] of Object.entries(examples).entries()) {
  test(`an order in ${name} is paid only once`, (context) =>
    tryShop(context, folderFor(name, String(1007 + at)), String(1007 + at), program));
}

/** Copies the examples and installs their packages. Each test gets its own order number. */
function folderFor(name: string, order: string): string {
  const folder = join(project, name.replace(/\W/g, '-'));
  cpSync('examples', folder, { recursive: true });
  rewrite(folder, "'1007'", `'${order}'`);
  if (name === 'Express 4') {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(resolve('node_modules/express-4'), join(folder, 'node_modules/express'));
  } else symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Edits a file as the shop's owner would. */
function rewrite(folder: string, from: string, to: string): void {
  const file = join(folder, 'shop.js');
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes(from));
  writeFileSync(file, text.replace(from, to));
}

test('the shop holds an order until its payment is verified', async (context) => {
  const charge = { reference: 'MK-1', merchant_reference: '1007', livemode: true, status: 'success' };
  let status = 'reversed';
  let proof: { state: string } | null = { state: 'proven' };
  const service = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: true, message: 'Charge found', data: { ...charge, status, proof } }));
  }).listen(0);
  context.after(() => service.close());
  const address = service.address();
  assert.ok(typeof address === 'object' && address);
  const secret = `whsec_${btoa('the secret of the shop')}`;
  Object.assign(process.env, {
    MOMO_URL: `http://localhost:${address.port}`,
    MOMO_SECRET_KEY: 'sk_live_x',
    WEBHOOK_SECRET: secret,
  });
  const { orders, receive, askAgain } = await import(join(folderFor('a test', '1007'), 'shop.js'));
  const seen = () => ({ held: orders.get('1007').held, paidBy: orders.get('1007').paidBy });
  const late = JSON.stringify({ type: 'charge.success', data: { ...charge, proof } });
  assert.equal(await receive(late, await webhooks.sign(late, secret)), 204);
  assert.deepEqual(seen(), { held: [], paidBy: [] }, 'reversed before its event was read');
  status = 'success';
  for (const state of ['unproven', 'checking', null]) {
    proof = state === null ? null : { state };
    const body = JSON.stringify({ type: 'charge.success', data: { ...charge, proof } });
    assert.equal(await receive(body, await webhooks.sign(body, secret)), 204);
    await askAgain();
    assert.deepEqual(seen(), { held: ['MK-1'], paidBy: [] });
  }
  proof = { state: 'proven' };
  await askAgain();
  await askAgain();
  assert.deepEqual(seen(), { held: [], paidBy: ['MK-1'] });
});

async function tryShop(context: TestContext, folder: string, order: string, program: readonly string[]): Promise<void> {
  const port = await freePort();
  const { secret } = await momo.webhook.set({ url: `http://localhost:${port}/webhook` });
  const open = (key: string) => openShop(context, { folder, program, port, order, secret, key });

  const withWrongKey = await open(`${facts.test_secret_key}x`);
  assert.equal((await withWrongKey.buy()).status, 502);
  assert.deepEqual(await withWrongKey.paidBy(), [], 'it goes on after a wrong key');
  await withWrongKey.close();

  const shop = await open(facts.test_secret_key);
  assert.equal((await shop.buy('none')).status, 404);
  const cancelled = await shop.page();
  assert.equal(await shop.page(), cancelled, 'pressed twice');
  await momo.transaction.cancel(await referenceOf(cancelled));
  const [expired, same] = await Promise.all([shop.page(), shop.page()]);
  assert.equal(same, expired, 'pressed twice at the same instant');
  assert.notEqual(expired, cancelled);
  await momo.test.simulate(await referenceOf(expired), { outcome: 'expired' });
  const cheaper = await shop.page();
  assert.ok(![cancelled, expired].includes(cheaper));
  await shop.close();

  rewrite(folder, "'36.50'", "'40.00'");
  const dearer = await open(facts.test_secret_key);
  const page = await dearer.page();
  const reference = await referenceOf(page);
  assert.equal((await momo.transaction.verify(reference)).amount, 40);
  assert.equal(await dearer.page(), page);
  await refusesForgeries(dearer.url, order);
  await momo.test.simulate(reference, { outcome: 'paid_twice' });
  await until(async () => (await dearer.paidBy()).length > 0, dearer.said);
  assert.equal(new URL(await dearer.page(), dearer.url).pathname, `/orders/${order}`, 'nobody pays what is paid');
  // A page with the old price is still open.
  const other = await referenceOf(cheaper);
  await momo.test.simulate(other, { outcome: 'paid' });
  await until(async () => (await dearer.paidBy()).length > 1, dearer.said);
  assert.deepEqual(await dearer.paidBy(), [reference, other]);
}

interface Shop {
  readonly folder: string;
  readonly program: readonly string[];
  readonly port: number;
  readonly order: string;
  readonly secret: string;
  readonly key: string;
}

async function openShop(context: TestContext, { folder, program, port, order, secret, key }: Shop) {
  const url = `http://localhost:${port}`;
  const environment = { MOMO_URL: facts.base_url, MOMO_SECRET_KEY: key, WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, program, {
    cwd: folder,
    env: { ...process.env, ...environment, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  context.after(() => ended(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  const said = () => output;
  await until(() => isUp(`${url}/orders/${order}`), said);
  const buy = (of = order) => fetch(`${url}/buy/${of}`, { method: 'POST', redirect: 'manual' });
  return {
    url,
    said,
    buy,
    async page(): Promise<string> {
      const answer = await buy();
      assert.equal(answer.status, 303, output);
      return answer.headers.get('location') ?? '';
    },
    paidBy: async (): Promise<string[]> => (await (await fetch(`${url}/orders/${order}`)).json()).paidBy,
    close: () => ended(child),
  };
}

async function referenceOf(page: string): Promise<string> {
  const [reference] = /MK-\d{10}/.exec(await (await fetch(page)).text()) ?? [];
  return reference ?? assert.fail(`${page} names no charge.`);
}

async function refusesForgeries(url: string, order: string): Promise<void> {
  const body = JSON.stringify({ type: 'charge.success', data: { merchant_reference: order } });
  const forged = await webhooks.sign(body, `whsec_${btoa('not the secret of the shop')}`);
  for (const headers of [forged, {}])
    assert.equal((await fetch(`${url}/webhook`, { method: 'POST', body, headers })).status, 401);
}

async function until(isTrue: () => Promise<boolean>, said: () => string): Promise<void> {
  for (const end = Date.now() + 120_000; !(await isTrue()); ) {
    if (Date.now() > end) assert.fail(`The condition was never met. The shop's output: ${said()}`);
    await new Promise((done) => setTimeout(done, 200));
  }
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Kills the whole process group, because Next.js starts child processes. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exited;
}

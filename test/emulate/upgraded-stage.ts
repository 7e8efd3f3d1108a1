import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { kindOf, rowKinds } from '../../infra/admin/migrate-rows.ts';
import { createCharge, type RouteName, sendText, until } from '../../infra/local/story/steps.ts';
import { stackName } from '../../shared/runtime/stage/names.ts';
import { newestFixture, Row } from '../upgrade/fixture.ts';
import { fill, type Keys, PATIENT, pay, type Shop, settled, shopAt } from './upgraded-shops.ts';

/**
 * The stage of `npm run prove -- upgrade`: the previous release with data, then this release, the previous one and this
 * one again, during traffic. After each deployment, all that was known before must be answered as before. Arguments: a
 * folder, the previous release's folder and the URL of the phone's page.
 */
const [folder = '', before = '', phoneUrl = ''] = process.argv.slice(2);
const NOW = '.';
const STAGE = 'dev';
/** Time for the traffic before and after each deployment. */
const QUIET_MS = 15_000;

/** Lists of the API with the name of their entries, and the route that shows an entry with its id's name. */
const LISTS: readonly (readonly [RouteName, string, RouteName?, string?])[] = [
  ['transaction/list', 'transactions', 'transaction/verify', 'reference'],
  ['receipt/list', 'receipts'],
  ['link/list', 'links', 'link/show', 'slug'],
  ['request/list', 'requests', 'request/show', 'slug'],
  ['sms/list', 'sends', 'sms/show', 'id'],
  ['sms/inbox', 'messages'],
  ['sms/credits', 'bundles'],
  ['sms/from', 'numbers'],
  ['contact/list', 'contacts'],
  ['wallet/list', 'wallets'],
  ['webhook/show', 'events'],
  ['webhook/list-events', 'events', 'webhook/show-event', 'id'],
];
const table = DynamoDBDocumentClient.from(new DynamoDBClient());
type Answers = ReadonlyMap<string, unknown>;
const Data = z.record(z.string(), z.unknown());

await run(before, 'npx cdk bootstrap');
const api = /ApiUrl = (\S+)/.exec(await deploy(before))?.[1] ?? '';
await connectPhone();
const { shop: still, keys, id } = await createShop('Ama Stores', '0241234567:MTN:AMA STORES', 1);
const { shop: busy } = await createShop('Kofi Stores', '0201234567:TELECEL:KOFI STORES', 2);
await fill(still, keys);
const invited = await admin(before, `user invite --merchant ${id} --name "Ama Mensah"`);
await run(before, `node test/emulate/sign-in.ts '${/https:\S+/.exec(invited)?.[0]}'`);
const planted = await plantOtherKinds();
console.log(`${(await rowsByKind()).size} of ${Object.keys(rowKinds).length} kinds of row are stored`);

const first = await answersOf(still);
const traffic = startTraffic(busy);
await sleep(QUIET_MS);
await update(NOW, first);
await payOne(still, 2.22);
const second = await answersOf(still);
await update(before, first);
await payOne(still, 3.32);
const third = await answersOf(still);
await update(NOW, third);
await admin(NOW, 'table migrate');
compare('this release after table migrate', third, await answersOf(still));
compare('this release', second, await answersOf(still));
console.log(await traffic.stop());
const left = new Set([...(await rowsByKind()).values()].flat().map((row) => JSON.stringify(row)));
const changed = planted.filter((row) => !left.has(JSON.stringify(row))).map(kindOf);
console.log(
  `${planted.length - changed.length} of ${planted.length} fixture rows are unchanged; not: ${changed.join(', ') || 'none'}`,
);
process.exit();

/** Deploys a release during traffic. */
async function update(release: string, known: Answers): Promise<void> {
  await deploy(release);
  await sleep(QUIET_MS);
  compare(release === NOW ? 'this release' : 'the previous release', known, await answersOf(still));
  const letters = await admin(release, 'dead-letters list --json');
  assert.match(letters, /"dead_letters":\s*\[\]/, letters);
}

/** Deploys a release, and adds the rights that only the emulator asks for. */
async function deploy(release: string): Promise<string> {
  const printed = await run(release, `npm run deploy -- -c stage=${STAGE} -c leadingKeys=off --yes`);
  await run(release, `STAGE=${STAGE} node test/emulate/workarounds.ts`);
  return printed;
}

async function connectPhone(): Promise<void> {
  const device = '--gateway phone --device emulated-phone';
  await admin(before, 'gateway set --gateway phone --username emulated');
  // The first attempt lists the phones, and reports that their key is missing.
  await admin(before, 'gateway connect --gateway phone').catch(() => undefined);
  await admin(before, `gateway set-signing-key ${device}`);
  await admin(before, 'gateway connect --gateway phone');
  await admin(before, `sender add --number 0241234567 --network MTN ${device} --sim 1 --per-hour 1000`);
  await admin(before, `sender add --number 0201234567 --network TELECEL ${device} --sim 2 --per-hour 1000`);
}

async function createShop(name: string, momo: string, simNumber: number) {
  const created = await admin(before, `merchant create --name "${name}" --momo "${momo}"`);
  const id = /^merchant_id: (\S+)$/m.exec(created)?.[1] ?? '';
  const [number = ''] = momo.split(':');
  await admin(before, `sender owner --number ${number} --merchant ${id}`);
  await admin(before, `merchant set --merchant ${id} --default-from ${number} --pay-texts-per-day 20`);
  await admin(before, `credits add --merchant ${id} --amount 500`);
  const key = async (kind: string) =>
    /^key: (\S+)$/m.exec(await admin(before, `key create --merchant ${id} --kind ${kind}`))?.[1] ?? '';
  const keys: Keys = { live: await key('live'), sms: await key('sms'), test: await key('live --test') };
  return { id, keys, shop: shopAt(api, { phoneUrl, simNumber }, keys) };
}

async function payOne(shop: Shop, amount: number): Promise<void> {
  const { reference } = await createCharge(shop, { amount });
  await pay(shop, { reference, amount });
  await settled(shop, reference, 'success');
}

/** Simulates a shop's server and its customers. The server retries rejected requests with their Idempotency-Key. */
function startTraffic(shop: Shop): { stop(): Promise<string> } {
  let isStopped = false;
  const rejected = new Map<string, number>();
  const charges: string[] = [];
  const texts: string[] = [];
  let slowestMs = 0;
  const insist = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    const startMs = Date.now();
    for (;;) {
      try {
        const result = await act();
        slowestMs = Math.max(slowestMs, Date.now() - startMs);
        return result;
      } catch (error) {
        const why = error instanceof Error ? error.message.slice(0, 100) : String(error);
        rejected.set(why, (rejected.get(why) ?? 0) + 1);
        if (Date.now() - startMs > PATIENT.patienceMs) throw error;
        await sleep(1_000);
      }
    }
  };
  const trading = trade().catch((error) => error);
  return { stop };

  async function trade(): Promise<void> {
    for (let n = 0; !isStopped; n++) {
      const amount = (100 + (n % 50)) / 100;
      const { reference } = await insist(() => createCharge(shop, { amount }, { once: `charge-${n}` }));
      await pay(shop, { reference, amount });
      charges.push(reference);
      if (n % 5 === 0) {
        const message = `Order ${n} is ready.`;
        await insist(() => sendText(shop, { to: '0551112229', message }, { once: `text-${n}` }));
        texts.push(message);
      }
      await sleep(1_500);
    }
  }

  /** Returns a summary. @throws if a payment or text was lost or repeated */
  async function stop(): Promise<string> {
    isStopped = true;
    assert.equal(await trading, undefined);
    for (const reference of charges) await settled(shop, reference, 'success');
    const Sent = z.array(z.looseObject({ text: z.string() }));
    const timesSent = async () => {
      const sent = Sent.parse(await (await fetch(`${phoneUrl}/sent`)).json());
      return texts.map((text) => sent.filter((one) => one.text.includes(text)).length);
    };
    const times = await until(PATIENT, timesSent, (counts) => !counts.includes(0));
    assert.deepEqual([...new Set(times)], [1], 'Every text must be sent once');
    const listed = [...rejected].map(([why, count]) => `\n  ${count} times: ${why}`).join('');
    return `Traffic: ${charges.length} charges were paid and ${texts.length} texts sent once. The slowest request took ${slowestMs} ms with its retries. Rejected and retried:${listed || ' none'}`;
  }
}

/** Returns the contents of the shop's lists, their entries, and the status of its public pages. */
async function answersOf(shop: Shop): Promise<Answers> {
  const answers = new Map<string, unknown>();
  for (const [list, name, show, id = ''] of LISTS) {
    const data = Data.parse(await shop.ask(list));
    const entries = z.array(Data).safeParse(data[name]).data ?? [];
    // New entries change the list, so its entries are compared one by one.
    for (const [n, entry] of entries.entries()) answers.set(`${list} ${entry[id] ?? entry.id ?? n}`, entry);
    answers.set(list, { ...data, [name]: undefined });
    for (const entry of entries) {
      if (show) answers.set(`${show} ${entry[id]}`, await shop.ask(show, { parameters: { [id]: String(entry[id]) } }));
      for (const url of [entry.authorization_url, entry.url])
        if (typeof url === 'string' && url.startsWith(api)) answers.set(url, (await fetch(url)).status);
    }
  }
  return answers;
}

/** Requires all known answers to be as before, apart from added fields and entries. */
function compare(release: string, known: Answers, answers: Answers): void {
  const faults: string[] = [];
  for (const [name, answer] of known) {
    try {
      assert.partialDeepStrictEqual(answers.get(name), answer);
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  assert.ok(faults.length === 0, `${release} answers differently:\n${faults.join('\n')}`);
  console.log(`${release}: ${known.size} answers are as before`);
}

/** Adds a row of each other kind from the previous release's fixture. Returns the rows. */
async function plantOtherKinds(): Promise<Row[]> {
  const stored = await rowsByKind();
  const keys = new Set([...stored.values()].flat().map(({ pk, sk }) => `${pk} ${sk}`));
  const others = newestFixture().rows.filter(
    (row) => !stored.has(kindOf(row) ?? '') && !keys.has(`${row.pk} ${row.sk}`),
  );
  const rows = [...Map.groupBy(others, kindOf).values()].flatMap(([row]) => row ?? []);
  for (const Item of rows) await table.send(new PutCommand({ TableName: stackName(STAGE), Item }));
  return rows;
}

async function rowsByKind(): Promise<Map<string, Row[]>> {
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateScan({ client: table }, { TableName: stackName(STAGE) }))
    rows.push(...Items.map((item) => Row.parse(item)));
  return Map.groupBy(rows, (row) => kindOf(row) ?? 'unknown');
}

function admin(release: string, command: string): Promise<string> {
  return run(release, `npm run --silent admin -- ${command} --stage ${STAGE}`);
}

/** Runs a command in a release's folder and returns its output. @throws if it fails */
async function run(release: string, command: string): Promise<string> {
  const startMs = Date.now();
  const child = spawn('bash', ['-c', command], { cwd: release, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      printed += text;
    });
  const code = await new Promise((done) => child.once('close', done));
  appendFileSync(join(folder, 'commands.log'), `$ ${command}\n${printed}\n`);
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1).padStart(8);
  console.log(`${seconds} s ${release === NOW ? 'this release: ' : 'previous release: '}${command}`);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${printed.slice(-1500)}`);
  return printed;
}

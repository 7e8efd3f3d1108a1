import { execFileSync } from 'node:child_process';
import { CreateQueueCommand, DeleteQueueCommand } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test } from 'vitest';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey } from '../../../shared/merchants/merchant/manage-keys.ts';
import { changeMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { urlOf } from '../../../shared/operations/dead-letter/letter-queue.ts';
import { checkApi } from '../../../shared/operations/doctor/checks/api.ts';
import { checkGateways } from '../../../shared/operations/doctor/checks/gateways.ts';
import { checkMerchants } from '../../../shared/operations/doctor/checks/merchants.ts';
import { checkQueues } from '../../../shared/operations/doctor/checks/queues.ts';
import { checkTable } from '../../../shared/operations/doctor/checks/table.ts';
import { checkWallets } from '../../../shared/operations/doctor/checks/wallets.ts';
import { capped, examine } from '../../../shared/operations/doctor/doctor.ts';
import { type Finding, fine, isWrong, presentFindings, wrong } from '../../../shared/operations/doctor/finding.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { disableEndpoint, endpointRows } from '../../../shared/webhook/endpoint.table.ts';
import { removeApiKey } from '../../support/actions.ts';
import { deploymentOf, healthyAws, startQueues } from '../../support/deployment.ts';
import { arrive, mtn, pay } from '../../support/receipts.ts';
import { type Scene, scene } from '../../support/scene.ts';
import { cashIn, refusal } from '../../support/wallets.ts';

const [MTN, TELECEL] = ['+233241234567', '+233201234567'] as const;

let world: Scene;
let deployment: ReturnType<typeof deploymentOf>;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  deployment = deploymentOf(world);
});

test('the table check reports a missing table', async () => {
  const laptop = deploymentOf(await scene({ inMemory: false }));
  expect(states(await checkTable(laptop))).toEqual(['fine', 'not here']);
  const found = await checkTable({ ...laptop, table: { ...laptop.table, name: 'momo-kiosk-nowhere' } });
  expect(wrongs(found)).toEqual([expect.stringMatching(/no table momo-kiosk-nowhere.*npm start/)]);
});

test('the queue check reports a queue without a dead-letter queue', async () => {
  const queues = await startQueues();
  deployment = deploymentOf(world, { queues });
  for (const QueueName of ['settle-receipt', 'deliver-sms'])
    await queues.client.send(new DeleteQueueCommand({ QueueUrl: await urlOf(deployment, QueueName) }));
  await queues.client.send(new CreateQueueCommand({ QueueName: 'deliver-sms' }));
  expect(wrongs(await checkQueues(deployment))).toEqual([
    expect.stringMatching(/deliver-sms has no dead-letter queue/),
    expect.stringMatching(/settle-receipt or its dead-letter queue is missing/),
  ]);
});

test.each<[string, () => Promise<Response>, RegExp[]]>([
  ['the API’s own 404', async () => Response.json({ status: false, code: 'not_found' }, { status: 404 }), []],
  [
    'another 404',
    async () => Response.json({ message: 'Not Found' }, { status: 404 }),
    [/responds with 404, but this is not/],
  ],
  ['a page', async () => new Response('<html>'), [/responds with 200, but this is not/]],
  [
    'nothing',
    () => Promise.reject(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') })),
    [/is not responding \(getaddrinfo ENOTFOUND\)/],
  ],
])('the API check accepts only the API’s own 404: %s', async (_, gateway, sentences) => {
  world.gateway = gateway;
  expect(wrongs(await checkApi(deployment))).toEqual(sentences.map((one) => expect.stringMatching(one)));
});

describe('the gateway check', () => {
  test('reports a missing gateway', async () => {
    const found = wrongs(await checkGateways(deployment));
    expect(found).toEqual([expect.stringMatching(/no gateway account.*gateway set/)]);
  });

  test('continues with other gateways after a wrong password', async () => {
    await world.createSender(MTN);
    const reach = { url: 'https://gateway.example.com/3rdparty/v1', password: 'secret', signing_keys: {} };
    deployment.secret.text = JSON.stringify({
      spare: { ...reach, username: 'ama' },
      other: { ...reach, username: 'kofi' },
    });
    world.gateway = async () => new Response('', { status: 401 });
    expect(wrongs(await checkGateways(deployment))).toEqual([
      expect.stringMatching(/gateway spare rejected the user ama/),
      expect.stringMatching(/gateway other rejected the user kofi/),
      expect.stringMatching(/\+233241234567 uses the gateway phone, which has no account/),
    ]);
  });
});

describe('the merchant check', () => {
  test('reports the last week’s unassigned payments', async () => {
    await world.createSender(MTN);
    await world.createMerchant();
    const { id: other } = await world.createMerchant();
    await world.createSender(TELECEL, 'device-2');
    await addApiKey(world.outside, other, 'live');
    await pay(world, { number: MTN }, mtn({ reference: 'shoes' }));
    world.clock.nowMs += 6 * DAY_MS;
    const found = wrongs(await checkMerchants(deployment));
    expect(found).toEqual([
      expect.stringMatching(
        /No merchant sees 1 held payment,.*belongs to several merchants or to none.*receipt assign/,
      ),
    ]);
  });

  test('reports payments whose phone did not report the SIM', async () => {
    await world.createSender(MTN);
    const { id } = await world.createMerchant();
    await addApiKey(world.outside, id, 'live');
    await arrive(world, { number: MTN }, { ...mtn(), recipient: null, simNumber: 5 });
    const found = wrongs(await checkMerchants(deployment));
    expect(found).toEqual([expect.stringMatching(/1 held payment,.*did not report which SIM was paid.*sender add/)]);
  });

  test('ignores payments that a merchant already sees in another way', async () => {
    await world.createSender(MTN);
    const { id } = await world.createMerchant();
    await addApiKey(world.outside, id, 'live');
    const text = mtn();
    await arrive(world, { number: MTN }, { ...text, recipient: null, simNumber: 5 });
    const receipt_id = `MTN-unknown-${text.id}`;
    await world.outside.table.write([receiptRows.change({ receipt_id }, { known_to: id })]);
    expect(wrongs(await checkMerchants(deployment))).toEqual([]);
  });

  test('reports merchants without a key or a number', async () => {
    await addMerchant(world.outside, { name: 'Kofi', momo_accounts: [] });
    const { merchant_id } = await addMerchant(world.outside, { name: 'Esi', momo_accounts: [] });
    await addApiKey(world.outside, merchant_id, 'live');
    await world.createSender(TELECEL);
    const { id } = await world.createMerchant();
    await changeMerchant(world.outside, id, { default_from: TELECEL });
    const found = wrongs(await checkMerchants(deployment));
    expect(found.toSorted()).toEqual([
      expect.stringMatching(
        /Ama Stores .* receives payments on \+233241234567, but no known phone has that number.*sender add/,
      ),
      expect.stringMatching(/Esi .* has a live key but no MoMo number.*merchant set/),
      expect.stringMatching(/Kofi .* has no MoMo number and no key\. .*merchant set/),
    ]);
  });

  test('ignores test keys', async () => {
    await world.createSender(TELECEL);
    const esi = await addMerchant(world.outside, { name: 'Esi', momo_accounts: [] });
    await addApiKey(world.outside, esi.merchant_id, 'sms');
    await addApiKey(world.outside, esi.merchant_id, 'live', { mode: 'test' });
    const kofi = await addMerchant(world.outside, { name: 'Kofi', momo_accounts: [] });
    const key = await addApiKey(world.outside, kofi.merchant_id, 'live');
    await removeApiKey(world.outside, kofi.merchant_id, key.slice(-4));
    await addApiKey(world.outside, kofi.merchant_id, 'live', { mode: 'test' });
    const found = wrongs(await checkMerchants(deployment));
    expect(found).toEqual([expect.stringMatching(/Kofi .* has no MoMo number and no live key\. .*key create/)]);
  });

  test('reads merchants in pages of a hundred', async () => {
    const MERCHANTS = 250;
    for (let n = 0; n < MERCHANTS; n++) await addMerchant(world.outside, { name: `Shop ${n}`, momo_accounts: [] });
    let [open, most] = [0, 0];
    world.dynamoDb = async (_request, send) => {
      most = Math.max(most, ++open);
      await new Promise(setImmediate);
      await send().finally(() => open--);
    };
    const found = wrongs(await checkMerchants(deployment));
    expect(new Set(found.map((line) => /Shop \d+/.exec(line)?.[0])).size).toBe(MERCHANTS);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(20);
    most = 0;
    await checkWallets(deployment);
    expect(most).toBeLessThanOrEqual(20);
  });

  test('lists a limited number of merchants and counts the others', () => {
    const shop = (n: number) => ({ check: 'merchants' as const, ...wrong(`Shop ${n}`, 'Help') });
    const ill = Array.from({ length: 10_000 }, (_, n) => shop(n));
    const well = Array.from({ length: 51 }, (_, n) => ({ check: 'senders' as const, ...fine(`Sender ${n}`) }));
    const report = capped([...ill, ...well, ...well.slice(0, 50).map((one) => ({ ...one, check: 'api' as const }))]);
    expect(report).toHaveLength(51 + 51 + 50);
    expect(report[49]).toEqual(ill[49]);
    const message = '9950 more findings for merchants (wrong).';
    const todo = 'Fix the findings above first, then run this again.';
    expect(report[50]).toEqual({ check: 'merchants', state: 'wrong', message, todo });
    expect(report[101]).toEqual({ check: 'senders', state: 'fine', message: '1 more finding for senders (fine).' });
  });
});

describe('the wallet check', () => {
  test('passes if no payment was rejected', async () => {
    await world.createShop();
    expect(states(await checkWallets(deployment))).toEqual(['fine']);
  });

  test('reports the last day’s rejected payments', async () => {
    const shop = await world.createShop({ number: MTN });
    await shop.arrive(refusal({ from: 'EFUA ANANSI' }));
    world.clock.nowMs += DAY_MS;
    await shop.arrive(refusal());
    await shop.arrive(refusal({ amount: '70.50', from: 'ESI OWUSU' }));
    // The phone does not report the receiving number.
    await arrive(world, { number: '' }, { ...refusal(), recipient: null });
    const found = wrongs(await checkWallets(deployment));
    expect(found).toEqual([
      expect.stringMatching(
        /\+233241234567 \(MTN\) has reached its daily limit\. It refused 2 payments .* GHS 70\.5 from ESI OWUSU .*Its merchant \w+ was notified.*merchant set --merchant \w+ --momo/,
      ),
      expect.stringMatching(/an unknown number \(MTN\).*refused 1 payment .*No merchant was notified/),
    ]);
  });

  test('reports shared wallets that are almost full', async () => {
    const shop = await world.createShop();
    await shop.arrive(cashIn('4600.00'));
    for (let merchants = 0; merchants < 2; merchants++) await world.createShop({ number: MTN });
    await arrive(world, { number: MTN }, cashIn('4700.00'));
    const found = wrongs(await checkWallets(deployment));
    expect(found).toEqual([
      expect.stringMatching(
        /\+233241234567 .* GHS 4700, near its limit of perhaps GHS 5000\. .*No merchant was notified/,
      ),
    ]);
  });
});

test('a suggested command quotes the merchant’s name', async () => {
  const merchant = await world.createMerchant();
  const hostile = 'https://shop.example.com/?a=1&b=$(id)`id`;id\'"\u001b]0;owned\u0007';
  await merchant.setWebhook(hostile);
  const endpoint = await endpointRows.find(world.outside, { merchant_id: merchant.id, key_kind: 'live' });
  if (!endpoint) throw new Error('The merchant has no webhook');
  await disableEndpoint(world.outside, endpoint, 'gone', '2026-01-01T00:00:00.000Z');

  const [found = ''] = wrongs(await checkMerchants(deployment)).filter((line) => line.includes('webhook set'));
  expect(found).not.toMatch(/\p{Cc}/u);
  const [, written = ''] = /--url (.*)\. The merchant can replay/.exec(found) ?? [];
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${written}`]).toString();
  expect(words).toBe(`${URL.parse(hostile)?.href}\n`);
});

test('a suggested command quotes the phone’s name', async () => {
  const account = { url: 'https://gateway.example.com/3rdparty/v1', username: 'ama', password: 'secret' };
  deployment.secret.text = JSON.stringify({ phone: account });
  const id = "x; echo $(id)`id` 'y'";
  const lastSeen = world.iso();
  world.gateway = async ({ url }) => Response.json(url.endsWith('/devices') ? [{ id, lastSeen }] : []);

  const [found = ''] = wrongs(await checkGateways(deployment)).filter((line) => line.includes('set-signing-key'));
  const [, written = ''] = /--device (.*)$/.exec(found) ?? [];
  expect(execFileSync('sh', ['-c', `printf '%s\\n' ${written}`]).toString()).toBe(`${id}\n`);
});

test('findings contain no control characters', () => {
  expect(presentFindings([fine('Paid by \u001b[2JKOFI\u0007')])).toBe('✓ Paid by [2JKOFI');
});

test('a failed check is reported without stopping the others', async () => {
  const aws = healthyAws({ stack: () => Promise.reject(new Error('AccessDenied')) });
  const findings = await examine(deploymentOf(await scene({ inMemory: false }), { aws, queues: await startQueues() }));
  const message = 'The check of stack failed: Error: AccessDenied';
  const todo = expect.stringMatching(/permission/);
  expect(findings).toContainEqual({ check: 'stack', state: 'wrong', message, todo });
  expect(new Set(findings.map(({ check }) => check)).size).toBe(14);
});

test('an undeployed stage produces a single finding', async () => {
  const aws = healthyAws({ stack: async () => undefined });
  expect(wrongs(await examine({ ...deployment, aws }))).toEqual([expect.stringMatching(/no stack.*region/)]);
});

test('missing AWS credentials are reported once', async () => {
  const none = Object.assign(new Error('none'), { name: 'CredentialsProviderError' });
  const aws = healthyAws({ stack: () => Promise.reject(none) });
  await expect(examine({ ...deployment, aws })).rejects.toThrow('none');
});

/** Returns each fault and its advice as one line. */
function wrongs(findings: readonly Finding[]): string[] {
  return findings.filter(isWrong).map((finding) => presentFindings([finding]).replace(/^✗ /, '').replace(/\n +→/, ''));
}

function states(findings: readonly Finding[]): string[] {
  return findings.map(({ state }) => state);
}

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as smsgate } from '../../../functions/callback/smsgate.ts';
import { handler as initialize } from '../../../functions/transaction/initialize.ts';
import { handler as housekeeping } from '../../../functions/work/housekeeping.ts';
import { listMerchants } from '../../../shared/merchants/merchant/merchant.table.ts';
import { createReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import { examine } from '../../../shared/operations/doctor/doctor.ts';
import { isWrong } from '../../../shared/operations/doctor/finding.ts';
import { listUnsettledPhoneEvents } from '../../../shared/phones/gateway/phone-event.table.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { linkTexts } from '../../../shared/wallets/chain/link-texts.ts';
import { endTest, findTest, noteWalletHeard, startTest } from '../../../shared/wallets/wallet/hearing.table.ts';
import { fill, runAdmin } from '../../support/admin-commands.ts';
import { nameMature } from '../../support/name-mature.ts';
import { arrive, charge, hmac, mtn, receivedEvent, settle, verified } from '../../support/receipts.ts';
import { documentedCommands } from '../../support/runbooks.ts';
import { createStage, SENDER, type Stage } from '../../support/stage.ts';
import { known, text, WALLET } from '../../support/wallet-chains.ts';
import { call, callWorker, createMerchant } from '../../support/world.ts';

let stage: Stage;
beforeAll(() => {
  vi.stubEnv('SMSGATE_PASSWORD', 'canary-password');
  vi.stubEnv('SMSGATE_SIGNING_KEY', 'canary-key-2');
});
afterAll(() => {
  vi.unstubAllEnvs();
});
beforeEach(async () => {
  stage = await createStage();
});

test('the restore runbook stops and restarts the stage', async () => {
  const stopped: string[] = [];
  const { reserve } = stage.aws;
  stage.aws.reserve = async (id, executions) => {
    if (executions === 0) stopped.push(id);
    await reserve(id, executions);
  };
  await follow('Restore to a point in time', {});
  expect(stopped.length).toBeGreaterThan(80);
  expect(await wrongs()).toEqual([]);
});

test('the runbook for a replaced phone moves the number', async () => {
  const { gateway, world } = stage;
  const old = { id: 'device-1', name: 'Desk', lastSeen: iso(-60) };
  gateway.devices = [old, { id: 'device-2', name: 'New', lastSeen: iso(0) }];
  await follow('Replace a phone', { DEVICE: 'device-2' });
  expect(await listSenders(world.outside)).toMatchObject([{ number: SENDER, device_id: 'device-2' }]);
  world.clock.nowMs += 5 * MINUTE_MS;
  expect(await postSigned('device-2', 'canary-key-2')).toBe(200);
  expect(await wrongs()).toEqual([]);
});

test('the runbook for a moved number updates its SIM and merchant', async () => {
  const { gateway, world, merchant } = stage;
  gateway.devices = gateway.devices.map((device) => ({ ...device, simCards: [{ simNumber: 2 }] }));
  expect(await wrongs()).toHaveLength(1);
  const to = await createMerchant(world, { momo: false });
  await follow('Move a number', { DEVICE: 'device-1', FROM: merchant.id, TO: to.id });
  expect(await listSenders(world.outside)).toMatchObject([{ number: SENDER, sim_number: 2 }]);
  const merchants = await listMerchants(world.outside);
  const numbers = merchants.map(({ momo_accounts }) => momo_accounts.map(({ number }) => number).join());
  expect(numbers.toSorted()).toEqual(['+233201234567', SENDER]);
});

test('callbacks succeed after the runbook for a rotated signing key', async () => {
  const { world } = stage;
  expect(await postSigned('device-1', 'canary-key-1')).toBe(200);
  world.clock.nowMs += 1000;
  expect(await postSigned('device-1', 'canary-key-2')).toBe(401);
  expect(await wrongs()).toEqual([expect.stringMatching(/signs with a different key/)]);

  await follow('Rotate a signing key', { DEVICE: 'device-1' });
  expect(await postSigned('device-1', 'canary-key-2')).toBe(401);
  world.clock.nowMs += 5 * MINUTE_MS;
  expect(await postSigned('device-1', 'canary-key-2')).toBe(200);
  expect(await wrongs()).toEqual([]);
});

test('senders stay active during the runbook for a rotated gateway password', async () => {
  const { world } = stage;
  vi.stubEnv('SMSGATE_PASSWORD', 'changed');
  const { gateway } = world;
  world.gateway = async (request) => {
    const isForGateway = request.url.includes('gateway.example.com');
    const isRight = request.headers.get('authorization') === `Basic ${btoa('ama:changed')}`;
    return isForGateway && !isRight ? new Response('', { status: 401 }) : gateway(request);
  };
  await callWorker(world, housekeeping);
  expect(await wrongs()).toEqual([expect.stringMatching(/rejected the user ama/)]);
  await follow("Rotate a gateway's password", { USERNAME: 'ama' });
  for (let minutes = 0; minutes < 5; minutes++) {
    world.clock.nowMs += MINUTE_MS;
    await callWorker(world, housekeeping);
    expect((await listSenders(world.outside)).map(({ held_back }) => held_back)).toEqual([undefined]);
  }
  expect(await wrongs()).toEqual([]);
});

test('the rollback runbook handles the newer release’s dead letters', async () => {
  await follow('Roll back a release', {});
  expect(await wrongs()).toEqual([]);
});

test('a text from the wallet ends the alert about a phone that misses texts', async () => {
  const { world } = stage;
  world.clock.nowMs += 1000;
  for (let n = 0; n < 2; n++) {
    const said = { number: SENDER, from: SENDER, gateway: 'phone', device_id: 'device-1', send_id: 'send' };
    await world.outside.table.write([startTest(world.outside, { ...said, nonce_hash: `hash ${n}`, misses: n })]);
    const test = await findTest(world.outside, `hash ${n}`);
    if (test) await endTest(world.outside, test, 'missed');
  }
  expect(await wrongs()).toEqual([expect.stringMatching(/sends but does not receive/)]);
  world.clock.nowMs += 1000;
  await follow('Repair a phone that misses texts', {});
  await arrive(world, { number: SENDER }, mtn({ amount: '1.00' }));
  expect((await wrongs()).filter((message) => /hear/.test(message))).toEqual([]);
});

describe('the runbook for a changed network text', () => {
  test('settles payments from newly recognised texts', async () => {
    const { world, merchant } = stage;
    const reference = await charge(world, merchant, { amount: 36 });
    await keepUnread(mtn({ reference }).text);
    await keepUnread('A text that nobody can read.');

    for (let time = 0; time < 2; time++) {
      await follow('Support new network wording', { ID: merchant.id });
      world.clock.nowMs += 6 * MINUTE_MS;
      const jobs = await listUnsettledPhoneEvents(world.outside, world.iso(), 10);
      expect(jobs).toHaveLength(1);
      await settle(world, ...jobs);
    }

    expect(await verified(world, merchant, reference)).toMatchObject({ status: 'success', amount_paid: 36 });
    await callWorker(world, housekeeping);
    expect((await verified(world, merchant, reference)).disputed).toBeNull();
  });

  async function keepUnread(text: string) {
    const { world, merchant } = stage;
    const receipt = { receipt_id: `TEXT-${text.length}`, state: 'unread' as const, merchant_id: merchant.id };
    const of = { network: 'MTN' as const, momo_number: SENDER, sender: 'MobileMoney', text };
    await world.outside.table.write([createReceipt({ ...receipt, ...of, received_at: iso(0) })]);
  }
});

test('the runbook for a gap in a wallet’s texts closes the gap', async () => {
  const { world } = stage;
  const at = (minutesAgo: number, before: number, moved: number) => {
    const at_ms = world.clock.nowMs - minutesAgo * MINUTE_MS;
    return text(-minutesAgo, before, moved, { at_ms, arrived_ms: at_ms });
  };
  // The owner of a number of only one merchant enters the balance in the dashboard.
  await createMerchant(world);
  world.clock.nowMs -= 61 * MINUTE_MS;
  await nameMature(world.outside, WALLET, 100_00);
  await noteWalletHeard(world.outside, SENDER, { gateway: 'phone', device_id: 'device-1' }, iso(0));
  world.clock.nowMs += 61 * MINUTE_MS;
  const missing = at(50, 105_00, 36_00);
  await linkTexts(world.outside, WALLET, [at(60, 100_00, 5_00)]);
  await linkTexts(world.outside, WALLET, [at(40, 141_00, 5_00)]);
  expect(await wrongs()).toEqual([
    expect.stringMatching(/no new text to .* has followed from its last verified balance/),
  ]);
  const file = join(mkdtempSync(join(tmpdir(), 'statement-')), 'statement.csv');
  const row = [new Date(missing.at_ms).toISOString(), missing.id, 105, 141].join(',');
  writeFileSync(file, `TRANSACTION DATE,F_ID,BAL BEFORE,BAL AFTER\n${row}`);
  const values = { NUMBER: SENDER, '3017.27': '146.00', TIME: iso(0), 'STATEMENT.csv': file };
  await follow('Resolve a broken balance chain', values);
  expect(await wrongs()).toEqual([]);
  expect(await known(world)).toMatchObject({ balance: 146_00, waiting: [], gaps: [] });
});

test('the runbook for a disputed payment pays the charge with the genuine payment', async () => {
  const { world, merchant } = stage;
  const other = await createMerchant(world);
  const reference = await charge(world, merchant, { amount: 36 });
  for (const amount of ['36.00', '63.00'])
    await arrive(world, { number: SENDER }, mtn({ amount, id: '50000000001', reference: 'shoes' }));
  expect((await call(world, initialize, { key: other.liveKey, body: { amount: 1 } })).status).toBe(200);
  const receipt = `MTN-${SENDER.slice(1)}-50000000001`;
  await follow('Settle a disputed payment', { ID: merchant.id, RECEIPT: receipt, REFERENCE: reference });
  expect(await verified(world, merchant, reference)).toMatchObject({ status: 'success' });
});

test('the runbook for shutting down the service ends all callbacks', async () => {
  const { world, merchant, gateway } = stage;
  await follow('Shut down the service', { ID: merchant.id, LAST4: merchant.liveKey.slice(-4) });
  world.clock.nowMs += MINUTE_MS;
  expect((await call(world, initialize, { key: merchant.liveKey, body: { amount: 1 } })).status).toBe(401);
  expect(gateway.webhooks).toEqual([]);
});

/** Runs the commands in a section of the runbooks, in order. */
async function follow(heading: string, values: Readonly<Record<string, string>>): Promise<void> {
  const commands = documentedCommands('docs/operate/runbooks.md', heading);
  expect(commands.length).toBeGreaterThan(1);
  for (const words of commands) await runAdmin(stage.deployment, fill(words, values));
}

/** Forwards a received text as a phone does. @returns the HTTP status. */
async function postSigned(deviceId: string, key: string): Promise<number> {
  const { world } = stage;
  const body = JSON.stringify({ ...receivedEvent(world, { sender: 'Kofi', text: 'I have paid.' }), deviceId });
  const timestamp = String(Math.floor(world.clock.nowMs / 1000));
  const headers = { 'x-timestamp': timestamp, 'x-signature': hmac(key, body + timestamp) };
  const path = { path: '/callback/smsgate/phone', parameters: { gateway: 'phone' } };
  return (await call(world, smsgate, { ...path, headers, body })).status;
}

async function wrongs(): Promise<string[]> {
  return (await examine(stage.deployment)).filter(isWrong).map(({ message }) => message);
}

function iso(minutes: number): string {
  return stage.world.iso(minutes * MINUTE_MS);
}

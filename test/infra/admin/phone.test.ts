import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { listAudit } from '../../../shared/merchants/audit/audit.table.ts';
import { checkForwarders } from '../../../shared/operations/doctor/checks/forwarders.ts';
import { checkGateways } from '../../../shared/operations/doctor/checks/gateways.ts';
import { isWrong } from '../../../shared/operations/doctor/finding.ts';
import { readAccounts, readForwarderKeys, setAccount } from '../../../shared/phones/gateway/manage-accounts.ts';
import { LATE_MS } from '../../../shared/phones/gateway/phone.table.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { forwarded, forwarderCall } from '../../support/forwarder.ts';
import { mtn } from '../../support/receipts.ts';
import { type Scene, scene } from '../../support/scene.ts';
import { GATEWAY_URL } from '../../support/smsgate.ts';

const NUMBER = '+233241234567';
const Added = z.object({ address: z.string(), key: z.string().regex(/^[0-9a-f]{64}$/) });

let world: Scene;
let deployment: ReturnType<typeof deploymentOf>;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  deployment = deploymentOf(world);
  world.outside.secret = async () => deployment.secret.text;
});

describe('commands for forwarding phones', () => {
  test('`phone add` prints the key once', async () => {
    const { address, key } = Added.parse(await admin('add', '--phone', 'till'));
    expect(address).toBe('https://pay.example.com/callback/forwarder/till');
    expect(await readForwarderKeys(deployment)).toEqual({ till: key });
    const { entries } = await listAudit(world.outside, undefined, world.iso().slice(0, 7), {});
    expect(entries).toMatchObject([{ action: 'phone add', about: 'till', by: 'command line' }]);
    expect(JSON.stringify([entries, await admin('list')])).not.toContain(key);
  });

  test('`phone roll` replaces the key', async () => {
    const first = Added.parse(await admin('add', '--phone', 'till'));
    await expect(admin('add', '--phone', 'till')).rejects.toThrow(/The phone till already exists.*phone roll/);
    expect(await readForwarderKeys(deployment)).toEqual({ till: first.key });
    const second = Added.parse(await admin('roll', '--phone', 'till'));
    expect(second.key).not.toBe(first.key);
    expect(await readForwarderKeys(deployment)).toEqual({ till: second.key });
    expect(await admin('remove', '--phone', 'till')).toEqual({ removed: 'till' });
    expect(await readForwarderKeys(deployment)).toEqual({});
    const { entries } = await listAudit(world.outside, undefined, world.iso().slice(0, 7), {});
    expect(entries.map(({ action }) => action).sort()).toEqual(['phone add', 'phone remove', 'phone roll']);
  });

  test.each(['roll', 'remove'])('`phone %s` fails for an unknown phone', async (verb) => {
    await expect(admin(verb, '--phone', 'till')).rejects.toThrow(
      'There is no phone till. To list all phones, run: phone list',
    );
  });

  test.each(['Till', 'a#b', '__proto__', 'a/b', ''])('`phone add` rejects the name %j', async (name) => {
    await expect(admin('add', '--phone', name)).rejects.toThrow(/lower-case letter/);
    expect(deployment.secret.text).toBe('{}');
  });

  test('`phone list` shows a phone’s numbers and last callback', async () => {
    const { key } = Added.parse(await admin('add', '--phone', 'till'));
    await world.addSender(placed());
    await post(key, 3_000);
    const heard_at = world.iso();
    const till = { phone: 'till', numbers: [NUMBER], heard_at, delay_seconds: 3, late: false };
    expect(await admin('list')).toEqual({ phones: [till] });
    await post(key, LATE_MS + 60_000);
    expect(await admin('list')).toEqual({ phones: [{ ...till, delay_seconds: 180, late: true }] });
  });

  test('`phone add` leaves the gateway accounts unchanged', async () => {
    await setAccount(deployment, 'phone', { url: GATEWAY_URL, username: 'ama', password: 'canary-password' });
    const before = await readAccounts(deployment);
    await admin('add', '--phone', 'till');
    expect(await readAccounts(deployment)).toEqual(before);
    await setAccount(deployment, 'spare', { url: GATEWAY_URL, username: 'ama', password: 'canary-password' });
    expect(Object.keys(await readForwarderKeys(deployment))).toEqual(['till']);
    const set = setAccount(deployment, 'forwarder', { username: 'ama', password: 'canary-password' });
    await expect(set).rejects.toThrow(/not an account\. Add such a phone with: phone add/);
  });

  test('`phone add` and `phone remove` list the phone’s numbers', async () => {
    await admin('add', '--phone', 'till');
    await world.addSender(placed());
    expect(await admin('remove', '--phone', 'till')).toEqual({ removed: 'till', still_placed: [NUMBER] });
    expect(await admin('add', '--phone', 'till')).toMatchObject({ speaks_for: [NUMBER] });
  });
});

describe('a number on a forwarding phone', () => {
  test('is always receive-only', async () => {
    await world.createSender(NUMBER);
    await world.addSender({ ...placed(), receives_only: false });
    expect(await listSenders(world.outside)).toMatchObject([{ enabled: false, receives_only: true }]);
  });

  test('cannot be enabled for sending', async () => {
    await world.addSender(placed());
    const before = await listSenders(world.outside);
    await expect(world.switchSender(NUMBER, true)).rejects.toThrow(/can only receive/);
    expect(await listSenders(world.outside)).toEqual(before);
  });
});

describe('the doctor’s check of forwarding phones', () => {
  const wrongs = async () =>
    [...(await checkGateways(deployment)), ...(await checkForwarders(deployment))]
      .filter(isWrong)
      .map(({ message, todo }) => `${message} → ${todo}`)
      .filter((line) => !line.includes('There is no gateway account,'));
  let key: string;
  beforeEach(async () => {
    ({ key } = Added.parse(await admin('add', '--phone', 'till')));
    await world.addSender(placed());
  });

  test('reports nothing if a phone is on time', async () => {
    expect(await wrongs()).toEqual([]);
    await post(key, 3_000);
    expect(await wrongs()).toEqual([]);
    expect((await checkForwarders(deployment)).map(({ message }) => message)).toEqual([
      expect.stringMatching(/posted a text .*3 seconds after receiving it/),
    ]);
  });

  test('sends no request to the gateway', async () => {
    await setAccount(deployment, 'phone', { url: GATEWAY_URL, username: 'ama', password: 'canary-password' });
    world.gateway = async () => Response.json([]);
    const said = (await wrongs()).join();
    expect(said).toContain('has no phone');
    expect(said).not.toContain('forwarder');
  });

  test('reports a late phone for half an hour', async () => {
    await post(key, 7 * 60_000);
    expect(await wrongs()).toEqual([expect.stringMatching(/phone till posts late.*for 7 minutes.*battery/)]);
    world.clock.nowMs += 30 * 60_000;
    expect(await wrongs()).toEqual([]);
  });

  test('reports a phone without a key', async () => {
    await admin('remove', '--phone', 'till');
    expect(await wrongs()).toEqual([
      expect.stringMatching(/No key is stored here for the phone till with \+233241234567\..*phone add/),
    ]);
  });

  test('reports a wrong key until the phone forwards again', async () => {
    await post('f'.repeat(64), 0);
    expect(await wrongs()).toEqual([
      expect.stringMatching(/not signed with its key.*somebody else is posting under the phone’s name/),
    ]);
    world.clock.nowMs += 10_000;
    await post(key, 0);
    expect(await wrongs()).toEqual([]);
    world.clock.nowMs += 6 * 60_000;
    await post(key, 0, -3_600_000);
    expect(await wrongs()).toEqual([expect.stringMatching(/clock of the phone till is 60 minutes behind/)]);
  });

  test('ignores old rejections', async () => {
    await post(key, 0);
    world.clock.nowMs += 60_000;
    await post(key, 0, -3_600_000);
    world.clock.nowMs += 60_000;
    await post(key, 0);
    world.clock.nowMs += 8 * 3_600_000;
    expect(await wrongs()).toEqual([]);
  });
});

function placed() {
  return { number: NUMBER, network: 'MTN', gateway: 'forwarder', device_id: 'till', sim_number: 1 } as const;
}

function post(key: string, delayMs: number, offMs = 0) {
  const received_at = world.clock.nowMs - delayMs;
  const sent_at = world.clock.nowMs + offMs;
  const lines = forwarded(world, { to: 1, text: mtn().text, received_at, sent_at });
  return world.call('callback/forwarder', forwarderCall(lines, { key }));
}

/** Runs a command with JSON output. @throws an error with the command's message. */
async function admin(...words: string[]): Promise<unknown> {
  return JSON.parse(await runAdmin(deployment, ['phone', ...words, '--json']));
}

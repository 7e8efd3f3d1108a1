import { beforeEach, expect, test } from 'vitest';
import { listAudit } from '../../../shared/merchants/audit/audit.table.ts';
import { merchantRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import { signedIn } from '../../../shared/merchants/user/session.ts';
import { listUsers, userRows } from '../../../shared/merchants/user/user.table.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import type { Deployment } from '../../../shared/runtime/stage/deployment.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { type Person, signIn } from '../../support/dashboard.ts';
import { addPasskey } from '../../support/sign-in.ts';
import { createStage } from '../../support/stage.ts';
import type { TestMerchant, World } from '../../support/world.ts';

let world: World;
let deployment: Deployment;
let merchant: TestMerchant;
let owner: Person;

beforeEach(async () => {
  ({ world, deployment, merchant } = await createStage());
  owner = await signIn(world, 'owner', merchant.id);
});

test('`user invite` adds people to a merchant or the operators', async () => {
  world.clock.nowMs += 1;
  await admin('user', 'invite', '--merchant', merchant.id, '--name', 'Efua', '--role', 'cashier');
  await admin('user', 'invite', '--role', 'operator', '--name', 'Kwesi');
  const team = await listUsers(world.outside, merchant.id);
  const operators = await listUsers(world.outside, undefined);
  expect(team.map(({ name }) => name)).toEqual(['Canary the owner', 'Efua']);
  expect(operators.map(({ name }) => name)).toEqual(['Kwesi']);
  await expect(admin('user', 'invite', '--merchant', merchant.id)).rejects.toThrow('No person was given. Add --name');
  await expect(admin('user', 'invite', '--name', 'Yaw')).rejects.toThrow('Add --merchant');
  await expect(admin('user', 'invite', '--merchant', 'nobody', '--name', 'Yaw')).rejects.toThrow('no merchant nobody');
});

test('`user revoke-sessions` signs a user out on all devices', async () => {
  await admin('user', 'revoke-sessions', '--user', owner.user.user_id);
  expect(await signedIn(world.outside, [`__Host-session=${owner.token}`])).toBeUndefined();
});

test('`user remove` does not remove the last owner', async () => {
  await addPasskey(world, owner);
  await expect(admin('user', 'remove', '--user', owner.user.user_id)).rejects.toThrow('needs at least one owner');
  const cashier = await signIn(world, 'cashier', merchant.id);
  await admin('user', 'remove', '--user', cashier.user.user_id);
  expect(await signedIn(world.outside, [`__Host-session=${cashier.token}`])).toBeUndefined();
  expect(await userRows.find(world.outside, cashier.user)).toHaveProperty('removed_at');
  await expect(admin('user', 'remove', '--user', cashier.user.user_id)).rejects.toThrow('There is no user');
});

test('the audit log contains no secrets or phone numbers', async () => {
  const limits = ['--match-by-name-up-to', '20', '--confirm-unproven-up-to', '30', '--confirm-always-above', '900'];
  await admin('merchant', 'set', '--merchant', merchant.id, '--contact', '0241234567', ...limits);
  await admin('webhook', 'set', '--merchant', merchant.id, '--url', 'https://shop.example.com/hooks?token=canary');
  await admin('credits', 'add', '--merchant', merchant.id, '--amount', '5');
  await admin('key', 'create', '--merchant', merchant.id, '--kind', 'sms');
  await admin('sender', 'disable', '--number', '0241234567');
  const of = async (id?: string) =>
    (await listAudit(world.outside, id, world.iso().slice(0, 7), { limit: 50 })).entries;
  const entries = await of(merchant.id);
  const after = Object.fromEntries(entries.map((entry) => [entry.action, entry.after]));
  expect(after).toMatchObject({
    'merchant set': {
      contact: 'changed',
      match_by_name_up_to: 20,
      confirm_unproven_up_to: 30,
      confirm_always_above: 900,
    },
    'webhook set': { host: 'shop.example.com' },
    'credits add': { credits: 5 },
    'key create': { kind: 'sms', test: false },
  });
  expect(new Set(entries.map(({ by }) => by))).toEqual(new Set(['command line']));
  expect(JSON.stringify(entries)).not.toMatch(/canary|sk_sms|whsec|241234567/);
  expect((await of()).map(({ action }) => action)).toContain('sender disable');
});

test('the audit log records removed numbers and suspensions', async () => {
  const number = ['--number', '0241234567'];
  await expect(admin('sender', 'remove', ...number)).rejects.toThrow('still accepts texts. Disable the number');
  await admin('sender', 'disable', ...number);
  await admin('sender', 'remove', ...number);
  expect(await listSenders(world.outside)).toEqual([]);
  for (const name of ['suspend', 'take-back']) {
    await admin('merchant', name, '--merchant', merchant.id);
    const { suspended_at } = (await merchantRows.find(world.outside, { merchant_id: merchant.id })) ?? {};
    expect(suspended_at !== undefined).toBe(name === 'suspend');
    await expect(admin('merchant', name, '--merchant', merchant.id)).rejects.toThrow(/suspended/);
  }
  const month = world.iso().slice(0, 7);
  const { entries } = await listAudit(world.outside, merchant.id, month, { limit: 50 });
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['merchant suspend', 'merchant take-back']),
  );
});

test('every row about a user expires, except sign-in data', async () => {
  const rowsOf = (partition: string) => world.outside.table.list(partition);
  const { user_id } = owner.user;
  for (const row of await rowsOf(`SESSION#${user_id}`)) expect(row).toHaveProperty('expires_at_epoch_seconds');
  const cashier = await signIn(world, 'cashier', merchant.id);
  expect((await rowsOf(`USER#${cashier.user.user_id}`))[0]).not.toHaveProperty('expires_at_epoch_seconds');
  await admin('user', 'remove', '--user', cashier.user.user_id);
  expect((await rowsOf(`USER#${cashier.user.user_id}`))[0]).toHaveProperty('expires_at_epoch_seconds');
  expect(await rowsOf(`SESSION#${cashier.user.user_id}`)).toEqual([]);
});

function admin(...words: string[]) {
  return runAdmin(deployment, words);
}

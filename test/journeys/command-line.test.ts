import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../../infra/local/free-port.ts';
import { request, textsArrive } from '../support/http.ts';
import { admin, adminJson, newFolder, startLocalStack } from '../support/local-stack.ts';

const stack = await startLocalStack();
afterAll(() => stack.stop());
const { facts, folder } = stack;

describe('--json prints one JSON object, and the change holds when the prompt is back', () => {
  test('merchant create, list and set', async () => {
    const { merchant_id, ...more } = await adminJson(
      folder,
      ...['merchant', 'create', '--name', 'Kofi & Sons'],
      ...['--momo', '0551112223:mtn:KOFI: SONS', '--momo', '+233201112223:TELECEL:KOFI'],
    );
    expect(more).toEqual({});
    expect(await adminJson(folder, 'merchant', 'list')).toEqual({
      merchants: [
        expect.objectContaining({ merchant_id: facts.merchant_id, name: 'Ama Stores', default_from: '+233241234567' }),
        expect.objectContaining({
          merchant_id,
          name: 'Kofi & Sons',
          momo_accounts: [
            { number: '+233551112223', network: 'MTN', account_name: 'KOFI: SONS' },
            { number: '+233201112223', network: 'TELECEL', account_name: 'KOFI' },
          ],
        }),
        // Other tests of this file make merchants meanwhile.
        ...(await adminJson(folder, 'merchant', 'list')).merchants.slice(2),
      ],
    });

    const { key } = await adminJson(folder, 'key', 'create', '--merchant', merchant_id, '--kind', 'live');
    const before = await request(stack, '/api/v1/transaction/initialize', { key, body: { amount: 1 } });
    expect(before.json.data.momo_number).toBe('+233551112223');
    const set = await adminJson(
      folder,
      ...['merchant', 'set', '--merchant', merchant_id, '--momo', '0271112223:AT:KOFI', '--default-from', '0201234567'],
    );
    expect(set).toMatchObject({
      merchant_id,
      name: 'Kofi & Sons',
      default_from: '+233201234567',
      momo_accounts: [{ number: '+233271112223', network: 'AT' }],
    });
    const after = await request(stack, '/api/v1/transaction/initialize', { key, body: { amount: 1 } });
    expect(after.json.data).toMatchObject({ momo_number: '+233271112223', momo_network: 'AT' });
  });

  test('key create, list and revoke', async () => {
    const merchant = await newMerchant();
    const { key: live } = await adminJson(folder, 'key', 'create', '--merchant', merchant, '--kind', 'live');
    const { key: sms } = await adminJson(folder, 'key', 'create', '--merchant', merchant, '--kind', 'sms');
    expect([live, sms]).toEqual([expect.stringMatching(/^sk_live_\w{36}$/), expect.stringMatching(/^sk_sms_\w{36}$/)]);
    expect(await adminJson(folder, 'key', 'list', '--merchant', merchant)).toEqual({
      keys: [
        { kind: 'live', hint: live.slice(-4), created_at: expect.any(String), revoked_at: null },
        { kind: 'sms', hint: sms.slice(-4), created_at: expect.any(String), revoked_at: null },
      ],
    });
    expect((await request(stack, '/api/v1/sms/from', { key: sms })).status).toBe(200);

    await adminJson(folder, 'key', 'revoke', '--merchant', merchant, '--hint', live.slice(-4));

    // No function has met this key, so none remembers it.
    const answer = await request(stack, '/api/v1/transaction/initialize', { key: live, body: { amount: 1 } });
    expect([answer.status, answer.json.code]).toEqual([401, 'unauthorized']);
    expect((await request(stack, '/api/v1/sms/from', { key: sms })).status).toBe(200);
    expect(await adminJson(folder, 'key', 'list', '--merchant', merchant)).toMatchObject({
      keys: [
        { kind: 'live', revoked_at: expect.any(String) },
        { kind: 'sms', revoked_at: null },
      ],
    });
  });

  test('credits add and show', async () => {
    const merchant = await newMerchant();
    expect(await adminJson(folder, 'credits', 'show', '--merchant', merchant)).toEqual({ balance: 0 });
    expect(await adminJson(folder, 'credits', 'add', '--merchant', merchant, '--amount', '5')).toEqual({ balance: 5 });
    expect(await adminJson(folder, 'credits', 'add', '--merchant', merchant, '--amount', '7')).toEqual({ balance: 12 });
    expect(await adminJson(folder, 'credits', 'show', '--merchant', merchant)).toEqual({ balance: 12 });
  });

  test('sender add, list, disable and enable, each in force at once', async () => {
    const number = '+233271234567';
    const phone = ['--gateway', 'phone', '--device', 'demo-phone', '--sim', '2'];
    expect(
      await adminJson(folder, 'sender', 'add', '--number', '027 123 4567', '--network', 'at', ...phone),
    ).toMatchObject({
      number,
      network: 'AT',
      enabled: true,
    });
    expect(await adminJson(folder, 'sender', 'list')).toMatchObject({
      senders: [
        { number: '+233201234567' },
        { number: '+233241234567' },
        { number, device_id: 'demo-phone', sim_number: 2 },
      ],
    });
    expect((await sendFrom(number)).status).toBe(200);
    await textsArrive(stack, `From ${number}`, 1);

    await adminJson(folder, 'sender', 'disable', '--number', number);
    const refused = await sendFrom(number);
    expect([refused.status, refused.json.code]).toEqual([503, 'no_sender_available']);
    const { json } = await request(stack, '/api/v1/sms/from', { key: facts.sms_secret_key });
    expect(json.data.senders).toContainEqual({ number, network: 'AT', available: false });

    await adminJson(folder, 'sender', 'enable', '--number', number);
    expect((await sendFrom(number)).status).toBe(200);
  });
});

describe('for people it prints text', () => {
  test('a line for a value, a table for a list', async () => {
    const merchant = await newMerchant();
    const [created, balance, senders, keys] = await Promise.all([
      admin(folder, 'merchant', 'create', '--name', 'Esi'),
      admin(folder, 'credits', 'show', '--merchant', merchant),
      admin(folder, 'sender', 'list'),
      admin(folder, 'key', 'list', '--merchant', merchant),
    ]);
    expect(created).toEqual({ code: 0, stdout: expect.stringMatching(/^merchant_id: \w{26}\n$/), stderr: '' });
    expect(balance).toEqual({ code: 0, stdout: 'balance: 0\n', stderr: '' });
    expect(senders.stdout).toMatch(/^number +network +gateway .*\n\+233201234567 +TELECEL +phone /);
    expect(keys).toEqual({ code: 0, stdout: 'no keys\n', stderr: '' });
  });

  test.each([
    [[]],
    [['merchant']],
    [['merchant', 'create']],
    [['merchant', 'list']],
    [['merchant', 'set']],
    [['key', 'create']],
    [['key', 'list']],
    [['key', 'revoke']],
    [['credits', 'add']],
    [['credits', 'show']],
    [['sender', 'add']],
    [['sender', 'list']],
    [['sender', 'enable']],
    [['sender', 'disable']],
  ])('%j --help explains itself', async (words) => {
    const { code, stdout, stderr } = await admin(newFolder(), ...words, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: admin ${words.join(' ')}`));
    if (words.length === 2) for (const option of ['--json', '--stage']) expect(stdout).toContain(option);
  });
});

describe('a mistake is told on stderr, with exit code 1', () => {
  const someone = ['--merchant', facts.merchant_id];
  test.each([
    [['merchant', 'create'], /--name/],
    [['merchant', 'create', '--name', ''], /name/],
    [['merchant', 'create', '--name', 'A', '--momo', '0241234567'], /NUMBER:NETWORK:ACCOUNT_NAME/],
    [['merchant', 'create', '--name', 'A', '--momo', '0241234567:VODA:A'], /MTN, TELECEL, AT/],
    [['merchant', 'set', ...someone], /--default-from or --momo/],
    [['merchant', 'set', ...someone, '--default-from', '0501234567'], /no sender \+233501234567.*sender list/],
    [['merchant', 'set', '--merchant', 'X', '--momo', '0241234567:MTN:A'], /no merchant X.*merchant list/],
    [['key', 'create', ...someone], /--kind/],
    [['key', 'create', ...someone, '--kind', 'test'], /live, sms/],
    [['key', 'create', '--merchant', 'X', '--kind', 'live'], /no merchant X/],
    [['key', 'list', '--merchant', 'X'], /no merchant X/],
    [['key', 'revoke', ...someone, '--hint', '----'], /no key that ends in ----.*key list/],
    [['credits', 'add', ...someone, '--amount', '0'], /whole number from 1/],
    [['credits', 'add', ...someone, '--amount', '1.5'], /whole number from 1/],
    [['credits', 'add', ...someone, '--amount=-5'], /whole number from 1/],
    [['credits', 'add', '--merchant', 'X', '--amount', '5'], /no merchant X/],
    [['credits', 'show', '--merchant', 'X'], /no merchant X/],
    [['credits', 'show'], /--merchant/],
    [['sender', 'add', '--number', '0241234567'], /--network/],
    [['sender', 'enable', '--number', '0501234567'], /no sender \+233501234567.*sender list/],
    [['sender', 'disable', '--number', '12'], /Ghanaian number/],
    [['sender', 'list', '--nonsense'], /--nonsense/],
    [['sender', 'list', 'more'], /too many arguments/],
    [['nonsense'], /nonsense/],
  ])('%j', async (words, sentence) => {
    const { code, stdout, stderr } = await admin(folder, ...words, '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
    // The sentence, and at most where to find help. No stack trace.
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  });

  test('of a merchant without a balance of its own nothing was changed by all that', async () => {
    expect(await adminJson(folder, 'credits', 'show', ...someone)).toMatchObject({ balance: expect.any(Number) });
  });

  test('no running stack', async () => {
    const { code, stdout, stderr } = await admin(newFolder(), 'merchant', 'list', '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^No local stack is running .* "npm start".*\n$/);
  });

  test('a stack that died', async () => {
    const dead = newFolder();
    const gone = { dynamodb_endpoint: `http://localhost:${await freePort()}`, table_name: 'momo-kiosk-local' };
    writeFileSync(join(dead, 'demo.json'), JSON.stringify(gone));
    const { code, stdout, stderr } = await admin(dead, 'merchant', 'list', '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The local stack does not answer.*\n$/);
  });
});

async function newMerchant(): Promise<string> {
  return (await adminJson(folder, 'merchant', 'create', '--name', 'Kofi')).merchant_id;
}

function sendFrom(from: string) {
  const body = { to: '0551112223', message: `From ${from}`, from };
  return request(stack, '/api/v1/sms/send', { key: facts.sms_secret_key, body });
}

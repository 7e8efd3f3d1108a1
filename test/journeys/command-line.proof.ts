import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { handler as from } from '../../functions/sms/from.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { freePort } from '../../infra/local/loopback.ts';
import { admin, adminJson } from '../support/admin-commands.ts';
import { newFolder, run, spawnAdmin } from '../support/local-stack.ts';
import { startServer } from '../support/server.ts';
import { call, createMerchant, createSender, createWorld, databaseOf, setDefaultSender } from '../support/world.ts';

/** Commands find a stack through the table named in `demo.json`. */
const world = await createWorld({ inMemory: false });
const folder = newFolder();
tellWhereTheTableIs(folder, inject('dynamoDbEndpoint'));
const MTN = '+233241234567';
await createSender(world, MTN);
const ama = await createMerchant(world, { credits: 10 });
await setDefaultSender(world, ama.id, MTN);

describe.concurrent('JSON output of commands', () => {
  test('contains counts for customer erase', async ({ expect }) => {
    const body = { amount: 1, customer_phone: '0209990001' };
    const { json } = await call(world, initialize, { key: ama.liveKey, body });
    const stillInUse = [{ kind: 'charges', id: json.data.reference }];
    const erase = ['customer', 'erase', '--phone', '0209990001'];
    expect(await adminJson(folder, ...erase)).toMatchObject({ would_be_erased: [], still_in_use: stillInUse });
    expect(await adminJson(folder, ...erase, '--yes')).toMatchObject({ erased: [], still_in_use: stillInUse });
    expect(await adminJson(folder, 'customer', 'erase', '--email', 'nobody@example.com', '--yes')).toEqual({
      erased: [],
      still_in_use: [],
    });
  });

  test('contains the merchant for merchant create, list and set', async ({ expect }) => {
    const { merchant_id, ...more } = await adminJson(
      folder,
      ...['merchant', 'create', '--name', 'Kofi & Sons'],
      ...['--momo', '0551112223:mtn:KOFI: SONS', '--momo', '+233201112223:TELECEL:KOFI'],
      ...['--contact', 'https://wa.me/0551112223'],
    );
    expect(more).toEqual({ own_numbers: [], shared_numbers: [MTN] });
    const { merchants } = await adminJson(folder, 'merchant', 'list');
    expect(merchants).toContainEqual(expect.objectContaining({ merchant_id: ama.id, name: 'Ama Stores' }));
    expect(merchants).toContainEqual({
      merchant_id,
      name: 'Kofi & Sons',
      momo_accounts: [
        { number: '+233551112223', network: 'MTN', account_name: 'KOFI: SONS' },
        { number: '+233201112223', network: 'TELECEL', account_name: 'KOFI' },
      ],
      contact: 'https://wa.me/233551112223',
      created_at: expect.any(String),
    });

    const set = await adminJson(
      folder,
      ...['merchant', 'set', '--merchant', merchant_id, '--momo', '0271112223:AT:KOFI', '--default-from', '0241234567'],
      ...['--balance-limit', '0271112223:40000', '--contact', '0551112223'],
    );
    expect(set).toMatchObject({
      merchant_id,
      name: 'Kofi & Sons',
      default_from: MTN,
      contact: '+233551112223',
      momo_accounts: [{ number: '+233271112223', network: 'AT', balance_limit_pesewas: 40_000_00 }],
    });
    const { key } = await adminJson(folder, 'key', 'create', '--merchant', merchant_id, '--kind', 'live');
    const { json } = await call(world, initialize, { key, body: { amount: 1 } });
    expect(json.data).toMatchObject({ momo_number: '+233271112223', momo_network: 'AT' });
  });

  test('contains the keys for key create, list, set and revoke', async ({ expect }) => {
    const merchant = await newMerchant();
    const [{ key: live }, { key: sms }, { key: forTests }] = await Promise.all([
      adminJson(folder, 'key', 'create', '--merchant', merchant, '--kind', 'live'),
      adminJson(folder, 'key', 'create', '--merchant', merchant, '--kind', 'sms'),
      adminJson(folder, 'key', 'create', '--merchant', merchant, '--kind', 'sms', '--test'),
    ]);
    expect({ live, sms, forTests }).toEqual({
      live: expect.stringMatching(new RegExp(`^sk_live_${merchant}\\w{36}$`)),
      sms: expect.stringMatching(new RegExp(`^sk_sms_${merchant}\\w{36}$`)),
      forTests: expect.stringMatching(new RegExp(`^sk_sms_test_${merchant}\\w{36}$`)),
    });
    const { keys } = await adminJson(folder, 'key', 'list', '--merchant', merchant);
    expect(keys).toHaveLength(3);
    expect(keys).toContainEqual(
      expect.objectContaining({
        kind: 'live',
        test: false,
        hint: live.slice(-4),
        requests_per_second: 50,
        created_at: expect.any(String),
        revoked_at: null,
        ends_at: null,
        last_used_at: null,
        scope: null,
      }),
    );

    const changed = await adminJson(
      folder,
      ...['key', 'set', '--merchant', merchant, '--hint', sms.slice(-4), '--rate', '5'],
    );
    expect(changed).toEqual({ changed: { kind: 'sms', hint: sms.slice(-4), requests_per_second: 5 } });

    await adminJson(folder, 'key', 'revoke', '--merchant', merchant, '--hint', live.slice(-4));

    expect((await call(world, initialize, { key: live, body: { amount: 1 } })).status).toBe(401);
    expect((await call(world, from, { key: sms })).status).toBe(200);
  });

  test('contains the balance for credits add and show', async ({ expect }) => {
    const merchant = await newMerchant();
    expect(await adminJson(folder, 'credits', 'add', '--merchant', merchant, '--amount', '5')).toEqual({ balance: 5 });
    expect(await adminJson(folder, 'credits', 'add', '--merchant', merchant, '--amount', '7')).toEqual({ balance: 12 });
    const low = ['merchant', 'set', '--merchant', merchant, '--credits-low-below', '0'];
    expect(await adminJson(folder, ...low)).toMatchObject({ merchant_id: merchant, credits_low_below: 0 });
    expect(await adminJson(folder, 'credits', 'show', '--merchant', merchant)).toEqual({
      balance: 12,
      owed: 0,
      low_below: 0,
    });
  });

  test('contains the senders for sender add, list, disable and enable', async ({ expect }) => {
    const number = '+233271234567';
    const place = ['--gateway', 'phone', '--device', 'device-9', '--sim', '2'];
    const words = ['sender', 'add', '--number', '027 123 4567', '--network', 'at', ...place];
    const unsaid = await admin(folder, ...words);
    expect(unsaid).toMatchObject({ code: 1, stderr: expect.stringContaining(`Specify the owner of ${number}: `) });
    const added = await adminJson(folder, ...words, '--owner', 'none');
    expect(added).toMatchObject({ number, network: 'AT', device_id: 'device-9', sim_number: 2, enabled: true });
    const { senders } = await adminJson(folder, 'sender', 'list');
    expect(senders).toMatchObject([{ number: MTN }, { number, enabled: true }]);
    for (const [verb, enabled] of [
      ['disable', false],
      ['enable', true],
    ] as const) {
      expect(await adminJson(folder, 'sender', verb, '--number', number)).toMatchObject({ number, enabled });
      world.clock.nowMs += 2_000;
      const { json } = await call(world, from, { key: ama.smsKey });
      expect(json.data.senders).toContainEqual(expect.objectContaining({ number, network: 'AT', available: enabled }));
    }
  });
});

describe('text output of commands', () => {
  test('is one line for a single value and a table for a list', async () => {
    const merchant = await newMerchant();
    const [created, balance, senders, keys] = await Promise.all([
      spawnAdmin(folder, 'merchant', 'create', '--name', 'Esi'),
      admin(folder, 'credits', 'show', '--merchant', merchant),
      admin(folder, 'sender', 'list'),
      admin(folder, 'key', 'list', '--merchant', merchant),
    ]);
    expect(created.stdout).toMatch(/^merchant_id: \w{26}\nno own numbers\nshared_numbers: \+233241234567.*\n$/);
    expect(created.stderr).toMatch(
      /^Note: Esi has no number of its own, .* sender owner --number N --merchant \w{26} \(a new one: sender add\)\n$/,
    );
    expect(balance).toEqual({ code: 0, stdout: 'balance: 0\nowed: 0\nlow_below: 50\n', stderr: '' });
    expect(senders.stdout).toMatch(/^number +network +gateway .*\n\+233241234567 +MTN +phone /);
    expect(keys).toEqual({ code: 0, stdout: 'no keys\n', stderr: '' });
  });

  test('includes a warning about an unusual value on stderr', async () => {
    const number = '+233271119999';
    const add = () => admin(folder, 'merchant', 'create', '--name', 'Esi', '--momo', `${number}:AT:ESI`);
    const first = await add();
    expect(first.stderr).toMatch(
      /Note on \+233271119999: Payment messages from AT Money cannot be read yet\. Check each one yourself, and mark its bill as paid\.\n$/,
    );
    const [, firstId] = first.stdout.split(/\s+/);
    expect((await add()).stderr).toContain(
      `Note: ${number} also belongs to ${firstId}. Payments without a charge are not shown to any of these merchants`,
    );
  });

  test.each([[[]], [['sender']], [['merchant', 'create']], [['sender', 'disable']]])(
    'explains the command %j with --help',
    async (words) => {
      const { code, stdout, stderr } = await admin(newFolder(), ...words, '--help');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^Usage: admin ${words.join(' ')}`));
      if (words.length === 2) for (const option of ['--json', '--stage']) expect(stdout).toContain(option);
    },
  );
});

describe('errors on stderr with exit code 1', () => {
  const someone = ['--merchant', ama.id];
  test.each([
    [['merchant', 'create'], /--name/],
    [['merchant', 'create', '--name', ''], /name/],
    [['merchant', 'create', '--name', 'A', '--momo', '0241234567'], /--momo.* NUMBER:NETWORK:ACCOUNT_NAME/],
    [['merchant', 'set', ...someone, '--contact', 'ask me'], /--contact.*0241234567.*wa\.me/],
    [
      ['merchant', 'set', ...someone],
      /one or more of --momo, --logo, --balance-limit, --credits-low-below, --default-from, .*--stop-words/,
    ],
    [['merchant', 'set', ...someone, '--default-from', '0501234567'], /no sender \+233501234567.*sender list/],
    [['key', 'create', ...someone, '--kind', 'test'], /--kind.* live, sms/],
    [['key', 'revoke', ...someone, '--hint', '----'], /no key ending in ----.*key list/],
    [['credits', 'add', ...someone, '--amount', '0'], /--amount.* whole number from 1/],
    [['credits', 'show', '--merchant', 'X'], /no merchant X.*merchant list/],
    [
      [
        ...['sender', 'add', '--number', '0501234567', '--network', 'MTN', '--gateway', 'phone'],
        ...['--device', 'device-1', '--sim', '1'],
      ],
      /SIM 1 of the phone device-1 is already used by \+233241234567\. Move that number first: sender add --number \+233241234567 …/,
    ],
    [['sender', 'enable', '--number', '0501234567'], /no sender \+233501234567.*sender list/],
    [['sender', 'disable', '--number', '12'], /--number.* Ghanaian number/],
    [['gateway', 'connect', '--gateway', 'My phone'], /--gateway.* lower-case letter/],
    [['gateway', 'connect', '--gateway', 'phone'], /no gateway account phone.*gateway set/],
    [['gateway', 'set', '--gateway', 'phone'], /--username/],
    [
      ['dead-letters', 'list', '--queue', 'nonsense'],
      /--queue.* deliver-sms, settle-receipt, deliver-webhook, deliver-push, run-follow-up, work-relay/,
    ],
    [['doctor', '--stage', 'Prod'], /Prod is not a valid stage name/],
    [['doctor', '--stage', 'prod'], /No AWS region is set/],
    [['sender', 'list', '--nonsense'], /--nonsense/],
    [['sender', 'list', 'more'], /too many arguments/],
    [['nonsense'], /nonsense/],
  ])('explain the mistake in %j', async (words, sentence) => {
    // Runs commands in a separate process only if they need a different environment.
    const runs = words.includes('--stage') || SPAWNED.includes(words.join(' ')) ? spawnAdmin : admin;
    const { code, stdout, stderr } = await runs(folder, ...words, '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
    // The output has no stack trace.
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  });

  test('state that no stack is running', async () => {
    const { code, stdout, stderr } = await admin(newFolder(), 'merchant', 'list', '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^No local stack is running .* "npm start".*\n$/);
  });

  test('state that the stack has crashed', async () => {
    const dead = newFolder();
    tellWhereTheTableIs(dead, `http://localhost:${await freePort()}`);
    const { code, stdout, stderr } = await admin(dead, 'merchant', 'list', '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The local stack is not responding.*\n$/);
  });
});

describe('the gateway accounts of a deployed stage', () => {
  test('can be set from stdin or the environment', async () => {
    const secrets = await startSecretsManager();
    const base = 'node infra/admin/main.ts gateway';
    const withAws = (line: string) =>
      run('bash', ['-c', `${line} --stage test --gateway phone --json`], secrets.environment);

    const set = await withAws(`SMSGATE_PASSWORD=from-env ${base} set --username ama --untried`);
    expect(set).toMatchObject({ code: 0, stdout: expect.stringMatching(/within 5 minutes/), stderr: '' });
    expect(await withAws(`echo the-key | ${base} set-signing-key --device device-1`)).toMatchObject({ code: 0 });

    expect(JSON.parse(secrets.text)).toEqual({
      phone: {
        url: 'https://api.sms-gate.app/3rdparty/v1',
        username: 'ama',
        password: 'from-env',
        signing_keys: { 'device-1': 'the-key' },
      },
    });
    expect(secrets.asked).toEqual(new Set(['momo-kiosk-test/gateways']));
    expect(set.stdout).not.toContain('from-env');

    const nowhere = await withAws(`SMSGATE_PASSWORD=p ${base} set --username ama --url https://127.0.0.1:1`);
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot reach.*\nNothing was changed/) });
    expect(JSON.parse(secrets.text)).toMatchObject({ phone: { password: 'from-env' } });

    const nothing = await withAws(`echo | ${base} set --username ama`);
    expect(nothing).toMatchObject({ code: 1, stderr: 'No password was given. Pipe it in, or set SMSGATE_PASSWORD.\n' });
  });
});

/** One error detected by commander, and one detected by the command itself. */
const SPAWNED = ['nonsense', 'credits show --merchant X'];

const NO_STACK =
  '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id momo-kiosk-test does not exist</Message></Error></ErrorResponse>';

/** Starts a fake Secrets Manager and CloudFormation with one secret and no stacks. */
async function startSecretsManager() {
  const secret = { text: '{}', asked: new Set<string>() };
  const { url: endpoint, stop } = await startServer(async (incoming, response) => {
    const text = Buffer.concat(await incoming.toArray()).toString();
    if (text.includes('Action=DescribeStacks')) return void response.writeHead(400).end(NO_STACK);
    const body = JSON.parse(text);
    secret.asked.add(body.SecretId);
    if (incoming.headers['x-amz-target'] === 'secretsmanager.PutSecretValue') secret.text = body.SecretString;
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ Name: body.SecretId, SecretString: secret.text }));
  });
  onTestFinished(stop);
  const endpoints = { AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint, AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint };
  const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  return Object.assign(secret, { environment: { ...endpoints, ...credentials } });
}

async function newMerchant(): Promise<string> {
  return (await adminJson(folder, 'merchant', 'create', '--name', 'Kofi')).merchant_id;
}

function tellWhereTheTableIs(inFolder: string, dynamodb_endpoint: string): void {
  const { tableName: table_name } = databaseOf(world);
  const rest = { base_url: 'http://localhost:1', sqs_endpoint: 'http://localhost:1', gateway_accounts: {} };
  const facts = { dynamodb_endpoint, aws_access_key_id: 'local', table_name, ...rest };
  writeFileSync(join(inFolder, 'demo.json'), JSON.stringify(facts));
}

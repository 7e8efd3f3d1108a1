import { beforeEach, describe, expect, test, vi } from 'vitest';
import { connectGateway, disconnectGateway, setGateway } from '../../../infra/admin/connect-gateway.ts';
import { isWrong } from '../../../shared/operations/doctor/finding.ts';
import { readAccounts, setAccount, setSigningKey } from '../../../shared/phones/gateway/manage-accounts.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { deploymentOf, healthyAws } from '../../support/deployment.ts';
import { GATEWAY_URL, startGateway, type TestGateway } from '../../support/smsgate.ts';
import { createSender, createWorld, type World } from '../../support/world.ts';

const CALLBACK = 'https://pay.example.com/callback/smsgate/phone';
let world: World;
let deployment: ReturnType<typeof deploymentOf>;
let gateway: TestGateway;

beforeEach(async () => {
  world = await createWorld();
  deployment = deploymentOf(world);
  await createSender(world, '+233241234567');
  await setAccount(deployment, 'phone', { url: GATEWAY_URL, username: 'ama', password: 'secret' });
  await setSigningKey(deployment, 'phone', 'device-1', 'key-1');
  gateway = startGateway(world);
  gateway.devices = [{ id: 'device-1', name: 'Desk', lastSeen: minutesAgo(2) }];
});

describe('`gateway connect`', () => {
  test('registers two webhooks and lists the phones', async () => {
    const { callback_url, phones, findings } = await connectGateway(deployment, 'phone');
    expect(callback_url).toBe(CALLBACK);
    expect(phones).toEqual([
      { id: 'device-1', name: 'Desk', last_seen: minutesAgo(2), senders: ['+233241234567'], signing_key: 'set' },
    ]);
    expect(gateway.webhooks).toEqual(
      ['sms:received', 'system:ping'].map((event) => ({
        id: expect.stringMatching(new RegExp(`^mk-[\\da-f]{12}-${event.split(':')[1]}$`)),
        url: CALLBACK,
        event,
        deviceId: null,
      })),
    );
    expect(findings.map(({ state }) => state)).toEqual(['fine', 'not here', 'fine']);
    expect(world.fetched[0]?.headers.get('authorization')).toBe(`Basic ${btoa('ama:secret')}`);
  });

  test('registers separate webhooks for a second gateway', async () => {
    await setAccount(deployment, 'spare', { url: GATEWAY_URL, username: 'ama', password: 'secret' });
    await connectGateway(deployment, 'phone');
    await connectGateway(deployment, 'spare');
    expect(gateway.webhooks.filter(({ url }) => url === CALLBACK)).toHaveLength(2);
    expect(gateway.webhooks.filter(({ url }) => url === CALLBACK.replace('phone', 'spare'))).toHaveLength(2);
  });

  test('removes only its own earlier webhooks', async () => {
    const elsewhere = { id: 'crm', url: 'https://crm.example.com', event: 'sms:delivered', deviceId: null };
    const byHand = { id: 'by-hand', url: CALLBACK, event: 'sms:cancelled', deviceId: null };
    const events = ['sms:sent', 'sms:delivered', 'sms:failed'];
    const before = events.map((event) => ({ id: `mk-0-${event}`, url: CALLBACK, event, deviceId: null }));
    gateway.webhooks = [elsewhere, byHand, ...before];
    const { findings } = await connectGateway(deployment, 'phone');
    expect(gateway.webhooks.map(({ url, event }) => ({ url, event }))).toEqual([
      { url: elsewhere.url, event: 'sms:delivered' },
      { url: CALLBACK, event: 'sms:received' },
      { url: CALLBACK, event: 'system:ping' },
    ]);
    expect(findings.filter(isWrong)).toEqual([]);
  });

  test('changes nothing if it runs again', async () => {
    await connectGateway(deployment, 'phone');
    const before = gateway.webhooks.toSorted(byId);
    await connectGateway(deployment, 'phone');
    expect(gateway.webhooks.toSorted(byId)).toEqual(before);
  });

  test.each<[string, () => unknown, RegExp, RegExp]>([
    ['a missing phone', () => (gateway.devices = []), /accepts the user ama but has no phone/, /Open SMSGate/],
    [
      'a phone last seen 16 minutes ago',
      () => (gateway.devices = [{ id: 'device-1', name: 'Desk', lastSeen: minutesAgo(16) }]),
      /Desk \(device-1\) has not been seen since .*\. No texts are sent/,
      /SMSGate says Online/,
    ],
    [
      'a phone with an unreadable time',
      () => (gateway.devices = [{ id: 'device-1', name: null, lastSeen: 'never' }]),
      /phone device-1 has not been seen since never/,
      /Ping/,
    ],
    [
      'a phone without a signing key',
      () =>
        (deployment.secret.text = JSON.stringify({ phone: { url: GATEWAY_URL, username: 'ama', password: 'secret' } })),
      /Desk \(device-1\) has no signing key here/,
      /set-signing-key --gateway phone --device device-1$/,
    ],
    [
      'a sender with an unknown phone',
      () => createSender(world, '+233201234567', 'device-7'),
      /\+233201234567 uses the phone device-7/,
      /\(device-1\) with: sender add --number \+233201234567/,
    ],
    [
      'a disappearing webhook',
      () => {
        const answer = world.gateway;
        world.gateway = async (request) => {
          const response = await answer(request);
          gateway.webhooks = gateway.webhooks.filter(({ event }) => event !== 'sms:received');
          return response;
        };
      },
      /no webhook to .* for sms:received, so /,
      /gateway connect/,
    ],
  ])('reports %s and suggests a fix', async (_, breakIt, message, todo) => {
    await breakIt();
    const { findings } = await connectGateway(deployment, 'phone');
    const wrongs = findings.filter(isWrong);
    expect(wrongs.map(({ message }) => message)).toContainEqual(expect.stringMatching(message));
    expect(wrongs.map(({ todo }) => todo)).toContainEqual(expect.stringMatching(todo));
  });

  test('monitors a phone without senders only if the account has no other phone', async () => {
    gateway.devices.push({ id: 'drawer', name: 'Old one', lastSeen: '2020-01-01T00:00:00Z' });
    const { findings } = await connectGateway(deployment, 'phone');
    expect(findings.filter(isWrong)).toEqual([]);
    gateway.devices = gateway.devices.slice(1);
    const { findings: alone } = await connectGateway(deployment, 'phone');
    expect(alone.filter(isWrong).map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/Old one .* not been seen/),
    );
  });

  test.each([
    ['http://pay.example.com', /only to https addresses/],
    ['http://localhost:3000', /only available on this machine/],
  ])('registers no webhooks if the service URL is %s', async (baseUrl, message) => {
    const { findings } = await connectGateway({ ...deployment, baseUrl: async () => baseUrl }, 'phone');
    expect(findings.filter(isWrong)[0]?.message).toMatch(message);
    expect(gateway.webhooks).toEqual([]);
  });

  test.each<[string, () => Promise<Response>, RegExp]>([
    [
      '401',
      async () => Response.json({ message: 'no' }, { status: 401 }),
      /rejected the user ama .*wrong.*gateway set/,
    ],
    ['404', async () => new Response('nothing here', { status: 404 }), /responds with 404: nothing here.*3rdparty\/v1/],
    ['500', async () => new Response('', { status: 500 }), /failed with 500\. .*Try again/],
    ['an HTML page', async () => new Response('<html>', { status: 200 }), /not like an SMSGate server/],
    ['other JSON', async () => Response.json({ devices: [] }), /not like an SMSGate server/],
    [
      'silence',
      async () => {
        throw new TypeError('fetch failed', { cause: new Error('connect ETIMEDOUT') });
      },
      /is not responding \(connect ETIMEDOUT\)/,
    ],
  ])('reports the gateway’s status %s without the password', async (_, answer, sentence) => {
    world.gateway = answer;
    const error = await connectGateway(deployment, 'phone').catch((thrown: unknown) => thrown);
    if (!(error instanceof OperatorError)) throw error;
    expect(error.message).toMatch(sentence);
    expect(error.message).not.toContain('secret');
  });

  test('suggests the command that adds the missing account', async () => {
    await expect(connectGateway(deployment, 'spare')).rejects.toThrow(
      /no gateway account spare.*gateway set --gateway spare/,
    );
  });
});

describe('`gateway set`', () => {
  const OWN = 'https://sms.example.com/api/3rdparty/v1';
  const NEW = { url: OWN, username: 'kofi', password: 'new-secret' };
  const unreachable = (code: string) => async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('words of the system'), { code }) });
  };

  test('stores an account after a successful login', async () => {
    let asked: Request | undefined;
    world.gateway = async (request) => {
      asked = request;
      return Response.json(gateway.devices);
    };
    expect(await setGateway(deployment, 'phone', NEW, false)).toEqual({
      gateway: 'phone',
      url: OWN,
      phones: ['device-1'],
    });
    const authorization = `Basic ${btoa('kofi:new-secret')}`;
    expect({ url: asked?.url, authorization: asked?.headers.get('authorization') }).toEqual({
      url: `${OWN}/devices`,
      authorization,
    });
    expect((await readAccounts(deployment)).phone).toEqual({ ...NEW, signing_keys: { 'device-1': 'key-1' } });
  });

  test('stores an account without a phone', async () => {
    world.gateway = async () => Response.json([]);
    const phones = expect.stringMatching(/^none yet\. Open SMSGate/);
    expect(await setGateway(deployment, 'phone', NEW, false)).toMatchObject({ phones });
    expect((await readAccounts(deployment)).phone).toMatchObject(NEW);
  });

  test.each<[string, Partial<typeof NEW>, () => Promise<Response>, RegExp]>([
    ['a wrong password', {}, async () => new Response('', { status: 401 }), /username or password is wrong/],
    [
      'the public server’s path on a private server',
      { url: 'https://sms.example.com/3rdparty/v1' },
      async () => new Response('Not Found', { status: 404 }),
      /responds with 404: Not Found\. .* ends in \/api\/3rdparty\/v1: https:\/\/sms\.example\.com\/api\/3rdparty\/v1 Set it with: gateway set/,
    ],
    [
      'a server other than SMSGate',
      {},
      async () => new Response('<html>'),
      /not like an SMSGate server.*Check that an SMSGate/,
    ],
    ['an unknown host', {}, unreachable('ENOTFOUND'), /\(ENOTFOUND\)\. This host name does not exist in DNS/],
    ['a closed port', {}, unreachable('ECONNREFUSED'), /The connection was refused/],
    ['a self-signed certificate', {}, unreachable('DEPTH_ZERO_SELF_SIGNED_CERT'), /a public authority/],
    ['an incomplete certificate chain', {}, unreachable('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), /serve the full chain/],
    ['an expired certificate', {}, unreachable('CERT_HAS_EXPIRED'), /has expired\. Renew the certificate/],
    ['another host’s certificate', {}, unreachable('ERR_TLS_CERT_ALTNAME_INVALID'), /is for another name/],
    ['a port without https', {}, unreachable('ERR_SSL_WRONG_VERSION_NUMBER'), /does not use https/],
  ])('reports %s and stores nothing', async (_, changed, answer, sentence) => {
    const before = deployment.secret.text;
    world.gateway = answer;
    const error = await setGateway(deployment, 'phone', { ...NEW, ...changed }, false).catch(
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof OperatorError)) throw error;
    expect(error.message).toMatch(sentence);
    expect(error.message).toMatch(/\nNothing was changed\. To store the account anyway, add --untried\.$/);
    expect(error.message).not.toContain('new-secret');
    expect(deployment.secret.text).toBe(before);
  });

  test.each([
    [
      'https://sms.example.com/api/mobile/v1',
      /is the address for the phone’s app\. The API’s address is https:.*\/api\/3rdparty\/v1$/,
    ],
    ['http://sms.example.com/api/3rdparty/v1', /password unencrypted\. Use the server’s https address/],
  ])('rejects the URL %s without sending a request', async (url, sentence) => {
    const before = deployment.secret.text;
    for (const isUntried of [false, true])
      await expect(setGateway(deployment, 'phone', { ...NEW, url }, isUntried)).rejects.toThrow(sentence);
    expect({ text: deployment.secret.text, fetched: world.fetched }).toEqual({ text: before, fetched: [] });
  });

  test.each([
    'https://localhost/api/3rdparty/v1',
    'http://localhost:4000/api/3rdparty/v1',
    'https://192.168.1.4:3000/api/3rdparty/v1',
  ])('rejects %s for a deployed stage', async (url) => {
    world.gateway = async () => Response.json([]);
    const deployed = { ...deployment, aws: healthyAws() };
    await expect(setGateway(deployed, 'phone', { ...NEW, url }, false)).rejects.toThrow(
      /functions on AWS cannot reach/,
    );
    await expect(setGateway(deployment, 'phone', { ...NEW, url }, false)).resolves.toMatchObject({ url });
  });

  test('sends no requests with --untried', async () => {
    vi.stubEnv('SMSGATE_PASSWORD', NEW.password);
    await runAdmin(deployment, [
      'gateway',
      'set',
      '--gateway',
      'phone',
      '--username',
      'kofi',
      '--url',
      OWN,
      '--untried',
    ]);
    expect((await readAccounts(deployment)).phone).toMatchObject(NEW);
    expect(world.fetched).toEqual([]);
    world.gateway = async () => new Response('', { status: 401 });
    await expect(
      runAdmin(deployment, ['gateway', 'set', '--gateway', 'phone', '--username', 'ama', '--url', OWN]),
    ).rejects.toThrow(/Nothing was changed/);
    expect((await readAccounts(deployment)).phone).toMatchObject(NEW);
  });
});

test('`gateway disconnect` removes only its own stage’s webhooks', async () => {
  await connectGateway(deployment, 'phone');
  gateway.webhooks.push({ id: 'mk-other-sent', url: 'https://other.example.com', event: 'sms:sent', deviceId: null });
  await disconnectGateway(deployment, 'phone');
  await disconnectGateway(deployment, 'phone');
  expect(gateway.webhooks.map(({ id }) => id)).toEqual(['mk-other-sent']);
});

describe('the secret with the gateway accounts', () => {
  test('keeps a private server’s account when a public one is added', async () => {
    await setAccount(deployment, 'phone', { username: 'ama', password: 'changed' });
    await setAccount(deployment, 'spare', { username: 'kofi', password: 'other' });
    const { phone, spare } = await readAccounts(deployment);
    expect(phone).toMatchObject({ url: GATEWAY_URL, password: 'changed' });
    expect(spare?.url).toBe('https://api.sms-gate.app/3rdparty/v1');
  });

  test('keeps other accounts when one changes', async () => {
    await setAccount(deployment, 'spare', { url: `${GATEWAY_URL}/`, username: 'kofi', password: 'other' });
    await setAccount(deployment, 'phone', { url: GATEWAY_URL, username: 'ama', password: 'changed' });
    await setSigningKey(deployment, 'phone', 'device-2', 'key-2');
    const signing_keys = { 'device-1': 'key-1', 'device-2': 'key-2' };
    expect(await readAccounts(deployment)).toEqual({
      phone: { url: GATEWAY_URL, username: 'ama', password: 'changed', signing_keys },
      spare: { url: GATEWAY_URL, username: 'kofi', password: 'other', signing_keys: {} },
    });
  });

  test.each([
    ['', /it: /],
    ['{"phone": {"url": "https://x", "username": "a"}}', /phone\.password: /],
    ['{"phone": "s3cr3t"}', /phone: /],
  ])('is not overwritten if it contains %j', async (text, where) => {
    deployment.secret.text = text;
    const error = await setSigningKey(deployment, 'phone', 'device-1', 'key').catch((thrown: unknown) => thrown);
    if (!(error instanceof OperatorError)) throw error;
    expect(error.message).toMatch(where);
    expect(error.message).not.toContain('s3cr3t');
    expect(deployment.secret.text).toBe(text);
  });

  test.each(['http://gateway.example.com', 'gateway.example.com', 'https://ama:secret@gateway.example.com', ''])(
    'rejects the gateway URL %j',
    async (url) => {
      await expect(setAccount(deployment, 'phone', { url, username: 'a', password: 'b' })).rejects.toThrow(
        OperatorError,
      );
    },
  );
});

function minutesAgo(minutes: number): string {
  return world.iso(-minutes * 60_000);
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id.localeCompare(b.id);
}

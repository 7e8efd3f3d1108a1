import { spawn } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createServer as createHttpsServer } from 'node:https';
import {
  createServer as createTcpServer,
  isIP,
  isIPv6,
  type LookupFunction,
  type Server,
  Socket,
  setDefaultAutoSelectFamily,
  type TcpSocketConnectOpts,
} from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { listenHere } from '../../../../infra/local/loopback.ts';
import { AddressNotAllowed, postPublic } from '../../../../shared/runtime/outside/post-public.ts';
import { checkEach } from '../../../support/check-each.ts';
import { reportFigure } from '../../../support/figures.ts';

// Sends requests as on AWS, through a simulated internet that redirects each connection to a local server. A rejected
// host must cause no DNS lookup and no connection.

const notPublic = new AddressNotAllowed('Nothing was sent, because the host does not resolve to a public address');

/** DNS lookups, connections and requests caused by a test. */
interface World {
  looked: string[];
  reached: string[];
  connections: number;
  requests: number;
}
const untouched: World = { looked: [], reached: [], connections: 0, requests: 0 };
const world: World = { ...untouched };
let refused = 0;

/** Rejected hosts by kind, separated by spaces. */
const notPublicHosts = {
  '127.0.0.1 in numeric forms that the URL parser accepts': `127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0x7F.1
    017700000001 0177.0.0.1 0177.0x0.0.01 00000177.0.0.1 127.0.0.1. 127.1. 127.255.255.254`,
  'this machine in unusual characters': `１２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 ①②⑦.⓪.⓪.① 𝟭𝟮𝟳.𝟬.𝟬.𝟭 %31%32%37.0.0.1
    127%2e0%2e0%2e1 %6c%6f%63%61%6c%68%6f%73%74 ｌｏｃａｌｈｏｓｔ ⓛⓞⓒⓐⓛⓗⓞⓢⓣ localhost\u00ad`,
  'other private IPv4 addresses': `0 0.0.0.0 0x0 10.0.0.1 012.0.0.1 100.64.0.1 100.100.100.200 172.16.0.1 172.31.255.255
    192.0.0.192 192.168.0.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 4294967295`,
  'cloud metadata': `2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 [::ffff:169.254.169.254]
    instance-data.ec2.internal metadata`,
  'IPv6 addresses and IPv4 addresses inside them': `[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::] [::127.0.0.1] [::7f00:1]
    [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:FFFF:7F00:0001] [::ffff:0:127.0.0.1] [::ffff:1.1.1.1]
    [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::a9fe:a9fe] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2001:0:7f00:1::]
    [fe80::1] [fe80::1%25lo] [fe80::1%lo] [fc00::1] [fec0::1] [ff02::1] [5f00::1] [4000::1]`,
  'names of this machine or of a local network': `localhost LOCALHOST localhost. foo.localhost foo.localhost.
    localhost.localdomain.local ip6-localhost db router.home.arpa 1.0.0.127.in-addr.arpa printer.local`,
  'a public host before the true host': `shop.com@127.0.0.1 shop.com:443@127.0.0.1 shop.com%40127.0.0.1
    shop.com%2f@127.0.0.1 shop.com\\@127.0.0.1 127.0.0.1\\@shop.com 127.0.0.1#@shop.com 127.0.0.1?@shop.com`,
  'an invalid DNS name': '{shop.com shop..com -shop.com sh!op.com',
  'another port': 'shop.com:9001 shop.com:22 shop.com:0',
};

test('a private host is rejected before the DNS lookup', () =>
  checkEach(
    [
      ...Object.entries(notPublicHosts).flatMap(([what, hosts]) =>
        hosts.split(/\s+/).map((host) => [what, `https://${host}/`]),
      ),
      ['cloud metadata', 'https://169.254.169.254/latest/meta-data/iam/security-credentials/'],
      ['cloud metadata', 'https://169.254.170.2/v2/credentials'],
      ['cloud metadata', 'https://[fd00:ec2::254]/latest/meta-data/'],
      ['cloud metadata', 'https://metadata.google.internal/computeMetadata/v1/'],
      ['this machine without the usual slashes', 'https:///127.0.0.1/'],
      ['this machine without the usual slashes', 'https:/127.0.0.1/'],
      ['this machine without the usual slashes', 'https:127.0.0.1/'],
      ['this machine without the usual slashes', 'https:\\\\127.0.0.1/'],
      ['this machine after a tab', '\thttps://127.0.0.1/'],
      ['this machine on two lines', 'https://127.0.\n0.1/'],
      ['the Lambda runtime’s port', 'https://127.0.0.1:9001/2018-06-01/runtime/invocation/next'],
      ['the Lambda runtime’s port', 'http://127.0.0.1:9001/2018-06-01/runtime/invocation/next'],
      ['another protocol', 'http://shop.com/'],
      ['another protocol', 'ftp://shop.com/'],
      ['another protocol', 'file:///proc/self/environ'],
      ['another protocol', 'gopher://127.0.0.1:6379/_FLUSHALL'],
      ['another protocol', 'data:text/plain,x'],
      ['another protocol', 'unix:/var/run/docker.sock'],
    ],
    async ([_, url]) => {
      forgetRequests();
      const error = await post(url).catch((thrown) => thrown);
      expect({ ...world, error }).toEqual({ ...untouched, error: expect.any(AddressNotAllowed) });
      refused++;
    },
  ));

test('a hostname is rejected if it resolves to a private address', () =>
  checkEach(
    [
      ...`127.0.0.1 10.1.2.3 169.254.169.254 0.0.0.0 100.64.0.1 ::1 :: ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::127.0.0.1 ::7f00:1
    64:ff9b::7f00:1 2002:7f00:1:: fd00:ec2::254 fe80::1%lo fe80::1%eth-0 100:0:0:1::1 4000::1 localhost 0x7f.1`.split(
        /\s+/,
      ),
      '',
      // Private addresses mixed with a public one.
      ...['93.184.215.14 127.0.0.1', '127.0.0.1 93.184.215.14', '93.184.215.14 ::1', '93.184.215.14 ::7f00:1'],
      ...['::7f00:1 93.184.215.14', '2606:2800:21f:cb07::1 93.184.215.14 10.0.0.1'],
    ],
    async (addresses) => {
      forgetRequests();
      const lookup = answering(addresses.split(' '));
      const error = await post('https://hooks.merchant.com/', { lookup }).catch((thrown) => thrown);
      expect({ ...world, error }).toEqual({ ...untouched, looked: ['hooks.merchant.com'], error: notPublic });
      refused++;
    },
  ));

test('a hostname without IP addresses is reported as not found', async () => {
  const nothing: LookupFunction = (_name, _asked, done) => setImmediate(() => done(null, []));
  await expect(post('https://hooks.merchant.com/', { lookup: nothing })).rejects.toThrow('The host name was not found');
});

test.each(['192.175.48.6', '192.31.196.1', '192.52.193.1', '2620:4f:8000::1'])(
  'the HTTP library itself rejects %s',
  async (address) => {
    const lookup = answering([address]);
    await expect(post('https://hooks.merchant.com/', { lookup })).rejects.toThrow(notPublic);
    await expect(post(`https://${isIPv6(address) ? `[${address}]` : address}/`)).rejects.toThrow(AddressNotAllowed);
    expect(world).toMatchObject({ reached: [], connections: 0 });
  },
);

test('each connection uses only one DNS lookup', async () => {
  const answers = [['93.184.215.14'], ['127.0.0.1'], ['93.184.215.14']];
  const lookup: LookupFunction = (name, options, done) => answering(answers.shift() ?? ['::1'])(name, options, done);
  expect((await post('https://hooks.merchant.com/', { lookup })).statusCode).toBe(200);
  expect(answers).toHaveLength(2);
  expect(world).toMatchObject({ reached: ['93.184.215.14'], connections: 1 });
  await expect(post('https://hooks.merchant.com/', { lookup })).rejects.toThrow(AddressNotAllowed);
  expect(answers).toHaveLength(1);
  expect(world).toMatchObject({ reached: ['93.184.215.14'], connections: 1 });
});

test('a connection uses only public addresses', async () => {
  const addresses = ['2606:2800:21f:cb07::1', '93.184.215.14', '93.184.215.15'];
  await post('https://hooks.merchant.com/', { lookup: answering(addresses) });
  expect(world.reached).toEqual(addresses);
});

test('a DNS lookup for a single address is also checked', async () => {
  setDefaultAutoSelectFamily(false);
  onTestFinished(() => setDefaultAutoSelectFamily(true));
  await expect(post('https://hooks.merchant.com/', { lookup: answering(['10.0.0.1']) })).rejects.toThrow(
    AddressNotAllowed,
  );
  expect(world).toMatchObject({ reached: [], connections: 0 });
  await post('https://hooks.merchant.com/', { lookup: answering(['93.184.215.14']) });
  expect(world).toMatchObject({ reached: ['93.184.215.14'], connections: 1 });
});

test('a public host can be reached by name or address', async () => {
  expect(await post('https://hooks.merchant.com/in')).toMatchObject({
    statusCode: 200,
    text: 'hooks.merchant.com /in',
  });
  expect(world).toEqual({ looked: ['hooks.merchant.com'], reached: ['93.184.215.14'], connections: 1, requests: 1 });
  // The connection succeeds, but the certificate does not cover the address.
  await expect(post('https://1.1.1.1/')).rejects.toThrow('certificate');
  expect(world.reached).toEqual(['93.184.215.14', '1.1.1.1']);
});

test('a certificate for a different name is rejected', async () => {
  await expect(post('https://other.merchant.com/')).rejects.toThrow(
    'The certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)',
  );
  expect(world).toMatchObject({ reached: ['93.184.215.14'], connections: 1, requests: 0 });
});

test.each([false, true])(
  'a self-signed certificate is rejected if allowThisMachine is %s',
  async (allowThisMachine) => {
    trustNobody();
    const refusal = expect(post('https://hooks.merchant.com/', { allowThisMachine })).rejects;
    await refusal.toThrow('The certificate is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(world).toMatchObject({ connections: 1, requests: 0 });
  },
);

test('environment variables cannot disable certificate validation', async () => {
  trustNobody();
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  vi.spyOn(process, 'emitWarning').mockReturnValue();
  await expect(post('https://hooks.merchant.com/')).rejects.toThrow('The certificate is not valid');
  expect(world.requests).toBe(0);
});

test('environment variables cannot set a proxy', async () => {
  const proxied = vi.fn();
  const proxy = createTcpServer(proxied);
  const proxyUrl = `http://127.0.0.1:${(await listenHere(proxy)).port}`;
  const script = `
    import { postPublic } from './shared/runtime/outside/post-public.ts';
    const lookup = (_name, _options, done) => process.nextTick(done, null, [{ address: '10.0.0.1', family: 4 }]);
    for (const [url, allowThisMachine] of [['https://hooks.merchant.com/', false], ['http://127.0.0.1:9/', true]]) {
      const post = postPublic({ url, headers: {}, body: '', timeoutMs: 1_000 }, { allowThisMachine, lookup });
      console.log(await post.catch((error) => error.message));
    }`;
  const env = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: proxyUrl, HTTP_PROXY: proxyUrl, NODE_NO_WARNINGS: '1' };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { env });
  expect(await text(child.stdout)).toBe(
    'Nothing was sent, because the host does not resolve to a public address\nThe connection was refused\n',
  );
  expect(proxied).not.toHaveBeenCalled();
  proxy.close();
});

// A self-signed certificate for hooks.merchant.com, valid until 2120.
const certificate = new X509Certificate(
  Buffer.from(
    'MIIBazCCARGgAwIBAgIBATAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJob29rcy5tZXJjaGFudC5jb20wIBcNMjAwMTAxMDAwMDAwWhgPMjEy' +
      'MDAxMDEwMDAwMDBaMB0xGzAZBgNVBAMMEmhvb2tzLm1lcmNoYW50LmNvbTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGZKdohCsrh9e6h5' +
      'rx4TQ/54bPLZhl6AwIIjz4E6VltA4h0Jy6rIRP3VunVC4N49FSCb34kBo2Qt+/kIPJspSxSjQDA+MB0GA1UdEQQWMBSCEmhvb2tzLm1lcmNo' +
      'YW50LmNvbTAdBgNVHQ4EFgQU+AbMYpugxHM9Nh/BY3JJnrGqIHUwCgYIKoZIzj0EAwIDSAAwRQIgX5XpoPgStd7o6pruSosI95zKfQpTsaca' +
      'ku+Oqzra+IUCIQDhAN5F9VQw6g+BTTF8pkbiYq325KC9658AwalEi3Xtfw==',
    'base64',
  ),
).toString();
const key = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnlG5ChlVBQXR9GbDolB6mWvDwXNGACUef5tvZjBNhWihRANCAARmSnaIQrK4' +
      'fXuoea8eE0P+eGzy2YZegMCCI8+BOlZbQOIdCcuqyET91bp1QuDePRUgm9+JAaNkLfv5CDybKUsU',
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
}).export({ format: 'pem', type: 'pkcs8' });

const usualCertificates = getCACertificates('default');
const usualConnect = Socket.prototype.connect;
const listeners = new Map<string, { server: Server; port: number }>();

beforeAll(async () => {
  for (const host of ['127.0.0.1', '::1'] as const) {
    const server = createHttpsServer({ key, cert: certificate }, (request, response) => {
      world.requests++;
      response.end(`${request.headers.host} ${request.url}`);
    });
    server.on('connection', () => world.connections++);
    // Without IPv6, a request to ::1 cannot reach anything.
    const { port } = await listenHere(server, 0, host).catch(() => ({ port: 0 }));
    listeners.set(host, { server, port });
  }
  Object.defineProperty(Socket.prototype, 'connect', { value: connectToOurs });
  setDefaultCACertificates([certificate]);
});

afterAll(() => {
  reportFigure(`webhook hosts: ${refused} that are not public, none reached`);
  Object.defineProperty(Socket.prototype, 'connect', { value: usualConnect });
  setDefaultCACertificates(usualCertificates);
  for (const { server } of listeners.values()) server.close();
});

beforeEach(forgetRequests);

function forgetRequests(): void {
  Object.assign(world, { ...untouched, looked: [], reached: [] });
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function trustNobody(): void {
  setDefaultCACertificates([]);
  onTestFinished(() => setDefaultCACertificates([certificate]));
}

/** Replaces `Socket.connect`, below all checks: records the address and connects to a local server. */
function connectToOurs(this: Socket, options: TcpSocketConnectOpts, ...rest: unknown[]): unknown {
  const { host = '', lookup = answering([]) } = options;
  const ours = isIPv6(host) ? '::1' : '127.0.0.1';
  const { port } = listeners.get(ours) ?? options;
  if (isIP(host)) {
    world.reached.push(host);
    return Reflect.apply(usualConnect, this, [{ ...options, host: ours, port }, ...rest]);
  }
  const lookupOfOurs: LookupFunction = (name, asked, done) => {
    lookup(name, asked, (error, found, family) => {
      if (error) return done(error, found, family);
      world.reached.push(...(Array.isArray(found) ? found.map(({ address }) => address) : [found]));
      answering([ours])(name, asked, done);
    });
  };
  return Reflect.apply(usualConnect, this, [{ ...options, port, lookup: lookupOfOurs }, ...rest]);
}

/** Sends a request as on AWS. By default, each name resolves to one public address. */
function post(
  url: string,
  {
    allowThisMachine = false,
    lookup = answering(['93.184.215.14']),
  }: { allowThisMachine?: boolean; lookup?: LookupFunction } = {},
) {
  const noted: LookupFunction = (name, asked, done) => {
    world.looked.push(name);
    lookup(name, asked, done);
  };
  return postPublic({ url, headers: {}, body: '{}', timeoutMs: 1_000 }, { allowThisMachine, lookup: noted });
}

/** Returns a DNS lookup that resolves every name to these addresses. */
function answering(addresses: string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const [first = { address: '', family: 4 }] = entries;
  return (_name, { all }, done) => {
    if (all) process.nextTick(done, null, entries);
    else process.nextTick(done, null, first.address, first.family);
  };
}

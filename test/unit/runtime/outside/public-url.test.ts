import { describe, expect, test } from 'vitest';
import { isPublicAddress, publicUrlProblem } from '../../../../shared/runtime/outside/public-url.ts';
import { checkEach } from '../../../support/check-each.ts';

test.each([
  ...['https://shop.com/webhook', 'https://hooks.shop.com.gh/a/b?c=d#e', 'HTTPS://SHOP.COM'],
  ...['https://shop.com:443/webhook', 'https://xn--mnchen-3ya.de/webhook', 'https://münchen.de/webhook'],
  ...['https://example.com/webhook', 'https://localhost.shop.com/', 'https://internal.shop.com/'],
  ...['https://shop.com/@127.0.0.1', 'https://shop.com?@127.0.0.1', 'https://1.1.1.1/webhook'],
  'https://[2606:4700:4700::1111]/webhook',
  `https://shop.com/${'a'.repeat(2048 - 'https://shop.com/'.length)}`,
])('the URL %s is accepted', (url) => {
  expect(publicUrlProblem(url, false)).toBeUndefined();
});

test.each([
  ...['', 'shop.com', '//shop.com', 'https://', 'https:shop.com', 'https:\\\\shop.com', 'http://shop.com'],
  ...['https://shop.com\\@other.com', 'https://shop.com/a b', ' https://shop.com', 'https://shop.com\t'],
  ...['https://shop.com/\r\nhost: other.com', 'https://[fe80::1%25eth0]/', 'https://256.256.256.256/'],
  ...['ftp://shop.com', 'file:///etc/passwd', 'javascript:alert(1)'],
])('%j is rejected: not an https:// URL', (url) => {
  expect(publicUrlProblem(url, false)).toBe('must be an https:// address');
});

test.each([
  [`https://shop.com/${'a'.repeat(2048)}`, 'must be at most 2048 characters'],
  ['https://ama@shop.com', 'must not contain a user name or password'],
  ['https://:secret@shop.com', 'must not contain a user name or password'],
  ['https://shop.com:8443', 'must use port 443, the default of https://'],
  ['https://shop.com:80', 'must use port 443, the default of https://'],
  ['https://0x7f.1', 'must have a host on the public internet, but 127.0.0.1 is not public'],
  ['https://[::ffff:10.0.0.1]', 'must have a host on the public internet, but ::ffff:a00:1 is not public'],
  ['https://intranet', 'must have a host on the public internet, but intranet is not public'],
  ['https://shop.com.', 'must have a host on the public internet, but shop.com. is not public'],
  ['https://printer.LOCAL', 'must have a host on the public internet, but printer.local is not public'],
])('%j is rejected with the message that it %s', (url, problem) => {
  expect(publicUrlProblem(url, false)).toBe(problem);
});

test.each(['alt', 'home.arpa', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test'])(
  'hosts under .%s are rejected',
  (top) => {
    expect(publicUrlProblem(`https://hooks.shop.${top}/`, false)).toContain('public internet');
  },
);

describe('URL validation on the local stack', () => {
  test.each(['http://localhost:8080/webhook', 'http://127.0.0.1/', 'https://[::1]:8443/', 'https://shop.com/'])(
    'accepts %s',
    (url) => {
      expect(publicUrlProblem(url, true)).toBeUndefined();
    },
  );

  test.each([
    'ftp://localhost',
    'localhost:8080',
    // Everything that a deployed service rejects, except localhost.
    ...['http://shop.com/', 'https://shop.com:8443/', 'https://192.168.1.7/', 'http://localhost.shop/'],
    ...['http://ama:secret@localhost', `http://localhost/${'a'.repeat(2048)}`],
  ])('rejects %s', (url) => {
    expect(publicUrlProblem(url, true)).toMatch(/^must /);
  });
});

/** First and last address of each rejected range, and the adjacent public addresses. */
test('IP addresses of reserved ranges are rejected', () =>
  checkEach(
    [
      ['this host', '0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
      ['private', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
      ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
      ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
      ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
      ['private', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
      ['protocols', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
      ['documentation', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
      ['6to4 relays', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
      ['private', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
      ['benchmarks', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
      ['documentation', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
      ['documentation', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
      ['multicast, reserved, broadcast', '224.0.0.0', '255.255.255.255', '223.255.255.255', undefined],
      ['below global unicast', '::', '1fff:ffff::', undefined, '2000::'],
      ['IPv4-compatible', '::1', '::ffff:ffff', undefined, undefined],
      ['IPv4-mapped', '::ffff:0:0', '::ffff:255.255.255.255', undefined, undefined],
      ['IPv4-mapped form of a public address', '::ffff:1.1.1.1', '::ffff:101:101', undefined, undefined],
      ['IPv4-translated', '::ffff:0:0:0', '::ffff:0:ffff:ffff', undefined, undefined],
      ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff', undefined, undefined],
      ['NAT64 of a local network', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
      ['discarded', '100::', '100:0:0:1:ffff:ffff:ffff:ffff', undefined, undefined],
      ['protocols, Teredo', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
      ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
      ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
      ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
      ['above global unicast', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', undefined],
      ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
      ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
      ['link-local', 'fe80::', 'fe80::1%eth0', undefined, undefined],
      ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
      ['multicast', 'ff00::', 'ff02::1', undefined, undefined],
    ],
    ([_what, first, last, before, after]) => {
      expect([first, last].filter(isPublicAddress)).toEqual([]);
      const beside = [before, after].filter((address) => address !== undefined);
      expect(beside.filter(isPublicAddress)).toEqual(beside);
    },
  ));

test.each(['', 'shop.com', '1.1.1', '0x1.1.1.1', '1.1.1.1:443', '[2606:4700::1111]', ' 1.1.1.1'])(
  '%j is not an IP address',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

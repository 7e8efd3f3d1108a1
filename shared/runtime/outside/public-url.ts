import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { isLoopback } from '../values/loopback.ts';

export const MAX_URL_CHARACTERS = 2048;

/**
 * Top-level names that are never public, reserved by IANA or, for `internal`, by ICANN. `.arpa` covers `home.arpa` and
 * the reverse zones. The empty name rejects a trailing dot (`shop.com.`).
 */
const NOT_PUBLIC_NAMES = new Set([
  '',
  'alt',
  'arpa',
  'example',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
]);

/**
 * Returns the reason why a webhook URL is not accepted, worded to follow the field's name. Returns undefined for an
 * accepted URL. `postPublic` also checks the IP addresses.
 * @param allowThisMachine also accepts this machine, over http and on any port. Only for the local stack.
 */
export function publicUrlProblem(url: string, allowThisMachine: boolean): string | undefined {
  if (url.length > MAX_URL_CHARACTERS) return `must be at most ${MAX_URL_CHARACTERS} characters`;
  // Reject line breaks and backslashes, which URL parsers interpret differently. `URL` also normalises hosts: 0x7f.1
  // and ①２７。1 both become 127.0.0.1.
  const parsed = /^https?:\/\/[^\s\\]+$/i.test(url) ? URL.parse(url) : null;
  const isHere = allowThisMachine && isLoopback(url);
  if (!parsed || (parsed.protocol !== 'https:' && !isHere))
    return `must be an https:// address${allowThisMachine ? ', or http://localhost on this local stack' : ''}`;
  if (parsed.username !== '' || parsed.password !== '') return 'must not contain a user name or password';
  if (isHere) return undefined;
  if (parsed.port !== '') return 'must use port 443, the default of https://';
  return hostProblem(parsed.hostname);
}

function hostProblem(host: string): string | undefined {
  const name = host.replace(/^\[|\]$/g, '');
  const isPublic = isIP(name) ? isPublicAddress(name) : isPublicName(name);
  return isPublic ? undefined : `must have a host on the public internet, but ${name} is not public`;
}

function isPublicName(name: string): boolean {
  const labels = name.split('.');
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && !NOT_PUBLIC_NAMES.has(labels.at(-1) ?? '');
}

/** A DNS label. `URL` allows more characters, and has already encoded other alphabets as `xn--`. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Returns true if a public web server could have this IP address. IPv6 addresses must be in a block that IANA assigns
 * to networks and must not embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialPurpose.check(address, 'ipv4');
  if (isIPv6(address)) return globalUnicast.check(address, 'ipv6') && !specialPurpose.check(address, 'ipv6');
  return false;
}

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Blocks from IANA's special-purpose registries, including a few public ones that no merchant would use. */
const specialPurpose = new BlockList();
specialPurpose.addSubnet('0.0.0.0', 8); // This host; Linux treats 0.0.0.0 as 127.0.0.1
specialPurpose.addSubnet('10.0.0.0', 8); // Private
specialPurpose.addSubnet('100.64.0.0', 10); // Carrier-grade NAT; Alibaba's metadata at 100.100.100.200
specialPurpose.addSubnet('127.0.0.0', 8); // Loopback; the Lambda runtime API at 127.0.0.1:9001
specialPurpose.addSubnet('169.254.0.0', 16); // Link-local; AWS's metadata at 169.254.169.254
specialPurpose.addSubnet('172.16.0.0', 12); // Private
specialPurpose.addSubnet('192.0.0.0', 24); // Protocol assignments; Oracle's metadata at 192.0.0.192
specialPurpose.addSubnet('192.0.2.0', 24); // Documentation
specialPurpose.addSubnet('192.88.99.0', 24); // 6to4 relays
specialPurpose.addSubnet('192.168.0.0', 16); // Private
specialPurpose.addSubnet('198.18.0.0', 15); // Benchmarks
specialPurpose.addSubnet('198.51.100.0', 24); // Documentation
specialPurpose.addSubnet('203.0.113.0', 24); // Documentation
specialPurpose.addSubnet('224.0.0.0', 3); // Multicast, reserved, broadcast
specialPurpose.addSubnet('2001::', 23, 'ipv6'); // Protocol assignments; Teredo, benchmarks, ORCHID
specialPurpose.addSubnet('2001:db8::', 32, 'ipv6'); // Documentation
specialPurpose.addSubnet('2002::', 16, 'ipv6'); // 6to4
specialPurpose.addSubnet('3fff::', 20, 'ipv6'); // Documentation

/**
 * Loaded into every emulated function and operator's process (NODE_OPTIONS=--require). Replaces DNS and the network
 * path to other machines, which an emulator lacks. Names, certificates and the guard against private addresses stay
 * unchanged: each name resolves to a public address, and only connections to it are redirected to this machine.
 * EMULATED_CLOUD is the parent host of the emulator's APIs; EMULATED_INTERNET is the port of all other hosts, and their
 * names.
 */
const dns = require('node:dns');

/** A public address by every rule. Nothing is ever sent to it. */
const ELSEWHERE = '93.184.216.34';
const { EMULATED_CLOUD: cloud, EMULATED_INTERNET = '' } = process.env;
const [port, ...names] = EMULATED_INTERNET.split(' ');

const { lookup } = dns;
dns.lookup = function lookupEmulated(host, options, done) {
  if (typeof options === 'function') return dns.lookup(host, {}, options);
  const address = names.includes(host) ? ELSEWHERE : cloud && host.endsWith(`.${cloud}`) ? '127.0.0.1' : undefined;
  if (address === undefined) return lookup.call(this, host, options, done);
  process.nextTick(() => (options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)));
};

// Redirects below all checks of addresses: connections allowed to the public address end here.
const { TCP } = process.binding('tcp_wrap');
const { connect } = TCP.prototype;
TCP.prototype.connect = function connectEmulated(request, address, wanted) {
  const isElsewhere = address === ELSEWHERE && wanted === 443;
  return connect.call(this, request, isElsewhere ? '127.0.0.1' : address, isElsewhere ? Number(port) : wanted);
};

/**
 * The emulator passes a function's event as a line of JSON with the cookies in a header; API Gateway moves them to a
 * separate list.
 */
const readline = require('node:readline');
const { createInterface } = readline;
readline.createInterface = function createEmulatedInterface(...options) {
  const lines = createInterface.apply(this, options);
  const { on } = lines;
  lines.on = (name, listener) =>
    on.call(lines, name, name === 'line' ? (line) => listener(withCookies(line)) : listener);
  return lines;
};

function withCookies(line) {
  if (!line.startsWith('{') || !/"cookie"/i.test(line)) return line;
  const message = JSON.parse(line);
  const { headers, cookies, version } = message.event ?? {};
  const [name] = Object.keys(headers ?? {}).filter((one) => one.toLowerCase() === 'cookie');
  if (version !== '2.0' || name === undefined || Array.isArray(cookies)) return line;
  console.error('The cookies of a request were in a header');
  message.event.cookies = headers[name].split(/; */);
  delete headers[name];
  return JSON.stringify(message);
}

/*
 * Loaded into every emulated function and every operator's process (NODE_OPTIONS=--require): it stands in for DNS and for the way to other
 * machines, which an emulator does not have. Names, certificates and the guard against private addresses stay as they are: a name
 * has a public address, and only what connects to that address ends at this machine.
 *
 * EMULATED_CLOUD is the host under which the emulator has its APIs; EMULATED_INTERNET the port of all other hosts, and their names.
 */
const dns = require('node:dns');

/** An address that is public by every rule. Nothing is ever sent to it. */
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

// Below everything that looks at an address: what was let through to a public one comes here.
const { TCP } = process.binding('tcp_wrap');
const { connect } = TCP.prototype;
TCP.prototype.connect = function connectEmulated(request, address, wanted) {
  const isElsewhere = address === ELSEWHERE && wanted === 443;
  return connect.call(this, request, isElsewhere ? '127.0.0.1' : address, isElsewhere ? Number(port) : wanted);
};

/*
 * The emulator hands a function its event as a line of JSON, with the cookies of an HTTP request in a header, where API Gateway has
 * moved them to a list of their own.
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

import type { Deployment } from '../../runtime/stage/deployment.ts';
import { OperatorError } from '../../runtime/stage/operator-error.ts';
import { isLoopback } from '../../runtime/values/loopback.ts';
import { type GatewayAccount, GatewayAccounts } from './accounts.ts';
import { FORWARDER } from './forwarder.ts';

export const CLOUD_URL = 'https://api.sms-gate.app/3rdparty/v1';

/** @throws OperatorError that names the invalid parts of the secret, without their values. */
export async function readAccounts(deployment: Pick<Deployment, 'gatewayAccounts'>): Promise<Accounts> {
  const { [FORWARDER]: _, ...accounts } = await readSecret(deployment);
  return accounts;
}

/** Returns the phones' signing keys, keyed by phone name. @throws the errors of `readAccounts`. */
export async function readForwarderKeys(
  deployment: Pick<Deployment, 'gatewayAccounts'>,
): Promise<Record<string, string>> {
  return (await readSecret(deployment))[FORWARDER]?.signing_keys ?? {};
}

async function readSecret({ gatewayAccounts }: Pick<Deployment, 'gatewayAccounts'>): Promise<Accounts> {
  const parsed = GatewayAccounts.safeParse(parseText(await gatewayAccounts.read()));
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  throw new OperatorError(`The secret with the gateway accounts is not valid (${places.join('; ')}). ${HOW_TO_FIX}`);
}
type Accounts = Record<string, GatewayAccount>;

/** @throws OperatorError if the account does not exist. */
export async function readAccount(
  deployment: Pick<Deployment, 'gatewayAccounts'>,
  gateway: string,
): Promise<GatewayAccount> {
  return accountOf(await readAccounts(deployment), gateway);
}

interface Credentials {
  readonly url?: string | undefined;
  readonly username: string;
  readonly password: string;
}

/**
 * Adds an account or replaces its credentials. Keeps the existing signing keys. Keeps the existing server unless a new
 * one is given.
 */
export async function setAccount(
  deployment: Pick<Deployment, 'gatewayAccounts'>,
  gateway: string,
  credentials: Credentials,
): Promise<void> {
  const accounts = await readSecret(deployment);
  await write(deployment, { ...accounts, [gateway]: changedAccount(accounts, gateway, credentials) });
}

export async function planAccount(
  deployment: Pick<Deployment, 'gatewayAccounts'>,
  gateway: string,
  credentials: Credentials,
): Promise<GatewayAccount> {
  return changedAccount(await readSecret(deployment), gateway, credentials);
}

function changedAccount(accounts: Accounts, gateway: string, { url, ...login }: Credentials): GatewayAccount {
  if (gateway === FORWARDER) throw new OperatorError(NO_ACCOUNT);
  const current = Object.hasOwn(accounts, gateway) ? accounts[gateway] : undefined;
  const address = addressOf(url ?? current?.url ?? CLOUD_URL);
  return { url: address, ...login, signing_keys: current?.signing_keys ?? {} };
}

export async function setSigningKey(
  deployment: Pick<Deployment, 'gatewayAccounts'>,
  gateway: string,
  device: string,
  key: string,
): Promise<void> {
  if (gateway === FORWARDER) throw new OperatorError(NO_ACCOUNT);
  const accounts = await readSecret(deployment);
  const account = accountOf(accounts, gateway);
  const signing_keys = { ...account.signing_keys, [device]: key };
  await write(deployment, { ...accounts, [gateway]: { ...account, signing_keys } });
}

/** Sets or removes the signing key of a forwarding phone. */
export async function setForwarderKey(
  deployment: Pick<Deployment, 'gatewayAccounts'>,
  phone: string,
  key: string | undefined,
): Promise<void> {
  const accounts = await readSecret(deployment);
  const { [FORWARDER]: current = NO_SERVER } = accounts;
  const { [phone]: _, ...others } = current.signing_keys;
  const signing_keys = key === undefined ? others : { ...others, [phone]: key };
  await write(deployment, { ...accounts, [FORWARDER]: { ...current, signing_keys } });
}

const NO_SERVER: GatewayAccount = { url: '', username: '', password: '', signing_keys: {} };
const NO_ACCOUNT = `${FORWARDER} is reserved for phones with a forwarding app and is not an account. Add such a phone with: phone add --phone NAME`;

function accountOf(accounts: Accounts, gateway: string): GatewayAccount {
  const account = Object.hasOwn(accounts, gateway) ? accounts[gateway] : undefined;
  if (account) return account;
  throw new OperatorError(
    `There is no gateway account ${gateway}. Create it with: gateway set --gateway ${gateway} --username USERNAME`,
  );
}

async function write({ gatewayAccounts }: Pick<Deployment, 'gatewayAccounts'>, accounts: Accounts): Promise<void> {
  await gatewayAccounts.write(JSON.stringify(accounts));
}

/** Returns a gateway's base URL. @throws OperatorError */
function addressOf(written: string): string {
  const url = URL.parse(written);
  const isPlain = url?.username === '' && url.search === '' && url.hash === '';
  if (!url || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new OperatorError(`${written} is not the address of an SMSGate server, such as ${CLOUD_URL}`);
  }
  if (url.protocol === 'http:' && !isLoopback(written)) {
    throw new OperatorError(`${written} would send the password unencrypted. Use the server’s https address.`);
  }
  const address = url.href.replace(/(?<!\/)\/+$/, '');
  if (!/\/mobile\/v1$/.test(address)) return address;
  throw new OperatorError(
    `${written} is the address for the phone’s app. The API’s address is ${address.replace(/mobile\/v1$/, '3rdparty/v1')}`,
  );
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const HOW_TO_FIX =
  'The secret must be a JSON object with one account per name: {"phone": {"url": …, "username": …, "password": …, "signing_keys": {…}}}. Fix it in Secrets Manager, or set it to {} there and use "gateway set".';

import { OperatorError } from '../../runtime/stage/operator-error.ts';
import type { Place } from '../../runtime/stage/place.ts';
import { type GatewayAccount, GatewayAccounts } from './accounts.ts';

/** Where most phones report: the public server of SMSGate. */
export const CLOUD_URL = 'https://api.sms-gate.app/3rdparty/v1';

/** Every account, by its name. @throws OperatorError that says what is wrong with the secret, without its values. */
export async function readAccounts({ gatewayAccounts }: Pick<Place, 'gatewayAccounts'>): Promise<Accounts> {
  const parsed = GatewayAccounts.safeParse(parseText(await gatewayAccounts.read()));
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  throw new OperatorError(`The secret with the gateway accounts is not valid (${places.join('; ')}). ${HOW_TO_FIX}`);
}
type Accounts = Record<string, GatewayAccount>;

/** @throws OperatorError if there is no such account. */
export async function readAccount(place: Pick<Place, 'gatewayAccounts'>, gateway: string): Promise<GatewayAccount> {
  return accountOf(await readAccounts(place), gateway);
}

/** Adds an account, or replaces its credentials. Its signing keys stay, and so does its server unless a new one is given. */
export async function setAccount(
  place: Pick<Place, 'gatewayAccounts'>,
  gateway: string,
  { url, username, password }: { url?: string | undefined; username: string; password: string },
): Promise<void> {
  const accounts = await readAccounts(place);
  const current = Object.hasOwn(accounts, gateway) ? accounts[gateway] : undefined;
  const address = addressOf(url ?? current?.url ?? CLOUD_URL);
  const account = { url: address, username, password, signing_keys: current?.signing_keys ?? {} };
  await write(place, { ...accounts, [gateway]: account });
}

/** Sets the key that the phone `device` signs with, as its app shows it. */
export async function setSigningKey(
  place: Pick<Place, 'gatewayAccounts'>,
  gateway: string,
  device: string,
  key: string,
): Promise<void> {
  const accounts = await readAccounts(place);
  const account = accountOf(accounts, gateway);
  const signing_keys = { ...account.signing_keys, [device]: key };
  await write(place, { ...accounts, [gateway]: { ...account, signing_keys } });
}

function accountOf(accounts: Accounts, gateway: string): GatewayAccount {
  const account = Object.hasOwn(accounts, gateway) ? accounts[gateway] : undefined;
  if (account) return account;
  throw new OperatorError(
    `There is no gateway account ${gateway}. Set it: gateway set --gateway ${gateway} --username USERNAME`,
  );
}

async function write({ gatewayAccounts }: Pick<Place, 'gatewayAccounts'>, accounts: Accounts): Promise<void> {
  await gatewayAccounts.write(JSON.stringify(accounts));
}

/** The address in the form to which functions append paths. @throws OperatorError */
function addressOf(written: string): string {
  const url = URL.parse(written);
  const isPlain = url?.username === '' && url.search === '' && url.hash === '';
  if (url?.protocol === 'https:' && isPlain) return url.href.replace(/\/+$/, '');
  throw new OperatorError(`${written} is not the address of an SMSGate server. An example is ${CLOUD_URL}`);
}

/** Undefined for anything that is not JSON, which the schema refuses. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const HOW_TO_FIX =
  'It must be a JSON object with one account per name: {"phone": {"url": …, "username": …, "password": …, "signing_keys": {…}}}. Fix it in Secrets Manager, or set it to {} there and use "gateway set".';

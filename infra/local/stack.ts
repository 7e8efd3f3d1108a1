import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, unwatchFile, watchFile } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { GatewayAccount } from '../../shared/phones/gateway/accounts.ts';
import { realOutside } from '../../shared/runtime/outside/real-outside.ts';
import { RETENTION } from '../../shared/runtime/outside/retention.ts';
import { isLoopback } from '../../shared/runtime/values/loopback.ts';
import { registerWebhooks, removeWebhooks } from '../admin/connect-gateway.ts';
import { readLocalFacts } from '../admin/deployment.ts';
import { startPhone } from '../phone/server.ts';
import { startCallees } from './callees.ts';
import { componentsAnswer } from './components.ts';
import { DATABASES, type DatabaseKind } from './database-names.ts';
import {
  createDemo,
  createPeople,
  createTestKeys,
  DEMO_GATEWAY,
  type Demo,
  type DemoWallets,
  demoPhone,
  secondPhone,
  signInLinks,
} from './demo.ts';
import { createTable, startDatabase } from './dynamodb.ts';
import { startFront } from './front.ts';
import { holdPort } from './loopback.ts';
import { listOpenCharges } from './open-charges.ts';
import { outcomeOf } from './outcome-of.ts';
import { startSqs } from './sqs.ts';
import { startWorkers } from './workers.ts';
import { hasCode, refuseFullDisk, writeWhole } from './write-whole.ts';

export interface StackOptions {
  readonly port: number;
  /** Folder for `demo.json` and, with `keep`, for the table and the simulated phone's memory. */
  readonly folder: string;
  readonly keep: boolean;
  readonly database: DatabaseKind;
  readonly say: (step: string) => void;
  /** State of the demo merchant's wallets. Ignored if a kept table already contains the wallets. */
  readonly wallets: DemoWallets;
}

/** Contents of `demo.json`: what a script needs to use the running stack. */
export type DemoFacts = Stack['facts'];

export type Stack = Awaited<ReturnType<typeof startStack>>;

const TABLE_NAME = 'momo-kiosk-local';

const SETTINGS = {
  TABLE_NAME,
  OPERATOR_CONTACT: 'Efua Sarpong, 050 765 4321',
  RETENTION_DAYS: String(RETENTION.defaultDays),
  // Shows errors in the terminal, but no metrics or request lines.
  POWERTOOLS_LOG_LEVEL: 'WARN',
  POWERTOOLS_METRICS_DISABLED: 'true',
  ALLOWS_THIS_MACHINE: 'true',
};

/**
 * Starts all parts and creates the demo merchant. Each part uses the real protocol of the service that it replaces.
 * Changes this process's environment, so a process can run only one stack.
 */
export async function startStack({ port: wanted, folder, keep, wallets, database, say }: StackOptions) {
  const running: { stop(): Promise<void> }[] = [];
  const factsFile = resolve(folder, 'demo.json');
  // Stop in reverse order, because the HTTP server must stop before the table.
  const stop = async () => {
    for (const part of running.reverse()) await part.stop();
  };
  try {
    const callback_base_url = publicAddress();
    // Occupy the port first, because two stacks that use --keep must not open the same table.
    const held = await holdPort(wanted);
    const { port } = held;
    running.push(held);
    await refuseSecond(factsFile, port);
    makeFolder(folder);
    const aws_access_key_id = accessKeyFor(keep ? join(folder, 'access-key.json') : undefined);
    forgetAwsAccount(aws_access_key_id);

    const dynamodb = await startTable(say, database, keep ? folder : undefined);
    running.push(dynamodb);
    say('Starting the queues, the workers and the phone');
    const sqs = await startSqs();
    running.push(sqs);
    const callees = await startCallees();
    running.push(callees);
    // The functions need the phone's URL.
    let demo: Demo | undefined;
    const phone = await startPhone({
      devices: [demoPhone],
      ...whatIsKnown(() => demo),
      ...(keep && { keepFile: join(folder, 'phone.json') }),
    });
    running.push({ stop: phone.close });
    const baseUrl = `http://localhost:${port}`;
    const deviceId = process.env.SMSGATE_DEVICE_ID ?? demoPhone.id;
    const ownPhone = reachedAt(phone.apiUrl, 'demo', 'demo', deviceId);
    const gateway_accounts = { [DEMO_GATEWAY]: namedGateway(deviceId) ?? ownPhone };
    const endpoints = { DYNAMODB_ENDPOINT: dynamodb.endpoint, SQS_ENDPOINT: sqs.endpoint, BASE_URL: baseUrl };
    Object.assign(process.env, sqs.environment, callees.environment, SETTINGS, endpoints);
    process.env.GATEWAY_ACCOUNTS = JSON.stringify(gateway_accounts);

    await createTable(dynamodb.endpoint, TABLE_NAME);
    demo = await demoFor(keep ? join(folder, 'merchant.json') : undefined, deviceId, wallets);
    running.push(await startWorkers({ dynamodb: dynamodb.endpoint, sqs: sqs.endpoint, tableName: TABLE_NAME }));
    await held.stop();
    const links = signInLinks(realOutside(), baseUrl, demo);
    running.push(await startFront(port, links.answer, componentsAnswer));

    const callback_url = `${callback_base_url ?? baseUrl}/callback/smsgate/${DEMO_GATEWAY}`;
    running.push(await connectPhones(callback_base_url ? gateway_accounts[DEMO_GATEWAY] : ownPhone, callback_url));
    const facts = {
      base_url: baseUrl,
      callback_base_url,
      ...demo,
      ...links.urls,
      phone_url: phone.url,
      second_phone: await startSecondPhone(running),
      database,
      dynamodb_endpoint: dynamodb.endpoint,
      aws_access_key_id,
      sqs_endpoint: sqs.endpoint,
      table_name: TABLE_NAME,
      gateway_accounts,
      smsgate: { gateway: DEMO_GATEWAY, device_id: deviceId, signing_key: signingKey(), callback_url },
    };
    running.push(writeFacts(factsFile, facts), followAccounts(factsFile));
    return { facts, factsFile, stop };
  } catch (error) {
    await stop();
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    await refuseSecond(factsFile, wanted + 1);
    throw new Error(`Port ${wanted} is in use. Choose another: PORT=${wanted + 1} npm start`);
  }
}

function startTable(say: StackOptions['say'], database: DatabaseKind, keptIn: string | undefined) {
  say(`Starting the database: ${DATABASES[database]}`);
  return startDatabase(database, { keepIn: keptIn && keptTable(keptIn, database), hasKeys: true });
}

/**
 * Returns the folder for the given database's table.
 * @throws an Error if the other kind of database has kept a table there.
 */
function keptTable(folder: string, database: DatabaseKind): string {
  const places = { memory: join(folder, 'table'), 'dynamodb-local': join(folder, 'dynamodb') };
  const other = database === 'memory' ? 'dynamodb-local' : 'memory';
  if (existsSync(places[other])) {
    throw new Error(
      `${folder} has the table of another database. To use that table:\nDATABASE=${other} npm start -- --keep\nTo start again in another folder:\nLOCAL_DIR=.local/new npm start -- --keep`,
    );
  }
  return places[database];
}

function whatIsKnown(demo: () => Demo | undefined) {
  return {
    openCharges: async () => {
      const merchantId = demo()?.merchant_id;
      return merchantId ? listOpenCharges(realOutside(), merchantId) : [];
    },
    outcomeOf: (transactionId: string, number: string) => outcomeOf(realOutside(), transactionId, number),
  };
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseFullDisk(folder);
}

/**
 * Refuses to start a second stack in the same folder, because it would overwrite `demo.json`. Ignores a killed stack's
 * `demo.json`. `port`: a free port for the second stack.
 */
async function refuseSecond(factsFile: string, port: number): Promise<void> {
  const other = readLocalFacts(factsFile);
  if (!other) return;
  const answer = await fetch(`${other.base_url}/api/v1`, { signal: AbortSignal.timeout(10_000) })
    .then((answered) => answered.json())
    .catch(() => undefined);
  if (!OurAnswer.safeParse(answer).success) return;
  throw new Error(
    `Momo Kiosk already runs from this folder, at ${other.base_url}. To start a second one:\nPORT=${port} LOCAL_DIR=.local/${port} npm start`,
  );
}

/** The service's response for an unknown path. */
const OurAnswer = z.object({ request_id: z.string(), doc_url: z.string() });

/** Starts an unconnected phone, for rehearsals. */
async function startSecondPhone(running: { stop(): Promise<void> }[]) {
  const { url, apiUrl, close } = await startPhone({ devices: [secondPhone] });
  running.push({ stop: close });
  return { page_url: url, api_url: apiUrl, device_id: secondPhone.id, signing_key: secondPhone.signingKey };
}

/** Connects the phones as `npm run admin -- gateway connect` does. */
async function connectPhones(account: GatewayAccount, url: string): Promise<{ stop(): Promise<void> }> {
  const here = { outside: realOutside(), stage: 'local' };
  await registerWebhooks(here, DEMO_GATEWAY, account, url);
  const disconnect = () => removeWebhooks(here, DEMO_GATEWAY, account).catch(({ message }) => console.error(message));
  // A real phone would keep posting to a dead URL for two days and delay its other callbacks. The simulated phone stops
  // with the stack.
  return { stop: async () => (isLoopback(url) ? undefined : disconnect()) };
}

function forgetAwsAccount(AWS_ACCESS_KEY_ID: string): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-east-1' });
}

function namedGateway(deviceId: string): GatewayAccount | undefined {
  const { SMSGATE_URL, SMSGATE_USERNAME = '', SMSGATE_PASSWORD = '' } = process.env;
  return SMSGATE_URL
    ? reachedAt(SMSGATE_URL.replace(/\/$/, ''), SMSGATE_USERNAME, SMSGATE_PASSWORD, deviceId)
    : undefined;
}

function reachedAt(url: string, username: string, password: string, deviceId: string): GatewayAccount {
  return { url, username, password, signing_keys: { [deviceId]: signingKey() } };
}

/** Returns the signing key from the environment. The app uses the same key, so it must not change. */
function signingKey(): string {
  return process.env.SMSGATE_SIGNING_KEY || demoPhone.signingKey;
}

/** Returns the public URL of a tunnel to this machine. @throws if phones could not send callbacks to it. */
function publicAddress(): string | undefined {
  const { CALLBACK_URL } = process.env;
  if (!CALLBACK_URL) return undefined;
  if (URL.parse(CALLBACK_URL)?.protocol === 'https:') return CALLBACK_URL.replace(/(?<!\/)\/+$/, '');
  throw new Error(`CALLBACK_URL is ${JSON.stringify(CALLBACK_URL)}, but phones post only to https addresses.`);
}

/** Returns the kept table's access key, or a new one. */
function accessKeyFor(keptFile: string | undefined): string {
  const kept = keptFile && readKept<{ id: string }>(keptFile);
  if (kept) return kept.id;
  const id = randomBytes(10).toString('hex').toUpperCase();
  if (keptFile) writeSecret(keptFile, { id });
  return id;
}

/** Returns the kept table's merchant, or creates one. Only this file contains the merchant's keys. */
async function demoFor(keptFile: string | undefined, deviceId: string, wallets: DemoWallets): Promise<Demo> {
  const kept = keptFile ? readKept<Demo>(keptFile) : undefined;
  // Older tables lack these fields.
  if (kept?.test_secret_key && kept.owner_id) return kept;
  const demo = kept
    ? {
        ...(await createTestKeys(realOutside(), kept.merchant_id)),
        ...kept,
        ...(await createPeople(realOutside(), kept.merchant_id)),
      }
    : await createDemo(realOutside(), deviceId, wallets);
  if (keptFile) writeSecret(keptFile, demo);
  return demo;
}

function readKept<Content>(file: string): Content | undefined {
  try {
    const content: Content = JSON.parse(readFileSync(file, 'utf8'));
    return content;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Writes the keys to a private file, which is removed when the stack stops. */
function writeFacts(file: string, facts: object): { stop(): Promise<void> } {
  writeSecret(file, facts);
  return { stop: async () => rmSync(file, { force: true }) };
}

/** Passes on gateway accounts that the command line stored. Functions reread them after a while, as on AWS. */
function followAccounts(file: string): { stop(): Promise<void> } {
  watchFile(file, { interval: 500 }, () => {
    const facts = readLocalFacts(file);
    if (facts) process.env.GATEWAY_ACCOUNTS = JSON.stringify(facts.gateway_accounts);
  });
  return { stop: async () => unwatchFile(file) };
}

/** Writes a file that only its owner can read. */
function writeSecret(file: string, content: object): void {
  writeWhole(file, `${JSON.stringify(content, null, 2)}\n`, 0o600);
}

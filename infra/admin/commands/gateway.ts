import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { presentFindings } from '../../../shared/operations/doctor/finding.ts';
import { ACCOUNTS_CACHE_SECONDS, ACCOUNTS_REREAD_SECONDS } from '../../../shared/phones/gateway/accounts.ts';
import { CLOUD_URL, setSigningKey } from '../../../shared/phones/gateway/manage-accounts.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { asText, noun, optional, required, verb } from '../command.ts';
import { connectGateway, disconnectGateway, setGateway } from '../connect-gateway.ts';
import { GATEWAY, someText } from '../options.ts';

const WHEN_ACCOUNTS_ARE_KNOWN = `within ${ACCOUNTS_CACHE_SECONDS / 60} minutes`;
/**
 * New signing keys usually take effect sooner, because functions reload the gateway accounts before they reject a
 * signature.
 */
const WHEN_KEYS_ARE_KNOWN = `within ${ACCOUNTS_REREAD_SECONDS} seconds`;

export const gateways = noun('gateway', 'the SMSGate accounts that connect the phones', {
  set: verb(
    'check an account with its server, then store it; the password is read from stdin or SMSGATE_PASSWORD',
    {
      gateway: GATEWAY,
      username: required('<name>', 'the user name that the app shows under Cloud Server', someText),
      url: optional('<url>', `the address of the account’s SMSGate server, if it is not ${CLOUD_URL}`, String),
      untried: { description: 'store the account without checking it with the server' },
    },
    async (place, { gateway, username, url, untried }, { progress }) => {
      const password = await readSecretInput('SMSGATE_PASSWORD', 'password');
      progress(`Contacting the gateway ${gateway}`);
      const stored = await setGateway(place, gateway, { url, username, password }, untried === true);
      return { ...stored, known_everywhere: WHEN_ACCOUNTS_ARE_KNOWN };
    },
  ),
  'set-signing-key': verb(
    'store the key that a phone signs its callbacks with; the key is read from stdin or SMSGATE_SIGNING_KEY',
    { gateway: GATEWAY, device: required('<id>', "the phone's id at the gateway", someText) },
    async (place, { gateway, device }) => {
      const key = await readSecretInput('SMSGATE_SIGNING_KEY', 'signing key');
      await setSigningKey(place, gateway, device, key);
      return { gateway, device, known_everywhere: WHEN_KEYS_ARE_KNOWN };
    },
  ),
  connect: verb(
    'register the webhooks through which the account’s phones report to this service, and check that they are online',
    { gateway: GATEWAY },
    async (place, { gateway }, { progress }) => {
      progress(`Contacting the gateway ${gateway}`);
      return connectGateway(place, gateway);
    },
    {
      present: ({ findings, ...rest }) => `${asText(rest)}\n\n${presentFindings(findings)}`,
      findingsOf: ({ findings }) => findings,
    },
  ),
  disconnect: verb(
    'remove the webhooks of the account’s phones; run this before you remove the service',
    { gateway: GATEWAY },
    async (place, { gateway }) => {
      await disconnectGateway(place, gateway);
      return { disconnected: gateway };
    },
  ),
});

/**
 * Reads a secret from the environment variable, a hidden prompt or a pipe. Arguments would be visible to other
 * processes.
 * @throws OperatorError if no secret is given.
 */
async function readSecretInput(variable: string, what: string): Promise<string> {
  const { [variable]: given } = process.env;
  const secret = (given ?? (process.stdin.isTTY ? await askHidden(what) : await text(process.stdin))).trim();
  if (secret !== '') return secret;
  throw new OperatorError(`No ${what} was given. Pipe it in, or set ${variable}.`);
}

async function askHidden(what: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Print the prompt last: the terminal echoes anything typed before the read starts.
  process.stderr.write(`${what}: `);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

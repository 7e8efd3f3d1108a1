import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { presentFindings } from '../../../shared/care/doctor/finding.ts';
import { ACCOUNTS_CACHE_SECONDS, ACCOUNTS_REREAD_SECONDS } from '../../../shared/phones/gateway/accounts.ts';
import { CLOUD_URL, setAccount, setSigningKey } from '../../../shared/phones/gateway/manage-accounts.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { asText, runAt, verb } from '../command.ts';
import { connectGateway, disconnectGateway } from '../connect-gateway.ts';
import { GATEWAY, someText } from '../options.ts';

/** How long functions cache the gateway accounts. */
const WHEN_ACCOUNTS_ARE_KNOWN = `within ${ACCOUNTS_CACHE_SECONDS / 60} minutes`;
/** Sooner, because whom they would refuse has them read the accounts again. */
const WHEN_KEYS_ARE_KNOWN = `within ${ACCOUNTS_REREAD_SECONDS} seconds`;

export function addGatewayCommands(program: Command): void {
  const gateway = program.command('gateway').description('the SMSGate accounts that connect the phones');

  verb(gateway, 'set', 'store an account; the password comes from stdin or SMSGATE_PASSWORD', [
    GATEWAY,
    new Option('--username <name>', 'as the app shows it under Cloud Server').argParser(someText).makeOptionMandatory(),
    new Option('--url <url>', `the address of its SMSGate server, if it is not ${CLOUD_URL}`),
  ]).action(
    runAt(async (place, options: { gateway: string; username: string; url?: string }) => {
      const password = await readSecretInput('SMSGATE_PASSWORD', 'password');
      await setAccount(place, options.gateway, { url: options.url, username: options.username, password });
      return { gateway: options.gateway, known_everywhere: WHEN_ACCOUNTS_ARE_KNOWN };
    }),
  );

  verb(gateway, 'set-signing-key', 'store the key a phone signs with; it comes from stdin or SMSGATE_SIGNING_KEY', [
    GATEWAY,
    new Option('--device <id>', "the phone's id at the gateway").argParser(someText).makeOptionMandatory(),
  ]).action(
    runAt(async (place, options: { gateway: string; device: string }) => {
      const key = await readSecretInput('SMSGATE_SIGNING_KEY', 'signing key');
      await setSigningKey(place, options.gateway, options.device, key);
      return { gateway: options.gateway, device: options.device, known_everywhere: WHEN_KEYS_ARE_KNOWN };
    }),
  );

  verb(
    gateway,
    'connect',
    'register the webhooks by which its phones report to this service, and check that the phones are online',
    [GATEWAY],
  ).action(
    runAt(
      async (place, options: { gateway: string }, progress) => {
        progress(`Asking the gateway ${options.gateway}`);
        return connectGateway(place, options.gateway);
      },
      {
        present: ({ findings, ...rest }) => `${asText(rest)}\n\n${presentFindings(findings)}`,
        findingsOf: ({ findings }) => findings,
      },
    ),
  );

  verb(gateway, 'disconnect', 'remove those webhooks, before the service is taken down', [GATEWAY]).action(
    runAt(async (place, options: { gateway: string }) => {
      await disconnectGateway(place, options.gateway);
      return { disconnected: options.gateway };
    }),
  );
}

/**
 * A secret from the operator, never from an argument, which every process of the machine can read: the environment variable
 * `variable`, else a line that is typed and not shown, else everything that is piped in.
 * @throws OperatorError if there is none.
 */
async function readSecretInput(variable: string, what: string): Promise<string> {
  const { [variable]: given } = process.env;
  const secret = (given ?? (process.stdin.isTTY ? await askHidden(what) : await text(process.stdin))).trim();
  if (secret !== '') return secret;
  throw new OperatorError(`There is no ${what}. Pipe it in, or set ${variable}.`);
}

async function askHidden(what: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Asked only now: what is typed before the line is read would be shown by the terminal itself.
  process.stderr.write(`${what}: `);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

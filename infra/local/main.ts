import { parseArgs } from 'node:util';
import { demoPhone } from './demo.ts';
import { type DemoFacts, type Stack, type StackOptions, startStack } from './stack.ts';

/** `npm start`: the whole service on this machine, until Ctrl-C. */
const values = optionsOf(process.argv.slice(2));
const stopping = new Promise<void>((stop) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop());
  stopWithNpm(stop);
});

try {
  const starting = startStack({
    port: portOf(process.env.PORT),
    folder: process.env.LOCAL_DIR || '.local',
    ...values,
  });
  // What is only half started has nothing to finish, and its DynamoDB ends with this process.
  const stack = await Promise.race([starting, stopping]);
  if (stack) {
    console.log(welcome(stack));
    await stopping;
    await stack.stop();
  }
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function optionsOf(args: string[]): Pick<StackOptions, 'keep' | 'wallets'> {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const { keep, established } = parseArgs({ args, options: { keep: flag, established: flag } }).values;
    return { keep, wallets: established ? 'established' : 'new' };
  } catch {
    console.error(`Usage: npm start -- [--keep] [--established]
  --keep          keeps the table between runs
  --established   starts with a wallet that has been known for nine days, so that payments are verified
PORT and LOCAL_DIR are environment variables.`);
    process.exit(1);
  }
}

/** npm hands a SIGTERM to the shell between it and us, which ends without passing it on: then the shell is gone. */
function stopWithNpm(stop: () => void): void {
  const { ppid } = process;
  if (!process.env.npm_lifecycle_event) return;
  setInterval(() => process.ppid !== ppid && stop(), 200).unref();
}

function portOf(text = '3000'): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new Error(
    `PORT is ${JSON.stringify(text)}: set it to a number from 1 to 65535, or to 0 for any port that is free.`,
  );
}

function welcome({ facts, factsFile }: Stack): string {
  const { base_url, secret_key, sms_secret_key, dashboard_url, operator_url } = facts;
  return `
Momo Kiosk is running on ${base_url}
${phoneOf(facts)}
The API reference: ${base_url}/docs
The dashboard of Ama Stores, signed in as its owner: ${dashboard_url}
The dashboard as the operator: ${operator_url}

Create a charge of GHS 36 for the demo merchant, Ama Stores:

curl -s -w '\\n' ${base_url}/api/v1/transaction/initialize -H 'Authorization: Bearer ${secret_key}' -H 'Content-Type: application/json' -d '{"amount": 36, "customer_name": "Kofi Mensah", "description": "Two yards of kente"}'

Send a text (the merchant has 1,000 credits):

curl -s -w '\\n' ${base_url}/api/v1/sms/send -H 'Authorization: Bearer ${sms_secret_key}' -H 'Content-Type: application/json' -d '{"to": "0241234567", "message": "Your order is ready"}'

Nothing reaches the phone with the test keys, test_secret_key and test_sms_secret_key in ${factsFile}: ${base_url}/docs says what they do.
${walletsOf(facts)}
Ctrl-C stops it.
`;
}

function walletsOf({ wallets }: DemoFacts): string {
  if (wallets !== 'established') return '';
  const set = `npm run --silent admin -- wallet set --number ${demoPhone.sims[0]?.number} --prove enforce`;
  return `\nThe shop's wallet is established, so payments are verified. To hold those that are not: ${set}\n`;
}

function phoneOf({ callback_base_url, phone_url, second_phone, smsgate, gateway_accounts }: DemoFacts): string {
  if (!callback_base_url)
    return `The simulated phone, where texts arrive: ${phone_url}\nA second one, to rehearse connecting a phone (CONTRIBUTING.md): ${second_phone.page_url}`;
  return `The phone ${smsgate.device_id} of ${gateway_accounts.phone.url}, which posts to ${callback_base_url}`;
}

import { DATABASES } from './database-names.ts';
import type { DemoFacts, Stack } from './stack.ts';

export function welcome({ facts, factsFile }: Stack): string {
  const { base_url, dashboard_url, operator_url } = facts;
  const { charge, text } = firstCommands(base_url, facts);
  return `
Momo Kiosk is running on ${base_url}
The database: ${DATABASES[facts.database]}
${phoneOf(facts)}
The API reference: ${base_url}/docs
The dashboard of Ama Stores, signed in as its owner: ${dashboard_url}
The dashboard as the operator: ${operator_url}

Create a charge of GHS 36 for the demo merchant, Ama Stores:

${charge}

Send a text (the merchant has 1,000 credits):

${text}

Nothing reaches the phone with the test keys, test_secret_key and test_sms_secret_key in ${factsFile}: ${base_url}/docs says what they do.
${walletsOf(facts)}
Ctrl-C stops it.
`;
}

/** Returns the README's first commands, with these keys. */
export function firstCommands(
  baseUrl: string,
  { secret_key, sms_secret_key }: Pick<DemoFacts, 'secret_key' | 'sms_secret_key'>,
): { readonly charge: string; readonly text: string } {
  const post = (path: string, key: string, body: string) =>
    `curl -s -w '\\n' ${baseUrl}${path} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'`;
  const charge = '{"amount": 36, "customer_name": "Kofi Mensah", "merchant_reference": "order-7"}';
  const text = '{"to": "0551234567", "message": "Your order is ready"}';
  return {
    charge: post('/api/v1/transaction/initialize', secret_key, charge),
    text: post('/api/v1/sms/send', sms_secret_key, text),
  };
}

function walletsOf({ wallets }: DemoFacts): string {
  return wallets === 'named'
    ? "\nThe shop's owner has entered the wallet's balance, so payments are verified."
    : "\nNo payment is verified yet: enter the wallet's balance in the dashboard. The simulated phone shows it.";
}

function phoneOf({ callback_base_url, phone_url, second_phone, smsgate, gateway_accounts }: DemoFacts): string {
  if (!callback_base_url)
    return `The simulated phone, where you pay and texts arrive: ${phone_url}\nA second one, to rehearse connecting a phone (CONTRIBUTING.md): ${second_phone.page_url}`;
  return `The phone ${smsgate.device_id} of ${gateway_accounts.phone.url}, which posts to ${callback_base_url}`;
}

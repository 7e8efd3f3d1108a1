import { listSenders } from '../../../shared/sender/sender.table.ts';
import { examineGateway } from '../connect-gateway.ts';
import { type Finding, fine, wrong } from '../finding.ts';
import { readAccounts } from '../gateway-accounts.ts';
import { OperatorError } from '../operator-error.ts';
import type { Place } from '../place.ts';

/** The secret can be read, each account in it works, its phones are online and post to this service. */
export async function checkGateways(place: Place): Promise<Finding[]> {
  const accounts = await readAccounts(place);
  const names = Object.keys(accounts);
  if (names.length === 0) {
    return [
      wrong('There is no gateway account: no text can be sent.', 'gateway set --gateway phone --username USERNAME'),
    ];
  }
  const senders = await listSenders(place.outside);
  const unknown = senders.filter(({ gateway }) => !Object.hasOwn(accounts, gateway));
  const findings = await Promise.all(
    Object.entries(accounts).map(async ([name, account]): Promise<readonly Finding[]> => {
      try {
        return (await examineGateway(place, name, account, senders)).findings;
      } catch (error) {
        if (error instanceof OperatorError) return [wrong(error.message, `Then: gateway connect --gateway ${name}`)];
        throw error;
      }
    }),
  );
  return [
    fine(`The secret with the gateway accounts is valid: ${names.join(', ')}.`),
    ...findings.flat(),
    ...unknown.map(({ number, gateway }) =>
      wrong(
        `The sender ${number} uses the gateway ${gateway}, which has no account.`,
        `gateway set --gateway ${gateway} --username USERNAME`,
      ),
    ),
  ];
}

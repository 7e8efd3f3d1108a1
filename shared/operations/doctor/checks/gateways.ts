import { GatewayProblem } from '../../../phones/gateway/ask-smsgate.ts';
import { FORWARDER } from '../../../phones/gateway/forwarder.ts';
import { readAccounts } from '../../../phones/gateway/manage-accounts.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { examineGateway } from '../examine-gateway.ts';
import { type Finding, fine, wrong } from '../finding.ts';

/** Checks each gateway account in the accounts secret. Its phones must be online and send callbacks to this service. */
export async function checkGateways(deployment: Deployment): Promise<Finding[]> {
  const accounts = await readAccounts(deployment);
  const names = Object.keys(accounts);
  if (names.length === 0) {
    return [wrong('There is no gateway account, so no text can be sent.', newAccount('phone'))];
  }
  const senders = (await listSenders(deployment.outside)).filter(({ gateway }) => gateway !== FORWARDER);
  const unknown = senders.filter(({ gateway }) => !Object.hasOwn(accounts, gateway));
  const findings = await Promise.all(
    Object.entries(accounts).map(async ([name, account]): Promise<readonly Finding[]> => {
      try {
        return (await examineGateway(deployment, name, account, senders)).findings;
      } catch (error) {
        if (error instanceof GatewayProblem) return [wrong(error.summary, error.todo)];
        throw error;
      }
    }),
  );
  return [
    fine(`The secret with the gateway accounts is valid: ${names.join(', ')}.`),
    ...findings.flat(),
    ...unknown.map(({ number, gateway }) =>
      wrong(`The sender ${number} uses the gateway ${gateway}, which has no account.`, newAccount(gateway)),
    ),
  ];
}

function newAccount(gateway: string): string {
  return `gateway set --gateway ${gateway} --username USERNAME, then gateway connect --gateway ${gateway}`;
}

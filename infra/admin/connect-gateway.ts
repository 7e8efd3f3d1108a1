import { examineGateway, WITHOUT_PHONE } from '../../shared/operations/doctor/examine-gateway.ts';
import { type Finding, wrong } from '../../shared/operations/doctor/finding.ts';
import type { GatewayAccount } from '../../shared/phones/gateway/accounts.ts';
import {
  askSmsgate,
  callbackUrl,
  Devices,
  EVENTS,
  GatewayProblem,
  isReport,
  REPORTS,
  Webhooks,
  webhookId,
} from '../../shared/phones/gateway/ask-smsgate.ts';
import { planAccount, readAccount, setAccount } from '../../shared/phones/gateway/manage-accounts.ts';
import { expectNoPings, expectPings } from '../../shared/phones/gateway/phone.table.ts';
import { listSenders } from '../../shared/phones/sender/sender.table.ts';
import { publicUrlProblem } from '../../shared/runtime/outside/public-url.ts';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { isLoopback } from '../../shared/runtime/values/loopback.ts';

/**
 * Stores a gateway account once its server accepts the credentials. `isUntried` skips this check, for a server that is
 * down or reachable only by functions.
 * @throws OperatorError if the server rejects the account, which is then not stored.
 */
export async function setGateway(
  deployment: Deployment,
  gateway: string,
  credentials: Parameters<typeof setAccount>[2],
  isUntried: boolean,
) {
  const account = await planAccount(deployment, gateway, credentials);
  const phones = isUntried ? 'not requested' : await phonesAt(deployment, gateway, account);
  await setAccount(deployment, gateway, credentials);
  return { gateway, url: account.url, phones };
}

/**
 * Lists the ids of an account's phones.
 * @throws OperatorError that states the problem and the option that stores the account without this check.
 */
async function phonesAt(deployment: Deployment, gateway: string, account: GatewayAccount): Promise<string | string[]> {
  try {
    const { hostname } = new URL(account.url);
    const problem = deployment.aws && publicUrlProblem(`https://${hostname}`, false);
    if (problem) throw new GatewayProblem(`The functions on AWS cannot reach ${account.url}.`, `It ${problem}.`);
    const devices = await askSmsgate(deployment.outside, gateway, account, async (client) =>
      Devices.parse(await client.getDevices()),
    );
    return devices.length > 0 ? devices.map(({ id }) => id) : `none yet. ${WITHOUT_PHONE}`;
  } catch (error) {
    if (!(error instanceof GatewayProblem)) throw error;
    throw new OperatorError(
      `${error.problem} ${error.todo}\nNothing was changed. To store the account anyway, add --untried.`,
    );
  }
}

/**
 * Registers the webhooks through which phones post their events, with stable ids, and verifies them.
 * @throws OperatorError if the gateway's response is unusable.
 */
export async function connectGateway(deployment: Deployment, gateway: string) {
  const account = await readAccount(deployment, gateway);
  const callback_url = await callbackUrl(deployment, gateway);
  const obstacle = unreachableUrl(callback_url, account);
  if (!obstacle) await registerWebhooks(deployment, gateway, account, callback_url);
  const { phones, findings } = await examineGateway(
    deployment,
    gateway,
    account,
    await listSenders(deployment.outside),
  );
  return { callback_url, phones, findings: obstacle ? [obstacle, ...findings] : findings };
}

/** Removes the webhooks that `connectGateway` registered. @throws OperatorError like `connectGateway`. */
export async function disconnectGateway(deployment: Deployment, gateway: string): Promise<void> {
  await removeWebhooks(deployment, gateway, await readAccount(deployment, gateway));
}

/** Finishes the removal that `registerWebhooks` started. @throws OperatorError like `connectGateway`. */
export async function removeWebhooks(
  { outside, stage }: Pick<Deployment, 'outside' | 'stage'>,
  gateway: string,
  account: GatewayAccount,
): Promise<void> {
  await askSmsgate(outside, gateway, account, async (client) => {
    const known = new Set(Webhooks.parse(await client.getWebhooks()).map(({ id }) => id));
    const ours = [...EVENTS, ...REPORTS].map((event) => webhookId(stage, gateway, event)).filter((id) => known.has(id));
    for (const id of ours) await client.deleteWebhook(id);
  });
  await expectNoPings(outside, gateway);
}

/** Registers webhooks for the required events and removes this service's other webhooks. */
export async function registerWebhooks(
  { outside, stage }: Pick<Deployment, 'outside' | 'stage'>,
  gateway: string,
  account: GatewayAccount,
  url: string,
): Promise<void> {
  await askSmsgate(outside, gateway, account, async (client) => {
    for (const event of EVENTS) await client.registerWebhook({ id: webhookId(stage, gateway, event), url, event });
    // This list includes webhooks that were created manually.
    const reports = Webhooks.parse(await client.getWebhooks()).filter((webhook) => isReport(webhook, url));
    for (const { id } of reports) await client.deleteWebhook(id);
  });
  // A phone that sends no pings is now reported as unreachable.
  await expectPings(outside, gateway);
}

function unreachableUrl(url: string, account: GatewayAccount): Finding | undefined {
  if (isLoopback(url) && isLoopback(account.url)) return undefined;
  if (isLoopback(url)) {
    return wrong(
      `The phones at ${account.url} cannot reach ${url}, which is only available on this machine. No webhook was registered.`,
      'Deploy the service and add its stage, such as --stage dev.',
    );
  }
  if (new URL(url).protocol === 'https:') return undefined;
  return wrong(
    `Phones post only to https addresses, but this service is at ${url}. No webhook was registered.`,
    'Deploy the service with a domain and a certificate, or use the address that AWS assigned to it.',
  );
}

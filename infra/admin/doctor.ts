import { checkAlarms } from './checks/alarms.ts';
import { checkApi } from './checks/api.ts';
import { checkGateways } from './checks/gateways.ts';
import { checkMerchants } from './checks/merchants.ts';
import { checkQueues } from './checks/queues.ts';
import { checkSenders } from './checks/senders.ts';
import { checkStack } from './checks/stack.ts';
import { checkTable } from './checks/table.ts';
import { checkWallets } from './checks/wallets.ts';
import { type Finding, wrong } from './finding.ts';
import { missingAwsSetup } from './missing-aws-setup.ts';
import { OperatorError } from './operator-error.ts';
import type { Place } from './place.ts';
import type { Progress } from './progress.ts';

/** What is checked, in the order in which one depends on another. */
const checks: Readonly<Record<string, (place: Place) => Promise<readonly Finding[]>>> = {
  stack: checkStack,
  table: checkTable,
  queues: checkQueues,
  api: checkApi,
  gateways: checkGateways,
  senders: checkSenders,
  merchants: checkMerchants,
  wallets: checkWallets,
  alarms: checkAlarms,
};

/**
 * Checks everything that an environment needs. What cannot be checked is a finding too.
 * @throws if nothing can be looked at: no AWS credentials, no network, or a local stack that has ended.
 */
export async function examine(place: Place, progress: Progress): Promise<(Finding & { check: string })[]> {
  const findings: (Finding & { check: string })[] = [];
  // A stage that was never deployed has nothing else to check. An error here is reported by the first check.
  const isDeployed = !place.aws || (await place.aws.stack().catch(() => true)) !== undefined;
  for (const [check, look] of Object.entries(isDeployed ? checks : { stack: checkStack })) {
    progress(`Checking ${check}`);
    const found = await look(place).catch((error: unknown) => [unlooked(check, error)]);
    findings.push(...found.map((finding) => ({ check, ...finding })));
  }
  return findings;
}

function unlooked(check: string, error: unknown): Finding {
  const isNowhere = error instanceof Error && 'code' in error && /^(ECONNREFUSED|ENOTFOUND)$/.test(String(error.code));
  if (isNowhere || missingAwsSetup(error)) throw error;
  if (error instanceof OperatorError) return wrong(error.message, 'Then run this again.');
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return wrong(
    `The check of ${check} failed: ${words}`,
    'Check that your AWS user has permission for this. Read access to the service’s resources is enough.',
  );
}

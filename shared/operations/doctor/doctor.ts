import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment, Progress } from '../../runtime/stage/deployment.ts';
import { isDenied, missingAwsSetup } from '../../runtime/stage/missing-aws-setup.ts';
import { OperatorError } from '../../runtime/stage/operator-error.ts';
import { counted } from '../../runtime/values/counted.ts';
import { checkAlarms } from './checks/alarms.ts';
import { checkApi, checkDashboard } from './checks/api.ts';
import { checkCallbacks } from './checks/callbacks.ts';
import { checkChains } from './checks/chains.ts';
import { setClock } from './checks/clock.ts';
import { checkForwarders } from './checks/forwarders.ts';
import { checkFunctions } from './checks/functions.ts';
import { checkGateways } from './checks/gateways.ts';
import { checkHearing } from './checks/hearing.ts';
import { checkHousekeeping } from './checks/housekeeping.ts';
import { checkMerchants } from './checks/merchants.ts';
import { checkQueues } from './checks/queues.ts';
import { checkSenders } from './checks/senders.ts';
import { checkStack } from './checks/stack.ts';
import { checkTable } from './checks/table.ts';
import { checkTriggers } from './checks/triggers.ts';
import { checkWallets } from './checks/wallets.ts';
import { type CheckName, type Finding, type Topic, wrong } from './finding.ts';

/** All checks. A check comes after those that it depends on. */
const checks: readonly {
  readonly name: CheckName;
  readonly look: (deployment: Deployment) => Promise<readonly Finding[]>;
}[] = [
  { name: 'stack', look: checkStack },
  { name: 'functions', look: checkFunctions },
  { name: 'table', look: checkTable },
  { name: 'triggers', look: checkTriggers },
  { name: 'queues', look: checkQueues },
  { name: 'housekeeping', look: checkHousekeeping },
  { name: 'api', look: checkApi },
  { name: 'gateways', look: checkGateways },
  { name: 'gateways', look: checkForwarders },
  { name: 'gateways', look: checkCallbacks },
  { name: 'senders', look: checkSenders },
  { name: 'merchants', look: checkMerchants },
  { name: 'wallets', look: checkWallets },
  { name: 'wallets', look: checkHearing },
  { name: 'wallets', look: checkChains },
  { name: 'dashboard', look: checkDashboard },
  { name: 'alarms', look: checkAlarms },
];

interface Examination {
  readonly progress?: Progress;
  /** Time limit in milliseconds. Unfinished checks are reported as findings. Unlimited if unset. */
  readonly forMs?: number;
}

type CheckFinding = Finding & { readonly check: CheckName };

/**
 * Runs all checks on a stage or the local stack. A check that cannot run is also a finding. Findings explained by
 * another finding are left out.
 * @throws if AWS credentials, the network or the local stack are missing.
 */
export async function examine(here: Deployment, { progress, forMs }: Examination = {}): Promise<CheckFinding[]> {
  const endsMs = performance.now() + (forMs ?? Number.POSITIVE_INFINITY);
  // A stage that was never deployed gets only the stack check, which also reports a failed look-up.
  const { aws } = here;
  const isDeployed = !aws || (await before(endsMs, () => aws.stack()).catch(() => true)) !== undefined;
  if (!isDeployed) return (await checkStack(here)).map((finding) => ({ check: 'stack', ...finding }));
  progress?.('Checking clock');
  const { findings: clock, deployment } = await before(endsMs, () => setClock(here)).catch((error: unknown) => ({
    findings: [unlooked('clock', error)],
    deployment: here,
  }));
  const found: CheckFinding[] = clock.map((finding) => ({ check: 'clock', ...finding }));
  for (const { name: check, look } of checks) {
    if (isExplained(found, check)) continue;
    progress?.(`Checking ${check}`);
    const findings = await before(endsMs, () => look(deployment)).catch((error: unknown) => [unlooked(check, error)]);
    found.push(...findings.map((finding) => ({ check, ...finding })));
  }
  return capped(found.filter(({ symptomOf = [] }) => !symptomOf.some((topic) => isExplained(found, topic))));
}

/** Maximum number of findings per check, counted separately for passed and failed ones. */
const MAX_LISTED = 50;

export function capped(all: readonly CheckFinding[]): CheckFinding[] {
  const kindOf = ({ check, state }: CheckFinding) => `${check} ${state}`;
  const kinds = Map.groupBy(all, kindOf);
  const listed = new Set([...kinds.values()].flatMap((kind) => kind.slice(0, MAX_LISTED + 1)));
  return all
    .filter((one) => listed.has(one))
    .map((one) => {
      const kind = kinds.get(kindOf(one)) ?? [];
      if (one !== kind[MAX_LISTED]) return one;
      const { check, state } = one;
      const todo = state === 'wrong' && { todo: 'Fix the findings above first, then run this again.' };
      const more = counted(kind.length - MAX_LISTED, 'more finding');
      return { check, state, message: `${more} for ${check} (${state}).`, ...todo };
    });
}

async function before<Result>(endsMs: number, look: () => Promise<Result>): Promise<Result> {
  const leftMs = endsMs - performance.now();
  if (leftMs === Number.POSITIVE_INFINITY) return look();
  if (leftMs <= 0) throw new TooLate();
  const timer = new AbortController();
  const late = sleep(leftMs, undefined, { signal: timer.signal }).then(() => {
    throw new TooLate();
  });
  return Promise.race([look(), late]).finally(() => timer.abort());
}

class TooLate extends Error {}

function isExplained(found: readonly Finding[], topic: Topic): boolean {
  return found.some(({ explains = [] }) => explains.includes(topic));
}

function unlooked(check: string, error: unknown): Finding {
  if (error instanceof TooLate) {
    return wrong(
      `There was not enough time to check ${check}.`,
      'Part of the stage is responding slowly. Run the check without a time limit: doctor',
    );
  }
  const isNowhere = error instanceof Error && 'code' in error && /^(ECONNREFUSED|ENOTFOUND)$/.test(String(error.code));
  if (isNowhere || missingAwsSetup(error)) throw error;
  if (error instanceof OperatorError) return wrong(error.message, 'Then run this again.');
  if (isDenied(error)) return wrong(`IAM denied the check of ${check}: ${error.message}`, `Give ${READING}`);
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return wrong(`The check of ${check} failed: ${words}`, `If the message does not say what to do, grant ${READING}`);
}

const READING =
  'the user who runs the doctor this permission. Read access to the service’s resources is enough, plus access to receive messages from the dead-letter queues.';

import { CLOCK_TOLERANCE_MS, hearClock } from '../../../phones/gateway/ask-smsgate.ts';
import { readAccounts } from '../../../phones/gateway/manage-accounts.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { isLoopback } from '../../../runtime/values/loopback.ts';
import { type Finding, fine, notHere, wrong } from '../finding.ts';

/**
 * Compares this machine's clock with AWS's clock or, on a local stack, a gateway's. Returns the deployment with a
 * corrected clock.
 */
export async function setClock(deployment: Deployment): Promise<{ findings: Finding[]; deployment: Deployment }> {
  const aheadMs = await theirsAheadMs(deployment);
  if (aheadMs === undefined)
    return { findings: [notHere('There is no other clock to compare with this machine’s clock.')], deployment };
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS)
    return { findings: [fine('This machine’s clock is correct.')], deployment };
  const { now } = deployment.outside;
  return {
    findings: [wrongClock(deployment, aheadMs)],
    deployment: { ...deployment, outside: { ...deployment.outside, now: () => now() + aheadMs } },
  };
}

/** Returns how far the other clock is ahead, in milliseconds. Returns undefined if that clock cannot be read. */
async function theirsAheadMs(deployment: Deployment): Promise<number | undefined> {
  const { outside } = deployment;
  const url = await otherClock(deployment).catch(() => undefined);
  if (!url) return undefined;
  const heard = hearClock(outside.fetch, outside.now);
  await heard.fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  return heard.aheadMs();
}

async function otherClock(deployment: Deployment): Promise<string | undefined> {
  if (deployment.aws) return deployment.baseUrl();
  return Object.values(await readAccounts(deployment))
    .map(({ url }) => url)
    .find((url) => !isLoopback(url));
}

function wrongClock({ aws }: Deployment, aheadMs: number): Finding {
  const by = `${Math.round(Math.abs(aheadMs) / MINUTE_MS)} minutes ${aheadMs > 0 ? 'behind' : 'ahead'}`;
  const meaning = aws
    ? 'The service uses AWS’s clock and is not affected. The checks below use AWS’s clock too.'
    : 'The local stack uses this clock and rejects callbacks that phones sign with the correct time.';
  return wrong(
    `This machine’s clock is ${by}. ${meaning}`,
    'Turn on automatic time in the system settings, or with: timedatectl set-ntp true',
    aws ? {} : { explains: ['clocks of phones'] },
  );
}

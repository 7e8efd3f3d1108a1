import { CLOCK_TOLERANCE_MS, hearClock } from '../../../phones/gateway/ask-smsgate.ts';
import { readAccounts } from '../../../phones/gateway/manage-accounts.ts';
import type { Deployment } from '../../../runtime/stage/place.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { isLoopback } from '../../../runtime/values/loopback.ts';
import { type Finding, fine, notHere, wrong } from '../finding.ts';

/**
 * Compares this machine's clock with AWS's, or on a laptop with a gateway's. Returns the place with the corrected time
 * for all later checks.
 */
export async function setClock(place: Deployment): Promise<{ findings: Finding[]; place: Deployment }> {
  const aheadMs = await theirsAheadMs(place);
  if (aheadMs === undefined)
    return { findings: [notHere('There is no other clock to compare this machine’s with.')], place };
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return { findings: [fine('This machine’s clock is right.')], place };
  const { now } = place.outside;
  return {
    findings: [wrongClock(place, aheadMs)],
    place: { ...place, outside: { ...place.outside, now: () => now() + aheadMs } },
  };
}

/**
 * Milliseconds the other clock is ahead of ours; undefined if there is none or it does not answer, which another check
 * reports.
 */
async function theirsAheadMs(place: Deployment): Promise<number | undefined> {
  const { outside } = place;
  const url = await otherClock(place).catch(() => undefined);
  if (!url) return undefined;
  const heard = hearClock(outside.fetch, outside.now);
  await heard.fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  return heard.aheadMs();
}

async function otherClock(place: Deployment): Promise<string | undefined> {
  if (place.aws) return place.baseUrl();
  return Object.values(await readAccounts(place))
    .map(({ url }) => url)
    .find((url) => !isLoopback(url));
}

function wrongClock({ aws }: Deployment, aheadMs: number): Finding {
  const by = `${Math.round(Math.abs(aheadMs) / MINUTE_MS)} minutes ${aheadMs > 0 ? 'behind' : 'ahead'}`;
  const meaning = aws
    ? 'The service uses AWS’s clock and is not affected. The checks below use AWS’s clock too.'
    : 'The local stack uses this clock, and refuses posts that phones sign with the right time.';
  return wrong(
    `This machine’s clock is ${by}. ${meaning}`,
    'Have it set automatically: timedatectl set-ntp true, or in the system settings.',
    aws ? {} : { explains: ['clocks of phones'] },
  );
}

import type { ReceivedEvent } from '../../phones/gateway/callback.ts';
import type { Outside, TimedOutside } from '../../runtime/outside/outside.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { endTest, findTest, noteReturned } from './hearing.table.ts';

/**
 * Completes a reception test if a phone forwards the test's text. The text must come from the wallet's own phone,
 * because the sending phone knows the nonce too.
 */
export async function hearTest(outside: TimedOutside, gateway: string, { deviceId, payload }: ReceivedEvent) {
  const nonce = nonceIn(payload.message);
  const test = nonce && (await findTest(outside, sha256(nonce)));
  if (!test || test.gateway !== gateway || test.device_id !== deviceId) return false;
  if (!(await endTest(outside, test, 'heard'))) await noteReturned(outside, test);
  return true;
}

/** Random bytes in the nonce (80 bits), so that nobody can guess it. */
const NONCE_BYTES = 10;

export function newNonce({ randomBytes }: Pick<Outside, 'randomBytes'>): string {
  return randomBytes(NONCE_BYTES).toString('hex');
}

export function hearingText(nonce: string): string {
  return `Momo Kiosk is checking that this phone receives texts. You do not need to do anything. Hearing test ${nonce}`;
}

function nonceIn(text: string): string | undefined {
  return /\bHearing test ([0-9a-f]{20})\b/.exec(text)?.[1];
}

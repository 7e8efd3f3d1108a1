import type { ReceivedEvent } from '../../phones/gateway/callback.ts';
import type { Outside, TimedOutside } from '../../runtime/outside/outside.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { endTest, findTest, noteReturned } from './hearing.table.ts';

/**
 * Whether a text that a phone posted is the one of its own wallet's hearing test, which is then heard. Only that phone can prove it:
 * another one that sent the text knows its nonce too. After a test was missed its phone is asked for its inbox, so what is posted
 * then proves no more than that the text was there.
 */
export async function hearTest(outside: TimedOutside, gateway: string, { deviceId, payload }: ReceivedEvent) {
  const nonce = nonceIn(payload.message);
  const test = nonce && (await findTest(outside, sha256(nonce)));
  if (!test || test.gateway !== gateway || test.device_id !== deviceId) return false;
  if (!(await endTest(outside, test, 'heard'))) await noteReturned(outside, test);
  return true;
}

/** 80 random bits: nobody who has not seen the text can make a phone seem to hear it. */
const NONCE_BYTES = 10;

export function newNonce({ randomBytes }: Pick<Outside, 'randomBytes'>): string {
  return randomBytes(NONCE_BYTES).toString('hex');
}

/** The text of a test, a single SMS. Its owner may read it. */
export function hearingText(nonce: string): string {
  return `Momo Kiosk checks that this phone receives texts. You need not do anything. Hearing test ${nonce}`;
}

/** The nonce in a text that has one; any text may. */
function nonceIn(text: string): string | undefined {
  return /\bHearing test ([0-9a-f]{20})\b/.exec(text)?.[1];
}

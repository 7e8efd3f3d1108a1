import type { ReceivedEvent } from '../../phones/gateway/callback.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { endTest, findTest, noteReturned } from './hearing.table.ts';
import { hashOfNonce, nonceIn } from './hearing-text.ts';

/**
 * Whether a text that a phone posted is the one of its own wallet's hearing test, which is then heard. Only that phone can prove it:
 * another one that sent the text knows its nonce too. After a test was missed its phone is asked for its inbox, so what is posted
 * then proves no more than that the text was there.
 */
export async function hearTest(
  outside: Pick<Outside, 'table' | 'now'>,
  gateway: string,
  { deviceId, payload }: ReceivedEvent,
): Promise<boolean> {
  const nonce = nonceIn(payload.message);
  const test = nonce && (await findTest(outside, hashOfNonce(nonce)));
  if (!test || test.gateway !== gateway || test.device_id !== deviceId) return false;
  if (!(await endTest(outside, test, 'heard'))) await noteReturned(outside, test);
  return true;
}

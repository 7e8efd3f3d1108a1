/**
 * challenge   CHALLENGE#<sha256> / CHALLENGE   a challenge that a passkey can sign once, within five minutes
 */
import { type Clock, endsIn, type IdOutside, nowSeconds } from '../../runtime/outside/outside.ts';
import { createItem, removeItem, type TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { sha256 } from '../../runtime/values/sha256.ts';

export const CHALLENGE_SECONDS = 5 * 60;

export function newChallenge(outside: IdOutside) {
  const challenge = outside.randomBytes(32).toString('base64url');
  return { challenge, write: createItem({ ...keyOf(challenge), ...endsIn(outside, CHALLENGE_SECONDS) }) };
}

/**
 * Uses up a challenge. The write fails if the challenge was used or has expired. Include the write in the transaction
 * that the challenge authorises.
 */
export function useChallenge(outside: Clock, challenge: string): TableWrite {
  return removeItem(keyOf(challenge), {
    when: 'expires_at_epoch_seconds > :now',
    values: { ':now': nowSeconds(outside) },
    refused: () => new PublicError('invalid_request', 'The request timed out or was sent twice. Try again.'),
  });
}

function keyOf(challenge: string) {
  return { pk: `CHALLENGE#${sha256(challenge)}`, sk: 'CHALLENGE' };
}

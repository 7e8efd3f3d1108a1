import { CHALLENGE_SECONDS, newChallenge } from '../../../merchants/user/challenge.table.ts';
import { type Answer, jsonAnswer } from '../../../runtime/http/answer.ts';
import { cookieName, cookieOf, setCookie } from '../../../runtime/http/cookies.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import type { Visit } from '../visit.ts';

const NAME = 'challenge';

/** What the script has a passkey sign. It is in a cookie too, so that no other browser's answer to it is taken for this one's. */
export async function makeChallenge(_visit: Visit, outside: Outside): Promise<Answer> {
  const { challenge, write } = newChallenge(outside);
  await outside.table.write([write]);
  const cookies = [setCookie(outside.baseUrl, NAME, challenge, CHALLENGE_SECONDS)];
  return { ...jsonAnswer(200, JSON.stringify({ challenge })), cookies };
}

/** The challenge that this browser got last. @throws PublicError `invalid_request` where it has none. */
export function challengeOf({ cookies }: Pick<Visit, 'cookies'>, { baseUrl }: Pick<Outside, 'baseUrl'>): string {
  const challenge = cookieOf(cookies, cookieName(baseUrl, NAME));
  if (challenge !== undefined) return challenge;
  throw new PublicError('invalid_request', 'That took too long. Try again.');
}

export function noChallengeCookie({ baseUrl }: Pick<Outside, 'baseUrl'>): string {
  return setCookie(baseUrl, NAME, '', 0);
}

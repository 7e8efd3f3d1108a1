import { html } from 'hono/html';
import * as z from 'zod/mini';
import { CHALLENGE_SECONDS, newChallenge } from '../../../merchants/user/challenge.table.ts';
import { deviceIn } from '../../../merchants/user/device.ts';
import { browserName } from '../../../merchants/user/session.ts';
import { sharedPhoneIn } from '../../../merchants/user/shared-phone.ts';
import type { Browser } from '../../../merchants/user/sign-in.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import { passkeyAlgorithms, passkeyHost } from '../../../merchants/user/verify-passkey.ts';
import { type Answer, jsonAnswer } from '../../../runtime/http/answer.ts';
import { cookieName, cookieOf, setCookie } from '../../../runtime/http/cookies.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { SIGN_IN } from '../parts/addresses.ts';
import type { Html } from '../parts/content.ts';
import { form } from '../parts/form.ts';
import type { Visit } from '../parts/visit.ts';

/** The browser's passkey response as JSON. */
export const PasskeyForm = z.object({
  credential: z.string('the passkey was not used').check(z.maxLength(8_000)),
  next: z.optional(z.string()),
});

interface Facts {
  readonly path: string;
  readonly submit: string;
  readonly next?: string | undefined;
}

/** Renders a form that asks for a passkey. The form requires JavaScript. */
export function usePasskeyForm(visit: Visit, outside: Pick<Outside, 'baseUrl'>, facts: Facts): Html {
  return passkeyForm(visit, facts, 'get', { rpId: passkeyHost(outside), userVerification: 'required' });
}

export function makePasskeyForm(
  visit: Visit,
  outside: Pick<Outside, 'baseUrl'>,
  { user, known }: { readonly user: User; readonly known: readonly string[] },
  facts: Facts,
): Html {
  return passkeyForm(visit, facts, 'create', {
    rp: { id: passkeyHost(outside), name: 'Momo Kiosk' },
    user: { id: Buffer.from(user.user_id).toString('base64url'), name: user.name, displayName: user.name },
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    excludeCredentials: known.map((id) => ({ type: 'public-key', id })),
    attestation: 'none',
  });
}

function passkeyForm(visit: Visit, { next, ...facts }: Facts, operation: 'get' | 'create', options: object): Html {
  const fields = html`<input type="hidden" name="credential" data-passkey="${operation}" data-options="${JSON.stringify(options)}" data-challenge="${SIGN_IN}/challenge">
${next !== undefined && html`<input type="hidden" name="next" value="${next}">`}
<p class="fault" role="alert" data-passkey-fault hidden></p>
<noscript><p class="fault">Passkeys need JavaScript. Turn it on for this page.</p></noscript>`;
  return form(visit, facts, fields);
}

export function browserOf(
  { headers, cookies }: Pick<Visit, 'headers' | 'cookies'>,
  own: Pick<Outside, 'baseUrl'>,
): Browser {
  return {
    browser: browserName(headers['user-agent']),
    device: deviceIn(own, cookies),
    proof: sharedPhoneIn(own, cookies),
  };
}

const NAME = 'challenge';

/** Creates a challenge for a passkey to sign. A cookie binds the challenge to this browser. */
export async function makeChallenge(_visit: Visit, outside: Outside): Promise<Answer> {
  const { challenge, write } = newChallenge(outside);
  await outside.table.write([write]);
  const cookies = [setCookie(outside.baseUrl, NAME, challenge, CHALLENGE_SECONDS)];
  return { ...jsonAnswer(200, JSON.stringify({ challenge })), cookies };
}

/** Reads this browser's latest challenge. @throws PublicError `invalid_request` if there is none. */
export function challengeOf({ cookies }: Pick<Visit, 'cookies'>, { baseUrl }: Pick<Outside, 'baseUrl'>): string {
  const challenge = cookieOf(cookies, cookieName(baseUrl, NAME));
  if (challenge !== undefined) return challenge;
  throw new PublicError('invalid_request', 'That took too long. Try again.');
}

export function noChallengeCookie({ baseUrl }: Pick<Outside, 'baseUrl'>): string {
  return setCookie(baseUrl, NAME, '', 0);
}

import { html } from 'hono/html';
import * as z from 'zod/mini';
import type { User } from '../../../merchants/user/user.table.ts';
import { passkeyAlgorithms, passkeyHost } from '../../../merchants/user/verify-passkey.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SIGN_IN } from '../addresses.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import type { Visit } from '../visit.ts';

/** What the browser made of a passkey, as JSON in one field. */
export const PasskeyForm = z.object({
  credential: z.string('the passkey was not used').check(z.maxLength(8_000)),
  next: z.optional(z.string()),
});

interface Facts {
  /** The form's own path in the table of pages. */
  readonly path: string;
  readonly action: string;
  readonly submit: string;
  readonly next?: string | undefined;
}

/** A form whose button has the browser ask for a passkey. It is the one thing that does not work without a script. */
export function usePasskeyForm(visit: Visit, outside: Pick<Outside, 'baseUrl'>, facts: Facts): Html {
  return passkeyForm(visit, facts, 'get', { rpId: passkeyHost(outside), userVerification: 'required' });
}

/** A form whose button has the browser make a passkey; `known` are the ids of those that the person has. */
export function makePasskeyForm(
  visit: Visit,
  outside: Pick<Outside, 'baseUrl'>,
  user: User,
  known: readonly string[],
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

function passkeyForm(visit: Visit, { next, ...facts }: Facts, does: 'get' | 'create', options: object): Html {
  const fields = html`<input type="hidden" name="credential" data-passkey="${does}" data-options="${JSON.stringify(options)}" data-challenge="${SIGN_IN}/challenge">
${next !== undefined && html`<input type="hidden" name="next" value="${next}">`}
<p class="fault" role="alert" data-passkey-fault hidden></p>
<noscript><p class="fault">A passkey needs JavaScript: switch it on for this page.</p></noscript>`;
  return form(visit, facts, () => fields);
}

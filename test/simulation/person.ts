import type { AreaHandler } from '../../shared/dashboard/area.ts';
import type { User } from '../../shared/user/user.table.ts';
import { signIn, signInAgain } from '../support/dashboard.ts';
import { Violation } from './invariants.ts';
import type { Kiosk } from './kiosk.ts';

const people = new WeakMap<Kiosk, { readonly user: User; token: string }>();

/** An owner of the first shop, with a passkey that was used just now. */
export async function letOwnerIn(kiosk: Kiosk): Promise<void> {
  people.set(kiosk, { ...(await signIn(kiosk, 'owner', kiosk.shops[0]?.id)) });
}

export function ownerOf(kiosk: Kiosk): User {
  const person = people.get(kiosk);
  if (!person) throw new Error('Nobody was let in');
  return person.user;
}

/**
 * Taps a form's button until the dashboard answers that it is done, as people do: again where nothing comes or it says that something
 * went wrong, from the same page; and with the passkey where it is asked for. @throws Violation if it is refused.
 */
export async function tapUntilDone(
  kiosk: Kiosk,
  name: string,
  handler: AreaHandler,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<void> {
  for (let taps = 0; taps < 20; taps++) {
    const person = people.get(kiosk);
    if (!person) throw new Error('Nobody was let in');
    const answer = await kiosk.request(name, handler, {
      method: 'POST',
      path,
      cookies: [`__Host-session=${person.token}`],
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      body: new URLSearchParams({ ...form, once: 'one.page' }).toString(),
    });
    const { statusCode = 0, headers } = answer ?? {};
    const leadsTo = String(headers?.location ?? '');
    if (leadsTo.startsWith('/dashboard/sign-in')) person.token = (await signInAgain(kiosk, person.user)).token;
    else if (statusCode >= 200 && statusCode < 400) return;
    else if (statusCode >= 400 && statusCode < 500) throw new Violation(`${path} answered ${statusCode}`);
    kiosk.nowMs += 2_000;
  }
  throw new Violation(`${path} was not done in 20 taps`);
}

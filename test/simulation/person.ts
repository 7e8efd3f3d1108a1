import type { User } from '../../shared/merchants/user/user.table.ts';
import type { Answer } from '../../shared/runtime/http/answer.ts';
import { callOf, type Person, signIn, signInAgain } from '../support/dashboard.ts';
import { areaAt } from '../support/functions.ts';
import { Violation } from './invariants.ts';
import type { Kiosk } from './kiosk.ts';
import type { Chance } from './random.ts';

/** A completed dashboard form. */
export interface FilledForm {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Submits a form. `once` is the id of the page with the form. Returns undefined if no response arrives. */
export function tap(
  kiosk: Kiosk,
  token: string,
  { path, fields }: FilledForm,
  once: string,
): Promise<Answer | undefined> {
  return kiosk.request(areaAt(path), callOf(path, { by: { token }, form: { ...fields, once } }));
}

/** Starts a session. Returns undefined if the response was lost. */
export function enter(kiosk: Kiosk, user: User): Promise<string | undefined> {
  return kiosk.faults.run('admin', async () => (await signInAgain(kiosk, user)).token);
}

/** Submits a form, sometimes twice. Returns the page's id and the responses. */
export async function tapOnceOrTwice(kiosk: Kiosk, chance: Chance, token: string, form: FilledForm) {
  const once = `page-${chance.between(1, 1_000_000_000)}`;
  const answers: (Answer | undefined)[] = [];
  for (let taps = chance.pick([1, 1, 2]); taps > 0; taps--) answers.push(await tap(kiosk, token, form, once));
  return { once, answers };
}

/** Signs in an owner of the first shop with a passkey. */
export async function letOwnerIn(kiosk: Kiosk): Promise<void> {
  kiosk.person = await signIn(kiosk, 'owner', kiosk.shops[0]?.id);
}

function personOf({ person }: Kiosk): Person {
  if (!person) throw new Error('Nobody was let in');
  return person;
}

export function ownerOf(kiosk: Kiosk): User {
  return personOf(kiosk).user;
}

/** Submits a form until it succeeds, with the passkey if required. @throws Violation if the form is rejected. */
export async function tapUntilDone(kiosk: Kiosk, form: FilledForm, page = 'one'): Promise<void> {
  for (let taps = 0; taps < 20; taps++) {
    const { statusCode = 0, headers } = (await tap(kiosk, personOf(kiosk).token, form, `${page}.page`)) ?? {};
    const leadsTo = String(headers?.location ?? '');
    if (leadsTo.startsWith('/dashboard/sign-in')) kiosk.person = await signInAgain(kiosk, ownerOf(kiosk));
    else if (statusCode >= 200 && statusCode < 400) return;
    else if (statusCode >= 400 && statusCode < 500) throw new Violation(`${form.path} answered ${statusCode}`);
    kiosk.nowMs += 2_000;
  }
  throw new Violation(`${form.path} was not done in 20 taps`);
}

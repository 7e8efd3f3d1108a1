import { html } from 'hono/html';
import { safeNext } from '../addresses.ts';
import type { Going, Shown, Visit, Visitor } from '../visit.ts';

/** Where a person signs in; who is signed in goes on. */
export async function showSignIn({
  query,
  visitor,
}: Visit & { readonly visitor: Visitor | undefined }): Promise<Shown | Going> {
  if (visitor) return { goTo: safeNext(query.next) };
  return { title: 'Sign in', main: html`<p>You are not signed in, or your session has ended.</p>` };
}

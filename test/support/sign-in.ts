import { plain } from '../../infra/local/story/visitor.ts';
import { type PageCall, type Person, visitPath } from './dashboard.ts';
import { newPasskey, type TestPasskey } from './passkeys.ts';
import type { World } from './world.ts';

const SIGN_IN = '/dashboard/sign-in';

/** Opens an invitation in a new browser, and creates a passkey there. */
export async function accept(world: World, token: string, idBytes?: number) {
  return makePasskey(world, `${SIGN_IN}/invitation/${token}`, {}, idBytes);
}

/** Adds a passkey for a signed-in person. */
export async function addPasskey(world: World, by: Pick<Person, 'token'>) {
  return makePasskey(world, `${SIGN_IN}/account/passkey`, { by });
}

async function makePasskey(world: World, path: string, from: PageCall, idBytes?: number) {
  const { challenge, cookie } = await newChallenge(world);
  const { text } = await visitPath(world, path, from);
  const options = JSON.parse(plain(/data-options="([^"]*)"/.exec(text)?.[1] ?? '{}'));
  const passkey = newPasskey(world.outside.baseUrl, options.user?.id ?? '', idBytes);
  const form = { credential: passkey.make(challenge) };
  return { passkey, answer: await visitPath(world, path, { ...from, form, cookies: [cookie] }) };
}

/** Signs in with a passkey in a new browser. */
export async function signInBy(
  world: World,
  passkey: TestPasskey,
  { cookies = [] }: { cookies?: string[] } = {},
  how: Parameters<TestPasskey['sign']>[1] = {},
) {
  const { challenge, cookie } = await newChallenge(world);
  const form = { credential: passkey.sign(challenge, how) };
  return visitPath(world, SIGN_IN, { form, cookies: [cookie, ...cookies] });
}

/** Returns the session's token of a response that signs somebody in. */
export function tokenIn(cookies: readonly string[]): string {
  return /^__Host-session=([^;]+)/.exec(cookies.find((one) => one.startsWith('__Host-session=')) ?? '')?.[1] ?? '';
}

export async function newChallenge(world: World) {
  const { json, cookies } = await visitPath(world, `${SIGN_IN}/challenge`, { form: {} });
  return { challenge: String(json.challenge), cookie: cookies[0]?.split(';')[0] ?? '' };
}

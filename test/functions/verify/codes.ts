import * as z from 'zod';
import { scan } from '../../support/rows.ts';
import { type Merchant, scene } from '../../support/scene.ts';
import type { Call, World } from '../../support/world.ts';

export const SENDER = '+233241234567';
export const PHONE = '+233551112223';

/** Creates a world with a sender and a merchant that has credits. */
export async function open({ credits = 100 } = {}) {
  const world = await scene({ inMemory: true });
  await world.createSender(SENDER);
  return { world, merchant: await world.createMerchant({ credits }) };
}

export function start(merchant: Merchant, body: object = {}, more: Call = {}) {
  return merchant.call('verify/start', { body: { to: PHONE, ...body }, ...more });
}

export function check(merchant: Merchant, id: string, code: unknown, more: Call = {}) {
  return merchant.call('verify/check', { body: { id, code }, ...more });
}

/** Returns the stored text of an unsent code. */
export async function textOf(world: World, id: string): Promise<string> {
  const row = (await scan(world)).find(({ pk }) => pk === `CODE_TEXT#${id}`);
  return z.object({ text: z.string() }).parse(row).text;
}

/** Returns the code in the stored text. */
export async function codeOf(world: World, id: string): Promise<string> {
  return /\d{6,8}/.exec(await textOf(world, id))?.[0] ?? '';
}

/** Returns a wrong code. */
export function wrongFor(code: string, n = 1): string {
  return String((Number(code) + n) % 10 ** code.length).padStart(code.length, '0');
}

/** Requests a code. @returns the code and its id. */
export async function sentCode(world: World, merchant: Merchant, body: object = {}) {
  const { json } = await start(merchant, body);
  const id: string = json.data.id;
  return { id, code: await codeOf(world, id) };
}

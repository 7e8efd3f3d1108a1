import { handler as open } from '../../../functions/r/open.ts';
import { handler as create } from '../../../functions/request/create.ts';
import { handler as show } from '../../../functions/request/show.ts';
import { referenceOfAccessCode } from '../../../shared/money/transaction/transaction.table.ts';
import type { Shop } from '../../support/receipts.ts';
import { call, type World } from '../../support/world.ts';

type Payer = Pick<Shop, 'liveKey'>;

/** Makes a request by the API, and gives the whole answer. */
export function askFor(world: World, { liveKey: key }: Payer, body: object, headers: Record<string, string> = {}) {
  return call(world, create, { method: 'POST', key, body, headers });
}

/** The same, where it goes well: its slug. */
export async function made(world: World, shop: Payer, body: object): Promise<string> {
  const { status, json } = await askFor(world, shop, body);
  if (status !== 200) throw new Error(`A request was answered ${status}: ${JSON.stringify(json)}`);
  return json.data.slug;
}

export async function shown(world: World, { liveKey: key }: Payer, slug: string) {
  return (await call(world, show, { key, parameters: { slug } })).json.data;
}

/** Presses Pay on a request's page, as a browser does. */
export function pressPayPart(world: World, slug: string, amount: string, sourceIp?: string) {
  return call(world, open, {
    method: 'POST',
    path: `/r/${slug}`,
    parameters: { slug },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ amount }).toString(),
    ...(sourceIp && { sourceIp }),
  });
}

/** The same, where it goes well: the charge's reference. */
export async function openPart(world: World, slug: string, amount: string): Promise<string> {
  const { status, headers, text } = await pressPayPart(world, slug, amount);
  const [, code = ''] = /^\/checkout\/(\w+)$/.exec(headers.location ?? '') ?? [];
  const reference = referenceOfAccessCode(code);
  if (status !== 303 || !reference) throw new Error(`Pay was answered ${status}: ${text}`);
  return reference;
}

import { handler as open } from '../../../functions/pay/open.ts';
import { referenceOfAccessCode } from '../../../shared/money/transaction/transaction.table.ts';
import { call, type World } from '../../support/world.ts';

/** Presses Pay on a link's page, as a browser does. */
export function pressPay(world: World, slug: string, typed: Record<string, string> = {}, sourceIp?: string) {
  return call(world, open, {
    method: 'POST',
    path: `/pay/${slug}`,
    parameters: { slug },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(typed).toString(),
    ...(sourceIp && { sourceIp }),
  });
}

/** The same, where it goes well: the charge that was opened. */
export async function openLink(world: World, slug: string, typed: Record<string, string> = {}) {
  const { status, headers } = await pressPay(world, slug, typed);
  const [, access_code] = /^\/checkout\/(\w+)$/.exec(headers.location ?? '') ?? [];
  const reference = access_code && referenceOfAccessCode(access_code);
  if (status !== 303 || !access_code || !reference) throw new Error(`Pay was answered ${status}`);
  return { access_code, reference };
}

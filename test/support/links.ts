import { handler as openLinkRoute } from '../../functions/pay/open.ts';
import { handler as openRequestRoute } from '../../functions/r/open.ts';
import { referenceOfAccessCode } from '../../shared/money/charge/charge.table.ts';
import { call, type World } from './world.ts';

type Typed = Record<string, string>;

export function pressPay(world: World, slug: string, typed: Typed = {}, sourceIp?: string) {
  return call(world, openLinkRoute, pressed(slug, typed, sourceIp));
}

export function pressPayPart(world: World, slug: string, amount: string, sourceIp?: string) {
  return call(world, openRequestRoute, pressed(slug, { amount }, sourceIp));
}

export async function openLink(world: World, slug: string, typed?: Typed, sourceIp?: string) {
  return opened(await pressPay(world, slug, typed, sourceIp));
}

export async function openPart(world: World, slug: string, amount: string): Promise<string> {
  return opened(await pressPayPart(world, slug, amount)).reference;
}

function pressed(slug: string, typed: Typed, sourceIp?: string) {
  return {
    parameters: { slug },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(typed).toString(),
    ...(sourceIp && { sourceIp }),
  };
}

function opened({ status, headers, text }: Awaited<ReturnType<typeof pressPay>>) {
  const [, access_code = ''] = /^\/checkout\/(\w+)$/.exec(headers.location ?? '') ?? [];
  const reference = referenceOfAccessCode(access_code);
  if (status !== 303 || !reference) throw new Error(`Pay responded with status ${status}: ${text}`);
  return { access_code, reference };
}

import { createHash } from 'node:crypto';
import { type Call, FORWARDER_KEYS, type World } from './world.ts';

/** The callback body of a forwarding app (`docs/integrate/forwarders.md`). */
export interface Forwarded {
  readonly sent_at: string | number;
  readonly from: string;
  readonly to: string | number;
  readonly received_at: string | number;
  readonly text: string;
}

export function forwarded({ clock }: World, given: Partial<Forwarded> & Pick<Forwarded, 'text' | 'to'>): Forwarded {
  const now = new Date(clock.nowMs).toISOString();
  return { sent_at: now, from: 'MobileMoney', received_at: now, ...given };
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function signed(lines: Forwarded, key: string): string {
  const { sent_at, from, to, received_at, text } = lines;
  return sha256(key + sha256(`${key}${sent_at}\n${from}\n${to}\n${received_at}\n${text}`));
}

export function forwarderCall(
  lines: Forwarded,
  { phone = 'till', key }: { phone?: string; key?: string } = {},
): Call & { readonly body: Forwarded & { readonly signature: string } } {
  const own = new Map(Object.entries(FORWARDER_KEYS)).get(phone) ?? '';
  return {
    path: `/callback/forwarder/${phone}`,
    parameters: { phone },
    body: { ...lines, signature: signed(lines, key ?? own) },
  };
}

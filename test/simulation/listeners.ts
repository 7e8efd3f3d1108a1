import { createDevice, type Device, NoticeKind, TEXT_SLOT } from '../../shared/merchants/user/device.table.ts';
import type { User } from '../../shared/merchants/user/user.table.ts';
import { publicPushKey } from '../../shared/push/push-key.table.ts';
import { type Payload, TestBrowser } from '../support/push-service.ts';
import type { Kiosk } from './kiosk.ts';

interface Listening {
  readonly kinds?: readonly NoticeKind[];
  readonly to?: string;
}

/** Turns on notifications for a person, by push or by text. */
export async function listen(
  kiosk: Kiosk,
  { merchant_id, user_id }: User,
  { kinds = NoticeKind.options, to }: Listening = {},
): Promise<void> {
  await publicPushKey(kiosk.outside);
  if (merchant_id === undefined) throw new Error('Who runs the stage is not told');
  const browser = new TestBrowser(`https://push.example.com/${user_id}`);
  const device: Device = {
    merchant_id,
    user_id,
    slot: to ? TEXT_SLOT : '1',
    device_id: user_id,
    ...(to ? { to, texts_per_day: 20 } : { subscription: subscriptionOf(browser) }),
    kinds: [...kinds],
    shows_details: false,
    created_at: new Date(kiosk.nowMs).toISOString(),
  };
  if (!to) kiosk.browsers.set(browser.endpoint, browser);
  kiosk.listeners.set(browser.endpoint, { merchant_id, user_id });
  await kiosk.outside.table.write([createDevice(device)]);
}

function subscriptionOf(browser: TestBrowser) {
  const { endpoint, keys } = JSON.parse(browser.subscription);
  return { endpoint, p256dh: keys.p256dh, auth: keys.auth };
}

/** Returns the push notifications without copies. */
export function toldIn(kiosk: Kiosk): Payload[] {
  const all = kiosk.pushed.map((push) => {
    const browser = kiosk.browsers.get(push.url);
    if (!browser) throw new Error('Nobody has this browser');
    return browser.open(push);
  });
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/** Returns the notifications since the last call, with their devices. */
export function newNotifications(kiosk: Kiosk): { device: Pick<User, 'merchant_id' | 'user_id'>; payload: Payload }[] {
  const from = seen.get(kiosk) ?? 0;
  seen.set(kiosk, kiosk.pushed.length);
  return kiosk.pushed.slice(from).flatMap((push) => {
    const [browser, device] = [kiosk.browsers.get(push.url), kiosk.listeners.get(push.url)];
    return browser && device ? [{ device, payload: browser.open(push) }] : [];
  });
}

const seen = new WeakMap<Kiosk, number>();

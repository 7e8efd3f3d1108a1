import { describe, expect, test } from 'vitest';
import type { MetricName } from '../../shared/runtime/outside/metric-names.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { askPhoneAgain } from '../../shared/wallets/wallet/ask-again.ts';
import { reportFigure } from '../support/figures.ts';
import { mtn } from '../support/receipts.ts';
import { rotatingTest } from '../support/rotating-test.ts';
import { sliceOf } from '../support/slice.ts';
import { checkAlways, checkAtTheEnd } from './invariants.ts';
import { DEVICES, Kiosk, SIGNING_KEY } from './kiosk.ts';
import { chanceFrom } from './random.ts';

const rotating = rotatingTest(3);

/** A fault that stops payments must be reported within 15 minutes. */
const HEARD_MINUTES = 16;
/** Gauges that housekeeping publishes every minute. */
const GAUGES = [
  'phones_not_heard',
  'callbacks_not_understood',
  'senders_held_back',
  'senders_failing',
  'texts_overdue',
  'receipts_overdue',
  'wallets_unread',
  'webhooks_off',
] as const satisfies readonly MetricName[];
type Gauge = (typeof GAUGES)[number];

interface Fault {
  readonly plant: (kiosk: Kiosk) => void;
  readonly repair: (kiosk: Kiosk) => void;
  /** The gauges that must report the fault. No other gauge may report it. */
  readonly heardBy: readonly Gauge[];
  /** Delivery result of all texts during the fault. */
  readonly outcome?: 'Failed';
  /** Changes the network's messages during the fault. */
  readonly wording?: (receipt: string) => string;
  /** True if texts are eventually rejected. */
  readonly isHeldBack?: boolean;
  /** Minutes until the gauge returns to 0 after the repair. Default: 2. */
  readonly overAfterMinutes?: number;
  /** Further minutes without customers until the gauge returns to 0. Default: 0. */
  readonly quietMinutes?: number;
}

const [device] = DEVICES;
const right = { key: SIGNING_KEY, skewMs: 0, id: device };
const repairSigning = (kiosk: Kiosk) => void kiosk.signing.set(device, right);
const breakGateway = (fault: Kiosk['phones']['fault']) => (kiosk: Kiosk) => {
  kiosk.phones.fault = fault;
};
const repairGateway = breakGateway(undefined);
const start = (name: string) => (kiosk: Kiosk) => void kiosk.stopped.delete(name);
const stop = (name: string) => (kiosk: Kiosk) => void kiosk.stopped.add(name);

const faults: Readonly<Record<string, Fault>> = {
  'a wrong or rotated signing key': {
    plant: ({ signing }) => signing.set(device, { ...right, key: 'rotated' }),
    repair: repairSigning,
    heardBy: ['phones_not_heard'],
  },
  'a phone whose clock is an hour behind': {
    plant: ({ signing }) => signing.set(device, { ...right, skewMs: -3_600_000 }),
    repair: repairSigning,
    heardBy: ['phones_not_heard'],
  },
  'a reinstalled app with an outdated gateway entry': {
    plant: ({ signing }) => signing.set(device, { ...right, id: 'device-new' }),
    repair: repairSigning,
    heardBy: ['phones_not_heard'],
  },
  'an app that encrypts callbacks': {
    plant: ({ signing }) => signing.set(device, { ...right, app: 'encrypting' }),
    repair: repairSigning,
    heardBy: ['callbacks_not_understood'],
    // The gauge reports the phone until a day has passed without an unread callback.
    quietMinutes: 24 * 60,
  },
  'an offline phone': {
    plant: ({ phones }) => phones.switch(device, false),
    repair: ({ phones }) => phones.switch(device, true),
    // The overdue texts are reported before the silent phone is.
    heardBy: ['texts_overdue', 'phones_not_heard'],
    isHeldBack: true,
  },
  'an app that stopped forwarding': {
    plant: (kiosk) => {
      kiosk.pinging.delete(device);
      kiosk.signing.set(device, { ...right, key: 'none' });
    },
    repair: (kiosk) => {
      kiosk.pinging.add(device);
      repairSigning(kiosk);
    },
    heardBy: ['phones_not_heard'],
  },
  'a removed SIM': {
    plant: ({ phones }) => phones.withoutSim.add(device),
    repair: ({ phones }) => phones.withoutSim.delete(device),
    heardBy: ['senders_held_back'],
    isHeldBack: true,
  },
  'a gateway that rejects the account': {
    plant: breakGateway('rejects'),
    repair: repairGateway,
    heardBy: ['senders_held_back'],
    isHeldBack: true,
  },
  'an unresponsive gateway': {
    plant: breakGateway('hangs'),
    repair: repairGateway,
    heardBy: ['senders_held_back'],
    isHeldBack: true,
  },
  'a gateway outage': {
    plant: breakGateway('down'),
    repair: repairGateway,
    heardBy: ['senders_held_back'],
    isHeldBack: true,
  },
  'a SIM without airtime': {
    plant: () => {},
    repair: () => {},
    outcome: 'Failed',
    heardBy: ['senders_failing'],
    // The sender recovers after six more texts.
    overAfterMinutes: 12,
  },
  'a text worker that is never invoked': {
    plant: stop('work/deliver-sms'),
    repair: start('work/deliver-sms'),
    heardBy: ['texts_overdue'],
  },
  'a relay that is never invoked': {
    plant: stop('work/relay'),
    repair: start('work/relay'),
    heardBy: ['texts_overdue', 'receipts_overdue'],
  },
  'a changed network message': {
    plant: () => {},
    repair: () => {},
    wording: (receipt) => receipt.replace('Payment received', 'You were paid'),
    heardBy: ['wallets_unread'],
    overAfterMinutes: 9,
  },
  'a receipt worker that is never invoked': {
    plant: stop('work/settle-receipt'),
    repair: start('work/settle-receipt'),
    heardBy: ['receipts_overdue'],
  },
};

test.each(sliceOf(Object.entries(faults), 4))('%s is reported within 15 minutes', async (_, fault) => {
  const kiosk = await openKiosk();
  await live(kiosk, 6);
  expect(measured(kiosk)).toEqual({});

  fault.plant(kiosk);
  const heard = new Set<string>();
  let minutes = 0;
  for (; minutes < HEARD_MINUTES && heard.size < fault.heardBy.length; minutes++) {
    await live(kiosk, 1, fault);
    for (const name of Object.keys(measured(kiosk))) heard.add(name);
  }
  reportFigure(`heard: ${_}, after ${minutes} minutes`);
  expect([...heard].sort()).toEqual([...fault.heardBy].sort());
  expect((await text(kiosk))?.statusCode).toBe(fault.isHeldBack ? 503 : 200);

  fault.repair(kiosk);
  await live(kiosk, fault.overAfterMinutes ?? 2);
  await pass(kiosk, fault.quietMinutes ?? 0, 5);
  expect(measured(kiosk)).toEqual({});
  expect((await text(kiosk))?.statusCode).toBe(200);
  // The unreadable callbacks were resent.
  expect(kiosk.phones.inbox).toEqual([]);
  await rest(kiosk);
});

describe('a phone that forwards no texts', () => {
  rotating('is reported within two hours after twelve silent hours', async () => {
    const kiosk = await openKiosk();
    await live(kiosk, 6);
    kiosk.phones.deaf.add(device);
    const [shop] = kiosk.shops;
    const lost = mtn({ amount: '5.00', from: 'ESI CANARY', reference: 'shoes', id: '50000000001' }).text;
    kiosk.arrive(device, lost);
    let minutes = 0;
    for (; minutes < 24 * 60 && !measured(kiosk).phones_not_heard; minutes++) await pass(kiosk, 1);
    reportFigure(`heard: a phone that does not hear, after ${minutes} minutes`);
    expect(measured(kiosk)).toEqual({ phones_not_heard: 1 });
    // A wallet may be silent for twelve hours.
    expect(minutes).toBeGreaterThan(12 * 60);
    expect(minutes).toBeLessThan(14 * 60);
    expect(textsTo(kiosk, shop?.number)).toHaveLength(2);
    // The app found the payment in its inbox.
    expect(kiosk.thanked.map(({ message }) => message)).toContain(lost);
    expect(kiosk.memory.items().filter(({ transaction_id }) => transaction_id === '50000000001')).toHaveLength(1);

    kiosk.phones.deaf.delete(device);
    await live(kiosk, 2);
    expect(measured(kiosk)).toEqual({});
    await rest(kiosk);
  });

  rotating('is reported even if its gateway cannot make the phone resend', async () => {
    const kiosk = await openKiosk();
    kiosk.phones.refreshes = false;
    kiosk.phones.deaf.add(device);
    await pass(kiosk, 14 * 60);
    expect(measured(kiosk)).toEqual({ phones_not_heard: 1 });
  });
});

rotating('a payment that a phone missed is settled once after its inbox is requested', async () => {
  const kiosk = await openKiosk();
  // Housekeeping would detect the missing text and request it.
  kiosk.stopped.add('work/housekeeping');
  await live(kiosk, 2);
  const receipt = (id: string) => mtn({ amount: '5.00', from: 'ESI CANARY', reference: 'shoes', id }).text;
  kiosk.arrive(device, receipt('50000000001'), 'MobileMoney', true);
  kiosk.arrive(device, receipt('50000000002'));
  await live(kiosk, 2);
  expect(kiosk.thanked.map(({ message }) => message)).not.toContain(receipt('50000000001'));

  const now = new Date(kiosk.nowMs).toISOString();
  const since = new Date(kiosk.nowMs - 10 * MINUTE_MS).toISOString();
  const phone = { gateway: 'phone', device_id: device };
  const asked = await Promise.all([1, 2, 3].map(() => askPhoneAgain(kiosk.outside, phone, since, now)));
  expect(asked.filter(Boolean)).toHaveLength(1);
  kiosk.stopped.delete('work/housekeeping');
  await live(kiosk, 2);
  for (const id of ['50000000001', '50000000002'])
    expect(
      kiosk.memory.items().filter(({ sk, transaction_id }) => sk === 'RECEIPT' && transaction_id === id),
    ).toHaveLength(1);
  expect(kiosk.phones.inbox).toEqual([]);
  expect(measured(kiosk)).toEqual({});
  await rest(kiosk);
});

rotating('days without customers trigger no alarm and cost at most two texts a day', async () => {
  const kiosk = await openKiosk();
  for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 5) {
    await pass(kiosk, 5, 5);
    expect(measured(kiosk)).toEqual({});
  }
  for (const { number } of kiosk.shops) {
    expect(textsTo(kiosk, number).length).toBeGreaterThan(2);
    expect(textsTo(kiosk, number).length).toBeLessThanOrEqual(6);
  }
});

rotating('hours without faults and a quiet night trigger no alarm', async () => {
  const kiosk = await openKiosk();
  for (let n = 0; n < 60; n++) {
    await live(kiosk, 1);
    expect(measured(kiosk)).toEqual({});
  }
  for (let n = 0; n < 4 * 60; n++) {
    await kiosk.wait(MINUTE_MS);
    expect(measured(kiosk)).toEqual({});
  }
  expect(kiosk.counted.housekeeping_runs).toBe(5 * 60);
});

rotating('housekeeping that never runs reports nothing, not even zeros', async () => {
  const kiosk = await openKiosk();
  await live(kiosk, 2);
  const before = kiosk.counted.housekeeping_runs;
  kiosk.stopped.add('work/housekeeping');
  await live(kiosk, 5);
  expect(kiosk.counted.housekeeping_runs).toBe(before);
});

async function openKiosk(): Promise<Kiosk> {
  const kiosk = new Kiosk(chanceFrom(1));
  await kiosk.open(() => 5_000);
  for (const each of DEVICES) kiosk.pinging.add(each);
  return kiosk;
}

/** Simulates minutes at a shop, each with a sent text and a payment. */
async function live(
  kiosk: Kiosk,
  minutes: number,
  { outcome, wording = (receipt) => receipt }: Pick<Partial<Fault>, 'outcome' | 'wording'> = {},
): Promise<void> {
  for (let n = 0; n < minutes; n++) {
    await text(kiosk);
    const id = String(50_000_000_000 + kiosk.chance.between(0, 999_999_999));
    const receipt = mtn({ amount: '5.00', from: 'ESI CANARY', reference: 'shoes', id }).text;
    kiosk.arrive(device, wording(receipt));
    await kiosk.goOn(() => outcome ?? 'Sent');
    await kiosk.wait(MINUTE_MS);
    await kiosk.goOn(() => outcome ?? 'Sent');
  }
}

/** Simulates minutes without customers. */
async function pass(kiosk: Kiosk, minutes: number, stepMinutes = 1): Promise<void> {
  for (let n = 0; n < minutes; n += stepMinutes) {
    await kiosk.wait(stepMinutes * MINUTE_MS);
    await kiosk.goOn();
  }
}

/** Returns the texts sent to a number. */
function textsTo(kiosk: Kiosk, number: string | undefined) {
  return kiosk.phones.held.filter(({ id, to }) => to === number && kiosk.phones.sent.has(id));
}

/** Simulates quiet days and checks the final state. @throws Violation */
async function rest(kiosk: Kiosk): Promise<void> {
  for (let hours = 0; hours < 5 * 24; hours += 6) {
    await kiosk.wait(6 * 60 * MINUTE_MS);
    await kiosk.goOn();
  }
  checkAlways(kiosk);
  checkAtTheEnd(kiosk);
}

function text(kiosk: Kiosk) {
  const [shop] = kiosk.shops;
  const body = { to: '0551112222', message: 'Hello canary', from: shop?.number };
  return kiosk.request('sms/send', { key: shop?.smsKey ?? '', body });
}

/** Returns the nonzero gauges of the last run. */
function measured(kiosk: Kiosk): Record<string, number> {
  return Object.fromEntries(GAUGES.flatMap((name) => (kiosk.measured[name] ? [[name, kiosk.measured[name]]] : [])));
}

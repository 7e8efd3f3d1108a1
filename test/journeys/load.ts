import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { connect } from '../../infra/admin/deployment.ts';
import type { DemoFacts } from '../../infra/local/stack.ts';
import { createCharge, sendText, setWebhook, showCharge, showText, until } from '../../infra/local/story/steps.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { startServer } from '../support/server.ts';
import { askPhone } from './joined-stack.ts';
import { shopOf } from './story.ts';

/** Interval between charges and between texts. */
const CHARGE_EVERY_MS = 4_000;
const TEXT_EVERY_MS = 5_000;
/** Offline periods of the phone, as shares of the total time: 3 and 5 minutes per hour. */
const OFFLINE = [
  [10 / 60, 13 / 60],
  [40 / 60, 45 / 60],
] as const;
/** Time allowed at the end for pending work. */
const DRAIN_MS = 10 * 60_000;
const NAMES = ['Kofi', 'Ama', 'Yaw', 'Esi', 'Kwame', 'Abena', 'Kojo', 'Efua', 'Akosua', 'Kwesi'] as const;

interface Paid {
  readonly reference: string;
  readonly amount: number;
  readonly hasReference: boolean;
  /** Times at which the phone received the text and the shop's server was notified. */
  heardMs: number;
  toldMs?: number;
}

/**
 * Runs a steady load of charges, payments and texts on a joined stack while its phone goes offline twice. Returns lost
 * and duplicated work, and the time of each step. One payment in ten is forwarded twice, and one in five has no
 * reference.
 */
export async function runLoad(facts: DemoFacts, phone: { url: string }, minutes: number) {
  const place = await connect(undefined);
  await topUp(place.outside, facts.merchant_id, 100_000);
  const kiosk = shopOf(facts, DRAIN_MS);
  const shop = await startShop();
  await setWebhook(kiosk, shop.url);
  const paid: Paid[] = [];
  const texts = new Map<string, number>();
  const errors: string[] = [];
  const startMs = Date.now();
  const endMs = startMs + minutes * 60_000;
  const steadily = async (everyMs: number, act: (n: number) => Promise<void>) => {
    const running: Promise<void>[] = [];
    for (let n = 0; startMs + n * everyMs < endMs; n += 1) {
      await sleep(Math.max(0, startMs + n * everyMs - Date.now()));
      running.push(act(n).catch((error) => void errors.push(String(error))));
    }
    await Promise.all(running);
  };
  const pay = async (n: number) => {
    const name = nameOf(n);
    const amount = (100 + (n % 9_000)) / 100;
    const { reference } = await createCharge(kiosk, { amount, customer_name: name, description: 'Load' });
    const hasReference = n % 5 !== 0;
    const payment: Paid = { reference, amount, hasReference, heardMs: 0 };
    paid.push(payment);
    await sleep(2_000);
    payment.heardMs = Date.now();
    await askPhone(phone, '/pay', {
      amount,
      name,
      reference: hasReference ? reference : '',
      network: 'MTN',
      times: n % 10 === 0 ? 2 : 1,
    });
  };
  const send = async (n: number) => {
    const to = `055${String(1_000_000 + n)}`;
    const atMs = Date.now();
    const { id } = await sendText(kiosk, { to, message: `Text ${n}` });
    texts.set(id, atMs);
  };
  const goOffline = async () => {
    for (const [from, to] of OFFLINE) {
      await sleep(startMs + from * minutes * 60_000 - Date.now());
      await askPhone(phone, '/switch', { on: false });
      await sleep(startMs + to * minutes * 60_000 - Date.now());
      await askPhone(phone, '/switch', { on: true });
    }
  };
  await Promise.all([steadily(CHARGE_EVERY_MS, pay), steadily(TEXT_EVERY_MS, send), goOffline()]);

  const told = () => paid.filter(({ reference }) => shop.told.has(reference)).length;
  await until(
    kiosk,
    async () => told(),
    (count) => count === paid.length,
  );
  const shown = async (id: string) => (await showText(kiosk, id)).status;
  const states = new Map<string, string>();
  for (const id of texts.keys())
    states.set(
      id,
      await until(
        kiosk,
        () => shown(id),
        (state) => /^(delivered|failed)$/.test(state),
      ),
    );
  const verified = new Map<string, { status: string; amount_paid: number }>();
  for (const { reference } of paid) verified.set(reference, await showCharge(kiosk, reference));
  const sent = Sent.parse(await askPhone(phone, '/sent'));
  const leaves = Map.groupBy(sent, ({ id }) => id);
  const sentAfter = [...texts].map(([id, atMs]) => Date.parse(leaves.get(id)?.[0]?.sent_at ?? '') - atMs);
  const toldAfter = paid.map(({ reference, heardMs }) => (shop.told.get(reference)?.[0]?.atMs ?? Number.NaN) - heardMs);
  await shop.stop();
  return {
    minutes,
    charges: {
      made: paid.length,
      success: paid.filter(({ reference }) => verified.get(reference)?.status === 'success').length,
      lost: paid
        .filter(({ reference, amount }) => verified.get(reference)?.amount_paid !== amount)
        .map(({ reference }) => [reference, verified.get(reference)]),
      not_told: paid.filter(({ reference }) => !shop.told.has(reference)).map(({ reference }) => reference),
      told_by_two_events: [...shop.told]
        .filter(([, events]) => new Set(events.map(({ id }) => id)).size > 1)
        .map(([reference]) => reference),
      ms_until_told: spread(toldAfter),
    },
    texts: {
      accepted: texts.size,
      states: Object.fromEntries(
        [...Map.groupBy(states.values(), (state) => state)].map(([state, all]) => [state, all.length]),
      ),
      lost: [...texts.keys()].filter((id) => !leaves.has(id)),
      sent_twice: [...leaves].filter(([, all]) => all.length > 1).map(([id]) => id),
      ms_until_sent: spread(sentAfter),
    },
    errors: { count: errors.length, first: errors.slice(0, 10) },
  };
}

const Sent = z.array(z.object({ id: z.string(), sent_at: z.string() }));

/** Returns a different name for each `n`, using only letters. */
function nameOf(n: number): string {
  const [tens = 0, ones = 0] = [Math.floor(n / 10), n % 10];
  const letters = String(tens).replace(/\d/g, (digit) => 'abdefgimno'[Number(digit)] ?? '');
  return `${NAMES[ones]} M${letters}sah`;
}

function spread(values: readonly number[]) {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1) };
}

const Event = z.object({ type: z.string(), data: z.looseObject({ reference: z.string().optional() }) });

/** Starts a shop's server that records the time of each payment's event. */
async function startShop() {
  const told = new Map<string, { id: string; atMs: number }[]>();
  const { url, stop } = await startServer(async (request, response) => {
    const { type, data } = Event.parse(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    const id = String(request.headers['webhook-id']);
    if (type === 'charge.success' && data.reference)
      told.set(data.reference, [...(told.get(data.reference) ?? []), { id, atMs: Date.now() }]);
    response.writeHead(204).end();
  });
  return { url: `${url}/momo`, told, stop };
}

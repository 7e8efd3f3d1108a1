import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import * as z from 'zod';
import { freePort } from '../../infra/local/loopback.ts';
import { startOwnStack } from '../../infra/local/story/own-stack.ts';
import { API_PATH } from '../../infra/phone/server.ts';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { median, quantile } from './measure.ts';
import { createBenchWorld, sendEvent, withDynamoDb } from './world.ts';

/** P11: texts accepted per second on this machine, and the time until a text reaches the phone. */
export async function measureThroughput({ samples }: Pick<Order, 'samples'>): Promise<Figure[]> {
  return [...(await acceptedTexts(samples(SECONDS))), ...(await timeToPhone(samples(TEXTS)))];
}

const CONNECTIONS = [1, 8, 64];
const SECONDS = 6;
const WARM_UP_SECONDS = 4;

/**
 * Measures the texts accepted by the HTTP front on one core. Workers are off. The client (autocannon) and DynamoDB
 * Local share the machine.
 */
function acceptedTexts(seconds: number): Promise<Figure[]> {
  return withDynamoDb(async (endpoint) => {
    const { tableName, merchant } = await createBenchWorld(endpoint);
    const port = await freePort();
    const front = fork(join(import.meta.dirname, 'run-front.ts'), [String(port)], {
      env: { ...process.env, TABLE_NAME: tableName },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    try {
      await once(front, 'message');
      const { body = '' } = sendEvent(merchant.smsKey, 1);
      const load = (connections: number, duration: number) =>
        autocannon({
          url: `http://127.0.0.1:${port}/api/v1/sms/send`,
          method: 'POST',
          headers: { authorization: `Bearer ${merchant.smsKey}`, 'content-type': 'application/json' },
          body,
          connections,
          duration,
        });
      await load(8, Math.min(seconds, WARM_UP_SECONDS));
      const figures: Figure[] = [];
      for (const connections of CONNECTIONS)
        figures.push(throughputFigure(connections, await load(connections, seconds)));
      return figures;
    } finally {
      front.kill();
    }
  });
}

/** @throws if a request failed. */
function throughputFigure(connections: number, result: autocannon.Result): Figure {
  const failed = result.errors + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests failed at ${connections} connections`);
  return {
    id: 'P11',
    what: `texts accepted per second, ${connections} connection${connections > 1 ? 's' : ''}`,
    value: result['2xx'] / result.duration,
    unit: '/s',
    detail: `latency median ${result.latency.p50} ms, p99 ${result.latency.p99} ms; no errors`,
  };
}

const TEXTS = 200;
/** Long enough that no text waits for the previous one. */
const PAUSE_MS = 30;
const MAX_WAIT_MS = 30_000;

/** Measures the time from the response until the phone has the text, on the complete local stack. */
async function timeToPhone(texts: number): Promise<Figure[]> {
  const { facts, stop } = await startOwnStack();
  try {
    const acceptedMs = new Map<string, number>();
    for (let n = 0; n < texts; n++) {
      const response = await fetch(`${facts.base_url}/api/v1/sms/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${facts.sms_secret_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ to: '0241234567', message: `Text ${n}` }),
      });
      const { data } = Accepted.parse(await response.json());
      acceptedMs.set(data.id, Date.now());
      await sleep(PAUSE_MS);
    }
    const waitsMs: number[] = [];
    for (const [id, ms] of acceptedMs) waitsMs.push((await reachedPhoneMs(facts.phone_url, id)) - ms);
    return [
      { id: 'P11', what: 'time from acceptance to the phone, median', value: median(waitsMs), unit: 'ms' },
      { id: 'P11', what: 'time from acceptance to the phone, p99', value: quantile(waitsMs, 0.99), unit: 'ms' },
    ];
  } finally {
    await stop();
  }
}

const Accepted = z.object({ data: z.object({ id: z.string() }) });
const Taken = z.object({ states: z.object({ Processed: z.string() }) });

/** Returns when the phone received the text, in milliseconds since 1970. @throws after half a minute. */
async function reachedPhoneMs(phoneUrl: string, id: string): Promise<number> {
  for (const startMs = Date.now(); Date.now() - startMs < MAX_WAIT_MS; await sleep(PAUSE_MS)) {
    const response = await fetch(`${phoneUrl}${API_PATH}/messages/${id}`, {
      headers: { authorization: `Basic ${btoa('demo:demo')}` },
    });
    const taken = Taken.safeParse(await response.json());
    if (taken.success) return Date.parse(taken.data.states.Processed);
  }
  throw new Error(`The text ${id} did not reach the phone`);
}

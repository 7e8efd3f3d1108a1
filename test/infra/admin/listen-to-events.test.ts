import { beforeEach, expect, test } from 'vitest';
import { listenToEvents } from '../../../infra/admin/listen-to-events.ts';
import { webhookEventRows } from '../../../shared/webhook/event.table.ts';
import { liveHolder } from '../../support/holders.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { opened } from '../../support/webhooks.ts';

const TO = new URL('http://localhost:4000/hook');
let world: Scene;
let merchant: Merchant;
let secret: string;
let said: string[];
let posted: { url: string; headers: Headers; body: string }[];
let answer: () => Response;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant();
  secret = await merchant.setWebhook();
  said = [];
  posted = [];
  answer = () => new Response(null, { status: 204 });
});

/** Listens for one poll more than there are actions, which happen between the polls. */
async function listen(...happens: (() => Promise<unknown>)[]): Promise<void> {
  const ends = new AbortController();
  const sleep = async () => {
    world.clock.nowMs += 1_000;
    const next = happens.shift();
    if (next) await next();
    else ends.abort();
  };
  const listening = {
    to: TO,
    say: (line: string) => void said.push(line),
    signal: ends.signal,
    fetch: async (url: string | URL | Request, init?: RequestInit) => {
      posted.push({ url: String(url), headers: new Headers(init?.headers), body: String(init?.body) });
      return answer();
    },
  };
  await listenToEvents({ ...world.outside, sleep }, liveHolder(merchant.id), listening);
}

const happen = () => merchant.newEvent();

test('posts each new event once, signed as for the webhook’s own server', async () => {
  await happen();
  const ids: string[] = [];
  const happens = async () => void ids.push(await happen());
  await listen(happens, async () => {}, happens);
  expect(posted.map(({ url, headers }) => [url, headers.get('webhook-id')])).toEqual(ids.map((id) => [TO.href, id]));
  for (const { headers, body } of posted)
    expect(opened(world, { headers: Object.fromEntries(headers), body }, secret)).toBeTruthy();
  expect(posted[0]?.body).toBe((await webhookEventRows.find(world.outside, { event_id: ids[0] ?? '' }))?.body);
  expect(said.slice(1)).toEqual(ids.map((id) => expect.stringMatching(new RegExp(`webhook.test ${id} → 204$`))));
});

test('reports an unreachable address and continues with the next event', async () => {
  const refused = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
  answer = () => {
    throw refused;
  };
  await listen(happen, happen);
  expect(said.slice(1)).toEqual([1, 2].map(() => expect.stringMatching(/→ not reached: ECONNREFUSED$/)));
});

test('leaves the event unchanged and due for its own server', async () => {
  let id = '';
  await listen(async () => {
    id = await happen();
  });
  expect(await webhookEventRows.find(world.outside, { event_id: id })).toMatchObject({ state: 'pending', tries: 0 });
});

test('names the command that sets a missing webhook', async () => {
  merchant = await world.createMerchant();
  await expect(listen()).rejects.toThrow('There is no webhook, so no events exist. Set one with webhook set --url');
});

import { beforeEach, expect, test } from 'vitest';
import { createWebhookEvent } from '../../../shared/webhook/event.table.ts';
import { newWebhookEvent } from '../../../shared/webhook/event.ts';
import { TimedWork } from '../../simulation/timed-work.ts';
import { liveHolder } from '../../support/holders.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { sliceOf } from '../../support/slice.ts';

// A receiver that is slow has two tries at a time. Its merchant can call the API between them.

const GREEDY = 'https://greedy.example.com/hooks';
const SECOND_MS = 1_000;

let world: Scene;
let greedy: Merchant;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  greedy = await world.createMerchant();
  await greedy.setWebhook(GREEDY);
});

test.each<[string, () => Promise<unknown>]>([
  ['its address set once more', () => greedy.setWebhook(GREEDY)],
  ['another path set', () => greedy.setWebhook(`${GREEDY}?2`)],
  [
    'its webhook removed and set again',
    async () => {
      await greedy.call('webhook/remove');
      await greedy.setWebhook(GREEDY);
    },
  ],
])('a slow receiver stays slow with %s', async (_, change) => {
  world.receiver = slow();
  await world.makeTry(await greedy.newEvent());
  await change();
  world.receiver = async () => ({ statusCode: 200, headers: {}, text: '' });
  world.clock.nowMs += 60_000;
  world.posted.length = 0;
  const ids = await fill(greedy, 20);
  await world.work(
    'deliver-webhook',
    ids.map((event_id) => ({ event_id, tries: 0 })),
  );
  expect(world.posted).toHaveLength(1);
});

test('a receiver whose address changes while it thinks is found to be slow', async () => {
  world.receiver = async (request) => {
    await greedy.setWebhook(`${GREEDY}?${world.clock.nowMs}`);
    return slow()(request);
  };
  await world.makeTry(await greedy.newEvent());
  world.receiver = async () => ({ statusCode: 200, headers: {}, text: '' });
  world.clock.nowMs += 60_000;
  world.posted.length = 0;
  const ids = await fill(greedy, 20);
  await world.work(
    'deliver-webhook',
    ids.map((event_id) => ({ event_id, tries: 0 })),
  );
  expect(world.posted).toHaveLength(1);
});

const never = { takesMs: 15 * SECOND_MS, events: 300, setsEverySecond: true };
const nearly = { takesMs: 1_900, events: 3_000, setsEverySecond: false };

const greedyServers = [
  { name: 'a server that never answers and whose address is set every second', server: never },
  { name: 'three thousand events of a server that is nearly slow', server: nearly },
];

test.each(sliceOf(greedyServers, 2))(
  'others wait no longer beside $name',
  async ({ server: { takesMs, events, setsEverySecond } }) => {
    const work = new TimedWork(world);
    const modest = await world.createMerchant();
    await modest.setWebhook();
    const waits: number[] = [];
    const madeMs = new Map<string, number>();
    world.receiver = async ({ url, headers }) => {
      if (url.startsWith(GREEDY)) {
        await work.sleep(takesMs);
        return { statusCode: takesMs > 10_000 ? 503 : 200, headers: {}, text: '' };
      }
      waits.push(world.clock.nowMs - (madeMs.get(headers['webhook-id'] ?? '') ?? Number.NaN));
      return { statusCode: 200, headers: {}, text: '' };
    };
    const tell = async (merchant: Merchant, name: string) => {
      const [event_id = ''] = await fill(merchant, 1, name);
      madeMs.set(event_id, world.clock.nowMs);
      await world.outside.queues.send('deliver-webhook', [{ body: { event_id, tries: 0 }, group: merchant.id }]);
    };
    for (let n = 0; n < events; n++) work.after(n, () => void tell(greedy, `greedy ${n}`));
    for (let n = 0; setsEverySecond && n < 600; n++)
      work.after(n * SECOND_MS, () => void greedy.setWebhook(`${GREEDY}?${n}`));
    for (let n = 0; n < 55; n++)
      work.after(30 * SECOND_MS + n * 10 * SECOND_MS, () => void tell(modest, `modest ${n}`));
    await work.run(1_800 * SECOND_MS);
    expect(waits).toHaveLength(55);
    expect(Math.max(...waits)).toBeLessThan(16 * SECOND_MS);
  },
);

function slow(): Scene['receiver'] {
  return async () => {
    world.clock.nowMs += 15 * SECOND_MS;
    return { statusCode: 200, headers: {}, text: '' };
  };
}

async function fill({ id }: Merchant, count: number, name = 'event'): Promise<string[]> {
  const at = world.iso();
  const events = Array.from({ length: count }, (_, n) =>
    newWebhookEvent(liveHolder(id), 'charge.expired', { cause: `${name} ${n}`, at, data: {} }),
  );
  for (const event of events) await world.outside.table.write([createWebhookEvent(event)]);
  return events.map(({ event_id }) => event_id);
}

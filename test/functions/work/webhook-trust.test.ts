import { expect, test } from 'vitest';
import { endpointRows } from '../../../shared/webhook/endpoint.table.ts';
import { createWebhookEvent } from '../../../shared/webhook/event.table.ts';
import { newWebhookEvent } from '../../../shared/webhook/event.ts';
import { TimedWork } from '../../simulation/timed-work.ts';
import { liveHolder } from '../../support/holders.ts';
import { type Merchant, scene } from '../../support/scene.ts';

const SECOND_MS = 1000;
const HALF_AN_HOUR_MS = 30 * 60 * SECOND_MS;

test('a receiver that answers single tries at once and none of several, delays one in fifty of another’s webhooks at most', async () => {
  const world = await scene({ inMemory: true });
  const work = new TimedWork(world);
  world.outside.sleep = (ms) => work.sleep(ms);
  const [hostile, modest] = [await world.createMerchant(), await world.createMerchant()];
  await hostile.setWebhook('https://hostile.example.com/hooks');
  await modest.setWebhook('https://modest.example.com/hooks');
  const startMs = world.clock.nowMs;
  const dueMs = new Map<string, number>();
  const waits: number[] = [];
  let lately: number[] = [];
  let hung = 0;
  world.receiver = async ({ url, headers }) => {
    if (url.includes('modest')) {
      waits.push(world.clock.nowMs - (dueMs.get(headers['webhook-id'] ?? '') ?? Number.NaN));
      await work.sleep(100);
    } else {
      lately = [...lately.filter((ms) => world.clock.nowMs - ms < 300), world.clock.nowMs];
      if (lately.length > 2) {
        hung++;
        await work.sleep(14_900);
      }
    }
    return { statusCode: 200, headers: {}, text: '' };
  };
  let made = 0;
  const tell = async ({ id: group }: Merchant) => {
    const at = world.iso();
    const event = newWebhookEvent(liveHolder(group), 'charge.success', { cause: `${made++}`, at, data: {} });
    dueMs.set(event.event_id, world.clock.nowMs);
    await world.outside.table.write([createWebhookEvent(event)]);
    await world.outside.queues.send('deliver-webhook', [{ body: { event_id: event.event_id, tries: 0 }, group }]);
  };
  // As soon as it is believed again, sixty come together. From outside, the pauses between its tries show that.
  const attack = async () => {
    if (world.clock.nowMs - startMs > HALF_AN_HOUR_MS) return;
    const isSlow = (await endpointRows.find(world.outside, liveHolder(hostile.id)))?.slow_ms !== undefined;
    for (let n = 0; n < (isSlow ? 1 : 60); n++) void tell(hostile);
    work.after((isSlow ? 3 : 16) * SECOND_MS, () => void attack());
  };
  for (let ms = 0; ms < HALF_AN_HOUR_MS; ms += 2 * SECOND_MS) work.after(ms, () => void tell(modest));
  work.after(SECOND_MS, () => void attack());
  await work.run(HALF_AN_HOUR_MS + 60 * SECOND_MS);
  expect([waits.length, hung > 10]).toEqual([900, true]);
  expect(waits.filter((ms) => ms > 5 * SECOND_MS).length).toBeLessThan(900 / 50);
});

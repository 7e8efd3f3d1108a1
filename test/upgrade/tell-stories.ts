import { begin, type Story, untilQuiet } from '../simulation/crash-matrix.ts';
import type { Kiosk } from '../simulation/kiosk.ts';
import { exampleOf, type Fixture, Row } from './fixture.ts';
import { isWhole, upgradeStories } from './stories.ts';

/** Plays all stories and returns the stored rows. The result is deterministic. */
export async function tellStories(version: string): Promise<Fixture> {
  const places = new Map<string, number>();
  const seen = new Set<string>();
  const moments: Fixture['moments'] = [];
  const note = (story: string, kiosk: Kiosk, has_begun: boolean) => {
    const found = kiosk.memory.items().map((item) => Row.parse(item));
    const isNew = found.some((row) => !seen.has(exampleOf(row)));
    if (has_begun && !isNew) return;
    for (const row of found) seen.add(exampleOf(row));
    const rows = found.map((row) => {
      const json = JSON.stringify(row);
      const place = places.get(json) ?? places.size;
      places.set(json, place);
      return place;
    });
    moments.push({ story, has_begun, rows, surroundings: kiosk.surroundings() });
  };
  for (const [name, story] of Object.entries(upgradeStories)) await tell(name, story, note);
  return { version, rows: [...places.keys()].map((json) => Row.parse(JSON.parse(json))), moments };
}

/** Records a story before it starts, and whenever the table has a new kind of example. */
async function tell(
  name: string,
  story: Story,
  note: (story: string, kiosk: Kiosk, hasBegun: boolean) => void,
): Promise<void> {
  const outcome = () => story.outcome ?? ('Sent' as const);
  const kiosk = await begin(story);
  await relayAll(kiosk);
  note(name, kiosk, false);
  await story.happens(kiosk);
  const steps = [() => relayAll(kiosk), () => kiosk.work(), () => kiosk.phonesWork(outcome)];
  for (let n = 0; n < 12; n++) {
    await steps[n % steps.length]?.();
    await relayAll(kiosk);
    if (!isWhole(name)) note(name, kiosk, true);
  }
  await untilQuiet(kiosk, () => kiosk.goOn(outcome));
  if (!isWhole(name)) note(name, kiosk, true);
}

async function relayAll(kiosk: Kiosk): Promise<void> {
  while (kiosk.unrelayed > 0) await kiosk.relay();
}

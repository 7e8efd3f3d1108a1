import type { Clock } from '../outside/outside.ts';

/** Maximum number of entries to process at once. Each needs a few of the SDK's fifty connections. */
export const FEW_AT_ONCE = 10;

/** Processes entries in order, `atOnce` at a time. Starts none after `untilMs`. */
export async function sideBySide<One>(
  outside: Clock,
  { items, atOnce, untilMs = Number.POSITIVE_INFINITY }: Some<One>,
  work: (one: One) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const lane = async () => {
    for (const one of rest) {
      if (outside.now() > untilMs) return;
      await work(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

interface Some<One> {
  readonly items: readonly One[];
  readonly atOnce: number;
  readonly untilMs?: number;
}

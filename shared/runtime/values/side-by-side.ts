import type { Clock } from '../outside/outside.ts';

/** Works on all of these, at most `atOnce` at a time and in their order. After `untilMs` none is begun. */
export async function sideBySide<One>(
  outside: Clock,
  { items, atOnce, untilMs }: { readonly items: readonly One[]; readonly atOnce: number; readonly untilMs: number },
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

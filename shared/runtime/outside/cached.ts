/**
 * Caches the results of `load` by key, for `seconds` in this process. Does not cache `undefined`. `fresh` reloads a
 * value.
 */
export function cached<Context extends { now(): number }, Value>(
  seconds: number,
  load: (context: Context, key: string) => Promise<Value | undefined>,
) {
  const memories = new WeakMap<Context, Map<string, { value: Value; untilMs: number }>>();
  return { get, fresh };

  async function get(context: Context, key: string): Promise<Value | undefined> {
    const known = memories.get(context)?.get(key);
    return known && known.untilMs > context.now() ? known.value : fresh(context, key);
  }

  async function fresh(context: Context, key: string): Promise<Value | undefined> {
    const untilMs = context.now() + seconds * 1000;
    const value = await load(context, key);
    const memory = memories.get(context) ?? new Map<string, { value: Value; untilMs: number }>();
    memories.set(context, memory);
    memory.delete(key);
    if (value !== undefined) memory.set(key, { value, untilMs });
    const [oldest] = memory.keys();
    if (memory.size > MAX_REMEMBERED && oldest !== undefined) memory.delete(oldest);
    return value;
  }
}

const MAX_REMEMBERED = 1000;

/**
 * Cache lifetime of merchant settings and senders, in seconds. The command line waits this long for a change to take
 * effect.
 */
export const SETTINGS_CACHE_SECONDS = 2;

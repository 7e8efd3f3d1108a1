/**
 * Caches results of `load` by key, for `seconds`, in this process. A miss (undefined) is not cached, so that something
 * just created works at once. `fresh` skips the cache.
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
 * Seconds that a function may use outdated settings of a merchant, or an outdated list of senders. Short enough for the
 * command line to wait for before it returns; long enough that a busy function hardly ever reads them.
 */
export const SETTINGS_CACHE_SECONDS = 2;

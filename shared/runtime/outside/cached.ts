/**
 * Caches what `load` returned for each key, for `seconds`, in this process. Only hits are cached: a miss (undefined) is loaded
 * again each time, so that what was just created works at once. `fresh` skips the cache.
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

/** Enough for every key of a busy deployment in one function's memory. */
const MAX_REMEMBERED = 1000;

/**
 * How long a function may keep using a merchant's settings or the list of senders after they changed. Short enough that the
 * command line simply waits for it before it returns, long enough that a busy function hardly ever reads them.
 */
export const SETTINGS_CACHE_SECONDS = 2;

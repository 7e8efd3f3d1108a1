/** Maximum number of keys to remember. No function uses this many. */
const MAX_REMEMBERED = 1000;

export function onceEvery(seconds: number): (context: { now(): number }, key: string) => boolean {
  const memories = new WeakMap<object, Map<string, number>>();
  return (context, key) => {
    const memory = memories.get(context) ?? new Map<string, number>();
    memories.set(context, memory);
    if ((memory.get(key) ?? 0) > context.now()) return false;
    memory.delete(key);
    memory.set(key, context.now() + seconds * 1000);
    const [oldest] = memory.keys();
    if (memory.size > MAX_REMEMBERED && oldest !== undefined) memory.delete(oldest);
    return true;
  };
}

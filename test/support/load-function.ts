const loaded = new Map<string, Promise<{ readonly handler: unknown }>>();

/**
 * Loads a function's handler. Imports each file once per worker, because Vitest tracks every `import()`, even of a
 * loaded module.
 */
export async function loadFunction<Handler>(name: string): Promise<Handler> {
  const loading = loaded.get(name) ?? import(new URL(`../../functions/${name}.ts`, import.meta.url).href);
  loaded.set(name, loading);
  const { handler } = await loading;
  return handler as Handler;
}

const loaded = new Map<string, Promise<{ readonly handler: unknown }>>();

/**
 * Loads a function's handler. Each file is imported once per worker. Vitest tracks every `import()`, even of a loaded
 * module, and the tests would otherwise make thirty thousand.
 */
export async function loadFunction<Handler>(name: string): Promise<Handler> {
  const loading = loaded.get(name) ?? import(new URL(`../../functions/${name}.ts`, import.meta.url).href);
  loaded.set(name, loading);
  const { handler } = await loading;
  return handler as Handler;
}

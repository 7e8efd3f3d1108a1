const loaded = new Map<string, Promise<{ readonly handler: unknown }>>();

/**
 * The handler of a function of the manifest, from the file that has its name. Each file is asked for once in a worker: Vitest hears of every
 * `import()`, also of one that is loaded, and the tests would ask thirty thousand times.
 */
export async function loadFunction<Handler>(name: string): Promise<Handler> {
  const loading = loaded.get(name) ?? import(new URL(`../../functions/${name}.ts`, import.meta.url).href);
  loaded.set(name, loading);
  const { handler } = await loading;
  return handler as Handler;
}

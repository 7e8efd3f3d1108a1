type OrNull<From, Name extends keyof From> = {
  [Each in Name]-?: Exclude<From[Each], undefined> | (undefined extends From[Each] ? null : never);
};

export function orNull<From extends object, Name extends keyof From>(from: From, ...names: Name[]): OrNull<From, Name>;
export function orNull(from: Readonly<Record<string, unknown>>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}

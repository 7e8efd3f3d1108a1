/** Makes a value on first use. Large regular expressions take milliseconds to compile on a cold start. */
export function lazy<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

import * as z from 'zod/mini';

// Node 24 has both; TypeScript's library does not know them yet. https://github.com/tc39/proposal-json-parse-with-source
declare global {
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/**
 * Parses JSON so that `JSON.stringify` gives every number back as it was written: 12345678901234567890 and 1.10 survive,
 * which a double would not hold. Such numbers become `JSON.rawJSON` objects.
 * @throws SyntaxError for what is not JSON, RangeError for what is nested too deep to walk.
 */
export function parseLossless(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== String(value) ? JSON.rawJSON(source) : value,
  );
}

/** The value of a JSON text if it matches the schema; undefined if it does not, or is not JSON. */
export function parseJson<Value>(schema: z.core.$ZodType<Value>, text: string): Value | undefined {
  try {
    return z.safeParse(schema, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

import * as z from 'zod/mini';

// Node 24 has `rawJSON` and `isRawJSON`, but TypeScript does not declare them yet.
// https://github.com/tc39/proposal-json-parse-with-source
declare global {
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/**
 * Parses JSON so that `JSON.stringify` reproduces every number exactly, such as 12345678901234567890 or 1.10.
 * @throws SyntaxError for invalid JSON, and RangeError if nested too deeply.
 */
export function parseLossless(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== String(value) ? JSON.rawJSON(source) : value,
  );
}

export function parseJson<Value>(schema: z.core.$ZodType<Value>, text: string): Value | undefined {
  try {
    return z.safeParse(schema, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

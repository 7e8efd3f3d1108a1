import * as z from 'zod/mini';
import { described } from './described.ts';
import { parseLossless } from './json.ts';

export const MAX_METADATA_BYTES = 16 * 1024;
const MAX_LEVELS = 100;

/** The `metadata` field of a request: any JSON object, stored as a string. The notation of its numbers is preserved. */
export const Metadata = described(
  z.pipe(
    z
      .custom<object>(
        // Numbers that a double cannot represent are raw JSON objects.
        (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value),
        'must be a JSON object',
      )
      .check(
        z.refine((value) => !isDeeper(value, MAX_LEVELS), {
          error: `must not be nested more than ${MAX_LEVELS} levels deep`,
          abort: true,
        }),
      ),
    z
      .pipe(
        z.custom<object>(),
        z.transform((value: object) => JSON.stringify(value)),
      )
      .check(
        z.refine(
          (text) => Buffer.byteLength(text) <= MAX_METADATA_BYTES,
          `must be at most ${MAX_METADATA_BYTES} bytes of JSON`,
        ),
      ),
  ),
  `Any JSON object up to ${MAX_METADATA_BYTES / 1024} KB. It is returned unchanged, including long numbers.`,
  { type: 'object', additionalProperties: true, override: { examples: [{ order_id: 'A-1007' }] } },
);

/** Returns stored metadata as a value that `JSON.stringify` reproduces, or null. */
export function metadataValue(text: string | undefined): unknown {
  return text === undefined ? null : parseLossless(text);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

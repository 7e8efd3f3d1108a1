/** Response schemas shared by several routes. Used for types, tests and the API reference, not at run time. */
import * as z from 'zod/mini';
import { answer, described } from '../values/described.ts';
import { errorCodes } from '../values/errors.ts';

export function time(description: string) {
  return z.string().check(timeMeta(description));
}

export function timeOrNull(description: string) {
  return z.nullable(z.string()).check(timeMeta(description));
}

function timeMeta(description: string) {
  return z.meta({ description, format: 'date-time', examples: ['2026-11-20T08:30:00.000Z'] });
}

export function uuid(description: string) {
  return described(z.string(), description, { format: 'uuid', examples: ['019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00'] });
}

export const Livemode = described(z.boolean(), '`false` for everything made with a test key, otherwise `true`.');

export const ReturnedMetadata = described(z.unknown(), 'As in the request.', {
  type: ['object', 'null'],
  additionalProperties: true,
  examples: [{ order_id: 'A-1007' }],
});

export const PageMeta = answer('PageMeta', {
  next: described(z.nullable(z.string()), 'The `cursor` of the next page; null on the last page.'),
  per_page: described(z.int(), 'The maximum number of entries on a page.', { examples: [50] }),
});
export type PageMeta = z.infer<typeof PageMeta>;

export const FailureResponse = answer('Error', {
  status: z.literal(false),
  message: described(z.string(), 'Tells an engineer what is wrong and what to do.'),
  code: described(z.enum(errorCodes), 'The kind of error, for programs.'),
  errors: described(
    z.optional(
      z.array(
        z.object({
          field: described(z.string(), 'The path of the field.', { examples: ['to[3]'] }),
          message: z.string(),
        }),
      ),
    ),
    'Every invalid field, if the error is about fields.',
  ),
  request_id: described(z.string(), 'Quote it when you contact the operator.'),
  doc_url: described(z.string(), 'A link to the `code` in this reference.', { format: 'uri' }),
});
export type FailureResponse = z.infer<typeof FailureResponse>;

export const NoData = z.object({});

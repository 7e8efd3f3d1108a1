import * as z from 'zod/mini';
import { COUNTRY_CODE } from '../../ghana/country.ts';
import { PhoneNumber } from '../../ghana/phone-number-schema.ts';
import { Metadata } from '../../runtime/values/metadata.ts';
import { text } from '../../runtime/values/text.ts';

/** What a text is for. STOP ends all but the first. */
export const purposes = ['transactional', 'marketing', 'reminder'] as const;

/** Message ids must be able to tell them apart: at most `MAX_INDEXES`. */
export const MAX_RECIPIENTS = 50;
export const MAX_MESSAGE_CHARACTERS = 1000;

const Recipients = z
  .pipe(
    z.transform((to: unknown, { issues }) => {
      if (typeof to !== 'string') return to;
      if (!/[,;\n]/.test(to)) return [to];
      issues.push({
        code: 'custom',
        input: to,
        message: 'must be a list where it is several: ["0241234567", "0201234567"]',
      });
      return z.NEVER;
    }),
    z
      .array(PhoneNumber, 'must be a phone number or a list of phone numbers')
      .check(
        z.minLength(1, 'must contain at least one phone number'),
        z.maxLength(MAX_RECIPIENTS, `must contain at most ${MAX_RECIPIENTS} phone numbers`),
      ),
  )
  .check(
    z.meta({
      description: `A number, or a list of up to ${MAX_RECIPIENTS}. A number that is listed twice gets two texts.`,
      override: oneOrList,
    }),
  );

/** How the reference shows `to`: it cannot tell that the transform also accepts a single string. */
function oneOrList({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) {
  const { description, ...list } = jsonSchema;
  for (const keyword of Object.keys(list)) delete jsonSchema[keyword];
  Object.assign(jsonSchema, {
    anyOf: [list.items, list],
    examples: ['0241234567', ['0241234567', `${COUNTRY_CODE}201234567`]],
  });
}

/** The body of `POST /api/v1/sms/send`. A number that is listed twice in `to` gets two texts. */
export const SendRequest = z
  .strictObject(
    {
      to: Recipients,
      message: text(MAX_MESSAGE_CHARACTERS).check(
        z.refine((value) => value.trim() !== '', 'must not be empty'),
        z.meta({
          description: 'The text. Characters are counted as Unicode code points: an emoji is one.',
          minLength: 1,
          examples: ['Your order is ready'],
        }),
      ),
      from: z.optional(
        z.union([z.literal('random'), PhoneNumber], 'must be "random" or a number from GET /api/v1/sms/from').check(
          z.meta({
            description:
              'A number of `GET /api/v1/sms/from`, or `random` for any that is available. Without it, your default number.',
            examples: ['random'],
          }),
        ),
      ),
      purpose: z.optional(
        z.enum(purposes, 'must be "transactional", "marketing" or "reminder"').check(
          z.meta({
            description:
              'What the text is for. `transactional`, the default: what its recipient just asked for or has to know, such as a receipt, a code, or news of their order; it is sent to everybody. `marketing` (offers, news) and `reminder` are refused with `recipient_opted_out` where a recipient has answered `STOP` to you. You answer for the purpose that you give: an offer is not transactional.',
          }),
        ),
      ),
      metadata: z.optional(Metadata),
    },
    'must be a JSON object',
  )
  .check(z.meta({ id: 'SendRequest' }));
export type SendRequest = z.infer<typeof SendRequest>;

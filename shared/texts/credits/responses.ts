import * as z from 'zod/mini';
import { time, uuid } from '../../runtime/http/responses.ts';

const Threshold = z.int().check(
  z.meta({
    description: 'Below this balance your credits are low. The operator sets it; 0 means never.',
    examples: [50],
  }),
);

export const CreditEntryResponse = z
  .object({
    id: z.string().check(z.meta({ description: 'Its id. That of a `send` is the id of the send.' })),
    type: z
      .enum(['top_up', 'send', 'refund'])
      .check(
        z.describe(
          '`top_up`: the operator added credits. `send`: you sent a text, for one credit for each recipient. `refund`: texts failed, expired or were cancelled.',
        ),
      ),
    credits: z
      .int()
      .check(z.meta({ description: 'By how much the balance changed: negative for a `send`.', examples: [-2] })),
    send_id: z.nullable(uuid('The send that it was for; null for a `top_up`.')),
    message_id: z.nullable(
      uuid('The text that it was for; null unless it is a `refund`, and for one of several texts at once.'),
    ),
    created_at: time('When the balance changed.'),
  })
  .check(z.meta({ id: 'CreditEntry' }));
export type CreditEntryResponse = z.infer<typeof CreditEntryResponse>;

export const CreditsResponse = z.object({
  balance: z.int().check(z.meta({ description: 'How many texts you can still send.', examples: [941] })),
  low_below: Threshold,
  entries: z.array(CreditEntryResponse),
});
export type CreditsResponse = z.infer<typeof CreditsResponse>;

/** The `data` of `credits.low`. */
export const LowCreditsEventData = z.object({
  balance: z.int().check(z.meta({ description: 'What was left when it fell below.', examples: [49] })),
  low_below: Threshold,
});
export type LowCreditsEventData = z.infer<typeof LowCreditsEventData>;

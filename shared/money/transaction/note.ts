import * as z from 'zod/mini';

/** How many notes a charge may have: they are on its row, which each of its pages reads. */
export const MAX_NOTES = 20;

/** What somebody of the merchant's team wrote about a charge, for the team alone. */
export const Note = z.object({
  at: z.string(),
  /** The id of the person. */
  by: z.string(),
  text: z.string(),
  /** The text that this note records: the charge's link was sent with it. */
  send_id: z.optional(z.string()),
});
export type Note = z.infer<typeof Note>;

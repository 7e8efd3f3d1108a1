import * as z from 'zod/mini';
import { MomoAccount } from './momo-account.ts';

export const Merchant = z.object({
  merchant_id: z.string(),
  name: z.string(),
  /** The first one is shown at checkout. */
  momo_accounts: z.array(MomoAccount),
  /** The sender that texts leave from when the caller names none. */
  default_from: z.optional(z.string()),
  created_at: z.string(),
});
export type Merchant = z.infer<typeof Merchant>;

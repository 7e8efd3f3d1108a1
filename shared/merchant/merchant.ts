import * as z from 'zod/mini';
import { MomoAccount } from './momo-account.ts';

export const Merchant = z.object({
  merchant_id: z.string(),
  name: z.string(),
  /** The first one is shown at checkout. */
  momo_accounts: z.array(MomoAccount),
  /** Whom customers ask: what `parseContact` returns. */
  contact: z.optional(z.string()),
  /** The sender that texts leave from when the caller names none. */
  default_from: z.optional(z.string()),
  /** The largest amount for which a payer's name confirms a charge; 0 means never. */
  match_by_name_up_to_pesewas: z.optional(z.number()),
  created_at: z.string(),
});
export type Merchant = z.infer<typeof Merchant>;

/** Two people may have the same name, and a forged text can contain a name: good enough for a lunch, not for a phone. */
export const DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS = 500_00;

export function nameDecidesUpToPesewas({ match_by_name_up_to_pesewas }: Merchant): number {
  return match_by_name_up_to_pesewas ?? DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS;
}

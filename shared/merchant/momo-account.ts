import * as z from 'zod/mini';
import { Network } from '../ghana/network.ts';

/** Where a merchant is paid: the number that customers pay to and the name they see on their phone before they confirm. */
export const MomoAccount = z.object({ number: z.string(), network: Network, account_name: z.string() });
/**
 * How many a merchant may have. A change that replaces them all is one transaction (the merchant, each old one and each new
 * one), and DynamoDB accepts a hundred writes.
 */
export const MAX_MOMO_ACCOUNTS = 49;
export type MomoAccount = z.infer<typeof MomoAccount>;

import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { listMerchantWallets } from '../../shared/money/wallet/merchant-wallets.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import type { WalletListResponse } from '../../shared/wallets/wallet/responses.ts';
import { manifest } from '../manifest.ts';

/** Lists a merchant's MoMo numbers and their status. Balances require the permission `balances:read`. */
export const handler = merchantRoute(manifest['wallet/list'], {}, async ({ merchant, allows }, outside) => {
  const wallets = await listMerchantWallets(outside, merchant, allows('balances:read'));
  return ok<WalletListResponse>('Wallets', { wallets });
});

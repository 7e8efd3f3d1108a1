import { ghsOf } from '../../ghana/money.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Charge } from '../charge/charge.table.ts';
import type { PurchaseResponse } from './documentation.ts';

export function presentPurchase(outside: Outside, charge: Charge, credits: number): PurchaseResponse {
  const { access_code, reference, merchant_id, merchant_name, amount_pesewas, expires_at } = charge;
  return {
    authorization_url: `${outside.baseUrl}/checkout/${access_code}`,
    reference,
    livemode: !isTestAccount(merchant_id),
    credits,
    price: ghsOf(amount_pesewas),
    seller: merchant_name ?? null,
    expires_at,
  };
}

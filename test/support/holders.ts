import type { KeyHolder } from '../../shared/merchants/merchant/key-holder.ts';

export function liveHolder(merchant_id: string): KeyHolder {
  return { merchant_id, key_kind: 'live' };
}

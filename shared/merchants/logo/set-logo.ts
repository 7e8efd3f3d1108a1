import type { IdOutside } from '../../runtime/outside/outside.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { replaceMerchant } from '../merchant/merchant.table.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Image } from './image.ts';
import { createLogo, logoRows } from './logo.table.ts';

/** Returns the writes that set or remove a merchant's logo and delete the previous image. */
export function setLogo(outside: IdOutside, before: Merchant, image: Image | undefined) {
  const logo = image && newUlid(outside);
  const after: Merchant = { ...before, logo };
  const old = before.logo === undefined ? [] : [logoRows.remove({ id: before.logo })];
  const writes = [
    ...replaceMerchant(before, after),
    ...old,
    ...(image && logo ? [createLogo(logo, after, image)] : []),
  ];
  return { after, writes };
}

/*
 * logo   LOGO#<id> / LOGO   a merchant's picture. Each has an id of its own, which its merchant's row names: an address always shows the
 *                           same picture, so that browsers may keep it.
 */
import * as z from 'zod/mini';
import type { IdOutside, Outside, TableOutside } from '../../runtime/outside/outside.ts';
import { createItem, type TableWrite } from '../../runtime/table/table.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { replaceMerchant } from '../merchant/merchant.table.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Image } from './image.ts';

const Logo = z.object({
  merchant_id: z.string(),
  type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  image_base64: z.string(),
});
export type Logo = z.infer<typeof Logo>;

const keyOf = (id: string) => ({ pk: `LOGO#${id}`, sk: 'LOGO' });

export async function getLogo(outside: TableOutside, id: string): Promise<Logo | undefined> {
  const item = await outside.table.get(keyOf(id));
  return item && z.parse(Logo, item);
}

export function logoUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, id: string): string {
  return `${baseUrl}/logo/${id}`;
}

/** A merchant with this logo, or with none, and the writes that make it so; its picture before is gone with them. */
export function setLogo(outside: IdOutside, before: Merchant, image: Image | undefined) {
  const logo = image && newUlid(outside);
  const after: Merchant = { ...before, logo };
  const { merchant_id } = before;
  const writes: TableWrite[] = [
    ...replaceMerchant(before, after),
    ...(before.logo === undefined ? [] : [{ delete: { Key: keyOf(before.logo) } }]),
  ];
  if (image && logo) {
    const row: Logo = { merchant_id, type: image.type, image_base64: image.bytes.toString('base64') };
    writes.push(createItem({ ...keyOf(logo), ...row }));
  }
  return { after, writes };
}

/*
 * logo   LOGO#<id> / LOGO   a merchant's picture. Each has an id of its own, which its merchant's row names: an address always shows the
 *                           same picture, so that browsers may keep it.
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { createItem, type TableWrite } from '../../runtime/table/table.ts';
import type { Image } from './image.ts';

const Logo = z.object({
  merchant_id: z.string(),
  type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  image_base64: z.string(),
});
type Logo = z.infer<typeof Logo>;

const keyOf = (id: string) => ({ pk: `LOGO#${id}`, sk: 'LOGO' });

export async function getLogo(outside: TableOutside, id: string): Promise<Logo | undefined> {
  const item = await outside.table.get(keyOf(id));
  return item && z.parse(Logo, item);
}

export function createLogo(id: string, { merchant_id }: Pick<Logo, 'merchant_id'>, { type, bytes }: Image): TableWrite {
  const logo: Logo = { merchant_id, type, image_base64: bytes.toString('base64') };
  return createItem({ ...keyOf(id), ...logo });
}

export function deleteLogo(id: string): TableWrite {
  return { delete: { Key: keyOf(id) } };
}

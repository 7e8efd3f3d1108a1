/**
 * logo   LOGO#<id> / LOGO   a merchant's logo. Every upload gets a new id, which is stored in the merchant's row, so
 *                           the image at a URL never changes and browsers can cache it
 */
import * as z from 'zod/mini';
import { rows } from '../../runtime/table/rows.ts';
import { createItem, type TableWrite } from '../../runtime/table/table.ts';
import type { Image } from './image.ts';

const Logo = z.object({
  merchant_id: z.string(),
  type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  image_base64: z.string(),
});
type Logo = z.infer<typeof Logo>;

export const logoRows = rows(Logo, { pk: 'LOGO#<id>', sk: 'LOGO' });

export function createLogo(id: string, { merchant_id }: Pick<Logo, 'merchant_id'>, { type, bytes }: Image): TableWrite {
  const logo: Logo = { merchant_id, type, image_base64: bytes.toString('base64') };
  return createItem({ ...logoRows.key({ id }), ...logo });
}

import { storeContact } from '../../shared/texts/contact/store-contacts.ts';
import type { World } from './world.ts';

/** Consent that somebody gave in the shop. */
export const CONSENT = {
  at: '2026-01-01T00:00:00.000Z',
  how: 'Form in the shop',
  by: 'test',
  stored_at: '2026-01-01T00:00:00.000Z',
};

/** Stores that these people agreed to a merchant's marketing. */
export async function agree(
  { outside }: Pick<World, 'outside'>,
  merchant_id: string,
  numbers: readonly string[],
): Promise<void> {
  for (const number of numbers)
    await outside.table.write(storeContact(outside, { merchant_id, number }, { consent: CONSENT }));
}

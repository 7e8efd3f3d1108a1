import { noteOptOut } from '../../shared/texts/contact/contact.table.ts';
import { storeContact } from '../../shared/texts/contact/store-contacts.ts';
import { changeOptOut, findOptOut } from '../../shared/texts/conversation/opt-out.table.ts';
import type { World } from './world.ts';

export const CONSENT = {
  at: '2026-01-01T00:00:00.000Z',
  how: 'Form in the shop',
  by: 'test',
  stored_at: '2026-01-01T00:00:00.000Z',
};

export async function agree(
  { outside }: Pick<World, 'outside'>,
  merchant_id: string,
  numbers: readonly string[],
): Promise<void> {
  for (const number of numbers)
    await outside.table.write(storeContact(outside, { merchant_id, number }, { consent: CONSENT }));
}

/** Records a customer's STOP or START. */
export async function wrote(
  { outside, iso }: Pick<World, 'outside' | 'iso'>,
  word: 'STOP' | 'START',
  merchant_id: string,
  number: string,
): Promise<void> {
  const before = await findOptOut(outside, merchant_id, number);
  const opted_out = word === 'STOP';
  await outside.table.write([
    changeOptOut(before, { merchant_id, number, opted_out, word, at: iso() }, () => new Error('moved')),
    noteOptOut(merchant_id, number, opted_out),
  ]);
}

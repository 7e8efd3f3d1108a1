import { chargeRows } from '../../shared/money/charge/charge.table.ts';
import { changeItem } from '../../shared/runtime/table/table.ts';
import { rows } from './receipts.ts';
import type { World } from './world.ts';

const proof = { state: 'proven' } as const;

/** Marks every payment as verified. Disputed payments stay disputed. */
export async function verifyMoney(world: World): Promise<void> {
  for (const { pk, sk, amount_pesewas } of await rows(world, 'RECEIPT'))
    if (amount_pesewas !== undefined) await change(world, { pk: String(pk), sk: String(sk) }, { proof });
  for (const item of await rows(world, 'TRANSACTION')) {
    if (item.sk !== 'TRANSACTION') continue;
    const { reference, payment, parts } = chargeRows.parse(item);
    if (!payment && !parts) continue;
    const proven = { ...(payment && { payment: { ...payment, proof } }) };
    const all = { ...(parts && { parts: parts.map((part) => ({ ...part, proof })) }) };
    await change(world, chargeRows.key({ reference }), { ...proven, ...all });
  }
}

function change(
  { outside }: World,
  key: { readonly pk: string; readonly sk: string },
  fields: Record<string, unknown>,
): Promise<void> {
  return outside.table.write([changeItem(key, fields)]);
}

import type { Reading } from '../../../../shared/ghana/wallet-text/reading.ts';
import type { Sample } from '../../../support/wallet-texts.ts';

/** Returns the fields of a reading that contradict the sample. Omitted fields (null) do not count as wrong. */
export function wrongFields({ expect }: Pick<Sample, 'expect'>, reading: Reading): string[] {
  if (reading.kind !== expect.kind || !('balancePesewas' in reading)) return [`kind ${reading.kind}`];
  const told: [string, unknown, unknown][] = [
    ['amount', reading.amountPesewas ?? undefined, expect.amount && Math.round(expect.amount * 100)],
    ['balance', reading.balancePesewas ?? undefined, expect.balance && Math.round(expect.balance * 100)],
    ['charges', reading.chargesPesewas ?? undefined, expect.charges && Math.round(expect.charges * 100)],
    ['transaction_id', reading.transactionId ?? undefined, expect.transaction_id],
  ];
  // Details missing from the sample are not checked, and a text may have no amount.
  const wrong = told.filter(
    ([field, read, expected]) =>
      expected !== undefined && read !== expected && !(read === undefined && field === 'amount'),
  );
  if (reading.kind === 'payment') {
    wrong.push(
      ...[
        ['name', reading.payerName, expect.name] as const,
        ['phone', reading.payerPhone, expect.phone ?? null] as const,
        ['reference', reading.reference, expect.reference ?? null] as const,
        ['via', reading.via, expect.via ?? null] as const,
      ].flatMap(([field, read, expected]): [string, unknown, unknown][] =>
        read === expected ? [] : [[field, read, expected]],
      ),
    );
  }
  return wrong.map(([field, read, expected]) => `${field} is ${String(read)}, not ${String(expected)}`);
}

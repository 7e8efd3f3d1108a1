import { kindOf } from '../../infra/admin/migrate-rows.ts';
import { rowShapes } from '../../shared/runtime/table/row-shape.ts';
import type { Item, RowShape } from '../../shared/runtime/table/table.ts';
import type { Row } from './fixture.ts';

/**
 * Simulates a release that renames fields of charges and webhooks, including fields in write conditions. A fixture's
 * rows are the old ones, and the current code is the new release.
 */

const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  transaction: { amount_pesewas: 'pesewas', parts: 'instalments', state: 'status', expires_at: 'ends_at' },
  'webhook event': { body: 'payload', tries: 'attempts', round: 'replays' },
  receipt: { reason: 'why_held', amount_pesewas: 'pesewas' },
};

/** The row shapes after such a change. */
export const pretendedShapes: readonly RowShape[] = [
  shapeOf('TRANSACTION#', 'TRANSACTION', NAMES.transaction ?? {}),
  shapeOf('EVENT#', 'EVENT', NAMES['webhook event'] ?? {}),
  shapeOf('RECEIPT#', 'RECEIPT', NAMES.receipt ?? {}),
];

/** Converts a fixture's row to the simulated previous shape. */
export function older(row: Row): Item {
  const names = NAMES[kindOf(row) ?? ''];
  if (!names) return row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value]));
}

function shapeOf(pk: string, sk: string, names: Readonly<Record<string, string>>): RowShape {
  const steps = rowShapes.find((one) => one.pk === pk && one.sk === sk)?.steps ?? [];
  const renamed = {
    reads: Object.values(names),
    change: (fields: Item) =>
      Object.fromEntries(
        Object.entries(names).flatMap(([now, before]) =>
          fields[before] === undefined
            ? []
            : [
                [now, fields[before]],
                [before, undefined],
              ],
        ),
      ),
  };
  return { pk, sk, oldest: 1, steps: [renamed, ...steps] };
}

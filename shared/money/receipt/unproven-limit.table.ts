/*
 * unproven limit   UNPROVEN#<network>#<momo number> / <day>   pesewas of unproven payments that confirmed something on that day
 */
import type { Network } from '../../ghana/network.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';

const KEPT_SECONDS = 3 * 24 * 60 * 60;

/** Counts an unproven payment that confirms something today, in Ghana. Refused with `UnprovenLimitReached` beyond `mostPesewas` a day. */
export function countUnproven(
  outside: Pick<Outside, 'now'>,
  { network, momo_number }: { readonly network: Network; readonly momo_number: string },
  pesewas: number,
  mostPesewas: number,
): TableWrite {
  const nowMs = outside.now();
  return {
    update: {
      Key: { pk: `UNPROVEN#${network}#${momo_number}`, sk: new Date(nowMs).toISOString().slice(0, 10) },
      UpdateExpression: 'SET expires_at_epoch_seconds = :ends ADD pesewas :pesewas',
      ConditionExpression: ':pesewas <= :most AND (attribute_not_exists(pesewas) OR pesewas <= :left)',
      ExpressionAttributeValues: {
        ':pesewas': pesewas,
        ':most': mostPesewas,
        ':left': mostPesewas - pesewas,
        ':ends': Math.floor(nowMs / 1000) + KEPT_SECONDS,
      },
    },
    refused: () => new UnprovenLimitReached(),
  };
}

/** Unproven payments have confirmed as much on this wallet today as they may. */
export class UnprovenLimitReached extends Error {
  constructor() {
    super('Unproven payments have confirmed as much today as they may');
  }
}

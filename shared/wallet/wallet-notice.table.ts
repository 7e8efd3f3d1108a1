/*
 * wallet notice   WALLET#<network>#<momo number> / NOTICE#payment_refused#<network's id>   a payment that the wallet's limit refused
 *                                                / NOTICE#near_limit#<limit in pesewas>   when it was last nearly full
 *                 (`unknown` where the phone did not tell the number)
 */
import * as z from 'zod/mini';
import type { Network } from '../ghana/network.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { Item, TableWrite } from '../runtime/table/table.ts';
import { type NearlyFull, type RefusedPayment, WalletNotice } from './wallet-notice.ts';

/** Longer than a phone may tell the same text again. Not for good: it holds the name of somebody who paid nothing. */
export const NOTICE_KEPT_SECONDS = 62 * 24 * 60 * 60;

const DAY_MS = 24 * 60 * 60 * 1000;
/** How often a wallet's owner is told. A limit that was only assumed may not exist. */
const NEAR_LIMIT_EVERY_MS = DAY_MS;
export const ASSUMED_LIMIT_EVERY_MS = 30 * DAY_MS;

const partition = (network: Network, momoNumber: string | undefined) => `WALLET#${network}#${momoNumber ?? 'unknown'}`;

export function parseWalletNotice(item: Item): WalletNotice {
  return z.parse(WalletNotice, item);
}

/** What is kept of a wallet; without a number, of those whose phone did not tell it. */
export async function listWalletNotices(
  outside: Pick<Outside, 'table'>,
  network: Network,
  momoNumber: string | undefined,
): Promise<WalletNotice[]> {
  return (await outside.table.list(partition(network, momoNumber))).map(parseWalletNotice);
}

/** Keeps a refused payment once, however often its text comes. */
export function keepRefusedPayment(outside: Pick<Outside, 'now'>, notice: RefusedPayment): TableWrite {
  return {
    put: { Item: itemOf(outside, notice, notice.transaction_id), ConditionExpression: 'attribute_not_exists(pk)' },
    refused: () => undefined,
  };
}

/** Keeps that a wallet is nearly full, unless that was kept within the last day, or 30 where its limit was assumed. */
export function keepNearlyFull(outside: Pick<Outside, 'now'>, notice: NearlyFull): TableWrite {
  const everyMs = notice.assumed ? ASSUMED_LIMIT_EVERY_MS : NEAR_LIMIT_EVERY_MS;
  return {
    put: {
      Item: itemOf(outside, notice, String(notice.limit_pesewas)),
      // By the texts' own times: a text that is settled again, or that comes late, tells nothing new.
      ConditionExpression: 'attribute_not_exists(pk) OR received_at <= :earlier',
      ExpressionAttributeValues: { ':earlier': new Date(Date.parse(notice.received_at) - everyMs).toISOString() },
    },
    refused: () => undefined,
  };
}

function itemOf({ now }: Pick<Outside, 'now'>, notice: WalletNotice, id: string) {
  return {
    pk: partition(notice.network, notice.momo_number),
    sk: `NOTICE#${notice.kind}#${id}`,
    ...notice,
    expires_at_epoch_seconds: Math.floor(now() / 1000) + NOTICE_KEPT_SECONDS,
  };
}

/*
 * wallet notice   WALLET#<network>#<momo number> / NOTICE#payment_refused#<network's id>   a payment that the wallet's limit refused
 *                                                / NOTICE#near_limit#<limit in pesewas>   when it was last nearly full
 *                                                / NOTICE#balance_unclear#<time>          that its owner was asked what it holds
 *                                                / NOTICE#payment_missed#<time>           money that no text told of, by the text before it
 *                 (`unknown` if the phone did not report the number)
 */
import * as z from 'zod/mini';
import type { Network } from '../../ghana/network.ts';
import type { Clock, TableOutside } from '../../runtime/outside/outside.ts';
import type { Item, TableWrite } from '../../runtime/table/table.ts';
import {
  type MissedPayment,
  type NearlyFull,
  type RefusedPayment,
  type UnclearBalance,
  WalletNotice,
} from './wallet-notice.ts';

/** Longer than a phone may post the same text again. Not for ever: it holds the name of somebody who paid nothing. */
export const NOTICE_KEPT_SECONDS = 62 * 24 * 60 * 60;

const DAY_MS = 24 * 60 * 60 * 1000;
/** How often a wallet's owner is told. A limit that was only assumed may not exist. */
const NEAR_LIMIT_EVERY_MS = DAY_MS;
export const ASSUMED_LIMIT_EVERY_MS = 30 * DAY_MS;

const partition = (network: Network, momoNumber: string | undefined) => `WALLET#${network}#${momoNumber ?? 'unknown'}`;

export function parseWalletNotice(item: Item): WalletNotice {
  return z.parse(WalletNotice, item);
}

/** The notices of a wallet; without a number, those whose phone did not report it. */
export async function listWalletNotices(
  outside: TableOutside,
  network: Network,
  momoNumber: string | undefined,
): Promise<WalletNotice[]> {
  return (await outside.table.list(partition(network, momoNumber))).map(parseWalletNotice);
}

/** Stores a refused payment once, however often its text arrives. */
export function keepRefusedPayment(outside: Clock, notice: RefusedPayment): TableWrite {
  return {
    put: { Item: itemOf(outside, notice, notice.transaction_id), ConditionExpression: 'attribute_not_exists(pk)' },
    refused: () => undefined,
  };
}

/** Stores that a wallet is nearly full, unless that was done within the last day, or 30 days if its limit was assumed. */
export function keepNearlyFull(outside: Clock, notice: NearlyFull): TableWrite {
  const everyMs = notice.assumed ? ASSUMED_LIMIT_EVERY_MS : NEAR_LIMIT_EVERY_MS;
  return {
    put: {
      Item: itemOf(outside, notice, String(notice.limit_pesewas)),
      // By the texts' own times: a text that is settled again, or arrives late, adds nothing.
      ConditionExpression: 'attribute_not_exists(pk) OR received_at <= :earlier',
      ExpressionAttributeValues: { ':earlier': new Date(Date.parse(notice.received_at) - everyMs).toISOString() },
    },
    refused: () => undefined,
  };
}

/** Stores that a wallet's owner is asked what it holds. Made with a change of its chain, which says that it was done. */
export function keepUnclearBalance(outside: Clock, notice: UnclearBalance): TableWrite {
  return { put: { Item: itemOf(outside, notice, new Date(outside.now()).toISOString()) } };
}

/** Stores once that money came in which no text told of. */
export function keepMissedPayment(outside: Clock, notice: MissedPayment): TableWrite {
  return {
    put: { Item: itemOf(outside, notice, notice.from), ConditionExpression: 'attribute_not_exists(pk)' },
    refused: () => undefined,
  };
}

function itemOf({ now }: Clock, notice: WalletNotice, id: string) {
  return {
    pk: partition(notice.network, notice.momo_number),
    sk: `NOTICE#${notice.kind}#${id}`,
    ...notice,
    expires_at_epoch_seconds: Math.floor(now() / 1000) + NOTICE_KEPT_SECONDS,
  };
}

import { type Reader, withoutBalanceWords, withoutIds } from '../money/receipt/shown-receipt.ts';
import type { WebhookEvent } from './event.ts';

/**
 * What an event posted, as somebody may see it: whole ids with which a payment could be claimed, and what a wallet holds, which events of earlier
 * versions tell. Their other balances are credits.
 */
export function bodyFor(reader: Reader, { type, body }: Pick<WebhookEvent, 'type' | 'body'>): string {
  const known = withoutIds(reader, body);
  if (reader.seesBalances) return known;
  const withoutTexts = known.replace(JSON_TEXT, withoutBalanceWords);
  return type.startsWith('wallet.') ? withoutTexts.replace(JSON_BALANCE, '$1"…"') : withoutTexts;
}

const JSON_TEXT = /"text":"(?:[^"\\]|\\.)*"/g;
const JSON_BALANCE = /("(?:proven_)?balance":)[\d.]+/g;

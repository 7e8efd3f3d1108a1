import { may } from '../../user/permissions.ts';
import type { User } from '../../user/user.table.ts';
import type { WebhookEvent } from '../../webhook/event.ts';

/** A network's text as somebody may read it: what is in the wallet is not for everybody. */
export function shownText(user: User, text: string | undefined): string | undefined {
  return may(user, 'balances:read') ? text : text?.replace(BALANCE, '$1…');
}

/** What an event posts, likewise: the texts in it, and what it says of a wallet. Its other balances are credits. */
export function shownBody(user: User, { type, body }: Pick<WebhookEvent, 'type' | 'body'>): string {
  if (may(user, 'balances:read')) return body;
  const withoutTexts = body.replace(JSON_TEXT, (text) => text.replace(BALANCE, '$1…'));
  return type.startsWith('wallet.') ? withoutTexts.replace(JSON_BALANCE, '$1"…"') : withoutTexts;
}

const JSON_TEXT = /"text":"(?:[^"\\]|\\.)*"/g;
const JSON_BALANCE = /("(?:proven_)?balance":)[\d.]+/g;
/** The word in any form, and the next number after it. */
const BALANCE = /(\bbal\w*[^\d]{0,40})\d[\d,]*(?:\.\d+)?/gi;

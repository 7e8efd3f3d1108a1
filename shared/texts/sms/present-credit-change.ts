import type { CreditEntryResponse } from '../credits/responses.ts';
import type { CreditChange } from './list-credit-changes.ts';
import { parseMessageId } from './message-id.ts';

/** A change of a balance as its merchant sees it. */
export function presentCreditChange(change: CreditChange): CreditEntryResponse {
  if ('send' in change) {
    const { send_id, to, created_at } = change.send;
    return { id: send_id, type: 'send', credits: -to.length, send_id, message_id: null, created_at };
  }
  const { entry_id, reason, credits, message_id, created_at } = change.entry;
  const send_id = (message_id && parseMessageId(message_id)?.sendId) || null;
  const type = reason === 'top-up' ? 'top_up' : 'refund';
  return { id: entry_id, type, credits, send_id, message_id: message_id ?? null, created_at };
}

import { CANCELLED, type StateReport } from '../../phones/gateway/callback.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { failMessage } from './fail-message.ts';
import { reasonInWords } from './failure-words.ts';
import { getSendAndMessage, moveMessage } from './message.table.ts';
import { parseMessageId } from './message-id.ts';
import { sizeOf } from './segments.ts';

/**
 * Moves a message as its phone reports, forward only. Phones are not asked to report (`gateway-webhooks.ts`), but those that an
 * earlier release connected do, until they are connected again, and an operator may have registered a webhook by hand. A report from a phone other than the one that sends the message, or about
 * a message that is not ours, changes nothing: phones also send texts that did not come from us.
 */
export async function applyReport(outside: Outside, gateway: string, report: StateReport): Promise<void> {
  const place = parseMessageId(report.payload.messageId);
  const found = place && (await getSendAndMessage(outside, place.sendId, place.index));
  if (!found || found.message.gateway !== gateway) return;
  const { send, message } = found;
  const device = report.deviceId;
  switch (report.event) {
    // A delivery report comes once for each part of a long text; the first one counts.
    case 'sms:sent':
    case 'sms:delivered': {
      const to = report.event === 'sms:sent' ? 'sent' : 'delivered';
      return outside.table.write([moveMessage(outside, send, message.index, to, { device })]);
    }
    case 'sms:failed':
      // Of a long text each part is reported, and the others may arrive: its gateway knows what became of the whole.
      if (sizeOf(send.message).segments > 1) return;
      return failMessage(outside, send, message.index, reasonInWords(report.payload.reason), device);
    case 'sms:cancelled':
      return failMessage(outside, send, message.index, reasonInWords(CANCELLED), device);
  }
}

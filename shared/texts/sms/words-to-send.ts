import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { invalidRequest } from '../../runtime/values/errors.ts';
import { inGsm7, type Replaced } from './gsm7.ts';
import { messageId } from './message-id.ts';
import type { SendResponse } from './responses.ts';
import { MAX_SAFE_SEGMENTS, sizeOf } from './segments.ts';
import type { Send } from './send.table.ts';
import type { SendRequest } from './send-request.ts';

/**
 * Returns the text as it will be sent, and the characters that were replaced.
 * @throws PublicError `invalid_request` for a text that phones reject.
 */
export function wordsToSend({ message, encoding }: Pick<SendRequest, 'message' | 'encoding'>): {
  message: string;
  replaced: readonly Replaced[];
} {
  const { text, replaced, missing } = encoding ? inGsm7(message) : { text: message, replaced: [], missing: [] };
  if (missing.length > 0) {
    const shown = missing.slice(0, MAX_SHOWN_CHARACTERS).map((one) => JSON.stringify(one));
    const message = `cannot be "gsm7": the text contains ${shown.join(', ')}, for which GSM-7 has no replacement. Remove these characters, or omit encoding`;
    throw invalidRequest([{ field: 'encoding', message }]);
  }
  const { segments, encoding: written } = sizeOf(text);
  if (segments > MAX_SAFE_SEGMENTS) {
    const saved = written === 'UCS-2' ? gsm7OfUcs2(text) : undefined;
    const fits = saved && saved.segments <= MAX_SAFE_SEGMENTS;
    const advice = fits ? `Add "encoding": "gsm7" to reduce it to ${saved.segments} SMS, or shorten it` : 'Shorten it';
    const message = `would be split into ${segments} SMS, but phones send at most ${MAX_SAFE_SEGMENTS}. ${advice}`;
    throw invalidRequest([{ field: 'message', message }]);
  }
  return { message: text, replaced };
}

const MAX_SHOWN_CHARACTERS = 5;

function gsm7OfUcs2(written: string): { segments: number; replaced: readonly Replaced[] } | undefined {
  const { text, replaced, missing } = inGsm7(written);
  return missing.length > 0 ? undefined : { segments: sizeOf(text).segments, replaced };
}

/** Builds the response to a send. Message ids are known before a gateway is contacted. */
export function presentSend(send: Send, replaced: readonly Replaced[] = []): SendResponse {
  const size = sizeOf(send.message);
  const saved = size.encoding === 'UCS-2' ? gsm7OfUcs2(send.message) : undefined;
  const isShorter = saved && saved.segments < size.segments;
  return {
    id: send.send_id,
    livemode: !isTestAccount(send.merchant_id),
    ids: send.to.map((_, index) => messageId(send.send_id, index)),
    to: send.to,
    from: send.from,
    status: send.send_at ? 'scheduled' : 'pending',
    send_at: send.send_at ?? null,
    expires_at: send.useless_at ?? null,
    gateway_message_id: send.send_id,
    count: send.to.length,
    ...size,
    ...(replaced.length > 0 && { replaced: [...replaced] }),
    ...(saved && { as_gsm7: { segments: saved.segments, replaced: [...saved.replaced] } }),
    ...(isShorter && {
      warning: `Characters outside GSM-7 make this text ${size.segments} SMS. With "encoding": "gsm7" it would be ${saved.segments}; as_gsm7 shows what would change.`,
    }),
  };
}

import { chooseSender } from '../../phones/sender/choose-sender.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { OPERATOR, type Send } from './send.table.ts';
import { newSend } from './send.ts';

/** Longer than housekeeping asks what became of a text. */
export const OPERATOR_TEXT_KEPT_SECONDS = 8 * 24 * 60 * 60;

interface OperatorText extends Pick<Send, 'from' | 'message' | 'purpose'> {
  readonly to: string;
  /** It is not sent later than this. */
  readonly uselessAfterMs: number;
}

/**
 * A text of the operator's own, not yet written. It costs no credit, is in no merchant's list, and no webhook tells of it: what a code or
 * a link opens is for its recipient alone.
 */
export function operatorText(
  outside: Pick<Outside, 'now' | 'randomBytes' | 'retentionDays'>,
  { from, to, message, purpose, uselessAfterMs }: OperatorText,
): Send {
  const nowMs = outside.now();
  return {
    ...newSend(outside, undefined, { to: [to], message }, from),
    ...(purpose && { purpose }),
    useless_at: new Date(nowMs + uselessAfterMs).toISOString(),
    expires_at_epoch_seconds: Math.floor(nowMs / 1000) + OPERATOR_TEXT_KEPT_SECONDS,
  };
}

/** The number that a text of the operator's leaves from. @throws PublicError `no_sender_available`, `queue_full`. */
export function operatorSender(outside: Pick<Outside, 'now' | 'randomBytes'>, senders: readonly Sender[]): string {
  return chooseSender(outside, senders, { merchant_id: OPERATOR, from: 'random' }).number;
}

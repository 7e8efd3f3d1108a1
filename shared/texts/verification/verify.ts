import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { isoOf, nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { isCode, NoCode, newCode } from '../../runtime/table/one-time-code.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { counted } from '../../runtime/values/counted.ts';
import { PublicError, retryAfter } from '../../runtime/values/errors.ts';
import { createCodeText } from '../sms/code-text.table.ts';
import { magicNumbers } from '../sms/magic-numbers.ts';
import { parseMessageId } from '../sms/message-id.ts';
import { fitName, sizeOf } from '../sms/segments.ts';
import type { Send } from '../sms/send.table.ts';
import { acceptSend } from '../sms/send.ts';
import type { VerifyResponse } from './responses.ts';
import {
  countTries,
  createVerification,
  getWrong,
  TriedAgain,
  useCode,
  type Verification,
  verificationRows,
  verifiedNumberRows,
} from './verification.table.ts';
import type { CheckRequest, VerifyRequest } from './verify-request.ts';

const TEST_CODE = '12345678';
/** Id to look up in place of a malformed id, so that the response times are the same as for an unknown id. */
const NOBODYS_ID = '00000000-0000-7000-8000-000000000000';

/**
 * Creates a code for a number and queues its text. Invalidates any earlier code. `commit` performs the writes.
 * @throws PublicError `no_sender_available`, `queue_full`, `too_many_requests`, `too_many_tries`,
 * `insufficient_credits`.
 */
export function startVerification<Result>(
  outside: Outside,
  merchant: Merchant,
  asked: VerifyRequest,
  commit: (writes: readonly TableWrite[], answer: { send: Send; data: VerifyResponse }) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const { to, length, expires_in, from } = asked;
    const { merchant_id } = merchant;
    const isTest = isTestAccount(merchant_id);
    const nowMs = outside.now();
    const validUntilMs = nowMs + expires_in * 1000;
    // Leave half of the validity for delays and for typing the code.
    const mustLeaveMs = nowMs + (expires_in * 1000) / 2;
    const valid_until = isoOf(validUntilMs);
    const code = isTest && to !== magicNumbers.failed ? TEST_CODE.slice(0, length) : newCode(outside, length);
    const of = { merchant_id, to };
    const [accepted, known, wrong] = await Promise.all([
      acceptSend(outside, merchant, {
        to: [to],
        from,
        message: words(merchant, asked, '*'.repeat(length)),
        has_code: true,
        useless_at: valid_until,
      }),
      verifiedNumberRows.find(outside, of),
      getWrong(outside, of),
    ]);
    const { send, leavesMs = 0 } = accepted;
    const { send_id, created_at } = send;
    if (leavesMs > mustLeaveMs) throw tooLate(leavesMs - mustLeaveMs);
    const writes = [
      ...createVerification(outside, { send_id, ...of, created_at, valid_until }, code, { known, wrong }),
      ...accepted.writes,
      ...createCodeText(send, words(merchant, asked, code), Math.floor(validUntilMs / 1000)),
    ];
    const data = {
      id: send_id,
      livemode: !isTest,
      to,
      from: send.from,
      status: 'pending' as const,
      length,
      expires_at: valid_until,
      cost: isTest ? 0 : 1,
      ...sizeOf(send.message),
    };
    return commit(writes, { send, data });
  });
}

function words({ name }: Pick<Merchant, 'name'>, { message, expires_in }: VerifyRequest, code: string): string {
  const life = counted(Math.floor(expires_in / 60), 'minute');
  const withName = (shown: string) =>
    message.replace(/\{(\w+)\}/g, (_, place) => ({ code, life, name: shown })[String(place)] ?? '');
  const maxSegments = sizeOf(withName('')).segments;
  return fitName(name, { orElse: 'Code', maxSegments }, withName);
}

function tooLate(waitMs: number): PublicError {
  return new PublicError(
    'queue_full',
    'Too many texts are queued for the code to arrive in time. Nothing was debited. Wait until some have been sent, or set a longer `expires_in`.',
    retryAfter(waitMs / 1000),
  );
}

/**
 * Compares a code. `commit` receives no writes unless the code is correct. Wrong, expired, used and unknown codes cause
 * the same table requests.
 * @throws PublicError `too_many_tries`.
 */
export async function checkCode<Result>(
  outside: Outside,
  { merchant_id }: Pick<Merchant, 'merchant_id'>,
  { id, code }: CheckRequest,
  commit: (writes: readonly TableWrite[], isRight: boolean) => Promise<Result>,
): Promise<Result> {
  const sendId = parseMessageId(id)?.sendId ?? NOBODYS_ID;
  const found = await verificationRows.find(outside, { send_id: sendId });
  const own = found?.merchant_id === merchant_id ? found : nobodys(outside, merchant_id);
  try {
    await outside.table.write(countTries(outside, own));
    if (!isCode(own, code)) return await commit([], false);
    return await retryIfChanged((refused) => {
      const tries = refused instanceof TriedAgain ? refused.tries : own.tries + 1;
      return commit(useCode({ ...own, tries }), true);
    });
  } catch (error) {
    if (error instanceof NoCode) return commit([], false);
    throw error;
  }
}

function nobodys(outside: Outside, merchant_id: string): Verification {
  const created_at = nowIso(outside);
  return { send_id: NOBODYS_ID, merchant_id, to: '', created_at, valid_until: created_at, tries: 0 };
}

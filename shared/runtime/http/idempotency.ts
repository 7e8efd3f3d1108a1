/**
 * idempotency record   IDEMPOTENCY#<merchant>#<route>#<sha256(key)> / IDEMPOTENCY   the stored response to a request
 *
 * Written in the same transaction as the request's effect, so there is no "in progress" state.
 */
import * as z from 'zod/mini';
import { endsIn, nowSeconds, type Outside } from '../outside/outside.ts';
import type { Item, TableWrite } from '../table/table.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../values/calendar.ts';
import { invalidRequest, PublicError } from '../values/errors.ts';
import { sha256 } from '../values/sha256.ts';
import { type Answer, jsonAnswer } from './answer.ts';

export interface Repeatable {
  readonly pk: string;
  readonly fingerprint: string;
}

const IdempotencyRecord = z.object({
  fingerprint: z.string(),
  status_code: z.number(),
  body: z.string(),
  expires_at_epoch_seconds: z.number(),
});
type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;

/**
 * Identifies a request that can be repeated. Two requests are identical if their `content` (path parameters and body)
 * is equal.
 * @throws PublicError `invalid_request` if the key is empty or longer than 255 characters.
 */
export function repeatable(merchantId: string, route: string, key: string, content: readonly string[]): Repeatable {
  if (!KEY.test(key)) {
    const message = `must be 1 to ${MAX_KEY_CHARACTERS} printable ASCII characters, for example a UUID`;
    throw invalidRequest([{ field: 'Idempotency-Key', message }]);
  }
  return { pk: `IDEMPOTENCY#${merchantId}#${route}#${sha256(key)}`, fingerprint: sha256(JSON.stringify(content)) };
}

/** Stores the response for 24 hours. The write fails with `AlreadyAnswered` if a response is already stored. */
export function rememberAnswer(
  outside: Outside,
  { pk, fingerprint }: Repeatable,
  answer: Pick<Answer, 'statusCode' | 'body'>,
): TableWrite {
  const record: IdempotencyRecord = {
    fingerprint,
    status_code: answer.statusCode,
    body: answer.body,
    ...endsIn(outside, ANSWER_KEPT_SECONDS),
  };
  return {
    put: {
      Item: { pk, sk: 'IDEMPOTENCY', ...record },
      ConditionExpression: 'attribute_not_exists(pk) OR expires_at_epoch_seconds <= :now',
      ExpressionAttributeValues: { ':now': nowSeconds(outside) },
    },
    refused: (current) => new AlreadyAnswered(current),
  };
}

/**
 * For a request with several transactions, stores the idempotency key in the first one, with the state that the others
 * need. A repeated request fails with `KeptBefore`, which contains this state.
 * @throws PublicError `idempotency_key_reused` if the key was used for a different request.
 */
export function keepKey(outside: Outside, repeatable: Repeatable, body: string): TableWrite {
  return {
    ...rememberAnswer(outside, repeatable, { statusCode: 202, body }),
    refused: (current) => {
      const { fingerprint, body: kept } = z.parse(IdempotencyRecord, current);
      return fingerprint === repeatable.fingerprint ? new KeptBefore(kept) : reused();
    },
  };
}

export class KeptBefore extends Error {
  readonly kept: string;
  constructor(kept: string) {
    super('An earlier attempt has already started this request');
    this.kept = kept;
  }
}

/**
 * Returns the response to an earlier identical request, or undefined. Also called after failures: a repeated request
 * must get the first response even if it would now fail.
 * @throws PublicError `idempotency_key_reused` if the earlier request was different.
 */
export async function earlierAnswer(
  outside: Outside,
  repeatable: Repeatable,
  error: unknown,
): Promise<Answer | undefined> {
  if (!(error instanceof AlreadyAnswered || error instanceof PublicError)) return undefined;
  return error instanceof AlreadyAnswered
    ? answerOf(outside, repeatable, error.record)
    : knownAnswer(outside, repeatable);
}

/**
 * Returns the stored response, if any.
 * @throws PublicError `idempotency_key_reused` if the response belongs to a different request.
 */
export async function knownAnswer(outside: Outside, repeatable: Repeatable): Promise<Answer | undefined> {
  return answerOf(outside, repeatable, await outside.table.get({ pk: repeatable.pk, sk: 'IDEMPOTENCY' }));
}

function answerOf(outside: Outside, repeatable: Repeatable, item: Item | undefined): Answer | undefined {
  if (!item) return undefined;
  const record = z.parse(IdempotencyRecord, item);
  if (record.expires_at_epoch_seconds <= nowSeconds(outside)) return undefined;
  if (record.fingerprint !== repeatable.fingerprint) throw reused();
  return jsonAnswer(record.status_code, record.body, { 'idempotent-replayed': 'true' });
}

function reused(): PublicError {
  const message = `This Idempotency-Key was used for a different request or scope in the last ${KEPT_HOURS} hours. Use a new key for a new request, and send the same body to repeat a request.`;
  return new PublicError('idempotency_key_reused', message);
}

class AlreadyAnswered extends Error {
  readonly record: Item | undefined;
  constructor(record: Item | undefined) {
    super('This request already has a stored response');
    this.record = record;
  }
}

export const ANSWER_KEPT_SECONDS = DAY_SECONDS;
const KEPT_HOURS = ANSWER_KEPT_SECONDS / HOUR_SECONDS;
export const MAX_KEY_CHARACTERS = 255;
const KEY = new RegExp(`^[\\x21-\\x7e][\\x20-\\x7e]{0,${MAX_KEY_CHARACTERS - 1}}$`);

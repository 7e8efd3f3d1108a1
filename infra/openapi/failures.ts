import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { EXAMPLE_BASE_URL } from '../../shared/pages/docs/text-with-address.ts';
import type { Example } from '../../shared/runtime/http/operation.ts';
import { FailureResponse } from '../../shared/runtime/http/responses.ts';
import { docUrl, type ErrorCode, errorCodes, statusOfCode } from '../../shared/runtime/values/errors.ts';
import { errorDescriptions } from './error-descriptions.ts';

/**
 * Error responses: one component per status and set of codes (`asPage` describes pages for browsers). All share one
 * schema, because generators would otherwise create hundreds of files. `x-error-codes` lists the possible codes.
 */
export class Failures {
  readonly #made = new Map<string, ZodOpenApiResponseObject>();

  of(codes: readonly ErrorCode[], asPage: boolean): ZodOpenApiResponsesObject {
    const known = codesByStatus.map(([status, all]) => [status, all.filter((code) => codes.includes(code))] as const);
    return Object.fromEntries(
      known.flatMap(([status, [first, ...rest]]) => (first ? [[status, this.#answer([first, ...rest], asPage)]] : [])),
    );
  }

  #answer(codes: readonly [ErrorCode, ...ErrorCode[]], asPage: boolean): ZodOpenApiResponseObject {
    const id = codes.join('_or_') + (asPage ? '_as_page' : '');
    const answer = this.#made.get(id) ?? failureOf(id, codes, asPage);
    this.#made.set(id, answer);
    return answer;
  }
}

const codesByStatus = Object.entries(Object.groupBy(errorCodes, (code) => statusOfCode[code]));

function failureOf(id: string, codes: readonly [ErrorCode, ...ErrorCode[]], asPage: boolean): ZodOpenApiResponseObject {
  const examples = codes.map((code) => [code, { summary: code, value: failureExample(code) }] as const);
  return {
    id,
    'x-error-codes': codes,
    description: codes.map((code) => `\`${code}\`: ${errorDescriptions[code].meaning}`).join(' '),
    ...(codes.some((code) => retryable.has(code)) && {
      headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
    }),
    content: {
      'application/json': {
        schema: FailureResponse,
        ...examplesOf(Object.fromEntries(examples)),
      },
      ...(asPage && { 'text/html': { schema: { type: 'string' } } }),
    },
  };
}

export function failureExample(code: ErrorCode): FailureResponse {
  const { meaning, whatToDo } = errorDescriptions[code];
  const errors = [{ field: 'to[3]', message: 'why the value is not valid' }];
  return {
    status: false,
    message: `${meaning} ${whatToDo}`.replaceAll('`', ''),
    code,
    ...(code === 'invalid_request' && { errors }),
    request_id: REQUEST_ID,
    doc_url: docUrl(EXAMPLE_BASE_URL, code),
  };
}

const REQUEST_ID = 'c6af9ac6-7b61-4e6f-9a41-93e8deadbeef';

const retryable: ReadonlySet<ErrorCode> = new Set([
  'busy',
  'no_sender_available',
  'queue_full',
  'too_many_tries',
  'too_many_requests',
]);

/**
 * Returns the examples for the document. A single example is returned on its own, because the page would show a menu
 * for a list.
 */
export function examplesOf(examples: Readonly<Record<string, Example>>) {
  const [only, ...more] = Object.values(examples);
  return only && more.length === 0 ? { example: only.value } : { examples };
}

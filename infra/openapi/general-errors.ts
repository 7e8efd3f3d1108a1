import type { ErrorCode } from '../../shared/runtime/values/errors.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly hasKey: boolean;
  readonly hasBody: boolean;
  readonly hasQuery: boolean;
}

/**
 * Errors implied by a request's properties. The document lists them for each operation, the reference page only once.
 */
export const generalErrors: readonly {
  readonly codes: readonly ErrorCode[];
  readonly of: string;
  readonly isOf: (asked: Asked) => boolean;
}[] = [
  {
    codes: ['unauthorized', 'forbidden', 'too_many_requests', 'busy'],
    of: 'Every request with a key',
    isOf: ({ hasKey }) => hasKey,
  },
  {
    codes: ['malformed_json', 'unsupported_media_type'],
    of: 'Every request with a body',
    isOf: ({ hasBody }) => hasBody,
  },
  {
    codes: ['invalid_request'],
    of: 'Every request with a body or a query, and every POST with a key',
    isOf: (asked) => asked.hasBody || asked.hasQuery || isRepeatable(asked),
  },
  { codes: ['idempotency_key_reused'], of: 'Every POST with a key', isOf: isRepeatable },
  { codes: ['body_too_large'], of: 'Every request but a GET', isOf: ({ method }) => method !== 'GET' },
  { codes: ['not_found'], of: 'Every path with an id', isOf: ({ path }) => path.includes('{') },
  { codes: ['internal'], of: 'Every request', isOf: () => true },
];

export function isRepeatable({ method, hasKey }: Pick<Asked, 'method' | 'hasKey'>): boolean {
  return hasKey && method === 'POST';
}

export function generalErrorsOf(asked: Asked): ErrorCode[] {
  return generalErrors.flatMap(({ codes, isOf }) => (isOf(asked) ? codes : []));
}

import type { HttpRequest } from '../../runtime/http/request.ts';
import { PublicError } from '../../runtime/values/errors.ts';

/** The fields of a form as they were sent. One that was left empty is left out: a form sends those too. */
export function typedIn({ headers, rawBody }: Pick<HttpRequest<unknown, undefined>, 'headers' | 'rawBody'>) {
  const type = headers['content-type'] ?? '';
  if (rawBody !== '' && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new PublicError('unsupported_media_type', 'Send the form from its page.');
  const fields = [...new URLSearchParams(rawBody)].filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(fields.map(([name, value]) => [name, value.toWellFormed()]));
}

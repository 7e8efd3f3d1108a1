import { type KeyKind, keyKinds } from '../../../runtime/triggers/row.ts';
import { PublicError } from '../../../runtime/values/errors.ts';

/** What a kind of key is for. */
export const kindNames: Readonly<Record<KeyKind, string>> = { live: 'Charges and payments', sms: 'Texts' };

/** The kind that a path names. @throws PublicError `not_found`. */
export function kindOf(name: string): KeyKind {
  const kind = keyKinds.find((one) => one === name);
  if (!kind) throw new PublicError('not_found', 'There are live and sms.');
  return kind;
}

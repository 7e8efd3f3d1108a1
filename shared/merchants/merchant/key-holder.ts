import type { KeyKind } from '../../runtime/triggers/row.ts';

/** A merchant and a kind of key. Data created with one kind of key is invisible to the other kind. */
export interface KeyHolder {
  readonly merchant_id: string;
  readonly key_kind: KeyKind;
}

/** Returns the identifier of a key holder for table keys. Contains no `#` and never equals a merchant's id. */
export function holderId({ merchant_id, key_kind }: KeyHolder): string {
  return key_kind === 'live' ? merchant_id : `${merchant_id}.${key_kind}`;
}

export function isSameHolder(one: KeyHolder, other: KeyHolder): boolean {
  return holderId(one) === holderId(other);
}

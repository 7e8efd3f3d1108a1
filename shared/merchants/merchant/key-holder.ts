import type { KeyKind } from '../../runtime/triggers/row.ts';

/** A merchant, as the holder of one kind of key: what is set with one kind is not seen with the other. */
export interface KeyHolder {
  readonly merchant_id: string;
  readonly key_kind: KeyKind;
}

/** Names what belongs to a holder, in keys of the table. It contains no `#`, and no merchant's id looks like another's holder. */
export function holderId({ merchant_id, key_kind }: KeyHolder): string {
  return key_kind === 'live' ? merchant_id : `${merchant_id}.${key_kind}`;
}

export function isSameHolder(one: KeyHolder, other: KeyHolder): boolean {
  return holderId(one) === holderId(other);
}

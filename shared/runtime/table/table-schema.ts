/** The one table's keys, as plain data: CDK creates it from this on AWS, the local stack and the tests in theirs. */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Sparse and keys-only, so that a change of state costs no index write; list pages read the items behind the keys. */
  indexes: [
    /** A merchant's items, newest last: `MERCHANT#<id>#<kind>` / a time-ordered id. */
    { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
    /** Open work: `OPEN#<momo number>#<pesewas>`, `HELD#…` / a time-ordered id. */
    { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk' },
  ],
  /** Seconds since 1970. DynamoDB deletes up to 48 hours late, so every read compares it too. */
  timeToLiveAttribute: 'expires_at_epoch_seconds',
} as const;

export type IndexName = (typeof tableSchema)['indexes'][number]['name'];

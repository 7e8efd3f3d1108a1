export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** The indexes contain only keys, so that a state change costs no index write. List pages read items by key. */
  indexes: [
    /** A merchant's items, oldest first: `MERCHANT#<id>#<kind>` / a time-ordered id. */
    { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
    /** Open work: `OPEN#<momo number>#<pesewas>`, `HELD#…` / a time-ordered id. */
    { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk' },
  ],
  /** Seconds since 1970. DynamoDB deletes items up to 48 hours late, so reads also check this time. */
  timeToLiveAttribute: 'expires_at_epoch_seconds',
} as const;

export type IndexName = (typeof tableSchema)['indexes'][number]['name'];

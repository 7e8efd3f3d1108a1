export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /**
   * The indexes are sparse and contain only keys, so that a state change does not cost an index write. List pages read
   * the items themselves by key.
   */
  indexes: [
    /** A merchant's items, oldest first: `MERCHANT#<id>#<kind>` / a time-ordered id. */
    { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
    /** Open work: `OPEN#<momo number>#<pesewas>`, `HELD#…` / a time-ordered id. */
    { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk' },
  ],
  /** In seconds since 1970. DynamoDB deletes an item up to 48 hours late, so every read also checks this time. */
  timeToLiveAttribute: 'expires_at_epoch_seconds',
} as const;

export type IndexName = (typeof tableSchema)['indexes'][number]['name'];

export type DatabaseKind = 'memory' | 'dynamodb-local';

/**
 * Parses the `DATABASE` variable. Defaults to the in-memory database, which needs no installation.
 * @throws an Error for an unknown name.
 */
export function databaseKind(name: string | undefined): DatabaseKind {
  if (!name || name === 'memory') return 'memory';
  if (name === 'dynamodb-local') return name;
  throw new Error(`DATABASE is ${JSON.stringify(name)}. Set it to memory or dynamodb-local.`);
}

export const DATABASES: Readonly<Record<DatabaseKind, string>> = {
  memory: 'DynamoDB in memory, which needs no Java (DATABASE=dynamodb-local for Amazon’s)',
  'dynamodb-local': 'Amazon’s DynamoDB Local',
};

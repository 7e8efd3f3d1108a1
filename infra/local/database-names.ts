/** The database of the local stack and the tests: this project's in-memory DynamoDB, or Amazon's DynamoDB Local. */
export type DatabaseKind = 'memory' | 'dynamodb-local';

/** The one that is named, as in the variable `DATABASE`; without a name the one in memory, which needs nothing. @throws for another name */
export function databaseKind(name: string | undefined): DatabaseKind {
  if (!name || name === 'memory') return 'memory';
  if (name === 'dynamodb-local') return name;
  throw new Error(`DATABASE is ${JSON.stringify(name)}: set it to memory or dynamodb-local.`);
}

/** Their names on the terminal. */
export const DATABASES: Readonly<Record<DatabaseKind, string>> = {
  memory: 'DynamoDB in memory, which needs no Java (DATABASE=dynamodb-local for Amazon’s)',
  'dynamodb-local': 'Amazon’s DynamoDB Local',
};

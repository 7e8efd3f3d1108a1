/** An error as DynamoDB answers it. */
export class DynamoDbError extends Error {
  readonly statusCode: number;
  /** What the answer holds besides its type and message. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(name: string, message: string, fields: Readonly<Record<string, unknown>> = {}, statusCode = 400) {
    super(message);
    this.name = name;
    this.fields = fields;
    this.statusCode = statusCode;
  }

  body(): string {
    const namespace =
      this.name === 'ValidationException' ? 'com.amazon.coral.validate' : 'com.amazonaws.dynamodb.v20120810';
    return JSON.stringify({ __type: `${namespace}#${this.name}`, message: this.message, ...this.fields });
  }
}

/** The request itself is wrong, whatever the table holds. */
export function invalid(message: string): DynamoDbError {
  return new DynamoDbError('ValidationException', message);
}

/** What DynamoDB supports and this does not: refused, because a guess would be trusted. */
export function notCovered(what: string): DynamoDbError {
  return invalid(`The in-memory DynamoDB does not cover ${what}`);
}

/** The request cannot be done to the item as it is: in a transaction, the reason of its leg. */
export class ItemError extends DynamoDbError {
  constructor(message: string) {
    super('ValidationException', message);
  }
}

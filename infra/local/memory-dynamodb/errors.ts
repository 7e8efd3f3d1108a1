export class DynamoDbError extends Error {
  readonly statusCode: number;
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

export function invalid(message: string): DynamoDbError {
  return new DynamoDbError('ValidationException', message);
}

/** Returns the error for a DynamoDB feature that is not implemented. */
export function notCovered(what: string): DynamoDbError {
  return invalid(`The in-memory DynamoDB does not cover ${what}`);
}

/** Thrown if the item does not allow the request. In a transaction, this is the write's cancellation reason. */
export class ItemError extends DynamoDbError {
  constructor(message: string) {
    super('ValidationException', message);
  }
}

/** A mistake by the operator. The message says what to do. */
export class OperatorError extends Error {}

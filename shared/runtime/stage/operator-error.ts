/** An operator's mistake; the message says what to do. */
export class OperatorError extends Error {}

/** A mistake of the operator's; its message says what to do. */
export class OperatorError extends Error {}

/** A mistake of the operator's, in words that say what to do. */
export class OperatorError extends Error {}

/** An error with a message for the person at the terminal. */
export class Problem extends Error {
  override name = 'Problem';
}

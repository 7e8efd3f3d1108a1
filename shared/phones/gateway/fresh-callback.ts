/** A signed callback is accepted within this many seconds before and after its timestamp. */
export const FRESH_SECONDS = 5 * 60;

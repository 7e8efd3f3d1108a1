/** Seconds before and after its timestamp within which a signed callback is accepted. */
export const FRESH_SECONDS = 5 * 60;

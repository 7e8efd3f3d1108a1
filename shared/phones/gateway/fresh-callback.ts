/** Seconds for which a signed post is accepted, before and after its stated time. */
export const FRESH_SECONDS = 5 * 60;

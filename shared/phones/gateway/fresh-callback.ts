/** For how long what a phone signs is taken, before its time and after it. */
export const FRESH_SECONDS = 5 * 60;

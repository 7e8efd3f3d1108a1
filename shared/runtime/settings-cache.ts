/**
 * How long a function may go on with a merchant's settings or the list of senders after they changed. Short enough that the
 * command line simply waits it out before it says "done", long enough that a busy function hardly ever reads them.
 */
export const SETTINGS_CACHE_SECONDS = 2;

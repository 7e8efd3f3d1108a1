/** Skips Java's second compiler, which doubles the start-up time and is not worth it for a short-lived DynamoDB. */
export const QUICK_JAVA = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

/**
 * Arguments for Node. By default, the young generation starts at one megabyte, and collecting it takes a quarter of the
 * time of a one-second command and a tenth of the time of the tests.
 */
export const QUICK_NODE = ['--min-semi-space-size=32'];

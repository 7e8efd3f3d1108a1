/** Skips Java's second compiler, which does not pay off for a short-lived DynamoDB and doubles its start. */
export const QUICK_JAVA = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

/**
 * Arguments for Node. The young generation starts at a megabyte, and collecting it takes a quarter of a one-second
 * command's time and a tenth of the tests'.
 */
export const QUICK_NODE = ['--min-semi-space-size=32'];

/** A DynamoDB that lives for seconds is not worth the time of Java's second compiler: it starts with half the work. */
export const QUICK_JAVA = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

/**
 * Arguments for Node. Its space for young objects starts at a megabyte, and collecting it again and again is a quarter of the
 * work of a command that ends within a second, and a tenth of that of the tests themselves.
 */
export const QUICK_NODE = ['--min-semi-space-size=32'];

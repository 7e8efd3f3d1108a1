/** A DynamoDB that lives for seconds is not worth the time of Java's second compiler: it starts with half the work. */
export const QUICK_JAVA = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

/** Arguments for Node: a command that ends within a second need not collect its garbage, and takes a quarter less work. */
export const QUICK_NODE = ['--min-semi-space-size=32'];

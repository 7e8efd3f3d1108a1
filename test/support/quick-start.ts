/**
 * Java options that disable the second compiler, which doubles the start-up time and is not worthwhile for a
 * short-lived DynamoDB Local.
 */
export const QUICK_JAVA = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

/**
 * Node arguments that enlarge the young generation. It starts at 1 MB by default, and collecting it takes a quarter of
 * the time of a one-second command and a tenth of the tests' time.
 */
export const QUICK_NODE = ['--min-semi-space-size=32'];

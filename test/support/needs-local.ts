import { inject } from 'vitest';

/** True if DynamoDB Local runs in these tests. */
export const isLocalThere = inject('database') === 'dynamodb-local';

/** The reason for skipping a test that proves it. */
export const WITHOUT_LOCAL = 'needs DynamoDB Local, and so Java 17 or Docker';

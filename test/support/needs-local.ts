import { inject } from 'vitest';

/** Whether DynamoDB Local runs in these tests. */
export const isLocalThere = inject('database') === 'dynamodb-local';

/** Why a test is skipped that proves it. */
export const WITHOUT_LOCAL = 'needs DynamoDB Local, and so Java 17 or Docker';

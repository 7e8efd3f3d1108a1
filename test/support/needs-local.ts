import { inject } from 'vitest';

export const isLocalThere = inject('database') === 'dynamodb-local';

export const WITHOUT_LOCAL = 'needs DynamoDB Local, and so Java 17 or Docker';

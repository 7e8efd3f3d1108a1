import type { DefaultRow, HttpRow, Queue, QueueRow, StreamRow } from '../shared/runtime/row.ts';

/**
 * The table of contents: every function of the service, named by its file below this folder, with what calls it and what
 * it may do. CDK deploys from it, the local server runs from it, the tests loop over it. It is data and imports no handler.
 */
export const manifest = {
  'transaction/initialize': {
    on: 'http',
    method: 'POST',
    path: '/api/v1/transaction/initialize',
    key: 'live',
    table: ['GetItem', 'PutItem'],
    timeoutSeconds: 10,
    memoryMegabytes: 512,
    whenItFails: 'Merchants cannot create charges: their customers cannot check out.',
  },
  'transaction/verify': {
    on: 'http',
    method: 'GET',
    path: '/api/v1/transaction/verify/{reference}',
    key: 'live',
    table: ['GetItem'],
    timeoutSeconds: 10,
    memoryMegabytes: 512,
    whenItFails: 'Merchants cannot learn whether a charge was paid: orders wait.',
  },
  'sms/send': {
    on: 'http',
    method: 'POST',
    path: '/api/v1/sms/send',
    key: 'sms',
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    timeoutSeconds: 10,
    memoryMegabytes: 512,
    whenItFails: 'Callers cannot queue texts.',
  },
  'sms/from': {
    on: 'http',
    method: 'GET',
    path: '/api/v1/sms/from',
    key: 'sms',
    table: ['GetItem', 'Query'],
    timeoutSeconds: 10,
    memoryMegabytes: 512,
    whenItFails: 'Callers cannot list the numbers they may send from; sending still works.',
  },
  'sms/show': {
    on: 'http',
    method: 'GET',
    path: '/api/v1/sms/{id}',
    key: 'sms',
    table: ['GetItem', 'BatchGetItem'],
    timeoutSeconds: 10,
    memoryMegabytes: 512,
    whenItFails: 'Callers cannot see what became of a text; sending still works.',
  },
  'checkout/page': {
    on: 'http',
    method: 'GET',
    path: '/checkout/{access_code}',
    table: ['GetItem'],
    timeoutSeconds: 10,
    memoryMegabytes: 512,
    whenItFails: 'Customers see no checkout page and cannot pay.',
  },
  'checkout/short-link': {
    on: 'http',
    method: 'GET',
    path: '/c/{access_code}',
    table: [],
    timeoutSeconds: 3,
    memoryMegabytes: 256,
    whenItFails: 'Customers who follow a short link do not reach the checkout page.',
  },
  'not-found': {
    on: 'default',
    table: [],
    timeoutSeconds: 3,
    memoryMegabytes: 256,
    whenItFails: 'Callers of unknown routes get a bare error instead of one that says what to do.',
  },
  'work/relay': {
    on: 'stream',
    only: [{ event: 'INSERT', sortKeyPrefix: 'SEND' }],
    table: [],
    sendsTo: ['deliver-sms'],
    timeoutSeconds: 30,
    memoryMegabytes: 512,
    whenItFails: 'Accepted texts are not queued: they wait, debited, until this function works again.',
  },
  'work/deliver-sms': {
    on: 'queue',
    queue: 'deliver-sms',
    batchSize: 10,
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    readsGatewayAccounts: true,
    timeoutSeconds: 30,
    memoryMegabytes: 512,
    whenItFails: 'Queued texts do not reach the phones: they are tried again, and refunded in the end.',
  },
} as const satisfies Record<string, HttpRow | DefaultRow | StreamRow | QueueRow>;

export const queues = {
  'deliver-sms': { receives: 20, deadLetterRetentionDays: 14 },
} as const satisfies Record<string, Queue>;

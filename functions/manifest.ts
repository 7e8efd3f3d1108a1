import type { Service } from '../shared/runtime/stage/place.ts';
import type { AreaRow, Callers, HttpRow, Queue, Row } from '../shared/runtime/triggers/row.ts';

/** Why the checkout's routes take no key. */
const ACCESS_CODE = 'Customers open it. The access code in its path is 95 random bits.';
/** What a made-up payment of a test needs. By their ids, the receipts and payments can only be a test's. */
const SIMULATION = {
  GetItem: ['TRANSACTION#*', 'RECEIPT#*-TEST*', 'PAYMENT#*#TEST*'],
  BatchGetItem: ['RECEIPT#*-TEST*'],
  ConditionCheckItem: ['PAYMENT#*#TEST*'],
  PutItem: ['RECEIPT#*-TEST*', 'PAYMENT#*#TEST*', 'EXPIRY*', 'REQUEST_MONEY#*'],
  UpdateItem: ['TRANSACTION#*', 'TEST_USE#*'],
  DeleteItem: ['PAYMENT#*#TEST*', 'REFUND#*'],
} as const;
/** What a person's answer to a merchant needs. It sends nothing: what confirms a STOP is another function's. */
const ANSWERED = {
  GetItem: ['CONVERSATION#*', 'MERCHANT#*', 'SENT_CODE#*'],
  BatchGetItem: ['OPT_OUT#*'],
  Query: ['KEYWORD#*'],
  PutItem: ['INBOX#*'],
  UpdateItem: ['CONVERSATION#*', 'STRANGERS#*', 'OPT_OUT#*', 'CONTACT#*', 'KEYWORD#*'],
} as const;
/** What an owner's answer needs. It only keeps the word: who acts on it has rights over the wallet. */
const OWNERS_WORD = ['QUESTION#*'] as const;
/** Why those of the reference take none. */
const NO_SECRET = 'It holds no secret: anyone who may write a client may read it.';

/** Why the pages of payment links take none. */
const PAY_LINK =
  'Whoever has the address of a payment link may open it and pay. It shows what its merchant wrote there.';

/** Why those of payment requests take none. */
const PAYMENT_REQUEST =
  'The customer opens it. The slug in its path is 59 random bits; it shows what its merchant asks, and what is paid.';

/** What is written where a person assigns a payment to a charge. */
const ASSIGNED = ['RECEIPT#*', 'PAYMENT#*', 'EXPIRY*', 'REQUEST_MONEY#*'] as const;

/** Keys for charges and keys for texts. */
const EITHER = ['live', 'sms'] as const;

/** A route, and who may call it. */
function http<M extends HttpRow['method'], P extends string, const C extends Callers>(method: M, path: P, callers: C) {
  return { on: 'http', method, path, ...callers } as const;
}
/** Pages of the dashboard. */
function area<P extends AreaRow['path']>(path: P) {
  const publicBecause = 'People open it in a browser. The session in their cookie says who they are.';
  return { on: 'area', path, publicBecause } as const;
}

/**
 * The table of contents: every function of the service, named by its file below this folder, with what calls it and what
 * it may do. CDK deploys from it, the local server runs from it, the tests loop over it. It is data and imports no handler.
 * What nearly every row would repeat, and what follows from its key and method, `completeRow` adds.
 */
export const manifest = {
  'transaction/initialize': {
    ...http('POST', '/api/v1/transaction/initialize', { key: 'live', needs: 'charges:write' }),
    table: {
      Query: ['LOOKUP#*'],
      BatchGetItem: ['TRANSACTION#*'],
      PutItem: ['TRANSACTION#*', 'MERCHANT_REFERENCE#*'],
      UpdateItem: ['TEST_USE#*'],
    },
    whenItFails: 'Merchants cannot create charges: their customers cannot check out.',
  },
  'transaction/verify': {
    ...http('GET', '/api/v1/transaction/verify/{reference}', { key: 'live', needs: 'charges:read' }),
    table: { GetItem: ['TRANSACTION#*'], BatchGetItem: ['RECEIPT#*'] },
    whenItFails: 'Merchants cannot learn whether a charge was paid: orders wait.',
  },
  'transaction/cancel': {
    ...http('POST', '/api/v1/transaction/{reference}/cancel', { key: 'live', needs: 'charges:write' }),
    audited: 'charge cancel',
    table: {
      GetItem: ['TRANSACTION#*', 'RECEIPT#*'],
      BatchGetItem: ['RECEIPT#*'],
      PutItem: ['RECEIPT#*'],
      UpdateItem: ['TRANSACTION#*', 'UNPROVEN#*'],
      DeleteItem: ['PAYMENT#*'],
    },
    whenItFails: 'Merchants cannot cancel charges: customers may still pay for orders that nobody wants.',
  },
  'transaction/refund': {
    ...http('POST', '/api/v1/transaction/{reference}/refund', { key: 'live', needs: 'refunds:write' }),
    audited: 'refund note',
    table: {
      GetItem: ['TRANSACTION#*'],
      BatchGetItem: ['RECEIPT#*'],
      PutItem: ['REFUND#*', 'RECEIPT#*'],
      UpdateItem: ['TRANSACTION#*'],
    },
    whenItFails: 'Merchants cannot note that they send money back.',
  },
  'transaction/close-refund': {
    ...http('POST', '/api/v1/transaction/{reference}/refund/{refund_id}/close', {
      key: 'live',
      needs: 'refunds:write',
    }),
    audited: 'refund close',
    table: {
      GetItem: ['TRANSACTION#*'],
      BatchGetItem: ['RECEIPT#*'],
      UpdateItem: ['TRANSACTION#*', 'REFUND#*'],
      DeleteItem: ['REFUND#*'],
    },
    whenItFails: 'Merchants cannot say that a refund was sent.',
  },
  'transaction/list': {
    ...http('GET', '/api/v1/transaction', { key: 'live', needs: 'charges:read' }),
    table: { BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*'], Query: ['LOOKUP#*'] },
    indexes: { gsi1: ['MERCHANT#*#TRANSACTION'], gsi2: ['STATUS#*'] },
    whenItFails: 'Merchants cannot list their charges; verifying one still works.',
  },
  'link/create': {
    ...http('POST', '/api/v1/link', { key: 'live', needs: 'links:write' }),
    audited: 'link create',
    table: { PutItem: ['LINK#*', 'LINK_CODES#*'], UpdateItem: ['TEST_USE#*'] },
    whenItFails: 'Merchants cannot make payment links; those that they have still work.',
  },
  'link/list': {
    ...http('GET', '/api/v1/link', { key: 'live', needs: 'charges:read' }),
    table: { BatchGetItem: ['LINK#*'] },
    indexes: { gsi1: ['MERCHANT#*#LINK'] },
    whenItFails: 'Merchants cannot list their payment links; the links still work.',
  },
  'link/show': {
    ...http('GET', '/api/v1/link/{slug}', { key: 'live', needs: 'charges:read' }),
    table: { GetItem: ['LINK#*'] },
    whenItFails: 'Merchants cannot see one of their payment links; the links still work.',
  },
  'link/change': {
    ...http('PUT', '/api/v1/link/{slug}', { key: 'live', needs: 'links:write' }),
    audited: 'link change',
    table: { GetItem: ['LINK#*'], PutItem: ['CHANGE#*'], UpdateItem: ['LINK#*'] },
    whenItFails: 'Merchants cannot change their payment links; the links still work.',
  },
  'pay/page': {
    ...http('GET', '/pay/{slug}', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    table: { GetItem: ['LINK#*', 'MERCHANT#*'] },
    whenItFails: 'Customers cannot open payment links.',
  },
  'pay/open': {
    ...http('POST', '/pay/{slug}', { publicBecause: PAY_LINK, throttledWith: 'claims' }),
    table: {
      GetItem: ['LINK#*', 'MERCHANT#*', 'TRANSACTION#*'],
      Query: ['LOOKUP#*'],
      PutItem: ['TRANSACTION#*', 'LINK_OPENED#*'],
      UpdateItem: ['LINK_OPENED#*', 'TEST_USE#*'],
    },
    whenItFails: 'Customers who press Pay on a payment link get no checkout page.',
  },
  'pay/qr-svg': {
    ...http('GET', '/pay/{slug}/qr.svg', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    table: { GetItem: ['LINK#*'] },
    whenItFails: 'Merchants cannot get the QR code of a payment link as a drawing; its picture and poster still work.',
  },
  'pay/qr-png': {
    ...http('GET', '/pay/{slug}/qr.png', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    table: { GetItem: ['LINK#*'] },
    whenItFails: 'Merchants cannot get the QR code of a payment link as a picture; its drawing and poster still work.',
  },
  'pay/poster': {
    ...http('GET', '/pay/{slug}/poster', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    table: { GetItem: ['LINK#*', 'MERCHANT#*'] },
    whenItFails: 'Merchants cannot print the poster of a payment link.',
  },
  'link/add-codes': {
    ...http('POST', '/api/v1/link/{slug}/codes', { key: 'live', needs: 'links:write' }),
    audited: 'codes add',
    table: { GetItem: ['LINK#*'], Query: ['LINK_CODES#*'], PutItem: ['LINK_CODES#*'], UpdateItem: ['LINK#*'] },
    whenItFails: 'Merchants cannot add codes to their payment links; those that are there are still handed out.',
  },
  'link/end': {
    ...http('POST', '/api/v1/link/{slug}/end', { key: 'live', needs: 'links:write' }),
    audited: 'link end',
    table: { GetItem: ['LINK#*'], UpdateItem: ['LINK#*'] },
    whenItFails: 'Merchants cannot end their payment links.',
  },
  'request/create': {
    ...http('POST', '/api/v1/request', { key: 'live', needs: 'charges:write' }),
    audited: 'request create',
    table: { PutItem: ['REQUEST#*'], UpdateItem: ['TEST_USE#*'] },
    whenItFails: 'Merchants cannot make payment requests; those that they have can still be paid.',
  },
  'request/create-many': {
    ...http('POST', '/api/v1/request/bulk', { key: 'live', needs: 'charges:write' }),
    audited: 'request create',
    // Of a list that is not finished any more, how many are there.
    table: { BatchGetItem: ['REQUEST#*'], PutItem: ['REQUEST#*'], UpdateItem: ['TEST_USE#*'] },
    timeoutSeconds: 29,
    whenItFails: 'Merchants cannot make many payment requests at once; one by one they still can.',
  },
  'request/list': {
    ...http('GET', '/api/v1/request', { key: 'live', needs: 'charges:read' }),
    table: { BatchGetItem: ['REQUEST#*'] },
    indexes: { gsi1: ['MERCHANT#*#REQUEST'] },
    whenItFails: 'Merchants cannot list their payment requests; these can still be paid.',
  },
  'request/show': {
    ...http('GET', '/api/v1/request/{slug}', { key: 'live', needs: 'charges:read' }),
    table: { GetItem: ['REQUEST#*'], BatchGetItem: ['TRANSACTION#*'], Query: ['REQUEST_MONEY#*'] },
    whenItFails: 'Merchants cannot see what is paid of a payment request; it can still be paid.',
  },
  'r/page': {
    ...http('GET', '/r/{slug}', { publicBecause: PAYMENT_REQUEST, throttledWith: 'pages' }),
    table: {
      GetItem: ['REQUEST#*', 'MERCHANT#*'],
      BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*'],
      Query: ['REQUEST_MONEY#*'],
    },
    whenItFails: 'Customers cannot open the payment requests that they were sent.',
  },
  'r/open': {
    ...http('POST', '/r/{slug}', { publicBecause: PAYMENT_REQUEST, throttledWith: 'claims' }),
    table: {
      GetItem: ['REQUEST#*', 'MERCHANT#*'],
      BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*'],
      Query: ['REQUEST_MONEY#*'],
      PutItem: ['TRANSACTION#*'],
      UpdateItem: ['REQUEST#*', 'LINK_OPENED#*', 'TEST_USE#*'],
    },
    whenItFails: 'Customers who press Pay on a payment request get no checkout page.',
  },
  'request/cancel': {
    ...http('POST', '/api/v1/request/{slug}/cancel', { key: 'live', needs: 'links:write' }),
    audited: 'request cancel',
    table: {
      GetItem: ['REQUEST#*'],
      BatchGetItem: ['TRANSACTION#*'],
      Query: ['REQUEST_MONEY#*'],
      UpdateItem: ['REQUEST#*'],
    },
    whenItFails: 'Merchants cannot cancel payment requests: customers may still pay them, and are reminded.',
  },
  'sms/send': {
    ...http('POST', '/api/v1/sms/send', { key: 'sms', needs: 'texts:send' }),
    table: {
      GetItem: ['PACE#*'],
      Query: ['SENDER', 'PACE#*'],
      BatchGetItem: ['OPT_OUT#*', 'CONTACT#*'],
      ConditionCheckItem: ['OPT_OUT#*', 'CONTACT#*'],
      PutItem: ['SEND#*'],
      UpdateItem: ['CREDITS#*', 'TEST_USE#*'],
    },
    whenItFails: 'Callers cannot queue texts.',
  },
  'sms/bulk': {
    ...http('POST', '/api/v1/sms/bulk', { key: 'sms', needs: 'texts:send' }),
    table: {
      GetItem: ['PACE#*'],
      Query: ['SENDER', 'PACE#*'],
      BatchGetItem: ['OPT_OUT#*', 'CONTACT#*'],
      PutItem: ['SEND#*'],
      UpdateItem: ['CREDITS#*', 'TEST_USE#*'],
    },
    whenItFails: 'Callers cannot send texts to many at once; one by one they still can.',
  },
  'sms/show-bulk': {
    ...http('GET', '/api/v1/sms/bulk/{id}', { key: 'sms', needs: 'texts:read' }),
    table: { GetItem: ['SEND#*', 'PACE#*'], Query: ['SEND#*', 'SENDER', 'PACE#*'] },
    whenItFails: 'Callers cannot see how far their texts to many have come; these still leave.',
  },
  'sms/cancel-bulk': {
    ...http('DELETE', '/api/v1/sms/bulk/{id}', { key: 'sms', needs: 'texts:send' }),
    table: {
      GetItem: ['SEND#*'],
      Query: ['SEND#*'],
      PutItem: ['CREDIT_ENTRY#*'],
      UpdateItem: ['SEND#*', 'CREDITS#*'],
    },
    whenItFails: 'Callers cannot cancel texts to many at once: what was sent by mistake leaves.',
  },
  'sms/retry-bulk': {
    ...http('POST', '/api/v1/sms/bulk/{id}/retry', { key: 'sms', needs: 'texts:send' }),
    table: {
      GetItem: ['SEND#*', 'PACE#*'],
      Query: ['SEND#*', 'SENDER', 'PACE#*'],
      BatchGetItem: ['OPT_OUT#*', 'CONTACT#*'],
      PutItem: ['SEND#*'],
      UpdateItem: ['SEND#*', 'CREDITS#*', 'TEST_USE#*'],
    },
    whenItFails: 'Callers cannot send the failed ones of their texts to many again; they can send them anew.',
  },
  'sms/bulk-results': {
    ...http('GET', '/api/v1/sms/bulk/{id}/results', { key: 'sms', needs: 'texts:read' }),
    table: { GetItem: ['SEND#*'], Query: ['SEND#*'] },
    whenItFails: 'Callers cannot get what became of their texts to many as a file; as JSON they still can.',
  },
  'sms/list': {
    ...http('GET', '/api/v1/sms', { key: 'sms', needs: 'texts:read' }),
    table: { BatchGetItem: ['SEND#*'], Query: ['SEND#*'] },
    indexes: { gsi1: ['MERCHANT#*#SEND', 'MERCHANT#*#SEND#failed'] },
    whenItFails: 'Callers cannot list what they sent; sending still works.',
  },
  'sms/from': {
    ...http('GET', '/api/v1/sms/from', { key: 'sms', needs: 'texts:read' }),
    table: { Query: ['SENDER'] },
    whenItFails: 'Callers cannot list the numbers they may send from; sending still works.',
  },
  'sms/credits': {
    ...http('GET', '/api/v1/sms/credits', { key: 'sms', needs: 'credits:read' }),
    table: { GetItem: ['CREDITS#*', 'BUNDLES'], Query: ['CREDIT_ENTRY#*'], BatchGetItem: ['SEND#*'] },
    indexes: { gsi1: ['MERCHANT#*#SEND'] },
    whenItFails: 'Callers cannot see how many texts they can still send; sending still works.',
  },
  'sms/buy-credits': {
    ...http('POST', '/api/v1/sms/credits', { key: 'sms', needs: 'credits:buy' }),
    audited: 'credits buy',
    table: {
      GetItem: ['BUNDLES', 'PURCHASES#*'],
      BatchGetItem: ['TRANSACTION#*'],
      PutItem: ['TRANSACTION#*'],
      UpdateItem: ['PURCHASES#*', 'TEST_USE#*'],
    },
    whenItFails: 'Callers cannot buy credits; the dashboard and the operator still can.',
  },
  'sms/inbox': {
    ...http('GET', '/api/v1/sms/inbox', { key: 'sms', needs: 'texts:read' }),
    table: { BatchGetItem: ['INBOX#*'] },
    indexes: { gsi1: ['MERCHANT#*#INBOX'] },
    whenItFails: 'Callers cannot list what people answered; webhooks still tell them.',
  },
  'sms/show': {
    ...http('GET', '/api/v1/sms/{id}', { key: 'sms', needs: 'texts:read' }),
    table: { BatchGetItem: ['SEND#*'] },
    whenItFails: 'Callers cannot see what became of a text; sending still works.',
  },
  'sms/cancel': {
    ...http('DELETE', '/api/v1/sms/{id}', { key: 'sms', needs: 'texts:send' }),
    table: { Query: ['SEND#*'], PutItem: ['CREDIT_ENTRY#*'], UpdateItem: ['SEND#*', 'CREDITS#*'] },
    whenItFails: 'Callers cannot cancel texts: what was scheduled by mistake leaves.',
  },
  'contact/store': {
    ...http('POST', '/api/v1/contact', { key: 'sms', needs: 'texts:send' }),
    audited: 'contacts store',
    table: {
      BatchGetItem: ['CONTACT#*', 'OPT_OUT#*'],
      UpdateItem: ['CONTACT#*', 'OPT_OUT#*', 'TEST_USE#*'],
      ConditionCheckItem: ['OPT_OUT#*'],
    },
    whenItFails:
      'Callers cannot store contacts, nor withdraw a consent; marketing goes to those whose consent is stored.',
  },
  'contact/list': {
    ...http('GET', '/api/v1/contact', { key: 'sms', needs: 'texts:read' }),
    table: { Query: ['CONTACT#*'], BatchGetItem: ['CONTACT#*', 'OPT_OUT#*'] },
    whenItFails: 'Callers cannot list their contacts; marketing still goes to those whose consent is stored.',
  },
  'contact/remove': {
    ...http('DELETE', '/api/v1/contact/{number}', { key: 'sms', needs: 'texts:send' }),
    audited: 'contact remove',
    table: { DeleteItem: ['CONTACT#*'] },
    whenItFails: 'Callers cannot remove contacts; whoever writes STOP still gets no more marketing.',
  },
  'verify/start': {
    ...http('POST', '/api/v1/verify', { key: 'sms', needs: 'texts:send' }),
    table: {
      GetItem: ['VERIFICATION_NUMBER#*', 'VERIFICATION_DAY#*', 'PACE#*'],
      Query: ['SENDER', 'PACE#*'],
      PutItem: ['SEND#*', 'VERIFICATION#*', 'CODE_TEXT#*'],
      UpdateItem: ['CREDITS#*', 'TEST_USE#*', 'VERIFICATION_NUMBER#*', 'VERIFICATION_DAY#*'],
    },
    whenItFails: 'Merchants cannot send codes: their customers cannot sign in, or prove their numbers.',
  },
  'verify/check': {
    ...http('POST', '/api/v1/verify/check', { key: 'sms', needs: 'texts:send' }),
    table: {
      GetItem: ['VERIFICATION#*'],
      UpdateItem: ['VERIFICATION#*', 'VERIFICATION_NUMBER#*', 'VERIFICATION_DAY#*'],
    },
    whenItFails: 'Codes that customers got cannot be checked: they cannot sign in, or prove their numbers.',
  },
  'checkout/page': {
    ...http('GET', '/checkout/{access_code}', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    table: {
      GetItem: ['TRANSACTION#*', 'MERCHANT#*', 'REQUEST#*'],
      BatchGetItem: ['RECEIPT#*'],
      Query: ['LINK_CODES#*'],
    },
    whenItFails: 'Customers see no checkout page and cannot pay.',
  },
  'checkout/receipt': {
    ...http('GET', '/checkout/{access_code}/receipt', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    table: { GetItem: ['TRANSACTION#*'], BatchGetItem: ['RECEIPT#*'] },
    whenItFails: 'Customers who have paid cannot open, print or share their receipt; the checkout page still shows it.',
  },
  'checkout/status': {
    ...http('GET', '/checkout/{access_code}/status', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    table: { GetItem: ['TRANSACTION#*'], BatchGetItem: ['RECEIPT#*'] },
    // A page that is open asks for it again and again, and nobody waits.
    memoryMegabytes: 512,
    whenItFails: 'Checkout pages do not turn green by themselves; reloading them still does.',
  },
  'checkout/claim': {
    ...http('POST', '/checkout/{access_code}/claim', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    table: {
      GetItem: ['TRANSACTION#*', 'RECEIPT#*', 'CLAIM#*', 'MERCHANT#*', 'CHAIN#*'],
      Query: ['MOMO#*'],
      BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*', 'CHAIN#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: ['RECEIPT#*', 'PAYMENT#*', 'REQUEST_MONEY#*'],
      UpdateItem: ['TRANSACTION#*', 'CLAIM#*', 'UNPROVEN#*'],
      DeleteItem: ['PAYMENT#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#*'], gsi2: ['OPEN#*#*'] },
    whenItFails: 'Customers whose payment was not recognised cannot claim it.',
  },
  'checkout/ask-for-code': {
    ...http('POST', '/checkout/{access_code}/code', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    table: {
      GetItem: ['TRANSACTION#*', 'CLAIM#*', 'RECEIPT#*', 'MERCHANT#*', 'CHAIN#*'],
      Query: ['SENDER', 'MOMO#*'],
      BatchGetItem: ['RECEIPT#*', 'CHAIN#*'],
      PutItem: ['SEND#*'],
      UpdateItem: ['CLAIM#*', 'CODE#*'],
    },
    indexes: { gsi2: ['HELD#*#*', 'OPEN#*#*'] },
    whenItFails: 'Customers who paid from another network and were not recognised cannot get a code.',
  },
  'checkout/confirm-code': {
    ...http('POST', '/checkout/{access_code}/code/confirm', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    table: {
      GetItem: ['TRANSACTION#*', 'RECEIPT#*', 'MERCHANT#*', 'CHAIN#*'],
      Query: ['MOMO#*'],
      BatchGetItem: ['RECEIPT#*', 'CODE#*', 'CHAIN#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: ['RECEIPT#*', 'PAYMENT#*', 'REQUEST_MONEY#*'],
      UpdateItem: ['TRANSACTION#*', 'CODE#*', 'CLAIM#*', 'UNPROVEN#*'],
      DeleteItem: ['PAYMENT#*'],
    },
    indexes: { gsi2: ['HELD#*#*', 'OPEN#*#*'] },
    whenItFails: 'Customers who paid from another network and have a code cannot confirm with it.',
  },
  'checkout/simulate': {
    ...http('POST', '/checkout/{access_code}/simulate', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    table: SIMULATION,
    whenItFails: 'The buttons on the pages of test charges do nothing.',
  },
  'checkout/text': {
    ...http('POST', '/checkout/{access_code}/text', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    table: {
      GetItem: ['TRANSACTION#*', 'MERCHANT#*', 'PACE#*'],
      Query: ['SENDER', 'PACE#*'],
      PutItem: ['SEND#*'],
      UpdateItem: ['PAY_TEXT#*', 'CREDITS#*', 'TEST_USE#*'],
    },
    whenItFails: 'Customers cannot have what they are to type texted; the page still shows it.',
  },
  'checkout/short-link': {
    ...http('GET', '/c/{access_code}', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    timeoutSeconds: 3,
    memoryMegabytes: 256,
    whenItFails: 'Customers who follow a short link do not reach the checkout page.',
  },
  'checkout/logo': {
    ...http('GET', '/logo/{id}', { publicBecause: 'Whoever pays a shop may see its logo.', throttledWith: 'pages' }),
    table: { GetItem: ['LOGO#*'] },
    whenItFails: 'Checkout pages have no logo; customers can pay.',
  },
  'test/simulate': {
    ...http('POST', '/api/v1/test/transaction/{reference}/simulate', { key: 'live', needs: 'charges:write' }),
    table: { ...SIMULATION, BatchGetItem: ['RECEIPT#*-TEST*'] },
    whenItFails: 'Nobody can pay a test charge.',
  },
  'test/receive': {
    ...http('POST', '/api/v1/test/sms/receive', { key: 'sms', needs: 'texts:send' }),
    table: {
      GetItem: ['CONVERSATION#*_test#*', 'SENT_CODE#*'],
      BatchGetItem: ['OPT_OUT#*_test'],
      Query: ['KEYWORD#*'],
      PutItem: ['INBOX#*_test#*'],
      UpdateItem: [
        'CONVERSATION#*_test#*',
        'STRANGERS#*_test',
        'OPT_OUT#*_test',
        'CONTACT#*_test',
        'KEYWORD#*',
        'TEST_USE#*',
      ],
    },
    whenItFails: 'Nobody can make an answer arrive with a test key.',
  },
  'receipt/list': {
    ...http('GET', '/api/v1/receipt', { key: 'live', needs: 'receipts:read' }),
    table: { BatchGetItem: ['RECEIPT#*'] },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#*'] },
    whenItFails: 'Merchants cannot see the payments that were not matched by themselves.',
  },
  'receipt/assign': {
    ...http('POST', '/api/v1/receipt/{id}/assign', { key: 'live', needs: 'receipts:assign' }),
    audited: 'receipt assign',
    table: {
      GetItem: ['RECEIPT#*', 'TRANSACTION#*', 'PAYMENT#*'],
      BatchGetItem: ['RECEIPT#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: [...ASSIGNED],
      UpdateItem: ['TRANSACTION#*', 'UNPROVEN#*'],
      DeleteItem: ['PAYMENT#*'],
    },
    whenItFails: 'Merchants cannot give a held payment to its charge by hand.',
  },
  'wallet/list': {
    ...http('GET', '/api/v1/wallet', { key: 'live', needs: 'charges:read' }),
    table: { Query: ['MOMO#*', 'HEARING', 'PHONE'], BatchGetItem: ['CHAIN#*'] },
    whenItFails: 'Merchants cannot ask how their numbers fare; payments are still matched.',
  },
  'webhook/set': {
    ...http('PUT', '/api/v1/webhook', { key: EITHER, needs: 'webhooks:write' }),
    audited: 'webhook set',
    table: { GetItem: ['WEBHOOK#*'], PutItem: ['WEBHOOK#*'] },
    whenItFails: 'Merchants cannot set where their events go.',
  },
  'webhook/show': {
    ...http('GET', '/api/v1/webhook', { key: EITHER, needs: 'webhooks:read' }),
    table: { GetItem: ['WEBHOOK#*'] },
    whenItFails: 'Merchants cannot see where their events go; events still go there.',
  },
  'webhook/remove': {
    ...http('DELETE', '/api/v1/webhook', { key: EITHER, needs: 'webhooks:write' }),
    audited: 'webhook remove',
    table: { DeleteItem: ['WEBHOOK#*'] },
    whenItFails: 'Merchants cannot end their webhook.',
  },
  'webhook/roll-secret': {
    ...http('POST', '/api/v1/webhook/secret', { key: EITHER, needs: 'webhooks:write' }),
    audited: 'webhook roll',
    table: { GetItem: ['WEBHOOK#*'], PutItem: ['WEBHOOK#*'] },
    whenItFails: 'Merchants cannot replace a webhook secret that leaked.',
  },
  'webhook/test': {
    ...http('POST', '/api/v1/webhook/test', { key: EITHER, needs: 'webhooks:write' }),
    table: { GetItem: ['WEBHOOK#*'], PutItem: ['EVENT#*'], UpdateItem: ['WEBHOOK_CALLS#*'] },
    whenItFails: 'Merchants cannot try their webhook; real events still go out.',
  },
  'webhook/list-events': {
    ...http('GET', '/api/v1/webhook/event', { key: EITHER, needs: 'webhooks:read' }),
    table: { BatchGetItem: ['EVENT#*'] },
    indexes: { gsi1: ['MERCHANT#*#EVENT'] },
    whenItFails: 'Merchants cannot look up what their webhook was told.',
  },
  'webhook/show-event': {
    ...http('GET', '/api/v1/webhook/event/{id}', { key: EITHER, needs: 'webhooks:read' }),
    table: { Query: ['EVENT#*'] },
    whenItFails: 'Merchants cannot see the tries of one webhook event.',
  },
  'webhook/replay': {
    ...http('POST', '/api/v1/webhook/event/{id}/replay', { key: EITHER, needs: 'webhooks:write' }),
    table: { GetItem: ['EVENT#*'], PutItem: ['EVENT#*'], UpdateItem: ['WEBHOOK_CALLS#*'] },
    whenItFails: 'Merchants cannot have an event sent again.',
  },
  'callback/smsgate': {
    ...http('POST', '/callback/smsgate/{gateway}', {
      publicBecause: 'Phones have no API key. Each signs what it posts with a key of its own.',
      throttledWith: 'callbacks',
    }),
    table: {
      GetItem: ['PHONE', ...ANSWERED.GetItem],
      Query: ['HEARING', 'SENDER', ...ANSWERED.Query, ...OWNERS_WORD],
      BatchGetItem: ['SEND#*', ...ANSWERED.BatchGetItem],
      PutItem: ['PHONE_EVENT#*', 'CREDIT_ENTRY#*', ...ANSWERED.PutItem],
      UpdateItem: [
        'SEND#*',
        'CREDITS#*',
        'PHONE',
        'REFUSED_CALLBACK',
        'HEARING',
        ...ANSWERED.UpdateItem,
        ...OWNERS_WORD,
      ],
      DeleteItem: ['CODE_TEXT#*'],
    },
    maxBodyKilobytes: 1024,
    readsGatewayAccounts: true,
    timeoutSeconds: 5,
    whenItFails: 'Payments are not recognised, nor deliveries, until the phones post them again; they try for days.',
  },
  'callback/forwarder': {
    ...http('POST', '/callback/forwarder/{phone}', {
      publicBecause: 'Forwarding apps have no API key. Each signs what it posts with the key of its phone.',
      throttledWith: 'callbacks',
    }),
    table: {
      GetItem: ['PHONE', ...ANSWERED.GetItem],
      Query: ['HEARING', 'SENDER', ...ANSWERED.Query, ...OWNERS_WORD],
      BatchGetItem: ANSWERED.BatchGetItem,
      PutItem: ['PHONE_EVENT#*', ...ANSWERED.PutItem],
      UpdateItem: ['PHONE', 'REFUSED_CALLBACK', 'HEARING', ...ANSWERED.UpdateItem, ...OWNERS_WORD],
    },
    maxBodyKilobytes: 16,
    readsGatewayAccounts: true,
    timeoutSeconds: 5,
    whenItFails: 'Payments are not recognised whose texts a forwarding app posts, unless it posts them again; few do.',
  },
  'docs/page': {
    ...http('GET', '/docs', { publicBecause: NO_SECRET, throttledWith: 'docs' }),
    timeoutSeconds: 3,
    memoryMegabytes: 256,
    files: ['.generated/reference.html'],
    whenItFails: 'Nobody can read the API reference in a browser.',
  },
  'docs/openapi': {
    ...http('GET', '/openapi.json', { publicBecause: NO_SECRET, throttledWith: 'docs' }),
    files: ['.generated/openapi.json'],
    whenItFails: 'Clients cannot be generated from the API reference.',
  },
  'docs/markdown': {
    ...http('GET', '/docs.md', { publicBecause: NO_SECRET, throttledWith: 'docs' }),
    files: ['.generated/reference.md'],
    whenItFails: 'Programs cannot read the API reference as Markdown; the page and the OpenAPI document say the same.',
  },
  'docs/llms': {
    ...http('GET', '/llms.txt', { publicBecause: NO_SECRET, throttledWith: 'docs' }),
    files: ['.generated/llms.txt'],
    whenItFails: 'Programs that look for the API reference in /llms.txt do not find it.',
  },
  'dashboard/sign-in': {
    ...area('/dashboard/sign-in'),
    table: {
      GetItem: ['USER#*', 'PASSKEY#*', 'INVITATION#*', 'SHARED_PHONE#*'],
      Query: ['SESSION#*', 'PASSKEY#*', 'DEVICES#*'],
      PutItem: ['SESSION#*', 'PASSKEY#*', 'CHALLENGE#*'],
      UpdateItem: ['SESSION#*', 'PASSKEY#*', 'DEVICES#*', 'SHARED_PHONE#*'],
      DeleteItem: ['SESSION#*', 'PASSKEY#*', 'CHALLENGE#*', 'INVITATION#*', 'DEVICES#*'],
    },
    whenItFails: 'Nobody can sign in to the dashboard, whose pages have no style; who is signed in can go on.',
  },
  'dashboard/today': {
    ...area('/dashboard/today'),
    table: {
      GetItem: ['CREDITS#*', 'WEBHOOK#*', 'CHAIN#*', 'UNPROVEN#*'],
      BatchGetItem: ['TRANSACTION#*'],
      Query: ['BOOKING#*', 'TOTALS#*', 'HEARING', 'PHONE', 'MOMO#*', 'CHAIN#*', 'CHANGE#*', 'WALLET#*'],
      // The owner's word about a wallet's balance.
      PutItem: ['CHAIN#*', 'WALLET#*'],
      DeleteItem: ['CHAIN#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#*', 'MERCHANT#*#TRANSACTION'] },
    whenItFails: 'People do not see the first page of the dashboard; its other pages still work.',
  },
  'dashboard/app': {
    ...area('/dashboard/app'),
    table: {
      GetItem: ['PUSH_KEY#public', 'SHARED_PHONE#*'],
      Query: ['DEVICES#*'],
      PutItem: ['PUSH_KEY#*', 'DEVICES#*'],
      UpdateItem: ['DEVICES#*'],
      DeleteItem: ['DEVICES#*'],
    },
    whenItFails: 'The dashboard cannot be installed as an app, and nobody can choose what their phone tells them.',
  },
  'dashboard/charges': {
    ...area('/dashboard/charges'),
    table: {
      GetItem: ['TRANSACTION#*', 'RECEIPT#*', 'PAYMENT#*', 'PACE#*'],
      BatchGetItem: ['TRANSACTION#*', 'EVENT#*'],
      Query: ['LOOKUP#*', 'SENDER', 'PACE#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: ['TRANSACTION#*', ...ASSIGNED, 'REFUND#*', 'SEND#*'],
      UpdateItem: ['TRANSACTION#*', 'REFUND#*', 'UNPROVEN#*', 'CREDITS#*', 'TEST_USE#*'],
      DeleteItem: ['PAYMENT#*', 'REFUND#*'],
    },
    indexes: {
      gsi1: ['MERCHANT#*#TRANSACTION', 'MERCHANT#*#OPENED', 'MERCHANT#*#RECEIPT#*'],
      gsi2: ['STATUS#*', 'OPEN#*#*'],
    },
    whenItFails:
      'People cannot see or make charges in the dashboard, nor decide about held payments; the API still can.',
  },
  'dashboard/links': {
    ...area('/dashboard/links'),
    table: {
      GetItem: ['LINK#*', 'TRANSACTION#*'],
      BatchGetItem: ['LINK#*', 'TRANSACTION#*'],
      Query: ['LOOKUP#*', 'LINK_CODES#*'],
      PutItem: ['LINK#*', 'LINK_CODES#*', 'CHANGE#*'],
      UpdateItem: ['LINK#*', 'TRANSACTION#*', 'TEST_USE#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#LINK'] },
    whenItFails: 'People cannot see or make payment links at the dashboard, nor add codes; the links still work.',
  },
  'dashboard/till': {
    ...area('/dashboard/till'),
    table: {
      GetItem: ['TILL#*', 'LINK#*', 'TRANSACTION#*', 'RECEIPT#*', 'CHAIN#*', 'UNPROVEN#*'],
      BatchGetItem: ['TRANSACTION#*', 'CHAIN#*'],
      Query: ['TAKE#*', 'MOMO#*', 'LOOKUP#*'],
      ConditionCheckItem: ['TILL#*', 'PAYMENT#*'],
      PutItem: ['TILL#*', 'LINK#*', 'TAKE#*', 'TRANSACTION#*', 'RECEIPT#*', 'PAYMENT#*'],
      UpdateItem: ['TILL#*', 'LINK#*', 'TRANSACTION#*', 'UNPROVEN#*', 'TEST_USE#*'],
      DeleteItem: ['PAYMENT#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#*'], gsi2: ['OPEN#*#*', 'HELD#*#*'] },
    whenItFails:
      'Cashiers cannot take payments at the tills: they are held, and a manager can still give them to charges.',
  },
  'dashboard/requests': {
    ...area('/dashboard/requests'),
    table: {
      GetItem: ['REQUEST#*', 'OPT_OUT#*'],
      BatchGetItem: ['REQUEST#*', 'TRANSACTION#*'],
      Query: ['REQUEST_MONEY#*'],
      PutItem: ['REQUEST#*'],
      UpdateItem: ['REQUEST#*', 'TEST_USE#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#REQUEST'] },
    whenItFails: 'People cannot see, make or cancel payment requests at the dashboard; customers can still pay them.',
  },
  'dashboard/records': {
    ...area('/dashboard/records'),
    table: {
      GetItem: ['TRANSACTION#*', 'CLAIM#*'],
      BatchGetItem: ['TRANSACTION#*', 'SEND#*'],
      Query: ['LOOKUP#*'],
    },
    indexes: {
      gsi1: ['MERCHANT#*#TRANSACTION', 'MERCHANT#*#RECEIPT#*', 'MERCHANT#*#SEND'],
      gsi2: ['STATUS#*'],
    },
    whenItFails:
      'People cannot search the dashboard, see their customers, nor print receipts and case files; its lists still work.',
  },
  'dashboard/settings': {
    ...area('/dashboard/settings'),
    table: {
      GetItem: ['USER#*', 'CREDITS#*', 'CHAIN#*'],
      BatchGetItem: ['CHAIN#*', 'TRANSACTION#*'],
      Query: [
        'AUDIT#*',
        'SESSION#*',
        'PASSKEY#*',
        'SHARED_PHONE#*',
        'DEVICES#*',
        'SENDER',
        'MOMO#*',
        'CHAIN#*',
        'HEARING',
        'CHANGE#*',
      ],
      PutItem: ['USER#*', 'INVITATION#*', 'SEND#*', 'MERCHANT#*', 'MOMO#*', 'CHANGE#*', 'LOGO#*'],
      UpdateItem: ['USER#*', 'TEAM#*', 'INVITATION#*', 'SHARED_PHONE#*', 'CREDITS#*'],
      DeleteItem: ['SESSION#*', 'PASSKEY#*', 'INVITATION#*', 'DEVICES#*', 'MOMO#*', 'CHANGE#*', 'LOGO#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#USER', 'MERCHANT#*#TRANSACTION'] },
    whenItFails: 'People cannot change settings, look at their wallets, or see who changed what.',
  },
  'dashboard/shared-phones': {
    ...area('/dashboard/shared-phones'),
    table: {
      GetItem: ['USER#*', 'SHARED_PHONE#*'],
      Query: ['SHARED_PHONE#*'],
      PutItem: ['USER#*', 'SHARED_PHONE#*'],
      UpdateItem: ['SHARED_PHONE#*'],
      DeleteItem: ['SHARED_PHONE#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#USER'] },
    whenItFails: 'Owners cannot add, unlock or end phones on which people sign in by PIN; who has a PIN can sign in.',
  },
  'dashboard/texts': {
    ...area('/dashboard/texts'),
    table: {
      GetItem: ['CREDITS#*', 'OPT_OUT#*', 'PACE#*', 'PURCHASES#*'],
      BatchGetItem: ['SEND#*', 'INBOX#*', 'OPT_OUT#*', 'CONTACT#*', 'TRANSACTION#*'],
      Query: ['SENDER', 'SEND#*', 'CREDIT_ENTRY#*', 'INBOX#*', 'OPT_OUT#*', 'PACE#*'],
      ConditionCheckItem: ['OPT_OUT#*', 'CONTACT#*'],
      PutItem: ['SEND#*', 'INBOX#*', 'CREDIT_ENTRY#*', 'TRANSACTION#*'],
      UpdateItem: ['SEND#*', 'CREDITS#*', 'TEST_USE#*', 'CONTACT#*', 'PURCHASES#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#SEND', 'MERCHANT#*#SEND#failed', 'MERCHANT#*#INBOX'] },
    whenItFails: 'People cannot send texts at the dashboard, nor see what became of them; the API still works.',
  },
  'dashboard/many': {
    ...area('/dashboard/many'),
    table: {
      GetItem: ['CREDITS#*', 'SEND#*', 'PACE#*'],
      BatchGetItem: ['CONTACT#*', 'OPT_OUT#*'],
      Query: ['CONTACT#*', 'SEND#*', 'SENDER', 'PACE#*'],
      PutItem: ['SEND#*', 'CREDIT_ENTRY#*'],
      UpdateItem: ['CONTACT#*', 'OPT_OUT#*', 'SEND#*', 'CREDITS#*', 'TEST_USE#*'],
      ConditionCheckItem: ['OPT_OUT#*'],
      DeleteItem: ['CONTACT#*'],
    },
    whenItFails: 'People cannot send texts to many at the dashboard, nor see or store contacts; the API still can.',
  },
  'dashboard/developers': {
    ...area('/dashboard/developers'),
    table: {
      GetItem: ['WEBHOOK#*', 'EVENT#*'],
      BatchGetItem: ['KEY#*', 'EVENT#*'],
      Query: ['EVENT#*', 'FAILED_REQUEST#*'],
      PutItem: ['KEY#*', 'WEBHOOK#*', 'EVENT#*'],
      UpdateItem: ['KEY#*', 'WEBHOOK_CALLS#*'],
      DeleteItem: ['WEBHOOK#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#KEY', 'MERCHANT#*#EVENT'] },
    whenItFails: 'Nobody can make or end keys, or change webhooks, at the dashboard; the command line still can.',
  },
  'dashboard/operator-phones': {
    ...area('/dashboard/operator/phones'),
    table: {
      GetItem: ['CHAIN#*', 'SENDER', 'HEARING', 'PACE#*'],
      BatchGetItem: ['CHAIN#*', 'TRANSACTION#*', 'MERCHANT#*'],
      Query: ['SENDER', 'PHONE', 'HEARING', 'OUTCOME', 'PACE#*', 'CHAIN#*', 'MOMO#*'],
      PutItem: ['SENDER', 'CHAIN#*', 'WALLET#*'],
      UpdateItem: ['SENDER', 'HEARING'],
      DeleteItem: ['SENDER', 'CHAIN#*'],
    },
    indexes: { gsi1: ['CHAINS', 'MERCHANTS', 'MERCHANT#*#TRANSACTION'] },
    whenItFails: 'The operator cannot see phones and wallets at the dashboard; the command line still can.',
  },
  'dashboard/operator-money': {
    ...area('/dashboard/operator/merchants'),
    table: {
      GetItem: ['CREDITS#*', 'RECEIPT#*', 'TRANSACTION#*', 'PAYMENT#*', 'PURCHASES#*'],
      BatchGetItem: ['MERCHANT#*', 'KEY#*', 'TRANSACTION#*'],
      Query: ['SENDER', 'MOMO#*', 'CREDIT_ENTRY#*', 'CHANGE#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: ['MERCHANT#*', 'MOMO#*', 'CREDIT_ENTRY#*', ...ASSIGNED, 'USER#*', 'INVITATION#*', 'SEND#*', 'CHANGE#*'],
      UpdateItem: ['CREDITS#*', 'TRANSACTION#*', 'KEY#*', 'TEAM#*', 'INVITATION#*', 'SENDER', 'BUNDLES', 'PURCHASES#*'],
      DeleteItem: ['MOMO#*'],
    },
    indexes: { gsi1: ['MERCHANTS', 'NOBODY#RECEIPT#*', 'MERCHANT#*#USER', 'MERCHANT#*#KEY'] },
    whenItFails:
      'The operator cannot see merchants and unassigned payments at the dashboard; the command line still can.',
  },
  'dashboard/operator-repair': {
    ...area('/dashboard/operator/repair'),
    table: { Query: ['AUDIT#OPERATOR#*'] },
    calls: ['work/repair'],
    // An HTTP API waits for thirty.
    timeoutSeconds: 29,
    whenItFails:
      'The operator cannot see at the dashboard what was given up, is wrong or was changed; the command line still can.',
  },
  'not-found': {
    on: 'default',
    publicBecause: 'It reads nothing and only tells which routes there are.',
    throttledWith: 'docs',
    timeoutSeconds: 3,
    memoryMegabytes: 256,
    whenItFails: 'Callers of unknown routes get a bare error instead of one that says what to do.',
  },
  'work/relay': {
    on: 'stream',
    batchSize: 10,
    only: [
      { event: 'INSERT', sortKeyPrefixes: ['SEND', 'PHONE_EVENT', 'GAP#'] },
      { event: 'MODIFY', sortKeyPrefixes: ['TEXT#', 'QUESTION#', 'GAP#'] },
      { event: 'REMOVE', sortKeyPrefixes: ['WAIT#', 'GAP#'] },
    ],
    table: {},
    sendsTo: ['deliver-sms', 'settle-receipt'],
    timeoutSeconds: 30,
    whenItFails: 'Accepted texts and receipts are not queued: they wait, kept, until this works again.',
  },
  'work/follow-up': {
    on: 'stream',
    batchSize: 10,
    only: [
      {
        event: 'INSERT',
        sortKeyPrefixes: [
          'SEND',
          'PHONE_EVENT',
          'TRANSACTION',
          'RECEIPT',
          'MESSAGE#',
          'EVENT',
          'NOTICE#',
          'LOW#',
          'CODE',
          'KEY_USE',
          'DEVICE#',
          'SILENT#',
          'ANSWER#',
          'HEARD#',
          'REACHED#',
        ],
      },
      {
        event: 'MODIFY',
        sortKeyPrefixes: [
          'EVENT',
          'TRANSACTION',
          'RECEIPT',
          'MESSAGE#',
          'CLAIM_HOUR',
          'NOTICE#',
          'BALANCE',
          'CODE',
          'KEY_USE',
          'HEARD#',
          'LINK',
          'DEVICE#',
          'QUESTION#',
          'REQUEST',
          // The lease: a change each minute, in which there is nothing to do. Where none comes through, an alarm rings.
          'housekeeping',
        ],
      },
    ],
    table: {
      GetItem: ['WEBHOOK#*', 'SEND#*', 'TRANSACTION#*', 'OUTCOME', 'MERCHANT#*', 'BUNDLES'],
      BatchGetItem: ['RECEIPT#*'],
      Query: ['OUTCOME', 'DEVICES#*'],
      PutItem: ['EVENT#*', 'EXPIRY*', 'LOOKUP#*', 'CREDITS_LOW#*', 'OUTCOME', 'BOOKING#*', 'FOLLOW_UP#*'],
      UpdateItem: ['KEY#*'],
      DeleteItem: ['LOOKUP#*'],
    },
    sendsTo: ['deliver-webhook', 'deliver-push', 'run-follow-up', 'settle-receipt'],
    timeoutSeconds: 30,
    whenItFails:
      "Merchants' servers and phones are not told of payments and texts, and reports and searches miss what is new: all of it waits, kept, until this works again.",
  },
  'work/deliver-sms': {
    on: 'queue',
    queue: 'deliver-sms',
    batchSize: 10,
    table: {
      GetItem: ['PACE#*', 'CODE_TEXT#*', 'MERCHANT#*', 'OPT_OUT#*', 'REQUEST#*', 'CONVERSATION#*'],
      BatchGetItem: ['SEND#*', 'CONTACT#*', 'TRANSACTION#*'],
      Query: ['SENDER', 'PACE#*', 'REQUEST_MONEY#*'],
      PutItem: ['CREDIT_ENTRY#*'],
      UpdateItem: ['SEND#*', 'PACE#*', 'CREDITS#*', 'SENDER', 'CONVERSATION#*', 'SENT_CODE#*'],
      DeleteItem: ['PACE#*', 'CODE_TEXT#*'],
    },
    sendsTo: ['deliver-sms'],
    readsGatewayAccounts: true,
    timeoutSeconds: 30,
    whenItFails: 'Queued texts do not reach the phones: they are tried again, and refunded in the end.',
  },
  'work/settle-receipt': {
    on: 'queue',
    queue: 'settle-receipt',
    batchSize: 10,
    table: {
      GetItem: [
        'PHONE_EVENT#*',
        'TRANSACTION#*',
        'RECEIPT#*',
        'PAYMENT#*',
        'MERCHANT#*',
        'OUTCOME',
        'UNPROVEN#*',
        'CHAIN#*',
        ...OWNERS_WORD,
        'USER#*',
        'DEVICES#*',
        'WALLET#*',
      ],
      BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*', 'REFUND#*', 'CHAIN#*'],
      Query: ['SENDER', 'MOMO#*', 'OUTCOME', 'CHAIN#*', 'LOOKUP#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: [
        'RECEIPT#*',
        'PAYMENT#*',
        'WALLET#*',
        'CHAIN#*',
        'EXPIRY*',
        'REFUND#*',
        'REFUND_TRANSFER#*',
        'OUTCOME',
        'AUDIT#*',
        'REQUEST_MONEY#*',
      ],
      UpdateItem: ['TRANSACTION#*', 'PHONE_EVENT#*', 'UNPROVEN#*', 'HEARING', ...OWNERS_WORD, 'DEVICES#*'],
      DeleteItem: ['RECEIPT#*', 'PAYMENT#*', 'REFUND#*', 'CHAIN#*'],
    },
    indexes: {
      gsi1: ['MERCHANT#*#TRANSACTION', 'MERCHANT#*#OPENED', 'MERCHANT#*#RECEIPT#*', 'NOBODY#RECEIPT#*'],
      gsi2: ['OPEN#*#*', 'OPEN_REFUND#*#*', 'HELD#*#*', 'ASIDE#*#*'],
    },
    sendsTo: ['settle-receipt'],
    timeoutSeconds: 30,
    whenItFails:
      'Payments that arrived are not matched: their checkout pages keep waiting. Owners’ answers by text do nothing yet.',
  },
  'work/deliver-webhook': {
    on: 'queue',
    queue: 'deliver-webhook',
    batchSize: 5,
    table: { GetItem: ['EVENT#*', 'WEBHOOK#*'], PutItem: ['EVENT#*'], UpdateItem: ['WEBHOOK#*'] },
    sendsTo: ['deliver-webhook'],
    timeoutSeconds: 30,
    whenItFails: "Merchants' servers are not told of payments and texts: events wait and are tried again.",
  },
  'work/deliver-push': {
    on: 'queue',
    queue: 'deliver-push',
    batchSize: 5,
    table: {
      GetItem: [
        'DEVICES#*',
        'USER#*',
        'PUSH_KEY#private',
        'TRANSACTION#*',
        'RECEIPT#*',
        'MERCHANT#*',
        'LINK#*',
        'BUNDLES',
      ],
      UpdateItem: ['DEVICES#*', 'PUSH_PACE#*'],
      DeleteItem: ['DEVICES#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#unread'] },
    sendsTo: ['deliver-push', 'run-follow-up'],
    timeoutSeconds: 30,
    whenItFails: "People's browsers are not told of payments; pages still tell.",
  },
  'work/run-follow-up': {
    on: 'queue',
    queue: 'run-follow-up',
    batchSize: 5,
    table: {
      GetItem: [
        'DEVICES#*',
        'USER#*',
        'TRANSACTION#*',
        'RECEIPT#*',
        'MERCHANT#*',
        'KEYWORD#*',
        'PACE#*',
        'LINK#*',
        'CREDITS#*',
        'UNPROVEN#*',
        'PURCHASES#*',
        ...OWNERS_WORD,
        'REQUEST#*',
      ],
      BatchGetItem: ['TRANSACTION#*'],
      ConditionCheckItem: ['PURCHASES#*', 'BUNDLES', 'MERCHANT#*'],
      Query: ['SENDER', 'PACE#*', 'LINK_CODES#*', 'LINK_WAIT#*', 'MOMO#*', 'REQUEST_MONEY#*'],
      PutItem: ['PUSH_TEXT#*', 'SEND#*', 'CODE_TEXT#*', 'LINK_WAIT#*', 'CREDIT_ENTRY#*'],
      UpdateItem: [
        'PUSH_PACE#*',
        'PUSH_TEXT#*',
        'CREDITS#*',
        'PURCHASES#*',
        'TEST_USE#*',
        'TRANSACTION#*',
        'KEYWORD#*',
        'LINK#*',
        'UNPROVEN#*',
        ...OWNERS_WORD,
        'REQUEST#*',
      ],
      DeleteItem: ['LINK_WAIT#*', 'REQUEST_MONEY#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#unread'] },
    sendsTo: ['run-follow-up'],
    timeoutSeconds: 30,
    whenItFails:
      "Customers who paid get no code or credits, paid requests stay open, merchants' servers are not told of payments at tills, and no receipt, STOP or owner is texted: all of it waits, kept, until this works again.",
  },
  'work/housekeeping': {
    on: 'schedule',
    everyMinutes: 1,
    table: {
      GetItem: [
        ...['PHONE', 'TRANSACTION#*', 'RECEIPT#*', 'CHAIN#*', 'MERCHANT#*', 'PACE#*', 'REQUEST#*'],
        ...['LINK#*', 'PURCHASES#*'],
      ],
      BatchGetItem: [
        'EVENT#*',
        'PHONE_EVENT#*',
        'SEND#*',
        'CHAIN#*',
        'RECEIPT#*',
        'TRANSACTION#*',
        'REQUEST#*',
        'OPT_OUT#*',
      ],
      ConditionCheckItem: ['OPT_OUT#*'],
      Query: [
        ...['SENDER', 'PACE#*', 'SEND#*', 'EXPIRY*', 'PHONE', 'OUTCOME', 'HEARING', 'MOMO#*', 'CHAIN#*', 'BOOKING#*'],
        ...['REQUEST_MONEY#*', 'FOLLOW_UP#*'],
      ],
      PutItem: ['CREDIT_ENTRY#*', 'RECEIPT#*', 'SEND#*', 'CHAIN#*', 'WALLET#*', 'TOTALS#*', 'SILENCE#*', 'FOLLOW_UP#*'],
      UpdateItem: [
        'SENDER',
        'PHONE',
        'HEARING',
        'PHONE_EVENT#*',
        'SEND#*',
        'CREDITS#*',
        'TRANSACTION#*',
        'EVENT#*',
        'LEASE',
        'PACE#*',
        'REQUEST#*',
        'TEST_USE#*',
        'UNPROVEN#*',
      ],
      DeleteItem: ['EXPIRY*', 'PAYMENT#*', 'CHAIN#*', 'SILENCE#*', 'CODE_TEXT#*', 'FOLLOW_UP#*'],
    },
    indexes: {
      gsi1: ['MERCHANTS', 'MERCHANT#*#TRANSACTION'],
      gsi2: ['DUE#EVENT*', 'OPEN#PHONE_EVENT*', 'OPEN#SEND*', 'OFF#WEBHOOK', 'OPEN#CHAIN', 'REMIND*'],
    },
    sendsTo: ['deliver-sms', 'settle-receipt', 'deliver-webhook', 'run-follow-up'],
    readsGatewayAccounts: true,
    timeoutSeconds: 300,
    whenItFails:
      'Anything stuck stays stuck, customers are not reminded, webhook retries after the first quarter of an hour are late, and a phone that is off goes unnoticed.',
  },
  'work/repair': {
    on: 'call',
    table: {
      GetItem: ['PHONE_EVENT#*', 'EVENT#*', 'LEASE', 'WEBHOOK#*', 'MIGRATION'],
      PutItem: ['AUDIT#OPERATOR#*'],
      BatchGetItem: ['SEND#*', 'MERCHANT#*', 'KEY#*', 'PHONE_EVENT#*', 'CHAIN#*', 'TRANSACTION#*', 'RECEIPT#*'],
      Query: [
        'AUDIT#OPERATOR#*',
        'SENDER',
        'PHONE',
        'REFUSED_CALLBACK',
        'OUTCOME',
        'HEARING',
        'WALLET#*',
        'CHAIN#*',
        'MOMO#*',
      ],
    },
    indexes: {
      gsi1: ['MERCHANTS', 'MERCHANT#*#KEY', 'MERCHANT#*#TRANSACTION', 'NOBODY#RECEIPT#*', 'CHAINS'],
      gsi2: ['OPEN#PHONE_EVENT*'],
    },
    readsGatewayAccounts: true,
    timeoutSeconds: 28,
    memoryMegabytes: 1024,
    whenItFails:
      'The operator gets no answer about dead letters, nor from the doctor, at the dashboard; the command line still gives it.',
  },
} as const satisfies Record<string, Row>;

export const queues = {
  'deliver-sms': { maxReceiveCount: 20, deadLetterRetentionDays: 14 },
  'settle-receipt': { maxReceiveCount: 20, deadLetterRetentionDays: 14 },
  'deliver-webhook': { maxReceiveCount: 10, deadLetterRetentionDays: 14 },
  'deliver-push': { maxReceiveCount: 10, deadLetterRetentionDays: 14 },
  'run-follow-up': { maxReceiveCount: 10, deadLetterRetentionDays: 14 },
} as const satisfies Record<string, Queue>;

/**
 * The stacks beside the stage's own, on the same API and table, and the functions in them, by name or folder: CloudFormation takes 500
 * resources a stack. In the stage's own is all that a customer's payment needs. A function never moves: its name is taken in the stack
 * that has it.
 */
export const parts = [
  { name: 'api', holds: ['sms', 'verify', 'contact', 'link', 'request', 'webhook'] },
  { name: 'dashboard', holds: ['dashboard', 'work/repair'] },
] as const;
export type Part = (typeof parts)[number]['name'];

/** All of it, for the commands and the doctor. */
export const service: Service = {
  functions: manifest,
  queues: Object.keys(queues),
  parts,
};

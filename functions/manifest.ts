import type { Service } from '../shared/runtime/stage/deployment.ts';
import type { AreaRow, Callers, HttpRow, Queue, Row } from '../shared/runtime/triggers/row.ts';

/** The reason that checkout routes need no key. */
const ACCESS_CODE = 'Customers open it. The access code in its path is 95 random bits.';
/** The reason that API reference routes need no key. */
const NO_SECRET = 'It holds no secret: anyone who may write a client may read it.';

/** The reason that payment link pages need no key. */
const PAY_LINK =
  'Whoever has the address of a payment link may open it and pay. It shows what its merchant wrote there.';

/** The reason that payment request pages need no key. */
const PAYMENT_REQUEST =
  'The customer opens it. The slug in its path is 59 random bits; it shows what its merchant asks, and what is paid.';

/** Accepts both kinds of key: for charges and for texts. */
const EITHER = ['live', 'sms'] as const;

/** A route with its callers. */
function http<M extends HttpRow['method'], P extends string, const C extends Callers>(method: M, path: P, callers: C) {
  return { on: 'http', method, path, ...callers } as const;
}
/** A dashboard area with its pages. */
function area<P extends AreaRow['path']>(path: P) {
  const publicBecause = 'People open it in a browser. The session in their cookie says who they are.';
  return { on: 'area', path, publicBecause } as const;
}

/**
 * The table of contents: every function of the service, named after its file below this folder, with its trigger and
 * limits. CDK deploys from it, the local server runs from it, and the tests loop over it. It is plain data and imports
 * no handlers. `rights.ts` grants each function its rights to the table, and `completeRow` adds defaults.
 */
export const manifest = {
  'transaction/initialize': {
    ...http('POST', '/api/v1/transaction/initialize', { key: 'live', needs: 'charges:write' }),
    whenItFails: 'Merchants cannot create charges: their customers cannot check out.',
  },
  'transaction/verify': {
    ...http('GET', '/api/v1/transaction/verify/{reference}', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot learn whether a charge was paid: orders wait.',
  },
  'transaction/cancel': {
    ...http('POST', '/api/v1/transaction/{reference}/cancel', { key: 'live', needs: 'charges:write' }),
    audited: 'charge cancel',
    whenItFails: 'Merchants cannot cancel charges: customers may still pay for orders that nobody wants.',
  },
  'transaction/refund': {
    ...http('POST', '/api/v1/transaction/{reference}/refund', { key: 'live', needs: 'refunds:write' }),
    audited: 'refund note',
    whenItFails: 'Merchants cannot note that they send money back.',
  },
  'transaction/close-refund': {
    ...http('POST', '/api/v1/transaction/{reference}/refund/{refund_id}/close', {
      key: 'live',
      needs: 'refunds:write',
    }),
    audited: 'refund close',
    whenItFails: 'Merchants cannot say that a refund was sent.',
  },
  'transaction/list': {
    ...http('GET', '/api/v1/transaction', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot list their charges; verifying one still works.',
  },
  'link/create': {
    ...http('POST', '/api/v1/link', { key: 'live', needs: 'links:write' }),
    audited: 'link create',
    whenItFails: 'Merchants cannot make payment links; those that they have still work.',
  },
  'link/list': {
    ...http('GET', '/api/v1/link', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot list their payment links; the links still work.',
  },
  'link/show': {
    ...http('GET', '/api/v1/link/{slug}', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot see one of their payment links; the links still work.',
  },
  'link/change': {
    ...http('PUT', '/api/v1/link/{slug}', { key: 'live', needs: 'links:write' }),
    audited: 'link change',
    whenItFails: 'Merchants cannot change their payment links; the links still work.',
  },
  'pay/page': {
    ...http('GET', '/pay/{slug}', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    whenItFails: 'Customers cannot open payment links.',
  },
  'pay/open': {
    ...http('POST', '/pay/{slug}', { publicBecause: PAY_LINK, throttledWith: 'claims' }),
    whenItFails: 'Customers who press Pay on a payment link get no checkout page.',
  },
  'pay/qr-svg': {
    ...http('GET', '/pay/{slug}/qr.svg', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    whenItFails: 'Merchants cannot get the QR code of a payment link as a drawing; its picture and poster still work.',
  },
  'pay/qr-png': {
    ...http('GET', '/pay/{slug}/qr.png', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    whenItFails: 'Merchants cannot get the QR code of a payment link as a picture; its drawing and poster still work.',
  },
  'pay/poster': {
    ...http('GET', '/pay/{slug}/poster', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    whenItFails: 'Merchants cannot print the poster of a payment link.',
  },
  'link/add-codes': {
    ...http('POST', '/api/v1/link/{slug}/codes', { key: 'live', needs: 'links:write' }),
    audited: 'codes add',
    whenItFails: 'Merchants cannot add codes to their payment links; those that are there are still handed out.',
  },
  'link/end': {
    ...http('POST', '/api/v1/link/{slug}/end', { key: 'live', needs: 'links:write' }),
    audited: 'link end',
    whenItFails: 'Merchants cannot end their payment links.',
  },
  'request/create': {
    ...http('POST', '/api/v1/request', { key: 'live', needs: 'charges:write' }),
    audited: 'request create',
    whenItFails: 'Merchants cannot make payment requests; those that they have can still be paid.',
  },
  'request/create-many': {
    ...http('POST', '/api/v1/request/bulk', { key: 'live', needs: 'charges:write' }),
    audited: 'request create',
    timeoutSeconds: 29,
    whenItFails: 'Merchants cannot make many payment requests at once; one by one they still can.',
  },
  'request/list': {
    ...http('GET', '/api/v1/request', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot list their payment requests; these can still be paid.',
  },
  'request/show': {
    ...http('GET', '/api/v1/request/{slug}', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot see what is paid of a payment request; it can still be paid.',
  },
  'r/page': {
    ...http('GET', '/r/{slug}', { publicBecause: PAYMENT_REQUEST, throttledWith: 'pages' }),
    whenItFails: 'Customers cannot open the payment requests that they were sent.',
  },
  'r/open': {
    ...http('POST', '/r/{slug}', { publicBecause: PAYMENT_REQUEST, throttledWith: 'claims' }),
    whenItFails: 'Customers who press Pay on a payment request get no checkout page.',
  },
  'request/cancel': {
    ...http('POST', '/api/v1/request/{slug}/cancel', { key: 'live', needs: 'links:write' }),
    audited: 'request cancel',
    whenItFails: 'Merchants cannot cancel payment requests: customers may still pay them, and are reminded.',
  },
  'sms/send': {
    ...http('POST', '/api/v1/sms/send', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Callers cannot queue texts.',
  },
  'sms/bulk': {
    ...http('POST', '/api/v1/sms/bulk', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Callers cannot send texts to many at once; one by one they still can.',
  },
  'sms/show-bulk': {
    ...http('GET', '/api/v1/sms/bulk/{id}', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot see how far their texts to many have come; these still leave.',
  },
  'sms/cancel-bulk': {
    ...http('DELETE', '/api/v1/sms/bulk/{id}', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Callers cannot cancel texts to many at once: what was sent by mistake leaves.',
  },
  'sms/retry-bulk': {
    ...http('POST', '/api/v1/sms/bulk/{id}/retry', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Callers cannot send the failed ones of their texts to many again; they can send them anew.',
  },
  'sms/bulk-results': {
    ...http('GET', '/api/v1/sms/bulk/{id}/results', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot get what became of their texts to many as a file; as JSON they still can.',
  },
  'sms/list': {
    ...http('GET', '/api/v1/sms', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot list what they sent; sending still works.',
  },
  'sms/from': {
    ...http('GET', '/api/v1/sms/from', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot list the numbers they may send from; sending still works.',
  },
  'sms/credits': {
    ...http('GET', '/api/v1/sms/credits', { key: 'sms', needs: 'credits:read' }),
    whenItFails: 'Callers cannot see how many texts they can still send; sending still works.',
  },
  'sms/buy-credits': {
    ...http('POST', '/api/v1/sms/credits', { key: 'sms', needs: 'credits:buy' }),
    audited: 'credits buy',
    whenItFails: 'Callers cannot buy credits; the dashboard and the operator still can.',
  },
  'sms/inbox': {
    ...http('GET', '/api/v1/sms/inbox', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot list what people answered; webhooks still tell them.',
  },
  'sms/show': {
    ...http('GET', '/api/v1/sms/{id}', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot see what became of a text; sending still works.',
  },
  'sms/cancel': {
    ...http('DELETE', '/api/v1/sms/{id}', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Callers cannot cancel texts: what was scheduled by mistake leaves.',
  },
  'contact/store': {
    ...http('POST', '/api/v1/contact', { key: 'sms', needs: 'texts:send' }),
    audited: 'contacts store',
    whenItFails:
      'Callers cannot store contacts, nor withdraw a consent; marketing goes to those whose consent is stored.',
  },
  'contact/list': {
    ...http('GET', '/api/v1/contact', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot list their contacts; marketing still goes to those whose consent is stored.',
  },
  'contact/remove': {
    ...http('DELETE', '/api/v1/contact/{number}', { key: 'sms', needs: 'texts:send' }),
    audited: 'contact remove',
    whenItFails: 'Callers cannot remove contacts; whoever writes STOP still gets no more marketing.',
  },
  'verify/start': {
    ...http('POST', '/api/v1/verify', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Merchants cannot send codes: their customers cannot sign in, or prove their numbers.',
  },
  'verify/check': {
    ...http('POST', '/api/v1/verify/check', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Codes that customers got cannot be checked: they cannot sign in, or prove their numbers.',
  },
  'checkout/page': {
    ...http('GET', '/checkout/{access_code}', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    whenItFails: 'Customers see no checkout page and cannot pay.',
  },
  'checkout/receipt': {
    ...http('GET', '/checkout/{access_code}/receipt', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    whenItFails: 'Customers who have paid cannot open, print or share their receipt; the checkout page still shows it.',
  },
  'checkout/status': {
    ...http('GET', '/checkout/{access_code}/status', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    // An open page polls this route, and nobody waits for the answer.
    memoryMegabytes: 512,
    whenItFails: 'Checkout pages do not turn green by themselves; reloading them still does.',
  },
  'checkout/claim': {
    ...http('POST', '/checkout/{access_code}/claim', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    whenItFails: 'Customers whose payment was not recognised cannot claim it.',
  },
  'checkout/ask-for-code': {
    ...http('POST', '/checkout/{access_code}/code', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    whenItFails: 'Customers who paid from another network and were not recognised cannot get a code.',
  },
  'checkout/confirm-code': {
    ...http('POST', '/checkout/{access_code}/code/confirm', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    whenItFails: 'Customers who paid from another network and have a code cannot confirm with it.',
  },
  'checkout/simulate': {
    ...http('POST', '/checkout/{access_code}/simulate', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    whenItFails: 'The buttons on the pages of test charges do nothing.',
  },
  'checkout/text': {
    ...http('POST', '/checkout/{access_code}/text', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
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
    whenItFails: 'Checkout pages have no logo; customers can pay.',
  },
  'test/simulate': {
    ...http('POST', '/api/v1/test/transaction/{reference}/simulate', { key: 'live', needs: 'charges:write' }),
    whenItFails: 'Nobody can pay a test charge.',
  },
  'test/receive': {
    ...http('POST', '/api/v1/test/sms/receive', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Nobody can make an answer arrive with a test key.',
  },
  'receipt/list': {
    ...http('GET', '/api/v1/receipt', { key: 'live', needs: 'receipts:read' }),
    whenItFails: 'Merchants cannot see the payments that were not matched by themselves.',
  },
  'receipt/assign': {
    ...http('POST', '/api/v1/receipt/{id}/assign', { key: 'live', needs: 'receipts:assign' }),
    audited: 'receipt assign',
    whenItFails: 'Merchants cannot give a held payment to its charge by hand.',
  },
  'wallet/list': {
    ...http('GET', '/api/v1/wallet', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot ask how their numbers fare; payments are still matched.',
  },
  'webhook/set': {
    ...http('PUT', '/api/v1/webhook', { key: EITHER, needs: 'webhooks:write' }),
    audited: 'webhook set',
    whenItFails: 'Merchants cannot set where their events go.',
  },
  'webhook/show': {
    ...http('GET', '/api/v1/webhook', { key: EITHER, needs: 'webhooks:read' }),
    whenItFails: 'Merchants cannot see where their events go; events still go there.',
  },
  'webhook/remove': {
    ...http('DELETE', '/api/v1/webhook', { key: EITHER, needs: 'webhooks:write' }),
    audited: 'webhook remove',
    whenItFails: 'Merchants cannot end their webhook.',
  },
  'webhook/roll-secret': {
    ...http('POST', '/api/v1/webhook/secret', { key: EITHER, needs: 'webhooks:write' }),
    audited: 'webhook roll',
    whenItFails: 'Merchants cannot replace a webhook secret that leaked.',
  },
  'webhook/test': {
    ...http('POST', '/api/v1/webhook/test', { key: EITHER, needs: 'webhooks:write' }),
    whenItFails: 'Merchants cannot try their webhook; real events still go out.',
  },
  'webhook/list-events': {
    ...http('GET', '/api/v1/webhook/event', { key: EITHER, needs: 'webhooks:read' }),
    whenItFails: 'Merchants cannot look up what their webhook was told.',
  },
  'webhook/show-event': {
    ...http('GET', '/api/v1/webhook/event/{id}', { key: EITHER, needs: 'webhooks:read' }),
    whenItFails: 'Merchants cannot see the tries of one webhook event.',
  },
  'webhook/replay': {
    ...http('POST', '/api/v1/webhook/event/{id}/replay', { key: EITHER, needs: 'webhooks:write' }),
    whenItFails: 'Merchants cannot have an event sent again.',
  },
  'callback/smsgate': {
    ...http('POST', '/callback/smsgate/{gateway}', {
      publicBecause: 'Phones have no API key. Each signs what it posts with a key of its own.',
      throttledWith: 'callbacks',
    }),
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
    whenItFails: 'Nobody can sign in to the dashboard, whose pages have no style; who is signed in can go on.',
  },
  'dashboard/today': {
    ...area('/dashboard/today'),
    whenItFails: 'People do not see the first page of the dashboard; its other pages still work.',
  },
  'dashboard/app': {
    ...area('/dashboard/app'),
    whenItFails: 'The dashboard cannot be installed as an app, and nobody can choose what their phone tells them.',
  },
  'dashboard/charges': {
    ...area('/dashboard/charges'),
    whenItFails:
      'People cannot see or make charges in the dashboard, nor decide about held payments; the API still can.',
  },
  'dashboard/links': {
    ...area('/dashboard/links'),
    whenItFails: 'People cannot see or make payment links at the dashboard, nor add codes; the links still work.',
  },
  'dashboard/till': {
    ...area('/dashboard/till'),
    whenItFails:
      'Cashiers cannot take payments at the tills: they are held, and a manager can still give them to charges.',
  },
  'dashboard/requests': {
    ...area('/dashboard/requests'),
    whenItFails: 'People cannot see, make or cancel payment requests at the dashboard; customers can still pay them.',
  },
  'dashboard/records': {
    ...area('/dashboard/records'),
    whenItFails: 'People cannot search the dashboard, nor print receipts and case files; its lists still work.',
  },
  'dashboard/customers': {
    ...area('/dashboard/customers'),
    whenItFails: 'People cannot see their customers at the dashboard, nor see or store contacts; the API still can.',
  },
  'dashboard/settings': {
    ...area('/dashboard/settings'),
    whenItFails: 'People cannot change settings, look at their wallets, or see who changed what.',
  },
  'dashboard/shared-phones': {
    ...area('/dashboard/shared-phones'),
    whenItFails: 'Owners cannot add, unlock or end phones on which people sign in by PIN; who has a PIN can sign in.',
  },
  'dashboard/texts': {
    ...area('/dashboard/texts'),
    whenItFails: 'People cannot send texts at the dashboard, nor see what became of them; the API still works.',
  },
  'dashboard/many': {
    ...area('/dashboard/many'),
    whenItFails: 'People cannot send texts to many at the dashboard; the API still can.',
  },
  'dashboard/developers': {
    ...area('/dashboard/developers'),
    whenItFails: 'Nobody can make or end keys, or change webhooks, at the dashboard; the command line still can.',
  },
  'dashboard/operator-phones': {
    ...area('/dashboard/operator-phones'),
    whenItFails: 'The operator cannot see phones and wallets at the dashboard; the command line still can.',
  },
  'dashboard/operator-money': {
    ...area('/dashboard/operator-money'),
    whenItFails:
      'The operator cannot see merchants and unassigned payments at the dashboard; the command line still can.',
  },
  'dashboard/operator-repair': {
    ...area('/dashboard/operator-repair'),
    calls: ['work/repair'],
    // An HTTP API waits for thirty seconds.
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
          // The lease row, which changes every minute and requires no work. If no change arrives, an alarm rings.
          'housekeeping',
        ],
      },
    ],
    sendsTo: ['deliver-webhook', 'deliver-push', 'run-follow-up', 'settle-receipt'],
    timeoutSeconds: 30,
    whenItFails:
      "Merchants' servers and phones are not told of payments and texts, and reports and searches miss what is new: all of it waits, kept, until this works again.",
  },
  'work/deliver-sms': {
    on: 'queue',
    queue: 'deliver-sms',
    batchSize: 10,
    sendsTo: ['deliver-sms'],
    readsGatewayAccounts: true,
    timeoutSeconds: 30,
    whenItFails: 'Queued texts do not reach the phones: they are tried again, and refunded in the end.',
  },
  'work/settle-receipt': {
    on: 'queue',
    queue: 'settle-receipt',
    batchSize: 10,
    sendsTo: ['settle-receipt'],
    timeoutSeconds: 30,
    whenItFails:
      'Payments that arrived are not matched: their checkout pages keep waiting. Owners’ answers by text do nothing yet.',
  },
  'work/deliver-webhook': {
    on: 'queue',
    queue: 'deliver-webhook',
    batchSize: 5,
    sendsTo: ['deliver-webhook'],
    timeoutSeconds: 30,
    whenItFails: "Merchants' servers are not told of payments and texts: events wait and are tried again.",
  },
  'work/deliver-push': {
    on: 'queue',
    queue: 'deliver-push',
    batchSize: 5,
    sendsTo: ['deliver-push', 'run-follow-up'],
    timeoutSeconds: 30,
    whenItFails: "People's browsers are not told of payments; pages still tell.",
  },
  'work/run-follow-up': {
    on: 'queue',
    queue: 'run-follow-up',
    batchSize: 5,
    sendsTo: ['run-follow-up'],
    timeoutSeconds: 30,
    whenItFails:
      "Customers who paid get no code or credits, paid requests stay open, merchants' servers are not told of payments at tills, and no receipt, STOP or owner is texted: all of it waits, kept, until this works again.",
  },
  'work/housekeeping': {
    on: 'schedule',
    everyMinutes: 1,
    sendsTo: ['deliver-sms', 'settle-receipt', 'deliver-webhook', 'run-follow-up'],
    readsGatewayAccounts: true,
    timeoutSeconds: 300,
    whenItFails:
      'Anything stuck stays stuck, customers are not reminded, webhook retries after the first quarter of an hour are late, and a phone that is off goes unnoticed.',
  },
  'work/repair': {
    on: 'call',
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
 * The stacks in addition to the stage's main stack, on the same API and table, with their functions by name or folder.
 * CloudFormation allows 500 resources per stack. The main stack contains everything that a customer's payment needs. A
 * function never moves between stacks, because the old stack still owns its name.
 */
export const parts = [
  { name: 'api', holds: ['sms', 'verify', 'contact', 'link', 'request', 'webhook'] },
  { name: 'dashboard', holds: ['dashboard', 'work/repair'] },
] as const;
export type Part = (typeof parts)[number]['name'];

/** The whole service, for the commands and the doctor. */
export const service: Service = {
  functions: manifest,
  queues: Object.keys(queues),
  parts,
};

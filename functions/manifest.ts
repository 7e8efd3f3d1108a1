import type { Service } from '../shared/runtime/stage/deployment.ts';
import type { AreaRow, Callers, HttpRow, Queue, Row } from '../shared/runtime/triggers/row.ts';

/** Reason why checkout routes do not require a key. */
const ACCESS_CODE = 'Customers have no API key. The access code in the path has 95 random bits.';
/** Reason why API reference routes do not require a key. */
const NO_SECRET = 'The API reference contains no secret. Anyone who writes a client can read it.';

/** Reason why payment link pages do not require a key. */
const PAY_LINK =
  'Anyone with the URL of a payment link can open it and pay. The page shows only text from the link’s merchant.';

/** Reason why payment request pages do not require a key. */
const PAYMENT_REQUEST =
  'Customers have no API key. The slug in the path has 59 random bits. The page shows the requested and the paid amount.';

/** Both kinds of key, for routes that accept either. */
const EITHER = ['live', 'sms'] as const;

/** Builds the entry for a route. */
function http<M extends HttpRow['method'], P extends string, const C extends Callers>(method: M, path: P, callers: C) {
  return { on: 'http', method, path, ...callers } as const;
}
/** Builds the entry for a dashboard area. */
function area<P extends AreaRow['path']>(path: P) {
  const publicBecause = 'People open it in a browser. The session in their cookie identifies them.';
  return { on: 'area', path, publicBecause } as const;
}

/**
 * Lists every function of the service with its trigger and limits. Each function is named after its file in this
 * folder. The manifest does not import handlers. `rights.ts` grants access to the table, and `completeRow` adds
 * defaults.
 */
export const manifest = {
  'transaction/initialize': {
    ...http('POST', '/api/v1/transaction/initialize', { key: 'live', needs: 'charges:write' }),
    whenItFails: 'Merchants cannot create charges, so their customers cannot check out.',
  },
  'transaction/verify': {
    ...http('GET', '/api/v1/transaction/verify/{reference}', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot check if a charge was paid, so orders wait.',
  },
  'transaction/cancel': {
    ...http('POST', '/api/v1/transaction/{reference}/cancel', { key: 'live', needs: 'charges:write' }),
    audited: 'charge cancel',
    whenItFails: 'Merchants cannot cancel charges, so customers may still pay for cancelled orders.',
  },
  'transaction/refund': {
    ...http('POST', '/api/v1/transaction/{reference}/refund', { key: 'live', needs: 'refunds:write' }),
    audited: 'refund note',
    whenItFails: 'Merchants cannot record refunds.',
  },
  'transaction/close-refund': {
    ...http('POST', '/api/v1/transaction/{reference}/refund/{refund_id}/close', {
      key: 'live',
      needs: 'refunds:write',
    }),
    audited: 'refund close',
    whenItFails: 'Merchants cannot record that a refund was sent.',
  },
  'transaction/list': {
    ...http('GET', '/api/v1/transaction', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot list their charges. Verifying a charge still works.',
  },
  'link/create': {
    ...http('POST', '/api/v1/link', { key: 'live', needs: 'links:write' }),
    audited: 'link create',
    whenItFails: 'Merchants cannot create payment links. Existing links still work.',
  },
  'link/list': {
    ...http('GET', '/api/v1/link', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot list their payment links. The links still work.',
  },
  'link/show': {
    ...http('GET', '/api/v1/link/{slug}', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot view a payment link. The links still work.',
  },
  'link/change': {
    ...http('PUT', '/api/v1/link/{slug}', { key: 'live', needs: 'links:write' }),
    audited: 'link change',
    whenItFails: 'Merchants cannot change their payment links. The links still work.',
  },
  'pay/page': {
    ...http('GET', '/pay/{slug}', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    whenItFails: 'Customers cannot open payment links.',
  },
  'pay/open': {
    ...http('POST', '/pay/{slug}', { publicBecause: PAY_LINK, throttledWith: 'claims' }),
    whenItFails: 'Customers who press Pay on a payment link do not get a checkout page.',
  },
  'pay/qr-svg': {
    ...http('GET', '/pay/{slug}/qr.svg', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    whenItFails: 'Merchants cannot get the QR code of a payment link as SVG. The PNG and the poster still work.',
  },
  'pay/qr-png': {
    ...http('GET', '/pay/{slug}/qr.png', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    whenItFails: 'Merchants cannot get the QR code of a payment link as PNG. The SVG and the poster still work.',
  },
  'pay/poster': {
    ...http('GET', '/pay/{slug}/poster', { publicBecause: PAY_LINK, throttledWith: 'pages' }),
    whenItFails: 'Merchants cannot print the poster of a payment link.',
  },
  'link/add-codes': {
    ...http('POST', '/api/v1/link/{slug}/codes', { key: 'live', needs: 'links:write' }),
    audited: 'codes add',
    whenItFails: 'Merchants cannot add codes to their payment links. Existing codes are still handed out.',
  },
  'link/end': {
    ...http('POST', '/api/v1/link/{slug}/end', { key: 'live', needs: 'links:write' }),
    audited: 'link end',
    whenItFails: 'Merchants cannot end their payment links.',
  },
  'request/create': {
    ...http('POST', '/api/v1/request', { key: 'live', needs: 'charges:write' }),
    audited: 'request create',
    whenItFails: 'Merchants cannot create payment requests. Existing requests can still be paid.',
  },
  'request/create-many': {
    ...http('POST', '/api/v1/request/bulk', { key: 'live', needs: 'charges:write' }),
    audited: 'request create',
    timeoutSeconds: 29,
    whenItFails: 'Merchants cannot create many payment requests at once. Creating them one by one still works.',
  },
  'request/list': {
    ...http('GET', '/api/v1/request', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot list their payment requests. The requests can still be paid.',
  },
  'request/show': {
    ...http('GET', '/api/v1/request/{slug}', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot see how much of a payment request is paid. Customers can still pay the request.',
  },
  'r/page': {
    ...http('GET', '/r/{slug}', { publicBecause: PAYMENT_REQUEST, throttledWith: 'pages' }),
    whenItFails: 'Customers cannot open the payment requests that they received.',
  },
  'r/open': {
    ...http('POST', '/r/{slug}', { publicBecause: PAYMENT_REQUEST, throttledWith: 'claims' }),
    whenItFails: 'Customers who press Pay on a payment request do not get a checkout page.',
  },
  'request/cancel': {
    ...http('POST', '/api/v1/request/{slug}/cancel', { key: 'live', needs: 'links:write' }),
    audited: 'request cancel',
    whenItFails: 'Merchants cannot cancel payment requests, so customers may still pay them and are still reminded.',
  },
  'sms/send': {
    ...http('POST', '/api/v1/sms/send', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Callers cannot queue texts.',
  },
  'sms/bulk': {
    ...http('POST', '/api/v1/sms/bulk', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Callers cannot send bulks. Sending texts one by one still works.',
  },
  'sms/show-bulk': {
    ...http('GET', '/api/v1/sms/bulk/{id}', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot see the progress of their bulks. The texts are still sent.',
  },
  'sms/cancel-bulk': {
    ...http('DELETE', '/api/v1/sms/bulk/{id}', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Callers cannot cancel bulks, so texts queued by mistake are sent.',
  },
  'sms/retry-bulk': {
    ...http('POST', '/api/v1/sms/bulk/{id}/retry', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Callers cannot retry the failed texts of a bulk. They can send them as a new bulk.',
  },
  'sms/bulk-results': {
    ...http('GET', '/api/v1/sms/bulk/{id}/results', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot download the results of a bulk as a file. The JSON still works.',
  },
  'sms/list': {
    ...http('GET', '/api/v1/sms', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot list their texts. Sending still works.',
  },
  'sms/from': {
    ...http('GET', '/api/v1/sms/from', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot list the numbers that they can send from. Sending still works.',
  },
  'sms/credits': {
    ...http('GET', '/api/v1/sms/credits', { key: 'sms', needs: 'credits:read' }),
    whenItFails: 'Callers cannot see their credits. Sending still works.',
  },
  'sms/buy-credits': {
    ...http('POST', '/api/v1/sms/credits', { key: 'sms', needs: 'credits:buy' }),
    audited: 'credits buy',
    whenItFails: 'Callers cannot buy credits through the API. The dashboard and the operator still can.',
  },
  'sms/inbox': {
    ...http('GET', '/api/v1/sms/inbox', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot list the replies to their texts. Webhooks still report replies.',
  },
  'sms/show': {
    ...http('GET', '/api/v1/sms/{id}', { key: 'sms', needs: 'texts:read' }),
    whenItFails: 'Callers cannot see the state of a text. Sending still works.',
  },
  'sms/cancel': {
    ...http('DELETE', '/api/v1/sms/{id}', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Callers cannot cancel texts, so texts scheduled by mistake are sent.',
  },
  'contact/store': {
    ...http('POST', '/api/v1/contact', { key: 'sms', needs: 'texts:send' }),
    audited: 'contacts store',
    whenItFails:
      'Callers cannot store contacts or withdraw a consent. Marketing still goes to contacts with a stored consent.',
  },
  'contact/list': {
    ...http('GET', '/api/v1/contact', { key: 'sms', needs: 'texts:read' }),
    whenItFails:
      'Callers cannot list their contacts. Marketing still goes to contacts with a stored consent, listed or not.',
  },
  'contact/remove': {
    ...http('DELETE', '/api/v1/contact/{number}', { key: 'sms', needs: 'texts:send' }),
    audited: 'contact remove',
    whenItFails: 'Callers cannot remove contacts. People who write STOP still get no more marketing.',
  },
  'verify/start': {
    ...http('POST', '/api/v1/verify', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Merchants cannot send codes, so their customers cannot sign in or verify their numbers.',
  },
  'verify/check': {
    ...http('POST', '/api/v1/verify/check', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Customers’ codes cannot be checked, so customers cannot sign in or verify their numbers.',
  },
  'checkout/page': {
    ...http('GET', '/checkout/{access_code}', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    whenItFails: 'Customers see no checkout page and cannot pay.',
  },
  'checkout/receipt': {
    ...http('GET', '/checkout/{access_code}/receipt', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    whenItFails: 'Customers who have paid cannot open, print or share their receipt. The checkout page still shows it.',
  },
  'checkout/status': {
    ...http('GET', '/checkout/{access_code}/status', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    // Open pages poll this route in the background.
    memoryMegabytes: 512,
    whenItFails: 'Checkout pages do not turn green on their own. Reloading a page still shows the payment.',
  },
  'checkout/claim': {
    ...http('POST', '/checkout/{access_code}/claim', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    whenItFails: 'Customers whose payment was not recognised cannot claim it.',
  },
  'checkout/ask-for-code': {
    ...http('POST', '/checkout/{access_code}/code', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    whenItFails: 'Customers whose payment from another network was not recognised cannot get a code.',
  },
  'checkout/confirm-code': {
    ...http('POST', '/checkout/{access_code}/code/confirm', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    whenItFails: 'Customers with a code for a payment from another network cannot confirm the payment.',
  },
  'checkout/simulate': {
    ...http('POST', '/checkout/{access_code}/simulate', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    whenItFails: 'The buttons on the pages of test charges do nothing.',
  },
  'checkout/text': {
    ...http('POST', '/checkout/{access_code}/text', { publicBecause: ACCESS_CODE, throttledWith: 'claims' }),
    whenItFails: 'Customers cannot get the payment instructions by text. The page still shows them.',
  },
  'checkout/short-link': {
    ...http('GET', '/c/{access_code}', { publicBecause: ACCESS_CODE, throttledWith: 'pages' }),
    timeoutSeconds: 3,
    memoryMegabytes: 256,
    whenItFails: 'Customers who follow a short link do not reach the checkout page.',
  },
  'checkout/logo': {
    ...http('GET', '/logo/{id}', {
      publicBecause: 'Anybody who pays a shop can see its logo.',
      throttledWith: 'pages',
    }),
    whenItFails: 'Checkout pages have no logo. Customers can still pay.',
  },
  'test/simulate': {
    ...http('POST', '/api/v1/test/transaction/{reference}/simulate', { key: 'live', needs: 'charges:write' }),
    whenItFails: 'Nobody can pay a test charge.',
  },
  'test/receive': {
    ...http('POST', '/api/v1/test/sms/receive', { key: 'sms', needs: 'texts:send' }),
    whenItFails: 'Nobody can simulate a reply with a test key.',
  },
  'receipt/list': {
    ...http('GET', '/api/v1/receipt', { key: 'live', needs: 'receipts:read' }),
    whenItFails: 'Merchants cannot see the payments that were not matched automatically.',
  },
  'receipt/assign': {
    ...http('POST', '/api/v1/receipt/{id}/assign', { key: 'live', needs: 'receipts:assign' }),
    audited: 'receipt assign',
    whenItFails: 'Merchants cannot assign a held payment to its charge by hand.',
  },
  'wallet/list': {
    ...http('GET', '/api/v1/wallet', { key: 'live', needs: 'charges:read' }),
    whenItFails: 'Merchants cannot see the status of their numbers. Payments are still matched.',
  },
  'webhook/set': {
    ...http('PUT', '/api/v1/webhook', { key: EITHER, needs: 'webhooks:write' }),
    audited: 'webhook set',
    whenItFails: 'Merchants cannot set the URL of their webhook.',
  },
  'webhook/show': {
    ...http('GET', '/api/v1/webhook', { key: EITHER, needs: 'webhooks:read' }),
    whenItFails: 'Merchants cannot see the URL of their webhook. Events are still sent.',
  },
  'webhook/remove': {
    ...http('DELETE', '/api/v1/webhook', { key: EITHER, needs: 'webhooks:write' }),
    audited: 'webhook remove',
    whenItFails: 'Merchants cannot remove their webhook.',
  },
  'webhook/roll-secret': {
    ...http('POST', '/api/v1/webhook/secret', { key: EITHER, needs: 'webhooks:write' }),
    audited: 'webhook roll',
    whenItFails: 'Merchants cannot replace a webhook secret that leaked.',
  },
  'webhook/test': {
    ...http('POST', '/api/v1/webhook/test', { key: EITHER, needs: 'webhooks:write' }),
    whenItFails: 'Merchants cannot test their webhook. Real events are still sent.',
  },
  'webhook/list-events': {
    ...http('GET', '/api/v1/webhook/event', { key: EITHER, needs: 'webhooks:read' }),
    whenItFails: 'Merchants cannot list their webhook events.',
  },
  'webhook/show-event': {
    ...http('GET', '/api/v1/webhook/event/{id}', { key: EITHER, needs: 'webhooks:read' }),
    whenItFails: 'Merchants cannot see the delivery attempts for a webhook event.',
  },
  'webhook/replay': {
    ...http('POST', '/api/v1/webhook/event/{id}/replay', { key: EITHER, needs: 'webhooks:write' }),
    whenItFails: 'Merchants cannot resend a webhook event.',
  },
  'callback/smsgate': {
    ...http('POST', '/callback/smsgate/{gateway}', {
      publicBecause: 'Phones have no API key. Each phone signs its callbacks with its own key.',
      throttledWith: 'callbacks',
    }),
    maxBodyKilobytes: 1024,
    readsGatewayAccounts: true,
    timeoutSeconds: 5,
    whenItFails: 'Payments and deliveries are not recognised until the phones resend them. Phones retry for days.',
  },
  'callback/forwarder': {
    ...http('POST', '/callback/forwarder/{phone}', {
      publicBecause: 'Forwarding apps have no API key. Each app signs its callbacks with its phone’s key.',
      throttledWith: 'callbacks',
    }),
    maxBodyKilobytes: 16,
    readsGatewayAccounts: true,
    timeoutSeconds: 5,
    whenItFails: 'Payments reported by forwarding apps are not recognised unless the app resends them. Few apps do.',
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
    whenItFails:
      'Programs cannot read the API reference as Markdown. The page and the OpenAPI document have the same content.',
  },
  'docs/llms': {
    ...http('GET', '/llms.txt', { publicBecause: NO_SECRET, throttledWith: 'docs' }),
    files: ['.generated/llms.txt'],
    whenItFails: 'Programs that look for the API reference in /llms.txt do not find it.',
  },
  'dashboard/sign-in': {
    ...area('/dashboard/sign-in'),
    whenItFails:
      'Nobody can sign in to the dashboard, and its pages have no stylesheet. People who are signed in can continue.',
  },
  'dashboard/today': {
    ...area('/dashboard/today'),
    whenItFails: 'People cannot open the first page of the dashboard. Its other pages still work.',
  },
  'dashboard/app': {
    ...area('/dashboard/app'),
    whenItFails: 'The dashboard cannot be installed as an app, and nobody can choose their notifications.',
  },
  'dashboard/charges': {
    ...area('/dashboard/charges'),
    whenItFails: 'People cannot see or create charges in the dashboard. The API still can.',
  },
  'dashboard/held': {
    ...area('/dashboard/held'),
    whenItFails: 'People cannot review held payments in the dashboard. The API still can.',
  },
  'dashboard/links': {
    ...area('/dashboard/links'),
    whenItFails: 'People cannot see or create payment links in the dashboard or add codes. The links still work.',
  },
  'dashboard/till': {
    ...area('/dashboard/till'),
    whenItFails:
      'Cashiers cannot take payments at the tills. The payments are held, and a manager can still assign them to charges.',
  },
  'dashboard/requests': {
    ...area('/dashboard/requests'),
    whenItFails: 'People cannot see, create or cancel payment requests in the dashboard. Customers can still pay them.',
  },
  'dashboard/records': {
    ...area('/dashboard/records'),
    whenItFails: 'People cannot search the dashboard or print receipts and case files. Its lists still work.',
  },
  'dashboard/customers': {
    ...area('/dashboard/customers'),
    whenItFails: 'People cannot see their customers or store contacts in the dashboard. The API still can.',
  },
  'dashboard/settings': {
    ...area('/dashboard/settings'),
    whenItFails: 'People cannot change settings, view their wallets, or see who changed what.',
  },
  'dashboard/shared-phones': {
    ...area('/dashboard/shared-phones'),
    whenItFails: 'Owners cannot add, unlock or remove shared phones. People with a PIN can still sign in.',
  },
  'dashboard/texts': {
    ...area('/dashboard/texts'),
    whenItFails: 'People cannot send texts or see their state in the dashboard. The API still works.',
  },
  'dashboard/many': {
    ...area('/dashboard/many'),
    whenItFails: 'People cannot send bulks in the dashboard. The API still can.',
  },
  'dashboard/developers': {
    ...area('/dashboard/developers'),
    whenItFails: 'Nobody can create or revoke keys or change webhooks in the dashboard. The command line still can.',
  },
  'dashboard/operator-phones': {
    ...area('/dashboard/operator-phones'),
    whenItFails: 'The operator cannot see phones and wallets in the dashboard. The command line still can.',
  },
  'dashboard/operator-money': {
    ...area('/dashboard/operator-money'),
    whenItFails:
      'The operator cannot see merchants and unassigned payments in the dashboard. The command line still can.',
  },
  'dashboard/operator-repair': {
    ...area('/dashboard/operator-repair'),
    calls: ['work/repair'],
    // API Gateway's timeout for an HTTP API is 30 seconds.
    timeoutSeconds: 29,
    whenItFails:
      'The operator cannot see dead letters, faults and the audit log in the dashboard. The command line still can.',
  },
  'not-found': {
    on: 'default',
    publicBecause: 'It reads nothing and only lists the routes.',
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
      { event: 'MODIFY', sortKeyPrefixes: ['TEXT#', 'GAP#'] },
      { event: 'REMOVE', sortKeyPrefixes: ['WAIT#', 'GAP#'] },
    ],
    sendsTo: ['deliver-sms', 'settle-receipt'],
    timeoutSeconds: 30,
    whenItFails: 'Accepted texts and receipts are not queued. They are stored and wait until the relay works again.',
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
          'REQUEST',
          // The housekeeping lease, which changes every minute. An alarm fires if no change arrives.
          'housekeeping',
        ],
      },
    ],
    sendsTo: ['deliver-webhook', 'deliver-push', 'run-follow-up', 'settle-receipt'],
    timeoutSeconds: 30,
    whenItFails:
      "Merchants' servers and phones are not notified of payments and texts, and reports and searches are outdated. Everything is stored and waits until this function works again.",
  },
  'work/deliver-sms': {
    on: 'queue',
    queue: 'deliver-sms',
    batchSize: 10,
    sendsTo: ['deliver-sms'],
    readsGatewayAccounts: true,
    timeoutSeconds: 30,
    whenItFails: 'Queued texts do not reach the phones. They are retried, and finally refunded.',
  },
  'work/settle-receipt': {
    on: 'queue',
    queue: 'settle-receipt',
    batchSize: 10,
    sendsTo: ['settle-receipt'],
    timeoutSeconds: 30,
    whenItFails: 'Payments that arrived are not matched, so checkout pages keep waiting.',
  },
  'work/deliver-webhook': {
    on: 'queue',
    queue: 'deliver-webhook',
    batchSize: 5,
    sendsTo: ['deliver-webhook'],
    timeoutSeconds: 30,
    whenItFails: "Merchants' servers are not notified of payments and texts. Events wait and are retried.",
  },
  'work/deliver-push': {
    on: 'queue',
    queue: 'deliver-push',
    batchSize: 5,
    sendsTo: ['deliver-push', 'run-follow-up'],
    timeoutSeconds: 30,
    whenItFails: "People's browsers get no notifications of payments. The pages still show them.",
  },
  'work/run-follow-up': {
    on: 'queue',
    queue: 'run-follow-up',
    batchSize: 5,
    sendsTo: ['run-follow-up', 'settle-receipt'],
    timeoutSeconds: 30,
    whenItFails:
      'Customers who paid get no code or credits, paid requests stay open, servers are not notified of payments at tills, and no receipts, STOP confirmations or notifications are texted. Everything is stored and waits.',
  },
  'work/housekeeping': {
    on: 'schedule',
    everyMinutes: 1,
    sendsTo: ['deliver-sms', 'settle-receipt', 'deliver-webhook', 'deliver-push', 'run-follow-up'],
    readsGatewayAccounts: true,
    timeoutSeconds: 300,
    whenItFails:
      'Stuck jobs stay stuck, customers are not reminded, webhook retries after the first 15 minutes are late, and a phone that is off goes unnoticed.',
  },
  'work/repair': {
    on: 'call',
    readsGatewayAccounts: true,
    timeoutSeconds: 28,
    memoryMegabytes: 1024,
    whenItFails: 'The operator cannot see dead letters or run the doctor in the dashboard. The command line still can.',
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
 * Additional stacks, needed because CloudFormation allows 500 resources per stack. Each stack lists its functions or
 * folders. The main stack contains everything that a customer's payment needs. Never move a function between stacks,
 * because the old stack would still own the function's name.
 */
export const parts = [
  { name: 'api', holds: ['sms', 'verify', 'contact', 'link', 'request', 'webhook'] },
  { name: 'dashboard', holds: ['dashboard', 'work/repair'] },
] as const;
export type Part = (typeof parts)[number]['name'];

/** The whole service, for the command line and the doctor. */
export const service: Service = {
  functions: manifest,
  queues: Object.keys(queues),
  parts,
};

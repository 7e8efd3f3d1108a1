import type { Rights } from '../shared/runtime/triggers/row.ts';
import type { manifest } from './manifest.ts';

/** Rights for simulating a payment. `-TEST`, `#TEST` and `+23300` occur only in the table keys of test-mode rows. */
const SIMULATION = {
  GetItem: ['TRANSACTION#*', 'RECEIPT#*-TEST*', 'PAYMENT#*#TEST*', 'REQUEST#*'],
  BatchGetItem: ['RECEIPT#*-TEST*', 'TRANSACTION#*'],
  Query: ['REQUEST_MONEY#*', 'MOMO#+23300*'],
  ConditionCheckItem: ['PAYMENT#*#TEST*'],
  PutItem: ['RECEIPT#*-TEST*', 'PAYMENT#*#TEST*', 'EXPIRY*', 'REFUND#*', 'REQUEST_MONEY#*'],
  UpdateItem: ['TRANSACTION#*', 'TEST_USE#*'],
  DeleteItem: ['RECEIPT#*-TEST*', 'PAYMENT#*#TEST*', 'REFUND#*'],
} as const;

/** Rights for storing a customer's reply. A different function sends the confirmation of a STOP. */
const ANSWERED = {
  GetItem: ['CONVERSATION#*', 'MERCHANT#*', 'SENT_CODE#*'],
  BatchGetItem: ['OPT_OUT#*'],
  Query: ['KEYWORD#*'],
  PutItem: ['INBOX#*'],
  UpdateItem: ['CONVERSATION#*', 'STRANGERS#*', 'OPT_OUT#*', 'CONTACT#*', 'KEYWORD#*'],
} as const;

/** Rows written when a payment is assigned to a charge. */
const ASSIGNED = ['RECEIPT#*', 'PAYMENT#*', 'EXPIRY*', 'REQUEST_MONEY#*'] as const;

/**
 * The table partitions that each function may access, by DynamoDB action. `complete-row.ts` adds the rights that a
 * route's key and method imply. A transaction requires the right for each of its writes.
 */
export const rights = {
  'transaction/initialize': {
    table: {
      Query: ['LOOKUP#*'],
      BatchGetItem: ['TRANSACTION#*'],
      PutItem: ['TRANSACTION#*', 'MERCHANT_REFERENCE#*'],
      UpdateItem: ['TEST_USE#*'],
    },
  },
  'transaction/verify': {
    table: { GetItem: ['TRANSACTION#*'], BatchGetItem: ['RECEIPT#*'] },
  },
  'transaction/cancel': {
    table: {
      GetItem: ['TRANSACTION#*', 'RECEIPT#*'],
      BatchGetItem: ['RECEIPT#*'],
      PutItem: ['RECEIPT#*'],
      UpdateItem: ['TRANSACTION#*', 'UNPROVEN#*'],
      DeleteItem: ['PAYMENT#*'],
    },
  },
  'transaction/refund': {
    table: {
      GetItem: ['TRANSACTION#*'],
      BatchGetItem: ['RECEIPT#*'],
      PutItem: ['REFUND#*', 'RECEIPT#*'],
      UpdateItem: ['TRANSACTION#*'],
    },
  },
  'transaction/close-refund': {
    table: {
      GetItem: ['TRANSACTION#*'],
      BatchGetItem: ['RECEIPT#*'],
      UpdateItem: ['TRANSACTION#*', 'REFUND#*'],
      DeleteItem: ['REFUND#*'],
    },
  },
  'transaction/list': {
    table: { BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*'], Query: ['LOOKUP#*'] },
    indexes: { gsi1: ['MERCHANT#*#TRANSACTION'], gsi2: ['STATUS#*'] },
  },
  'link/create': {
    table: { PutItem: ['LINK#*', 'LINK_CODES#*'], UpdateItem: ['TEST_USE#*'] },
  },
  'link/list': {
    table: { BatchGetItem: ['LINK#*'] },
    indexes: { gsi1: ['MERCHANT#*#LINK'] },
  },
  'link/show': {
    table: { GetItem: ['LINK#*'] },
  },
  'link/change': {
    table: { GetItem: ['LINK#*'], PutItem: ['CHANGE#*'], UpdateItem: ['LINK#*'] },
  },
  'pay/page': {
    table: { GetItem: ['LINK#*', 'MERCHANT#*'] },
  },
  'pay/open': {
    table: {
      GetItem: ['LINK#*', 'MERCHANT#*', 'TRANSACTION#*'],
      Query: ['LOOKUP#*'],
      PutItem: ['TRANSACTION#*', 'LINK_OPENED#*'],
      UpdateItem: ['LINK_OPENED#*', 'TEST_USE#*'],
    },
  },
  'pay/qr-svg': {
    table: { GetItem: ['LINK#*'] },
  },
  'pay/qr-png': {
    table: { GetItem: ['LINK#*'] },
  },
  'pay/poster': {
    table: { GetItem: ['LINK#*', 'MERCHANT#*'] },
  },
  'link/add-codes': {
    table: { GetItem: ['LINK#*'], Query: ['LINK_CODES#*'], PutItem: ['LINK_CODES#*'], UpdateItem: ['LINK#*'] },
  },
  'link/end': {
    table: { GetItem: ['LINK#*'], UpdateItem: ['LINK#*'] },
  },
  'request/create': {
    table: { PutItem: ['REQUEST#*'], UpdateItem: ['TEST_USE#*'] },
  },
  'request/create-many': {
    // BatchGetItem is needed to count the requests that an interrupted call had already created.
    table: { BatchGetItem: ['REQUEST#*'], PutItem: ['REQUEST#*'], UpdateItem: ['TEST_USE#*'] },
  },
  'request/list': {
    table: { BatchGetItem: ['REQUEST#*'] },
    indexes: { gsi1: ['MERCHANT#*#REQUEST'] },
  },
  'request/show': {
    table: { GetItem: ['REQUEST#*'], BatchGetItem: ['TRANSACTION#*'], Query: ['REQUEST_MONEY#*'] },
  },
  'r/page': {
    table: {
      GetItem: ['REQUEST#*', 'MERCHANT#*'],
      BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*'],
      Query: ['REQUEST_MONEY#*'],
    },
  },
  'r/open': {
    table: {
      GetItem: ['REQUEST#*', 'MERCHANT#*'],
      BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*'],
      Query: ['REQUEST_MONEY#*'],
      PutItem: ['TRANSACTION#*'],
      UpdateItem: ['REQUEST#*', 'LINK_OPENED#*', 'TEST_USE#*'],
    },
  },
  'request/cancel': {
    table: {
      GetItem: ['REQUEST#*'],
      BatchGetItem: ['TRANSACTION#*'],
      Query: ['REQUEST_MONEY#*'],
      ConditionCheckItem: ['REQUEST_MONEY#*'],
      UpdateItem: ['REQUEST#*'],
    },
  },
  'sms/send': {
    table: {
      GetItem: ['PACE#*'],
      Query: ['SENDER', 'PACE#*'],
      BatchGetItem: ['OPT_OUT#*', 'CONTACT#*'],
      ConditionCheckItem: ['OPT_OUT#*', 'CONTACT#*'],
      PutItem: ['SEND#*'],
      UpdateItem: ['CREDITS#*', 'TEST_USE#*'],
    },
  },
  'sms/bulk': {
    table: {
      GetItem: ['PACE#*'],
      Query: ['SENDER', 'PACE#*'],
      BatchGetItem: ['OPT_OUT#*', 'CONTACT#*'],
      PutItem: ['SEND#*'],
      UpdateItem: ['CREDITS#*', 'TEST_USE#*'],
    },
  },
  'sms/show-bulk': {
    table: { GetItem: ['SEND#*', 'PACE#*'], Query: ['SEND#*', 'SENDER', 'PACE#*'] },
  },
  'sms/cancel-bulk': {
    table: {
      GetItem: ['SEND#*'],
      Query: ['SEND#*'],
      PutItem: ['CREDIT_ENTRY#*'],
      UpdateItem: ['SEND#*', 'CREDITS#*'],
    },
  },
  'sms/retry-bulk': {
    table: {
      GetItem: ['SEND#*', 'PACE#*'],
      Query: ['SEND#*', 'SENDER', 'PACE#*'],
      BatchGetItem: ['OPT_OUT#*', 'CONTACT#*'],
      PutItem: ['SEND#*'],
      UpdateItem: ['SEND#*', 'CREDITS#*', 'TEST_USE#*'],
    },
  },
  'sms/bulk-results': {
    table: { GetItem: ['SEND#*'], Query: ['SEND#*'] },
  },
  'sms/list': {
    table: { BatchGetItem: ['SEND#*'], Query: ['SEND#*'] },
    indexes: { gsi1: ['MERCHANT#*#SEND', 'MERCHANT#*#SEND#failed'] },
  },
  'sms/from': {
    table: { Query: ['SENDER'] },
  },
  'sms/credits': {
    table: { GetItem: ['CREDITS#*', 'BUNDLES'], Query: ['CREDIT_ENTRY#*'], BatchGetItem: ['SEND#*'] },
    indexes: { gsi1: ['MERCHANT#*#SEND'] },
  },
  'sms/buy-credits': {
    table: {
      GetItem: ['BUNDLES', 'PURCHASES#*'],
      BatchGetItem: ['TRANSACTION#*'],
      PutItem: ['TRANSACTION#*'],
      UpdateItem: ['PURCHASES#*', 'TEST_USE#*'],
    },
  },
  'sms/inbox': {
    table: { BatchGetItem: ['INBOX#*'] },
    indexes: { gsi1: ['MERCHANT#*#INBOX'] },
  },
  'sms/show': {
    table: { BatchGetItem: ['SEND#*'] },
  },
  'sms/cancel': {
    table: { Query: ['SEND#*'], PutItem: ['CREDIT_ENTRY#*'], UpdateItem: ['SEND#*', 'CREDITS#*'] },
  },
  'contact/store': {
    table: {
      BatchGetItem: ['CONTACT#*', 'OPT_OUT#*'],
      UpdateItem: ['CONTACT#*', 'OPT_OUT#*', 'TEST_USE#*'],
      ConditionCheckItem: ['OPT_OUT#*'],
    },
  },
  'contact/list': {
    table: { Query: ['CONTACT#*'], BatchGetItem: ['CONTACT#*', 'OPT_OUT#*'] },
  },
  'contact/remove': {
    table: { DeleteItem: ['CONTACT#*'] },
  },
  'verify/start': {
    table: {
      GetItem: ['VERIFICATION_NUMBER#*', 'VERIFICATION_DAY#*', 'PACE#*'],
      Query: ['SENDER', 'PACE#*'],
      PutItem: ['SEND#*', 'VERIFICATION#*', 'CODE_TEXT#*'],
      UpdateItem: ['CREDITS#*', 'TEST_USE#*', 'VERIFICATION_NUMBER#*', 'VERIFICATION_DAY#*'],
    },
  },
  'verify/check': {
    table: {
      GetItem: ['VERIFICATION#*'],
      UpdateItem: ['VERIFICATION#*', 'VERIFICATION_NUMBER#*', 'VERIFICATION_DAY#*'],
    },
  },
  'checkout/page': {
    table: {
      GetItem: ['TRANSACTION#*', 'MERCHANT#*', 'REQUEST#*'],
      BatchGetItem: ['RECEIPT#*'],
      Query: ['LINK_CODES#*'],
    },
  },
  'checkout/receipt': {
    table: { GetItem: ['TRANSACTION#*'], BatchGetItem: ['RECEIPT#*'] },
  },
  'checkout/status': {
    table: { GetItem: ['TRANSACTION#*'], BatchGetItem: ['RECEIPT#*'] },
  },
  'checkout/claim': {
    table: {
      // `PAYMENT#*` is read only after the id, the payer's name and the amount have matched a payment to this merchant.
      GetItem: ['TRANSACTION#*', 'RECEIPT#*', 'PAYMENT#*', 'CLAIM#*', 'MERCHANT#*', 'CHAIN#*'],
      Query: ['MOMO#*', 'LOOKUP#*'],
      BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*', 'CHAIN#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: ['RECEIPT#*', 'PAYMENT#*', 'REQUEST_MONEY#*'],
      UpdateItem: ['TRANSACTION#*', 'CLAIM#*', 'UNPROVEN#*'],
      DeleteItem: ['PAYMENT#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#*'], gsi2: ['OPEN#*#*'] },
  },
  'checkout/ask-for-code': {
    table: {
      GetItem: ['TRANSACTION#*', 'CLAIM#*', 'RECEIPT#*', 'MERCHANT#*', 'CHAIN#*'],
      Query: ['SENDER', 'MOMO#*'],
      BatchGetItem: ['RECEIPT#*', 'CHAIN#*'],
      PutItem: ['SEND#*'],
      UpdateItem: ['CLAIM#*', 'CODE#*'],
    },
    indexes: { gsi2: ['HELD#*#*', 'OPEN#*#*'] },
  },
  'checkout/confirm-code': {
    table: {
      // `PAYMENT#*` is read only after the customer has entered the correct code.
      GetItem: ['TRANSACTION#*', 'RECEIPT#*', 'PAYMENT#*', 'MERCHANT#*', 'CHAIN#*'],
      Query: ['MOMO#*'],
      BatchGetItem: ['RECEIPT#*', 'CODE#*', 'CHAIN#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: ['RECEIPT#*', 'PAYMENT#*', 'REQUEST_MONEY#*'],
      UpdateItem: ['TRANSACTION#*', 'CODE#*', 'CLAIM#*', 'UNPROVEN#*'],
      DeleteItem: ['PAYMENT#*'],
    },
    indexes: { gsi2: ['HELD#*#*', 'OPEN#*#*'] },
  },
  'checkout/simulate': {
    table: SIMULATION,
  },
  'checkout/text': {
    table: {
      GetItem: ['TRANSACTION#*', 'MERCHANT#*', 'PACE#*'],
      Query: ['SENDER', 'PACE#*'],
      PutItem: ['SEND#*'],
      UpdateItem: ['PAY_TEXT#*', 'CREDITS#*', 'TEST_USE#*'],
    },
  },
  'checkout/logo': {
    table: { GetItem: ['LOGO#*'] },
  },
  'test/simulate': {
    table: SIMULATION,
  },
  'test/receive': {
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
  },
  'receipt/list': {
    table: { BatchGetItem: ['RECEIPT#*'] },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#*'] },
  },
  'receipt/assign': {
    table: {
      GetItem: ['RECEIPT#*', 'TRANSACTION#*', 'PAYMENT#*'],
      BatchGetItem: ['RECEIPT#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: [...ASSIGNED],
      UpdateItem: ['TRANSACTION#*', 'UNPROVEN#*'],
      DeleteItem: ['PAYMENT#*'],
    },
  },
  'wallet/list': {
    table: { Query: ['MOMO#*', 'HEARING', 'PHONE'], BatchGetItem: ['CHAIN#*'] },
  },
  'webhook/set': {
    table: { GetItem: ['WEBHOOK#*'], PutItem: ['WEBHOOK#*'] },
  },
  'webhook/show': {
    table: { GetItem: ['WEBHOOK#*'] },
  },
  'webhook/remove': {
    table: { DeleteItem: ['WEBHOOK#*'] },
  },
  'webhook/roll-secret': {
    table: { GetItem: ['WEBHOOK#*'], PutItem: ['WEBHOOK#*'] },
  },
  'webhook/test': {
    table: { GetItem: ['WEBHOOK#*'], PutItem: ['EVENT#*'], UpdateItem: ['WEBHOOK_CALLS#*'] },
  },
  'webhook/list-events': {
    table: { BatchGetItem: ['EVENT#*'] },
    indexes: { gsi1: ['MERCHANT#*#EVENT'] },
  },
  'webhook/show-event': {
    table: { Query: ['EVENT#*'] },
  },
  'webhook/replay': {
    table: { GetItem: ['EVENT#*'], PutItem: ['EVENT#*'], UpdateItem: ['WEBHOOK_CALLS#*'] },
  },
  'callback/smsgate': {
    table: {
      GetItem: ['PHONE', ...ANSWERED.GetItem],
      Query: ['HEARING', 'SENDER', ...ANSWERED.Query],
      BatchGetItem: ['SEND#*', ...ANSWERED.BatchGetItem],
      PutItem: ['PHONE_EVENT#*', 'CREDIT_ENTRY#*', ...ANSWERED.PutItem],
      UpdateItem: ['SEND#*', 'CREDITS#*', 'PHONE', 'REFUSED_CALLBACK', 'HEARING', ...ANSWERED.UpdateItem],
      DeleteItem: ['CODE_TEXT#*'],
    },
  },
  'callback/forwarder': {
    table: {
      GetItem: ['PHONE', ...ANSWERED.GetItem],
      Query: ['HEARING', 'SENDER', ...ANSWERED.Query],
      BatchGetItem: ANSWERED.BatchGetItem,
      PutItem: ['PHONE_EVENT#*', ...ANSWERED.PutItem],
      UpdateItem: ['PHONE', 'REFUSED_CALLBACK', 'HEARING', ...ANSWERED.UpdateItem],
    },
  },
  'dashboard/sign-in': {
    table: {
      GetItem: ['USER#*', 'PASSKEY#*', 'INVITATION#*', 'SHARED_PHONE#*'],
      Query: ['SESSION#*', 'PASSKEY#*', 'DEVICES#*'],
      PutItem: ['SESSION#*', 'PASSKEY#*', 'CHALLENGE#*'],
      UpdateItem: ['SESSION#*', 'PASSKEY#*', 'DEVICES#*', 'SHARED_PHONE#*', 'USER#*', 'TEAM#*'],
      DeleteItem: ['SESSION#*', 'PASSKEY#*', 'CHALLENGE#*', 'INVITATION#*', 'DEVICES#*'],
    },
  },
  'dashboard/today': {
    table: {
      GetItem: ['CREDITS#*', 'WEBHOOK#*', 'CHAIN#*', 'UNPROVEN#*'],
      BatchGetItem: ['TRANSACTION#*'],
      Query: ['BOOKING#*', 'TOTALS#*', 'HEARING', 'PHONE', 'MOMO#*', 'CHAIN#*', 'CHANGE#*', 'WALLET#*', 'LOOKUP#*'],
      // Needed when an owner names a wallet's balance.
      ConditionCheckItem: ['CHAIN#*'],
      PutItem: ['CHAIN#*', 'WALLET#*', 'CHANGE#*'],
      DeleteItem: ['CHAIN#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#*', 'MERCHANT#*#TRANSACTION'] },
  },
  'dashboard/app': {
    table: {
      GetItem: ['PUSH_KEY#public'],
      Query: ['DEVICES#*'],
      PutItem: ['PUSH_KEY#*', 'DEVICES#*'],
      UpdateItem: ['DEVICES#*'],
      DeleteItem: ['DEVICES#*'],
    },
  },
  'dashboard/charges': {
    table: {
      GetItem: ['TRANSACTION#*', 'RECEIPT#*', 'PAYMENT#*', 'PACE#*', 'CLAIM#*', 'LINK#*'],
      BatchGetItem: ['TRANSACTION#*', 'EVENT#*'],
      Query: ['LOOKUP#*', 'SENDER', 'PACE#*'],
      ConditionCheckItem: ['PAYMENT#*', 'RECEIPT#*'],
      PutItem: ['TRANSACTION#*', ...ASSIGNED, 'REFUND#*', 'SEND#*'],
      UpdateItem: ['TRANSACTION#*', 'REFUND#*', 'UNPROVEN#*', 'CREDITS#*', 'TEST_USE#*', 'CLAIM#*', 'LINK#*'],
      DeleteItem: ['PAYMENT#*', 'REFUND#*', 'LINK_WAIT#*'],
    },
    indexes: {
      gsi1: ['MERCHANT#*#TRANSACTION', 'MERCHANT#*#OPENED', 'MERCHANT#*#RECEIPT#*'],
      gsi2: ['STATUS#*'],
    },
  },
  'dashboard/held': {
    table: {
      GetItem: ['TRANSACTION#*', 'RECEIPT#*', 'PAYMENT#*', 'REQUEST#*'],
      BatchGetItem: ['TRANSACTION#*'],
      Query: ['LOOKUP#*', 'REQUEST_MONEY#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: [...ASSIGNED],
      UpdateItem: ['TRANSACTION#*', 'UNPROVEN#*'],
      DeleteItem: ['PAYMENT#*'],
    },
    indexes: {
      gsi1: ['MERCHANT#*#TRANSACTION', 'MERCHANT#*#OPENED', 'MERCHANT#*#RECEIPT#*'],
      gsi2: ['OPEN#*#*'],
    },
  },
  'dashboard/links': {
    table: {
      GetItem: ['LINK#*', 'TRANSACTION#*'],
      BatchGetItem: ['LINK#*', 'TRANSACTION#*'],
      Query: ['LOOKUP#*', 'LINK_CODES#*'],
      PutItem: ['LINK#*', 'LINK_CODES#*', 'CHANGE#*'],
      UpdateItem: ['LINK#*', 'TRANSACTION#*', 'TEST_USE#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#LINK'] },
  },
  'dashboard/till': {
    table: {
      GetItem: ['TILL#*', 'LINK#*', 'REQUEST#*', 'TRANSACTION#*', 'RECEIPT#*', 'PAYMENT#*', 'CHAIN#*', 'UNPROVEN#*'],
      BatchGetItem: ['TRANSACTION#*', 'CHAIN#*'],
      Query: ['TAKE#*', 'MOMO#*', 'LOOKUP#*', 'REQUEST_MONEY#*'],
      ConditionCheckItem: ['TILL#*', 'PAYMENT#*'],
      PutItem: ['TILL#*', 'LINK#*', 'TAKE#*', 'TRANSACTION#*', 'RECEIPT#*', 'PAYMENT#*'],
      UpdateItem: ['TILL#*', 'LINK#*', 'TRANSACTION#*', 'UNPROVEN#*', 'TEST_USE#*'],
      DeleteItem: ['PAYMENT#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#*'], gsi2: ['OPEN#*#*', 'HELD#*#*'] },
  },
  'dashboard/requests': {
    table: {
      GetItem: ['REQUEST#*', 'OPT_OUT#*'],
      BatchGetItem: ['REQUEST#*', 'TRANSACTION#*'],
      Query: ['REQUEST_MONEY#*'],
      ConditionCheckItem: ['REQUEST_MONEY#*'],
      PutItem: ['REQUEST#*'],
      UpdateItem: ['REQUEST#*', 'TEST_USE#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#REQUEST'] },
  },
  'dashboard/records': {
    table: {
      GetItem: ['TRANSACTION#*', 'CLAIM#*'],
      BatchGetItem: ['TRANSACTION#*', 'SEND#*'],
      Query: ['LOOKUP#*'],
    },
    indexes: {
      gsi1: ['MERCHANT#*#TRANSACTION', 'MERCHANT#*#OPENED', 'MERCHANT#*#RECEIPT#*', 'MERCHANT#*#SEND'],
    },
  },
  'dashboard/customers': {
    table: {
      GetItem: ['OPT_OUT#*'],
      BatchGetItem: ['TRANSACTION#*', 'CONTACT#*', 'OPT_OUT#*'],
      Query: ['CONTACT#*', 'OPT_OUT#*', 'LOOKUP#*'],
      UpdateItem: ['CONTACT#*', 'OPT_OUT#*', 'TEST_USE#*'],
      ConditionCheckItem: ['OPT_OUT#*'],
      DeleteItem: ['CONTACT#*'],
    },
    indexes: { gsi2: ['STATUS#*'] },
  },
  'dashboard/settings': {
    table: {
      GetItem: ['USER#*', 'CREDITS#*', 'CHAIN#*'],
      BatchGetItem: ['CHAIN#*', 'TRANSACTION#*', 'KEY#*'],
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
        'PHONE',
        'CHANGE#*',
      ],
      PutItem: ['USER#*', 'INVITATION#*', 'SEND#*', 'MERCHANT#*', 'MOMO#*', 'CHANGE#*', 'LOGO#*'],
      UpdateItem: ['USER#*', 'TEAM#*', 'INVITATION#*', 'SHARED_PHONE#*', 'CREDITS#*', 'KEY#*'],
      DeleteItem: ['SESSION#*', 'PASSKEY#*', 'INVITATION#*', 'DEVICES#*', 'MOMO#*', 'CHANGE#*', 'LOGO#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#USER', 'MERCHANT#*#TRANSACTION', 'MERCHANT#*#KEY'] },
  },
  'dashboard/shared-phones': {
    table: {
      GetItem: ['USER#*', 'SHARED_PHONE#*'],
      Query: ['SHARED_PHONE#*'],
      PutItem: ['USER#*', 'SHARED_PHONE#*'],
      UpdateItem: ['SHARED_PHONE#*'],
      DeleteItem: ['SHARED_PHONE#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#USER'] },
  },
  'dashboard/texts': {
    table: {
      GetItem: ['CREDITS#*', 'OPT_OUT#*', 'PACE#*', 'PURCHASES#*'],
      BatchGetItem: ['SEND#*', 'INBOX#*', 'OPT_OUT#*', 'CONTACT#*', 'TRANSACTION#*'],
      Query: ['SENDER', 'SEND#*', 'CREDIT_ENTRY#*', 'INBOX#*', 'PACE#*', 'BOOKING#*'],
      ConditionCheckItem: ['OPT_OUT#*', 'CONTACT#*'],
      PutItem: ['SEND#*', 'INBOX#*', 'CREDIT_ENTRY#*', 'TRANSACTION#*'],
      UpdateItem: ['SEND#*', 'CREDITS#*', 'TEST_USE#*', 'CONTACT#*', 'PURCHASES#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#SEND', 'MERCHANT#*#SEND#failed', 'MERCHANT#*#INBOX'] },
  },
  'dashboard/many': {
    table: {
      GetItem: ['CREDITS#*', 'SEND#*', 'PACE#*'],
      BatchGetItem: ['CONTACT#*', 'OPT_OUT#*'],
      Query: ['SEND#*', 'SENDER', 'PACE#*'],
      PutItem: ['SEND#*', 'CREDIT_ENTRY#*'],
      UpdateItem: ['SEND#*', 'CREDITS#*', 'TEST_USE#*'],
    },
  },
  'dashboard/developers': {
    table: {
      GetItem: ['WEBHOOK#*', 'EVENT#*'],
      BatchGetItem: ['KEY#*', 'EVENT#*'],
      Query: ['EVENT#*', 'FAILED_REQUEST#*'],
      PutItem: ['KEY#*', 'WEBHOOK#*', 'EVENT#*'],
      UpdateItem: ['KEY#*', 'WEBHOOK_CALLS#*', 'USER#*'],
      DeleteItem: ['WEBHOOK#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#KEY', 'MERCHANT#*#EVENT'] },
  },
  'dashboard/operator-phones': {
    table: {
      GetItem: ['CHAIN#*', 'SENDER', 'HEARING', 'PACE#*'],
      BatchGetItem: ['CHAIN#*', 'TRANSACTION#*', 'MERCHANT#*'],
      Query: ['SENDER', 'PHONE', 'HEARING', 'OUTCOME', 'PACE#*', 'CHAIN#*', 'MOMO#*'],
      PutItem: ['SENDER'],
      UpdateItem: ['SENDER', 'HEARING'],
      DeleteItem: ['SENDER'],
    },
    indexes: { gsi1: ['CHAINS', 'MERCHANTS', 'MERCHANT#*#TRANSACTION'] },
  },
  'dashboard/operator-money': {
    table: {
      GetItem: ['CREDITS#*', 'RECEIPT#*', 'TRANSACTION#*', 'PAYMENT#*', 'PURCHASES#*'],
      BatchGetItem: ['MERCHANT#*', 'KEY#*', 'TRANSACTION#*'],
      Query: ['SENDER', 'MOMO#*', 'CREDIT_ENTRY#*', 'CHANGE#*'],
      ConditionCheckItem: ['PAYMENT#*'],
      PutItem: ['MERCHANT#*', 'MOMO#*', 'CREDIT_ENTRY#*', ...ASSIGNED, 'USER#*', 'INVITATION#*', 'SEND#*', 'CHANGE#*'],
      UpdateItem: [
        'CREDITS#*',
        'TRANSACTION#*',
        'KEY#*',
        'INVITATION#*',
        'SENDER',
        'BUNDLES',
        'PURCHASES#*',
        'UNPROVEN#*',
      ],
      DeleteItem: ['MOMO#*', 'PAYMENT#*'],
    },
    indexes: { gsi1: ['MERCHANTS', 'NOBODY#RECEIPT#*', 'MERCHANT#*#USER', 'MERCHANT#*#KEY'] },
  },
  'dashboard/operator-repair': {
    table: { Query: ['AUDIT#OPERATOR#*'] },
  },
  'work/follow-up': {
    table: {
      GetItem: ['WEBHOOK#*', 'SEND#*', 'TRANSACTION#*', 'OUTCOME', 'MERCHANT#*', 'BUNDLES'],
      BatchGetItem: ['RECEIPT#*'],
      Query: ['OUTCOME', 'DEVICES#*'],
      PutItem: ['EVENT#*', 'EXPIRY*', 'LOOKUP#*', 'CREDITS_LOW#*', 'OUTCOME', 'BOOKING#*', 'FOLLOW_UP#*'],
      UpdateItem: ['KEY#*', 'TEST_USE#*'],
      DeleteItem: ['LOOKUP#*'],
    },
  },
  'work/deliver-sms': {
    table: {
      GetItem: [
        ...['PACE#*', 'CODE_TEXT#*', 'MERCHANT#*', 'OPT_OUT#*', 'REQUEST#*', 'CONVERSATION#*'],
        ...['KEY#*', 'USER#*'],
      ],
      BatchGetItem: ['SEND#*', 'CONTACT#*', 'TRANSACTION#*', 'RECEIPT#*'],
      Query: ['SENDER', 'PACE#*', 'REQUEST_MONEY#*'],
      PutItem: ['CREDIT_ENTRY#*'],
      UpdateItem: ['SEND#*', 'PACE#*', 'CREDITS#*', 'SENDER', 'CONVERSATION#*', 'SENT_CODE#*'],
      DeleteItem: ['PACE#*', 'CODE_TEXT#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#*'] },
  },
  'work/settle-receipt': {
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
        'REQUEST#*',
      ],
      BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*', 'REFUND#*', 'CHAIN#*'],
      Query: ['SENDER', 'MOMO#*', 'OUTCOME', 'CHAIN#*', 'LOOKUP#*', 'DEVICES#*', 'REQUEST_MONEY#*'],
      ConditionCheckItem: ['PAYMENT#*', 'RECEIPT#*', 'CHAIN#*'],
      PutItem: [
        'RECEIPT#*',
        'PAYMENT#*',
        'WALLET#*',
        'CHAIN#*',
        'EXPIRY*',
        'REFUND#*',
        'REFUND_TRANSFER#*',
        'OUTCOME',
        'REQUEST_MONEY#*',
      ],
      UpdateItem: ['TRANSACTION#*', 'PHONE_EVENT#*', 'UNPROVEN#*', 'HEARING'],
      DeleteItem: ['RECEIPT#*', 'PAYMENT#*', 'REFUND#*', 'CHAIN#*'],
    },
    indexes: {
      gsi1: ['MERCHANT#*#TRANSACTION', 'MERCHANT#*#OPENED', 'MERCHANT#*#RECEIPT#*', 'NOBODY#RECEIPT#*'],
      gsi2: ['OPEN#*#*', 'OPEN_REFUND#*#*', 'HELD#*#*', 'ASIDE#*#*'],
    },
  },
  'work/deliver-webhook': {
    table: { GetItem: ['EVENT#*', 'WEBHOOK#*'], PutItem: ['EVENT#*'], UpdateItem: ['WEBHOOK#*'] },
  },
  'work/deliver-push': {
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
        'WALLET#*',
      ],
      BatchGetItem: ['RECEIPT#*'],
      Query: ['BOOKING#*'],
      UpdateItem: ['DEVICES#*', 'PUSH_PACE#*'],
      DeleteItem: ['DEVICES#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#unread', 'MERCHANT#*#RECEIPT#held'] },
  },
  'work/run-follow-up': {
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
        'REQUEST#*',
        'WALLET#*',
      ],
      BatchGetItem: ['TRANSACTION#*', 'RECEIPT#*'],
      ConditionCheckItem: ['PURCHASES#*', 'BUNDLES', 'MERCHANT#*'],
      Query: ['SENDER', 'PACE#*', 'LINK_CODES#*', 'LINK_WAIT#*', 'REQUEST_MONEY#*'],
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
        'REQUEST#*',
      ],
      DeleteItem: ['LINK_WAIT#*', 'REQUEST_MONEY#*'],
    },
    indexes: { gsi1: ['MERCHANT#*#RECEIPT#unread'] },
  },
  'work/housekeeping': {
    table: {
      GetItem: [
        ...['PHONE', 'TRANSACTION#*', 'RECEIPT#*', 'CHAIN#*', 'MERCHANT#*', 'PACE#*', 'REQUEST#*'],
        ...['LINK#*', 'PURCHASES#*', 'KEY#*'],
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
        'DEVICES#*',
      ],
      ConditionCheckItem: ['OPT_OUT#*', 'TRANSACTION#*'],
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
      gsi1: ['MERCHANTS', 'MERCHANT#*#TRANSACTION', 'MERCHANT#*#RECEIPT#*'],
      gsi2: ['DUE#EVENT*', 'OPEN#PHONE_EVENT*', 'OPEN#SEND*', 'OFF#WEBHOOK', 'OPEN#CHAIN', 'REMIND*', 'EVENING#*'],
    },
  },
  'work/repair': {
    table: {
      GetItem: ['PHONE_EVENT#*', 'EVENT#*', 'LEASE', 'WEBHOOK#*'],
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
  },
} as const satisfies { readonly [Name in keyof typeof manifest]?: Rights };

export interface Group {
  readonly code: readonly string[];
  readonly tests: readonly string[];
  /** Loads the code anew and runs all tests for each change, instead of only the tests that reach the changed line. */
  readonly runsAll?: true;
}

/**
 * Code that handles money, PINs, codes and texts, with the tests that must detect each change. Few tests are
 * listed, because a change that none of them notices runs them all.
 */
export const groups: Readonly<Record<string, Group>> = {
  names: {
    code: ['shared/money/charge/customer-name.ts'],
    tests: ['test/unit/charge/customer-name.test.ts'],
  },
  typed: {
    code: [
      'shared/money/charge/typed-text.ts',
      'shared/money/matching/typed-reference.ts',
      'shared/money/receipt/typed-transaction-id.ts',
    ],
    tests: ['test/unit/matching/typed-{detail,reference}.test.ts', 'test/unit/receipt/typed-transaction-id.test.ts'],
  },
  matching: {
    code: ['shared/money/matching/{match,typed-detail}.ts'],
    tests: ['test/unit/matching/{match,match-payment,typed-detail}.test.ts'],
  },
  reading: {
    code: ['shared/ghana/wallet-text/{read-wallet-text,shape}.ts'],
    tests: [
      'test/unit/ghana/cut-texts.test.ts',
      'test/unit/ghana/wallet-text/{drift,read-wallet-text,receipts,samples,wallet-log,wordings}.test.ts',
    ],
    // Shapes are compiled only once, by whichever test runs first.
    runsAll: true,
  },
  settling: {
    code: ['shared/money/settling/settle-receipt.ts'],
    tests: [
      'test/unit/settling/settle-receipt.test.ts',
      'test/functions/dashboard/mark.test.ts',
      'test/functions/work/{bank-push,ended-parts,foreign-use,reversal-shown,same-id,settle-parts,settle-receipt,settle-second}.*.ts',
    ],
  },
  receipts: {
    code: ['shared/money/receipt/receipt.table.ts'],
    tests: [
      'test/unit/receipt/*.test.ts',
      'test/functions/receipt/*.test.ts',
      'test/functions/work/foreign-use.proof.ts',
    ],
  },
  claims: {
    code: ['shared/money/claims/{claim-payment,claim.table,claimable}.ts'],
    tests: ['test/unit/claims/{at-counter,claim-by-phone,claim-payment,claimable}.test.ts'],
  },
  codes: {
    code: ['shared/money/claims/{claim-by-phone,phone-code.table}.ts'],
    tests: ['test/unit/claims/claim-by-phone.test.ts', 'test/functions/work/prove.proof.ts'],
  },
  parts: {
    code: [
      'shared/money/receipt/texts-of-payment.ts',
      'shared/money/settling/{change-payment,end-charge,matched-receipt,not-there,pay-charge,read-counted,remove-payment,undo-payment,vouch,without-payment}.ts',
    ],
    tests: [
      'test/functions/work/{foreign-use,settle-parts}.*.ts',
      'test/functions/receipt/assign.test.ts',
      'test/functions/transaction/{cancel,refund}.test.ts',
      'test/functions/dashboard/{mark,not-there,removed-texts,till,vouch}.*.ts',
      'test/unit/receipt/texts-of-payment.test.ts',
      'test/unit/settling/{change-payment,end-charge,matched-receipt,not-there,other-texts,paid-twice,pay-charge,put-back,undo-payment,vouch,without-payment}.test.ts',
    ],
  },
  chain: {
    code: ['shared/wallets/chain/{anchor,branches,chain,guesses,look,network-clock,plan-links,question}.ts'],
    tests: ['test/unit/chain/{anchor,branches,chain,guesses,look,network-clock,plan-links,question}.test.ts'],
  },
  linking: {
    code: ['shared/wallets/chain/{check-text,end-waiting,link-texts,name-balance}.ts'],
    tests: ['test/unit/chain/{check-text,end-waiting,link-texts,name-balance}.test.ts'],
  },
  suspicion: {
    code: ['shared/money/wallet/suspect-reversal.ts', 'shared/money/settling/note-suspicion.ts'],
    tests: [
      'test/functions/work/watch-chains.test.ts',
      'test/functions/dashboard/not-there.proof.ts',
      'test/unit/settling/note-suspicion.test.ts',
    ],
  },
  refund: {
    code: ['shared/money/refund/!(documentation).ts', 'shared/money/payment/payment.ts'],
    tests: ['test/functions/transaction/refund.test.ts', 'test/unit/{payment/payment,refund/refund}.test.ts'],
  },
  permissions: {
    code: ['shared/merchants/user/permissions.ts', 'shared/money/receipt/shown-receipt.ts'],
    tests: [
      'test/unit/{receipt/shown-receipt,user/permissions}.test.ts',
      'test/functions/secrets-of-a-wallet.proof.ts',
      'test/functions/dashboard/every-area.test.ts',
    ],
  },
  booking: { code: ['shared/money/booking/*.ts'], tests: ['test/unit/booking/*.test.ts'] },
  erasure: {
    code: ['infra/admin/{customer,erase-customer,personal-data}.ts'],
    tests: [
      'test/infra/admin/{customer,erase-customer,erase-request}.test.ts',
      'test/functions/sms/{bulk-file,shared-number}.test.ts',
      'test/functions/contact/contact.test.ts',
    ],
  },
  pins: {
    code: [
      'shared/merchants/user/{pin,pin-tries,sign-in-with-pin,shared-phone,shared-phone.table,manage-shared-phones}.ts',
    ],
    tests: ['test/unit/user/pin*.test.ts', 'test/functions/dashboard/shared-phone.test.ts'],
  },
  verification: {
    code: [
      'shared/texts/verification/{verification.table,verify,verify-request}.ts',
      'shared/runtime/table/one-time-code.ts',
    ],
    tests: ['test/functions/verify/{start,check}.test.ts', 'test/unit/sms/verification.test.ts'],
  },
  bulk: {
    code: ['shared/texts/bulk/!(documentation|responses).ts'],
    tests: ['test/functions/sms/bulk{,-file}.test.ts', 'test/unit/sms/bulk.test.ts'],
  },
  push: {
    code: ['shared/push/*.ts', 'shared/events/{jobs,notifications}.ts', 'shared/wallets/wallet/note-silence.ts'],
    tests: [
      'test/unit/events/jobs.test.ts',
      'test/functions/work/{deliver-push,evening,money-out,run-follow-up}.*.ts',
      'test/functions/unread-texts.test.ts',
    ],
  },
  occurrences: {
    code: ['shared/events/{bookings,charge-occurrences,occurrences-of}.ts'],
    tests: ['test/unit/events/{bookings,metrics,occurrences-of}.test.ts'],
  },
  events: {
    code: ['shared/events/{causes,derived-rows,metrics,sender-outcomes,webhook-events}.ts'],
    tests: [
      'test/unit/events/{causes,derived-rows,metrics,occurrences-of,stored-events,webhook-events}.test.ts',
      'test/functions/work/{low-credits,relay}.test.ts',
      'test/functions/key-notes.test.ts',
      'test/functions/webhook/kept-events.test.ts',
    ],
  },
  'follow-ups': {
    code: ['shared/events/{follow-up-progress,follow-up.table}.ts', 'functions/work/{follow-up,run-follow-up}.ts'],
    tests: [
      'test/functions/work/{both-modes,relay,run-follow-up}.*.ts',
      'test/functions/sms/shared-number.test.ts',
      'test/unit/events/jobs.test.ts',
    ],
  },
  proof: {
    code: [
      'shared/money/payment/{backing,shown-payment}.ts',
      'shared/money/receipt/shown-proof.ts',
      'shared/wallets/chain/proof.ts',
    ],
    tests: ['test/unit/payment/*.test.ts'],
  },
  marked: {
    code: ['shared/money/settling/mark-paid.ts', 'shared/pages/dashboard/charges/mark.ts'],
    tests: ['test/functions/dashboard/{mark,mark-page}.test.ts', 'test/unit/settling/mark-paid.test.ts'],
  },
  callback: {
    code: [
      'functions/callback/*.ts',
      'shared/phones/gateway/{callback,forwarded-text,forged-fields,odd-form,read-callback,refuse-callback}.ts',
      'shared/phones/gateway/refused-callback.table.ts',
      'shared/wallets/wallet/keep-received.ts',
    ],
    tests: ['test/functions/callback/*.test.ts', 'test/functions/work/hearing.proof.ts', 'test/unit/gateway/*.test.ts'],
  },
  till: {
    code: ['shared/money/till/*.ts'],
    tests: [
      'test/functions/dashboard/till{,-sticker}.test.ts',
      'test/functions/goods.test.ts',
      'test/unit/{dashboard/till-view,till/*}.test.ts',
    ],
  },
  stock: {
    code: ['shared/money/link/{hand-out-code,settle-code,stock.table,add-codes,make-link}.ts'],
    tests: ['test/functions/link/codes.test.ts'],
  },
  purchases: {
    code: [
      'shared/money/purchase/{buy-credits,give-credits,last-purchases,purchase.table}.ts',
      'shared/money/goods/hand-out.ts',
      'shared/texts/credits/{bundles,top-up}.ts',
    ],
    tests: [
      'test/functions/sms/buy-credits.test.ts',
      'test/functions/link/codes.test.ts',
      'test/functions/goods.test.ts',
      'test/functions/work/run-follow-up.test.ts',
      'test/unit/{credits,purchase}/*.test.ts',
    ],
  },
  requests: {
    code: [
      'shared/money/request/{sums,settle-request,request,make-requests,open-request-charge,remind,schedule,reminder-*}.ts',
    ],
    tests: [
      'test/functions/request/*.test.ts',
      'test/functions/dashboard/requests.test.ts',
      'test/functions/work/{relay,run-follow-up}.test.ts',
      'test/unit/request/*.test.ts',
    ],
  },
  inbox: {
    code: ['shared/texts/{inbox,conversation}/!(documentation|responses|stored-fields).ts'],
    tests: [
      'test/unit/sms/{conversation,inbox}.test.ts',
      'test/functions/sms/{inbox,shared-number}.test.ts',
      'test/functions/contact/contact.test.ts',
      'test/functions/dashboard/texts.test.ts',
    ],
  },
};

interface Group {
  readonly code: readonly string[];
  readonly tests: readonly string[];
  /** Whether all tests run over each change, and not only those that come past the changed place. */
  readonly runsAll?: true;
}

/** The code that decides about money, and the tests that must notice each change to it. Few, for they run once a change. */
export const groups: Readonly<Record<string, Group>> = {
  names: { code: ['shared/transaction/customer-name.ts'], tests: ['test/unit/transaction/customer-name.test.ts'] },
  typed: {
    code: ['shared/receipt/{typed-reference,typed-transaction-id}.ts'],
    tests: ['test/unit/receipt/{typed-reference,typed-transaction-id}.test.ts'],
  },
  matching: { code: ['shared/receipt/match.ts'], tests: ['test/unit/receipt/match.test.ts'] },
  reading: {
    code: ['shared/wallet-text/{read-wallet-text,reversal,shape}.ts'],
    tests: ['test/unit/wallet-text/{drift,edges,read-wallet-text,receipts,samples}.test.ts'],
    // A shape is compiled once, by whichever test comes first.
    runsAll: true,
  },
  settling: {
    code: ['shared/receipt/{decide,settle-receipt,pay-with-receipt,payment-use.table}.ts'],
    tests: ['test/functions/work/settle-receipt.test.ts', 'test/unit/receipt/{decide,settle-receipt}.test.ts'],
  },
  claims: {
    code: ['shared/receipt/{claim-payment,claim.table,claimable}.ts'],
    tests: ['test/unit/receipt/claim-payment{,-limits}.test.ts', 'test/unit/receipt/claim-by-phone.test.ts'],
  },
  codes: {
    code: ['shared/receipt/{claim-by-phone,phone-code.table}.ts'],
    tests: ['test/unit/receipt/claim-by-phone.test.ts'],
  },
};

interface Proof {
  readonly about: string;
  readonly packages?: string;
  readonly run: () => Promise<unknown>;
}

export const proofs: Readonly<Record<string, Proof>> = {
  all: {
    run: () => import('../proofs.ts'),
    about:
      'every test and proof in full, on both databases; then rights, chains, rounds and simulate. An hour and a half on two cores',
  },
  browser: {
    run: () => import('../browser/main.ts'),
    about: 'every page and story in a browser, on each screen and in each way (test/browser/dashboard-texts: one file)',
  },
  chains: {
    run: () => import('../chain/main.ts'),
    about: 'the balance chain: wallets of 5,000 payments, forgers, lost texts (--shops 100)',
  },
  clients: {
    run: () => import('../clients/main.ts'),
    packages: 'test/clients',
    about: 'eight generated API clients, used on the local stack (Go: one of them; --all: fail if one is left out)',
  },
  'crash-matrix': {
    run: () => import('../simulation/crash-matrix-whole.ts'),
    about: "every fault at every call of a function (quick runs one in 32; -t 'a text to 50': one story)",
  },
  emulate: {
    run: () => import('../emulate/main.ts'),
    about:
      'docs/deploy/deploying.md on an AWS emulator, as dev and as prod (dev: one of them). Python 3.10; half an hour',
  },
  journeys: {
    run: () => import('../journeys/run.ts'),
    about: 'end-to-end tests against a deployed service (--stage dev --to 0551112223; --base-url URL; --smsgate URL)',
  },
  mutate: {
    run: () => import('../mutate/main.ts'),
    packages: 'test/mutate',
    about:
      'changes to the code about money, PINs, codes and texts that no test notices (pins: one group). Minutes a group',
  },
  quick: {
    run: () => import('../quick.ts'),
    about: 'a slice of the long proofs, which .ci/run needs. Five minutes on two cores (SLICE=20778: one of the days)',
  },
  rights: {
    run: () => import('../rights/main.ts'),
    packages: 'test/rights',
    about: 'what the roles may do to the table, decided by a third-party IAM evaluator. Two minutes',
  },
  rounds: {
    run: () => import('../simulation/rounds/main.ts'),
    about: 'days at a shop and its counter, with strangers, a thief and a cheating cashier (--days 3)',
  },
  scale: {
    run: () => import('../scale/main.ts'),
    about: 'the throughput limit of each part, in virtual time (charges --seconds 5)',
  },
  simulate: {
    run: () => import('../simulation/simulate.ts'),
    about: 'random runs of everything at once, with faults, from a seed (--seeds 1000 --ops 100)',
  },
};

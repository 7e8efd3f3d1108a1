import type { ProveMode } from '../../../wallets/chain/chain.ts';

/** What each mode of a wallet does, in the words of whoever chooses one. */
export const modes: Readonly<Record<ProveMode, { readonly word: string; readonly means: string }>> = {
  observe: {
    word: 'Observes',
    means:
      'Whether texts prove each other is recorded and shown, and decides nothing: payments confirm as their merchant set it.',
  },
  enforce: {
    word: 'Enforces',
    means:
      'A payment that its wallet’s texts do not prove is held, unless it is below what its merchant confirms without proof.',
  },
};

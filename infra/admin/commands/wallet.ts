import { readFileSync } from 'node:fs';
import { Balance } from '../../../shared/ghana/balance.ts';
import { COMMAND_LINE } from '../../../shared/merchants/audit/audit.table.ts';
import { nameByOwner } from '../../../shared/money/wallet/name-by-owner.ts';
import { summariseWallet, viewWallet } from '../../../shared/money/wallet/wallet-view.ts';
import { metaOf, pageOf } from '../../../shared/runtime/http/pagination.ts';
import { isoOf } from '../../../shared/runtime/outside/outside.ts';
import type { AdminOutside } from '../../../shared/runtime/stage/deployment.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { chainRows, type Wallet } from '../../../shared/wallets/chain/chain.table.ts';
import { findWallet, soleMerchantOf } from '../../../shared/wallets/chain/change-chain.ts';
import { LOOK_MS } from '../../../shared/wallets/chain/look.ts';
import { prepareWallet } from '../../../shared/wallets/wallet/set-wallet.ts';
import { changeVerb, noun, offlineVerb, oneOf, optional, required, verb } from '../command.ts';
import { readInbox } from '../inbox.ts';
import { network, phoneNumber, read, someText, someTime } from '../options.ts';
import { reconcile } from '../reconcile.ts';
import { readStatement } from '../statement.ts';

const WHICH = {
  number: required('<number>', 'the MoMo number of the wallet', phoneNumber),
  network: optional('<network>', 'required if the number has had wallets on two networks', network),
};

const WALLETS_A_PAGE = '100';

export const wallets = noun('wallet', 'wallets, and the balance chains that their texts form', {
  list: verb(
    'list wallets by network and number, and how long each chain has been unbroken',
    { after: optional('<cursor>', 'the cursor of the previous page', String) },
    async ({ outside }, { after: cursor }) => {
      const page = { ...pageOf({ cursor, per_page: WALLETS_A_PAGE }), newestFirst: false };
      const { entries: chains, next } = await chainRows.page(outside, {}, page);
      const more = next && { more: `wallet list --after ${metaOf(page, next).next}` };
      return { wallets: await Promise.all(chains.map((chain) => summariseWallet(outside, chain))), ...more };
    },
  ),
  show: verb(
    'show a wallet: its balance, its gaps with their possible causes, and the phones that receive its texts',
    WHICH,
    async ({ outside }, { number, network }) => viewWallet(outside, await findWallet(outside, number, network)),
  ),
  set: changeVerb(
    'set whether the phone of a silent wallet is tested',
    {
      ...WHICH,
      canary: {
        ...oneOf('<state>', 'when the wallet is silent, send a text to test whether its phone still receives texts', [
          'on',
          'off',
        ]),
        isRequired: true,
      },
    },
    async (outside, { number, network, canary }) => ({
      ...(await prepareWallet(outside, await findWallet(outside, number, network), canary)),
      set: { number, canary },
    }),
    ({ set }) => set,
  ),
  balance: verb(
    'record the balance that the holder of a shared number reads in the wallet (on the local stack, of any number)',
    {
      number: WHICH.number,
      network: required('<network>', 'the wallet’s network', network),
      balance: required('<cedis>', 'the balance that the wallet shows, not one from a message', read(Balance)),
      toldBy: required('<name>', 'who read the balance', someText),
      toldAt: required('<time>', 'when they read it, such as 2026-12-01T09:30:00Z', someTime),
    },
    async ({ outside, aws }, { number, network, balance, toldBy, toldAt }) => {
      const wallet = { network, momo_number: number };
      if (aws) await refuseOwned(outside, wallet);
      if (Math.abs(outside.now() - toldAt) > LOOK_MS)
        throw new OperatorError(
          'The balance was not read in the last ten minutes, so it may have changed. Ask for it again.',
        );
      const told = { told_by: toldBy, told_at: isoOf(toldAt) };
      const naming = await nameByOwner(outside, wallet, balance, { by: COMMAND_LINE, toldBy: told });
      return { number, ...naming };
    },
  ),
  reconcile: verb(
    "compare a wallet with the network's statement, a CSV file",
    {
      ...WHICH,
      file: required('<path>', 'the statement', someText),
      apply: { description: 'fill the gaps in the wallet’s chain from the statement' },
    },
    async ({ outside }, { number, network, file, apply = false }) =>
      reconcile(outside, await findWallet(outside, number, network), readStatement(textOf(file)), apply),
  ),
  try: offlineVerb(
    'show which payments in an exported inbox would have waited, and why; stores and sends nothing',
    {
      file: required('<path>', 'the inbox: XML of the app SMS Backup & Restore, or JSON', someText),
      balance: required('<cedis>', 'a balance that the wallet had at some time in the inbox', read(Balance)),
      network: optional('<network>', 'required if the inbox has texts of wallets on two networks', network),
    },
    async ({ file, balance: balancePesewas, network }) => {
      // Load the in-memory table only for a trial.
      const { tryWallet } = await import('../try-wallet.ts');
      return tryWallet(readInbox(textOf(file)), { network, balancePesewas });
    },
  ),
});

/** @throws OperatorError if only one merchant uses the number, whose owner then names the balance. */
async function refuseOwned(outside: AdminOutside, wallet: Wallet): Promise<void> {
  if ((await soleMerchantOf(outside, wallet)) === undefined) return;
  throw new OperatorError(
    `Only one shop uses ${wallet.momo_number}. Its owner enters the balance in the dashboard, under Wallets.`,
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`The file ${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

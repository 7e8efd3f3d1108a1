import { readFileSync } from 'node:fs';
import { Balance } from '../../../shared/ghana/balance.ts';
import { ghsOf } from '../../../shared/ghana/money.ts';
import { COMMAND_LINE } from '../../../shared/merchants/audit/audit.table.ts';
import { confirmByOwner, denyByOwner, noTextReports } from '../../../shared/money/wallet/confirm-by-owner.ts';
import { summariseWallet, viewWallet } from '../../../shared/money/wallet/wallet-view.ts';
import { metaOf, pageOf } from '../../../shared/runtime/http/pagination.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { chainRows } from '../../../shared/wallets/chain/chain.table.ts';
import { ProveMode } from '../../../shared/wallets/chain/chain.ts';
import { findWallet } from '../../../shared/wallets/chain/change-chain.ts';
import { prepareWallet } from '../../../shared/wallets/wallet/set-wallet.ts';
import { changeVerb, noun, oneOf, optional, required, verb } from '../command.ts';
import { network, phoneNumber, read, someText } from '../options.ts';
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
    "set whether a wallet's chain decides which payments are confirmed, and whether its phone is tested",
    {
      ...WHICH,
      prove: oneOf('<mode>', 'observe: only record and show; enforce: hold unverified payments', ProveMode.options),
      canary: oneOf(
        '<state>',
        'when the wallet is silent, send a text to test whether its phone still receives texts',
        ['on', 'off'],
      ),
    },
    async (outside, { number, network, prove, canary }) => {
      if (!prove && !canary) throw new OperatorError('There is nothing to change. Add --prove or --canary.');
      const prepared = await prepareWallet(outside, await findWallet(outside, number, network), { prove, canary });
      return { ...prepared, set: { number, ...(prove && { prove }), ...(canary && { canary }) } };
    },
    ({ set }) => set,
  ),
  confirm: verb(
    "record a wallet's balance as confirmed by its owner",
    { ...WHICH, balance: required('<cedis>', 'the balance that the owner sees', read(Balance)) },
    async ({ outside }, { number, network, balance }) => {
      const outcome = await confirmByOwner(outside, await findWallet(outside, number, network), balance, {
        by: COMMAND_LINE,
      });
      return { number, balance: ghsOf(balance), ...outcome };
    },
  ),
  deny: verb(
    'record that its owner denies the balance in waiting texts, which are then treated as forged',
    { ...WHICH, balance: required('<cedis>', 'the balance in the texts', read(Balance)) },
    async ({ outside }, { number, network, balance }) => {
      const forged = await denyByOwner(outside, await findWallet(outside, number, network), balance, {
        by: COMMAND_LINE,
      });
      if (forged === 0) {
        throw new OperatorError(`${noTextReports(number, balance)} Check it with: wallet show --number ${number}`);
      }
      return { number, balance: ghsOf(balance), forged };
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
});

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`The file ${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { confirmByOwner, denyByOwner, nothingSaysSo } from '../../../shared/care/wallet/confirm-by-owner.ts';
import { summariseWallet, viewWallet } from '../../../shared/care/wallet/wallet-view.ts';
import { ghsOf } from '../../../shared/ghana/money.ts';
import type { Network } from '../../../shared/ghana/network.ts';
import { COMMAND_LINE } from '../../../shared/merchants/audit/audit.table.ts';
import { numberHint } from '../../../shared/merchants/audit/number-hint.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { listChains } from '../../../shared/wallets/chain/chain.table.ts';
import { ProveMode } from '../../../shared/wallets/chain/chain.ts';
import { findWallet, setProve } from '../../../shared/wallets/chain/change-chain.ts';
import { setCanary } from '../../../shared/wallets/wallet/hearing.table.ts';
import { run, runNoted, verb } from '../command.ts';
import { balance, network, phoneNumber, someText } from '../options.ts';
import { reconcile } from '../reconcile.ts';
import { readStatement } from '../statement.ts';

const NUMBER = new Option('--number <number>', 'the MoMo number of the wallet')
  .argParser(phoneNumber)
  .makeOptionMandatory();
const NETWORK = new Option('--network <network>', 'where the number has had wallets on two networks').argParser(
  network,
);

interface Which {
  number: string;
  network?: Network;
}

export function addWalletCommands(program: Command): void {
  const wallet = program
    .command('wallet')
    .description("wallets, and whether their texts' balances continue each other");

  verb(wallet, 'list', 'show all wallets, and since when their chains are unbroken').action(
    run(async (outside) => {
      const chains = await listChains(outside);
      return { wallets: await Promise.all(chains.map((chain) => summariseWallet(outside, chain))) };
    }),
  );

  verb(wallet, 'show', 'show a wallet with its balance, its breaks and what may explain them, and who hears it', [
    NUMBER,
    NETWORK,
  ]).action(
    run(async (outside, options: Which) =>
      viewWallet(outside, await findWallet(outside, options.number, options.network)),
    ),
  );

  verb(wallet, 'set', "set whether a wallet's chain decides what confirms, and whether its hearing is tested", [
    NUMBER,
    NETWORK,
    new Option('--prove <mode>', 'observe: only record and show; enforce: hold what is not proven').choices(
      ProveMode.options,
    ),
    new Option('--canary <state>', 'test with a text whether its phone hears it, when it is silent').choices([
      'on',
      'off',
    ]),
  ]).action(
    runNoted(
      'wallet set',
      ({ number, prove, canary }) => ({ about: numberHint(number), after: { prove, canary } }),
      async (outside, { number, network: on, prove, canary }: Which & { prove?: ProveMode; canary?: 'on' | 'off' }) => {
        if (!prove && !canary) throw new OperatorError('Nothing to change: name --prove or --canary.');
        if (prove) await setProve(outside, await findWallet(outside, number, on), prove);
        if (canary) await setCanary(outside, number, canary === 'on');
        return { number, ...(prove && { prove }), ...(canary && { canary }) };
      },
    ),
  );

  addOwnersWord(wallet);

  verb(wallet, 'reconcile', "compare a wallet with the network's statement, a CSV file", [
    NUMBER,
    NETWORK,
    new Option('--file <path>', 'the statement').argParser(someText).makeOptionMandatory(),
    new Option('--apply', 'fill the holes in its chain from the statement'),
  ]).action(
    run(async (outside, options: Which & { file: string; apply?: boolean }) => {
      const chain = await findWallet(outside, options.number, options.network);
      return reconcile(outside, chain, readStatement(textOf(options.file)), options.apply ?? false);
    }),
  );
}

/** The two answers to the question what a wallet holds. */
function addOwnersWord(wallet: Command): void {
  verb(wallet, 'confirm', "take the owner's word for what a wallet holds", [
    NUMBER,
    NETWORK,
    new Option('--balance <cedis>', 'what the owner sees in the wallet').argParser(balance).makeOptionMandatory(),
  ]).action(
    run(async (outside, { number, network: on, balance: pesewas }: Which & { balance: number }) => {
      const word = await confirmByOwner(outside, await findWallet(outside, number, on), pesewas, COMMAND_LINE);
      return { number, balance: ghsOf(pesewas), ...word };
    }),
  );

  verb(wallet, 'deny', "take the owner's word that a wallet never held what texts that wait say: they are forged", [
    NUMBER,
    NETWORK,
    new Option('--balance <cedis>', 'what the texts say').argParser(balance).makeOptionMandatory(),
  ]).action(
    run(async (outside, { number, network: on, balance: pesewas }: Which & { balance: number }) => {
      const forged = await denyByOwner(outside, await findWallet(outside, number, on), pesewas, COMMAND_LINE);
      if (forged === 0) {
        throw new OperatorError(`${nothingSaysSo(number, pesewas)} See: wallet show --number ${number}`);
      }
      return { number, balance: ghsOf(pesewas), forged };
    }),
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`The file ${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

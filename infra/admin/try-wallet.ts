import { ghsOf, shownMoney } from '../../shared/ghana/money.ts';
import type { Network } from '../../shared/ghana/network.ts';
import { TEST_NUMBER_PREFIX } from '../../shared/ghana/phone-number.ts';
import { mayBeMoneyOut, readWalletText } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { mayBePayment } from '../../shared/ghana/wallet-text/secret.ts';
import { textOfWallet } from '../../shared/money/receipt/wallet-text-of.ts';
import { REASONS } from '../../shared/pages/dashboard/settings/name-balance.ts';
import { isoOf } from '../../shared/runtime/outside/outside.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { whyUnproven } from '../../shared/wallets/chain/responses.ts';
import type { InboxText } from './inbox.ts';
import { type TrialPayment, type TrialText, WalletTrial } from './wallet-trial.ts';

interface Tried {
  /** Required if the inbox has texts of several networks. */
  readonly network: Network | undefined;
  /** A balance that the wallet had at some time in the inbox, in pesewas. */
  readonly balancePesewas: number;
}

/** Stands for the wallet's number, which a trial need not know. */
const NUMBER = `${TEST_NUMBER_PREFIX}0000000`;

const NEXT =
  'This command shows how many payments would have waited. It stores nothing and sends nothing anywhere. Two weeks of a real shop’s texts help us most: run it on them, and open an issue with the counts above, without texts, names or numbers.';

/**
 * Plays an inbox through a new balance chain, as if the owner had named this balance during it. Returns which payments
 * would have waited, and why, without texts, names and numbers.
 * @throws OperatorError if the inbox has no texts of the network's wallet, or none that fits the balance.
 */
export async function tryWallet(inbox: readonly InboxText[], { network: named, balancePesewas }: Tried) {
  const texts = inbox.map(readText);
  const network = named ?? soleNetworkIn(texts);
  const ofWallet = texts.filter((one) => networkOf(one) === network);
  if (ofWallet.length === 0)
    throw new OperatorError(`None of the ${texts.length} texts comes from ${network}’s wallet. Try another --network.`);
  const begun = ofWallet.slice(beginningIn(ofWallet, balancePesewas));
  const trial = new WalletTrial({ network, momo_number: NUMBER }, begun, balancePesewas);
  await trial.play();
  const waited = trial.payments.filter(({ waits }) => waits !== undefined);
  const unread = ofWallet.filter(({ reading }) => reading.kind === 'unread' || reading.kind === 'secret').length;
  return {
    texts: texts.length,
    wallet_texts: ofWallet.length,
    read: ofWallet.length - unread,
    unread,
    from: isoOf(begun[0]?.atMs ?? 0),
    payments: trial.payments.length,
    verified_within_two_minutes: trial.payments.length - waited.length,
    would_have_waited: waited.length,
    waiting_payments: waited.map(presentWaiting),
    questions_to_the_owner: [...trial.questions].map(([why, times]) => ({ times_asked: times, why: REASONS[why] })),
    next: NEXT,
  };
}

function readText({ sender, text, receivedMs }: InboxText): TrialText {
  const reading = readWalletText(sender, text);
  return {
    atMs: receivedMs,
    reading,
    walletText: textOfWallet(NUMBER, reading, { sender, at_ms: receivedMs, arrived_ms: receivedMs }),
    isUnreadPayment: reading.kind === 'unread' && mayBePayment(text) && !mayBeMoneyOut(reading, text),
  };
}

function networkOf({ reading }: TrialText): Network | undefined {
  return reading.kind === 'stranger' ? undefined : reading.network;
}

function soleNetworkIn(texts: readonly TrialText[]): Network {
  const [network, ...others] = new Set(texts.flatMap((one) => networkOf(one) ?? []));
  if (!network)
    throw new OperatorError(
      `None of the ${texts.length} texts comes from a mobile money wallet. Export the inbox of the phone with the wallet’s SIM.`,
    );
  if (others.length > 0)
    throw new OperatorError(
      `The inbox has texts of several wallets. Name one with --network ${[network, ...others].join(' or --network ')}.`,
    );
  return network;
}

/**
 * Returns the index of the first text after the wallet had this balance.
 * @throws OperatorError if the wallet never had it, or only after the last text.
 */
function beginningIn(texts: readonly TrialText[], balance: number): number {
  const movements = texts.map(({ walletText }) => walletText?.movement);
  const first = movements.find((one) => one !== undefined);
  if (!first)
    throw new OperatorError(
      `None of the ${texts.length} texts from the wallet states an amount and a balance that could be read.`,
    );
  const n = movements.findIndex((one) => one?.before === balance || one?.after === balance);
  const from = movements[n]?.before === balance ? n : n + 1;
  if (n >= 0 && from < texts.length) return from;
  throw new OperatorError(
    `No text continues from a balance of ${shownMoney(balance)}. Try the balance before the first text: --balance ${ghsOf(first.before).toFixed(2)}`,
  );
}

function presentWaiting({ atMs, amountPesewas, waits, isVerifiedLater }: TrialPayment) {
  return {
    time: isoOf(atMs),
    amount: amountPesewas === undefined ? null : ghsOf(amountPesewas),
    verified_later: isVerifiedLater,
    reason: waits === undefined || waits === 'unread' ? 'its text could not be read' : whyUnproven[waits],
  };
}

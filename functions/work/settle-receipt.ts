import * as z from 'zod/mini';
import { readWalletText } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { withoutFalseStamp } from '../../shared/money/matching/false-stamp.ts';
import { FallJob, ProofJob, SuspectedJob, UnexplainedJob } from '../../shared/money/receipt/proof-job.ts';
import { type WalletText, walletTextOf } from '../../shared/money/receipt/wallet-text-of.ts';
import { closeRefundByText } from '../../shared/money/settling/close-refund-by-text.ts';
import { noteSuspicion } from '../../shared/money/settling/note-suspicion.ts';
import { recordMoneyOut } from '../../shared/money/settling/record-money-out.ts';
import { findReversals } from '../../shared/money/settling/reverse-again.ts';
import { doubtClock, proveLater, settleAgain } from '../../shared/money/settling/settle-again.ts';
import { settleReceipt } from '../../shared/money/settling/settle-receipt.ts';
import { doubtReversal } from '../../shared/money/settling/settle-reversal.ts';
import {
  closePhoneEvent,
  type PhoneEvent,
  PhoneEventJob,
  phoneEventRows,
} from '../../shared/phones/gateway/phone-event.table.ts';
import type { Outside } from '../../shared/runtime/outside/outside.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import { isThrottled } from '../../shared/runtime/table/contention.ts';
import { type Before, queue } from '../../shared/runtime/triggers/queue.ts';
import { ChainChanged, type Wallet } from '../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import { checkText } from '../../shared/wallets/chain/check-text.ts';
import { linkTexts, notePush } from '../../shared/wallets/chain/link-texts.ts';
import { passUnclear } from '../../shared/wallets/chain/pass-unclear.ts';
import { type ArrivedText, sendersForText } from '../../shared/wallets/wallet/paid-number.ts';
import { recordWalletNotices } from '../../shared/wallets/wallet/record-wallet-notices.ts';
import { hearWallet, noteReading } from '../../shared/wallets/wallet/watch-readings.ts';
import { manifest } from '../manifest.ts';

const SettleJob = z.union([PhoneEventJob, ProofJob, FallJob, UnexplainedJob, SuspectedJob]);
type SettleJob = z.infer<typeof SettleJob>;

/**
 * Verifies received texts, matches receipts to charges and reports full wallets. Also re-evaluates changed payments.
 */
export const handler = queue(
  manifest['work/settle-receipt'],
  SettleJob,
  (job, _delivery, outside) => {
    if ('receipt_id' in job) return settleAgain(outside, job);
    if ('event_id' in job) return settleText(outside, job);
    if (job.kind === 'fall') return findReversals(outside, job);
    return job.kind === 'suspected' ? noteSuspicion(outside, job) : doubtReversal(outside, job);
  },
  // Process texts in the order of the balance chain. Otherwise, they would wait for one another.
  { first: (jobs, outside) => linkBatch(outside, jobs) },
);

interface TextToSettle extends ArrivedText {
  readonly job: PhoneEventJob;
  readonly walletText: WalletText | undefined;
}

interface SettlingStep {
  readonly name: string;
  readonly run: (outside: WorkerOutside, text: TextToSettle) => Promise<unknown>;
  /** The code to log if the step fails, after which the job continues. If this is unset, a failure restarts the job. */
  readonly onlyLogs?: string;
}

const STEPS: readonly SettlingStep[] = [
  { name: 'link its balance', run: linkBalance },
  { name: 'note money sent to the bank', run: noteBankPush },
  { name: 'check its proof', run: checkProof },
  // Queue this check before the receipt is settled, because the text may be linked while its payment is being held.
  { name: 'check its proof again', run: (outside, text) => proveLater(outside, receiptToProve(text)) },
  { name: 'settle its receipt', run: async (outside, text) => proveLater(outside, await settleReceipt(outside, text)) },
  { name: 'close the refund that it fulfils', run: closeRefundByText },
  { name: 'notice a wallet at its limit', run: recordWalletNotices },
  { name: 'notice outgoing money', run: recordMoneyOut },
  { name: 'note whether it could be read', run: noteReading, onlyLogs: 'outcome_not_noted' },
  { name: 'note which phone received the text', run: hearWallet, onlyLogs: 'wallet_not_noted' },
  { name: 'delete its content', run: forgetWords },
];

async function settleText(outside: WorkerOutside, job: PhoneEventJob): Promise<void> {
  const phoneEvent = await phoneEventRows.find(outside, job);
  if (!phoneEvent) throw new Error(`The phone event ${job.event_id} is not stored`);
  // The job was redelivered after the text was settled and its content removed.
  if (phoneEvent.settled) return;
  const arrived = await readArrived(outside, phoneEvent);
  const text: TextToSettle = { ...arrived, job, walletText: walletTextOf(arrived) };
  for (const { run, onlyLogs } of STEPS) {
    try {
      await run(outside, text);
    } catch (error) {
      if (!onlyLogs) throw error;
      outside.log.warn(onlyLogs, { error });
    }
  }
}

async function readArrived(outside: Outside, stored: PhoneEvent): Promise<ArrivedText> {
  const { sender, message } = stored.event.payload;
  const reading = readWalletText(sender, message);
  const phoneEvent = await withoutFalseStamp(outside, stored, reading);
  return { phoneEvent, reading, senders: await sendersForText(outside, phoneEvent) };
}

async function linkBatch(outside: WorkerOutside, jobs: readonly SettleJob[]): Promise<Before<SettleJob>> {
  const texts = jobs.flatMap((job) => ('event_id' in job ? [job] : []));
  if (texts.length < 2) return () => undefined;
  const events = await Promise.all(texts.map((job) => phoneEventRows.find(outside, job)));
  const byWallet = new Map<string, { wallet: Wallet; movements: Movement[]; jobs: unknown[] }>();
  for (const [n, phoneEvent] of events.entries()) {
    if (!phoneEvent || phoneEvent.settled) continue;
    const { wallet, movement } = walletTextOf(await readArrived(outside, phoneEvent)) ?? {};
    if (!wallet || !movement) continue;
    const name = `${wallet.network}#${wallet.momo_number}`;
    const { movements, jobs } = byWallet.get(name) ?? { movements: [], jobs: [] };
    byWallet.set(name, { wallet, movements: [...movements, movement], jobs: [...jobs, texts[n]] });
  }
  const several = [...byWallet.values()].filter(({ movements }) => movements.length > 1);
  const linked = several.map(({ wallet, movements, jobs }) => ({ jobs, done: linkAll(outside, wallet, movements) }));
  return (job) => linked.find(({ jobs }) => jobs.includes(job))?.done;
}

/**
 * Links a batch of texts. If other writers keep changing the chain, the whole batch is retried later. Retrying texts
 * one by one would only add conflicts.
 */
function linkAll(outside: WorkerOutside, wallet: Wallet, movements: readonly Movement[]): Promise<void> {
  return linkTexts(outside, wallet, movements).catch((error) => {
    if (error instanceof ChainChanged || isThrottled(error)) throw error;
    outside.log.warn('batch_not_linked', { error });
  });
}

async function linkBalance(outside: WorkerOutside, { walletText }: TextToSettle): Promise<void> {
  if (walletText?.movement) await linkTexts(outside, walletText.wallet, [walletText.movement]);
  if (walletText?.unclear) await passUnclear(outside, walletText.wallet, walletText.unclear);
}

async function noteBankPush(outside: WorkerOutside, { walletText }: TextToSettle): Promise<void> {
  if (walletText?.push) await notePush(outside, walletText.wallet, walletText.push);
}

async function checkProof(outside: WorkerOutside, text: TextToSettle): Promise<void> {
  const { walletText, reading } = text;
  if (!walletText) return;
  const seen = await checkText(outside, walletText.wallet, walletText.movement, walletText.reason);
  text.checked = await doubtClock(outside, walletText, reading, seen);
}

function receiptToProve({ walletText, checked }: TextToSettle): string | undefined {
  if (!checked || checked.proof.state === 'proven') return undefined;
  const isFinal = checked.proof.why === 'no_balance' || checked.proof.why === 'not_anchored';
  return isFinal ? undefined : walletText?.movement?.receipt_id;
}

/** Removes names and wording from a stored text. Keeps the wallet's figures. */
function forgetWords(outside: WorkerOutside, { job, phoneEvent, reading }: TextToSettle): Promise<void> {
  if (!('balancePesewas' in reading)) return closePhoneEvent(outside, job, phoneEvent, { kind: reading.kind });
  const { kind, network, transactionId, amountPesewas, chargesPesewas, balancePesewas } = reading;
  return closePhoneEvent(outside, job, phoneEvent, {
    kind,
    network,
    transaction_id: transactionId,
    amount_pesewas: amountPesewas,
    charges_pesewas: chargesPesewas,
    balance_pesewas: balancePesewas,
  });
}

import { retentionOf } from '../../merchants/merchant/test-account.ts';
import { nowIso, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { chargeRows } from '../charge/charge.table.ts';
import { isHeldByName, isRestOwed, isSettled } from '../charge/charge.ts';
import { listRequestMoney, recordRequestMoney } from '../charge/request-money.table.ts';
import { chargeGivesWay } from '../payment/backing.ts';
import { proofJob } from '../receipt/proof-job.ts';
import { LATE, notedReceiptsOfAll } from '../receipt/receipt.table.ts';
import type { PaymentReceipt } from '../receipt/receipt.ts';
import { withHeldParts } from '../receipt/second-receipts.ts';
import { readReceipt } from '../receipt/wallet-text-of.ts';
import { MAX_CHARGES, withoutUnpaid } from './open-request-charge.ts';
import { endWhileOpen } from './open-retention.ts';
import { nextReminderAt } from './reminder-times.ts';
import { changeRequest, findRequest, type PaymentRequest, type RequestChange } from './request.table.ts';
import { isPaidVerified, readAllSums, requestStateOf, type Sums, sumsOf, withCharges } from './sums.ts';

/** Maximum number of attempts. High, because several people may pay a payment request at the same time. */
const TRIES = 12;

/** Maximum number of charges to record in one transaction (DynamoDB allows 100 writes). Other jobs record the rest. */
const MOST_AT_ONCE = 50;

/**
 * Records a payment request's paid total and state after one of its charges changed. Re-evaluates held late payments
 * once the request is fully paid, and held second payments once the request needs money again. Idempotent, in any order
 * of changes.
 */
export function settleRequest(outside: WorkerOutside, reference: string): Promise<void> {
  return retryIfChanged(
    async () => {
      const found = await readRequestOf(outside, reference);
      if (!found) return;
      const writes = planRequest(outside, found);
      if (writes.length > 0) await outside.table.write(writes);
      // Write the row first, because the jobs read it. A repeated run sends the jobs again even if it writes nothing.
      await settleHeldAgain(outside, found);
    },
    { tries: TRIES },
  );
}

async function settleHeldAgain(outside: WorkerOutside, found: Read): Promise<void> {
  const changed = await receiptsToReevaluate(outside, found);
  if (changed.length === 0) return;
  const jobs = changed.map(({ receipt_id }) => proofJob(receipt_id));
  await outside.queues.send('settle-receipt', jobs);
}

/** True if the job would change nothing, and no held payment needs to be re-evaluated. */
export async function isRequestDone(outside: Outside, found: Read): Promise<boolean> {
  return planRequest(outside, found).length === 0 && (await receiptsToReevaluate(outside, found)).length === 0;
}

/**
 * Returns the payments whose hold reason no longer applies. Leaves out payments that are never re-evaluated: those
 * without a text, and parts that a person added.
 */
async function receiptsToReevaluate(outside: TableOutside, { request, sums }: Read): Promise<PaymentReceipt[]> {
  const isPaid = isPaidVerified(request, sums);
  const charges = [...sums.found.values()];
  const noted = await notedReceiptsOfAll(outside, charges.map(withHeldParts));
  return charges.flatMap((charge) => {
    const mayBeLate = isRestOwed(charge) || !isSettled(charge);
    return (noted.get(charge.reference) ?? []).filter((receipt) => {
      const { reason, set_aside, receipt_id } = receipt;
      const isOther = isPaid ? LATE.has(reason) : mayBeLate && reason === 'already_paid';
      return isOther && !set_aside && isHeldByName(charge, receipt_id) && readReceipt(receipt) !== undefined;
    });
  });
}

interface Read {
  readonly request: PaymentRequest;
  readonly money: Awaited<ReturnType<typeof listRequestMoney>>;
  readonly sums: Sums;
}

export async function readRequestOf(outside: Outside, reference: string): Promise<Read | undefined> {
  const charge = await chargeRows.find(outside, { reference });
  // Read the request's row before its charges. A charge that changes after this read has a job of its own.
  const request = charge?.origin.kind === 'request' ? await findRequest(outside, charge.origin.slug) : undefined;
  if (!charge || !request || request.merchant_id !== charge.merchant_id) return undefined;
  const money = await listRequestMoney(outside, request.slug);
  const named = withCharges(request, new Set([reference, ...money.map((one) => one.reference)]));
  return { request, money, sums: withinLimit(request, await readAllSums(outside, named)) };
}

/**
 * Drops charges above the row's limit: unpaid ones first, then those with only unverified payments, smallest first.
 * Forged payments therefore cannot displace verified ones. Among charges of equal amounts, drops those that are not in
 * the row yet, so that a repeated run changes nothing. Always keeps the largest unverified charge.
 */
function withinLimit(request: PaymentRequest, sums: Sums): Sums {
  const { charges, found } = sums;
  if (charges.length <= MAX_CHARGES) return sums;
  const kept = withoutUnpaid(charges, MAX_CHARGES);
  const named = request.charges.length;
  const weak = [...charges.slice(named), ...charges.slice(0, named)]
    .filter((one) => {
      const charge = found.get(one.reference);
      return charge !== undefined && kept.includes(one) && chargeGivesWay(charge);
    })
    .toSorted((one, other) => one.paid_pesewas - other.paid_pesewas);
  const dropped = weak.slice(0, -1).slice(0, Math.max(0, kept.length - MAX_CHARGES));
  return sumsOf(
    request,
    kept.filter((one) => !dropped.includes(one)),
    found,
  );
}

function planRequest(outside: Outside, { request, money, sums }: Read): TableWrite[] {
  const changed = changesOf(outside, request, sums);
  const recorded = money.slice(0, MOST_AT_ONCE).map(recordRequestMoney);
  return [...(changed ? [changeRequest(request, changed)] : []), ...recorded];
}

function changesOf(outside: Outside, request: PaymentRequest, sums: Sums): RequestChange | undefined {
  const state = requestStateOf(request, sums);
  const charges = [...sums.charges];
  if (state === request.state && JSON.stringify(charges) === JSON.stringify(request.charges)) return undefined;
  const discount_pesewas = sums.discountPesewas || undefined;
  if (state === request.state)
    return { charges, discount_pesewas, ...(state === 'open' && endWhileOpen(outside, request)) };
  const changed = { state, charges, discount_pesewas };
  if (state === 'open') {
    const remind_at = nextReminderAt(request, outside.now());
    return {
      ...changed,
      remind_at,
      paid_at: undefined,
      refunded_pesewas: undefined,
      ...endWhileOpen(outside, request),
    };
  }
  const paid_at = nowIso(outside);
  const kept = endOfRetention(retentionOf(outside, request.merchant_id), paid_at);
  return { ...changed, remind_at: undefined, paid_at, refunded_pesewas: sums.refundedPesewas || undefined, ...kept };
}

import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { CLOCK_TOLERANCE_MS } from '../../../phones/gateway/ask-smsgate.ts';
import { listPostponed, listUnsettledPhoneEvents } from '../../../phones/gateway/phone-event.table.ts';
import { isoOf } from '../../../runtime/outside/outside.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { lastFinished } from '../../../runtime/table/lease.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { errorsOfWorkers, type Finding, fine, found, notHere, wrong } from '../finding.ts';

/** Housekeeping is late if it has not finished a run for this long. It runs every minute, for five minutes at most. */
const LATE_MS = 10 * MINUTE_MS;
/** An unsettled text is overdue after this time. Texts are normally settled within seconds. */
const OVERDUE_MS = 5 * MINUTE_MS;
const MAX_LISTED = 100;

export async function checkHousekeeping(deployment: Deployment): Promise<Finding[]> {
  const { outside } = deployment;
  const last = await lastFinished(outside, 'housekeeping');
  const agoMs = outside.now() - Date.parse(last?.at ?? '');
  const run = agoMs <= LATE_MS ? fine('Housekeeping runs.') : await lateRun(deployment, last?.at);
  return found(run, await overdueReceipts(deployment), overdueTexts(deployment, last?.memo));
}

async function lateRun(deployment: Deployment, at: string | undefined): Promise<Finding> {
  if (!at && (await isNew(deployment))) return notHere('Housekeeping has not run yet. It runs every minute.');
  return wrong(
    `Housekeeping ${at ? `has not finished a run since ${at}` : 'has never finished a run'}. Stuck texts and payments stay stuck, and nobody is notified of failing phones and senders.`,
    `Read its log with: ${errorsOfWorkers(deployment)}`,
    { symptomOf: ['housekeeping runs'], explains: ['what housekeeping does'] },
  );
}

async function isNew({ outside, table }: Deployment): Promise<boolean> {
  const { Table } = await table.client.send(new DescribeTableCommand({ TableName: table.name }));
  return outside.now() - (Table?.CreationDateTime?.getTime() ?? 0) < LATE_MS;
}

async function overdueReceipts(deployment: Deployment): Promise<Finding | undefined> {
  const { outside } = deployment;
  const from = (ms: number) => isoOf(outside.now() + ms);
  const overdue = [
    ...(await listUnsettledPhoneEvents(outside, from(-OVERDUE_MS), MAX_LISTED)),
    // Add the receipts that housekeeping will requeue. Leave out times just ahead of this clock, because clocks differ.
    ...(await listPostponed(outside, from(2 * CLOCK_TOLERANCE_MS))),
  ].length;
  if (overdue === 0) return undefined;
  return wrong(
    `${overdue} wallet texts were not read within five minutes. Their payments and checkout pages are waiting.`,
    `Nothing is lost, because they are retried automatically. Read the log with: ${errorsOfWorkers(deployment)}`,
    { symptomOf: ['jobs of work/settle-receipt', 'jobs of work/relay'] },
  );
}

/** Reports sends that the last housekeeping run found overdue, even allowing for their sender's rate limit. */
function overdueTexts(deployment: Deployment, memo: unknown): Finding | undefined {
  const sends = z.safeParse(z.object({ texts: z.array(z.string()) }), memo).data?.texts ?? [];
  if (sends.length === 0) return undefined;
  return wrong(
    `Texts from ${sends.length} sends have waited longer than their sender’s rate limit can account for: ${sends.join(', ')}.`,
    `The texts are retried for two hours, then refunded. Read the log with: ${errorsOfWorkers(deployment)}`,
    { symptomOf: ['jobs of work/deliver-sms', 'jobs of work/relay', 'what housekeeping does'] },
  );
}

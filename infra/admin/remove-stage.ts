import { DescribeTableCommand, type DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { isTestAccount } from '../../shared/merchants/merchant/test-account.ts';
import { getCharges, isSuccessEventDue } from '../../shared/money/charge/charge.table.ts';
import { listExpiries } from '../../shared/money/charge/expiry.table.ts';
import { listUnsettledPhoneEvents } from '../../shared/phones/gateway/phone-event.table.ts';
import { isoOf } from '../../shared/runtime/outside/outside.ts';
import type { Aws } from '../../shared/runtime/stage/aws.ts';
import type { Deployment, Progress } from '../../shared/runtime/stage/deployment.ts';
import { accessLogName, audiences, logGroupName, partStackName, stackName } from '../../shared/runtime/stage/names.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { DAY_MS } from '../../shared/runtime/values/calendar.ts';
import { counted } from '../../shared/runtime/values/counted.ts';
import { listOpenSendIds } from '../../shared/texts/sms/send.table.ts';
import { listUnread } from './read-again.ts';
import { awsOf, stopStage } from './stop-stage.ts';

/** Price of kept data in US dollars per gigabyte-month (AWS list price in eu-west-1). */
const TABLE_DOLLARS = 0.283;
const BACKUPS_DOLLARS = 0.22;
const LOGS_DOLLARS = 0.03;

interface Asking {
  /** Shows what will be removed and asks for the stage's name. @returns the typed name. */
  ask(message: string): Promise<string>;
  readonly progress: Progress;
}

/**
 * Removes a stage but keeps its data. An interrupted removal can be repeated.
 * @throws OperatorError if the stage has unfinished work or the typed name does not match.
 */
export async function removeStage(deployment: Deployment, { ask, progress }: Asking) {
  const aws = awsOf(deployment);
  const { stage, service, table } = deployment;
  const name = stackName(stage);
  const exists = (await aws.stack()) !== undefined;
  const refuse = async (isStopped: boolean) => {
    // The table cannot be looked up without the main stack, which is removed only after this check.
    if (exists && table.keepsData) await refuseWhileOpen(deployment, isStopped);
  };
  await refuse(false);
  const typed = await ask(
    `This permanently deletes the stage ${stage}: its URL, pages, functions, queues with their jobs, alarms and gateway accounts${table.keepsData ? '. Its table, backups and logs remain' : ', and its table with all data'}.`,
  );
  if (typed !== stage) throw new OperatorError(`The name does not match the stage, so nothing was removed.`);
  await stopStage(deployment, progress);
  await refuse(true);
  // Delete a stack only after the stacks that depend on it.
  const removed: string[] = [];
  for (const part of [...service.parts.map((one) => one.name), undefined])
    if (await removeStack(deployment, aws, part, progress))
      removed.push(part === undefined ? name : partStackName(name, part));
  removed.push(...(await aws.deleteGatewayAccounts()));
  const tables = await listTables(table.client, name);
  if (removed.length === 0 && tables.length === 0)
    throw new OperatorError(`The stage ${stage} does not exist here. Check the AWS region and account in use.`);
  return { removed, ...(table.keepsData && { kept: [...tables, ...logsOf(name)], ...AFTERWARDS }) };
}

const AFTERWARDS = {
  to_have_it_again: 'Deploy the stage, which adopts its table and logs. Then set the gateway accounts again.',
  to_be_rid_of_it: 'docs/deploy/deploying.md, "Remove a stage".',
};

const MAX_LOOKED = 1_000;

/** @throws OperatorError if a customer can still pay, or a text has not been processed. */
async function refuseWhileOpen({ stage, outside }: Deployment, isStopped: boolean): Promise<void> {
  const ending = await listExpiries(outside, LAST_TIME, MAX_LOOKED);
  const charges = await getCharges(
    outside,
    ending.map(({ reference }) => reference),
  );
  const open = charges.filter(
    (charge) => !isTestAccount(charge.merchant_id) && (charge.state === 'pending' || isSuccessEventDue(charge)),
  );
  const since = isoOf(outside.now() - DAY_MS);
  const unread = (await listUnread(outside)).filter(({ received_at }) => received_at > since);
  const unsettled = await listUnsettledPhoneEvents(outside, LAST_TIME, MAX_LOOKED);
  const leaving = await listOpenSendIds(outside);
  const what = [
    open.length > 0 && `${counted(open.length, 'open charge')}`,
    unread.length + unsettled.length > 0 &&
      `${counted(unread.length + unsettled.length, 'text')} from wallets in the last day that were not read`,
    leaving.length > 0 && `${counted(leaving.length, 'send')} with texts that can still be sent`,
  ].filter((one) => one !== false);
  if (what.length === 0) return;
  throw new OperatorError(
    `The stage ${stage} has ${what.join(', ')}, so nothing was removed. Stop accepting charges and texts (docs/operate/runbooks.md, "Shut down the service") and wait a day. "receipt list --status unread" shows the unread texts.${isStopped ? ` The stage is stopped. Let them finish with: stage start --stage ${stage}` : ''}`,
  );
}

/** Sorts after every stored time. */
const LAST_TIME = '9999';

const ASK_AGAIN_MS = 5_000;

/** Deletes a stack. @returns false if the stack does not exist. @throws OperatorError if AWS cannot delete it. */
async function removeStack({ stage, outside }: Deployment, aws: Aws, part: string | undefined, progress: Progress) {
  const name = part === undefined ? stackName(stage) : partStackName(stackName(stage), part);
  const found = await aws.stack(part);
  if (!found) return false;
  if (found.status !== 'DELETE_IN_PROGRESS') await aws.deleteStack(part);
  for (let left = await aws.stack(part); left; left = await aws.stack(part)) {
    if (left.status === 'DELETE_FAILED')
      throw new OperatorError(
        `AWS could not delete the stack ${name} (${left.reason ?? 'its events show the reason'}). Fix this and run the command again to continue.`,
      );
    progress(`Deleting ${name}, which takes a few minutes`);
    await outside.sleep(ASK_AGAIN_MS);
  }
  return true;
}

interface Kept {
  readonly what: string;
  readonly costs_a_month: string;
}

async function listTables(client: DynamoDBClient, name: string): Promise<Kept[]> {
  const kept: Kept[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {}))
    for (const TableName of TableNames.filter((one) => one === name || one.startsWith(`${name}.`))) {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      const gigabytes = (Table?.TableSizeBytes ?? 0) / 2 ** 30;
      kept.push({
        what: `table ${TableName}, ${gigabytes.toFixed(2)} GB`,
        costs_a_month: `$${(gigabytes * TABLE_DOLLARS).toFixed(2)}, and $${(gigabytes * BACKUPS_DOLLARS).toFixed(2)} for the backups of its last 35 days`,
      });
    }
  return kept;
}

function logsOf(name: string): Kept[] {
  const logs = [...audiences.map((audience) => logGroupName(name, audience)), accessLogName(name)];
  const costs_a_month = `$${LOGS_DOLLARS} a gigabyte, until its lines expire`;
  return logs.map((log) => ({ what: `log ${log}`, costs_a_month }));
}

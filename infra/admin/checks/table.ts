import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { tableSchema } from '../../../shared/runtime/table/table-schema.ts';
import { deployment, type Finding, fine, notHere, wrong } from '../finding.ts';
import type { Place } from '../place.ts';

/** The table exists, has its stream, deletes expired rows, and can be restored. */
export async function checkTable(place: Place): Promise<Finding[]> {
  const { client, name } = place.table;
  const redeploy = `Deploy again: ${deployment(place.stage)}`;
  const table = await describe(place);
  if (!table) {
    return [wrong(`There is no table ${name}.`, `${redeploy}. Or check the AWS region and account in use.`)];
  }
  if (table.TableStatus !== 'ACTIVE') {
    return [wrong(`The table ${name} is ${table.TableStatus}.`, 'Wait a few minutes and run this again.')];
  }
  const findings = [fine(`The table ${name} is active.`)];
  if (!table.StreamSpecification?.StreamEnabled) {
    findings.push(wrong('The table has no stream: accepted requests are never queued.', redeploy));
  }
  if (!place.aws) return [...findings, notHere('The local table keeps expired rows, and has no backups.')];

  const { TimeToLiveDescription: life } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
  const attribute = tableSchema.timeToLiveAttribute;
  if (life?.TimeToLiveStatus !== 'ENABLED' || life.AttributeName !== attribute) {
    findings.push(wrong(`The table does not delete expired rows by ${attribute}: it grows without limit.`, redeploy));
  }
  const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName: name }));
  const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  if (recovery !== 'ENABLED')
    findings.push(wrong('Point-in-time recovery is off: lost data cannot be restored.', redeploy));
  if (place.table.keepsData && !table.DeletionProtectionEnabled) {
    findings.push(wrong('Deletion protection is off: one call deletes all data.', redeploy));
  }
  return findings;
}

async function describe({ table }: Place): Promise<TableDescription | undefined> {
  try {
    return (await table.client.send(new DescribeTableCommand({ TableName: table.name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { tableSchema } from '../../../runtime/table/table-schema.ts';
import { type Finding, fine, found, notHere, remake, repair, wrong } from '../finding.ts';

export async function checkTable(deployment: Deployment): Promise<Finding[]> {
  const { client, name } = deployment.table;
  const table = await describe(deployment);
  if (!table) return [missing(deployment)];
  if (table.TableStatus !== 'ACTIVE') {
    const todo = 'Wait a few minutes and run this again.';
    return [wrong(`The table ${name} is ${table.TableStatus}.`, todo, { explains: NEED_THE_TABLE })];
  }
  const seen = found(
    fine(`The table ${name} is active.`),
    !table.StreamSpecification?.StreamEnabled && noStream(deployment),
  );
  if (!deployment.aws) return [...seen, notHere('The local table keeps expired rows and has no backups.')];

  const { TimeToLiveDescription: life } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
  const attribute = tableSchema.timeToLiveAttribute;
  const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName: name }));
  const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  return found(
    seen,
    (life?.TimeToLiveStatus !== 'ENABLED' || life.AttributeName !== attribute) &&
      wrong(
        `The table does not delete expired rows by ${attribute}, so it grows without limit and keeps data that should be deleted.`,
        `aws dynamodb update-time-to-live --table-name ${name} --time-to-live-specification Enabled=true,AttributeName=${attribute}`,
      ),
    recovery !== 'ENABLED' &&
      wrong(
        'Point-in-time recovery is off, so lost data cannot be restored.',
        `aws dynamodb update-continuous-backups --table-name ${name} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
      ),
    deployment.table.keepsData &&
      !table.DeletionProtectionEnabled &&
      wrong(
        'Deletion protection is off, so a single call can delete all data.',
        `aws dynamodb update-table --table-name ${name} --deletion-protection-enabled`,
      ),
  );
}

const NEED_THE_TABLE = ['table', 'triggers', 'gateways', 'senders', 'merchants', 'wallets', 'housekeeping'] as const;

function missing({ aws, table: { name }, stage }: Deployment): Finding {
  const todo = aws
    ? `To keep its data, follow docs/operate/runbooks.md, "Restore to a point in time" (up to 35 days back). Without data to keep: ${repair(stage)}`
    : 'Start the local stack again with: npm start';
  return wrong(`There is no table ${name}, so no request can be answered.`, todo, { explains: NEED_THE_TABLE });
}

/** Reports that the stream is off. A new stream has a new ARN, so its functions must be redeployed. */
function noStream(deployment: Deployment): Finding {
  const message = 'The table has no stream, so accepted requests are never queued.';
  return wrong(message, remake(deployment), { explains: ['jobs of work/relay', 'jobs of work/follow-up'] });
}

async function describe({ table }: Deployment): Promise<TableDescription | undefined> {
  try {
    return (await table.client.send(new DescribeTableCommand({ TableName: table.name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

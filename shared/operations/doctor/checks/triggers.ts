import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { Aws } from '../../../runtime/stage/aws.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { idOf, stackName } from '../../../runtime/stage/names.ts';
import { type Finding, fine, found, notHere, repair, type Topic, wrong } from '../finding.ts';

export async function checkTriggers(deployment: Deployment): Promise<Finding[]> {
  const { aws, service } = deployment;
  if (!aws) return [notHere('The workers are called by the process of "npm start".')];
  const all = await Promise.all(
    Object.entries(service.functions).map(async ([name, row]): Promise<Finding | undefined> => {
      switch (row.on) {
        case 'queue':
          return checkMapping(
            deployment,
            aws,
            { name, whenItFails: row.whenItFails },
            `:${deployment.queues.nameOf(row.queue)}`,
          );
        case 'stream':
          return checkMapping(deployment, aws, { name, whenItFails: row.whenItFails }, await streamOf(deployment));
        case 'schedule':
          return checkRule(deployment, aws, name, row.whenItFails);
        default:
          return undefined;
      }
    }),
  );
  const findings = found(...all, await checkReaders(deployment, aws));
  return findings.length > 0 ? findings : [fine('Every worker is being invoked.')];
}

/** `source` is the last part of the ARN of the expected source. */
async function checkMapping(
  { stage }: Deployment,
  aws: Aws,
  { name, whenItFails }: { readonly name: string; readonly whenItFails: string },
  source: string,
): Promise<Finding | undefined> {
  const mappings = await aws.mappings(idOf(name));
  const relations = relationsOf(name);
  const mapping = mappings.find((one) => one.source.endsWith(source));
  if (!mapping) {
    const other = mappings[0] ? `It gets events from ${sourceName(mappings[0].source)}.` : 'It gets no events.';
    return wrong(
      `${name} gets no events from ${sourceName(source)}. ${other} ${whenItFails}`,
      repair(stage),
      relations,
    );
  }
  if (!/^Disabl/.test(mapping.state)) return undefined;
  return wrong(
    `${name} is switched off, because its event source mapping is ${mapping.state}. ${whenItFails}`,
    `aws lambda update-event-source-mapping --uuid ${mapping.id} --enabled`,
    relations,
  );
}

async function checkRule(
  { stage }: Deployment,
  aws: Aws,
  name: string,
  whenItFails: string,
): Promise<Finding | undefined> {
  const rule = await aws.rule(idOf(name));
  if (rule?.isEnabled) return undefined;
  const relations = relationsOf(name);
  if (!rule) return wrong(`No rule calls ${name}. ${whenItFails}`, repair(stage), relations);
  const todo = `aws events enable-rule --name ${rule.name}`;
  return wrong(`${name} is switched off, because its rule ${rule.name} is disabled. ${whenItFails}`, todo, relations);
}

function relationsOf(name: string): Pick<Finding, 'explains' | 'symptomOf'> {
  return { explains: workOf(name), symptomOf: ['another release', `function ${name}`] };
}

/** Returns the topics affected if a worker is stopped. */
export function workOf(name: string): Topic[] {
  return name === 'work/housekeeping' ? ['housekeeping runs', 'what housekeeping does'] : [`jobs of ${name}`];
}

/** Reports unknown functions that read the stream. AWS supports two readers per shard, and the service has two. */
async function checkReaders(deployment: Deployment, aws: Aws): Promise<Finding[]> {
  const { service, stage } = deployment;
  const stream = await streamOf(deployment);
  const own = Object.entries(service.functions).flatMap(([name, { on }]) =>
    on === 'stream' ? [`${stackName(stage)}-${idOf(name)}`] : [],
  );
  const readers = stream === '' ? [] : await aws.readers(stream);
  const others = readers.filter(({ functionName }) => !own.includes(functionName));
  return others.map(({ id, functionName }) =>
    wrong(
      `The function ${functionName} reads the table's stream, which already has two readers. AWS supports at most two, so all readers may fall behind.`,
      `aws lambda delete-event-source-mapping --uuid ${id}`,
    ),
  );
}

/** Returns the queue's name, or the table's name and the stream's label (a timestamp). */
function sourceName(source: string): string {
  const [, table, label] = /:table\/([^/]+)\/stream\/(.+)$/.exec(source) ?? [];
  return table ? `the stream of the table ${table} (${label})` : source.replace(/^.*:/, '');
}

/** Returns the stream's current ARN. Restoring the table creates a new stream. */
async function streamOf({ table }: Deployment): Promise<string> {
  const { Table } = await table.client.send(new DescribeTableCommand({ TableName: table.name }));
  return Table?.LatestStreamArn ?? '';
}

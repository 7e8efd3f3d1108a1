import { GetQueueAttributesCommand, QueueDoesNotExist } from '@aws-sdk/client-sqs';
import { MAX_DELAY_SECONDS } from '../../../runtime/outside/queues.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { deadLettersOf, idOf } from '../../../runtime/stage/names.ts';
import { listDeadLetters } from '../../dead-letter/dead-letters.ts';
import { urlOf } from '../../dead-letter/letter-queue.ts';
import { isBeyondRetry } from '../../dead-letter/letter-source.ts';
import { errorsOfWorkers, type Finding, fine, found, notHere, remake, repair, wrong } from '../finding.ts';

/** A waiting job is late after this time, which exceeds any job's delay. */
const LATE_SECONDS = 2 * MAX_DELAY_SECONDS;

/** Checks that every dead-letter queue is empty and that no job has waited too long. */
export async function checkQueues(deployment: Deployment): Promise<Finding[]> {
  const findings = await Promise.all(deployment.service.queues.map((name) => checkQueue(deployment, name)));
  return [...findings.flat(), ...(await checkAges(deployment)), ...(await checkStreamLetters(deployment))];
}

async function checkQueue(deployment: Deployment, name: string): Promise<Finding[]> {
  const [queue, letters] = await Promise.all([
    attributesOf(deployment, name),
    attributesOf(deployment, deadLettersOf(name)),
  ]);
  if (!queue || !letters) {
    const message = `The queue ${name} or its dead-letter queue is missing.`;
    const relations = { explains: [`jobs of work/${name}`], symptomOf: ['another release'] } as const;
    return [wrong(message, remake(deployment), relations)];
  }
  return found(
    fine(`The queue ${name}: ${queue.waiting} waiting, ${queue.delayed} delayed.`),
    !queue.redrives &&
      wrong(
        `The queue ${name} has no dead-letter queue, so failed jobs are retried until they expire and are then lost.`,
        remake(deployment),
      ),
    await checkLetters(deployment, name, letters.waiting, 'abandoned jobs'),
  );
}

/** Maximum number of dead letters to read per queue. Ten cost one request. */
const MAX_LETTERS_READ = 200;

/** Reports dead letters that a retry may fix and, separately, those that a retry cannot fix. */
async function checkLetters(deployment: Deployment, of: string, waiting: number, what: string): Promise<Finding[]> {
  if (waiting === 0) return [];
  const read = waiting > MAX_LETTERS_READ ? [] : await listDeadLetters(deployment, { only: of });
  const hopeless = read.filter(isBeyondRetry).length;
  return found(
    hopeless < waiting &&
      wrong(
        `There ${areLetters(waiting - hopeless)} of ${of}: ${what}.`,
        `List them with: dead-letters list --queue ${of}. Once the cause is fixed, run: dead-letters retry --queue ${of}`,
      ),
    hopeless > 0 &&
      wrong(
        `There ${areLetters(hopeless)} of ${of} that cannot be retried, because this release cannot read them or the data that they refer to is gone.`,
        `Show them with: dead-letters drop --queue ${of}. Delete them with: dead-letters drop --queue ${of} --yes`,
      ),
  );
}

function areLetters(count: number): string {
  return count === 1 ? 'is 1 dead letter' : `are ${count} dead letters`;
}

async function checkAges(deployment: Deployment): Promise<Finding[]> {
  const { aws, queues, service } = deployment;
  if (!aws) return [notHere('The waiting time of jobs is only measured on AWS.')];
  const names = new Map(service.queues.map((name) => [queues.nameOf(name), name]));
  const late = [...(await aws.oldestMessageSeconds([...names.keys()]))].filter(([, seconds]) => seconds > LATE_SECONDS);
  if (late.length === 0) return [fine(`No job has waited for longer than ${LATE_SECONDS / 60} minutes.`)];
  return late.map(([queue, seconds]) => {
    const name = names.get(queue) ?? queue;
    const message = `A job of ${name} has waited for ${Math.round(seconds / 60)} minutes.`;
    const todo = `Read why its attempts fail with: ${errorsOfWorkers(deployment)}`;
    return wrong(message, todo, { symptomOf: [`jobs of work/${name}`] });
  });
}

async function checkStreamLetters(deployment: Deployment): Promise<Finding[]> {
  if (!deployment.aws) return [];
  const streams = Object.entries(deployment.service.functions).filter(([, row]) => row.on === 'stream');
  const found = await Promise.all(
    streams.map(async ([name]): Promise<Finding[]> => {
      const letters = await attributesOf(deployment, deadLettersOf(idOf(name)));
      const message = `The dead-letter queue of ${name} is missing.`;
      if (!letters) return [wrong(message, repair(deployment.stage), { symptomOf: ['another release'] })];
      const what = `batches of changes to the table that ${name} could not process, and which the stream keeps for one day`;
      return checkLetters(deployment, idOf(name), letters.waiting, what);
    }),
  );
  return found.flat();
}

async function attributesOf(deployment: Deployment, name: string) {
  try {
    const { Attributes: found = {} } = await deployment.queues.client.send(
      new GetQueueAttributesCommand({ QueueUrl: await urlOf(deployment, name), AttributeNames: ['All'] }),
    );
    return {
      waiting:
        Number(found.ApproximateNumberOfMessages ?? 0) + Number(found.ApproximateNumberOfMessagesNotVisible ?? 0),
      delayed: Number(found.ApproximateNumberOfMessagesDelayed ?? 0),
      redrives: found.RedrivePolicy !== undefined,
    };
  } catch (error) {
    if (error instanceof QueueDoesNotExist) return undefined;
    throw error;
  }
}

import { GetQueueAttributesCommand, QueueDoesNotExist } from '@aws-sdk/client-sqs';
import { manifest, queues } from '../../../functions/manifest.ts';
import { MAX_DELAY_SECONDS } from '../../../shared/runtime/outside/queues.ts';
import type { Row } from '../../../shared/runtime/triggers/row.ts';
import { idOf, logGroupName, stackName } from '../../cdk/names.ts';
import { deadLettersOf, urlOf } from '../dead-letters.ts';
import { deployment, type Finding, fine, notHere, wrong } from '../finding.ts';
import type { Place } from '../place.ts';

const queueNames = Object.keys(queues);

/** Longer than any delay of a job: one this old has failed several times, or has no worker. */
const LATE_SECONDS = 2 * MAX_DELAY_SECONDS;

/** Each queue has its dead-letter queue, that one is empty, and no job waits for too long. */
export async function checkQueues(place: Place): Promise<Finding[]> {
  const findings = await Promise.all(queueNames.map((name) => checkQueue(place, name)));
  return [...findings.flat(), ...(await checkAges(place)), ...(await checkStreamLetters(place))];
}

async function checkQueue(place: Place, name: string): Promise<Finding[]> {
  const [queue, letters] = await Promise.all([attributesOf(place, name), attributesOf(place, deadLettersOf(name))]);
  if (!queue || !letters) {
    return [
      wrong(`The queue ${name} or its dead-letter queue is missing.`, `Deploy again: ${deployment(place.stage)}`),
    ];
  }
  const findings = [fine(`The queue ${name}: ${queue.waiting} waiting, ${queue.delayed} delayed.`)];
  if (!queue.redrives) {
    findings.push(
      wrong(
        `The queue ${name} has no dead-letter queue: jobs that fail are lost.`,
        `Deploy again: ${deployment(place.stage)}`,
      ),
    );
  }
  if (letters.waiting > 0) {
    const are = letters.waiting === 1 ? 'is 1 dead letter' : `are ${letters.waiting} dead letters`;
    findings.push(
      wrong(
        `There ${are} of ${name}: jobs that were given up.`,
        `List them: dead-letters list --queue ${name}. Once the cause is fixed: dead-letters retry --queue ${name}`,
      ),
    );
  }
  return findings;
}

async function checkAges({ aws, stage, queues: { nameOf } }: Place): Promise<Finding[]> {
  if (!aws) return [notHere('The waiting time of jobs is only measured on AWS.')];
  const names = new Map(queueNames.map((name) => [nameOf(name), name]));
  const late = [...(await aws.oldestMessageSeconds([...names.keys()]))].filter(([, seconds]) => seconds > LATE_SECONDS);
  if (late.length === 0) return [fine(`No job has waited for longer than ${LATE_SECONDS / 60} minutes.`)];
  return late.map(([queue, seconds]) => {
    const name = names.get(queue) ?? queue;
    return wrong(
      `A job of ${name} has waited for ${Math.round(seconds / 60)} minutes.`,
      `The log ${logGroupName(stackName(stage), 'work')} says why its tries fail.`,
    );
  });
}

/** The letters that name changes to the table which a stream's function could not process. */
async function checkStreamLetters(place: Place): Promise<Finding[]> {
  if (!place.aws) return [];
  const streams = Object.entries<Row>(manifest).filter(([, row]) => row.on === 'stream');
  const found = await Promise.all(
    streams.map(async ([name]): Promise<Finding[]> => {
      const letters = await attributesOf(place, deadLettersOf(idOf(name)));
      if (!letters)
        return [wrong(`The dead-letter queue of ${name} is missing.`, `Deploy again: ${deployment(place.stage)}`)];
      if (letters.waiting === 0) return [];
      return [
        wrong(
          `${letters.waiting} batches of changes to the table could not be processed by ${name}.`,
          `Its log says why. The stream keeps the changes for one day: fix the cause within it, then: dead-letters retry --queue ${idOf(name)}`,
        ),
      ];
    }),
  );
  return found.flat();
}

/** Undefined if there is no such queue. */
async function attributesOf(place: Place, name: string) {
  try {
    const { Attributes: found = {} } = await place.queues.client.send(
      new GetQueueAttributesCommand({ QueueUrl: await urlOf(place, name), AttributeNames: ['All'] }),
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

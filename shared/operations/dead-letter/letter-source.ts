import {
  type _Record as Change,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ResourceNotFoundException,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { Message } from '@aws-sdk/client-sqs';
import * as z from 'zod';
// Imported by its own path, because importing `z.core` would bundle all of zod.
import { $ZodError } from 'zod/v4/core';
import { FollowUpJob } from '../../events/follow-up-job.ts';
import { deviceRows } from '../../merchants/user/device.table.ts';
import { getCharges } from '../../money/charge/charge.table.ts';
import { FallJob, ProofJob, SuspectedJob, UnexplainedJob } from '../../money/receipt/proof-job.ts';
import { PhoneEventJob, phoneEventRows } from '../../phones/gateway/phone-event.table.ts';
import { PushJob } from '../../push/notice.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import type { Deployment, Service } from '../../runtime/stage/deployment.ts';
import { idOf } from '../../runtime/stage/names.ts';
import { OperatorError } from '../../runtime/stage/operator-error.ts';
import type { Row, StreamRow } from '../../runtime/triggers/row.ts';
import { asLambda, isWanted } from '../../runtime/triggers/stream.ts';
import { parseJson } from '../../runtime/values/json.ts';
import { getSendAndMessage } from '../../texts/sms/message.table.ts';
import { messageId } from '../../texts/sms/message-id.ts';
import { SmsJob, TurnJob } from '../../texts/sms/sms-job.ts';
import { isRefunded } from '../../texts/sms/states.ts';
import { webhookEventRows } from '../../webhook/event.table.ts';
import { WebhookJob } from '../../webhook/event.ts';
import { moveLetters, removeLetters, urlOf } from './letter-queue.ts';

/** An abandoned job. Contains ids only, no phone numbers or texts. */
export interface DeadLetter {
  /** A queue, or a function that reads the table's stream. */
  readonly queue: string;
  readonly queued_at: string;
  readonly letter: string;
  /** Id of the text, phone event or webhook event. Null if the dead letter is unreadable. */
  readonly id: string | null;
  readonly state: string;
}
type Subject = Pick<DeadLetter, 'id' | 'state'>;
type Describe = (deployment: Deployment, body: string) => Promise<Subject | undefined>;

/** States of dead letters that a retry cannot fix. */
const UNREADABLE = 'unreadable';
const FORGOTTEN = 'no longer in the stream';

export function isBeyondRetry({ state }: Pick<DeadLetter, 'state'>): boolean {
  return state === UNREADABLE || state === FORGOTTEN;
}

export interface Source {
  /** True for functions that read the stream. The local stack retries their changes until they succeed. */
  readonly onAwsOnly: boolean;
  readonly describe: Describe;
  /**
   * Retries dead letters. Deletes and counts those that succeed.
   * @throws if any retry failed, after counting the others.
   */
  retry(
    deployment: Deployment,
    letters: readonly Message[],
    from: string,
    count: (letters: number) => void,
  ): Promise<void>;
}

const subjectOf: Readonly<Record<string, Describe>> = {
  'deliver-sms': async (deployment, body) =>
    (await subject(
      SmsJob,
      body,
      ({ send_id, index }) => messageId(send_id, index),
      async ({ send_id, index }) => {
        const found = await getSendAndMessage(deployment.outside, send_id, index);
        const state = found?.message.state;
        return isRefunded(state) ? `${state}, refunded` : state;
      },
    )) ??
    (parseJson(TurnJob, body) && { id: null, state: 'a sender’s next turn' }),
  'settle-receipt': async (deployment, body) =>
    (await subject(
      PhoneEventJob,
      body,
      (job) => job.event_id,
      async (job) => (await phoneEventRows.find(deployment.outside, job)) && 'kept',
    )) ??
    (parseJson(ProofJob, body) && { id: null, state: 'a payment to settle again' }) ??
    (parseJson(FallJob, body) && { id: null, state: 'reversals to settle again' }) ??
    (parseJson(UnexplainedJob, body) && { id: null, state: 'an unexplained reversal' }) ??
    (parseJson(SuspectedJob, body) && { id: null, state: 'a payment that may have been reversed' }),
  'deliver-webhook': (deployment, body) =>
    subject(
      WebhookJob,
      body,
      (job) => job.event_id,
      async (job) => (await webhookEventRows.find(deployment.outside, job))?.state,
    ),
  'deliver-push': noticeOf,
  'run-follow-up': followUpOrNotice,
};

async function followUpOrNotice(deployment: Deployment, body: string): Promise<Subject | undefined> {
  return (
    (await subject(
      FollowUpJob,
      body,
      (job) => job.about,
      async ({ kind, about }) => {
        if (kind !== 'receipt') return FOLLOW_UPS[kind];
        const [charge] = await getCharges(deployment.outside, [about]);
        return charge && (charge.receipt_send_id ? 'a customer receipt that was texted' : 'a customer receipt to text');
      },
    )) ?? noticeOf(deployment, body)
  );
}

function noticeOf(deployment: Deployment, body: string): Promise<Subject | undefined> {
  // Show the person's id, because `about` may be a phone number.
  return subject(
    PushJob,
    body,
    (job) => job.user_id,
    async (job) => (await deviceRows.find(deployment.outside, job)) && `a notification: ${job.kind}`,
  );
}

const FOLLOW_UPS = {
  code: 'a stock code to hand out or block',
  stock: 'new stock codes for waiting charges',
  purchase: 'purchased credits to add or reverse',
  take: 'a payment at a till to announce',
  request: 'a payment for a payment request',
} as const satisfies Partial<Record<FollowUpJob['kind'], string>>;

/** Returns all sources, keyed by name. @throws an Error for a queue without an entry in `subjectOf`. */
function allSources({ functions, queues }: Service): Map<string, Source> {
  return new Map([
    ...queues.map((name): [string, Source] => {
      const describe = subjectOf[name];
      if (!describe) throw new Error(`The queue ${name} has no entry in subjectOf`);
      return [name, queueSource(name, describe)];
    }),
    ...Object.entries(functions).flatMap(([name, row]): [string, Source][] =>
      row.on === 'stream' ? [[idOf(name), streamSource(idOf(name), row)]] : [],
    ),
  ]);
}

export function sourceNames(service: Service): string[] {
  return [...allSources(service).keys()];
}

export async function examine(
  deployment: Deployment,
  queue: string,
  source: Source,
  letter: Message,
): Promise<DeadLetter> {
  const { Body = '', MessageId = '', Attributes } = letter;
  const queued_at = isoOf(Number(Attributes?.SentTimestamp ?? 0));
  const subject = (await source.describe(deployment, Body)) ?? { id: null, state: UNREADABLE };
  return { queue, queued_at, letter: MessageId, ...subject };
}

function queueSource(queue: string, describe: Describe): Source {
  return {
    onAwsOnly: false,
    describe,
    retry: async (deployment, letters, from, count) =>
      moveLetters(deployment, letters, { from, to: await urlOf(deployment, queue) }, count),
  };
}

/** Returns a source that reads the table changes from the stream again for a retry. */
function streamSource(queue: string, row: Row & { on: 'stream' }): Source {
  return {
    onAwsOnly: true,
    describe: (deployment, body) =>
      subject(
        StreamLetter,
        body,
        ({ DDBStreamBatchInfo: of }) => `${of.startSequenceNumber} to ${of.endSequenceNumber}`,
        async (letter) => ((await isInStream(deployment, letter)) ? 'not relayed' : FORGOTTEN),
      ),
    retry: async (deployment, letters, from, count) => {
      for (const letter of letters) {
        await handChangesAgain(deployment, queue, row, letter.Body ?? '');
        count(1);
        await removeLetters(deployment, from, [letter]);
      }
    },
  };
}

/**
 * Describes a job by its body and its row. Tolerates a row that cannot be read, because that may be why the job failed.
 */
async function subject<Job>(
  schema: z.core.$ZodType<Job>,
  body: string,
  nameOf: (job: Job) => string,
  stateOf: (job: Job) => Promise<string | undefined>,
): Promise<Subject | undefined> {
  const job = parseJson(schema, body);
  if (!job) return undefined;
  const state = await stateOf(job).catch((error: unknown) => {
    if (error instanceof $ZodError) return 'its row cannot be read';
    throw error;
  });
  return { id: nameOf(job), state: state ?? 'unknown' };
}

/** @throws OperatorError for an unknown source. */
export function sourcesOf({ aws, service }: Deployment, only: string | undefined): [string, Source][] {
  const all = allSources(service);
  const here = [...all].filter(([name, { onAwsOnly }]) => (aws || !onAwsOnly) && (only ?? name) === name);
  if (here.length > 0) return here;
  if (only !== undefined && !all.has(only))
    throw new OperatorError(`There is no queue ${only}. The queues are ${[...all.keys()].join(', ')}.`);
  throw new OperatorError(
    `The local stack has no dead letters from ${only}, because it retries failed work until the work succeeds.`,
  );
}

/** Lambda's message about table changes that a function failed to process. Contains the changes' positions only. */
const StreamLetter = z.object({
  DDBStreamBatchInfo: z.object({
    streamArn: z.string(),
    shardId: z.string(),
    startSequenceNumber: z.string().regex(/^\d+$/),
    endSequenceNumber: z.string().regex(/^\d+$/),
  }),
});

/**
 * Passes a dead letter's table changes to their function again, in order. Some of the changes may have succeeded
 * before; repeating them affects only metrics.
 * @throws OperatorError if the function fails again, or if the changes have left the stream, which keeps them for a
 * day.
 */
async function handChangesAgain(deployment: Deployment, name: string, row: StreamRow, body: string): Promise<void> {
  const letter = parseJson(StreamLetter, body);
  if (!letter || !deployment.aws)
    throw new OperatorError(`A dead letter from ${name} cannot be read. It stays in the queue.`);
  const wanted = (await readChanges(deployment, letter)).filter((change) => isWanted(change, row));
  for (let from = 0; from < wanted.length; from += row.batchSize) {
    const answer = await deployment.aws.invoke(name, {
      Records: wanted.slice(from, from + row.batchSize).map(asLambda),
    });
    const taken = Answer.safeParse(answer);
    if (!taken.success || taken.data.batchItemFailures.length > 0) {
      throw new OperatorError(
        `${name} failed again on a batch of changes. Its log shows the reason. The dead letter stays in the queue.`,
      );
    }
  }
}

async function isInStream({ streams, table }: Deployment, letter: z.infer<typeof StreamLetter>): Promise<boolean> {
  // The table has since been replaced, so its stream is gone.
  if (!letter.DDBStreamBatchInfo.streamArn.includes(`:table/${table.name}/stream/`)) return false;
  try {
    await firstIterator(streams, letter);
    return true;
  } catch (error) {
    // The changes expired, or the table was replaced.
    if (error instanceof TrimmedDataAccessException || error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

const Answer = z.object({ batchItemFailures: z.array(z.unknown()) });

async function readChanges({ streams }: Deployment, letter: z.infer<typeof StreamLetter>): Promise<Change[]> {
  const last = BigInt(letter.DDBStreamBatchInfo.endSequenceNumber);
  const found: Change[] = [];
  try {
    for (let next = await firstIterator(streams, letter); next; ) {
      const { Records = [], NextShardIterator } = await streams.send(new GetRecordsCommand({ ShardIterator: next }));
      for (const record of Records) {
        if (BigInt(record.dynamodb?.SequenceNumber ?? 0) > last) return found;
        found.push(record);
      }
      if (BigInt(found.at(-1)?.dynamodb?.SequenceNumber ?? 0) >= last) return found;
      next = NextShardIterator;
    }
    return found;
  } catch (error) {
    if (!(error instanceof TrimmedDataAccessException)) throw error;
    throw new OperatorError(
      'The stream keeps changes for a day, so the changes in one dead letter are gone. Housekeeping has queued the rest. Compare the charges and webhook events from that time, then run: dead-letters drop',
    );
  }
}

async function firstIterator(
  streams: Deployment['streams'],
  { DDBStreamBatchInfo: batch }: z.infer<typeof StreamLetter>,
) {
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({
      StreamArn: batch.streamArn,
      ShardId: batch.shardId,
      ShardIteratorType: 'AT_SEQUENCE_NUMBER',
      SequenceNumber: batch.startSequenceNumber,
    }),
  );
  return ShardIterator;
}

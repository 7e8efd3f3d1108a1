import type { Message } from '@aws-sdk/client-sqs';
import type * as z from 'zod/mini';
// By its own path: `z.core` would bring all of zod along.
import { $ZodError } from 'zod/v4/core';
import { getPhoneEvent, PhoneEventJob } from '../../phones/gateway/phone-event.table.ts';
import { idOf } from '../../runtime/stage/names.ts';
import { OperatorError } from '../../runtime/stage/operator-error.ts';
import type { Place, Service } from '../../runtime/stage/place.ts';
import type { Row } from '../../runtime/triggers/row.ts';
import { parseJson } from '../../runtime/values/json.ts';
import { getSendAndMessage } from '../../texts/sms/message.table.ts';
import { messageId } from '../../texts/sms/message-id.ts';
import { SmsJob } from '../../texts/sms/sms-job.ts';
import { getWebhookEvent } from '../../webhook/event.table.ts';
import { WebhookJob } from '../../webhook/webhook-job.ts';
import { moveLetters, removeLetters, urlOf } from './letter-queue.ts';
import { handChangesAgain, isInStream, StreamLetter } from './stream-letter.ts';

/** Jobs that were given up, by ids only: numbers and texts stay in the table. */
export interface DeadLetter {
  /** Where it comes from: a queue, or a function behind the table's stream. */
  readonly queue: string;
  /** When it was queued. */
  readonly queued_at: string;
  /** SQS's own id of the letter. */
  readonly letter: string;
  /** The text, the phone's event or the webhook's event that it is about; null if the letter cannot be read. */
  readonly id: string | null;
  /** Its current state in the table. */
  readonly state: string;
}
type Subject = Pick<DeadLetter, 'id' | 'state'>;
/** Undefined for a body that cannot be read. */
type Describe = (place: Place, body: string) => Promise<Subject | undefined>;

/** The states of letters that no retry can help. */
const UNREADABLE = 'unreadable';
const FORGOTTEN = 'no longer in the stream';

export function isHopeless({ state }: Pick<DeadLetter, 'state'>): boolean {
  return state === UNREADABLE || state === FORGOTTEN;
}

/** Where dead letters come from, and how they are tried again. */
export interface Source {
  /** The letters of a stream's function exist on AWS only: the local stack retries until it succeeds. */
  readonly onAwsOnly: boolean;
  readonly describe: Describe;
  /** Tries letters again, deletes those that succeeded, and counts them. @throws if it went wrong with any, when it has counted the others. */
  retry(place: Place, letters: readonly Message[], from: string, count: (letters: number) => void): Promise<void>;
}

/** What a job of a queue is about. */
const subjectOf: Readonly<Record<string, Describe>> = {
  'deliver-sms': (place, body) =>
    subject(
      SmsJob,
      body,
      ({ send_id, index }) => messageId(send_id, index),
      async ({ send_id, index }) => {
        const found = await getSendAndMessage(place.outside, send_id, index);
        return found?.message.state === 'failed' ? 'failed, refunded' : found?.message.state;
      },
    ),
  'settle-receipt': (place, body) =>
    subject(
      PhoneEventJob,
      body,
      (job) => job.event_id,
      async (job) => (await getPhoneEvent(place.outside, job)) && 'kept',
    ),
  'deliver-webhook': (place, body) =>
    subject(
      WebhookJob,
      body,
      (job) => job.event_id,
      async (job) => (await getWebhookEvent(place.outside, job.event_id))?.state,
    ),
};

/** Each source by its name. @throws an Error for a queue whose jobs nothing here describes. */
function allSources({ functions, queues }: Service): Map<string, Source> {
  return new Map([
    ...queues.map((name): [string, Source] => {
      const describe = subjectOf[name];
      if (!describe) throw new Error(`What is a dead letter of ${name} about?`);
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

export async function examine(place: Place, queue: string, source: Source, letter: Message): Promise<DeadLetter> {
  const { Body = '', MessageId = '', Attributes } = letter;
  const queued_at = new Date(Number(Attributes?.SentTimestamp ?? 0)).toISOString();
  const subject = (await source.describe(place, Body)) ?? { id: null, state: UNREADABLE };
  return { queue, queued_at, letter: MessageId, ...subject };
}

/** Jobs go back into their queue. */
function queueSource(queue: string, describe: Describe): Source {
  return {
    onAwsOnly: false,
    describe,
    retry: async (place, letters, from, count) => moveLetters(place, letters, from, await urlOf(place, queue), count),
  };
}

/** Changes of the table go to their function once more, as long as the stream has them. */
function streamSource(queue: string, row: Row & { on: 'stream' }): Source {
  return {
    onAwsOnly: true,
    describe: (place, body) =>
      subject(
        StreamLetter,
        body,
        ({ DDBStreamBatchInfo: of }) => `${of.startSequenceNumber} to ${of.endSequenceNumber}`,
        async (letter) => ((await isInStream(place, letter)) ? 'not relayed' : FORGOTTEN),
      ),
    retry: async (place, letters, from, count) => {
      for (const letter of letters) {
        await handChangesAgain(place, queue, row, letter.Body ?? '');
        count(1);
        await removeLetters(place, from, [letter]);
      }
    },
  };
}

/** What is read from the table may be why the job was given up: a row that this version cannot read hides no letter. */
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

/** @throws OperatorError for a source that this place does not have. */
export function sourcesOf({ aws, service }: Place, only: string | undefined): [string, Source][] {
  const all = allSources(service);
  const here = [...all].filter(([name, { onAwsOnly }]) => (aws || !onAwsOnly) && (only ?? name) === name);
  if (here.length > 0) return here;
  if (only !== undefined && !all.has(only))
    throw new OperatorError(`There is no queue ${only}. These are: ${[...all.keys()].join(', ')}.`);
  throw new OperatorError(`The local stack has no dead letters of ${only}: it retries until it succeeds.`);
}

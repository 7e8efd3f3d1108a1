import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import type * as z from 'zod/mini';
import { manifest, type queues } from '../../functions/manifest.ts';
import { getPhoneEvent, PhoneEventJob } from '../../shared/gateway/phone-event.table.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';
import { parseJson } from '../../shared/runtime/values/json.ts';
import { getSendAndMessage } from '../../shared/sms/message.table.ts';
import { messageId } from '../../shared/sms/message-id.ts';
import { SmsJob } from '../../shared/sms/sms-job.ts';
import { getWebhookEvent } from '../../shared/webhook/event.table.ts';
import { WebhookJob } from '../../shared/webhook/webhook-job.ts';
import { idOf } from '../cdk/names.ts';
import { OperatorError } from './operator-error.ts';
import type { Place } from './place.ts';
import type { Progress } from './progress.ts';
import { handChangesAgain, StreamLetter } from './stream-letter.ts';

/** Jobs that were given up, by ids only: numbers and texts stay in the table. */
export interface DeadLetter {
  /** Where it comes from: a queue, or a function behind the table's stream. */
  readonly queue: string;
  /** When it was queued. */
  readonly queued_at: string;
  /** The text, the phone's event or the webhook's event that it is about; null if the letter cannot be read. */
  readonly id: string | null;
  /** Its current state in the table. */
  readonly state: string;
}
type Subject = Pick<DeadLetter, 'id' | 'state'>;
/** Undefined for a body that cannot be read. */
type Describe = (place: Place, body: string) => Promise<Subject | undefined>;

/** Where dead letters come from, and how they are tried again. */
interface Source {
  /** The letters of a stream's function exist on AWS only: the local stack retries until it succeeds. */
  readonly onAwsOnly: boolean;
  readonly describe: Describe;
  /** Tries letters again, and deletes those that succeeded. @throws if it went wrong with any. */
  retry(place: Place, letters: readonly Message[], from: string): Promise<void>;
}

/** What a job of a queue is about. */
const subjectOf: Readonly<Record<keyof typeof queues, Describe>> = {
  'deliver-sms': (place, body) =>
    subject(SmsJob, body, async ({ send_id, index }) => {
      const found = await getSendAndMessage(place.outside, send_id, index);
      const state = found?.message.state === 'failed' ? 'failed, refunded' : found?.message.state;
      return { id: messageId(send_id, index), state: state ?? 'unknown' };
    }),
  'settle-receipt': (place, body) =>
    subject(PhoneEventJob, body, async (job) => {
      const event = await getPhoneEvent(place.outside, job);
      return { id: job.event_id, state: event ? 'kept' : 'unknown' };
    }),
  'deliver-webhook': (place, body) =>
    subject(WebhookJob, body, async ({ event_id }) => {
      const event = await getWebhookEvent(place.outside, event_id);
      return { id: event_id, state: event?.state ?? 'unknown' };
    }),
};

const sources: ReadonlyMap<string, Source> = new Map([
  ...Object.entries(subjectOf).map(([name, describe]): [string, Source] => [name, queueSource(name, describe)]),
  ...Object.entries<Row>(manifest).flatMap(([name, row]): [string, Source][] =>
    row.on === 'stream' ? [[idOf(name), streamSource(idOf(name), row)]] : [],
  ),
]);

export const sourceNames: readonly string[] = [...sources.keys()];

/** The dead letters of one source or of all. They stay where they are: each is hidden from other readers for a moment. */
export async function listDeadLetters(
  place: Place,
  only: string | undefined,
  progress: Progress,
): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for (const [queue, source] of sourcesOf(place, only)) {
    const url = await urlOf(place, deadLettersOf(queue));
    const letters: Message[] = [];
    // Letters stay hidden until all have been read, or a short queue would be read endlessly.
    for (;;) {
      progress(`Reading the dead letters of ${queue} (${letters.length})`);
      const batch = await receive(place, url);
      if (batch.length === 0) break;
      letters.push(...batch);
    }
    await showAgain(place, url, letters);
    for (const { Body = '', Attributes } of letters) {
      const queued_at = new Date(Number(Attributes?.SentTimestamp ?? 0)).toISOString();
      const subject = (await source.describe(place, Body)) ?? { id: null, state: 'unreadable' };
      found.push({ queue, queued_at, ...subject });
    }
  }
  return found;
}

/**
 * Retries the dead letters of one source or of all, from their first try on, and returns how many. Each is handed on before it
 * is deleted: if this is interrupted, a job may be done twice, which every worker tolerates, but never not at all.
 */
export async function retryDeadLetters(
  place: Place,
  only: string | undefined,
  progress: Progress,
): Promise<{ queue: string; retried: number }[]> {
  const done: { queue: string; retried: number }[] = [];
  for (const [queue, source] of sourcesOf(place, only)) {
    const from = await urlOf(place, deadLettersOf(queue));
    let retried = 0;
    for (;;) {
      progress(`Retrying the dead letters of ${queue} (${retried})`);
      const batch = await receive(place, from);
      if (batch.length === 0) break;
      await source.retry(place, batch, from);
      retried += batch.length;
    }
    done.push({ queue, retried });
  }
  return done;
}

/** Jobs go back into their queue. */
function queueSource(queue: string, describe: Describe): Source {
  return {
    onAwsOnly: false,
    describe,
    retry: async (place, letters, from) => moveBatch(place, letters, from, await urlOf(place, queue)),
  };
}

/** Changes of the table go to their function once more, as long as the stream has them. */
function streamSource(queue: string, row: Row & { on: 'stream' }): Source {
  return {
    onAwsOnly: true,
    describe: (_place, body) =>
      subject(StreamLetter, body, async ({ DDBStreamBatchInfo: { startSequenceNumber, endSequenceNumber } }) => {
        return { id: `${startSequenceNumber} to ${endSequenceNumber}`, state: 'not relayed' };
      }),
    retry: async (place, letters, from) => {
      for (const letter of letters) {
        await handChangesAgain(place, queue, row, letter.Body ?? '');
        await remove(place, from, [letter]);
      }
    },
  };
}

async function subject<Job>(
  schema: z.core.$ZodType<Job>,
  body: string,
  look: (job: Job) => Promise<Subject>,
): Promise<Subject | undefined> {
  const job = parseJson(schema, body);
  return job && look(job);
}

/**
 * The same code for AWS and a laptop, instead of SQS's own `StartMessageMoveTask`: what is tested is what runs, and it is
 * certain that a job keeps its merchant's group and that its receive count starts again at one. That is why a refunded text is
 * not sent: on its first receives its job finds that the text has failed, and ends.
 */
async function moveBatch(place: Place, batch: readonly Message[], from: string, to: string): Promise<void> {
  const { Successful = [], Failed = [] } = await place.queues.client.send(
    new SendMessageBatchCommand({
      QueueUrl: to,
      Entries: batch.map(({ Body, Attributes }, n) => ({
        Id: String(n),
        MessageBody: Body,
        ...(Attributes?.MessageGroupId && { MessageGroupId: Attributes.MessageGroupId }),
      })),
    }),
  );
  const sent = new Set(Successful.map(({ Id }) => Number(Id)));
  await remove(
    place,
    from,
    batch.filter((_, n) => sent.has(n)),
  );
  if (Failed.length > 0) {
    throw new OperatorError(
      `The queue refused ${Failed.length} letters (${Failed[0]?.Code}). They remain dead letters.`,
    );
  }
}

/** Hidden for long enough to read a thousand letters. */
const HIDDEN_SECONDS = 120;

async function receive({ queues }: Place, url: string): Promise<Message[]> {
  const { Messages = [] } = await queues.client.send(
    new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: HIDDEN_SECONDS,
      WaitTimeSeconds: queues.waitSeconds,
      MessageSystemAttributeNames: ['SentTimestamp', 'MessageGroupId'],
    }),
  );
  return Messages;
}

async function showAgain({ queues }: Place, url: string, letters: readonly Message[]): Promise<void> {
  for (let from = 0; from < letters.length; from += 10) {
    const batch = letters.slice(from, from + 10);
    const Entries = batch.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle, VisibilityTimeout: 0 }));
    await queues.client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }));
  }
}

/** At most ten. */
async function remove({ queues }: Place, url: string, letters: readonly Message[]): Promise<void> {
  if (letters.length === 0) return;
  const Entries = letters.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle }));
  await queues.client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
}

/** @throws OperatorError for a source that this place does not have. */
function sourcesOf({ aws }: Place, only: string | undefined): [string, Source][] {
  const here = [...sources].filter(([name, { onAwsOnly }]) => (aws || !onAwsOnly) && (only ?? name) === name);
  if (here.length > 0) return here;
  throw new OperatorError(`The local stack has no dead letters of ${only}: it retries until it succeeds.`);
}

export function deadLettersOf(queue: string): string {
  return `${queue}-dead-letters`;
}

export async function urlOf({ queues }: Place, queue: string): Promise<string> {
  const { QueueUrl } = await queues.client.send(new GetQueueUrlCommand({ QueueName: queues.nameOf(queue) }));
  if (QueueUrl) return QueueUrl;
  throw new Error(`SQS returned no address for ${queue}`);
}

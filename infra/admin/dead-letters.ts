import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import type * as z from 'zod/mini';
import { queues } from '../../functions/manifest.ts';
import { getPhoneEvent, PhoneEventJob } from '../../shared/gateway/phone-event.table.ts';
import { parseJson } from '../../shared/runtime/json.ts';
import { getSendAndMessage } from '../../shared/sms/message.table.ts';
import { messageId } from '../../shared/sms/message-id.ts';
import { SmsJob } from '../../shared/sms/sms-job.ts';
import { getWebhookEvent } from '../../shared/webhook/event.table.ts';
import { WebhookJob } from '../../shared/webhook/webhook-job.ts';
import type { Place } from './connect.ts';
import { OperatorError } from './operator-error.ts';
import type { Progress } from './progress.ts';

export type QueueName = keyof typeof queues;

export const queueNames = Object.keys(queues).filter(isQueueName);

/** A job that a queue gave up, by ids alone: numbers and texts stay in the table. */
export interface DeadLetter {
  readonly queue: QueueName;
  /** When the job was queued. */
  readonly queued_at: string;
  /** The text, the phone's event or the webhook's event that the job is about; null where the letter cannot be read. */
  readonly id: string | null;
  /** What has become of it, as the table knows it now. */
  readonly state: string;
}

/** The dead letters of some queues. They stay where they are: each is hidden from other readers for a moment. */
export async function listDeadLetters(
  place: Place,
  names: readonly QueueName[],
  progress: Progress,
): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for (const name of names) {
    const url = await urlOf(place, deadLettersOf(name));
    const messages: Message[] = [];
    // What was seen stays hidden until all is seen, or a short queue would be read for ever.
    for (;;) {
      progress(`Reading the dead letters of ${name} (${messages.length})`);
      const batch = await receive(place, url);
      if (batch.length === 0) break;
      messages.push(...batch);
    }
    for (const batch of tens(messages)) {
      await place.queues.client.send(
        new ChangeMessageVisibilityBatchCommand({
          QueueUrl: url,
          Entries: batch.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle, VisibilityTimeout: 0 })),
        }),
      );
    }
    found.push(...(await Promise.all(messages.map((message) => describe(place, name, message)))));
  }
  return found;
}

/**
 * Puts the dead letters of some queues back into them, where their tries begin anew, and gives how many were moved. Each is
 * sent before it is deleted: where this breaks off, a job may stand twice, which every worker takes, and never nowhere.
 *
 * One way for AWS and for a laptop, in place of SQS's own `StartMessageMoveTask`: what is tested is what runs, and it is certain
 * that a job keeps its merchant's group and that its count of receives starts at one. On that stands that a refunded text is
 * not sent: with the first receives its job finds the text failed and ends.
 */
export async function retryDeadLetters(
  place: Place,
  names: readonly QueueName[],
  progress: Progress,
): Promise<{ queue: QueueName; retried: number }[]> {
  const moved: { queue: QueueName; retried: number }[] = [];
  for (const name of names) {
    const from = await urlOf(place, deadLettersOf(name));
    const to = await urlOf(place, name);
    let retried = 0;
    for (;;) {
      progress(`Putting back the dead letters of ${name} (${retried})`);
      const batch = await receive(place, from);
      if (batch.length === 0) break;
      await moveBatch(place, batch, from, to);
      retried += batch.length;
    }
    moved.push({ queue: name, retried });
  }
  return moved;
}

async function moveBatch(place: Place, batch: readonly Message[], from: string, to: string): Promise<void> {
  const { client } = place.queues;
  const { Successful = [], Failed = [] } = await client.send(
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
  const done = batch.filter((_, n) => sent.has(n));
  if (done.length > 0) {
    await client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: from,
        Entries: done.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle })),
      }),
    );
  }
  if (Failed.length > 0) {
    throw new OperatorError(`The queue refused ${Failed.length} letters (${Failed[0]?.Code}). They stay dead letters.`);
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

async function describe(place: Place, queue: QueueName, { Body = '', Attributes }: Message): Promise<DeadLetter> {
  const queued_at = new Date(Number(Attributes?.SentTimestamp ?? 0)).toISOString();
  return { queue, queued_at, ...(await subjectOf[queue](place, Body)) };
}

type Subject = Pick<DeadLetter, 'id' | 'state'>;

const subjectOf: Record<QueueName, (place: Place, body: string) => Promise<Subject>> = {
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

async function subject<Job>(
  schema: z.core.$ZodType<Job>,
  body: string,
  look: (job: Job) => Promise<Subject>,
): Promise<Subject> {
  const job = parseJson(schema, body);
  return job === undefined ? { id: null, state: 'unreadable' } : look(job);
}

export function deadLettersOf(queue: string): string {
  return `${queue}-dead-letters`;
}

export async function urlOf({ queues }: Place, queue: string): Promise<string> {
  const { QueueUrl } = await queues.client.send(new GetQueueUrlCommand({ QueueName: queues.nameOf(queue) }));
  if (QueueUrl) return QueueUrl;
  throw new Error(`SQS gives no address for ${queue}`);
}

function tens<Value>(values: readonly Value[]): Value[][] {
  return Array.from({ length: Math.ceil(values.length / 10) }, (_, n) => values.slice(n * 10, n * 10 + 10));
}

function isQueueName(name: string): name is QueueName {
  return Object.hasOwn(queues, name);
}

import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import type { Deployment } from '../../runtime/stage/deployment.ts';
import { OperatorError } from '../../runtime/stage/operator-error.ts';
import { counted } from '../../runtime/values/counted.ts';

export async function urlOf({ queues }: Deployment, queue: string): Promise<string> {
  const { QueueUrl } = await queues.client.send(new GetQueueUrlCommand({ QueueName: queues.nameOf(queue) }));
  if (QueueUrl) return QueueUrl;
  throw new Error(`SQS returned no URL for ${queue}`);
}

/** Reads up to `atMost` dead letters. They stay hidden until all are read, so that none is returned twice. */
export async function readLetters(
  deployment: Deployment,
  url: string,
  atMost: number,
  progress: (count: number) => void,
) {
  const letters: Message[] = [];
  while (letters.length < atMost) {
    progress(letters.length);
    const batch = await receiveLetters(deployment, url);
    if (batch.length === 0) break;
    letters.push(...batch);
  }
  return letters;
}

/** Seconds for which dead letters stay hidden: enough to read a thousand. */
const HIDDEN_SECONDS = 120;

export async function receiveLetters({ queues }: Deployment, url: string): Promise<Message[]> {
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

export async function showAgain({ queues }: Deployment, url: string, letters: readonly Message[]): Promise<void> {
  for (let from = 0; from < letters.length; from += 10) {
    const batch = letters.slice(from, from + 10);
    const Entries = batch.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle, VisibilityTimeout: 0 }));
    await queues.client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }));
  }
}

/** @throws OperatorError if a dead letter could not be deleted. */
export async function removeLetters({ queues }: Deployment, url: string, letters: readonly Message[]): Promise<void> {
  for (let from = 0; from < letters.length; from += 10) {
    const batch = letters.slice(from, from + 10);
    const Entries = batch.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle }));
    const { Failed = [] } = await queues.client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
    if (Failed.length > 0)
      throw new OperatorError(
        `SQS did not delete ${counted(Failed.length, 'dead letter')} (${Failed[0]?.Code}). These dead letters are still in the queue.`,
      );
  }
}

/**
 * Moves dead letters back to their queue. Unlike SQS's `StartMessageMoveTask`, keeps their message groups and works on
 * the local stack. Receive counts restart at one. The job for a text that was already refunded therefore ends instead
 * of becoming a dead letter again.
 */
export async function moveLetters(
  deployment: Deployment,
  batch: readonly Message[],
  { from, to }: { readonly from: string; readonly to: string },
  count: (letters: number) => void,
): Promise<void> {
  if (batch.length === 0) return;
  const { Successful = [], Failed = [] } = await deployment.queues.client.send(
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
  count(sent.size);
  await removeLetters(
    deployment,
    from,
    batch.filter((_, n) => sent.has(n)),
  );
  if (Failed.length > 0) {
    throw new OperatorError(
      `The queue rejected ${counted(Failed.length, 'job')} (${Failed[0]?.Code}). Their dead letters remain.`,
    );
  }
}

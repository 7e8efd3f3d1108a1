import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { QueueHandler } from '../../shared/runtime/triggers/queue.ts';

/** Does what Lambda's event source mapping does for a queue: delivers batches and deletes the jobs that did not fail. */
export async function pollQueue(
  client: SQSClient,
  queueUrl: string,
  batchSize: number,
  handler: QueueHandler,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: batchSize,
        WaitTimeSeconds: 5,
        MessageSystemAttributeNames: ['All'],
      }),
      { abortSignal: signal },
    );
    if (Messages.length === 0) continue;
    const { batchItemFailures } = await handler({ Records: Messages.map((message) => recordOf(message)) });
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const done = Messages.filter(({ MessageId }) => MessageId !== undefined && !failed.has(MessageId));
    if (done.length === 0) continue;
    await client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: done.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle })),
      }),
    );
  }
}

function recordOf({ MessageId = '', ReceiptHandle = '', Body = '', Attributes, MD5OfBody = '' }: Message): SQSRecord {
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: {
      ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? '1',
      SentTimestamp: Attributes?.SentTimestamp ?? '0',
      SenderId: Attributes?.SenderId ?? '',
      ApproximateFirstReceiveTimestamp: Attributes?.ApproximateFirstReceiveTimestamp ?? '0',
    },
    messageAttributes: {},
    md5OfBody: MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: 'us-east-1',
  };
}

import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

/** Timeout of one SQS request. The SDK makes up to three attempts. */
export const QUEUE_TIMEOUT_MS = 5_000;

export const MAX_DELAY_SECONDS = 15 * 60;

export interface Job {
  readonly body: object;
  /** Message group. SQS fair queues divide their capacity between the groups. */
  readonly group: string;
  /** Delay before the first delivery, in seconds. At most `MAX_DELAY_SECONDS`. */
  readonly delaySeconds?: number;
}

export interface Queues {
  /** Queues all jobs in batches of ten. @throws if SQS rejects a job; other jobs may be queued already. */
  send(queue: string, jobs: readonly Job[]): Promise<void>;
  /** Hides a received job from workers for `seconds` (at most 43,200). */
  postpone(queue: string, receiptHandle: string, seconds: number): Promise<void>;
}

export function newSqsClient(endpoint?: string): SQSClient {
  return new SQSClient({
    ...(endpoint && { endpoint }),
    // Otherwise, the SDK uses the host in the queue's URL and ignores AWS_ENDPOINT_URL.
    useQueueUrlAsEndpoint: false,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: QUEUE_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
}

export function openQueues(urlOf: (queue: string) => string, endpoint?: string): Queues {
  const client = newSqsClient(endpoint);
  return { send, postpone };

  async function send(queue: string, jobs: readonly Job[]) {
    const batches = Array.from({ length: Math.ceil(jobs.length / BATCH) }, (_, n) =>
      jobs.slice(n * BATCH, (n + 1) * BATCH),
    );
    await Promise.all(batches.map((batch) => sendBatch(queue, batch)));
  }

  async function sendBatch(queue: string, batch: readonly Job[]) {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: urlOf(queue),
        Entries: batch.map(({ body, group, delaySeconds }, n) => ({
          Id: String(n),
          MessageBody: JSON.stringify(body),
          MessageGroupId: group,
          DelaySeconds: delaySeconds,
        })),
      }),
    );
    // A batch request succeeds even if some entries are rejected.
    if (Failed.length > 0)
      throw new Error(`The queue ${queue} rejected ${Failed.length} of ${batch.length} jobs: ${Failed[0]?.Code}`);
  }

  async function postpone(queue: string, receiptHandle: string, seconds: number) {
    await client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: urlOf(queue),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }),
    );
  }
}

const BATCH = 10;

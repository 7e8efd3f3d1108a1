import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

/** For one request to SQS; the SDK makes three before it gives up. */
export const QUEUE_TIMEOUT_MS = 5_000;

/** The longest delay of a new job in SQS. */
export const MAX_DELAY_SECONDS = 15 * 60;

export interface Job {
  readonly body: object;
  /** Jobs of one group share the queue fairly with those of others (SQS fair queues). */
  readonly group: string;
  /** How long it is delayed before it is delivered the first time, at most `MAX_DELAY_SECONDS`. */
  readonly delaySeconds?: number;
}

export interface Queues {
  /** Queues all jobs, in batches of ten. @throws if any was not accepted; those before it may have been. */
  send(queue: string, jobs: readonly Job[]): Promise<void>;
  /** Hides a received job for `seconds` (at most 43,200) from now. */
  postpone(queue: string, receiptHandle: string, seconds: number): Promise<void>;
}

/** `endpoint` is the local queue server's; on AWS it is left out. */
export function newSqsClient(endpoint?: string): SQSClient {
  return new SQSClient({
    ...(endpoint && { endpoint }),
    // Otherwise a queue's URL would say where to go, past AWS_ENDPOINT_URL.
    useQueueUrlAsEndpoint: false,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: QUEUE_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
}

/** `endpoint` is the local queue server's; on AWS it is left out. */
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
    // A batch can succeed with some of its entries refused.
    if (Failed.length > 0)
      throw new Error(`${queue} refused ${Failed.length} of ${batch.length} jobs: ${Failed[0]?.Code}`);
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

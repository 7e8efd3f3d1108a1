import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { deadLettersOf } from '../../shared/runtime/stage/names.ts';
import { visibilityTimeoutSeconds } from '../../shared/runtime/triggers/queue.ts';
import type { CompleteRow, QueueRow, Queue as Rules } from '../../shared/runtime/triggers/row.ts';
import type { Settings } from './settings.ts';

export interface ServiceQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/**
 * Creates a standard queue with a dead-letter queue. FIFO is unnecessary: workers claim a job's text in the table
 * before they send it.
 */
export function createQueue(
  scope: Construct,
  settings: Settings,
  name: string,
  { rules, consumer }: { readonly rules: Rules; readonly consumer: Pick<CompleteRow, 'timeoutSeconds'> },
): ServiceQueue {
  const deadLetters = createDeadLetters(scope, settings, name, rules.deadLetterRetentionDays);
  const queue = new Queue(scope, name, {
    queueName: `${settings.name}-${name}`,
    visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds(consumer.timeoutSeconds)),
    // SQS's maximum. Expired messages do not become dead letters.
    retentionPeriod: Duration.days(14),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: rules.maxReceiveCount },
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  });
  return { queue, deadLetters };
}

export function createDeadLetters(scope: Construct, settings: Settings, of: string, retentionDays: number): Queue {
  return new Queue(scope, deadLettersOf(of), {
    queueName: `${settings.name}-${deadLettersOf(of)}`,
    retentionPeriod: Duration.days(retentionDays),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  });
}

export function feedFromQueue({ queue }: ServiceQueue, fn: LambdaFunction, row: QueueRow, settings: Settings): void {
  const concurrency: Readonly<Record<string, number | undefined>> = settings.queueConcurrency;
  fn.addEventSource(
    new SqsEventSource(queue, {
      batchSize: row.batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: concurrency[row.queue],
    }),
  );
}

export function queueNamed(name: string, queues: ReadonlyMap<string, ServiceQueue>): ServiceQueue {
  const found = queues.get(name);
  if (!found) throw new Error(`The manifest has no queue ${name}. Add it to \`queues\`.`);
  return found;
}

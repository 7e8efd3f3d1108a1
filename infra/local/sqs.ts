import { startFauxqs } from 'fauxqs';
import { manifest, queues } from '../../functions/manifest.ts';
import { queueUrlVariable } from '../../shared/runtime/outside/environment.ts';
import { consumerOf } from '../../shared/runtime/triggers/complete-row.ts';
import { visibilityTimeoutSeconds } from '../../shared/runtime/triggers/queue.ts';

export interface LocalSqs {
  readonly endpoint: string;
  /** The environment variables that tell functions where the queues are. */
  readonly environment: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts an SQS protocol server with every queue of the manifest and its dead-letter queue. In memory. */
export async function startSqs(): Promise<LocalSqs> {
  const server = await startFauxqs({ port: 0, logger: false, host: 'localhost' });
  const environment: Record<string, string> = {};
  for (const [name, { maxReceiveCount }] of Object.entries(queues)) {
    const deadLetters = server.createQueue(`${name}-dead-letters`);
    const { queueUrl } = server.createQueue(name, {
      attributes: {
        VisibilityTimeout: String(visibilityTimeoutSeconds(consumerOf(manifest, name).timeoutSeconds)),
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetters.queueArn, maxReceiveCount: maxReceiveCount }),
      },
    });
    environment[queueUrlVariable(name)] = queueUrl;
  }
  return { endpoint: server.address, environment, stop: () => server.stop() };
}

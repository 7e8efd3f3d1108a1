import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { manifest, queues } from '../../functions/manifest.ts';
import { queueUrlVariable } from '../../shared/runtime/outside/environment.ts';
import { deadLettersOf } from '../../shared/runtime/stage/names.ts';
import { consumerOf } from '../../shared/runtime/triggers/complete-row.ts';
import { visibilityTimeoutSeconds } from '../../shared/runtime/triggers/queue.ts';
import { foreignRequest } from './loopback.ts';

const REGION = 'us-east-1';

/**
 * Starts an in-memory SQS server with all queues and dead-letter queues in the manifest. `environment` contains their
 * URLs.
 */
export async function startSqs() {
  const server = buildApp({ logger: false, host: 'localhost', defaultRegion: REGION });
  server.addHook('onRequest', async ({ raw }, reply) => {
    const foreign = foreignRequest(raw);
    if (foreign) return reply.code(403).send({ __type: 'AccessDenied', message: foreign });
  });
  // The package's own start function listens on every interface.
  const endpoint = await server.listen({ port: 0, host: '127.0.0.1' });
  const client = new SQSClient({
    endpoint,
    region: REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const create = async (QueueName: string, Attributes: Record<string, string> = {}) => {
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName, Attributes }));
    if (!QueueUrl) throw new Error(`The queue ${QueueName} was not created`);
    return QueueUrl;
  };
  const environment: Record<string, string> = {};
  for (const [name, { maxReceiveCount }] of Object.entries(queues)) {
    await create(deadLettersOf(name));
    const deadLetterTargetArn = `arn:aws:sqs:${REGION}:000000000000:${deadLettersOf(name)}`;
    environment[queueUrlVariable(name)] = await create(name, {
      VisibilityTimeout: String(visibilityTimeoutSeconds(consumerOf(manifest, name).timeoutSeconds)),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
    });
  }
  client.destroy();
  return { endpoint, environment, stop: async () => void (await server.close()) };
}

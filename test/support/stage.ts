import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import { connectGateway } from '../../infra/admin/connect-gateway.ts';
import { setAccount, setSigningKey } from '../../shared/phones/gateway/manage-accounts.ts';
import { deadLettersOf } from '../../shared/runtime/stage/names.ts';
import { setWebhook } from './actions.ts';
import { deploymentOf, healthyAws, startQueues } from './deployment.ts';
import { GATEWAY_URL, startGateway, type TestGateway } from './smsgate.ts';
import { healthyTable, streamsClient, type TableFacts, tableClient } from './table-client.ts';
import {
  callWorker,
  createMerchant,
  createSender,
  createWorld,
  SIGNING_KEYS,
  type TestMerchant,
  type World,
} from './world.ts';

/** A healthy deployed stage with fakes of AWS and the gateway. Tests can break one part. */
export interface Stage {
  readonly world: World;
  readonly deployment: ReturnType<typeof deploymentOf>;
  readonly aws: ReturnType<typeof healthyAws>;
  readonly table: TableFacts;
  readonly gateway: TestGateway;
  readonly merchant: TestMerchant;
  /** The API's response to an unknown path. Undefined if the API is down. */
  api: (() => Response) | undefined;
  hangs: boolean;
  /** Milliseconds by which the machine's and the gateway's clocks are ahead of AWS. */
  readonly aheadMs: { machine: number; gateway: number };
}

export const SENDER = '+233241234567';

export async function createStage(): Promise<Stage> {
  const world = await createWorld({ inMemory: true });
  const table = healthyTable();
  const aws = healthyAws();
  const queues = await startQueues();
  for (const reader of ['work-relay', 'work-follow-up'])
    await queues.client.send(new CreateQueueCommand({ QueueName: deadLettersOf(reader) }));
  const aheadMs = { machine: 0, gateway: 0 };
  const deployment = deploymentOf(world, {
    aws,
    queues,
    table: { client: tableClient(table), name: 'momo-kiosk-test', keepsData: true },
    streams: streamsClient(table),
    outside: { ...world.outside, now: () => world.clock.nowMs + aheadMs.machine },
  });
  world.outside.secret = async () => deployment.secret.text;
  const gateway = startGateway(world);
  await createSender(world, SENDER);
  const merchant = await createMerchant(world);
  await setWebhook(world.outside, { merchant_id: merchant.id, key_kind: 'live' }, 'https://shop.example.com/hooks');
  await setAccount(deployment, 'phone', { url: GATEWAY_URL, username: 'ama', password: 'canary-password' });
  await setSigningKey(deployment, 'phone', 'device-1', SIGNING_KEYS.phone['device-1']);
  gateway.devices = [{ id: 'device-1', name: 'Desk', lastSeen: world.iso() }];
  await connectGateway(deployment, 'phone');
  await callWorker(world, housekeeping);

  const stage: Stage = { world, deployment, aws, table, gateway, merchant, aheadMs, api: notFound, hangs: false };
  const answer = world.gateway;
  world.gateway = async (request) => {
    const isForGateway = request.url.startsWith(GATEWAY_URL);
    if (isForGateway && stage.hangs) throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    if (isForGateway) return dated(await answer(request), aheadMs.gateway);
    if (!stage.api) throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
    return dated(stage.api(), 0);
  };
  return stage;

  function dated(response: Response, ahead: number): Response {
    response.headers.set('date', new Date(world.clock.nowMs + ahead).toUTCString());
    return response;
  }
}

function notFound(): Response {
  return Response.json({ status: false, code: 'not_found' }, { status: 404 });
}

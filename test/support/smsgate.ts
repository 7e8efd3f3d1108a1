import type { World } from './world.ts';

export interface TestGateway {
  devices: { id: string; name: string | null; lastSeen: string; simCards?: { simNumber: number }[] }[];
  webhooks: { id: string; url: string; event: string; deviceId: null }[];
}

export const GATEWAY_URL = 'https://gateway.example.com/3rdparty/v1';

export function startGateway(world: World): TestGateway {
  const gateway: TestGateway = { devices: [], webhooks: [] };
  world.gateway = async (request) => {
    const path = request.url.replace(GATEWAY_URL, '');
    if (path === '/devices') return Response.json(gateway.devices);
    if (request.method === 'DELETE') {
      gateway.webhooks = gateway.webhooks.filter(({ id }) => path !== `/webhooks/${id}`);
      return new Response(null, { status: 204 });
    }
    if (request.method === 'POST') {
      const { id, url, event }: Record<'id' | 'url' | 'event', string> = JSON.parse(await request.text());
      gateway.webhooks = [...gateway.webhooks.filter((one) => one.id !== id), { id, url, event, deviceId: null }];
    }
    return Response.json(gateway.webhooks, { status: request.method === 'POST' ? 201 : 200 });
  };
  return gateway;
}

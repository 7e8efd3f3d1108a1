import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { listenHere } from '../loopback.ts';

const Event = z.object({ type: z.string(), data: z.looseObject({ reference: z.optional(z.string()) }) });
type Event = z.infer<typeof Event>;

export interface ShopServer {
  readonly url: string;
  secret: string | undefined;
  readonly believed: Event[];
  stop(): Promise<void>;
}

export async function startShopServer(): Promise<ShopServer> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    try {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      new Webhook(shop.secret ?? '').verify(body, headers);
      shop.believed.push(Event.parse(JSON.parse(body)));
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  const { port, stop } = await listenHere(server);
  const shop: ShopServer = {
    url: `http://127.0.0.1:${port}/momo`,
    secret: undefined,
    believed: [],
    stop,
  };
  return shop;
}

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { orders, pageFor, receive } from '../shop.js';

const app = new Hono();

app.post('/buy/:order', async (context) => {
  const order = context.req.param('order');
  if (!orders.has(order)) return context.notFound();
  const page = await pageFor(order);
  if (!page) return context.text('Paying does not work at the moment. Please try again later.', 502);
  return context.redirect(page, 303);
});

app.post('/webhook', async (context) =>
  context.body(null, await receive(await context.req.arrayBuffer(), context.req.raw.headers)),
);

app.get('/orders/:order', (context) => {
  const order = orders.get(context.req.param('order'));
  return order ? context.json(order) : context.notFound();
});

// At the edge, use `export default app` with the keys from its environment.
serve({ fetch: app.fetch, port: Number(process.env.PORT) });

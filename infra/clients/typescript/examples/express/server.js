import express from 'express';
import { orders, pageFor, receive } from '../shop.js';

// Works with Express 5 and 4. In Express 4, an uncaught error in an async handler ends the process.
const app = express();

app.post('/buy/:order', async (request, response) => {
  const { order } = request.params;
  if (!orders.has(order)) return response.sendStatus(404);
  const page = await pageFor(order);
  if (!page) return response.status(502).send('Paying does not work at the moment. Please try again later.');
  response.redirect(303, page);
});

// Keep this body unparsed: the signature covers the raw bytes.
app.post('/webhook', express.raw({ type: '*/*' }), async (request, response) => {
  response.sendStatus(await receive(request.body, request.headers));
});

app.get('/orders/:order', (request, response) => {
  const order = orders.get(request.params.order);
  return order ? response.json(order) : response.sendStatus(404);
});

app.listen(process.env.PORT);

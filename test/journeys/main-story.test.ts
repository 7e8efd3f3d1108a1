import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { createCharge, sendText, setWebhook, showCharge } from '../../infra/local/story/steps.ts';
import { launchBrowser } from '../support/browser.ts';
import { PATIENCE, textsArrive } from '../support/http.ts';
import { startLocalStack } from '../support/local-stack.ts';
import { postJson, startServer } from '../support/server.ts';
import { shopOf } from './story.ts';

// The service as `npm start` runs it: HTTP, queues, the stream, a phone and a page in a browser.

const [stack, browser] = await Promise.all([startLocalStack({ environment: { DATABASE: 'memory' } }), launchBrowser()]);
const shop = shopOf(stack.facts);
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

test('a payment turns the page green, opens the shop’s page and reaches its server', async () => {
  const arrived = new EventTarget();
  const server = await startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    response.end('ok');
    if (request.url === '/hooks') arrived.dispatchEvent(new CustomEvent('post', { detail: { headers, body } }));
  });
  const posted = once(arrived, 'post');
  const secret = await setWebhook(shop, `${server.url}/hooks`);
  const charge = await createCharge(shop, { amount: 36, callback_url: `${server.url}/thanks` });
  const page = await browser.newPage();
  await page.goto(charge.authorization_url);
  await page.getByText('Waiting for payment…').waitFor();

  await postJson(`${stack.facts.phone_url}/pay`, { reference: charge.reference, amount: 36, name: 'Kofi Mensah' });

  await page.getByText('Payment received').first().waitFor(PATIENCE);
  await page.waitForURL(`${server.url}/thanks?**`, PATIENCE);
  const [{ detail }] = await posted;
  const data = await showCharge(shop, charge.reference);
  expect(data).toMatchObject({ status: 'success', amount_paid: 36, payment: { proof: { state: 'proven' } } });
  expect(new Webhook(secret).verify(detail.body, detail.headers)).toMatchObject({ type: 'charge.success', data });
  await server.stop();
});

test('a text leaves through the phone', async () => {
  const { from } = await sendText(shop, { to: '0551234567', message: 'Your order is ready' });
  const [sent] = await textsArrive(stack, 'Your order is ready', 1);
  expect(sent).toMatchObject({ to: '+233551234567', from });
});

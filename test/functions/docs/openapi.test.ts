import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { WebhookEventType } from '../../../shared/webhook/event.ts';
import { scene } from '../../support/scene.ts';

const world = await scene({ inMemory: true });

test('the served document is OpenAPI 3.1 with its own origin', async () => {
  const answer = await world.call('docs/openapi');
  expect({ status: answer.status, contentType: answer.headers['content-type'] }).toEqual({
    status: 200,
    contentType: 'application/json; charset=utf-8',
  });
  expect(answer.json).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: { title: 'Momo Kiosk', version: packageJson.version },
    servers: [{ url: 'https://pay.example.com' }],
  });
  expect(Object.keys(answer.json.webhooks)).toHaveLength(WebhookEventType.options.length);
});

test('the document is compressed for clients that accept gzip', async () => {
  const plain = await world.call('docs/openapi');
  const zipped = await world.call('docs/openapi', { headers: { 'accept-encoding': 'br, gzip;q=0.8' } });
  expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(zipped.json).toEqual(plain.json);
  expect(zipped.bytes).toBeLessThan(plain.bytes / 5);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebhookSignatureError, webhooks } from 'momo-kiosk-client';
import { Webhook } from 'standardwebhooks';

const secret = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`;
const body = JSON.stringify({
  type: 'webhook.test',
  timestamp: '2026-11-20T08:30:00.000Z',
  livemode: false,
  data: { message: 'Akwaaba – ₵' },
});

test('signatures are compatible with the Standard Webhooks library', async () => {
  const now = new Date();
  const signature = new Webhook(secret).sign('evt_1', now, body);
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signature,
  };
  const expected = { ...JSON.parse(body), id: 'evt_1' };
  const asSent = Object.entries(headers).map(([name, value]) => [
    name.replace(/\b[a-z]/g, (a) => a.toUpperCase()),
    value,
  ]);
  const inLists = asSent.map(([name, value]) => [name, [value]]);
  for (const received of [body, Buffer.from(body), new Uint8Array(Buffer.from(body)).buffer])
    for (const given of [headers, new Headers(headers), Object.fromEntries(asSent), Object.fromEntries(inLists)])
      assert.deepEqual(await webhooks.verify(received, given, secret), expected);
  const signed = await webhooks.sign(body, secret);
  assert.deepEqual(new Webhook(secret).verify(body, signed), JSON.parse(body));
});

test('one valid signature is enough during a rotation', async () => {
  const other = `whsec_${Buffer.from('another of twenty-four!!').toString('base64')}`;
  const headers = await webhooks.sign(body, secret);
  const rolled = { ...headers, 'webhook-signature': `v1a,AAAA v1,@@ v1,AAAA ${headers['webhook-signature']}` };
  assert.ok(await webhooks.verify(body, rolled, secret));
  const { 'webhook-signature': signature, ...others } = headers;
  assert.ok(await webhooks.verify(body, { ...others, 'Webhook-Signature': ['v1,AAAA', signature] }, secret));
  assert.ok(await webhooks.verify(body, headers, [other, secret]));
  await assert.rejects(webhooks.verify(body, headers, [other]), WebhookSignatureError);
});

test('a changed, old, future or unsigned request is rejected', async () => {
  const headers = await webhooks.sign(body, secret);
  const seconds = Math.floor(Date.now() / 1000);
  const refused = (given: object, changed = body) =>
    assert.rejects(webhooks.verify(changed, { ...headers, ...given }, secret), WebhookSignatureError);
  await refused({}, body.replace('false', 'true'));
  await refused({ 'webhook-id': 'evt_2' });
  await refused({ 'webhook-timestamp': String(seconds - 1) });
  await refused(await webhooks.sign(body, secret, { timestamp: seconds - 310 }));
  await refused(await webhooks.sign(body, secret, { timestamp: seconds + 310 }));
  await refused({ 'webhook-timestamp': 'soon' });
  await refused({ 'webhook-timestamp': '' });
  await refused({ 'webhook-signature': undefined });
  await refused({ 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') });
  await refused({ 'webhook-signature': 'v1,' });
  const old = await webhooks.sign(body, secret, { timestamp: seconds - 310 });
  assert.ok(await webhooks.verify(body, old, secret, { toleranceSeconds: 600 }));
});

test('the error about an invalid call names the argument', async () => {
  const headers = await webhooks.sign(body, secret);
  await assert.rejects(webhooks.verify(JSON.parse(body), headers, secret), /the request’s bytes as received/);
  for (const wrong of ['', 'whsec_', 'whsec_@', undefined as unknown as string])
    await assert.rejects(webhooks.verify(body, headers, wrong), /is not a webhook secret/);
});

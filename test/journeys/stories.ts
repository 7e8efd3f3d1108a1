import assert from 'node:assert/strict';
import {
  createCharge,
  pageStatus,
  setWebhook,
  showCharge,
  showText,
  testWebhook,
  until,
} from '../../infra/local/story/steps.ts';
import { requestAt } from '../support/request.ts';
import { CHARGE, data, initialize, refused, type Story, story } from './story.ts';

/** Stories that need only HTTP and a merchant's keys. */
export const stories: readonly Story[] = [
  story('an unknown route and a missing key answer with the error envelope', [], async (kiosk) => {
    await refused(kiosk, '/api/v2/sms/send', {}, 404, 'not_found');
    await refused(kiosk, '/api/v1/transaction/initialize', {}, 405, 'method_not_allowed');
    await refused(kiosk, '/api/v1/transaction/initialize', { body: CHARGE }, 401, 'unauthorized');
    await refused(kiosk, '/api/v1/sms/from', { key: 'sk_sms_of_nobody' }, 401, 'unauthorized');
  }),

  story('a path is decoded before routing, and a body over 6 MB does not reach a function', [], async (kiosk) => {
    for (const path of ['/api/v1/sms/fr%6Fm', '/api/v1/sms%2Ffrom']) {
      await refused(kiosk, path, {}, 401, 'unauthorized');
    }
    const large = await fetch(`${kiosk.baseUrl}/api/v1/sms/send`, { method: 'POST', body: 'x'.repeat(6_500_000) });
    assert.deepEqual([large.status, Object.keys(JSON.parse(await large.text()))], [413, ['message']]);
  }),

  story('the reference page and document show the service’s own URL', [], async (kiosk) => {
    const page = await requestAt(kiosk.baseUrl, '/docs');
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.ok(page.text.includes(`${kiosk.baseUrl}/api/v1/transaction/initialize`));
    const { json } = await requestAt(kiosk.baseUrl, '/openapi.json');
    assert.deepEqual(json.servers, [{ url: kiosk.baseUrl }]);
  }),

  story('a key of one kind does not open the other’s routes', ['liveKey', 'smsKey'], async (kiosk) => {
    await refused(kiosk, '/api/v1/sms/from', { key: kiosk.liveKey }, 401, 'unauthorized');
    await refused(kiosk, '/api/v1/transaction', { key: kiosk.smsKey }, 401, 'unauthorized');
  }),

  story('a charge is created, verified and listed, with a page and a short link', ['liveKey'], async (kiosk) => {
    const charge = await initialize(kiosk);
    assert.match(charge.reference, /^[A-Z]{2}-\d{10}$/);
    assert.equal(charge.amount, CHARGE.amount);
    assert.equal(charge.currency, 'GHS');
    assert.equal(charge.authorization_url, `${kiosk.baseUrl}/checkout/${charge.access_code}`);
    const verified = await showCharge(kiosk, charge.reference);
    assert.deepEqual([verified.status, verified.customer_name], ['pending', CHARGE.customer_name]);
    const { transactions: charges } = await data(kiosk, '/api/v1/transaction', { key: kiosk.liveKey });
    assert.ok(
      charges.some((one: { reference: string }) => one.reference === charge.reference),
      'the list of charges lacks the new charge',
    );

    const page = await requestAt(kiosk.baseUrl, `/checkout/${charge.access_code}`);
    assert.equal(page.status, 200);
    for (const words of [charge.reference, CHARGE.description]) {
      assert.ok(page.text.includes(words), `the page does not say ${words}`);
    }
    assert.equal(await pageStatus(kiosk, charge.access_code), 'pending');
    const link = await requestAt(kiosk.baseUrl, `/c/${charge.access_code}`);
    assert.deepEqual([link.status, link.headers.get('location')], [302, charge.authorization_url]);
  }),

  story('metadata is returned exactly as written', ['liveKey'], async (kiosk) => {
    const metadata = '{"id":12345678901234567890,"price":1.10}';
    const { reference } = await createCharge(kiosk, `{"amount":1,"metadata":${metadata}}`);
    const { text } = await requestAt(kiosk.baseUrl, `/api/v1/transaction/verify/${reference}`, { key: kiosk.liveKey });
    assert.ok(text.includes(`"metadata":${metadata},`), `the metadata came back as ${text}`);
  }),

  story('an invalid charge is refused with the name of its field', ['liveKey'], async (kiosk) => {
    const path = '/api/v1/transaction/initialize';
    for (const [body, field] of [
      [{ amount: 0 }, 'amount'],
      [{ amount: 1.005 }, 'amount'],
      [{ amount: 100_001 }, 'amount'],
      [{ amount: 1, callback_url: 'http://shop.example.com' }, 'callback_url'],
    ] as const) {
      const { errors } = await refused(kiosk, path, { key: kiosk.liveKey, body }, 400, 'invalid_request');
      assert.equal(errors[0].field, field);
    }
    await refused(kiosk, path, { key: kiosk.liveKey, body: '{"amount":' }, 400, 'malformed_json');
  }),

  story('a repeated Idempotency-Key returns the same charge', ['liveKey'], async (kiosk) => {
    const headers = { 'idempotency-key': `journey-${crypto.randomUUID()}` };
    const path = '/api/v1/transaction/initialize';
    const call = (body: object) => requestAt(kiosk.baseUrl, path, { key: kiosk.liveKey, headers, body });
    const first = await call(CHARGE);
    const second = await call(CHARGE);
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(second.text, first.text);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    const other = await call({ ...CHARGE, amount: 2 });
    assert.deepEqual([other.status, other.json.code], [422, 'idempotency_key_reused']);
  }),

  story('a number to send from is available', ['smsKey', 'sends'], async (kiosk) => {
    const { senders } = await data(kiosk, '/api/v1/sms/from', { key: kiosk.smsKey });
    assert.ok(
      senders.some(({ available }: { available: boolean }) => available),
      'no sender is available: npm run admin -- doctor says why',
    );
  }),

  story('an invalid text is refused with the name of its field', ['smsKey'], async (kiosk) => {
    const message = 'This is never sent';
    for (const [body, field] of [
      [{ to: '12', message }, 'to[0]'],
      [{ to: [], message }, 'to'],
      [{ to: '0241234567', message: ' ' }, 'message'],
      [{ to: '0241234567', message: 'x'.repeat(1001) }, 'message'],
      [{ to: '0241234567', message, from: 'Ama Stores' }, 'from'],
    ] as const) {
      const options = { key: kiosk.smsKey, body };
      const { errors } = await refused(kiosk, '/api/v1/sms/send', options, 400, 'invalid_request');
      assert.equal(errors[0].field, field);
    }
  }),

  story('a text is sent once, shown and listed', ['smsKey', 'sends', 'to'], async (kiosk) => {
    const headers = { 'idempotency-key': `journey-${crypto.randomUUID()}` };
    const body = { to: kiosk.to, message: 'A journey of Momo Kiosk.', metadata: { journey: true } };
    const call = () => requestAt(kiosk.baseUrl, '/api/v1/sms/send', { key: kiosk.smsKey, headers, body });
    const first = await call();
    assert.equal(first.status, 200, first.text);
    const sent = first.json.data;
    assert.deepEqual([sent.to, sent.count, sent.status], [[kiosk.to], 1, 'pending']);
    assert.equal(first.json.message, `Queued SMS from ${sent.from}`);
    assert.equal((await call()).text, first.text, 'a repeat under its Idempotency-Key got another answer');

    const shown = await until(
      kiosk,
      () => showText(kiosk, sent.id),
      ({ status }) => /^(sent|delivered|failed)$/.test(status),
    );
    assert.match(
      shown.status,
      /^(sent|delivered)$/,
      `the text is ${shown.status}: ${shown.failure_reason ?? 'no phone has taken it'}`,
    );
    assert.deepEqual(shown.metadata, { journey: true });
    const list = await data(kiosk, '/api/v1/sms', { key: kiosk.smsKey });
    assert.ok(JSON.stringify(list).includes(sent.id), 'the list of texts lacks the one just sent');
  }),

  story('a webhook is set, tested and restored', ['liveKey', 'receiver'], async (kiosk) => {
    const path = '/api/v1/webhook';
    const { liveKey: key, receiver } = kiosk;
    const before = await requestAt(kiosk.baseUrl, path, { key });
    // The current setting is restored at the end.
    assert.ok([200, 404].includes(before.status), `GET ${path} answered ${before.status}: ${before.text}`);
    try {
      await setWebhook(kiosk, receiver);
      assert.equal((await data(kiosk, path, { key })).url, receiver);
      const id = await testWebhook(kiosk);
      const read = () => data(kiosk, `${path}/event/${id}`, { key });
      const event = await until(kiosk, read, ({ attempts }) => attempts.length > 0);
      const answered = JSON.stringify(event.attempts);
      assert.equal(event.status, 'delivered', `the receiver must answer 2xx; the tries: ${answered}`);
    } finally {
      if (before.status === 200) await setWebhook(kiosk, before.json.data.url);
      else await requestAt(kiosk.baseUrl, path, { key, method: 'DELETE' });
    }
  }),

  story('a charge is paid and its page shows the payment', ['liveKey', 'pay'], async (kiosk) => {
    const charge = await initialize(kiosk, { amount: 1, description: 'A journey, to be paid' });
    await kiosk.pay(charge);
    const paid = await until(
      kiosk,
      () => showCharge(kiosk, charge.reference),
      ({ status }) => status !== 'pending',
    );
    assert.equal(paid.status, 'success');
    assert.equal(paid.amount, 1);
    assert.equal(await pageStatus(kiosk, charge.access_code), 'success');
  }),
];

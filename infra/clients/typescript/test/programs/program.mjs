import { MomoKiosk, testNumbers, webhooks } from 'momo-kiosk-client';

/**
 * Runs the same steps on every runtime: creates, pays and lists a charge, looks up an unknown charge, sends a text, and
 * verifies webhooks.
 */
export async function useClient({ baseUrl, secretKey, smsSecretKey }) {
  const momo = new MomoKiosk({ baseUrl, secretKey, smsSecretKey });
  const { reference } = await momo.transaction.initialize({ amount: '36.50', customer_name: 'Kofi Mensah' });
  await momo.test.simulate(reference, { outcome: 'paid' });
  const { status, amount } = await momo.transaction.verify(reference);
  let newest;
  for await (const charge of momo.transaction.list({ per_page: 1 })) {
    newest = charge;
    break;
  }
  const text = await momo.sms.send({ to: testNumbers.delivered, message: 'Akwaaba' });
  const error = await momo.transaction.verify('MK-0000000000').catch(({ name, code }) => ({ name, code }));
  const secret = `whsec_${btoa('twenty-four bytes of it!')}`;
  const body = JSON.stringify({ type: 'charge.success', data: { reference } });
  const signed = new Headers(await webhooks.sign(body, secret, { id: 'evt_1' }));
  const event = await webhooks.verify(body, signed, secret);
  const forged = await webhooks.verify(`${body} `, signed, secret).catch(({ name }) => name);
  return { reference, status, amount, listed: typeof newest.reference, texts: text.count, error, event, forged };
}

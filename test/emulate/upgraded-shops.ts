import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import {
  addCodes,
  askForText,
  assignReceipt,
  type CallInput,
  type Client,
  cancelCharge,
  claimPayment,
  createCharge,
  createLink,
  createRequest,
  findReceipt,
  overHttp,
  type RouteName,
  refund,
  sendBulk,
  sendCode,
  sendText,
  setWebhook,
  showCharge,
  showText,
  simulateOutcome,
  storeContacts,
  testWebhook,
  until,
} from '../../infra/local/story/steps.ts';
import { Visitor } from '../../infra/local/story/visitor.ts';
import { postJson } from '../support/server.ts';
import { RECEIVER } from './internet.ts';

/** Shops on the stage of `npm run prove -- upgrade`, and what they and their customers do there. */

export interface Shop extends Client {
  /** The URL of the phone's page. */
  readonly phoneUrl: string;
  readonly simNumber: number;
}

export interface Keys {
  readonly live: string;
  readonly sms: string;
  readonly test: string;
}

/** Workers on the emulator are slower than on AWS. */
export const PATIENT = { patienceMs: 180_000 };

const Envelope = z.looseObject({ data: z.unknown() });
const Paid = z.looseObject({ transaction_id: z.string() });

export function shopAt(api: string, phone: Pick<Shop, 'phoneUrl' | 'simNumber'>, keys: Keys): Shop {
  return {
    ...phone,
    async ask(route: RouteName, input: CallInput = {}) {
      const { path, method, kind, headers } = overHttp(route, input);
      const { body, key = kind && keys[kind] } = input;
      const response = await fetch(`${api}${path}`, {
        method,
        headers: {
          ...headers,
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${route} answered ${response.status}: ${text.slice(0, 300)}`);
      return Envelope.parse(JSON.parse(text)).data;
    },
  };
}

/** Pays from a customer's phone. Returns the network's id of the payment. */
export async function pay(
  { phoneUrl, simNumber }: Shop,
  payment: { reference?: string; name?: string; amount: number },
): Promise<string> {
  const response = await postJson(`${phoneUrl}/pay`, { name: 'Kofi Mensah', simNumber, ...payment });
  return Paid.parse(await response.json()).transaction_id;
}

export async function settled(shop: Shop, reference: string, status: string): Promise<void> {
  const charge = await until(
    PATIENT,
    () => showCharge(shop, reference),
    (found) => found.status === status,
  );
  assert.equal(charge.status, status, `The charge ${reference} is ${charge.status}`);
}

/** Creates data of many kinds through the API, the pages and the phone, and waits until all of it is settled. */
export async function fill(shop: Shop, keys: Keys): Promise<void> {
  await setWebhook(shop, RECEIVER);
  await testWebhook(shop);
  await takePayments(shop);
  await findPayers(shop);
  await sellByPage(shop);
  await testAndFail(shop, keys.test);
  await sendTexts(shop);
  const isQuiet = async () => !/"status":"(pending|sending|sent)"/.test(JSON.stringify(await shop.ask('sms/list')));
  assert.ok(await until(PATIENT, isQuiet, (quiet) => quiet), 'Some texts have not been delivered');
  await sleep(20_000);
}

async function takePayments(shop: Shop): Promise<void> {
  const details = { customer_name: 'Kofi Mensah', email: 'kofi@example.com', customer_phone: '0241112222' };
  const order = { merchant_reference: 'A-1', unique_reference: true, description: 'Cloth', metadata: { order: 7 } };
  const whole = await createCharge(shop, { amount: 12, ...details, ...order }, { once: 'order-7' });
  const partly = await createCharge(shop, { amount: 5 });
  const reversed = await createCharge(shop, { amount: 8.88 });
  const cancelled = await createCharge(shop, { amount: 6.66 });
  await createCharge(shop, { amount: 9.99, customer_name: 'Nobody pays' });
  await cancelCharge(shop, cancelled.reference);
  await pay(shop, { reference: whole.reference, amount: 12 });
  await pay(shop, { reference: whole.reference, amount: 12, name: 'Paid twice' });
  await pay(shop, { reference: partly.reference, amount: 2 });
  const transaction_id = await pay(shop, { reference: reversed.reference, amount: 8.88 });
  await settled(shop, whole.reference, 'success');
  await settled(shop, reversed.reference, 'success');
  await postJson(`${shop.phoneUrl}/reverse`, { transaction_id });
  await settled(shop, reversed.reference, 'reversed');
  await refund(shop, whole.reference, { amount: 2 });
}

/** Payments without a reference: by name, by hand, by the customer's claim, and some that remain held or unread. */
async function findPayers(shop: Shop): Promise<void> {
  const named = await createCharge(shop, { amount: 3.33, customer_name: 'Esi Sarpong' });
  const assigned = await createCharge(shop, { amount: 7.77, customer_name: 'Yaw Adjei' });
  const claimed = await createCharge(shop, { amount: 4.44 });
  await pay(shop, { name: 'Esi Sarpong', amount: 3.33 });
  await settled(shop, named.reference, 'success');
  const { reference } = assigned;
  await assignReceipt(shop, await heldReceipt(shop, await pay(shop, { name: 'Efua Sarpong', amount: 7.7 })), {
    reference,
  });
  const transaction_id = await pay(shop, { name: 'Efua Sarpong', amount: 4.44 });
  await heldReceipt(shop, transaction_id);
  await claimPayment(shop, claimed.access_code, { transaction_id, name: 'Efua Sarpong' });
  await settled(shop, claimed.reference, 'success');
  await pay(shop, { name: 'Abena Owusu', amount: 31 });
  await receive(shop, 'MobileMoney', 'Payment received in unknown words');
}

async function sellByPage(shop: Shop): Promise<void> {
  const link = await createLink(shop, { title: 'Show', amount: 25, codes: ['SHOW-A1'], text_codes: true });
  for (const phone of ['0241112222', '0241112223'])
    await pay(shop, { reference: await openedAt(link.url, { phone }), amount: 25 });
  await addCodes(shop, link.slug, ['SHOW-A2', 'SHOW-A3']);
  const request = await createRequest(shop, {
    title: 'Three dresses',
    lines: [{ description: 'Dress', quantity: 3, amount: 100 }],
    customer_name: 'Kojo Appiah',
    customer_phone: '0241112223',
  });
  await pay(shop, { reference: await openedAt(request.url, { amount: '120' }), amount: 120 });
}

async function testAndFail(shop: Shop, key: string): Promise<void> {
  const { reference } = await createCharge(shop, { amount: 1 }, { key });
  await simulateOutcome(shop, reference, 'paid', { key });
  await assert.rejects(createCharge(shop, { amount: -1 }), /400/);
}

async function sendTexts(shop: Shop): Promise<void> {
  const { access_code } = await createCharge(shop, { amount: 11 });
  await askForText(shop, access_code, '0241112224');
  await storeContacts(shop, [{ number: '0551112223', name: 'Ama', consent: { at: '2026-11-20', how: 'On paper' } }]);
  const { id } = await sendText(shop, { to: '0551112223', message: 'One text', metadata: { order: 7 } });
  const recipients = ['0551112223', '0551112224'].map((to) => ({ to, name: 'Ama' }));
  await sendBulk(shop, { message: 'Hello {name}', recipients });
  await sendCode(shop, { to: '0551112225' });
  await until(
    PATIENT,
    () => showText(shop, id),
    ({ status }) => status === 'delivered',
  );
  await receive(shop, '+233551112223', 'Is it open today?');
  await receive(shop, '+233551112224', 'STOP');
}

function receive({ phoneUrl, simNumber }: Shop, sender: string, message: string): Promise<Response> {
  return postJson(`${phoneUrl}/receive`, { sender, message, simNumber });
}

/** Submits the form of a payment page. Returns the reference of the charge. */
async function openedAt(url: string, typed: Readonly<Record<string, string>>): Promise<string> {
  const visitor = new Visitor();
  await visitor.open(url);
  await visitor.press('Pay', typed);
  const [reference] = /MK-\d{10}/.exec(visitor.lines.join('\n').replaceAll(' ', '')) ?? [];
  if (!reference) throw new Error(`${visitor.url} shows no reference: ${visitor.lines.join(' ')}`);
  return reference;
}

/** Returns the id of the receipt for a payment that was held. */
async function heldReceipt(shop: Shop, transactionId: string): Promise<string> {
  const receipt = await until(
    PATIENT,
    () => findReceipt(shop, transactionId),
    (found) => found !== undefined,
  );
  assert.ok(receipt?.status === 'held', `The payment ${transactionId} is not held`);
  return receipt.id;
}

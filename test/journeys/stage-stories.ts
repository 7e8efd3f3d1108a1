import assert from 'node:assert/strict';
import {
  askForCode,
  assignReceipt,
  type Charge,
  type Client,
  claimPayment,
  confirmCode,
  findReceipt,
  setWebhook,
  showCharge,
  until,
} from '../../infra/local/story/steps.ts';
import { requestAt } from '../support/request.ts';
import { CHARGE, data, initialize, type Kiosk, refused, type Story, story } from './story.ts';

/** Stories that also need a stage's operator. */
export const stageStories: readonly Story[] = [
  story('a function can write in a transaction with the rights of its role', ['desk', 'liveKey'], async (kiosk) => {
    const { desk, liveKey: key, patienceMs } = kiosk;
    const { iam } = desk;
    // This header causes a transaction of two rows.
    const headers = { 'idempotency-key': `journey-${crypto.randomUUID()}` };
    const path = '/api/v1/transaction/initialize';
    const { status, text } = await requestAt(kiosk.baseUrl, path, { key, headers, body: CHARGE });
    if (status === 200) return iam && kiosk.note?.(iam.isNarrowed ? SUPPLIED : NOT_NARROWED);
    const refusals = iam ? await until({ patienceMs: 3 * patienceMs }, iam.refusals, (count) => count > 0) : 0;
    const verdict =
      refusals === 0 ? 'IAM refused nothing: the log says why' : iam?.isNarrowed ? NOT_SUPPLIED : FORBIDDEN;
    assert.fail(`${path} answered ${status}. ${verdict}. ${text.slice(0, 500)}`);
  }),

  story('the doctor reports no problems', ['desk'], async ({ desk }) => {
    assert.deepEqual(await desk.faults(), []);
  }),

  story('a text from an unknown phone is rejected', ['desk'], async ({ desk }) => {
    assert.equal(await desk.receiveFromStranger(), 401);
  }),

  story(
    'a text is rejected without credits and accepted after a top-up',
    ['desk', 'smsKey', 'sends'],
    async (kiosk) => {
      const body = { to: kiosk.to ?? '0241234567', message: 'This is never sent' };
      await refused(kiosk, '/api/v1/sms/send', { key: kiosk.smsKey, body }, 402, 'insufficient_credits');
      assert.equal(await kiosk.desk.sellCredits(2), 2);
    },
  ),

  story('two parts pay a charge together', ['desk', 'liveKey'], async (kiosk) => {
    const { reference } = await initialize(kiosk, { amount: 5 });
    await kiosk.desk.receive({ amount: 2, name: 'Kofi Mensah', reference });
    const partly = await settled(kiosk, reference, ({ amount_paid }) => amount_paid > 0);
    assert.deepEqual([partly.status, partly.amount_paid], ['pending', 2]);
    await kiosk.desk.receive({ amount: 3, name: 'Kofi Mensah', reference });
    const paid = await settled(kiosk, reference, ({ status }) => status !== 'pending');
    assert.deepEqual([paid.status, paid.amount_paid], ['success', 5]);
  }),

  story('a payment without a reference pays the charge in the payer’s name', ['desk', 'liveKey'], async (kiosk) => {
    const { reference } = await initialize(kiosk, { amount: 3.33, customer_name: 'Esi Journey' });
    await kiosk.desk.receive({ amount: 3.33, name: 'Esi Journey' });
    const paid = await settled(kiosk, reference, ({ status }) => status !== 'pending');
    assert.deepEqual([paid.status, paid.payment?.matched_by], ['success', 'name']);
  }),

  story('a payment that matches no charge is held and assigned by hand', ['desk', 'liveKey'], async (kiosk) => {
    const { reference } = await initialize(kiosk, { amount: 7.77 });
    const { id } = await held(kiosk, await kiosk.desk.receive({ amount: 7.7, name: 'Efua Sarpong' }));
    await assignReceipt(kiosk, id, { reference });
    const { amount_paid } = await settled(kiosk, reference, ({ amount_paid }) => amount_paid > 0);
    assert.equal(amount_paid, 7.7);
  }),

  story('a customer claims a payment by its id', ['desk', 'liveKey'], async (kiosk) => {
    const { reference, access_code } = await initialize(kiosk, { amount: 4.44 });
    const transaction_id = await kiosk.desk.receive({ amount: 4.44, name: 'Efua Sarpong' });
    await held(kiosk, transaction_id);
    await claimPayment(kiosk, access_code, { transaction_id, name: 'Efua Sarpong' });
    const paid = await settled(kiosk, reference, ({ status }) => status !== 'pending');
    assert.deepEqual([paid.status, paid.payment?.matched_by], ['success', 'claim']);
  }),

  story(
    'a customer claims a payment with a code sent to the paying number',
    ['desk', 'liveKey', 'to'],
    async (kiosk) => {
      const { to: phone } = kiosk;
      const { reference, access_code } = await initialize(kiosk, { amount: 6.66 });
      await held(kiosk, await kiosk.desk.receive({ amount: 6.66, name: 'Efua Sarpong', phone }));
      await askForCode(kiosk, access_code, phone);
      const code = await kiosk.desk.codeTo(phone);
      await confirmCode(kiosk, access_code, { phone, code });
      const paid = await settled(kiosk, reference, ({ status }) => status !== 'pending');
      assert.deepEqual([paid.status, paid.payment?.matched_by], ['success', 'phone']);
    },
  ),

  story('a payment reversed by the network reverses its charge', ['desk', 'liveKey'], async (kiosk) => {
    const { reference } = await initialize(kiosk, { amount: 8.88 });
    const transactionId = await kiosk.desk.receive({ amount: 8.88, name: 'Kofi Mensah', reference });
    assert.equal((await settled(kiosk, reference, ({ status }) => status !== 'pending')).status, 'success');
    await kiosk.desk.takeBack(transactionId);
    assert.equal((await settled(kiosk, reference, ({ status }) => status !== 'success')).status, 'reversed');
  }),

  story(
    'a shop’s server is notified of a payment, and again on request',
    ['desk', 'liveKey', 'receiver'],
    async (kiosk) => {
      const { liveKey: key, receiver } = kiosk;
      const path = '/api/v1/webhook';
      await setWebhook(kiosk, receiver);
      const { reference } = await initialize(kiosk, { amount: 9.99 });
      await kiosk.desk.receive({ amount: 9.99, name: 'Kofi Mensah', reference });
      await settled(kiosk, reference, ({ status }) => status !== 'pending');
      const find = async () => (await data(kiosk, `${path}/event`, { key })).events.find(isOfPayment);
      const { id } = await until(kiosk, find, (found) => found?.status === 'delivered');
      const read = () => data(kiosk, `${path}/event/${id}`, { key });
      const event = await read();
      assert.equal(event.status, 'delivered', `the receiver must answer 2xx: ${JSON.stringify(event.attempts)}`);
      await data(kiosk, `${path}/event/${id}/replay`, { key, body: {} });
      const replayed = await until(kiosk, read, ({ attempts }) => attempts.length > event.attempts.length);
      assert.equal(replayed.attempts.length, event.attempts.length + 1);
      const { secret } = await data(kiosk, `${path}/secret`, { key, body: {} });
      assert.match(secret, /^whsec_/);
      await data(kiosk, path, { key, method: 'DELETE' });
    },
  ),
];

const SUPPLIED = 'This account supplies dynamodb:LeadingKeys in transactions: the conditions of the roles hold.';
const NOT_NARROWED =
  'The stage was deployed with -c leadingKeys=off, so this does not tell whether the account supplies dynamodb:LeadingKeys.';
const NOT_SUPPLIED =
  'IAM refuses what functions write: this account does not supply dynamodb:LeadingKeys in transactions, unless a policy of its own forbids them. Deploy with -c leadingKeys=off, and the rest of the context';
const FORBIDDEN =
  'IAM refuses what functions write, although their roles are not narrowed: look for a permissions boundary or a service control policy';

const isOfPayment = ({ type }: { type: string }) => type === 'charge.success';

/** Waits until a charge meets the condition, for at most `patienceMs`. */
function settled(kiosk: Kiosk & Client, reference: string, isSo: (charge: Charge) => boolean): Promise<Charge> {
  return until(kiosk, () => showCharge(kiosk, reference), isSo);
}

/** Returns the receipt of a held payment. */
async function held(kiosk: Kiosk & Client, transactionId: string): Promise<{ id: string }> {
  const receipt = await until(
    kiosk,
    () => findReceipt(kiosk, transactionId),
    (found) => found !== undefined,
  );
  assert.ok(receipt?.status === 'held', `the payment ${transactionId} is not held`);
  return receipt;
}

import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { receiptWriters } from '../../../infra/phone/payment.ts';
import type { Phone } from '../../../infra/phone/server.ts';
import { readWalletText } from '../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { PATIENCE } from '../../support/http.ts';
import { call, kiosk, mtn, payloadOf, registered, start, telecel, temporaryFolder } from '../../support/phone.ts';
import { postJson } from '../../support/server.ts';

const kente = { reference: 'MK-0123456789', amountPesewas: 3600, momoNumber: mtn.number, network: 'MTN' };
const radio = { reference: 'MK-0000000042', amountPesewas: 4500, momoNumber: telecel.number, network: 'Telecel' };
const Sms = z.object({ sender: z.string(), message: z.string() });
const payment = { reference: kente.reference, name: 'Kofi Mensah', amount: 36 };

describe('a simulated receipt', () => {
  test.each([
    { simNumber: 1, amount: 36, name: 'Kofi Mensah', reference: 'MK-0123456789' },
    { simNumber: 1, amount: 1234.5, name: 'Ɛsi Owusu-Ansah', reference: 'school fees' },
    { simNumber: 1, amount: 0.01, name: "Nana K. O'Neil", reference: '' },
    { simNumber: 1, amount: 1_000_000, name: 'A', reference: 'mk 0123456789!?.' },
    { simNumber: 1, amount: 5, name: 'Yaw  Adjei', reference: 'TRANSACTION FEE: 0.00' },
    { simNumber: 2, amount: 45, name: 'Kojo Ansah', reference: '1' },
    { simNumber: 2, amount: 1234.5, name: 'Ama B.', reference: 'rent, May/June (2).' },
    { simNumber: 2, amount: 0.01, name: 'José Müller 2', reference: '' },
    { simNumber: 2, amount: 0.1, name: 'Kofi of Accra', reference: 'a\nb\tc' },
  ])('is parsed as GHS $amount from $name to SIM $simNumber with the reference "$reference"', async (paid) => {
    const { text, transaction_id } = await pay(await start(), { ...paid, payerPhone: '055 111 2223' });
    const isTelecel = paid.simNumber === 2;
    expect(readWalletText(isTelecel ? 'T-CASH' : 'MobileMoney', text)).toMatchObject({
      kind: 'payment',
      network: isTelecel ? 'TELECEL' : 'MTN',
      amountPesewas: Math.round(paid.amount * 100),
      payerName: paid.name.replace(/\s+/g, ' ').toUpperCase(),
      payerPhone: isTelecel ? '+233551112223' : null,
      reference: paid.reference.replace(/\s+/g, ' ') || null,
      transactionId: transaction_id,
    });
  });

  test('is parsed as a payment for any amount and reference', () => {
    // A full stop after a name cannot be distinguished from MTN's own.
    const names = fc.constantFrom('KOFI', 'ƐSI', "O'NEIL", 'BOATENG-OWUSU', 'K.', 'GHS', '2', 'ON');
    const paid = fc.record({
      amountPesewas: fc.integer({ min: 1, max: 100_000_000 }),
      balancePesewas: fc.integer({ min: 1, max: 1_000_000_000 }),
      payerName: fc.array(names, { maxLength: 4 }).map((words) => [...words, 'MENSAH'].join(' ')),
      payerPhone: fc.integer({ min: 0, max: 999_999_999 }).map((n) => `+233${String(n).padStart(9, '0')}`),
      reference: fc.string({ unit: 'binary', maxLength: 60 }).map((typed) => typed.replace(/\s+/g, ' ').trim()),
      paidAt: fc.date({ min: new Date('2020-01-01'), max: new Date('2099-01-01'), noInvalidDate: true }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...receiptWriters.keys()), paid, (network, payment) => {
        const writer = receiptWriters.get(network);
        const transactionId = writer?.newTransactionId() ?? '';
        const text = writer?.write({ ...payment, transactionId }) ?? '';
        expect(readWalletText(writer?.sender ?? '', text)).toMatchObject({
          kind: 'payment',
          network,
          amountPesewas: payment.amountPesewas,
          payerName: payment.payerName,
          payerPhone: writer?.includesPhone ? payment.payerPhone : null,
          reference: payment.reference || null,
          transactionId,
        });
      }),
    );
  });

  test.each([...receiptWriters.keys()])('has increasing ids, as on the real network: %s', (network) => {
    const ids = Array.from({ length: 20 }, () => receiptWriters.get(network)?.newTransactionId() ?? '');
    expect(new Set(ids).size).toBe(20);
    expect(ids.toSorted()).toEqual(ids);
  });

  test('uses the network’s text template', async () => {
    const phone = await start();
    const { text, transaction_id: id } = await pay(phone, payment);
    expect(text).toBe(
      'Payment received for GHS 36.00 from KOFI MENSAH Current Balance: GHS 173.45 . Available Balance: GHS 173.45. ' +
        `Reference: MK-0123456789. Transaction ID: ${id}. TRANSACTION FEE: 0.00`,
    );
    expect(id).toMatch(/^[1-9]\d{10}$/);
    const other = await pay(phone, { ...payment, simNumber: 2, payerPhone: '0241112223' });
    expect(other.text.replace(/on \d{4}-\d\d-\d\d at \d\d:\d\d:\d\d/, 'on DATE at TIME')).toBe(
      `${other.transaction_id} Confirmed. You have received GHS36.00 from 233241112223 - KOFI MENSAH on DATE at TIME. ` +
        'Your Telecel Cash balance is GHS173.45.\nReference: MK-0123456789.\n' +
        'Stay alert. Never share your PIN or OTP with anyone.',
    );
    expect(other.transaction_id).toMatch(/^0{5}\d{11}$/);
  });

  test('has a unique id and its wallet’s own balance', async () => {
    const phone = await start();
    const first = await pay(phone, { ...payment, amount: 0.1 });
    const second = await pay(phone, { ...payment, amount: 0.2 });
    const elsewhere = await pay(phone, { ...payment, amount: 5, simNumber: 2 });
    expect(first.text).toContain('Current Balance: GHS 137.55 ');
    expect(second.text).toContain('Current Balance: GHS 137.75 ');
    expect(elsewhere.text).toContain('balance is GHS142.45');
    expect(new Set([first, second, elsewhere].map(({ transaction_id }) => transaction_id)).size).toBe(3);
  });
});

describe('a simulated payment', () => {
  test('sends an SMS signed with the phone’s key', async () => {
    const { service, phone } = await registered('sms:received');
    const response = await postJson(`${phone.url}/pay`, payment);
    expect(response.status).toBe(202);
    const answer = JSON.parse(await response.text());
    const deliveries = [{ url: service.url, status: 200 }];
    expect(answer).toEqual({ text: expect.any(String), transaction_id: expect.any(String), deliveries });
    expect(service.posts.map(payloadOf)).toMatchObject([
      { sender: 'MobileMoney', message: answer.text, recipient: mtn.number, simNumber: 1 },
    ]);
    expect(service.posts[0]?.signature).toMatch(/^[\da-f]{64}$/);
  });

  test('is delayed if texts are set to arrive late', async () => {
    const { service, phone } = await registered('sms:received', { lateMs: 1_500 });
    const answer = await pay(phone, { ...payment, late: true });
    expect(answer).toMatchObject({ deliveries: [], late_seconds: 1.5 });
    expect(await received(phone)).toEqual([]);
    const posted = () => service.posts.map((post) => payloadOf(post).message);
    await vi.waitFor(() => expect(posted()).toEqual([answer.text]), PATIENCE);
  });

  test('can be reversed by the network', async () => {
    const { service, phone } = await registered('sms:received');
    for (const simNumber of [1, 2]) {
      const { transaction_id } = await pay(phone, { ...payment, simNumber });
      expect((await call(phone, 'POST', '/reverse', { transaction_id })).status).toBe(202);
      const { sender, message } = z.parse(Sms, service.posts.map(payloadOf).at(-1));
      expect(message).toContain('Current Balance: GHS 137.45');
      const reversal = { kind: 'reversal', transactionIds: [transaction_id], isCertain: true };
      expect(readWalletText(sender, message)).toMatchObject(reversal);
    }
    expect((await call(phone, 'POST', '/reverse', { transaction_id: '50000000001' })).status).toBe(404);
  });

  test('can be refunded to the payer', async () => {
    const { service, phone } = await registered('sms:received');
    for (const simNumber of [1, 2]) {
      const { transaction_id } = await pay(phone, { ...payment, simNumber });
      expect((await call(phone, 'POST', '/send-back', { transaction_id })).status).toBe(202);
      const { sender, message } = z.parse(Sms, service.posts.map(payloadOf).at(-1));
      expect(readWalletText(sender, message)).toMatchObject({
        kind: 'money_out',
        amountPesewas: 3600,
        counterparty: 'KOFI MENSAH',
        balancePesewas: 137_45,
        transactionId: expect.not.stringContaining(transaction_id),
      });
    }
    const { transaction_id } = await pay(phone, payment);
    const part = await call(phone, 'POST', '/send-back', { transaction_id, amount: 5.05 });
    expect(part.json.text).toMatch(/GHS 5\.05 to KOFI MENSAH Current Balance: GHS 168\.40 /);
    expect((await call(phone, 'POST', '/send-back', { transaction_id, amount: 0 })).status).toBe(400);
    expect((await call(phone, 'POST', '/send-back', { transaction_id: '50000000001' })).status).toBe(404);
  });

  test('is forwarded twice if `times` is 2', async () => {
    const { service, phone } = await registered('sms:received');
    const { text, deliveries } = await pay(phone, { ...payment, times: 2 });
    expect(deliveries).toHaveLength(2);
    expect(service.posts.map((post) => payloadOf(post).message)).toEqual([text, text]);
    expect(new Set(service.posts.map(({ event }) => event.id)).size).toBe(2);
    expect(await received(phone)).toHaveLength(1);
  });

  test.each([
    ['the requested SIM', { simNumber: 2 }, telecel.number, 'T-CASH'],
    ['the network’s SIM', { network: 'telecel' }, telecel.number, 'T-CASH'],
    ['the SIM of the charge’s number', { reference: ' mk0000000042' }, telecel.number, 'T-CASH'],
    [
      'the requested SIM instead of the charge’s',
      { reference: radio.reference, simNumber: 1 },
      mtn.number,
      'MobileMoney',
    ],
    ['the first SIM', { reference: null }, mtn.number, 'MobileMoney'],
    ['the requested SIM even if its network differs', { simNumber: 1, network: 'Telecel' }, mtn.number, 'T-CASH'],
  ])('is received by %s', async (_, fields, recipient, sender) => {
    const phone = await start({ openCharges: async () => [kente, radio] });
    await pay(phone, { ...payment, ...fields });
    expect(await received(phone)).toMatchObject([{ recipient, sender }]);
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: ' \n' }, 'name'],
    ['a name over 80 characters', { name: 'x'.repeat(81) }, 'name'],
    ['a reference over 100 characters', { reference: 'x'.repeat(101) }, 'reference'],
    ['no amount', { amount: undefined }, 'amount'],
    ['an amount written as a string', { amount: '36' }, 'amount'],
    ['an amount of zero', { amount: 0 }, 'amount'],
    ['a negative amount', { amount: -1 }, 'amount'],
    ['an amount of a tenth of a pesewa', { amount: 0.001 }, 'amount'],
    ['an amount above GHS 1,000,000', { amount: 1_000_000.01 }, 'amount'],
    ['a SIM that the device does not have', { simNumber: 3 }, 'SIM 3'],
    ['an unknown network', { network: 'Glo' }, 'network'],
    ['a network without a SIM', { network: 'AT' }, 'AT'],
    ['a network without known receipts', { network: 'AT', simNumber: 1 }, 'AT'],
    ['a foreign number', { payerPhone: '+15551112222' }, 'payerPhone'],
    ['a count of zero', { times: 0 }, 'times'],
    ['a count above five', { times: 6 }, 'times'],
    ['a charge that is paid elsewhere', { reference: 'MK-1111111111' }, '+233261234567'],
  ])('is rejected with 400 if it has %s', async (_, fields, about) => {
    const elsewhere = { ...kente, reference: 'MK-1111111111', momoNumber: '+233261234567' };
    const phone = await start({ openCharges: async () => [elsewhere] });
    const { status, json } = await call(phone, 'POST', '/pay', { ...payment, ...fields });
    expect({ status, json }).toEqual({ status: 400, json: { message: expect.stringContaining(about) } });
    expect(await received(phone)).toEqual([]);
  });

  test('is rejected with 404 if the device is unknown', async () => {
    expect((await call(await start(), 'POST', '/pay', { ...payment, device_id: 'nobody' })).status).toBe(404);
  });
});

test('the simulated phone shows a payment’s outcome once its text arrives', async () => {
  const outcome = { message: 'It is held.', isCounted: false };
  const phone = await start({
    outcomeOf: async (id, number) => (number === mtn.number ? { ...outcome, id } : undefined),
  });
  const { transaction_id } = await pay(phone, payment);
  const { json } = await call(phone, 'GET', `/payments/${transaction_id}`);
  expect(json).toEqual({ outcome: { ...outcome, id: transaction_id } });
  expect((await call(phone, 'GET', '/payments/1')).json).toEqual({ outcome: null });
});

describe('texts received by a simulated phone', () => {
  test('are listed oldest first, with everything a real phone reports', async () => {
    const phone = await start();
    const { text } = await pay(phone, payment);
    const confirmed = { sender: 'T-CASH', message: 'Confirmed.', simNumber: null, recipient: null };
    await call(phone, 'POST', '/receive', confirmed);
    const received_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await received(phone)).toEqual([
      { sender: 'MobileMoney', message: text, sim_number: 1, recipient: mtn.number, received_at },
      { sender: 'T-CASH', message: 'Confirmed.', sim_number: null, recipient: null, received_at },
    ]);
  });

  test('are kept after a restart', async () => {
    const keepFile = join(await temporaryFolder(), 'phone.json');
    const first = await start({ keepFile });
    await pay(first, payment);
    const before = await received(first);
    await first.close();
    const second = await start({ keepFile });
    expect(await received(second)).toEqual(before);
    expect((await pay(second, payment)).text).toContain('Current Balance: GHS 209.45');
  });
});

describe('a simulated phone’s payment page', () => {
  test('offers pending charges to pay', async () => {
    const odd = {
      ...radio,
      customerName: 'Esi "<b>" Owusu',
      description: '<script>',
      checkoutUrl: 'https://pay.example/x',
    };
    const elsewhere = { ...kente, reference: 'MK-1111111111', momoNumber: '+233261234567' };
    const html = await page(await start({ openCharges: async () => [kente, odd, elsewhere] }));
    expect(html).toMatch(/value="MK-0123456789" data-amount="36.00" data-name="KOFI MENSAH" data-sim="1\/kiosk">/);
    expect(html).toMatch(/value="MK-0000000042" data-amount="45.00" data-name="[^"<>]+" data-sim="2\/kiosk">/);
    expect(html).toMatch(/value="MK-1111111111"[^>]* disabled>/);
    expect(html).toContain('href="https://pay.example/x"');
    expect(html).not.toContain('<b>" Owusu');
    expect(html.match(/<script>/g)).toHaveLength(1);
  });

  test('labels each text as received or sent', async () => {
    const phone = await start();
    const { transaction_id } = await pay(phone, payment);
    await call(phone, 'POST', '/messages', { phoneNumbers: ['+233551112223'], textMessage: { text: 'Thank you' } });
    await expect.poll(() => page(phone), { interval: 5 }).toContain('Thank you');
    const html = await page(phone);
    expect(html.indexOf('Sent to')).toBeLessThan(html.indexOf('Received from'));
    expect(html).toContain(`Transaction ID: ${transaction_id}`);
    expect(html).toContain('1 sent, 1 received');
  });

  test('escapes the HTML in any other SMS', async () => {
    const phone = await start({ devices: [kiosk] });
    await call(phone, 'POST', '/receive', { sender: '<i>', message: '<img src=x onerror=alert(1)>' });
    const html = await page(phone);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toContain('<i>');
  });
});

async function pay(phone: Phone, fields: object) {
  const { status, json } = await call(phone, 'POST', '/pay', fields);
  expect(status).toBe(202);
  return json;
}

async function received(phone: Phone): Promise<unknown> {
  return (await fetch(`${phone.url}/received`)).json();
}

async function page(phone: Phone): Promise<string> {
  return (await fetch(phone.url)).text();
}

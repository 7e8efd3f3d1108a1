import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { namesUnverified, UNVERIFIED } from '../src/unverified.ts';
import { agent, liveKeys } from './support/agent.ts';

const proven = { state: 'proven', why: null };
const unproven = { state: 'unproven', why: 'balance_gap' };
const charge = { livemode: true, status: 'success', amount_paid: 36, proof: proven, parts: [], second_payments: [] };

for (const [what, answer, is] of [
  ['a verified charge', charge, false],
  ['an unverified charge', { ...charge, proof: unproven }, true],
  ['a charge whose verification is pending', { ...charge, proof: { state: 'checking' } }, true],
  ['a charge with unknown proof', { ...charge, proof: null }, true],
  ['a charge without payments', { ...charge, status: 'pending', amount_paid: 0, proof: null }, false],
  ['a test charge', { ...charge, livemode: false, proof: null, payment: { amount: 36, proof: null } }, false],
  ['an unverified second payment', { ...charge, second_payments: [{ amount: 777, proof: unproven }] }, true],
  ['a second payment with a warning', { second_payments: [{ amount: 36, proof: proven, warning: 'Check' }] }, true],
  ['a second payment without a warning', { second_payments: [{ amount: 36, proof: proven, warning: null }] }, false],
  ['an unverified held payment', { held_payments: [{ livemode: true, amount: 777, proof: unproven }] }, true],
  ['a refund of unverified money', { ...charge, refunds: [{ amount: 36, proof: unproven }] }, true],
  [
    'an unverified charge from an older service',
    { livemode: true, amount_paid: 36, payment: { amount: 36, proof: unproven } },
    true,
  ],
  ['a text', { id: 'x', status: 'delivered', to: '+233240000001' }, false],
] as const)
  test(`${is ? 'warns' : 'does not warn'} about ${what}`, () => {
    assert.equal(namesUnverified(answer), is);
  });

test('puts the warning before the amount', async (context) => {
  const service = createServer((_, response) => {
    const data = { reference: 'MK-4071932685', ...charge, proof: unproven };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: true, message: 'Charge found', data }));
  }).listen(0);
  context.after(() => service.close());
  const { port } = service.address() as AddressInfo;
  const { call, instructions } = await agent(context, { ...liveKeys, MOMO_URL: `http://localhost:${port}` });
  const { text } = await call('look_up', { id: 'MK-4071932685' });
  assert.ok(text.startsWith(`${UNVERIFIED}\n{`), text);
  assert.match(
    instructions ?? '',
    /check your MoMo balance\. Never advise to deliver for it or to send it back before that/,
  );
});

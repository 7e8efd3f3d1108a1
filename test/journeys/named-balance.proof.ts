import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Client, createCharge, findReceipt, showCharge } from '../../infra/local/story/steps.ts';
import { receiptWriters } from '../../infra/phone/payment.ts';
import { admin } from '../support/admin-commands.ts';
import { PATIENCE, textArrives } from '../support/http.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { postJson } from '../support/server.ts';
import { isInSlice } from '../support/slice.ts';
import { shopOf } from './story.ts';

test.runIf(isInSlice(3, 6))('a text with a guessed balance is not verified', async () => {
  const stack = await startLocalStack();
  try {
    const shop = shopOf(stack.facts);
    expect(stack.facts.wallets).toBe('named');

    const paid = await newCharge(shop);
    await pay(stack, paid);
    expect(await proofOf(shop, paid)).toEqual({ state: 'proven', why: null });

    const doubted = await newCharge(shop);
    const id = await forge(stack, doubted);
    const held = () => findReceipt(shop, id, { status: 'held' });
    await vi.waitFor(async () => expect(await held()).toMatchObject({ reason: 'checking' }), PATIENCE);
    expect(await showCharge(shop, doubted)).toMatchObject({ status: 'pending', amount_paid: 0 });

    const next = await newCharge(shop);
    await pay(stack, next);
    expect(await proofOf(shop, next)).toEqual({ state: 'proven', why: null });

    const file = join(stack.folder, 'report.md');
    await admin(stack.folder, 'doctor', '--report', file);
    const report = readFileSync(file, 'utf8');
    expect(report).toMatch(/^# Stage report of \d{4}-\d\d-\d\d, local stack\n/);
    expect(report).toMatch(/Wallets whose balance was named:\n\n.*MTN/);
    expect(report).toMatch(/`payment received for ghs # from X /);
    expect(report).not.toMatch(/Ama Stores|Mensah|241234567|[A-Z0-9]{26}|sk_/i);
  } finally {
    await stack.stop();
  }
});

async function newCharge(shop: Client): Promise<string> {
  return (await createCharge(shop, { amount: 36 })).reference;
}

/** Returns the proof of a charge's payment once the charge is paid. */
function proofOf(shop: Client, reference: string) {
  return vi.waitFor(async () => {
    const { payment } = await showCharge(shop, reference);
    if (!payment) throw new Error(`Nothing has paid ${reference}`);
    return payment.proof;
  }, PATIENCE);
}

function pay({ facts }: LocalStack, reference: string): Promise<Response> {
  return postJson(`${facts.phone_url}/pay`, { reference, name: 'Kofi Mensah', amount: 36 });
}

/** Forges a text that is correct except for the balance. Returns its transaction id. */
async function forge(stack: LocalStack, reference: string): Promise<string> {
  const writer = receiptWriters.get('MTN');
  if (!writer) throw new Error('The phone writes no texts of MTN');
  const transactionId = writer.newTransactionId();
  const amounts = { amountPesewas: 36_00, balancePesewas: 777_00, payerPhone: '+233209876543', paidAt: new Date() };
  const text = writer.write({ ...amounts, transactionId, reference, payerName: 'KOFI MENSAH' });
  await textArrives(stack, { sender: writer.sender, text });
  return transactionId;
}

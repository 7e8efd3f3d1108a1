import { createHmac } from 'node:crypto';
import { receiptWriters } from '../../infra/phone/payment.ts';
import { readAccounts } from '../../shared/phones/gateway/manage-accounts.ts';
import type { Deployment } from '../../shared/runtime/stage/deployment.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import type { Payment } from './story.ts';

export type WalletNetwork = 'MTN' | 'TELECEL';

/** Forwards wallet texts to a stage as one of its phones, with that phone's key. */
export interface StagePhone {
  readonly place: { readonly gateway: string; readonly device_id: string };
  /** Returns the response's status. `id` is the event id. */
  post(id: string, to: { network: WalletNetwork; number: string }, message: string, gateway?: string): Promise<number>;
}

/** @throws OperatorError if the stage has no key for any phone. */
export async function stagePhone(place: Deployment): Promise<StagePhone> {
  const [phone] = Object.entries(await readAccounts(place)).flatMap(([gateway, { signing_keys }]) =>
    Object.entries(signing_keys).map(([deviceId, key]) => ({ gateway, deviceId, key })),
  );
  if (!phone) {
    throw new OperatorError(
      'No phone has a signing key here. Set one: gateway set-signing-key --gateway NAME --device ID',
    );
  }
  const { gateway: ownGateway, deviceId, key } = phone;
  const baseUrl = await place.baseUrl();
  return {
    place: { gateway: ownGateway, device_id: deviceId },
    async post(id, { network, number: recipient }, message, gateway = ownGateway) {
      const { sender } = writerOf(network);
      const payload = { message, sender, recipient, receivedAt: new Date().toISOString() };
      const body = JSON.stringify({ event: 'sms:received', id, deviceId, payload });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', key).update(body + timestamp);
      const headers = { 'x-signature': signature.digest('hex'), 'x-timestamp': timestamp };
      const response = await fetch(`${baseUrl}/callback/smsgate/${gateway}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      return response.status;
    },
  };
}

/** Returns a network's text about a payment, and the payment's id. */
export function receiptText(network: WalletNetwork, { amount, name, reference = '', phone = '' }: Payment) {
  const writer = writerOf(network);
  const transactionId = writer.newTransactionId();
  const text = writer.write({
    amountPesewas: Math.round(amount * 100),
    balancePesewas: Math.round(amount * 100) + 100_00,
    payerName: name.toUpperCase(),
    payerPhone: phone,
    reference,
    transactionId,
    paidAt: new Date(),
  });
  return { transactionId, text };
}

/** Returns the sender and the template of a network's texts. */
export function writerOf(network: WalletNetwork) {
  const writer = receiptWriters.get(network);
  if (!writer) throw new Error(`Nobody writes receipts of ${network}`);
  return writer;
}

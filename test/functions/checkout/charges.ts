import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import type { Payment } from '../../../shared/money/payment/payment.ts';
import { createReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import { paymentReceiptId } from '../../../shared/money/receipt/receipt.ts';
import type { CreatedCharge } from '../../support/receipts.ts';
import type { Merchant, Scene } from '../../support/scene.ts';
import { type Call, databaseOf, type TestMerchant, type World } from '../../support/world.ts';

/** Sets fields of a charge, as a payment or its expiry would. */
export async function setCharge(
  world: World,
  { reference }: Pick<CreatedCharge, 'reference'>,
  fields: Record<string, unknown>,
): Promise<void> {
  const { client, tableName } = databaseOf(world);
  const names = Object.keys(fields);
  await client.send(
    new UpdateCommand({
      TableName: tableName,
      Key: { pk: `TRANSACTION#${reference}`, sk: 'TRANSACTION' },
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, fields[name]])),
    }),
  );
}

type GivenPayment = Partial<Omit<Payment, 'amount_pesewas'>> & { readonly amount_pesewas?: number };

export function pay(world: World, charge: CreatedCharge, payment: GivenPayment = {}): Promise<void> {
  return setCharge(world, charge, { state: 'success', paid_at: world.iso(), payment: paymentNow(world, payment) });
}

/** A verified payment of GHS 36 that arrives now. */
export function paymentNow(world: World, { amount_pesewas = 3600, ...given }: GivenPayment = {}): Payment {
  return {
    receipt_id: 'receipt',
    network: 'MTN',
    transaction_id: '83412345678',
    received_at: world.iso(),
    counted_at: world.iso(),
    matched_by: 'reference',
    proof: { state: 'proven' },
    ...given,
    amount_pesewas: arrivedPesewas(amount_pesewas),
  };
}

export function reverse(world: World, charge: CreatedCharge): Promise<void> {
  return setCharge(world, charge, { state: 'reversed', reversed_at: world.iso() });
}

/** Stores a held payment of GHS 36 that matches no charge. */
export async function holdPayment(world: World, { id }: TestMerchant, transactionId: string): Promise<void> {
  await world.outside.table.write([
    createReceipt({
      receipt_id: paymentReceiptId('MTN', '+233241234567', transactionId),
      state: 'held',
      reason: 'name_differs',
      merchant_id: id,
      network: 'MTN',
      momo_number: '+233241234567',
      transaction_id: transactionId,
      amount_pesewas: arrivedPesewas(3600),
      // A second payment from the same payer would need a manual decision.
      payer_name: `KOFI MENSAH ${transactionId.replace(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)] ?? '')}`,
      received_at: world.iso(),
    }),
  ]);
}

/** Creates a paid charge, a reversed charge and a pending charge. */
export async function ended(world: World, merchant: Merchant) {
  const [paid, reversed, waiting] = [
    await merchant.createCharge(),
    await merchant.createCharge(),
    await merchant.createCharge(),
  ];
  await pay(world, paid);
  await reverse(world, reversed);
  return { paid, reversed, waiting };
}

type FormRoute = `checkout/${'ask-for-code' | 'confirm-code' | 'claim' | 'simulate' | 'text'}`;

export const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html,*/*;q=0.8' };

/** Returns functions that submit a form of the checkout page. */
export function formsOf(world: Scene, route: FormRoute) {
  const send = ({ access_code }: Pick<CreatedCharge, 'access_code'>, request: Call) =>
    world.call(route, { parameters: { access_code }, ...request });
  return {
    send,
    /** Submits the form without JavaScript. */
    submit: (to: Pick<CreatedCharge, 'access_code'>, fields: Record<string, string>) =>
      send(to, { headers: FORM, body: new URLSearchParams(fields).toString() }),
    /** Submits the form as JSON, like the page's script. */
    post: (to: Pick<CreatedCharge, 'access_code'>, body: object) =>
      send(to, { headers: { accept: 'application/json' }, body }),
  };
}

import { arrivedPesewas } from '../../shared/ghana/arrived.ts';
import { Charge } from '../../shared/money/charge/charge.table.ts';
import type { Payment } from '../../shared/money/payment/payment.ts';
import type { Item } from '../../shared/runtime/table/table.ts';

const AT = '2026-11-20T08:00:00.000Z';
const wallet = { network: 'MTN', momo_number: '+233241234567', merchant_id: 'shop', received_at: AT };

const bases: Readonly<Record<string, Item>> = {
  TRANSACTION: {
    reference: 'MK-0123456789',
    access_code: 'code',
    origin: { kind: 'api' },
    merchant_id: 'shop',
    merchant_name: 'Shop',
    state: 'pending',
    amount_pesewas: 60_00,
    momo_number: '+233241234567',
    momo_network: 'MTN',
    momo_account_name: 'SHOP',
    created_at: AT,
    expires_at: '2026-11-21T08:00:00.000Z',
  },
  LINK: { slug: 'kente', merchant_id: 'shop', title: 'Kente', created_at: AT },
  REQUEST: {
    slug: 'fees',
    merchant_id: 'shop',
    title: 'Fees',
    lines: [],
    instalments: [],
    total_pesewas: 60_00,
    state: 'open',
    version: 1,
    charges: [],
    created_at: AT,
  },
  RECEIPT: { receipt_id: 'rcpt', state: 'held', merchant_id: 'shop', received_at: AT },
  SEND: {
    send_id: 's',
    merchant_id: 'shop',
    from: '+233241234567',
    to: ['+233551112222'],
    message: 'Hello',
    created_at: AT,
  },
  MESSAGE: { send_id: 's', index: 0, state: 'pending' },
  ANSWER: {
    answer_id: 'ans',
    merchant_id: 'shop',
    number: '+233551112222',
    to: '+233241234567',
    message: 'Yes',
    received_at: AT,
    created_at: AT,
    expires_at_epoch_seconds: 1,
  },
  HEARD: { line: '+233241234567', number: '+233551112222', keyword: 'stop', word_at: AT, merchant_id: 'shop', at: AT },
  LOW: { merchant_id: 'shop', balance: 4, threshold: 5, noticed_at: AT },
  'NOTICE#payment_refused': {
    ...wallet,
    kind: 'payment_refused',
    transaction_id: '1',
    amount_pesewas: 1,
    payer_name: 'Kofi Mensah',
  },
  'NOTICE#near_limit': { ...wallet, kind: 'near_limit', balance_pesewas: 1, limit_pesewas: 40_000_00, assumed: true },
  'NOTICE#balance_unclear': { ...wallet, kind: 'balance_unclear', balance_pesewas: 1, proven_pesewas: 2, texts: 1 },
  'NOTICE#payment_missed': {
    ...wallet,
    kind: 'payment_missed',
    amount_pesewas: 1,
    from: AT,
    to: AT,
    phone_asked: false,
    references: [],
  },
  'NOTICE#reversal_suspected': {
    ...wallet,
    kind: 'reversal_suspected',
    amount_pesewas: 1,
    from: AT,
    to: AT,
    payments: [],
  },
  'NOTICE#money_out': {
    ...wallet,
    kind: 'money_out',
    amount_pesewas: 1,
    counterparty: 'Yaa Adjei',
    proof: { state: 'proven' },
  },
  REACHED: { merchant_id: 'shop', reached_at: AT },
  SILENT: { merchant_id: 'shop', number: '+233241234567', since: AT },
  DEVICE: {
    merchant_id: 'shop',
    user_id: 'user',
    slot: '1',
    device_id: 'device',
    kinds: [],
    shows_details: false,
    created_at: AT,
  },
};

/** Returns a complete row as it would appear in the stream. */
export function rowOf(sk: string, fields: Item): Item {
  const [kind = '', subkind] = sk.split('#');
  return { pk: 'PK', sk, ...(bases[`${kind}#${subkind}`] ?? bases[kind]), ...fields };
}

/** Returns a stored charge. Defaults to a pending charge of 60 cedis. */
export function storedCharge(fields: Partial<Charge> = {}): Charge {
  return Charge.parse(rowOf('TRANSACTION', fields));
}

export function storedPayment(receipt_id: string, amount_pesewas: number, fields: Partial<Payment> = {}): Payment {
  const paid = { network: 'MTN', transaction_id: receipt_id, received_at: AT, counted_at: AT } as const;
  return { receipt_id, amount_pesewas: arrivedPesewas(amount_pesewas), ...paid, matched_by: 'reference', ...fields };
}

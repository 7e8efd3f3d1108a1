import { addCredits, getBalance } from '../../shared/credits/credits.table.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../shared/merchant/api-key.table.ts';
import { hashApiKey, newApiKey } from '../../shared/merchant/api-key.ts';
import {
  createMerchant,
  getMerchant,
  listAccountsOfNumber,
  replaceMerchant,
} from '../../shared/merchant/merchant.table.ts';
import type { Merchant } from '../../shared/merchant/merchant.ts';
import type { MomoAccount } from '../../shared/merchant/momo-account.ts';
import { payByHand } from '../../shared/receipt/assign-receipt.ts';
import { presentReceipt } from '../../shared/receipt/present-receipt.ts';
import { getReceipt, listReceipts } from '../../shared/receipt/receipt.table.ts';
import type { ReceiptResponse } from '../../shared/receipt/responses.ts';
import { newUlid } from '../../shared/runtime/ids.ts';
import type { Outside } from '../../shared/runtime/outside.ts';
import type { KeyKind } from '../../shared/runtime/row.ts';
import { listSenders, putSender, setSenderEnabled } from '../../shared/sender/sender.table.ts';
import { DEFAULT_MESSAGES_PER_HOUR, type Sender, sameSim } from '../../shared/sender/sender.ts';
import { findTransaction } from '../../shared/transaction/transaction.table.ts';
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  putWebhookEndpoint,
  type WebhookEndpoint,
} from '../../shared/webhook/endpoint.table.ts';
import { currentSecret, withNewSecret, withUrl } from '../../shared/webhook/endpoint.ts';
import { OperatorError } from './operator-error.ts';

/** What the operator's operations need of the world. */
export type AdminOutside = Pick<Outside, 'table' | 'now' | 'randomBytes' | 'webhooksToAnyHost'>;

export async function addMerchant(
  outside: AdminOutside,
  merchant: { name: string; momo_accounts: MomoAccount[] },
): Promise<Merchant> {
  refuseRepeats(merchant.momo_accounts);
  const created = { ...merchant, merchant_id: newUlid(outside), created_at: new Date(outside.now()).toISOString() };
  await outside.table.write(createMerchant(created));
  return created;
}

/** What is legal and yet a surprise, in sentences. */
export async function accountWarnings(
  outside: AdminOutside,
  merchantId: string,
  accounts: readonly MomoAccount[],
): Promise<string[]> {
  const warnings: string[] = [];
  for (const { number, network } of accounts) {
    const others = (await listAccountsOfNumber(outside, number)).filter(
      ({ merchant_id }) => merchant_id !== merchantId,
    );
    if (others.length > 0)
      warnings.push(
        `${number} is also paid to ${others.map(({ merchant_id }) => merchant_id).join(', ')}. A payment that names no charge is shown to none of them: see receipt list.`,
      );
    if (network === 'AT')
      warnings.push(`Receipts of AT are not read yet: payments to ${number} arrive as unread, for you to look at.`);
  }
  return warnings;
}

export async function changeMerchant(
  outside: AdminOutside,
  merchantId: string,
  changes: { default_from?: string; momo_accounts?: MomoAccount[]; match_by_name_up_to_pesewas?: number },
): Promise<Merchant> {
  if (changes.default_from !== undefined) await requireSender(outside, changes.default_from);
  refuseRepeats(changes.momo_accounts ?? []);
  const before = (await getMerchant(outside, merchantId)) ?? noMerchant(merchantId);
  const after = {
    ...before,
    momo_accounts: changes.momo_accounts ?? before.momo_accounts,
    default_from: changes.default_from ?? before.default_from,
    match_by_name_up_to_pesewas: changes.match_by_name_up_to_pesewas ?? before.match_by_name_up_to_pesewas,
  };
  await outside.table.write(replaceMerchant(before, after));
  return after;
}

/** Makes a key and gives it back: the only moment at which it can be seen. */
export async function addApiKey(outside: AdminOutside, merchantId: string, kind: KeyKind): Promise<string> {
  await requireMerchant(outside, merchantId);
  const hints = new Set((await listApiKeys(outside, merchantId)).map(({ hint }) => hint));
  let key: string;
  // Keys are told apart by their last four characters, so those are not used twice.
  do key = newApiKey(kind, outside.randomBytes);
  while (hints.has(key.slice(-4)));
  await outside.table.write([
    createApiKey({
      hash: hashApiKey(key),
      kind,
      merchant_id: merchantId,
      hint: key.slice(-4),
      created_at: new Date(outside.now()).toISOString(),
    }),
  ]);
  return key;
}

export async function showApiKeys(outside: AdminOutside, merchantId: string) {
  await requireMerchant(outside, merchantId);
  const keys = await listApiKeys(outside, merchantId);
  return keys.map(({ kind, hint, created_at, revoked_at }) => ({
    kind,
    hint,
    created_at,
    revoked_at: revoked_at ?? null,
  }));
}

/** The key is refused everywhere within 30 seconds. */
export async function removeApiKey(outside: AdminOutside, merchantId: string, hint: string) {
  await requireMerchant(outside, merchantId);
  const key = (await listApiKeys(outside, merchantId)).find((one) => one.hint === hint);
  if (!key)
    throw new OperatorError(`The merchant has no key that ends in ${hint}. See: key list --merchant ${merchantId}`);
  await revokeApiKey(outside, key.hash);
  return { kind: key.kind, hint: key.hint };
}

/** Tops a merchant up and gives the new balance. */
export async function topUp(outside: AdminOutside, merchantId: string, credits: number): Promise<number> {
  await requireMerchant(outside, merchantId);
  const entry = { entry_id: newUlid(outside), credits, reason: 'top-up' as const };
  await outside.table.write(addCredits(merchantId, { ...entry, created_at: new Date(outside.now()).toISOString() }));
  return getBalance(outside, merchantId);
}

export async function showBalance(outside: AdminOutside, merchantId: string): Promise<number> {
  await requireMerchant(outside, merchantId);
  return getBalance(outside, merchantId);
}

/** Adds a sender, enabled; one that exists moves to the phone and SIM named now, and keeps its pace where none is named. */
export async function addSender(
  outside: AdminOutside,
  {
    messages_per_hour,
    ...place
  }: Pick<Sender, 'number' | 'network' | 'gateway' | 'device_id' | 'sim_number'> & { messages_per_hour?: number },
): Promise<Sender> {
  const standing = (await listSenders(outside)).find(({ number }) => number === place.number);
  const added = {
    ...place,
    messages_per_hour: messages_per_hour ?? standing?.messages_per_hour ?? DEFAULT_MESSAGES_PER_HOUR,
    enabled: true,
    created_at: standing?.created_at ?? new Date(outside.now()).toISOString(),
  };
  await outside.table.write([putSender(added)]);
  return added;
}

/** @throws OperatorError where another number sits in this SIM: a receipt that came to it could not be told whose it is. */
export async function requireFreeSim(
  outside: AdminOutside,
  { number, gateway, device_id, sim_number }: Pick<Sender, 'number' | 'gateway' | 'device_id' | 'sim_number'>,
): Promise<void> {
  const other = (await listSenders(outside)).find(
    (sender) => sender.number !== number && sameSim(sender, { gateway, device_id, sim_number }),
  );
  if (!other) return;
  throw new OperatorError(
    `SIM ${sim_number} of the phone ${device_id} has ${other.number}. Move that number first: sender add --number ${other.number} …`,
  );
}

export async function switchSender(outside: AdminOutside, number: string, enabled: boolean): Promise<Sender> {
  return (await setSenderEnabled(outside, number, enabled)) ?? noSender(number);
}

/** A merchant's receipts in a state, the newest fifty, as it sees them; without one, those that are not known to be one merchant's. */
export async function showReceipts(
  outside: AdminOutside,
  state: 'held' | 'unread',
  merchantId?: string,
): Promise<ReceiptResponse[]> {
  if (merchantId !== undefined) await requireMerchant(outside, merchantId);
  const { receipts } = await listReceipts(outside, merchantId, state, { limit: 50, newestFirst: true });
  return receipts.map(presentReceipt);
}

/** Gives a held receipt that is nobody's to a pending charge, once, whatever its amount. Gives the charge's merchant. */
export async function assignReceiptOfNobody(outside: AdminOutside, receiptId: string, reference: string) {
  const receipt = await getReceipt(outside, receiptId);
  if (!receipt || receipt.merchant_id !== undefined)
    throw new OperatorError(`No receipt of nobody's has the id ${receiptId}. See: receipt list`);
  const charge = await findTransaction(outside, reference);
  if (!charge) throw new OperatorError(`There is no charge ${reference}.`);
  const { paid, pieces } = payByHand(outside, receipt, charge);
  await outside.table.write(pieces);
  return { reference: paid.reference, merchant_id: paid.merchant_id, status: paid.state };
}

function refuseRepeats(accounts: readonly MomoAccount[]): void {
  const numbers = accounts.map(({ number }) => number);
  const repeated = numbers.find((number, n) => numbers.indexOf(number) !== n);
  if (repeated)
    throw new OperatorError(`The number ${repeated} stands twice: a number is one account with one network.`);
}

/** Sets a merchant's webhook and gives its secret. Refuses what the API refuses. */
export async function setWebhook(outside: AdminOutside, merchantId: string, url: string) {
  await requireMerchant(outside, merchantId);
  const standing = await getWebhookEndpoint(outside, merchantId);
  const endpoint = withUrl(outside, merchantId, standing, url);
  await outside.table.write([putWebhookEndpoint(endpoint, standing)]);
  return { url: endpoint.url, secret: currentSecret(endpoint) };
}

export async function removeWebhook(outside: AdminOutside, merchantId: string): Promise<string> {
  const { url } = await requireWebhook(outside, merchantId);
  await outside.table.write([deleteWebhookEndpoint(merchantId)]);
  return url;
}

/** Gives a webhook a new secret, which is shown this once. */
export async function rollWebhook(outside: AdminOutside, merchantId: string): Promise<string> {
  const standing = await requireWebhook(outside, merchantId);
  const endpoint = withNewSecret(outside, standing);
  await outside.table.write([putWebhookEndpoint(endpoint, standing)]);
  return currentSecret(endpoint);
}

async function requireWebhook(outside: AdminOutside, merchantId: string): Promise<WebhookEndpoint> {
  await requireMerchant(outside, merchantId);
  const endpoint = await getWebhookEndpoint(outside, merchantId);
  if (!endpoint)
    throw new OperatorError(`The merchant has no webhook. Set one: webhook set --merchant ${merchantId} --url …`);
  return endpoint;
}

async function requireMerchant(outside: AdminOutside, merchantId: string): Promise<void> {
  if (!(await getMerchant(outside, merchantId))) noMerchant(merchantId);
}

async function requireSender(outside: AdminOutside, number: string): Promise<void> {
  if (!(await listSenders(outside)).some((sender) => sender.number === number)) noSender(number);
}

function noMerchant(merchantId: string): never {
  throw new OperatorError(`There is no merchant ${merchantId}. See: merchant list`);
}

function noSender(number: string): never {
  throw new OperatorError(`There is no sender ${number}. See: sender list`);
}

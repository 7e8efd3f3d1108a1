import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import { handler as send } from '../../functions/sms/send.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { addMerchant } from '../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey } from '../../shared/merchants/merchant/manage-keys.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { nameMature } from '../support/name-mature.ts';
import { receivedEvent } from '../support/receipts.ts';
import { WalletBook } from '../support/wallet-book.ts';
import { setWebhook } from '../support/webhooks.ts';
import { UNLIMITED } from '../support/world.ts';
import type { Plant } from './plant.ts';

/** A shop with its wallets and keys, and the network's records for each wallet. */
export interface Shop {
  readonly id: string;
  readonly number: string;
  readonly liveKey: string;
  readonly smsKey: string;
  readonly wallets: readonly Wallet[];
  readonly kind: string;
}

interface Wallet {
  readonly number: string;
  readonly sim: number;
  readonly book: WalletBook;
}

interface ShopOptions {
  /** True if the shop has a webhook. A string is the webhook's URL. */
  readonly webhook?: boolean | string;
  readonly textsPerHour?: number;
  readonly kind?: string;
  readonly wallets?: number;
}

const AMOUNT = 36;
const PAYS_AFTER_MS = 5_000;
export const CREDITS = 1_000_000;

/** Opens shops, each with its own number in its own phone. */
export async function openShops(
  plant: Plant,
  count: number,
  { webhook = true, textsPerHour, kind = 'shop', wallets: numbers = 1 }: ShopOptions = {},
) {
  const { world, time } = plant;
  const { kinds } = networkOf(plant);
  const shops: Shop[] = [];
  for (let n = kinds.size; shops.length < count; n++) {
    const wallets = Array.from({ length: numbers }, (_, k) => ({
      number: `+2332${String(40_000_000 + 100 * n + k)}`,
      sim: 1 + 100 * n + k,
      book: new WalletBook(() => time.nowMs),
    }));
    const account = { network: 'MTN', account_name: 'AMA STORES' } as const;
    const momo_accounts = wallets.map(({ number }) => ({ number, ...account }));
    const { merchant_id: id } = await addMerchant(world.outside, { name: 'Ama Stores', momo_accounts });
    await topUp(world.outside, id, CREDITS);
    for (const { number, sim } of wallets) {
      await addSender(world.outside, {
        number,
        network: 'MTN',
        gateway: 'phone',
        device_id: 'device-1',
        sim_number: sim,
        ...(textsPerHour === undefined ? { receives_only: true } : { messages_per_hour: textsPerHour }),
      });
    }
    const options = { requestsPerSecond: UNLIMITED };
    const newKey = (of: 'live' | 'sms') => addApiKey(world.outside, id, of, options);
    const [liveKey, smsKey] = [await newKey('live'), await newKey('sms')];
    if (webhook) await setWebhook(world, { liveKey }, ...(webhook === true ? [] : [webhook]));
    shops.push({ id, number: wallets[0]?.number ?? '', liveKey, smsKey, wallets, kind });
    kinds.set(id, kind);
  }
  return shops;
}

/** Names the balances of the shop's wallets, so that larger payments need a proof. */
export async function decide({ world }: Plant, { wallets }: Shop): Promise<void> {
  for (const { number, book } of wallets) {
    await nameMature(world.outside, { network: 'MTN', momo_number: number }, book.pesewas);
  }
}

/** Opens a charge and pays it as a customer. Records the samples `text to paid` and `told`. */
export async function sell(plant: Plant, shop: Shop): Promise<void> {
  const body = { amount: AMOUNT, customer_name: 'Kofi Mensah', email: 'kofi@example.com' };
  const startedMs = plant.time.nowMs;
  const { data } = await plant.request('transaction/initialize', initialize, { key: shop.liveKey, body });
  if (!data) return;
  plant.samples.time(`charge of ${shop.kind}`, plant.time.nowMs - startedMs);
  const { reference } = Charge.parse(data);
  await plant.time.sleep(PAYS_AFTER_MS);
  const { arrivedMs, ids } = networkOf(plant);
  const { number, sim, book } = plant.chance.pick(shop.wallets);
  book.pesewas += AMOUNT * 100;
  const text = book.receipt(AMOUNT, { reference, id: ids.nextId(), balance: book.pesewas });
  arrivedMs.set(reference, plant.time.nowMs);
  plant.samples.count('payments');
  await plant.post(receivedEvent(plant.world, { ...text, recipient: number, simNumber: sim }));
}

export async function text(plant: Plant, shop: Shop, count = 1): Promise<number> {
  const to = Array.from({ length: count }, (_, n) => `02412345${String(n).padStart(2, '0')}`);
  const message = 'Ama Stores: your order 4417 is ready. Collect it at Oxford Street, Osu.';
  const body = { to, message, from: shop.number };
  return (await plant.request('sms/send', send, { key: shop.smsKey, body })).status;
}

/** Repeats an action at a given rate per second, rotating through the shops. */
export function everySecond(
  plant: Plant,
  { perSecond, seconds, shops }: { perSecond: number; seconds: number; shops: readonly Shop[] },
  act: (plant: Plant, shop: Shop) => Promise<unknown>,
): void {
  for (let n = 0; n < perSecond * seconds; n++) {
    const shop = shops[n % shops.length];
    if (shop) plant.time.after((n * 1000) / perSecond, () => void act(plant, shop));
  }
}

/** Records when a charge is paid, when its webhook is delivered, and when a gateway accepts a text. */
export function watch(plant: Plant): void {
  const { arrivedMs, kinds } = networkOf(plant);
  const sentMs = new Map<string, number>();
  plant.onChange = (change) => {
    const { sk, before, after } = imagesOf(change);
    const note = (what: string, sinceMs: number | undefined) => {
      if (sinceMs === undefined) return;
      plant.samples.time(what, plant.time.nowMs - sinceMs);
      plant.samples.time(`${what} of ${kinds.get(String(after?.merchant_id?.S))}`, plant.time.nowMs - sinceMs);
    };
    const becomes = (state: string) => after?.state?.S === state && before?.state?.S !== state;
    if (sk === 'TRANSACTION' && becomes('success')) note('text to paid', arrivedMs.get(String(after?.reference?.S)));
    if (sk === 'EVENT' && becomes('delivered')) note('told', Date.parse(String(after?.created_at?.S)));
    if (sk === 'SEND' && !before) sentMs.set(String(after?.send_id?.S), plant.time.nowMs);
    if (sk?.startsWith('MESSAGE#') && becomes('sending'))
      note('text handed over', sentMs.get(String(after?.send_id?.S)));
  };
}

function imagesOf({ dynamodb }: DynamoDBRecord) {
  return { sk: dynamodb?.Keys?.sk?.S, before: dynamodb?.OldImage, after: dynamodb?.NewImage };
}

interface Network {
  readonly arrivedMs: Map<string, number>;
  /** Issues the ids for all wallets, which share the network's counter. */
  readonly ids: WalletBook;
  readonly kinds: Map<string, string>;
}

const networks = new WeakMap<Plant, Network>();

function networkOf(plant: Plant): Network {
  const ids = new WalletBook(() => plant.time.nowMs);
  const network = networks.get(plant) ?? { arrivedMs: new Map(), ids, kinds: new Map() };
  networks.set(plant, network);
  return network;
}

const Charge = z.object({ reference: z.string() });

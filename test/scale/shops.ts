import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import { handler as send } from '../../functions/sms/send.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { addApiKey } from '../../shared/merchants/merchant/manage-keys.ts';
import { addMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { receivedEvent } from '../support/receipts.ts';
import { WalletBook } from '../support/wallet-book.ts';
import { setWebhook } from '../support/webhooks.ts';
import { UNLIMITED } from '../support/world.ts';
import type { Plant } from './plant.ts';

/** A shop of a plant: what it is paid on, its keys, its wallet as the network keeps it. */
export interface Shop {
  readonly id: string;
  readonly number: string;
  readonly liveKey: string;
  readonly smsKey: string;
  readonly book: WalletBook;
}

interface ShopOptions {
  /** Whether it has a webhook. */
  readonly webhook?: boolean;
  readonly textsPerHour?: number;
}

const AMOUNT = 36;
/** From the page that opens to the network's text. */
const PAYS_AFTER_MS = 5_000;
export const CREDITS = 1_000_000;

/** So many shops, each with a number of its own in a phone of its own SIM. */
export async function openShops(plant: Plant, count: number, { webhook = true, textsPerHour }: ShopOptions = {}) {
  const { world, time } = plant;
  const shops: Shop[] = [];
  for (let n = 0; n < count; n++) {
    const number = `+2332${String(40_000_000 + n)}`;
    const momo_accounts = [{ number, network: 'MTN' as const, account_name: 'AMA STORES' }];
    const { merchant_id: id } = await addMerchant(world.outside, { name: 'Ama Stores', momo_accounts });
    await topUp(world.outside, id, CREDITS);
    const place = { gateway: 'phone', device_id: 'device-1', sim_number: 1 + n };
    await addSender(world.outside, {
      number,
      network: 'MTN',
      ...place,
      ...(textsPerHour === undefined ? { receives_only: true } : { messages_per_hour: textsPerHour }),
    });
    const options = { requestsPerSecond: UNLIMITED };
    const [liveKey, smsKey] = [
      await addApiKey(world.outside, id, 'live', options),
      await addApiKey(world.outside, id, 'sms', options),
    ];
    if (webhook) await setWebhook(world, { liveKey });
    shops.push({ id, number, liveKey, smsKey, book: new WalletBook(() => time.nowMs) });
  }
  return shops;
}

/** A customer opens a charge and pays it. Its times go to the plant's samples: `text to paid` and `told`. */
export async function sell(plant: Plant, shop: Shop): Promise<void> {
  const body = { amount: AMOUNT, customer_name: 'Kofi Mensah', email: 'kofi@example.com' };
  const { data } = await plant.request('transaction/initialize', initialize, { key: shop.liveKey, body });
  if (!data) return;
  const { reference } = Charge.parse(data);
  await plant.time.sleep(PAYS_AFTER_MS);
  const { arrivedMs, ids } = networkOf(plant);
  shop.book.pesewas += AMOUNT * 100;
  const text = shop.book.receipt(AMOUNT, { reference, id: ids.nextId(), balance: shop.book.pesewas });
  arrivedMs.set(reference, plant.time.nowMs);
  plant.samples.count('payments');
  await plant.post(receivedEvent(plant.world, { ...text, recipient: shop.number }));
}

/** A shop sends a text to so many. */
export async function text(plant: Plant, shop: Shop, count = 1): Promise<number> {
  const to = Array.from({ length: count }, (_, n) => `02412345${String(n).padStart(2, '0')}`);
  const body = {
    to,
    message: 'Ama Stores: your order 4417 is ready. Collect it at Oxford Street, Osu.',
    from: shop.number,
  };
  return (await plant.request('sms/send', send, { key: shop.smsKey, body })).status;
}

/** Does something so often a second, for so long, each time for the next of the shops. */
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

/** Notes when a charge is paid and when its webhook is delivered. */
export function watch(plant: Plant): void {
  plant.onChange = (change) => {
    const { sk, before, after } = imagesOf(change);
    if (sk === 'TRANSACTION' && after?.state?.S === 'success' && before?.state?.S !== 'success') {
      const ms = networkOf(plant).arrivedMs.get(String(after.reference?.S));
      if (ms !== undefined) plant.samples.time('text to paid', plant.time.nowMs - ms);
    }
    if (sk === 'EVENT' && after?.state?.S === 'delivered' && before?.state?.S !== 'delivered')
      plant.samples.time('told', plant.time.nowMs - Date.parse(String(after.created_at?.S)));
  };
}

function imagesOf({ dynamodb }: DynamoDBRecord) {
  return { sk: dynamodb?.Keys?.sk?.S, before: dynamodb?.OldImage, after: dynamodb?.NewImage };
}

interface Network {
  /** When the text about each charge arrived at its phone. */
  readonly arrivedMs: Map<string, number>;
  /** Gives out the ids of all wallets: the network counts them together. */
  readonly ids: WalletBook;
}

const networks = new WeakMap<Plant, Network>();

function networkOf(plant: Plant): Network {
  const network = networks.get(plant) ?? { arrivedMs: new Map(), ids: new WalletBook(() => plant.time.nowMs) };
  networks.set(plant, network);
  return network;
}

const Charge = z.object({ reference: z.string() });

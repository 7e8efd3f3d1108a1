import { topUp } from '../../shared/credits/top-up.ts';
import { addApiKey } from '../../shared/merchant/manage-keys.ts';
import { addMerchant, changeMerchant } from '../../shared/merchant/manage-merchant.ts';
import type { Outside } from '../../shared/runtime/outside.ts';
import type { PageStart } from '../../shared/runtime/table.ts';
import { addSender } from '../../shared/sender/manage-senders.ts';
import { Transaction } from '../../shared/transaction/transaction.table.ts';
import { LIFE_MS, statusOf } from '../../shared/transaction/transaction.ts';
import type { AdminOutside } from '../admin/connect.ts';
import type { OpenCharge } from '../phone/open-charge.ts';

/** The phone on the developer's desk: an MTN SIM, which is also where the demo's merchant is paid, and a Telecel SIM. */
export const demoPhone = {
  id: 'demo-phone',
  name: 'Demo phone',
  signingKey: 'demo-signing-key',
  sims: [
    { simNumber: 1, number: '+233241234567', network: 'MTN' as const },
    { simNumber: 2, number: '+233201234567', network: 'TELECEL' as const },
  ],
};

/** The name of the gateway account that reaches it. */
export const DEMO_GATEWAY = 'phone';

/** So fast that a laptop is never slowed by it. */
const DEMO_MESSAGES_PER_HOUR = 100_000;

export interface Demo {
  readonly merchant_id: string;
  readonly secret_key: string;
  readonly sms_secret_key: string;
}

/** Makes the merchant "Ama Stores" with 1,000 credits, its keys, and the phone's two numbers as senders. */
export async function createDemo(outside: AdminOutside, deviceId: string): Promise<Demo> {
  const [mtn, telecel] = demoPhone.sims;
  if (!mtn || !telecel) throw new Error('The demo phone has two SIMs');
  for (const { number, network, simNumber } of [mtn, telecel]) {
    await addSender(outside, {
      number,
      network,
      gateway: DEMO_GATEWAY,
      device_id: deviceId,
      sim_number: simNumber,
      messages_per_hour: DEMO_MESSAGES_PER_HOUR,
    });
  }
  const { merchant_id } = await addMerchant(outside, {
    name: 'Ama Stores',
    momo_accounts: [{ number: mtn.number, network: mtn.network, account_name: 'AMA STORES' }],
  });
  await changeMerchant(outside, merchant_id, { default_from: mtn.number });
  await topUp(outside, merchant_id, 1_000);
  return {
    merchant_id,
    secret_key: await addApiKey(outside, merchant_id, 'live'),
    sms_secret_key: await addApiKey(outside, merchant_id, 'sms'),
  };
}

/** More waiting charges than anybody pays by hand. */
const CHARGES_SHOWN = 20;
/** The list is read every second: under a load test the newest few hundred must do. */
const PAGES_READ = 3;

/** The merchant's charges that wait for a payment, newest first, at most 20. */
export async function listOpenCharges(
  outside: Pick<Outside, 'table' | 'now' | 'baseUrl'>,
  merchantId: string,
): Promise<OpenCharge[]> {
  const nowMs = outside.now();
  const between = [new Date(nowMs - LIFE_MS).toISOString(), `${new Date(nowMs).toISOString()}~`] as const;
  const open: Transaction[] = [];
  let start: PageStart | undefined;
  for (let page = 0; page < PAGES_READ && open.length < CHARGES_SHOWN; page++) {
    const partition = `MERCHANT#${merchantId}#TRANSACTION`;
    const found = await outside.table.listIndex('gsi1', partition, { newestFirst: true, between, start });
    const charges = found.items.map((item) => Transaction.parse(item));
    open.push(...charges.filter((charge) => statusOf(outside, charge) === 'pending'));
    start = found.next;
    if (!start) break;
  }
  return open.slice(0, CHARGES_SHOWN).map((charge) => ({
    reference: charge.reference,
    amountPesewas: charge.amount_pesewas,
    momoNumber: charge.momo_number,
    network: charge.momo_network,
    customerName: charge.customer_name,
    description: charge.description,
    checkoutUrl: `${outside.baseUrl}/checkout/${charge.access_code}`,
  }));
}

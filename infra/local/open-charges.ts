import { Charge } from '../../shared/money/charge/charge.table.ts';
import { MAX_CHARGE_LIFETIME_MS, statusOf } from '../../shared/money/charge/charge.ts';
import { missingPesewas } from '../../shared/money/payment/payment.ts';
import { isoOf, type Outside } from '../../shared/runtime/outside/outside.ts';
import type { PageStart } from '../../shared/runtime/table/table.ts';
import type { OpenCharge } from '../phone/payment.ts';

const CHARGES_SHOWN = 20;
/**
 * Maximum number of pages to read. The list is read every second, so only the newest charges are shown during a load
 * test.
 */
const PAGES_READ = 3;

export async function listOpenCharges(
  outside: Pick<Outside, 'table' | 'now' | 'baseUrl'>,
  merchantId: string,
): Promise<OpenCharge[]> {
  const nowMs = outside.now();
  const between = [isoOf(nowMs - MAX_CHARGE_LIFETIME_MS), `${isoOf(nowMs)}~`] as const;
  const open: Charge[] = [];
  let start: PageStart | undefined;
  for (let page = 0; page < PAGES_READ && open.length < CHARGES_SHOWN; page++) {
    const partition = `MERCHANT#${merchantId}#TRANSACTION`;
    const found = await outside.table.listIndex('gsi1', partition, { newestFirst: true, between, start });
    const charges = found.items.map((item) => Charge.parse(item));
    open.push(...charges.filter((charge) => statusOf(outside, charge) === 'pending'));
    start = found.next;
    if (!start) break;
  }
  return open.slice(0, CHARGES_SHOWN).map((charge) => ({
    reference: charge.reference,
    amountPesewas: missingPesewas(charge),
    momoNumber: charge.momo_number,
    network: charge.momo_network,
    customerName: charge.customer_name,
    description: charge.description,
    checkoutUrl: `${outside.baseUrl}/checkout/${charge.access_code}`,
  }));
}

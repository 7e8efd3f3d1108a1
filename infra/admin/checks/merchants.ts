import { listApiKeys } from '../../../shared/merchant/api-key.table.ts';
import { listMerchants } from '../../../shared/merchant/merchant.table.ts';
import type { Merchant } from '../../../shared/merchant/merchant.ts';
import { listNewestReceipts } from '../../../shared/receipt/newest-receipts.ts';
import { listSenders } from '../../../shared/sender/sender.table.ts';
import { type Finding, fine, wrong } from '../finding.ts';
import type { Place } from '../place.ts';

/** Each merchant has what its keys need: a number to be paid on, in a phone that reports to this service. */
export async function checkMerchants({ outside }: Place): Promise<Finding[]> {
  const merchants = await listMerchants(outside);
  if (merchants.length === 0) {
    return [wrong('There is no merchant.', 'merchant create --name NAME --momo "NUMBER:NETWORK:ACCOUNT NAME"')];
  }
  const heard = new Set((await listSenders(outside)).map(({ number }) => number));
  const findings = await Promise.all(merchants.map((merchant) => examine(outside, merchant, heard)));
  return [...findings.flat(), ...(await strayPayments(outside))];
}

/** Unassigned payments of the last week, which no merchant sees because they could belong to several. */
async function strayPayments(outside: Place['outside']): Promise<Finding[]> {
  const since = new Date(outside.now() - WEEK_MS).toISOString();
  const held = (await listNewestReceipts(outside, 'held')).filter(
    ({ reason, received_at }) => received_at > since && reason !== 'reversed',
  );
  if (held.length === 0) return [];
  const todo = 'List them: receipt list. Assign one to its charge: receipt assign --id ID --reference MK-…';
  return [wrong(`Held payments that no merchant sees, because they could belong to several: ${held.length}.`, todo)];
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

async function examine(
  outside: Place['outside'],
  { merchant_id, name, momo_accounts, default_from }: Merchant,
  heard: ReadonlySet<string>,
): Promise<Finding[]> {
  const who = `The merchant ${name} (${merchant_id})`;
  const keys = (await listApiKeys(outside, merchant_id)).filter(({ revoked_at }) => revoked_at === undefined);
  const findings: Finding[] = [];
  if (keys.length === 0) {
    findings.push(wrong(`${who} has no key.`, `key create --merchant ${merchant_id} --kind live`));
  }
  if (keys.some(({ kind }) => kind === 'live') && momo_accounts.length === 0) {
    const todo = `merchant set --merchant ${merchant_id} --momo "NUMBER:NETWORK:ACCOUNT NAME"`;
    findings.push(wrong(`${who} has a live key but no MoMo number: its charges are refused.`, todo));
  }
  for (const { number } of momo_accounts.filter((account) => !heard.has(account.number))) {
    findings.push(
      wrong(
        `${who} is paid on ${number}, which is not in any known phone: its receipts are not recognised.`,
        `Enter the phone and slot of its SIM: sender add --number ${number} --network NETWORK --gateway phone --device DEVICE --sim 1`,
      ),
    );
  }
  if (default_from !== undefined && !heard.has(default_from)) {
    findings.push(wrong(`${who} sends from ${default_from}, which is not a sender.`, 'sender add, or merchant set'));
  }
  return findings.length > 0 ? findings : [fine(`${who} has its keys and numbers.`)];
}

import { apiKeyRows } from '../../../merchants/merchant/api-key.table.ts';
import { listMerchantsAfter } from '../../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../../merchants/merchant/test-account.ts';
import { listReceipts } from '../../../money/receipt/receipt.table.ts';
import { isUnseen, numberInReceiptId } from '../../../money/receipt/receipt.ts';
import { placingCommand } from '../../../phones/sender/manage-senders.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import { sendingOf } from '../../../phones/sender/sender.ts';
import { isoOf } from '../../../runtime/outside/outside.ts';
import type { Deployment } from '../../../runtime/stage/deployment.ts';
import { type KeyKind, keyKinds } from '../../../runtime/triggers/row.ts';
import { DAY_MS, MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { FEW_AT_ONCE, sideBySide } from '../../../runtime/values/side-by-side.ts';
import { FAILING_DAYS, SILENCE_DAYS } from '../../../webhook/deliver-webhook.ts';
import { endpointRows } from '../../../webhook/endpoint.table.ts';
import { type Finding, fine, found, shellWord, wrong } from '../finding.ts';

const MERCHANTS_A_PAGE = 100;

/** Checks that each merchant has a number for payments, whose phone sends callbacks to this service. */
export async function checkMerchants({ outside }: Deployment): Promise<Finding[]> {
  const senders = await listSenders(outside);
  const numbers: Numbers = {
    heard: new Set(senders.map(({ number }) => number)),
    sending: new Set(sendingOf(senders).map(({ number }) => number)),
  };
  const findings: Finding[] = [];
  let after: string | undefined;
  do {
    const { merchants: items, next } = await listMerchantsAfter(outside, after, MERCHANTS_A_PAGE);
    await sideBySide(outside, { items, atOnce: FEW_AT_ONCE }, async (merchant) => {
      findings.push(...(await examine(outside, merchant, numbers)));
    });
    after = next;
  } while (after);
  if (findings.length === 0) {
    return [wrong('There are no merchants.', 'merchant create --name NAME --momo "NUMBER:NETWORK:ACCOUNT NAME"')];
  }
  return found(findings, await strayPayments(outside));
}

/** Maximum number of payments to count. */
const MAX_STRAY = 50;

/** Reports last week's payments whose merchant is uncertain. Merchants cannot see them. */
async function strayPayments(outside: Deployment['outside']): Promise<Finding[]> {
  const since = isoOf(outside.now() - 7 * DAY_MS);
  const { receipts } = await listReceipts(outside, undefined, 'held', { limit: MAX_STRAY, newestFirst: true });
  const held = receipts
    .filter(isUnseen)
    .filter(({ reason, received_at }) => received_at > since && reason !== 'reversed');
  const todo = 'List them with: receipt list. Assign one to its charge with: receipt assign --id ID --reference MK-…';
  const register = 'sender add --number NUMBER --network NETWORK --gateway phone --device DEVICE --sim SLOT';
  const ofNumber = held.filter(({ receipt_id }) => numberInReceiptId(receipt_id) !== undefined).length;
  return found(
    ofNumber > 0 && unseen(ofNumber, 'the number that was paid belongs to several merchants or to none', todo),
    ofNumber < held.length &&
      unseen(
        held.length - ofNumber,
        'the phone did not report which SIM was paid, or the SIM is registered in another phone',
        `Check which SIMs are in the phone. Enter a SIM that was moved with: ${register}. ${todo}`,
      ),
  );
}

function unseen(payments: number, why: string, todo: string): Finding {
  return wrong(`No merchant sees ${counted(payments, 'held payment')}, because ${why}.`, todo);
}

interface Numbers {
  readonly heard: ReadonlySet<string>;
  readonly sending: ReadonlySet<string>;
}

async function examine(
  outside: Deployment['outside'],
  merchant: Merchant,
  { heard, sending }: Numbers,
): Promise<Finding[]> {
  const { merchant_id, momo_accounts, default_from } = merchant;
  const who = nameOf(merchant);
  const keys = (await apiKeyRows.list(outside, { merchant_id })).filter(({ revoked_at }) => revoked_at === undefined);
  const real = keys.filter((key) => !isTestAccount(key.merchant_id));
  const set = `merchant set --merchant ${merchant_id}`;
  const webhooks: Finding[] = [];
  for (const kind of keyKinds) webhooks.push(...found(await checkWebhook(outside, merchant, kind)));
  const findings = found(
    // A shop that uses only the dashboard needs no key.
    real.length === 0 &&
      momo_accounts.length === 0 &&
      wrong(
        `${who} has no MoMo number and no ${keys.length === 0 ? '' : 'live '}key.`,
        `${set} --momo "NUMBER:NETWORK:ACCOUNT NAME", or: key create --merchant ${merchant_id} --kind sms`,
      ),
    real.some(({ kind }) => kind === 'live') &&
      momo_accounts.length === 0 &&
      wrong(
        `${who} has a live key but no MoMo number, so its charges are rejected.`,
        `${set} --momo "NUMBER:NETWORK:ACCOUNT NAME"`,
      ),
    momo_accounts
      .filter((account) => !heard.has(account.number))
      .map((account) =>
        wrong(
          `${who} receives payments on ${account.number}, but no known phone has that number. Its payments are held.`,
          `Set the phone and slot of its SIM with: ${placingCommand(account)}`,
          { symptomOf: ['no sender'] },
        ),
      ),
    default_from !== undefined &&
      !sending.has(default_from) &&
      wrong(
        `${who} sends from ${default_from}, which is not a sender, so its texts are rejected.`,
        `Choose a sender from "sender list" and set it with: ${set} --default-from NUMBER`,
        { symptomOf: ['no sender'] },
      ),
    webhooks,
  );
  if (findings.length > 0) return findings;
  return [
    fine(
      real.length > 0
        ? `${who} has the keys and numbers that it needs.`
        : `${who} has the numbers that it needs, and does not need a key.`,
    ),
  ];
}

/** A webhook is reported after failing for this long. Retries bridge shorter outages. */
const FAILING_MS = 15 * MINUTE_MS;

async function checkWebhook(
  outside: Deployment['outside'],
  merchant: Merchant,
  key_kind: KeyKind,
): Promise<Finding | undefined> {
  const { merchant_id } = merchant;
  const webhook = await endpointRows.find(outside, { merchant_id, key_kind });
  if (!webhook) return undefined;
  const { disabled_at, disabled_reason, failing_since, last_failed_at = '' } = webhook;
  // Normalise the URL, because a line break could corrupt the terminal output.
  const url = new URL(webhook.url).href;
  const [its, kind, subject] =
    key_kind === 'live'
      ? [`The webhook of ${nameOf(merchant).replace('The', 'the')}`, '', 'payments']
      : [`The webhook for texts of ${nameOf(merchant).replace('The', 'the')}`, ' --kind sms', 'texts'];
  const setAgain = `webhook set --merchant ${merchant_id}${kind} --url ${shellWord(url)}`;
  if (disabled_at) {
    const reason =
      disabled_reason === 'gone' ? 'its server returned 410' : `every attempt failed for ${FAILING_DAYS} days`;
    return wrong(
      `${its} has been off since ${disabled_at}, because ${reason}. The merchant’s server is not notified of ${subject}.`,
      `Inform the merchant. Once its server works, or with another URL, run: ${setAgain}. The merchant can replay missed events.`,
    );
  }
  const isOver = outside.now() - Date.parse(last_failed_at) > SILENCE_DAYS * DAY_MS;
  if (!failing_since || isOver || outside.now() - Date.parse(failing_since) < FAILING_MS) return undefined;
  return wrong(
    `${its} has failed since ${failing_since}, and will be switched off after ${FAILING_DAYS} days. Its events are retried.`,
    `Inform the merchant that ${url} must respond with 2xx. The API's list of events shows its responses. To use another URL, run: webhook set --merchant ${merchant_id}${kind} --url URL`,
  );
}

function nameOf({ name, merchant_id }: Merchant): string {
  return `The merchant ${name} (${merchant_id})`;
}

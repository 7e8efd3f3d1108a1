import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { type AuditEntry, COMMAND_LINE, listAudit, SHARED_PHONE } from '../../../merchants/audit/audit.table.ts';
import { listSharedPhones } from '../../../merchants/user/shared-phone.table.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import { tillRows } from '../../../money/till/till.table.ts';
import { isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import { chargeAddress } from '../parts/addresses.ts';
import { emptyState, type Html, shownDay, shownTime } from '../parts/content.ts';
import { choice } from '../parts/form.ts';
import { foldedFilters, listPage } from '../parts/list.ts';
import { reworded } from '../parts/shop-words.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

/** Number of months for which audit entries are kept. */
const MONTHS = 13;

export function showAudit(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  return auditOf(visit, outside, visit.merchant.merchant_id);
}

/** Lists a merchant's changes. Without an id, lists changes that belong to no merchant. */
export function auditOf(
  visit: Pick<MerchantVisit, 'query' | 'here'>,
  outside: Outside,
  merchantId: string | undefined,
  about?: Html,
): Promise<Shown> {
  const months = monthsUntil(outside.now());
  const month = months.find((one) => one === visit.query.month) ?? months[0] ?? '';
  const options = months.map((one) => [one, monthName(one)] as const);
  return listPage(visit, {
    title: 'Audit',
    caption: 'What was changed',
    above: () =>
      html`${about}${foldedFilters(visit, monthName(month), choice('month', 'Month', { value: month, options }))}`,
    read: async (page) => {
      const { entries, next } = await listAudit(outside, merchantId, month, page);
      const names = await namesIn(outside, merchantId, entries);
      return { entries: entries.map((entry) => ({ ...entry, names })), next };
    },
    columns: {
      When: ({ at }) => html`<span class="number">${shownTime(at)}</span>`,
      Who: ({ by, phone_id: id, names }) =>
        `${names.get(by) ?? whoElse(by)}${id ? `, on ${names.get(id) ?? `a removed shared phone (…${id.slice(-4)})`}` : ''}`,
      What: (entry) => actionInWords(entry),
      About: (entry) => entry.names.get(entry.about ?? '') ?? aboutOf(entry),
      'Before and after': (entry) => changesInWords(entry, entry.names),
    },
    nothing: emptyState('No changes yet', 'Changes made by people, keys and commands appear here.'),
  });
}

async function namesIn(outside: Outside, merchantId: string | undefined, entries: readonly AuditEntry[]) {
  const ids = entries.flatMap(({ by, about = '' }) => [by, about]).filter((id) => /^[0-7]\w{25}$/.test(id));
  const has = (...areas: readonly string[]) => entries.some(({ action }) => areas.includes(action.split(' ')[0] ?? ''));
  const hasPhones = entries.some(({ phone_id }) => phone_id) || has('phone');
  const [people, phones, tills] = await Promise.all([
    namesOf(outside, ids),
    merchantId !== undefined && hasPhones ? listSharedPhones(outside, merchantId) : [],
    merchantId !== undefined && has('till', 'shift', 'sticker')
      ? tillRows.list(outside, { merchant_id: merchantId })
      : [],
  ]);
  return new Map([
    ...people,
    ...phones.map(({ phone_id, name }) => [phone_id, name] as const),
    ...tills.map(({ till_id, name }) => [till_id, name] as const),
  ]);
}

function whoElse(by: string): string {
  if (by === SHARED_PHONE) return 'Nobody';
  return by === COMMAND_LINE ? 'Support (command line)' : by;
}

/** Links to the charge. Test charges get no link, because they open only in test mode. */
function aboutOf({ about = '', after }: AuditEntry): Html | string {
  return about.startsWith('MK-') && after?.test !== true ? html`<a href="${chargeAddress(about)}">${about}</a>` : about;
}

/** Formats a month as `Nov 2026`. */
function monthName(month: string): string {
  return shownDay(`${month}-01`).slice(2);
}

function monthsUntil(nowMs: number): string[] {
  const now = new Date(nowMs);
  return Array.from({ length: MONTHS }, (_, n) =>
    isoOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1)).slice(0, 7),
  );
}

/** Descriptions of actions for people who do not use the command line. */
const ACTIONS: Readonly<Record<string, string>> = {
  'change approve': 'Approved a change',
  'change propose': 'Proposed a change',
  'change refuse': 'Rejected a change',
  'change withdraw': 'Withdrew a change',
  'charge create': 'Created a bill',
  'charge cancel': 'Cancelled a bill',
  'charge mark': 'Manually marked a bill as paid',
  'charge unmark': 'Undid marking a bill as paid',
  'charge not-there': 'Removed a payment from a bill, because the money was not there',
  'charge there': 'Said that the money of a bill in doubt was there',
  'charge note': 'Wrote a note on a bill',
  'charge send': 'Sent a bill’s link',
  'charge release': 'Released goods whose payment is not verified',
  'code release': 'Released a code',
  'codes add': 'Added codes to a payment link',
  'codes remove': 'Removed codes from a payment link',
  'contact remove': 'Removed a contact',
  'contact withdraw': 'Withdrew a contact’s consent',
  'contacts store': 'Saved contacts',
  'credits add': 'Added credits',
  'credits allow': 'Allowed credit purchases again',
  'credits bundle': 'Set up a credit bundle',
  'credits buy': 'Started buying credits',
  'credits seller': 'Set the seller of credits',
  'credits release': 'Released credits whose payment is not verified',
  'customer erase': 'Erased a customer',
  'dashboard open': 'Opened the dashboard',
  'key create': 'Created an API key',
  'key revoke': 'Revoked an API key',
  'key roll': 'Replaced an API key',
  'key set': 'Changed an API key',
  'link change': 'Changed a payment link',
  'link create': 'Created a payment link',
  'link end': 'Ended a payment link',
  'merchant approve-number': 'Approved a number that an owner requested',
  'merchant create': 'Added the merchant',
  'merchant set': 'Changed the settings',
  'merchant suspend': 'Suspended the shop',
  'merchant cancel-texts': 'Cancelled all queued texts',
  'merchant take-back': 'Lifted the suspension',
  'passkey add': 'Added a passkey',
  'device add': 'Turned on notifications on another device',
  'device set': 'Turned notifications back on for a device',
  'device remove': 'Turned off notifications on a device',
  'device text': 'Turned on text notifications for a number',
  'phone add': 'Created the link for a shared phone',
  'phone copied': 'Another browser signed in as this shared phone, so the phone was locked',
  'phone end': 'Removed a shared phone',
  'phone enrol': 'Added a shared phone',
  'phone lock': 'Locked after wrong PINs',
  'phone sign-out': 'Signed everyone out of a shared phone',
  'phone unlock': 'Unlocked a shared phone',
  'pin invite': 'Gave out a code for setting a PIN',
  'pin set': 'Set a PIN',
  'passkey remove': 'Removed a passkey',
  'receipt assign': 'Matched a payment to a bill',
  'receipt release': 'Let tills take a payment that is not verified',
  'receipt set-aside': 'Marked a payment “not for a bill”',
  'receipt take-back': 'Put a payment back on the list',
  'refund close': 'Closed a refund',
  'request cancel': 'Cancelled a payment request',
  'request create': 'Created a payment request',
  'requests create': 'Created payment requests from a list',
  'refund note': 'Recorded a refund',
  'sms send': 'Sent texts',
  'sms bulk': 'Sent a text to many',
  'sms cancel': 'Cancelled texts',
  'shift begin': 'Started a shift at a till',
  'shift end': 'Ended a shift at a till',
  'sticker create': 'Created the sticker for a till',
  'till create': 'Added a till',
  'till end': 'Removed a till',
  'till hand-out': 'Marked goods as handed over at a till',
  'till take': 'Took a payment at a till',
  'till undo': 'Undid a payment taken at a till',
  'user invite': 'Invited someone',
  'user remove': 'Removed someone',
  'user revoke-sessions': 'Signed someone out everywhere',
  'user send': 'Sent an invitation as a text',
  'user set': 'Changed someone’s role',
  'wallet balance': 'Entered a wallet’s balance',
  'wallet set': 'Changed a wallet',
  'webhook remove': 'Removed the address for messages to your website',
  'webhook roll': 'Changed the secret for messages to your website',
  'webhook set': 'Set the address for messages to your website',
};

export function actionInWords({ action }: Pick<AuditEntry, 'action'>): string {
  return ACTIONS[action] ?? action;
}

/** Formats changes like `amount: GHS 25.00, reason: Out of stock (was Too late)`. */
function changesInWords(
  { before = {}, after = {} }: Pick<AuditEntry, 'before' | 'after'>,
  people: ReadonlyMap<string, string>,
): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name) => {
      const was = before[name] === undefined ? '' : ` (was ${shown(name, before[name], people)})`;
      return `${reworded(name.replace(PESEWAS, '').replaceAll('_', ' '))}: ${shown(name, after[name], people)}${was}`;
    })
    .join(', ');
}

function shown(
  name: string,
  value: string | number | boolean | null | undefined,
  people: ReadonlyMap<string, string>,
): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'number' && PESEWAS.test(name)) return shownMoney(value);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : (people.get(String(value)) ?? String(value));
}

const PESEWAS = /_pesewas$/;

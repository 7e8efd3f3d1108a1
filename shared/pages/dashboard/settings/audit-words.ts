import { shownMoney } from '../../../ghana/money.ts';
import type { AuditEntry } from '../../../merchants/audit/audit.table.ts';

/** What was done, for whoever never saw the command line. An action without words is shown by its name. */
const ACTIONS: Readonly<Record<string, string>> = {
  'change approve': 'Approved a change',
  'change propose': 'Proposed a change',
  'change refuse': 'Refused a change',
  'change withdraw': 'Withdrew a change',
  'charge create': 'Created a charge',
  'charge cancel': 'Cancelled a charge',
  'charge note': 'Wrote a note on a charge',
  'charge send': 'Sent the link of a charge',
  'credits add': 'Added credits',
  'customer erase': 'Erased a customer',
  'dashboard open': 'Opened the dashboard',
  'key create': 'Made an API key',
  'key revoke': 'Revoked an API key',
  'key roll': 'Rolled an API key',
  'key set': 'Changed an API key',
  'merchant create': 'Added the merchant',
  'merchant set': 'Changed the settings',
  'merchant suspend': 'Suspended the shop',
  'merchant take-back': 'Lifted the suspension',
  'passkey add': 'Added a passkey',
  'passkey remove': 'Removed a passkey',
  'receipt assign': 'Gave a payment to a charge',
  'receipt set-aside': 'Set a payment aside',
  'receipt take-back': 'Put a payment back',
  'refund close': 'Closed a refund note',
  'refund note': 'Noted a refund',
  'sms send': 'Sent texts',
  'user invite': 'Invited somebody',
  'user remove': 'Removed somebody',
  'user revoke-sessions': 'Ended somebody’s sessions',
  'user send': 'Sent an invitation as a text',
  'user set': 'Changed somebody’s role',
  'wallet confirm': 'Said that a wallet held a balance',
  'wallet deny': 'Said that a wallet never held a balance',
  'wallet set': 'Changed a wallet',
  'webhook remove': 'Removed a webhook',
  'webhook roll': 'Rolled a webhook’s secret',
  'webhook set': 'Set a webhook',
};

export function actionInWords({ action }: Pick<AuditEntry, 'action'>): string {
  return ACTIONS[action] ?? action;
}

/** `amount: GHS 25.00, reason: Out of stock (was Too late)`. */
export function changesInWords({ before = {}, after = {} }: Pick<AuditEntry, 'before' | 'after'>): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name) => {
      const was = before[name] === undefined ? '' : ` (was ${shown(name, before[name])})`;
      return `${name.replace(PESEWAS, '').replaceAll('_', ' ')}: ${shown(name, after[name])}${was}`;
    })
    .join(', ');
}

function shown(name: string, value: string | number | boolean | null | undefined): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'number' && PESEWAS.test(name)) return shownMoney(value);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

const PESEWAS = /_pesewas$/;

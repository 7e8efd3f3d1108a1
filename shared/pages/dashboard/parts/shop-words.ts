import type { merchantRoles } from '../../../merchants/user/permissions.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { sizeOf } from '../../../texts/sms/segments.ts';

/** The API's and the operator's words, and what a shop's people read in their place. docs/internals/dashboard.md says what each means. */
export const SHOP_WORDS: Readonly<Record<string, string>> = {
  charge: 'bill',
  charges: 'bills',
  'the operator': 'support',
  operator: 'support',
  proven: 'verified',
  unproven: 'unverified',
  'set aside': 'for no bill',
  unread: 'not understood',
  webhook: 'message to your website',
  webhooks: 'messages to your website',
  'your server': 'your website',
  'case file': 'payment record',
  'phone of this service': 'connected phone',
  'GSM-7': 'standard characters',
  CSV: 'spreadsheet',
  'has opted out': 'wrote STOP',
  'has no stored consent': 'has not agreed to offers',
};

/** The longest first: `the operator` before `operator`. The name of an event or an address is no word. */
const WORDS = new RegExp(
  `(?<![/.])\\b(${Object.keys(SHOP_WORDS)
    .toSorted((one, other) => other.length - one.length)
    .join('|')})\\b(?![.:]\\w)`,
  'g',
);

/** A refusal of the API as a shop's people read it: in their words, and with the name of whom to ask. */
export function inShopWords(outside: Pick<Outside, 'operator'>, refusal: string): string {
  return namingOperator(outside, reworded(refusal));
}

export function reworded(said: string): string {
  return said.replace(WORDS, (word) => SHOP_WORDS[word] ?? word);
}

/** In which characters an SMS is: 160 of the first kind fit into one, 70 of the second. */
export const CHARACTERS: Readonly<Record<ReturnType<typeof sizeOf>['encoding'], string>> = {
  'GSM-7': 'standard characters',
  'UCS-2': 'special characters',
};

/** What each role is for. */
export const ROLES: Readonly<Record<(typeof merchantRoles)[number], string>> = {
  owner: 'everything, also where the money goes and who else may do what',
  manager:
    'the till, bills, payments to check, refunds, texts and settings; an owner approves numbers, names and higher limits',
  cashier: 'taking payments at the till, bills and texts',
  viewer: 'viewing everything and changing nothing',
  developer: 'connecting your website, by API keys and messages to it',
};

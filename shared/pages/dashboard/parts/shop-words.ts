import type { merchantRoles } from '../../../merchants/user/permissions.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { sizeOf } from '../../../texts/sms/segments.ts';

/** Replaces words of the API and the operator by a shop's words, which docs/internals/dashboard.md explains. */
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

/** Longest first, so that `the operator` precedes `operator`. Event names and addresses are not words. */
const WORDS = new RegExp(
  `(?<![/.])\\b(${Object.keys(SHOP_WORDS)
    .toSorted((one, other) => other.length - one.length)
    .join('|')})\\b(?![.:]\\w)`,
  'g',
);

/** Rewords an API refusal for a shop's people, with the name of whom to ask. */
export function inShopWords(outside: Pick<Outside, 'operator'>, refusal: string): string {
  return namingOperator(outside, reworded(refusal));
}

export function reworded(text: string): string {
  return text.replace(WORDS, (word) => SHOP_WORDS[word] ?? word);
}

/** The characters of an SMS: up to 160 of the first kind, 70 of the second. */
export const CHARACTERS: Readonly<Record<ReturnType<typeof sizeOf>['encoding'], string>> = {
  'GSM-7': 'standard characters',
  'UCS-2': 'special characters',
};

export const ROLES: Readonly<Record<(typeof merchantRoles)[number], string>> = {
  owner: 'everything, also where the money goes and who else may do what',
  manager:
    'the till, bills, payments to check, refunds, texts and settings; an owner approves numbers, names and higher limits',
  cashier: 'taking payments at the till, bills and texts',
  viewer: 'viewing everything and changing nothing',
  developer: 'connecting your website, by API keys and messages to it',
};

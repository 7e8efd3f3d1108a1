import type { merchantRoles } from '../../../merchants/user/permissions.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { sizeOf } from '../../../texts/sms/segments.ts';

/** The words that shops see in place of API and operator terms (see docs/internals/dashboard.md). */
export const SHOP_WORDS: Readonly<Record<string, string>> = {
  charge: 'bill',
  charges: 'bills',
  'the operator': 'support',
  operator: 'support',
  proven: 'verified',
  unproven: 'unverified',
  'set aside': 'marked “not for a bill”',
  unread: 'not understood',
  webhook: 'message to your website',
  webhooks: 'messages to your website',
  'your server': 'your website',
  'case file': 'evidence for a dispute',
  'phone of this service': 'connected phone',
  'GSM-7': 'standard characters',
  CSV: 'spreadsheet',
  'has opted out': 'wrote STOP',
  'has no stored consent': 'has not agreed to offers',
};

/** Matches these terms, longest first, but not in event names and URLs. */
const WORDS = new RegExp(
  `(?<![/.])\\b(${Object.keys(SHOP_WORDS)
    .toSorted((one, other) => other.length - one.length)
    .join('|')})\\b(?![.:]\\w)`,
  'g',
);

/** Rewords an API error for a shop's team. */
export function inShopWords(outside: Pick<Outside, 'operator'>, refusal: string): string {
  return namingOperator(outside, reworded(refusal));
}

export function reworded(text: string): string {
  return text.replace(WORDS, (word) => SHOP_WORDS[word] ?? word);
}

/** Characters allowed in an SMS, by encoding: up to 160 in GSM-7, up to 70 in UCS-2. */
export const CHARACTERS: Readonly<Record<ReturnType<typeof sizeOf>['encoding'], string>> = {
  'GSM-7': 'standard characters',
  'UCS-2': 'special characters',
};

export const ROLES: Readonly<Record<(typeof merchantRoles)[number], string>> = {
  owner: 'everything, including where the money goes and what others may do',
  manager:
    'the till, bills, payments to check, refunds, texts and settings; an owner approves numbers, names and higher limits',
  cashier: 'taking payments at the till, bills and texts',
  viewer: 'viewing everything and changing nothing',
  developer: 'connecting your website, with API keys and messages to it',
};

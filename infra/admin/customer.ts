import { COUNTRY_CODE } from '../../shared/ghana/country.ts';

/** Whom an erasure is about: a number (`+233…`) or an e-mail address. Nobody is found by a name: too many people have it. */
export type Customer = { readonly phone: string } | { readonly email: string };

/** A person in texts: every form in which people, networks and programs write the number or the address. */
export function mentionOf(customer: Customer): RegExp {
  return new RegExp('phone' in customer ? numberPattern(customer.phone) : addressPattern(customer.email), 'gi');
}

/** With +233, 00233, 233, 0 or nothing before its nine digits, in whatever groups; and not inside a longer number. */
function numberPattern(phone: string): string {
  const gap = '[\\s()./\\u2010-\\u2015-]{0,3}';
  const digits = [...phone.slice(COUNTRY_CODE.length)].join(gap);
  return `(?<!\\d)(?:(?:\\+|00)?${COUNTRY_CODE.slice(1)}${gap}0?|0)?${gap}${digits}(?!\\d)`;
}

/** As it is, or with its @ encoded in a link; and not as a part of a longer address. */
function addressPattern(email: string): string {
  const [name = '', host = ''] = email.split('@').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `(?<![\\w.+-])${name}(?:@|%40)${host}(?![\\w-]|\\.\\w)`;
}

/** Whether any of these values, texts or what contains texts, has the person in it. */
export function mentions(values: unknown, mention: RegExp): boolean {
  return (JSON.stringify(values) ?? '').search(mention) >= 0;
}

/** A text without the person. Zero, so that JSON stays JSON where the number was not in quotes. */
export function withoutMentions(text: string, mention: RegExp): string {
  return text.replace(mention, '0');
}

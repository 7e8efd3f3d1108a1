import { COUNTRY_CODE } from '../../shared/ghana/country.ts';

/** Identifies the person whose data is erased. A name would not be unique enough. */
export type Customer = { readonly phone: string } | { readonly email: string };

export function mentionOf(customer: Customer): RegExp {
  return new RegExp('phone' in customer ? numberPattern(customer.phone) : addressPattern(customer.email), 'gi');
}

/**
 * Matches the phone number with its digits grouped in any way, after +233, 00233, 233, 0 or no prefix. Does not match
 * inside a longer number.
 */
function numberPattern(phone: string): string {
  const gap = '[\\s()./\\u2010-\\u2015-]{0,3}';
  const digits = [...phone.slice(COUNTRY_CODE.length)].join(gap);
  return `(?<!\\d)(?:(?:\\+|00)?${COUNTRY_CODE.slice(1)}${gap}0?|0)?${gap}${digits}(?!\\d)`;
}

/** Matches the e-mail address, including an encoded @. Does not match inside a longer address. */
function addressPattern(email: string): string {
  const [name = '', host = ''] = email.split('@').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `(?<![\\w.+-])${name}(?:@|%40)${host}(?![\\w-]|\\.\\w)`;
}

export function mentions(values: unknown, mention: RegExp): boolean {
  return (JSON.stringify(values) ?? '').search(mention) >= 0;
}

/** Replaces each mention with 0, which keeps JSON valid even where the number was unquoted. */
export function withoutMentions(text: string, mention: RegExp): string {
  return text.replace(mention, '0');
}

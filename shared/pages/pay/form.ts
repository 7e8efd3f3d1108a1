import { html, raw } from 'hono/html';
import type { PublicError } from '../../runtime/values/errors.ts';
import type { Html } from '../frame/frame.ts';
import { inCurrency } from '../frame/in-currency.ts';
import { sharedWords as words } from '../words/words.ts';

export interface Refused {
  readonly error: PublicError;
  readonly typed: Readonly<Record<string, string>>;
}

export function payForm(
  action: string,
  refused: Refused | undefined,
  fields: Html,
  {
    submit = words.pay,
    isPlain,
    more = '',
    nonce,
  }: { submit?: string; isPlain?: boolean; more?: string; nonce?: string } = {},
): Html {
  return html`<form method="post" action="${action}">
${refused && !refused.error.errors && html`<p class="fault" role="alert">${refused.error.message}</p>`}
${nonce !== undefined && html`<input type="hidden" name="nonce" value="${nonce}">`}${fields}
<p><button class="${isPlain && 'plain '}button">${submit}</button></p>
<p class="hint">${words.howToPay}${more && ` ${more}`}</p>
</form>`;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: string | undefined;
  readonly isOptional?: boolean;
  readonly maxLength: number;
  readonly isAmount?: boolean;
  /** Trusted markup from our own code. */
  readonly attributes: string;
}

export function payField(
  refused: Refused | undefined,
  { name, label, value = '', hint, isOptional, isAmount, maxLength, attributes }: Field,
): Html {
  const fault = refused?.error.errors?.find(({ field }) => field === name)?.message;
  const shown = (refused?.typed[name] ?? value).slice(0, maxLength);
  const described = [isAmount && `${name}-currency`, fault && `${name}-fault`, hint && `${name}-hint`]
    .filter(Boolean)
    .join(' ');
  const about = html`${described && html` aria-describedby="${described}"`}${fault && raw(' aria-invalid="true" autofocus')}`;
  const input = html`<input id="${name}" name="${name}" value="${shown}"${!isOptional && raw(' required')}${raw(attributes)} maxlength="${maxLength}"${about}>`;
  return html`<div>
<label for="${name}">${label}</label>
${isAmount ? inCurrency(name, input) : input}
${fault && html`<p class="fault" id="${name}-fault">${fault}</p>`}
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`;
}

export const amountField = {
  name: 'amount',
  maxLength: 16,
  isAmount: true,
  attributes: ' inputmode="decimal" autocomplete="transaction-amount"',
} as const;

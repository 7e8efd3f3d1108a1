import { html } from 'hono/html';
import { shownMoney, wholeMoney } from '../../ghana/money.ts';
import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { type Link, requireSlug } from '../../money/link/link.table.ts';
import { boundsOf, hasEnded, isSoldOut } from '../../money/link/link.ts';
import { MAX_NOTE_CHARACTERS, newNonce } from '../../money/link/open-link-charge.ts';
import { codesLeft } from '../../money/link/stock.table.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { type Html, safety } from '../frame/frame.ts';
import { sharedWords, payWords as words } from '../words/words.ts';
import { amountField, payField, payForm, type Refused } from './form.ts';
import { closedNotice, closedReason, shopHead, shopPage } from './shop-page.ts';

export interface OpenLink {
  readonly link: Link;
  readonly merchant: Merchant;
}

/** Finds a payment link by slug. @throws PublicError `not_found`. */
export async function linkOfSlug(outside: Outside, slug: string): Promise<OpenLink> {
  const link = await requireSlug(outside, slug);
  const merchant = await merchantCache.get(outside, link.merchant_id);
  if (!merchant) throw new PublicError('not_found', 'There is no payment link at this address.');
  return { link, merchant };
}

export function payPage(outside: Outside, found: OpenLink, refused?: Refused): Promise<Answer> {
  const { link, merchant } = found;
  const closed = closedOf(outside, found);
  const { title, description } = link;
  const main = html`<main>
${shopHead(outside, merchant)}
<div class="card">
${closed && closedNotice(closed.text)}
<h1>${title}</h1>
${description && html`<p class="description" dir="auto">${description}</p>`}
${!closed && linkForm(outside, link, refused)}
</div>
${!closed && safety(merchant.name)}
</main>`;
  return shopPage(outside, refused?.error.statusCode ?? closed?.statusCode ?? 200, {
    title: refused && !closed ? sharedWords.errorTitle(title) : title,
    main,
    merchant,
    headers: refused?.error.headers,
  });
}

/** Returns why the link cannot be paid now, or undefined. */
function closedOf(outside: Outside, { link, merchant }: OpenLink) {
  const text = closedReason(merchant);
  if (text !== undefined) return { statusCode: 403, text };
  if (hasEnded(outside, link)) return { statusCode: 410, text: words.ended(merchant.name) };
  if (isSoldOut(link)) return { statusCode: 409, text: words.soldOut(merchant.name) };
  return undefined;
}

function linkForm(outside: Outside, link: Link, refused: Refused | undefined): Html {
  const { slug, note_label: label, min_pesewas, max_pesewas } = link;
  const [least, most] = boundsOf(link);
  const isBound = min_pesewas !== undefined || max_pesewas !== undefined;
  const bounds = isBound ? words.between(wholeMoney(least), wholeMoney(most)) : undefined;
  const hasCodes = link.codes_stocked !== undefined;
  const isFixed = least === most;
  const fields = html`${!isFixed && payField(refused, { ...amountField, label: words.amount, hint: bounds })}
${label !== undefined && payField(refused, { ...noteField, label })}
${hasCodes && link.texts_codes && payField(refused, phoneField)}
${hasCodes && codeHint(link)}`;
  const submit = isFixed ? words.payAmount(wholeMoney(least)) : sharedWords.pay;
  return html`${isFixed && html`<p class="amount">${shownMoney(least)}</p>`}
${payForm(`/pay/${slug}`, refused, fields, { submit, more: words.halfAnHour, nonce: newNonce(outside) })}`;
}

const noteField = { name: 'note', maxLength: MAX_NOTE_CHARACTERS, attributes: ' autocomplete="off"' } as const;
const phoneField = {
  name: 'phone',
  label: words.phone,
  isOptional: true,
  maxLength: 20,
  attributes: ' type="tel" autocomplete="tel"',
} as const;

/** The page shows how many codes are left only if there are at most this many. */
const FEW = 5;

/** Explains that opening the page does not reserve a code. */
function codeHint(link: Link): Html {
  const left = codesLeft(link) - (link.codes_waiting ?? 0);
  const few = left <= FEW && html` ${words.fewLeft(`${left}`)}`;
  return html`<p class="hint">${words.codeComes}${few}</p>`;
}

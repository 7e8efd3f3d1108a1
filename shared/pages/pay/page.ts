import { html, raw } from 'hono/html';
import { CURRENCY } from '../../ghana/country.ts';
import { shownMoney } from '../../ghana/money.ts';
import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { type Link, requireSlug } from '../../money/link/link.table.ts';
import { boundsOf, hasEnded, isSoldOut } from '../../money/link/link.ts';
import { MAX_NOTE_CHARACTERS, type Typed } from '../../money/link/open-charge.ts';
import { codesLeft } from '../../money/link/stock.table.ts';
import type { Answer } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { framed, type Html, shopHead, testBand } from './frame.ts';

/** A link with its merchant as it is now. */
export interface OpenLink {
  readonly link: Link;
  readonly merchant: Merchant;
}

/** The link of a slug in an address. @throws PublicError `not_found`. */
export async function linkOfSlug(outside: Outside, slug: string): Promise<OpenLink> {
  const link = await requireSlug(outside, slug);
  const merchant = await merchantCache.get(outside, link.merchant_id);
  if (!merchant) throw new PublicError('not_found', 'There is no payment link with this address.');
  return { link, merchant };
}

/** What was typed into a form that is refused, and why. */
export interface Refused {
  readonly error: PublicError;
  readonly typed: Typed;
}

/** The page where a customer pays: what for, how much, and one form. */
export function payPage(outside: Outside, { link, merchant }: OpenLink, refused?: Refused): Promise<Answer> {
  const closed = closedOf(outside, { link, merchant });
  const { title, description } = link;
  const main = html`${testBand(merchant)}<main>
${shopHead(outside, merchant)}
<div class="card">
<h1>${title}</h1>
${description && html`<p class="description" dir="auto">${description}</p>`}
${closed ? html`<p class="hint" role="status"><b>${closed.text}</b></p>` : payForm(link, refused)}
</div>
</main>`;
  const error = refused && !closed ? 'Error: ' : '';
  return framed(outside, refused?.error.statusCode ?? closed?.statusCode ?? 200, {
    title: `${error}${title}: ${merchant.name}`,
    main,
    image: merchant.logo && `${outside.baseUrl}/logo/${merchant.logo}`,
    headers: refused?.error.headers ?? {},
  });
}

/** Why nobody can pay here now; undefined where anybody can. */
function closedOf(outside: Outside, { link, merchant }: OpenLink) {
  if (merchant.suspended_at !== undefined || merchant.momo_accounts.length === 0)
    return { statusCode: 403, text: 'This shop is not taking payments now. Do not pay.' };
  if (hasEnded(outside, link))
    return { statusCode: 410, text: `This link has ended. Do not pay; ask ${merchant.name} for another one.` };
  if (isSoldOut(link))
    return { statusCode: 409, text: `Sold out. Do not pay; ask ${merchant.name} when there will be more.` };
  return undefined;
}

function payForm(link: Link, refused: Refused | undefined): Html {
  const { slug, note_label } = link;
  const [least, most] = boundsOf(link);
  const { error, typed } = refused ?? {};
  const faultOf = (field: string) => error?.errors?.find((one) => one.field === field)?.message;
  const isFixed = least === most;
  return html`${isFixed && html`<p class="amount">${shownMoney(least)}</p>`}
<form method="post" action="/pay/${slug}">
${error && !error.errors && html`<p class="fault" role="alert">${error.message}</p>`}
${
  !isFixed &&
  field({
    name: 'amount',
    label: `Amount in ${CURRENCY}`,
    value: typed?.amount,
    fault: faultOf('amount'),
    hint:
      link.min_pesewas === undefined && link.max_pesewas === undefined
        ? undefined
        : `From ${shownMoney(least)} to ${shownMoney(most)}.`,
    attributes: ' inputmode="decimal" autocomplete="transaction-amount" maxlength="16"',
  })
}
${
  note_label !== undefined &&
  field({
    name: 'note',
    label: note_label,
    value: typed?.note,
    fault: faultOf('note'),
    attributes: ` autocomplete="off" maxlength="${MAX_NOTE_CHARACTERS}"`,
  })
}
${
  link.codes_stocked !== undefined &&
  link.texts_codes &&
  field({
    name: 'phone',
    label: 'Your number (if we shall text you the code)',
    value: typed?.phone,
    fault: faultOf('phone'),
    isOptional: true,
    attributes: ' type="tel" autocomplete="tel" maxlength="20"',
  })
}
${link.codes_stocked !== undefined && codeHint(link)}
<p><button class="button">${isFixed ? `Pay ${shownMoney(least)}` : 'Pay'}</button></p>
<p class="hint">By mobile money, from any network. The next page shows the number to pay and the reference to type. You have half an hour.</p>
</form>`;
}

/** From how few codes on the page says how many there are. */
const FEW = 5;

/** Nothing is kept for who only looks: whoever pays first gets the next code. */
function codeHint(link: Link): Html {
  const left = codesLeft(link) - (link.codes_waiting ?? 0);
  const few = left <= FEW && html` <b>Only ${left} left</b>: who pays first gets them.`;
  return html`<p class="hint">You get your code on the next page as soon as you have paid.${few}</p>`;
}

interface FieldFacts {
  readonly name: keyof Typed;
  readonly label: string;
  readonly value: string | undefined;
  readonly fault: string | undefined;
  readonly hint?: string | undefined;
  readonly isOptional?: boolean;
  /** Of our own making. */
  readonly attributes: string;
}

function field({ name, label, value = '', fault, hint, isOptional, attributes }: FieldFacts): Html {
  const described = [fault && `${name}-fault`, hint && `${name}-hint`].filter(Boolean).join(' ');
  const about = html`${described && html` aria-describedby="${described}"`}${fault && raw(' aria-invalid="true" autofocus')}`;
  return html`<div>
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value.slice(0, MAX_NOTE_CHARACTERS)}"${!isOptional && raw(' required')}${raw(attributes)}${about}>
${fault && html`<p class="fault" id="${name}-fault">${fault}</p>`}
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`;
}

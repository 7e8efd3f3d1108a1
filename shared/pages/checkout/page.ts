import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import type { Charge } from '../../money/charge/charge.table.ts';
import { isSettled } from '../../money/charge/charge.ts';
import { type Answer, asksForJson, ok, redirect } from '../../runtime/http/answer.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { PublicError } from '../../runtime/values/errors.ts';
import { framed, noticeOf } from '../frame/frame.ts';
import { checkoutWords } from '../words/words.ts';
import { chargeOfCode } from './charge-of-code.ts';
import { checkoutPath } from './checkout-path.ts';
import { checkoutView, presentStatus, type ViewOptions } from './checkout-view.ts';
import type { Refusal } from './claim.ts';
import type { PayTextForm } from './pay-text-section.ts';
import type { PhoneClaim } from './phone-claim.ts';
import { renderCheckout, renderNotice } from './template.ts';

interface PageOptions extends ViewOptions {
  /** True to open the claim form, for customers without JavaScript. */
  readonly claiming?: boolean;
  readonly refusal?: Refusal | undefined;
  readonly phone?: PhoneClaim;
  readonly payText?: PayTextForm;
}

export async function checkoutPage(
  outside: Outside,
  charge: Charge,
  { claiming = false, refusal, phone, payText, ...options }: PageOptions = {},
): Promise<Answer> {
  const merchant = await merchantCache.get(outside, charge.merchant_id);
  const view = checkoutView(outside, charge, { ...options, merchant });
  const error = refusal?.error ?? phone?.error ?? (payText === 'open' ? undefined : payText?.error);
  const statusCode = error?.statusCode ?? (view.status === 'expired' || view.status === 'cancelled' ? 410 : 200);
  const forms = { isOpen: claiming || refusal !== undefined || phone !== undefined, refusal, phone, payText };
  return framed(outside, statusCode, { ...renderCheckout(view, forms), headers: error?.headers });
}

export function errorPage(error: PublicError, requestId: string, outside: Outside): Promise<Answer> {
  return framed(outside, error.statusCode, { ...renderNotice(noticeOf(error, requestId)), headers: error.headers });
}

export function suspendedPage(outside: Outside): Promise<Answer> {
  return framed(outside, 403, renderNotice(checkoutWords.suspended));
}

interface PageRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** Returns the page, or JSON to a script. An undefined `claim` means that the charge is paid. */
export async function answerPhoneClaim(
  outside: Outside,
  { headers, query }: PageRequest,
  charge: Charge,
  {
    claim,
    form = 'phone',
  }: { readonly claim: PhoneClaim | undefined; readonly form?: 'phone' | 'payText' | undefined },
): Promise<Answer> {
  if (!claim) return answerPaid(outside, headers, charge);
  if (!asksForJson(headers)) return checkoutPage(outside, charge, { [form]: claim, network: query.network });
  if (claim.error) throw claim.error;
  return ok(claim.message, presentStatus(outside, charge));
}

export async function answerPaid(
  outside: Outside,
  headers: Readonly<Record<string, string | undefined>>,
  charge: Charge,
): Promise<Answer> {
  if (!asksForJson(headers)) return redirect(checkoutPath(charge.access_code), 303);
  const paid = isSettled(charge) ? charge : await chargeOfCode(outside, charge.access_code);
  return ok(paid.paid_as ? 'It was paid at the counter' : 'The charge is paid', presentStatus(outside, paid));
}

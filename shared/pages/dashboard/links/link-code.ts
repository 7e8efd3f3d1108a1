import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { type Charge, requireCharge } from '../../../money/charge/charge.table.ts';
import type { GoodsState } from '../../../money/charge/goods.ts';
import { releaseHeldGoods } from '../../../money/goods/decide-release.ts';
import { isCoded } from '../../../money/link/hand-out-code.ts';
import { getCode } from '../../../money/link/stock.table.ts';
import { isDoubted } from '../../../money/payment/backing.ts';
import { shownPaid } from '../../../money/payment/shown-payment.ts';
import { refuseChanged } from '../../../money/receipt/shown-proof.ts';
import { refuseCountedElsewhere } from '../../../money/settling/assign-receipt.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../../runtime/table/contention.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { statePill } from '../charges/charge-state.ts';
import { carriesOf, type LookAtChargeForm } from '../charges/look.ts';
import { chargeLink, codeAddress, linkAddress } from '../parts/addresses.ts';
import { copyable, facts, type Html, notice, shownTime } from '../parts/content.ts';
import { form } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

type CodeVisit<Form = undefined> = MerchantVisit<'slug' | 'reference', Form>;

const WORDS: Readonly<Record<GoodsState, string>> = {
  unpaid: 'The bill is not paid. Once it is paid, the payer will get a code.',
  to_release:
    'Part of the payment was sent back, or it is unverified and exceeds your limits. Check the wallet, then release the code.',
  waiting:
    'The bill is paid, but there were no codes left. The next codes go to waiting payers, in the order they paid.',
  given: 'The code was shown to this payer on the bill’s page.',
  taken_back:
    'The network reversed the payment. The code will not be given out again. Ask the issuer to block the code.',
};

const IN_DOUBT = 'The payment is in doubt, so its code is on hold. Check the wallet.';
const SENT_BACK = 'The money was sent back or reversed, so the code stays on hold.';

export async function showCode(visit: CodeVisit, outside: Outside): Promise<Shown> {
  const charge = await requireCoded(visit, outside);
  const { origin, goods, reference } = charge;
  const code = goods.number ? await getCode(outside, origin.slug, goods.number) : undefined;
  const isOut = goods.state === 'given' || goods.state === 'taken_back';
  const isReleasable = releaseHeldGoods(charge, visit.user.user_id).length > 0;
  const { doubt } = shownPaid(charge);
  const held = goods.state === 'to_release' && !isReleasable ? SENT_BACK : WORDS[goods.state];
  return {
    title: `Code of ${reference}`,
    back: { name: 'The link', path: linkAddress(origin.slug) },
    main: html`${isReleasable && doubt && notice('look', html`<b>${doubt.lookFirst}</b>`)}
<p>${isDoubted(charge) && !isOut ? IN_DOUBT : held}</p>
${facts([
  ['Bill', chargeLink(reference)],
  ['Amount', shownMoney(charge.amount_pesewas)],
  ['State', statePill(outside, charge)],
  ['Code', code && shownCode(visit, code)],
  ['Position in the stock', goods.number === undefined ? undefined : String(goods.number)],
  ['Since', goods.at && shownTime(goods.at)],
  ['Texted', goods.send_id && 'Yes'],
])}
${isReleasable && may(visit.user, 'receipts:assign') && form(visit, { path: '/{slug}/code/{reference}/release', submit: 'Release the code', carries: carriesOf(charge) })}`,
  };
}

function shownCode({ user }: CodeVisit, code: string): Html | string {
  return may(user, 'codes:read') ? copyable(code, 'code') : 'You are not allowed to see it';
}

export function releaseCode(visit: CodeVisit<typeof LookAtChargeForm>, outside: Outside): Promise<Going> {
  return retryIfChanged(async () => {
    const charge = await requireCoded(visit, outside);
    const { origin, reference } = charge;
    const writes = releaseHeldGoods(charge, visit.user.user_id);
    if (writes.length === 0)
      throw new PublicError(
        'charge_not_pending',
        'There is no code to release. The code was already released, or the payment is in doubt or was sent back.',
      );
    refuseChanged(charge, visit.form);
    await refuseCountedElsewhere(outside, charge);
    const going = {
      goTo: codeAddress(origin.slug, reference),
      notice: 'The code will be sent to the payer in a moment.',
    };
    return visit.commit(writes, going, { action: 'code release', about: reference, after: visit.form });
  });
}

async function requireCoded({ merchant, path }: Pick<CodeVisit, 'merchant' | 'path'>, outside: Outside) {
  const charge: Charge = await requireCharge(outside, path.reference, merchant.merchant_id);
  if (isCoded(charge) && charge.origin.slug === path.slug) return charge;
  throw new PublicError('not_found', 'This link has no code for this bill.');
}

import { shownNumber } from '../../../ghana/shown-number.ts';
import { sendersOf } from '../../../merchants/merchant/senders.ts';
import { isTwin } from '../../../merchants/merchant/twin.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { invalidRequest } from '../../../runtime/values/errors.ts';
import { acceptSend } from '../../../texts/sms/send.ts';
import { textAddress } from '../addresses.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { withAudit } from '../with-audit.ts';
import { type SendForm, showSend } from './send-form.ts';

/** Sends what was written, once, or counts it. */
export async function sendText(visit: MerchantVisit<never, SendForm>, outside: Outside): Promise<Going | Shown> {
  const { merchant, form, commit } = visit;
  if (form.check) return showSend(visit, outside, form);
  await refuseSender(visit, outside);
  const { send, writes } = await acceptSend(outside, merchant, form);
  const texts = send.to.length;
  const what = texts === 1 ? 'Your text is' : `${texts} texts are`;
  const cost = isTwin(merchant.merchant_id) ? '' : `, for ${counted(texts, 'credit')}`;
  const notice = `${what} on the way from ${shownNumber(send.from)}${cost}.`;
  const entry = { action: 'sms send', about: send.send_id, after: { texts } };
  return commit(withAudit(outside, visit, writes, entry), { goTo: textAddress(send.send_id), notice });
}

/** The API tells a program what to send instead; a person chooses another number. */
async function refuseSender({ merchant, form }: MerchantVisit<never, SendForm>, outside: Outside): Promise<void> {
  const number = form.from ?? merchant.default_from;
  const sender = (await sendersOf(outside, merchant)).find((one) => one.number === number);
  if (!sender?.message) return;
  throw invalidRequest([{ field: 'from', message: `cannot send now. ${sender.message} Choose another number.` }]);
}

import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { sendersOf } from '../../../merchants/merchant/senders.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import { isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { type AcceptedBulk, acceptBulk } from '../../../texts/bulk/accept-bulk.ts';
import { MAX_BULK_RECIPIENTS } from '../../../texts/bulk/bulk-request.ts';
import { recipientsOfCsv } from '../../../texts/bulk/read-recipients.ts';
import { asCauser } from '../../../texts/sms/causer.ts';
import { textTo } from '../../../texts/sms/personal-text.ts';
import { manyAddress } from '../parts/addresses.ts';
import { facts, type Html, section, shownTime } from '../parts/content.ts';
import { creditsLeft, forCredits } from '../parts/cost.ts';
import { csvFields, csvShape, givenCsv } from '../parts/csv-fields.ts';
import { form, formSection, textField } from '../parts/form.ts';
import { CHARACTERS } from '../parts/shop-words.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { purposeChoice, SendForm, senderChoice, whenToLeave } from '../texts/send.ts';

const { message, from, purpose, send_at, valid_for, quiet_hours, encoding } = SendForm.shape;

export const ManyForm = z.object({
  ...csvShape,
  message,
  from,
  purpose,
  send_at,
  valid_for,
  quiet_hours,
  encoding,
  step: z.optional(z.literal('send')),
  begins_from: from,
});
type ManyForm = z.infer<typeof ManyForm>;
type ManyVisit = MerchantVisit<never, unknown>;

export async function showMany(visit: ManyVisit, outside: Outside): Promise<Shown> {
  return { title: 'Send to many', main: await writing(visit, outside, 'New text') };
}

async function writing(
  visit: ManyVisit,
  outside: Outside,
  heading: string,
  written?: Partial<ManyForm>,
): Promise<Html> {
  const { merchant } = visit;
  const senders = await sendersOf(outside, merchant);
  const facts = { path: '/', submit: 'Preview', hasFile: true };
  return formSection(visit, heading, facts, [
    ...csvFields(
      {
        example: 'to,name,order\n0241234567,Ama,A-1007',
        hint: `Up to ${MAX_BULK_RECIPIENTS} lines. The first line names the columns: “to” for the number, then one for each word in braces.`,
      },
      written?.csv,
    ),
    textField('message', 'Text', {
      value: written?.message,
      hint: 'For example: Hello {name}, your order {order} is ready. Each number costs one credit.',
      isRequired: true,
    }),
    senderChoice(merchant, senders, written?.from),
    purposeChoice(written?.purpose),
    whenToLeave(merchant, written),
  ]);
}

/** Sends a text to many people in two steps: a preview of the cost, then the texts, exactly once. */
export async function sendMany(visit: MerchantVisit<never, ManyForm>, outside: Outside): Promise<Going | Shown> {
  const { merchant, user, form: typed, commit } = visit;
  const { csv: _, file: __, step, ...asked } = typed;
  const { text, field } = givenCsv(typed);
  const bulk = await acceptBulk(outside, merchant, {
    ...asked,
    by: asCauser(user),
    recipients: recipientsOfCsv(text, field, asked.message),
  });
  if (step !== 'send') return preview(visit, outside, { ...asked, csv: text }, bulk);
  const { id, count, when } = inWords(bulk);
  const going = {
    goTo: manyAddress(id),
    notice: `${counted(count, 'text')} ${when}${forCredits(merchant.merchant_id, count)}.`,
  };
  return commit(bulk.writes, going, { action: 'sms bulk', about: id, after: { texts: count } });
}

const SHOWN = 3;

async function preview(
  visit: MerchantVisit<never, ManyForm>,
  outside: Outside,
  written: ManyForm & { csv: string },
  bulk: AcceptedBulk,
): Promise<Shown> {
  const { first, count, shown } = inWords(bulk);
  const { merged, size } = bulk.texts;
  const balance = await creditsLeft(outside, visit.merchant.merchant_id);
  const isEnough = balance === undefined || count <= balance;
  const examples = first.to.slice(0, SHOWN).map(
    (number, n) => html`<p class="hint">To ${shownNumber(number)}</p>
<blockquote class="words">${textTo(first, n)}</blockquote>`,
  );
  return {
    title: 'Send to many',
    main: html`${section(count > SHOWN ? `The first ${SHOWN} of ${counted(count, 'text')}` : counted(count, 'text'), examples)}
${section('Before you send', [
  facts([
    ['Texts', String(count)],
    ['Left out', merged > 0 ? `${merged}: the same text to the same number` : undefined],
    ['Size', `${size.segments} SMS each at most, in ${CHARACTERS[size.encoding]}`],
    ['Cost', balance === undefined ? 'Nothing, because it is a test' : `${count} of ${counted(balance, 'credit')}`],
    ['From', shownNumber(first.from)],
    ['Starts', first.send_at ? shownTime(first.send_at) : 'Immediately'],
    ['Finishes', `About ${shownTime(shown)}`],
    ['Quiet hours', first.quiet_hours?.replace('-', ' to ')],
  ]),
  isEnough
    ? form(visit, {
        path: '/',
        submit: `Send ${counted(count, 'text')}`,
        hasFile: true,
        // Use the preview's sender, if it can still send.
        carries: { ...written, step: 'send', begins_from: first.from },
      })
    : html`<p class="fault" role="alert">This costs ${count}, but you have ${counted(balance, 'credit')}. Nothing was sent: ${namingOperator(outside, 'ask support for more')}.</p>`,
])}
${await writing(visit, outside, 'Change it', written)}`,
  };
}

function inWords({ parts, texts, endsMs }: AcceptedBulk) {
  const [first] = parts;
  if (!first) throw new Error('The bulk send has no sends');
  const when = first.send_at ? `scheduled for ${shownTime(first.send_at)}` : 'on the way';
  return { first, id: first.send_id, count: texts.to.length, when, shown: isoOf(endsMs) };
}

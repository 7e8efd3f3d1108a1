import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { Answer } from '../../../runtime/http/answer.ts';
import { isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { cancelBulk } from '../../../texts/bulk/cancel-bulk.ts';
import { bulkEndsMs } from '../../../texts/bulk/ends-at.ts';
import { findBulk } from '../../../texts/bulk/find-bulk.ts';
import { resultsOf } from '../../../texts/bulk/results.ts';
import { countFailed, retryBulk } from '../../../texts/bulk/retry-bulk.ts';
import { asCauser } from '../../../texts/sms/causer.ts';
import type { SendAndMessages } from '../../../texts/sms/message.table.ts';
import { isFinal, isUntaken } from '../../../texts/sms/states.ts';
import { MANY, manyAddress, textAddress } from '../parts/addresses.ts';
import { facts, type Html, refreshed, section, shownTime } from '../parts/content.ts';
import { costOf } from '../parts/cost.ts';
import { csvFile } from '../parts/csv.ts';
import { formSection } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { statesOf } from '../texts/text.ts';

type BulkVisit = MerchantVisit<'id'>;

export async function showBulk(visit: BulkVisit, outside: Outside): Promise<Shown> {
  const { merchant, path, user } = visit;
  const sends = await findBulk(outside, merchant.merchant_id, path.id);
  const [first] = sends;
  if (!first) throw new Error('The bulk send has no sends');
  const { message, from, send_at, created_at, quiet_hours, useless_at, metadata } = first.send;
  const endsMs = await bulkEndsMs(outside, merchant.merchant_id, sends);
  const all = sends.flatMap(({ messages }) => messages);
  const [waiting, done] = [all.filter(isUntaken).length, all.filter(isFinal).length];
  const failed = countFailed(sends);
  return {
    title: `Text to ${counted(all.length, 'number')}`,
    main: html`${section('Text', [
      html`<blockquote class="words">${message}</blockquote>`,
      refreshed(
        html`<p><progress aria-label="Finished texts" max="${all.length}" value="${done}">${done}</progress> ${done} of ${all.length} done</p>`,
      ),
      facts([
        ['State', html`<span data-part>${statesOf(all)}</span>`],
        ['From', shownNumber(from)],
        ['Created', shownTime(created_at)],
        ['Scheduled for', send_at && shownTime(send_at)],
        [
          'Finishes',
          html`<span data-part>${endsMs === undefined ? 'None waiting' : `About ${shownTime(isoOf(endsMs))}`}</span>`,
        ],
        ['Useful until', useless_at && shownTime(useless_at)],
        ['Quiet hours', quiet_hours],
        ['Metadata', metadata],
      ]),
      html`<p class="actions"><a class="plain button" href="${manyAddress(path.id)}/results.csv" download>Results (spreadsheet)</a></p>`,
    ])}
${refreshed(may(user, 'texts:send') ? changes(visit, waiting, failed) : '')}
${section('Each text', parts(sends))}
<p><a href="${MANY}">Send another text</a></p>`,
  };
}

function changes(visit: BulkVisit, waiting: number, failed: number): Html {
  const credits = costOf(visit.merchant.merchant_id, failed);
  const cost = credits
    ? `Resending costs ${credits}, because the credits of failed texts were returned.`
    : 'Resending costs nothing, because this is a test.';
  return html`${
    waiting > 0 &&
    formSection(
      visit,
      'Unsent texts',
      { path: '/{id}/cancel', submit: `Cancel ${counted(waiting, 'text')}`, isDangerous: true },
      html`<p class="hint">These texts have not been passed to a phone yet. Cancel now to get the credits back.</p>`,
    )
  }
${
  failed > 0 &&
  formSection(
    visit,
    'What failed',
    { path: '/{id}/retry', submit: `Resend ${counted(failed, 'text')}` },
    html`<p class="hint">${cost} People who no longer want such texts are left out.</p>`,
  )
}`;
}

function parts(sends: readonly SendAndMessages[]): Html {
  let before = 0;
  const links = sends.map(({ send, messages }) => {
    const [from, to] = [before + 1, before + messages.length];
    before = to;
    return html`<li><a href="${textAddress(send.send_id)}">${from === to ? `Text ${from}` : `Texts ${from} to ${to}`}</a></li>
`;
  });
  return html`<ul>${links}</ul>`;
}

export async function cancelRest(visit: BulkVisit, outside: Outside): Promise<Going> {
  const { id } = visit.path;
  const going = { goTo: manyAddress(id), notice: 'The unsent texts were cancelled.' };
  const { table } = visit.committing(going, { action: 'sms cancel', about: id });
  const { merchant_id } = visit.merchant;
  await cancelBulk(outside, merchant_id, id, async (writes) => {
    if (writes.length > 0) await table.write(writes);
  });
  return going;
}

export function sendFailedAgain(visit: BulkVisit, outside: Outside): Promise<Going> {
  const { merchant, path, user } = visit;
  return retryBulk(outside, merchant, { id: path.id, by: asCauser(user) }, ({ parts, texts, leftOut, writes }) => {
    const [first] = parts;
    if (!first) throw new Error('The bulk send has no sends');
    const left = leftOut > 0 ? ` ${leftOut} left out.` : '';
    const notice = `${counted(texts.to.length, 'text')} ${texts.to.length === 1 ? 'is' : 'are'} being resent.${left}`;
    const entry = { action: 'sms bulk', about: first.send_id, after: { texts: texts.to.length } };
    return visit.commit(writes, { goTo: manyAddress(first.send_id), notice }, entry);
  });
}

export async function resultsFile({ merchant, path }: BulkVisit, outside: Outside): Promise<Answer> {
  const { columns, texts } = resultsOf(await findBulk(outside, merchant.merchant_id, path.id));
  return csvFile('results.csv', texts, columns);
}

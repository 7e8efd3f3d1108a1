import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney } from '../../../ghana/money.ts';
import { makeRequests, newRequests } from '../../../money/request/make-requests.ts';
import { requestsOfCsv } from '../../../money/request/read-requests.ts';
import { reminderTimes } from '../../../money/request/reminder-times.ts';
import type { PaymentRequest } from '../../../money/request/request.table.ts';
import { MAX_REQUESTS, MAX_TITLE_CHARACTERS } from '../../../money/request/request-body.ts';
import { nowIso, type Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { text } from '../../../runtime/values/text.ts';
import { REQUESTS } from '../parts/addresses.ts';
import { facts, type Html, noNumberYet, section, shownDay } from '../parts/content.ts';
import { costOf } from '../parts/cost.ts';
import { csvFields, csvShape, givenCsv } from '../parts/csv-fields.ts';
import { field, form, formSection } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { reminderDays, reminderFields, reminderShape } from './reminder-fields.ts';

export const ListForm = z.object({
  ...csvShape,
  title: z.optional(text(MAX_TITLE_CHARACTERS)),
  due: z.optional(z.iso.date('must be a date, such as 2026-12-24')),
  ...reminderShape,
  /** Id of the preview to confirm. An interrupted run continues under the same id, so nothing is created twice. */
  preview: z.optional(z.string().check(z.maxLength(80))),
});
type ListForm = z.infer<typeof ListForm>;

const TITLE = 'Requests from a list';
const CREATE_MISSING = 'Create the rest';

export async function showList(visit: MerchantVisit): Promise<Shown> {
  if (visit.merchant.momo_accounts.length === 0) return { title: TITLE, main: noNumberYet() };
  return { title: TITLE, main: unfinished(visit) ?? writing(visit, 'New list') };
}

/** Offers to continue an interrupted run, unless the list itself made the run fail. */
function unfinished(visit: MerchantVisit): Html | undefined {
  const { typed, errors, code } = visit.refused ?? {};
  const isOver = code === 'idempotency_key_reused';
  if (typed?.preview === undefined || errors?.length !== 0 || isOver) return undefined;
  const facts = { path: '/list', submit: CREATE_MISSING, hasFile: true, carries: typed };
  return formSection(visit, 'Some were not created', facts);
}

function writing(visit: MerchantVisit<never, unknown>, heading: string, written?: ListForm): Html {
  const facts = { path: '/list', submit: 'Preview', hasFile: true };
  return formSection(visit, heading, facts, [
    ...csvFields(
      {
        example: 'name,number,amount\nAma,0241234567,850',
        hint: `Up to ${MAX_REQUESTS} lines, one request per line. The first line names the columns. Only “amount” is required. You can add title, description, quantity, name, number, due, reminders, note, reference.`,
      },
      written?.csv,
    ),
    field('title', 'Title', {
      value: written?.title,
      hint: 'What everyone pays for, unless their line has its own title.',
      maxLength: MAX_TITLE_CHARACTERS,
    }),
    field('due', 'To be paid by', { type: 'date', value: written?.due, hint: 'Used if a line has no date.' }),
    reminderFields(written),
  ]);
}

/** Creates payment requests from a list in two steps: a preview, then all or none, exactly once. */
export async function addList(visit: MerchantVisit<never, ListForm>, outside: Outside): Promise<Going | Shown> {
  const { merchant, form: typed, commit } = visit;
  const { csv: _, file: __, preview, ...forAll } = typed;
  const { text: csv, field: from } = givenCsv(typed);
  const reminders = reminderDays(forAll)?.join(', ');
  const many = requestsOfCsv(csv, from, { title: forAll.title, due: forAll.due, reminders });
  if (preview === undefined)
    return previewed(
      visit,
      outside,
      { ...forAll, csv },
      { requests: newRequests(outside, merchant, many), ignored: many.ignored },
    );
  const once = {
    key: preview,
    route: `POST ${REQUESTS}`,
    content: JSON.stringify([forAll, csv]),
    howToFinish: `Press “${CREATE_MISSING}” in a second. None will be created twice.`,
  };
  return makeRequests(outside, merchant, { many, once }, (requests, writes) => {
    const made = counted(requests.length, 'request');
    const going = { goTo: REQUESTS, notice: `${made} created. Their addresses are in the file below the list.` };
    return commit(writes, going, { action: 'requests create', after: { requests: requests.length } });
  });
}

const SHOWN = 3;

function previewed(
  visit: MerchantVisit<never, ListForm>,
  outside: Outside,
  written: ListForm & { csv: string },
  { requests, ignored }: { readonly requests: readonly PaymentRequest[]; readonly ignored: readonly string[] },
): Shown {
  const many = counted(requests.length, 'request');
  const unnamed = requests.filter(({ customer_name }) => customer_name === undefined).length;
  const list = table(requests.slice(0, SHOWN), {
    caption: 'Requests to create',
    columns: {
      For: ({ title }) => title,
      Customer: ({ customer_name = '' }) => customer_name,
      Due: ({ instalments: [first] }) => (first?.due === undefined ? '' : shownDay(first.due)),
      Amount: { figure: ({ total_pesewas }) => shownMoney(total_pesewas) },
    },
  });
  return {
    title: TITLE,
    main: html`${section(requests.length > SHOWN ? `The first ${SHOWN} of ${many}` : many, list)}
${section('Before you create them', [
  facts([
    ['Requests', String(requests.length)],
    ['Total', shownMoney(requests.reduce((sum, { total_pesewas }) => sum + total_pesewas, 0))],
    ['Reminders', remindersOf(visit, outside, requests)],
    ['Without a name', unnamed > 0 && unnamed < requests.length ? String(unnamed) : undefined],
    ['Ignored columns', ignored.join(', ') || undefined],
  ]),
  form(visit, {
    path: '/list',
    submit: `Create ${many}`,
    hasFile: true,
    carries: { ...written, preview: visit.once },
  }),
])}
${writing(visit, 'Change it', written)}`,
  };
}

/** Returns the maximum cost of the reminders. The actual cost may be lower, because paid requests need no reminders. */
function remindersOf(
  { merchant }: Pick<MerchantVisit, 'merchant'>,
  outside: Outside,
  requests: readonly PaymentRequest[],
): string | undefined {
  const now = nowIso(outside);
  const texts = requests.reduce((sum, one) => sum + reminderTimes(one).filter(({ at }) => at > now).length, 0);
  if (texts === 0) return undefined;
  return `${counted(texts, 'text')} at most, for ${costOf(merchant.merchant_id, texts) ?? 'nothing, because it is a test'}`;
}

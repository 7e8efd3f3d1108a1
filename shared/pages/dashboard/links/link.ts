import { html, raw } from 'hono/html';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { listCharges, listPaidAtLink } from '../../../money/charge/list-charges.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import { addCodes, removeCodes } from '../../../money/link/add-codes.ts';
import { changeLink, endNow } from '../../../money/link/change-link.ts';
import { type Link, requireLink } from '../../../money/link/link.table.ts';
import { fieldsOf } from '../../../money/link/link.ts';
import { lookFirstFor, shownPaid } from '../../../money/payment/shown-payment.ts';
import { metaOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { qrCode } from '../../frame/qr-code.ts';
import { lookFirst, textLinks } from '../charges/charge-story.ts';
import { chargesTable, PAYER } from '../charges/find-charges.ts';
import { readerOf } from '../charges/reader.ts';
import { tooMuch } from '../charges/refunds.ts';
import { linkAddress, SETTINGS, TILL } from '../parts/addresses.ts';
import {
  arrived,
  copyable,
  doubtPill,
  emptyState,
  facts,
  type Html,
  notice,
  pill,
  quiet,
  section,
  shareButton,
} from '../parts/content.ts';
import { fileField, foldedForm, form } from '../parts/form.ts';
import { chips, pagination } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import {
  addedInWords,
  type CodesFileForm,
  type CodesForm,
  codesField,
  codesIn,
  type LinkForm,
  linkFields,
  requestOf,
} from './link-form.ts';
import { type CodesView, codeOfBill, type LinkView, linkView, type StockView } from './link-view.ts';

const PER_PAGE = '25';
const ALL = 'all';
/** Bills with payments come first, because anybody can open bills without paying them. */
const BILL_LISTS = [
  ['', 'With payments'],
  [ALL, 'All'],
] as const;
const PATH = '/{slug}';

export async function showLink(visit: MerchantVisit<'slug'>, outside: Outside): Promise<Shown> {
  const { merchant, path, query, user } = visit;
  const link = await requireLink(outside, merchant.merchant_id, path.slug);
  const asked = { per_page: PER_PAGE, ...(query.cursor && { cursor: query.cursor }) };
  const paid = query.list === ALL ? undefined : await listPaidAtLink(outside, merchant.merchant_id, link.slug, asked);
  const found = paid && (paid.charges.length > 0 || query.cursor) ? paid : undefined;
  const all = { link: link.slug, ...asked };
  const { charges, page, next } = found ?? (await listCharges(outside, merchant.merchant_id, all, readerOf(user)));
  const view = linkView(outside, { merchant, user, link, charges });
  const meta = metaOf(page, next);
  const current = found ? '' : ALL;
  const pages = pagination({ ...visit, query: { ...query, list: current } }, meta);
  const lists = chips(visit, { label: 'Which bills', parameter: 'list', options: BILL_LISTS, current });
  const areAll = meta.next === null && !query.cursor;
  return {
    title: link.title,
    main: renderLink(visit, outside, { view, link, lists, pages, areAll }),
  };
}

/** Query and fragment that open the form for codes, at its field. */
const ADD = 'codes=add#codes';

/** True if the link is sold out, and somebody who paid waits for a code. */
function isStockDue({ codes }: LinkView): boolean {
  return codes?.stock !== undefined && codes.stock.waiting > 0 && codes.left === 0;
}

interface Rendered {
  readonly view: LinkView;
  readonly link: Link;
  readonly lists: Html;
  readonly pages: Html;
  /** False if the link has more bills than this page shows. */
  readonly areAll: boolean;
}

function renderLink(
  visit: MerchantVisit<'slug'>,
  outside: Outside,
  { view, link, lists, pages, areAll }: Rendered,
): Html {
  const { state, url, amount, description, asks, isSticker, made, end, codes, bills, paid } = view;
  const { mayDownload, mayChange } = view;
  const address = linkAddress(link.slug);
  const isDue = isStockDue(view);
  const stock = codes?.stock && stockSection(visit, codes, codes.stock, isDue);
  const add =
    isDue && codes?.mayAdd
      ? html`<a class="${codes.stock?.doubt && 'plain '}button" href="${address}?${ADD}">Add codes</a>`
      : undefined;
  const figures = codes?.stock && !isDue && html`${stockFacts(codes.stock, codes.left)}${waitingDoubt(codes.stock)}`;
  return html`<div class="columns"><div>
<section class="summary"><p class="amount"><span class="number">${amount}</span>${pill(state.tone, state.label)}</p>
${paid.count > 0 && html`<p>${paid.count} ${areAll ? 'paid' : 'of the newest bills paid'}: ${arrived(paid)}</p>`}
${figures}${overpaid(visit, view.over)}${looks(visit, view, add)}</section>
${isDue && stock}
${addressSection(url, link.title, !isDue && end.name === 'Ends' && !paid.doubt)}
${!isDue && stock}
</div><div class="list">
${quiet('Bills', [
  bills.length > 0
    ? html`${lists}${billTable(outside, view)}${pages}`
    : emptyState('No bills yet', 'A bill appears here a second after someone presses Pay.'),
])}
${mayDownload && bills.length > 0 && files(address)}
</div><div>
${quiet(
  'Details',
  facts([
    ['More about it', description],
    ['Asks the customer', asks],
    ['Sticker of', isSticker ? html`<a href="${TILL}">A till</a>` : undefined],
    ['Created', made],
    [end.name, end.at],
  ]),
)}
${mayChange && changeSections(visit, view, link)}
</div></div>`;
}

/** Says what to do about unverified payments on this page. Those that wait for a code come first. */
function looks(visit: MerchantVisit<'slug'>, view: LinkView, add: Html | undefined): Html | false {
  const { paid, bills, codes } = view;
  const alone = add && html`<p class="actions">${add}</p>`;
  if (!paid.doubt) return alone ?? false;
  const stock = codes?.stock;
  if (stock?.doubt && isStockDue(view))
    return lookFirst(stock.doubt, stock.inQueue, textLinks(visit, stock.inQueue), { isMain: true, beside: add });
  const unverified = bills.filter((one) => one.state === 'success' && shownPaid(one).doubt);
  const texts = textLinks(visit, unverified);
  return stock?.doubt
    ? notice('look', html`<b>${lookFirstFor(paid.doubt, unverified.length)}</b>${texts}`)
    : html`${lookFirst(paid.doubt, unverified, texts, { isMain: !add })}${alone}`;
}

function overpaid({ user }: MerchantVisit<'slug'>, { shown, bills }: LinkView['over']): Html | false {
  const [only, ...others] = bills;
  if (!only) return false;
  return others.length > 0
    ? html`<p>${tooMuch(user, shown, undefined)} on ${bills.length} of the bills below.</p>`
    : html`<p>${tooMuch(user, shown, only)}</p>`;
}

function addressSection(url: string, title: string, isMain: boolean): Html {
  return section(
    'Share it',
    html`<div class="pay-link"><p class="actions">${shareButton(`${title}: ${url}`, { isMain })}<a class="plain button" href="${url}/poster">Poster to print</a></p>
${copyable(url, 'address')}
${qrCode(url, 'QR code of the link')}</div>
<details><summary>More ways to share</summary><p class="actions"><a class="plain button" href="${url}">Open the customer’s page</a><a class="plain button" href="${url}/qr.png">QR code (PNG)</a><a class="plain button" href="${url}/qr.svg">QR code (SVG)</a></p></details>`,
  );
}

/** Renders the forms that change the codes. If codes are due, shows the figures first. */
function stockSection(
  visit: MerchantVisit<'slug'>,
  { left, mayAdd, refusal, wait }: CodesView,
  stock: StockView,
  isDue: boolean,
): Html | string {
  const figures = html`${isDue && stockFacts(stock, left)}`;
  if (refusal) return section('Codes', [figures, html`<p class="hint">Codes ${refusal}.</p>`]);
  if (!mayAdd) return isDue ? section('Codes', figures) : '';
  return section('Codes', [figures, waitNote(wait), ...codeForms(visit, left)]);
}

function stockFacts({ of, waiting, doubt }: StockView, left: number): Html {
  return facts([
    ['Codes left', `${left} ${of}`],
    ['Paid, waiting for the next codes', html`${waiting}${doubtPill({ doubt })}`],
  ]);
}

function waitingDoubt({ doubt, inQueue }: StockView): Html {
  return html`${doubt && lookFirst(doubt, inQueue)}`;
}

function waitNote(wait: string | undefined): Html {
  return html`${wait && html`<p class="hint">${wait} <a href="${SETTINGS}/matching">How payments are verified</a></p>`}`;
}

/** Renders the forms that add the first codes. Hidden from people who may not add any. */
function handOutCodes(visit: MerchantVisit<'slug'>, { mayAdd, refusal, wait }: CodesView): Html[] {
  if (!mayAdd && !refusal) return [];
  const isOpen = visit.refused?.path === CODES || visit.refused?.path === CODES_FILE;
  return [
    html`<details${isOpen && raw(' open')}><summary>Hand out codes</summary>
<p class="hint">Each payer gets one code, such as a voucher, a ticket or a licence.</p>
${refusal ? html`<p class="hint">Codes ${refusal}.</p>` : [waitNote(wait), form(visit, PASTING, PASTED), uploadForm(visit)]}</details>`,
  ];
}

const CODES = `${PATH}/codes`;
const CODES_FILE = `${PATH}/codes-file`;

const PASTED = codesField({
  hint: 'One per line, at most 500 at a time. Codes that the link already has or has handed out are skipped. Removed codes are put back.',
  rows: 4,
  isRequired: true,
});

const PASTING = { path: CODES, submit: 'Add codes', isPlain: true };

function uploadForm(visit: MerchantVisit<'slug'>): Html {
  return foldedForm(
    visit,
    'Upload codes',
    { path: CODES_FILE, submit: 'Add codes from the file', hasFile: true, isPlain: true },
    fileField('file', 'File', {
      accept: '.txt,.csv,text/plain,text/csv',
      hint: 'A text file or a spreadsheet (saved as CSV) with one code per line. Only the first column is used.',
    }),
  );
}

function codeForms(visit: MerchantVisit<'slug'>, left: number): Html[] {
  const isOpen = visit.query.codes === 'add';
  return [
    foldedForm(visit, 'Paste codes', { ...PASTING, isOpen, isPlain: !isOpen }, PASTED),
    uploadForm(visit),
    ...(left > 0
      ? [
          foldedForm(
            visit,
            'Remove the remaining codes',
            { path: `${PATH}/remove-codes`, submit: `Remove ${counted(left, 'code')}`, isDangerous: true },
            html`<p>Nobody will get these codes unless you add them again. Codes already handed out are kept.</p>`,
          ),
        ]
      : []),
  ];
}

function billTable(outside: Outside, { bills, asks, seesCodes }: LinkView): Html {
  const Code = (charge: Charge) => {
    const code = codeOfBill(charge);
    if (!code) return '';
    return html`<a class="number" href="${code.href}">${code.isDue ? pill('look', code.label) : code.label}</a>`;
  };
  return chargesTable(outside, bills, {
    ...(bills.some((one) => codeOfBill(one)?.isDue) && { caption: 'Bills, codes due first, then newest first' }),
    name: asks === undefined ? PAYER : [asks, (charge) => cameWith(charge).customer_note || 'No answer'],
    more: seesCodes && { Code },
  });
}

function changeSections(visit: MerchantVisit<'slug'>, { mayEnd, isSticker, codes }: LinkView, link: Link): Html {
  const end = html`<p>Nobody will be able to pay through this link, and its page will say so. Existing bills can still be paid. ${isSticker ? 'Its till can then have a new sticker.' : 'To reopen it, set a later last day.'}</p>`;
  return html`${[
    foldedForm(
      visit,
      'Change this link',
      { path: `${PATH}/change`, submit: 'Change the link', isPlain: true },
      linkFields(visit.merchant, link),
    ),
    ...(codes && !codes.stock ? handOutCodes(visit, codes) : []),
    ...(mayEnd
      ? [foldedForm(visit, 'End this link', { path: `${PATH}/end`, submit: 'End the link', isDangerous: true }, end)]
      : []),
  ]}`;
}

export function changeThisLink(visit: MerchantVisit<'slug', typeof LinkForm>, outside: Outside): Promise<Going> {
  const { ends_at, ...fields } = requestOf(visit.form);
  return change(visit, outside, { action: 'link change', notice: 'The link was changed.' }, (link) => {
    // Keep the exact end time if the day is unchanged, because a date field has no time.
    const isSameDay = ends_at?.slice(0, 10) === link.ends_at?.slice(0, 10);
    const staysAsItIs = isSameDay || (ends_at === undefined && link.till !== undefined);
    return staysAsItIs
      ? { ...fieldsOf(outside, fields), ends_at: link.ends_at }
      : fieldsOf(outside, { ...fields, ends_at });
  });
}

export function endLink(visit: MerchantVisit<'slug'>, outside: Outside): Promise<Going> {
  return change(visit, outside, { action: 'link end', notice: 'The link has ended.' }, endNow(outside));
}

function change(
  { merchant, user, path, commit }: Pick<MerchantVisit<'slug'>, 'merchant' | 'user' | 'path' | 'commit'>,
  outside: Outside,
  { action, notice }: { readonly action: string; readonly notice: string },
  fieldsOf: Parameters<typeof changeLink>[2],
): Promise<Going> {
  const { slug } = path;
  const which = { merchant_id: merchant.merchant_id, slug, by: user.user_id };
  return changeLink(outside, which, fieldsOf, ({ values }, writes) =>
    commit(writes, { goTo: linkAddress(slug), notice }, { action, about: slug, ...values }),
  );
}

export function pasteCodes(visit: MerchantVisit<'slug', typeof CodesForm>, outside: Outside): Promise<Going> {
  return add(visit, outside, codesIn(visit.form.codes, 'codes'));
}

export function uploadCodes(visit: MerchantVisit<'slug', typeof CodesFileForm>, outside: Outside): Promise<Going> {
  return add(visit, outside, codesIn(visit.form.file, 'file'));
}

type Adding = Pick<MerchantVisit<'slug'>, 'merchant' | 'path' | 'commit'>;

function add({ merchant, path, commit }: Adding, outside: Outside, codes: readonly string[]): Promise<Going> {
  const { slug } = path;
  return addCodes(outside, merchant.merchant_id, { slug, codes }, ({ added }, writes) => {
    const notice = addedInWords(codes, added);
    return commit(writes, { goTo: linkAddress(slug), notice }, { action: 'codes add', about: slug, after: { added } });
  });
}

export function removeLeft({ merchant, path, commit }: MerchantVisit<'slug'>, outside: Outside): Promise<Going> {
  const { slug } = path;
  return removeCodes(outside, merchant.merchant_id, slug, (removed, writes) => {
    const notice = `${counted(removed, 'code')} removed.`;
    return commit(
      writes,
      { goTo: linkAddress(slug), notice },
      { action: 'codes remove', about: slug, after: { removed } },
    );
  });
}

function files(address: string): Html {
  return section(
    'Files',
    html`<p class="hint">For Excel and similar programs.</p><p class="actions"><a class="plain button" href="${address}/sums.csv">Totals by day (spreadsheet)</a><a class="plain button" href="${address}/charges.csv">Bills (spreadsheet)</a></p>`,
  );
}

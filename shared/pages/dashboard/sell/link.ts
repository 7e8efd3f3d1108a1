import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import type { GoodsState } from '../../../money/charge/goods.ts';
import { listCharges } from '../../../money/charge/list-charges.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import { addCodes, removeCodes } from '../../../money/link/add-codes.ts';
import { changeLink, endNow } from '../../../money/link/change-link.ts';
import { isCoded } from '../../../money/link/hand-out.ts';
import { type Link, requireLink } from '../../../money/link/link.table.ts';
import {
  boundsOf,
  fieldsSaid,
  hasEnded,
  linkUrl,
  lowStockOf,
  shownAmount,
  whyNoCodes,
} from '../../../money/link/link.ts';
import { codesLeft } from '../../../money/link/stock.table.ts';
import { shownPaid } from '../../../money/payment/shown-payment.ts';
import { metaOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { chargeAddress, codeAddress, LINKS, linkAddress, SETTINGS, TILL } from '../parts/addresses.ts';
import {
  age,
  copyable,
  emptyState,
  facts,
  type Html,
  section,
  shownTime,
  tile,
  tiles,
  whatsAppUrl,
} from '../parts/content.ts';
import { fileField, foldedForm } from '../parts/form.ts';
import { pagination, table } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { statePill as chargePill } from '../payments/charge-state.ts';
import { readerOf } from '../payments/reader.ts';
import {
  addedInWords,
  type CodesFileForm,
  type CodesForm,
  codesField,
  codesIn,
  codesWait,
  type LinkForm,
  linkFields,
  requestOf,
} from './link-form.ts';
import { statePill } from './links.ts';

const PER_PAGE = '25';
const PATH = '/{slug}';

export async function showLink(visit: MerchantVisit<'slug'>, outside: Outside): Promise<Shown> {
  const { merchant, path, query, user } = visit;
  const link = await requireLink(outside, merchant.merchant_id, path.slug);
  const mayChange = may(user, 'links:write');
  const asked = { link: link.slug, per_page: PER_PAGE, ...(query.cursor && { cursor: query.cursor }) };
  const { charges, page, next } = await listCharges(outside, merchant.merchant_id, asked, readerOf(user));
  return {
    title: link.title,
    main: html`<p>${statePill(outside, link)}</p>
${addressSection(outside, link)}
${facts([
  ['Amount', shownAmount(link)],
  ['More about it', link.description],
  ['Asks the customer', link.note_label],
  ['Sticker of', link.till && html`<a href="${TILL}">A till</a>`],
  ['Made', shownTime(link.created_at)],
  [hasEnded(outside, link) ? 'Ended' : 'Ends', link.ends_at && shownTime(link.ends_at)],
])}
${link.till === undefined && stockSection(visit, link, mayChange)}
${section('Bills', [
  charges.length > 0
    ? html`${chargesOf(outside, link, charges)}${pagination(visit, metaOf(page, next))}`
    : emptyState('No bill yet', 'A bill shows here a second after somebody pressed Pay.'),
  may(user, 'reports:read')
    ? html`<p class="actions"><a class="plain button" href="${linkAddress(link.slug)}/charges.csv">Bills (spreadsheet)</a><a class="plain button" href="${linkAddress(link.slug)}/sums.csv">Sums by day (spreadsheet)</a></p>`
    : html``,
])}
${mayChange && changeSections(visit, outside, link)}
<p><a href="${LINKS}">All payment links</a></p>`,
  };
}

function addressSection(outside: Outside, { slug, title }: Link): Html {
  const url = linkUrl(outside, slug);
  return html`<p>${copyable(url, 'address')}</p>
<p class="actions"><a class="plain button" href="${whatsAppUrl(`${title}: ${url}`)}" target="_blank" rel="noreferrer">Share on WhatsApp</a><a class="plain button" href="${url}">Open it</a><a class="plain button" href="${url}/poster">Poster to print</a><a class="plain button" href="${url}/qr.png">QR code (PNG)</a><a class="plain button" href="${url}/qr.svg">QR code (SVG)</a></p>`;
}

function stockSection(visit: MerchantVisit<'slug'>, link: Link, mayChange: boolean): Html {
  const { codes_stocked, codes_waiting = 0, codes_removed = [] } = link;
  const removed = codes_removed.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  const figures =
    codes_stocked === undefined
      ? html`<p class="hint">It hands out no codes. Add some where each payer gets a voucher, a ticket or a licence: a code goes to exactly one payer.</p>`
      : tiles(
          tile('Codes left', String(codesLeft(link)), {
            isUrgent: codesLeft(link) <= lowStockOf(link),
            hint: `of ${codes_stocked}${removed > 0 ? `, ${removed} removed` : ''}`,
          }),
          tile('Paid, waiting for a code', String(codes_waiting), {
            isUrgent: codes_waiting > 0,
            ...(codes_waiting > 0 && { hint: 'The next that you add are theirs.' }),
          }),
        );
  if (!mayChange) return section('Codes', figures);
  const why = whyNoCodes(link);
  if (why) return section('Codes', [figures, html`<p class="hint">Codes ${why}.</p>`]);
  const [, most] = boundsOf(link);
  const wait = codesWait(visit.merchant, most);
  return section('Codes', [
    figures,
    html`${wait && html`<p class="hint">${wait} <a href="${SETTINGS}/matching">How payments are verified</a></p>`}`,
    foldedForm(
      visit,
      'Paste codes',
      { path: `${PATH}/codes`, submit: 'Add the codes' },
      codesField({
        hint: 'One a line, at most 500 at a time. Those that the link has, or has handed out, are left out; removed ones are put back.',
        rows: 8,
        isRequired: true,
      }),
    ),
    foldedForm(
      visit,
      'Upload codes',
      { path: `${PATH}/codes-file`, submit: 'Add the codes of the file', hasFile: true },
      fileField('file', 'File', {
        accept: '.txt,.csv,text/plain,text/csv',
        hint: 'A text file or a spreadsheet (saved as CSV) with one code a line; of several columns the first counts.',
      }),
    ),
    ...(codesLeft(link) > 0
      ? [
          foldedForm(
            visit,
            'Remove what is left',
            { path: `${PATH}/remove-codes`, submit: `Remove ${counted(codesLeft(link), 'code')}`, isDangerous: true },
            html`<p>Nobody gets them any more, unless you add them again. What was handed out stays.</p>`,
          ),
        ]
      : []),
  ]);
}

const CODE_WORDS: Readonly<Record<GoodsState, string>> = {
  unpaid: '',
  to_release: 'Let it go?',
  waiting: 'Waits',
  given: 'Given',
  taken_back: 'Taken back',
};

function chargesOf(outside: Outside, link: Link, charges: readonly Charge[]): Html {
  return table(charges, {
    caption: 'Bills of this link, the newest first',
    href: ({ reference }) => chargeAddress(reference),
    columns: {
      Bill: ({ reference }) => reference,
      Status: (charge) => chargePill(outside, charge),
      Opened: ({ created_at }) => age(outside, created_at),
      ...(link.note_label && { Note: (charge: Charge) => cameWith(charge).customer_note ?? '' }),
      ...(link.codes_stocked !== undefined && { Code: codeCell }),
      Amount: { figure: amountOf },
    },
  });
}

/** The amount paid, or the amount asked while nothing is paid. The status column shows its proof. */
function amountOf(charge: Charge): string {
  const paid = shownPaid(charge);
  return paid.pesewas > 0 ? paid.amount : shownMoney(charge.amount_pesewas);
}

function codeCell(charge: Charge): Html | string {
  if (!isCoded(charge)) return '';
  const { goods: code, origin, reference } = charge;
  const word = CODE_WORDS[code.state];
  if (word === '') return '';
  return html`<a href="${codeAddress(origin.slug, reference)}">${word}${code.number && ` (${code.number})`}</a>`;
}

function changeSections(visit: MerchantVisit<'slug'>, outside: Outside, link: Link): Html {
  const end = () =>
    html`<p>Nobody can pay by it any more, and its page says so. Bills made before can still be paid. ${link.till === undefined ? 'A later last day opens it again.' : 'Its till can have another sticker then.'}</p>`;
  return html`${section('Change', [
    foldedForm(
      visit,
      'Change this link',
      { path: `${PATH}/change`, submit: 'Change the link' },
      linkFields(visit.merchant, link),
    ),
    ...(hasEnded(outside, link)
      ? []
      : [foldedForm(visit, 'End this link', { path: `${PATH}/end`, submit: 'End the link', isDangerous: true }, end)]),
  ])}`;
}

export function changeThisLink(visit: MerchantVisit<'slug', typeof LinkForm>, outside: Outside): Promise<Going> {
  const { ends_at, ...said } = requestOf(visit.form);
  return change(visit, outside, { action: 'link change', notice: 'The link is changed.' }, (link) => {
    // A date field has no hour, and a sticker's form no date. An unchanged end keeps its exact time.
    const isSameDay = ends_at?.slice(0, 10) === link.ends_at?.slice(0, 10);
    const staysAsItIs = isSameDay || (ends_at === undefined && link.till !== undefined);
    return staysAsItIs
      ? { ...fieldsSaid(outside, said), ends_at: link.ends_at }
      : fieldsSaid(outside, { ...said, ends_at });
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

import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { networks } from '../../../ghana/network.ts';
import { NUMBER, numbersIn } from '../../../ghana/phone-number.ts';
import { NIGHT } from '../../../ghana/quiet-hours.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { sendersOf } from '../../../merchants/merchant/senders.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { SenderResponse } from '../../../phones/sender/responses.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import { type Outside, todayOf } from '../../../runtime/outside/outside.ts';
import { HOUR_SECONDS } from '../../../runtime/values/calendar.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { invalidRequest } from '../../../runtime/values/errors.ts';
import { withoutConsent } from '../../../texts/contact/contact.table.ts';
import { How, MAX_HOW_CHARACTERS } from '../../../texts/contact/contact-request.ts';
import { storeContacts } from '../../../texts/contact/store-contacts.ts';
import { asCauser } from '../../../texts/sms/causer.ts';
import { inGsm7 } from '../../../texts/sms/gsm7.ts';
import { getSendAndMessages } from '../../../texts/sms/message.table.ts';
import { parseMessageId } from '../../../texts/sms/message-id.ts';
import { MAX_SAFE_SEGMENTS, sizeOf } from '../../../texts/sms/segments.ts';
import { acceptSend } from '../../../texts/sms/send.ts';
import { MAX_MESSAGE_CHARACTERS, MAX_RECIPIENTS, SendRequest } from '../../../texts/sms/send-request.ts';
import { MAX_AHEAD_DAYS, NO_QUIET_HOURS } from '../../../texts/sms/when-to-leave.ts';
import { wordsToSend } from '../../../texts/sms/words-to-send.ts';
import { MANY, textAddress } from '../parts/addresses.ts';
import { type Html, shownTime } from '../parts/content.ts';
import { creditsLeft, forCredits } from '../parts/cost.ts';
import { choice, type Field, field, fields, form, textField, ticks } from '../parts/form.ts';
import { CHARACTERS } from '../parts/shop-words.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const { message, from, to, purpose, send_at, valid_for, quiet_hours, encoding } = SendRequest.shape;

const TIME_OF_DAY = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** A typed message. Browsers submit line breaks as two characters. */
export const TypedText = z.pipe(
  z.pipe(
    z.string('must not be empty'),
    z.transform((text) => text.replaceAll('\r\n', '\n')),
  ),
  message,
);

/** The API's fields. Numbers may be pasted in any format. */
export const SendForm = z.object({
  to: z.pipe(
    z.transform((pasted: unknown): unknown => (typeof pasted === 'string' ? numbersIn(pasted) : pasted)),
    to,
  ),
  message: TypedText,
  from,
  purpose,
  // A time field has no time zone, so use Ghana's.
  send_at: z.pipe(
    z.transform((typed: unknown) => (typeof typed === 'string' && TIME_OF_DAY.test(typed) ? `${typed}Z` : typed)),
    send_at,
  ),
  valid_for: z.pipe(
    z.transform((typed: unknown) => (typeof typed === 'string' ? Number(typed) : typed)),
    valid_for,
  ),
  quiet_hours,
  encoding,
  /** Way in which customers without stored consent agreed to receive offers. These customers become contacts. */
  agreed_how: z.optional(How),
  /** Button for counting the characters when JavaScript is off. */
  ...ticks(['check']),
});
export type SendForm = z.infer<typeof SendForm>;

function agreedField(): Field {
  return field('agreed_how', 'If they all agreed, how?', {
    maxLength: MAX_HOW_CHARACTERS,
    hint: 'For example: told us in the shop. We add them as contacts who agreed today, and send your text.',
  });
}

export async function showSend(
  visit: MerchantVisit<never, unknown>,
  outside: Outside,
  checked?: SendForm,
): Promise<Shown> {
  const { merchant, query } = visit;
  const [senders, balance, again] = await Promise.all([
    sendersOf(outside, merchant),
    creditsLeft(outside, merchant.merchant_id),
    checked ? undefined : failedText(visit, outside),
  ]);
  const facts = { path: '/send', submit: 'Send' };
  return {
    title: 'Send a text',
    script: 'texts.js',
    main: html`<div class="card">${form(visit, facts, [
      textField('to', 'To', {
        rows: 2,
        value: (checked ?? again)?.to.map(shownNumber).join('\n') ?? query.to,
        hint: html`Paste numbers with commas, on separate lines, or next to names. More than ${MAX_RECIPIENTS}? <a class="number" href="${MANY}">Send to many</a>`,
        isRequired: true,
      }),
      textField('message', 'Text', {
        value: (checked ?? again)?.message,
        hint: `Up to ${MAX_MESSAGE_CHARACTERS} characters. Each number costs one credit, however long the text is.`,
        isRequired: true,
      }),
      ...(visit.refused?.code === 'consent_missing' ? [agreedField()] : []),
      size(checked, balance),
      balance === 0
        ? html`<p class="fault">You have no credits: ${namingOperator(outside, 'ask support for some')}.</p>`
        : html``,
      senderChoice(merchant, senders, checked?.from),
      purposeChoice((checked ?? again)?.purpose),
      whenToLeave(merchant, checked),
      html`<button class="plain button check" name="check" value="on">Count first</button>`,
    ])}</div>`,
  };
}

/** Finds the failed text that the form repeats: its words, its purpose and the numbers that it did not reach. */
async function failedText(
  { merchant, user, query }: MerchantVisit<never, unknown>,
  outside: Outside,
): Promise<Pick<SendForm, 'to' | 'message' | 'purpose'> | undefined> {
  const place = query.again && may(user, 'texts:read') ? parseMessageId(query.again) : undefined;
  const found = place && (await getSendAndMessages(outside, place.sendId));
  if (found?.send.merchant_id !== merchant.merchant_id || found.send.has_code || found.send.bulk) return undefined;
  const { message, category, to: numbers } = found.send;
  const failed = found.messages.filter(
    ({ state, index }) => state === 'failed' && (!query.n || query.n === String(index + 1)),
  );
  return { to: failed.flatMap(({ index }) => numbers[index] ?? []), message, purpose: category };
}

/** Renders the choice of the sending number. Lists the default number only once. */
export function senderChoice(
  { default_from: usual }: Merchant,
  senders: readonly SenderResponse[],
  value: SendForm['from'],
): Field {
  const options = senders.map(({ number, network, available }): [string, string] => {
    const shown = `${shownNumber(number)} (${networks[network].short})`;
    return [number, `${shown}${number === usual ? ', usual' : ''}${available ? '' : ', cannot send now'}`];
  });
  const [, known] = options.find(([number]) => number === usual) ?? [];
  const first = known ?? (usual ? `${shownNumber(usual)}, usual` : 'Any number that can send now');
  return choice('from', 'From', {
    value: value ?? '',
    options: [['', first], ...options.filter(([number]) => number !== usual)],
  });
}

export function purposeChoice(value: SendForm['purpose']): Field {
  return choice('purpose', 'What it is for', {
    value: value ?? '',
    hint: 'Offers go only to contacts who agreed, and never at night. People who replied STOP get no offers or reminders.',
    options: [
      ['', 'About their order or payment'],
      ['reminder', 'A reminder'],
      ['marketing', 'An offer, or news'],
    ],
  });
}

/** Renders the collapsed fields for sending time and encoding. */
export function whenToLeave(
  { quiet_hours: usual }: Merchant,
  checked: Pick<SendForm, (typeof TIMES)[number]> | undefined,
): Field {
  const open: Field = ({ typed, errors }) => {
    const asked = checked ?? typed;
    return TIMES.some((name) => asked[name] || errors.some(({ field }) => field === name)) && raw(' open');
  };
  const hours = (value: string) => (value === '' ? 'At any hour' : `Not from ${value.replace('-', ' to ')}`);
  const nights = [...new Set([usual ?? '', NIGHT])].filter((value) => value !== '');
  return fields`<details class="more"${open}><summary>Send later, special characters</summary>
${field('send_at', 'Send at', {
  type: 'datetime-local',
  value: checked?.send_at?.slice(0, 16),
  hint: `Ghana time, up to ${MAX_AHEAD_DAYS} days ahead. Leave empty to send now. You can cancel it until then.`,
})}
${choice('valid_for', 'Useful', {
  value: checked?.valid_for === undefined ? '' : String(checked.valid_for),
  options: [
    ['', 'Whenever it arrives'],
    ...LIVES.map(([hours, words]) => [String(hours * HOUR_SECONDS), words] as const),
  ],
  hint: 'If it has not been sent by then, it is dropped. Its credit is returned.',
})}
${choice('quiet_hours', 'At night', {
  value: checked?.quiet_hours ?? '',
  options: [
    ['', `${hours(usual ?? '')}${usual ? ', your setting' : ''}`],
    ...nights.filter((value) => value !== usual).map((value) => [value, hours(value)] as const),
    ...(usual ? ([[NO_QUIET_HOURS, hours('')]] as const) : []),
  ],
})}
${choice('encoding', 'Special characters', {
  value: checked?.encoding ?? '',
  options: [
    ['', 'As written'],
    ['gsm7', 'Replace them with plain ones'],
  ],
  hint: 'Curly quotes, long dashes, ɛ and ɔ. Even one of them halves the number of characters that fit in an SMS.',
})}
</details>`;
}

const TIMES = ['send_at', 'valid_for', 'quiet_hours', 'encoding'] as const;
const LIVES = [
  [1, 'For an hour'],
  [3, 'For three hours'],
  [12, 'For twelve hours'],
  [24, 'For a day'],
] as const;

/** Renders the number of SMS messages and the cost. The script updates them as the user types. */
function size(checked: SendForm | undefined, balance: number | undefined): Html {
  const left = balance === undefined ? '' : ` data-balance="${balance}"`;
  return html`<p class="size" id="size" role="status"${raw(left)} data-safe="${MAX_SAFE_SEGMENTS}" data-number="${NUMBER.source}">${checked ? inWords(checked, balance) : balance ? `You have ${counted(balance, 'credit')}.` : ''}</p>`;
}

function inWords({ to, message, encoding }: SendForm, balance: number | undefined): string {
  const text = encoding ? inGsm7(message).text : message;
  const { segments, encoding: shown } = sizeOf(text);
  const characters = [...text].length;
  const cost =
    balance === undefined ? 'costs nothing, because it is a test' : `costs ${to.length} of ${balance} credits`;
  const warning = segments > MAX_SAFE_SEGMENTS ? ` Phones refuse more than ${MAX_SAFE_SEGMENTS} SMS: shorten it.` : '';
  return `${counted(to.length, 'number')} · ${characters} characters, ${segments} SMS in ${CHARACTERS[shown]} · ${cost}.${warning}`;
}

export async function sendText(visit: MerchantVisit<never, SendForm>, outside: Outside): Promise<Going | Shown> {
  const { merchant, user, form, commit } = visit;
  if (form.check) return showSend(visit, outside, form);
  await refuseSender(visit, outside);
  if (form.agreed_how && form.purpose === 'marketing') await storeAgreed(visit, outside, form.agreed_how);
  const quiet_hours = form.quiet_hours ?? merchant.quiet_hours;
  const { agreed_how: _, ...asked } = form;
  const { message } = wordsToSend(form);
  const { send, writes } = await acceptSend(outside, merchant, { ...asked, by: asCauser(user), message, quiet_hours });
  const texts = send.to.length;
  const what = texts === 1 ? 'Your text is' : `${texts} texts are`;
  const cost = forCredits(merchant.merchant_id, texts);
  const when = send.send_at ? `scheduled for ${shownTime(send.send_at)}` : 'on the way';
  const notice = `${what} ${when} from ${shownNumber(send.from)}${cost}.`;
  const entry = { action: 'sms send', about: send.send_id, after: { texts } };
  return commit(writes, { goTo: textAddress(send.send_id), notice }, entry);
}

/** Rejects an unsuitable sending number. The API's own message is for programs. */
async function refuseSender({ merchant, form }: MerchantVisit<never, SendForm>, outside: Outside): Promise<void> {
  const number = form.from ?? merchant.default_from;
  const sender = (await sendersOf(outside, merchant)).find((one) => one.number === number);
  if (!sender?.message) return;
  throw invalidRequest([{ field: 'from', message: `cannot send now. ${sender.message} Choose another number.` }]);
}

/** Stores missing consent. People who replied STOP still get no offers. */
async function storeAgreed(
  { merchant, user, form, noting }: MerchantVisit<never, SendForm>,
  outside: Outside,
  how: string,
): Promise<void> {
  const missing = await withoutConsent(outside, merchant.merchant_id, form.to);
  const all = [...missing].map((number) => ({ number, consent: { at: todayOf(outside), how } }));
  const errorAt = (_: number, __: string | undefined, message: string) => ({ field: 'agreed_how', message });
  const stored = { contacts: { all, errorAt }, by: user.user_id };
  await storeContacts(outside, merchant, stored, async (writes, { added, updated }) => {
    if (writes.length > 0) await noting({ action: 'contacts store', after: { added, updated } }).table.write(writes);
  });
}

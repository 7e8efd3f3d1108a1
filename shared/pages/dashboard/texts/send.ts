import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import { networks } from '../../../ghana/network.ts';
import { NUMBER, numbersIn } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { sendersOf } from '../../../merchants/merchant/senders.ts';
import { isTwin } from '../../../merchants/merchant/twin.ts';
import type { SenderResponse } from '../../../phones/sender/responses.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { invalidRequest } from '../../../runtime/values/errors.ts';
import { getCredits } from '../../../texts/credits/credits.table.ts';
import { MAX_SAFE_SEGMENTS, sizeOf } from '../../../texts/sms/segments.ts';
import { acceptSend } from '../../../texts/sms/send.ts';
import { MAX_MESSAGE_CHARACTERS, MAX_RECIPIENTS, SendRequest } from '../../../texts/sms/send-request.ts';
import { textAddress } from '../addresses.ts';
import type { Html } from '../parts/content.ts';
import { choice, formSection, textField } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { textTabs } from './texts.ts';

const { message, from, to, purpose } = SendRequest.shape;

/** What somebody writes into a form, which sends each line break as two characters. */
export const TypedText = z.pipe(
  z.pipe(
    z.string('must not be empty'),
    z.transform((text) => text.replaceAll('\r\n', '\n')),
  ),
  message,
);

/** What the API takes, but for the numbers, which may be pasted in any form. */
export const SendForm = z.object({
  to: z.pipe(
    z.transform((pasted: unknown): unknown => (typeof pasted === 'string' ? numbersIn(pasted) : pasted)),
    to,
  ),
  message: TypedText,
  from,
  purpose,
  /** Whether it is only to be counted: where there is no script that does so while one types. */
  check: z.optional(z.literal('on')),
});
export type SendForm = z.infer<typeof SendForm>;

/** Where a text is written. `checked` is one that is to be counted, and shown again as it was typed. */
export async function showSend(
  visit: MerchantVisit<never, unknown>,
  outside: Outside,
  checked?: SendForm,
): Promise<Shown> {
  const { merchant, query } = visit;
  const isTest = isTwin(merchant.merchant_id);
  const [senders, credits] = await Promise.all([
    sendersOf(outside, merchant),
    isTest ? undefined : getCredits(outside, merchant.merchant_id),
  ]);
  const balance = credits?.balance;
  const facts = { path: '/send', submit: 'Send' };
  return {
    title: 'Send a text',
    script: 'texts.js',
    main: html`${textTabs(visit)}
${formSection(visit, 'New text', facts, (filled) => [
  textField(filled, {
    name: 'to',
    label: 'To',
    rows: 2,
    value: checked?.to.map(shownNumber).join('\n') ?? query.to,
    hint: `Up to ${MAX_RECIPIENTS} numbers, pasted as they are: with commas, in lines, with names beside them.`,
    isRequired: true,
  }),
  textField(filled, {
    name: 'message',
    label: 'Text',
    value: checked?.message,
    hint: `Up to ${MAX_MESSAGE_CHARACTERS} characters. Each number costs one credit, however long the text is.`,
    isRequired: true,
  }),
  size(checked, balance),
  choice(filled, {
    name: 'from',
    label: 'From',
    value: checked?.from ?? '',
    options: senderOptions(senders, merchant.default_from),
  }),
  choice(filled, {
    name: 'purpose',
    label: 'What it is for',
    value: checked?.purpose ?? '',
    hint: 'Who answered STOP to you gets no offers and no reminders.',
    options: [
      ['', 'What they asked for, or have to know'],
      ['reminder', 'A reminder'],
      ['marketing', 'An offer, or news'],
    ],
  }),
  html`<button class="plain button check" name="check" value="on">Count first</button>`,
])}`,
  };
}

/** How many SMS it takes and what it costs: from here where it was checked, while one types from the script. */
function size(checked: SendForm | undefined, balance: number | undefined): Html {
  const left = balance === undefined ? '' : ` data-balance="${balance}"`;
  return html`<p class="size" id="size" role="status"${raw(left)} data-safe="${MAX_SAFE_SEGMENTS}" data-number="${NUMBER.source}">${checked && inWords(checked, balance)}</p>`;
}

function inWords({ to, message }: SendForm, balance: number | undefined): string {
  const { segments, encoding } = sizeOf(message);
  const characters = [...message].length;
  const cost = balance === undefined ? 'costs nothing, as a test' : `costs ${to.length} of ${balance} credits`;
  const warning =
    segments > MAX_SAFE_SEGMENTS
      ? ` Phones may refuse more than ${MAX_SAFE_SEGMENTS} SMS; then it fails and its credits come back.`
      : '';
  return `${counted(to.length, 'number')} · ${characters} characters, ${segments} SMS (${encoding}) · ${cost}.${warning}`;
}

/** The default is there once, under the name by which it goes on following the setting. */
function senderOptions(senders: readonly SenderResponse[], usual: string | undefined): [string, string][] {
  const options = senders.map(({ number, network, available }): [string, string] => {
    const shown = `${shownNumber(number)} (${networks[network].short})`;
    return [number, `${shown}${number === usual ? ', your default' : ''}${available ? '' : ', cannot send now'}`];
  });
  const [, known] = options.find(([number]) => number === usual) ?? [];
  const first = known ?? (usual ? `${shownNumber(usual)}, your default` : 'Any that can send now');
  return [['', first], ...options.filter(([number]) => number !== usual)];
}

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
  return commit(writes, { goTo: textAddress(send.send_id), notice }, entry);
}

/** The API tells a program what to send instead; a person chooses another number. */
async function refuseSender({ merchant, form }: MerchantVisit<never, SendForm>, outside: Outside): Promise<void> {
  const number = form.from ?? merchant.default_from;
  const sender = (await sendersOf(outside, merchant)).find((one) => one.number === number);
  if (!sender?.message) return;
  throw invalidRequest([{ field: 'from', message: `cannot send now. ${sender.message} Choose another number.` }]);
}

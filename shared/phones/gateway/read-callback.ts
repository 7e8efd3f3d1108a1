import * as z from 'zod/mini';
import { networkOfSender } from '../../ghana/wallet-text/read-wallet-text.ts';
import { isoOf } from '../../runtime/outside/outside.ts';
import { parseJson } from '../../runtime/values/json.ts';
import { jsonFault } from '../../runtime/values/json-fault.ts';
import { repairJson } from '../../runtime/values/repair-json.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { CallbackEvent, idOfText, PING, type ReceivedEvent, STARTED, StateReport } from './callback.ts';
import { addable, namesOtherSender, RepairedPost, type SameSender } from './forged-fields.ts';
import { msOf, simOf } from './forwarded-text.ts';
import { exampleOf, formOf, isEncrypted, type OddFault, type OddForm } from './odd-form.ts';

export interface OpenedCallback {
  /** Candidate device ids: the event's device id or, if the callback is not an event, all device ids in the body. */
  readonly devices: readonly string[];
  /** Undefined if the callback is not an event. */
  readonly event: CallbackEvent | undefined;
  /** Undefined if the callback is not JSON. */
  readonly value: unknown;
  readonly rawBody: string;
}

/** Parses only the device id, which is needed to check the signature. */
export function openCallback(rawBody: string): OpenedCallback {
  const { event, value } = parsed(rawBody);
  return { devices: event ? [event.deviceId] : devicesIn(rawBody), event, value, rawBody };
}

function parsed(json: string): Pick<OpenedCallback, 'event' | 'value'> {
  const value = parseJson(z.unknown(), json.replace(/^\ufeff/, ''));
  return { value, event: z.safeParse(CallbackEvent, value).data };
}

const MAX_DEVICES = 3;

/** Finds candidate device ids. Keeps only the first few matches, because a text can contain more ids. */
function devicesIn(rawBody: string): string[] {
  const found = rawBody.matchAll(/"deviceId"\s*:\s*"([\w-]{1,64})"/g).take(MAX_DEVICES);
  return [...new Set(Array.from(found, ([, device = '']) => device))];
}

interface CallbackContent {
  readonly name: string | undefined;
  readonly texts: readonly ReceivedEvent[];
  readonly report?: StateReport | undefined;
  /**
   * Structure of the callback. Set if the callback was not understood, or was understood only after its line feeds were
   * escaped.
   */
  readonly odd?: OddForm;
}

/** Events that do not contain a received text. */
const NO_TEXTS = new Set([
  PING,
  STARTED,
  'mms:received',
  'mms:downloaded',
  'mms:batch:received',
  'mms:batch:downloaded',
  'sms:data-received',
  'sms:batch:data-received',
]);

export function readCallback(post: OpenedCallback, device: string, key: string): CallbackContent {
  const read = post.value === undefined ? repairedOf(post, device) : { ...post, isRepaired: false };
  const isFaulty = post.value !== undefined && jsonFault(post.rawBody) !== undefined;
  const { unread, ...content } = isFaulty ? notJson(post.value) : contentOf(read, key);
  const named = { ...content, name: read.event?.event };
  if (unread) return { ...named, odd: oddOf(unread) };
  return { ...named, ...(read.isRepaired && { odd: { fault: 'repaired', form: formOf(read.value) } }) };
}

interface ReadableCallback extends Pick<OpenedCallback, 'event' | 'value'> {
  readonly isRepaired: boolean;
}

/**
 * Repairs a callback that is not JSON by escaping its line feeds. Discards the result if it names a phone other than
 * the one that signed the callback.
 */
function repairedOf({ rawBody, event, value }: OpenedCallback, device: string): ReadableCallback {
  const repaired = repairJson(rawBody.replace(/^\ufeff/, ''));
  const read = repaired === undefined ? undefined : parsed(repaired);
  const isOfAnother = read?.event && read.event.deviceId !== device;
  return read && !isOfAnother ? { ...read, isRepaired: true } : { event, value, isRepaired: false };
}

/**
 * Returns the structure of a callback that was not understood. A long structure is truncated. If this release would
 * understand the truncated structure, `form` is `"more"` instead.
 */
function oddOf({ fault, value }: Unread): OddForm {
  const odd = { fault, form: value === undefined ? '"not JSON"' : formOf(value) };
  return understands(odd) ? { fault, form: '"more"' } : odd;
}

/** Returns true if this release understands a structure that an earlier release did not. */
export function understands({ fault, form }: OddForm): boolean {
  if (fault === 'not_json') return false;
  const value = exampleOf(form);
  // All texts in an example are the same, but these senders were not.
  const isSame = fault === 'two_senders' ? () => false : isSameSender;
  return !contentOf({ event: z.safeParse(CallbackEvent, value).data, value, isRepaired: false }, '', isSame).unread;
}

interface Unread {
  readonly fault: OddFault;
  readonly value: unknown;
}

interface Content extends Pick<CallbackContent, 'texts' | 'report'> {
  readonly unread?: Unread;
}

function notJson(value: unknown): Content {
  return { texts: [], unread: { fault: 'not_json', value } };
}

function contentOf({ event, value, isRepaired }: ReadableCallback, key: string, isSame = isSameSender): Content {
  const nothing = { texts: [] };
  if (!event) return { ...nothing, unread: { fault: value === undefined ? 'not_json' : 'unknown', value } };
  // Phones sometimes treat a long text as an MMS.
  if (NO_TEXTS.has(event.event))
    return namesWallet(payloadOf(value)) || isOddMms(event.event, value)
      ? { ...nothing, unread: { fault: 'unknown', value } }
      : nothing;
  if (isRepaired && !z.safeParse(RepairedPost, value).success) return notJson(value);
  const report = z.safeParse(StateReport, value).data;
  const payload = payloadOf(value);
  if (report) return { ...nothing, report, ...unreadBeside(value, [payload], []) };
  const posted = postedTexts(event, payload);
  if (!posted) return { ...nothing, unread: { fault: 'unknown', value } };
  if (event.event === RECEIVED && namesOtherSender(value, posted[0]?.payload, isSame))
    return { ...nothing, unread: { fault: isRepaired ? 'not_json' : 'two_senders', value } };
  const read = posted.map((one) => ({ payload: one.payload, text: textOf(event, one, { isRepaired, key, isSame }) }));
  const texts = read.flatMap(({ text }) => (typeof text === 'object' ? text : []));
  const [unread] = read.flatMap(({ payload, text }) => (typeof text === 'string' ? { payload, fault: text } : []));
  const isBatch = event.event === BATCH;
  const known = isBatch ? ['messages', ...TEXT_FIELDS] : TEXT_FIELDS;
  if (!unread) return { texts, ...unreadBeside(value, [payload, ...read.map((one) => one.payload)], known) };
  // For a batch, report the first text that was not understood.
  return {
    texts,
    unread: { fault: unread.fault, value: isBatch ? { ...event, payload: { messages: [unread.payload] } } : value },
  };
}

const RECEIVED = 'sms:received';
const BATCH = 'sms:batch:received';

const Payload = z.object({ payload: z.unknown() });
const Batch = z.object({ messages: z.array(z.unknown()) });

interface PostedText {
  readonly id: string | undefined;
  readonly payload: unknown;
}

/**
 * Maximum number of bytes of an id from an app. The id is part of an index key, which DynamoDB limits to 1,024 bytes.
 */
const MAX_ID_BYTES = 512;

/** Returns the texts in an event, or undefined if this kind of event contains none. */
function postedTexts({ event, id: given }: CallbackEvent, payload: unknown): PostedText[] | undefined {
  const id = given && (Buffer.byteLength(given) > MAX_ID_BYTES ? sha256(given) : given);
  if (event === RECEIVED) return [{ id, payload }];
  if (event !== BATCH) return undefined;
  return messagesOf(payload)?.map((one: unknown, n) => ({ id: id && `${id}-${n}`, payload: one }));
}

function messagesOf(payload: unknown): unknown[] | undefined {
  return Array.isArray(payload) ? payload : z.safeParse(Batch, payload).data?.messages;
}

function payloadOf(value: unknown): unknown {
  return z.safeParse(Payload, value).data?.payload;
}

/** Fields whose content the sender of a text controls. */
const WORDS = new Set(['body', 'message', 'subject', 'text', 'textMessage']);

/**
 * Returns true if any field contains the name of a wallet service. The callback may then contain a wallet text in an
 * unknown structure.
 */
function namesWallet(value: unknown): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === 'string' && networkOfSender(one) !== undefined) return true;
    for (const [name, field] of Object.entries(fieldsOf(one)))
      if (typeof field === 'object' || !WORDS.has(name)) waiting.push(field);
  }
  return false;
}

function fieldsOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Finds a wallet service's text outside the fields that known apps use. */
function unreadBeside(
  value: unknown,
  payloads: readonly unknown[],
  known: readonly string[],
): { readonly unread?: Unread } {
  const beside = (one: unknown, names: readonly string[]) =>
    Array.isArray(one)
      ? []
      : Object.entries(fieldsOf(one)).flatMap(([name, field]) =>
          typeof field === 'object' && !names.includes(name) ? [field] : [],
        );
  const others = [...beside(value, ['payload']), ...payloads.flatMap((one) => beside(one, known))];
  return namesWallet(others) ? { unread: { fault: 'unknown', value } } : {};
}

const MMS_FIELDS = new Set(
  'attachments body contentClass message messageId parts phoneNumber receivedAt recipient sender simNumber size subject transactionId'.split(
    ' ',
  ),
);

/** Returns true if an MMS has a field that no known app sends. That field may contain a wallet service's text. */
function isOddMms(event: string, value: unknown): boolean {
  if (!event.startsWith('mms:')) return false;
  const payload = payloadOf(value);
  return (messagesOf(payload) ?? [payload]).some((one) => {
    const fields = z.safeParse(z.record(z.string(), z.unknown()), one).data;
    if (!fields) return one != null;
    return (
      (typeof fields.message === 'object' && fields.message !== null) ||
      Object.keys(fields).some((name) => !MMS_FIELDS.has(name))
    );
  });
}

/** Makes a field optional. An invalid value counts as missing. */
function spare<Value>(schema: z.ZodMiniType<Value>) {
  return z.catch(z.nullish(schema), undefined);
}

/** A value short enough to store in an item. */
const Short = z.union([z.string().check(z.maxLength(64)), z.number()]);

/** A phone number as a string. A local number that was sent as a JSON number has lost its leading 0. */
const NumberText = z.pipe(
  Short,
  z.transform((written) => (/^\d{9}$/.test(String(written)) ? `0${written}` : String(written))),
);
const Slot = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((written) => (typeof written === 'number' ? slotOf(written) : simOf(written.trim()))),
);

/** Returns the SIM slot, counted from 1. Returns undefined for a number above 999, which is the id of a SIM. */
function slotOf(written: number): number | undefined {
  return Number.isInteger(written) && written >= 1 && written <= 999 ? written : undefined;
}

const Time = z.pipe(
  Short,
  z.transform((written) => {
    const ms = msOf(String(written));
    if (typeof written === 'string' && !/^[\d.]+$/.test(written)) return written;
    return ms === undefined ? undefined : isoOf(ms);
  }),
);

const Sender = z.object({
  sender: spare(z.string()),
  /** Name of the `sender` field in apps before 1.54.0. */
  phoneNumber: spare(z.string()),
});

const TextPayload = z.extend(Sender, {
  message: z.string(),
  recipient: spare(NumberText),
  simNumber: spare(Slot),
  receivedAt: spare(Time),
  isEncrypted: spare(z.boolean()),
});
const TEXT_FIELDS = Object.keys(TextPayload.shape);

/** Returns an event's text, or the reason why it is not understood. */
function textOf(
  { deviceId, isEncrypted: isWhole }: CallbackEvent,
  { id, payload }: PostedText,
  { isRepaired, key, isSame }: { readonly isRepaired: boolean; readonly key: string; readonly isSame: SameSender },
): ReceivedEvent | OddFault {
  const { data } = z.safeParse(TextPayload, payload);
  const senders = [data?.sender, data?.phoneNumber].filter((one) => one != null);
  const [sender = senders[0], other] = senders.filter((one) => one.trim() !== '');
  if (!data || sender === undefined) return isRepaired ? 'not_json' : 'unknown';
  const { message, recipient, simNumber, receivedAt } = data;
  // A text with quotes can inject a second sender if the app does not escape quotes.
  if (other !== undefined && !isSame(sender, other)) {
    if (isRepaired) return 'not_json';
    if (networkOfSender(sender)) return 'two_senders';
  }
  const doubted = isRepaired ? addable(payload) : [];
  // Do not check the message itself, because anybody can send a text that looks encrypted.
  if (isEncrypted(sender) || data.isEncrypted || isWhole) return 'encrypted';
  const known = {
    ...(recipient !== undefined && !doubted.includes('recipient') && { recipient }),
    ...(simNumber !== undefined && !doubted.includes('simNumber') && { simNumber }),
    ...(receivedAt !== undefined && !doubted.includes('receivedAt') && { receivedAt }),
  };
  const fields = [sender, recipient ?? simNumber, receivedAt, message].join('\n');
  return {
    event: RECEIVED,
    id: id || idOfText(key, fields),
    deviceId,
    payload: { message, sender: sender.trim(), ...known },
  };
}

function isSameSender(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

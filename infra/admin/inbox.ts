import sax from 'sax';
import * as z from 'zod/mini';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';

/** A text that a phone received. */
export interface InboxText {
  readonly sender: string;
  readonly text: string;
  /** Time at which the phone received the text (ms since 1970). */
  readonly receivedMs: number;
}

/**
 * Reads the texts that an Android phone received, in order of arrival. Accepts the XML of the app SMS Backup & Restore,
 * and JSON.
 * @throws OperatorError that says what is wrong with the file.
 */
export function readInbox(file: string): InboxText[] {
  const contents = file.replace(/^\uFEFF/, '').trim();
  if (contents === '') throw new OperatorError('The file is empty. Export the phone’s messages again.');
  const entries = contents.startsWith('<') ? xmlEntries(contents) : jsonEntries(contents);
  const texts = entries.filter(isReceived).map(textOf);
  if (texts.length === 0)
    throw new OperatorError(
      `None of the ${entries.length} messages in the file is a received SMS. Export the phone’s inbox.`,
    );
  // Some apps write the newest text first, also among those of one second.
  const isNewestFirst = (texts.at(0)?.receivedMs ?? 0) > (texts.at(-1)?.receivedMs ?? 0);
  return (isNewestFirst ? texts.toReversed() : texts).toSorted((a, b) => a.receivedMs - b.receivedMs);
}

type Entry = Readonly<Record<string, unknown>>;

/** Matches half of a character outside Unicode's basic plane. The app writes two of them, which XML forbids. */
const HALF_CHARACTER = /&#(5[5-7]\d{3});/g;

function xmlEntries(xml: string): Entry[] {
  const entries: Entry[] = [];
  const parser = sax.parser(true);
  parser.onopentag = ({ name, attributes }) => {
    if (name === 'sms') entries.push(attributes);
  };
  parser.onerror = ({ message }) => {
    throw new OperatorError(
      `The file is not valid XML (${message.split('\n')[0]}, line ${parser.line + 1}). Export the messages again.`,
    );
  };
  parser.write(xml.replace(HALF_CHARACTER, (_, unit) => String.fromCharCode(Number(unit)))).close();
  if (entries.length === 0)
    throw new OperatorError(
      'The XML file has no <sms> elements. Export the messages with the app SMS Backup & Restore.',
    );
  return entries;
}

const Entries = z.array(z.record(z.string(), z.unknown()));

/** Parses a JSON array, or one JSON object per line. */
function jsonEntries(json: string): Entry[] {
  try {
    const lines = json.startsWith('[') ? json : `[${json.split(/\r?\n/).filter(Boolean).join(',')}]`;
    return z.parse(Entries, JSON.parse(lines));
  } catch {
    throw new OperatorError(
      'The file is neither XML nor JSON with messages. Export them with the app SMS Backup & Restore, or write a JSON array of objects with sender, text and received_at.',
    );
  }
}

/** Texts that a phone received have the type 1 in Android. */
function isReceived({ type = 1 }: Entry): boolean {
  return String(type) === '1';
}

const Written = z.string();

function textOf(entry: Entry, n: number): InboxText {
  const wrong = (what: string) => new OperatorError(`Received message ${n + 1} in the file has ${what}.`);
  const sender = Written.safeParse(entry.sender ?? entry.address).data;
  const text = Written.safeParse(entry.text ?? entry.body).data;
  const receivedMs = timeIn(entry.received_at ?? entry.date);
  if (sender === undefined) throw wrong('no sender (sender or address)');
  if (text === undefined) throw wrong('no text (text or body)');
  if (receivedMs === undefined)
    throw wrong('no time (received_at or date) such as 2026-12-01T09:30:00Z, or in milliseconds since 1970');
  return { sender, text, receivedMs };
}

function timeIn(written: unknown): number | undefined {
  const ms = /^\d{11,14}$/.test(String(written)) ? Number(written) : Date.parse(String(written));
  return Number.isNaN(ms) ? undefined : ms;
}

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { marked } from '../../infra/clients/mcp/src/words.ts';
import { readImage } from '../../shared/merchants/logo/image.ts';
import { openCallback, readCallback } from '../../shared/phones/gateway/read-callback.ts';
import { parseBody } from '../../shared/runtime/http/parse-body.ts';
import { cpuMsOf } from '../support/cpu.ts';
import { allPages } from '../support/dashboard.ts';
import { httpRoutes, loadRoute } from '../support/routes.ts';

type Read = (text: string) => unknown;

/** Texts that make slow readers slow, by length in characters. */
const SHAPES: Readonly<Record<string, (length: number) => string>> = {
  'blanks before a letter': (length) => `1${' '.repeat(length)}x`,
  'line feeds': (length) => `1${'\n'.repeat(length)}x`,
  digits: (length) => `${'7'.repeat(length)}x`,
  'digits and blanks': (length) => `${repeated('7 ', length)}x`,
  commas: (length) => `1${','.repeat(length)}x`,
  'a wide and long table': (length) => `to${','.repeat(length)}b\n${'1\n'.repeat(length)}`,
  'columns with different names': (length) => `to,${numbered('a', ',', length)}`,
  'lines with different words': (length) => `to\n${numbered('a', '\n', length)}`,
  'underscores in a column’s name': (length) => `a${'_'.repeat(length)}b,to\n1,2`,
  'opening brackets': (length) => '['.repeat(length),
  'opening braces': (length) => '{'.repeat(length),
  'nested lists': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'opening tags': (length) => '<'.repeat(length),
  'escaped quotes': (length) => `"${repeated('\\"', length)}`,
  quotes: (length) => `1${'"'.repeat(length)}x`,
  slashes: (length) => `http://x${'/'.repeat(length)}x`,
  'full stops': (length) => `a${'.'.repeat(length)}x`,
  'at signs': (length) => `a${repeated('@a', length)} `,
  'a long word': (length) => 'a'.repeat(length),
  'a long name': (length) => repeated('KOFI MENSAH ', length),
  'letters in two cases': (length) => `${repeated('aB', length)}!`,
  'mixed scripts': (length) => repeated('e\u0301😀ƐŊ\u200b٣é', length),
  'ids that are almost complete': (length) => repeated('MK-123456789 transaction id: 123456789 ', length),
  'payments that are almost complete': (length) =>
    repeated('Payment received for GHS 5.00 from KOFI MENSAH Current Balance: GHS 5,0 ', length),
  'amounts and dates': (length) => repeated('GHS 1,234.567 12-11-26 ', length),
  'numbers of phones': (length) => repeated('024123456 +23324 ', length),
};

function repeated(part: string, length: number): string {
  return part.repeat(length / part.length);
}

function numbered(word: string, separator: string, length: number): string {
  return Array.from({ length: length / 6 }, (_, n) => `${word}${n}`).join(separator);
}

/** Matches an exported function. Parameters with parentheses take more than texts. */
const EXPORTED = /^export (?:async )?function (\w+)(?:<[^>]*>)?\(([^()]*)\)/gm;

/** Values for the parameters of a reader, by type. */
const VALUES: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  'string | undefined': (text) => text,
  'string | null': (text) => text,
  'string | null | undefined': (text) => text,
  'readonly string[]': (text) => [text],
  'readonly (string | undefined)[]': (text) => [text],
  number: () => 1,
  boolean: () => true,
  Network: () => 'MTN',
  AgreedTo: () => ({}),
  Asking: () => ({ why: 'unproven' }),
  Details: (text) => ({ customer_name: text, merchant_reference: text }),
  SpokenWords: () => ({ confusing_parts: {}, confusing_words: [] }),
  '{ readonly reference: string }': (reference) => ({ reference }),
};

/** Functions whose first parameter is a string, but that read rows or write pages rather than texts from outside. */
const NO_READERS = new Set(
  `eventIdOf stillWanted bookCredits topUpCredits answer requestBody docUrl givenInList logGroupName
  callFunction ok textAnswer jobFor placedNumber receivedEventOf payForm inCurrency assetAnswer
  moneySection moneyPlot fallsOf emptyState tile section quiet tabs csvFile
  faultOf fold fileField radios foldedPlots titleLine peopleSection unreadIdOf repeatedDays
  checkReceipt setPurchases beginPurchase codeText newAccessCode noMoreRequestMoney putTotals createLogo filled
  sha256 sha256Bytes textOfWallet`.split(/\s+/),
);

async function exportedReaders(): Promise<(readonly [string, Read])[]> {
  const sources = globSync(['{shared,functions,infra/clients/*/src}/**/*.ts', 'infra/clients/*/cli/bodies.ts'], {
    // Excludes what needs the generated client.
    exclude: ['**/generated/**', '**/src/transport.ts'],
  });
  const found = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(EXPORTED)].flatMap(([, name = '', written = '']) => {
      const types = typesOf(written);
      return types[0]?.startsWith('string') && !NO_READERS.has(name) ? [{ file, name, types }] : [];
    }),
  );
  return (await Promise.all(found.map(readersOf))).flat();
}

function typesOf(parameters: string): string[] {
  const all = parameters.split(/,\s*(?=\w+\??:|\{|$)/).filter((one) => one.trim() !== '' && !one.includes(' = '));
  return all.map((one) => one.replace(/^[^:]*:\s*/s, '').trim());
}

interface Found {
  readonly file: string;
  readonly name: string;
  readonly types: readonly string[];
}

/** Reads the text as each parameter in turn, beside short ones. */
async function readersOf({ file, name, types }: Found): Promise<(readonly [string, Read])[]> {
  const unknown = types.find((type) => !VALUES[type]);
  if (unknown)
    throw new Error(`${name} of ${file} takes a ${unknown}. Add it to VALUES, or the function to NO_READERS.`);
  const { [name]: read } = await import(new URL(`../../${file}`, import.meta.url).href);
  const valuesAt = (text: string, at: number) => types.map((type, n) => VALUES[type]?.(n === at ? text : 'Ama 1'));
  const isText = (type: string) => !['number', 'boolean', 'Network'].includes(type);
  return types.flatMap((type, at) =>
    isText(type) ? [[`${name} of ${file}`, (text: string) => read(...valuesAt(text, at))] as const] : [],
  );
}

/** Readers of bodies and forms: each field contains the text, a list with the text, and an object with the text. */
async function schemaReaders(): Promise<(readonly [string, Read])[]> {
  const routes = await Promise.all(
    httpRoutes().map(async ({ name }) => ({ name, form: (await loadRoute(name)).body })),
  );
  const forms = (await allPages()).map(({ name, page: { form } }) => ({ name, form }));
  return [...routes, ...forms].flatMap(({ name, form }) => {
    if (!form || !('shape' in form)) return [];
    const fields = Object.keys(form.shape ?? {});
    const bodyOf = (value: unknown) => Object.fromEntries(fields.map((field) => [field, value]));
    const read: Read = (text) => {
      for (const value of [text, [text], [{ [text]: text }]]) attempt(() => parseBody(form, bodyOf(value)));
    };
    return [[`the body of ${name}`, read] as const];
  });
}

const OTHERS: readonly (readonly [string, Read])[] = [
  ['an event of a phone', (text) => readCallback(openCallback(eventWith(text)), 'device-1', 'key')],
  ['a broken event of a phone', (text) => readCallback(openCallback(`${eventWith('')}${text}`), 'device-1', 'key')],
  ['an uploaded image', (text) => readImage(Buffer.from(text))],
  ['an answer for an agent', (text) => marked({ title: text, metadata: { [text]: text } })],
];

function eventWith(message: string): string {
  const payload = { message, sender: 'MobileMoney', simNumber: 1, receivedAt: '2026-11-20T09:00:00Z' };
  return JSON.stringify({ event: 'sms:received', id: '1', deviceId: 'device-1', payload });
}

/** Readers refuse most of these texts. */
function attempt(read: () => unknown): void {
  try {
    const result = read();
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // Only the work counts.
  }
}

/** Below this CPU time, the clock's ticks hide the growth. Quadratic work on the longest texts takes far longer. */
const TICKS_MS = 20;
/** Growth over four times the length: linear work grows 4 times, quadratic work 16 times. */
const MOST_TIMES = 8;

/** Starts with short texts, because cubic work on the long ones would never end. */
function grows(read: Read, textOf: (length: number) => string): boolean {
  return [250, 2000].some((length) => {
    const work = (times: number) => () => attempt(() => read(textOf(times * length)));
    return cpuMsOf(work(4)) > TICKS_MS && workMsOf(work(4)) > MOST_TIMES * workMsOf(work(1));
  });
}

/** Repeats the work until the clock's ticks do not matter. Returns the CPU time of one run, in milliseconds. */
function workMsOf(work: () => void): number {
  work();
  for (let runs = 1; ; runs *= 2) {
    const ms = cpuMsOf(() => {
      for (let n = 0; n < runs; n++) work();
    });
    if (ms > 2 * TICKS_MS) return ms / runs;
  }
}

test('the work of every reader grows no faster than its text', async () => {
  const readers = [...(await exportedReaders()), ...(await schemaReaders()), ...OTHERS];
  const slow = readers.flatMap(([reader, read]) =>
    Object.entries(SHAPES).flatMap(([shape, textOf]) => (grows(read, textOf) ? [`${reader}: ${shape}`] : [])),
  );
  expect(slow).toEqual([]);
});

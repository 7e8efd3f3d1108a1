import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';

/**
 * Rejects regular expressions whose time may grow faster than the text. Checks every literal, every expression that the
 * functions build, and those of the WooCommerce plugin. scslre is the analyser of eslint-plugin-regexp. It needs two
 * seconds, and unlike the ESLint rule, it also gets the expressions that are built from parts.
 */

interface Expression {
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

const { literals, places } = readSources();
const built = await buildExpressions();
const unbuilt = places.filter((place) => !built.has(place));
const slow = [...literals, ...[...built.values()].flat(), ...expressionsOfPlugin()].filter(
  ({ source, flags }) => analyse({ source, flags }).reports.length > 0,
);
for (const { at, source, flags } of slow)
  console.error(
    `${at}: /${source}/${flags} may take time that grows faster than the text. Let a repetition begin only where the one before it ends, as in /(?<!\\s)\\s+$/ for /\\s+$/.`,
  );
for (const place of unbuilt)
  console.error(`${place}: this expression was not checked. Add a text that leads to it in ${import.meta.filename}.`);
if (slow.length + unbuilt.length > 0) process.exitCode = 1;

/** Returns all literals, and where the functions call `new RegExp`. */
function readSources(): { literals: Expression[]; places: string[] } {
  const [literals, places]: [Expression[], string[]] = [[], []];
  const exclude = ['**/node_modules/**', '**/{dist,generated,examples}/**'];
  for (const file of globSync('{functions,infra,shared}/**/*.{ts,js,mjs}', { exclude })) {
    const text = readFileSync(file, 'utf8');
    const placeOf = ({ start }: { start: number }) => `${file}:${lineAt(text, start)}`;
    new Visitor({
      Literal: (node) => {
        if ('regex' in node) literals.push({ at: placeOf(node), source: node.regex.pattern, flags: node.regex.flags });
      },
      NewExpression: (node) => {
        const isOurs = /^(?:functions|shared)\/.*\.ts$/.test(file);
        if (isOurs && node.callee.type === 'Identifier' && node.callee.name === 'RegExp') places.push(placeOf(node));
      },
    }).visit(parseSync(file, text).program);
  }
  return { literals, places };
}

/** Returns the expressions of PHP. JavaScript spells them alike. */
function expressionsOfPlugin(): Expression[] {
  return globSync('infra/clients/woocommerce/plugin/**/*.php').flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const found = text.matchAll(/preg_\w+\( '\/([^']*)\/\w*'/g);
    return Array.from(found, ({ index, 1: source = '' }) => ({
      at: `${file}:${lineAt(text, index)}`,
      source,
      flags: '',
    }));
  });
}

/** Loads all functions and reads some texts. Returns what was given to `new RegExp`, by place. */
async function buildExpressions(): Promise<Map<string, Expression[]>> {
  const found = new Map<string, Expression[]>();
  globalThis.RegExp = new Proxy(RegExp, {
    construct: (target, [pattern, flags]: [string | RegExp, string | undefined]) => {
      const { source, flags: ownFlags } = new target(pattern, flags);
      const [, at] = /\/((?:shared|functions)\/[^:)]+:\d+)/.exec(new Error('built').stack ?? '') ?? [];
      const known = (at && found.get(at)) || [];
      const isNew = !known.some((one) => one.source === source && one.flags === ownFlags);
      if (at && isNew) found.set(at, [...known, { at, source, flags: ownFlags }]);
      return new target(pattern, flags);
    },
  });
  for (const file of globSync('{functions,shared}/**/*.ts')) await import(join(process.cwd(), file));
  await readTexts();
  return found;
}

/** Reads texts in all wordings of the networks, because some expressions are built when they are first used. */
async function readTexts(): Promise<void> {
  const { Network, networks } = await import('../../shared/ghana/network.ts');
  const { readWalletText, wordsToStore } = await import('../../shared/ghana/wallet-text/read-wallet-text.ts');
  const { writtenTransactionId } = await import('../../shared/money/charge/written-id.ts');
  const { detailTyped } = await import('../../shared/money/matching/typed-detail.ts');
  const { shapeOfText } = await import('../../shared/money/receipt/sample-of-text.ts');
  const { transactionIdIn } = await import('../../shared/money/receipt/typed-transaction-id.ts');
  const others = [
    'Your transaction 12345678901 has been reversed.',
    'Your transaction 12345678901 has been refunded.',
    'Payment received for GHS 1.00 from AMA Current Balance: GHS 5.00. Reference: 1. Transaction ID: 12345678901. An unknown word.',
  ];
  const samples = readFileSync('test/fixtures/wallet-texts.json', 'utf8').matchAll(/"((?:[^"\\]|\\.)*)"/g);
  const texts = [...others, ...Array.from(samples, ([, text = '']) => text)];
  for (const network of Network.options)
    for (const text of texts) {
      const [sender = ''] = networks[network].senders;
      readWalletText(sender, text);
      wordsToStore(sender, text);
      transactionIdIn(text, network);
    }
  writtenTransactionId('XX 1');
  detailTyped('INV-1007', { merchant_reference: 'INV-1007' });
  shapeOfText('From Ama Mensah', ['Ama Mensah']);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

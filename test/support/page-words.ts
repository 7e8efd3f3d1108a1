import { plain, shownLines } from '../../infra/local/story/visitor.ts';

/** Returns a page's visible text, except folded sections and buttons. */
export function wordsOf(page: string): string {
  return shownLines(page).join('\n');
}

export function wordsAt(page: string, id: string): string | undefined {
  const element = new RegExp(`<(\\w+)((?: [^>]*)? id="${id}"[^>]*)>(.*?)</\\1>`, 's');
  const [, , attributes = '', inner] = element.exec(page) ?? [];
  return inner === undefined || / hidden\b/.test(attributes) ? undefined : lineOf(inner);
}

/** Returns the visible error with this id, which a screen reader announces immediately. */
export function faultAt(page: string, id: string): string | undefined {
  return new RegExp(`id="${id}"[^>]* role="alert"`).test(page) ? wordsAt(page, id) : undefined;
}

export function foldsIn(page: string): { readonly summary: string; readonly isOpen: boolean }[] {
  const found = page.matchAll(/<details\b([^>]*)>\s*<summary[^>]*>(.*?)<\/summary>/gs);
  return [...found].map(([, attributes = '', summary = '']) => ({
    summary: lineOf(summary),
    isOpen: / open\b/.test(attributes),
  }));
}

export function valuesOf(page: string, name: string): string[] {
  const found = page.matchAll(/<dt>(.*?)<\/dt>\s*<dd\b[^>]*>(.*?)<\/dd>/gs);
  return [...found].flatMap(([, at = '', value = '']) => (lineOf(at) === name ? [lineOf(value)] : []));
}

/** Returns the visible text of each cell in the table with this caption, by row. */
export function cellsIn(page: string, caption: string): string[][] {
  const [, table = ''] = new RegExp(`<caption[^>]*>${caption}</caption>(.*?)</table>`, 's').exec(page) ?? [];
  const rows = [...table.matchAll(/<tr\b.*?<\/tr>/gs)].map(([row]) => [...row.matchAll(/<td\b[^>]*>(.*?)<\/td>/gs)]);
  return rows.filter(({ length }) => length > 0).map((cells) => cells.map(([, cell = '']) => lineOf(cell)));
}

/** Returns the status labels on a page, each with its tone (colour and shape). */
export function pillsIn(page: string): { readonly tone: string; readonly label: string }[] {
  const found = page.matchAll(/<span class="pill (\w+)">(.*?)<\/span>/gs);
  return [...found].map(([, tone = '', label = '']) => ({ tone, label: lineOf(label) }));
}

/**
 * Returns a till's amounts in large print, and whether each amount must be checked. Such an amount is amber instead of
 * green.
 */
export function greensIn(page: string): { readonly words: string; readonly needsLook: boolean }[] {
  const found = page.matchAll(/<div class="till-green( look)?" data-until[^>]*>(.*?)<\/div>/gs);
  return [...found].map(([, look, inner = '']) => ({ words: lineOf(inner), needsLook: look !== undefined }));
}

interface TillLine {
  readonly payer: string;
  readonly words: string;
  /** URL that opens when the element is tapped. */
  readonly href: string | undefined;
  readonly isButton: boolean;
}

export function tillLinesIn(
  page: string,
  heading: 'Just arrived' | 'Customers who scanned the sticker' | 'Last taken',
): TillLine[] {
  const [, list = ''] = new RegExp(`<h2>${heading}</h2>(.*?)</section>`, 's').exec(page) ?? [];
  const found = list.matchAll(/<(button|a|div) class="payment-line"(?: href="([^"]*)")?>(.*?)<\/\1>/gs);
  return [...found].map(([, tag, href, inner = '']) => {
    const [, payer = ''] = /class="payment-payer">([^<]*)/.exec(inner) ?? [];
    return { payer: plain(payer).replace(/ · $/, ''), words: lineOf(inner), href, isButton: tag === 'button' };
  });
}

/** Returns the numbers in a column of a plot's table. Empty if it does not exist. */
export function plotColumn(page: string, title: string, column: string): number[] {
  const [, plot = ''] = new RegExp(`<figcaption>${title}</figcaption>(.*?)</figure>`, 's').exec(page) ?? [];
  const cells = plot.matchAll(new RegExp(`data-name="${column}"[^>]*>([^<]*)`, 'g'));
  return [...cells].map(([, shown = '']) => Number(shown.replaceAll(',', '')));
}

export function sumOf(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0);
}

/** Returns visible text as one line. */
export function lineOf(html: string): string {
  return shownLines(html).join(' ');
}

import { type Figure, isAimMet, isDoubtful, isMissed } from './figure.ts';

/** Formats the scoreboard as Markdown tables. */
export function scoreboard(figures: readonly Figure[], machine: Readonly<Record<string, string>>): string {
  const rows = figures.map((figure) => [
    figure.id,
    figure.what,
    shownValue(figure),
    limit(figure.gate),
    limit(figure.aim),
    verdict(figure),
    figure.detail ?? '',
  ]);
  const facts = Object.entries(machine).map(([name, fact]) => `${name}: ${fact}`);
  return [
    ...table([['', 'figure', 'value', 'gate', 'aim', '', 'details'], ...rows]),
    '',
    ...partsTable(figures),
    ...pagesTable(figures),
    ...facts,
  ].join('\n');
}

export function linesOf(figures: readonly Figure[]): string[] {
  return figures.map((figure) => [figure.id, figure.what, shownValue(figure), verdict(figure)].join('  ').trimEnd());
}

/** Shows composite figures as columns and their addends as rows. */
function partsTable(figures: readonly Figure[]): string[] {
  const sums = figures.flatMap(({ what, parts, unit, value }) => (parts ? [{ what, parts, unit, value }] : []));
  const names = [...new Set(sums.flatMap(({ parts }) => Object.keys(parts)))];
  if (names.length === 0) return [];
  return [
    ...table([
      ['', ...sums.map(({ what, unit }) => `${what} (${unit})`)],
      ...names.map((name) => [name, ...sums.map(({ parts }) => (parts[name] ?? 0).toFixed(2))]),
      ['total', ...sums.map(({ value }) => value.toFixed(2))],
    ]),
    '',
  ];
}

function pagesTable(figures: readonly Figure[]): string[] {
  const columns = figures.flatMap(({ id, unit, pages }) => (pages ? [{ id, unit, pages }] : []));
  const names = [...new Set(columns.flatMap(({ pages }) => Object.keys(pages)))];
  if (names.length === 0) return [];
  return [
    ...table([
      ['page', ...columns.map(({ id, unit }) => `${id} ${unit}`.trim())],
      ...names.map((name) => [name, ...columns.map(({ pages }) => number(pages[name] ?? 0))]),
    ]),
    '',
  ];
}

export function table(rows: readonly (readonly string[])[]): string[] {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}

/** `1.04 × (1.02–1.06)` */
function shownValue({ value, unit, interval }: Figure): string {
  const range = interval ? ` (${interval.map(number).join('–')})` : '';
  return `${number(value)} ${unit}${range}`;
}

export function number(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

function limit(value: number | undefined): string {
  return value === undefined ? '' : `≤ ${value}`;
}

function verdict(figure: Figure): string {
  if (figure.gate === undefined) return '';
  const verdict = isMissed(figure) ? 'gate missed' : isAimMet(figure) ? 'gate and aim met' : 'gate met';
  // The result may differ on a quieter machine.
  return isDoubtful(figure) ? `${verdict} (uncertain)` : verdict;
}

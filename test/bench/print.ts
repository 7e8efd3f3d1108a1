import { type Figure, isAimMet, isMissed } from './figure.ts';

/** The scoreboard as a table in plain text, which is Markdown too. */
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
  const table = [['', 'figure', 'value', 'gate', 'aim', '', 'made of'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(3, ...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = table;
  const facts = Object.entries(machine).map(([name, fact]) => `${name}: ${fact}`);
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line), '', ...facts].join('\n');
}

/** `1.04 × (1.02–1.06)` */
function shownValue({ value, unit, interval }: Figure): string {
  const range = interval ? ` (${interval.map(number).join('–')})` : '';
  return `${number(value)} ${unit}${range}`;
}

/** Three significant digits. */
function number(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

function limit(value: number | undefined): string {
  return value === undefined ? '' : `≤ ${value}`;
}

function verdict(figure: Figure): string {
  if (figure.gate === undefined) return '';
  if (isMissed(figure)) return 'missed';
  return isAimMet(figure) ? 'met, aim too' : 'met';
}

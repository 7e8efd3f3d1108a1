import type { PlainPesewas } from '../../../ghana/arrived.ts';
import { ghsOf } from '../../../ghana/money.ts';
import type { ShownPayment } from '../../../money/payment/shown-payment.ts';
import type { Answer } from '../../../runtime/http/answer.ts';
import { isoOf } from '../../../runtime/outside/outside.ts';

export type CsvField = string | number | undefined;

const BYTE_ORDER_MARK = '\ufeff';

export type CsvColumns<Entry, Name extends string = string> = Readonly<Record<Name, (entry: Entry) => CsvField>>;

/** Formats entries as CSV for spreadsheets: UTF-8 with a byte order mark, ISO 8601 times and plain numbers. */
export function csvFile<Entry>(name: string, entries: readonly Entry[], columns: CsvColumns<Entry>): Answer {
  const values = Object.values(columns);
  const rows = entries.map((entry) => values.map((value) => value(entry)));
  const lines = [Object.keys(columns), ...rows].map((fields) => fields.map(csvField).join(','));
  return {
    statusCode: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`,
  };
}

/** Formats an amount in cedis with two decimal places. */
export function csvAmount<Pesewas extends number>(pesewas: PlainPesewas<Pesewas> | undefined): CsvField {
  return pesewas === undefined ? undefined : ghsOf(pesewas);
}

/** Returns `verified`, `not verified` or `in doubt`. Empty for tests and unpaid entries. */
export function csvProof({ pesewas, backing, doubt }: ShownPayment): CsvField {
  if (pesewas === 0 || backing === 'test') return undefined;
  return doubt?.badge.toLowerCase() ?? 'verified';
}

/** Formats a time in Accra as `2026-11-20 14:03:05`, which spreadsheets recognise. */
export function csvTime(at: string | undefined): CsvField {
  return at === undefined ? undefined : isoOf(Date.parse(at)).slice(0, 19).replace('T', ' ');
}

function csvField(field: CsvField): string {
  if (field === undefined) return '';
  if (typeof field === 'number') return String(field);
  return `"${harmless(field).replaceAll('"', '""')}"`;
}

/**
 * Prevents CSV injection: spreadsheets run some texts as formulas, even within a field if semicolons separate fields.
 * Also replaces line breaks with spaces.
 */
function harmless(text: string): string {
  return text.replace(/[\r\n\t\v\f\u0085\u2028\u2029]+/g, ' ').replace(/(^|[;|])([\s"]*[=+\-@＝＋－＠])/g, "$1'$2");
}

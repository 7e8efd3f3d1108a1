const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const TIME = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([AP]M))?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[ T]${TIME}Z?$`, 'i');
/** As dates are written in Ghana; a month may have its name. */
const DAY_FIRST = new RegExp(String.raw`^(\d{1,2})[-/ ](\d{1,2}|[a-z]{3,9})[-/ ](\d{4}|\d{2}),? ${TIME}$`, 'i');

/** A time in a statement, which is Ghana's and so UTC, in milliseconds since 1970; undefined for what is not one. */
export function timeInStatement(written: string): number | undefined {
  const [, year, month, day, ...yearFirst] = YEAR_FIRST.exec(written.trim()) ?? [];
  if (year && month && day) return momentOf(Number(year), Number(month), Number(day), yearFirst);
  const [, first, second, third, ...dayFirst] = DAY_FIRST.exec(written.trim()) ?? [];
  if (!first || !second || !third) return undefined;
  const named = MONTHS.indexOf(second.slice(0, 3).toLowerCase()) + 1;
  const monthNumber = /^\d/.test(second) ? Number(second) : named;
  return momentOf(Number(third.length === 2 ? `20${third}` : third), monthNumber, Number(first), dayFirst);
}

function momentOf(
  year: number,
  month: number,
  day: number,
  [hour = '', minute = '', second = '0', half]: readonly (string | undefined)[],
): number | undefined {
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hour);
  const ms = Date.UTC(year, month - 1, day, hours, Number(minute), Number(second));
  const at = new Date(ms);
  // JavaScript takes 31 November for 1 December.
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && at.getUTCHours() === hours;
  return isReal && Number(minute) < 60 && Number(second) < 60 ? ms : undefined;
}

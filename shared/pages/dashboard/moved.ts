/** Former URLs and their replacements, for bookmarks. */
const MOVED: readonly (readonly [from: RegExp, to: string])[] = [
  [/^\/dashboard\/many\/contacts$/, '/dashboard/customers?list=contacts'],
  [/^\/dashboard\/many\/contacts\//, '/dashboard/customers/'],
  [/^\/dashboard\/charges\/held(?=\/|$)/, '/dashboard/held'],
  [/^\/dashboard\/records\/customers$/, '/dashboard/customers?list=paid'],
  [/^\/dashboard\/texts\/opt-outs$/, '/dashboard/customers?list=stopped'],
  [/^\/dashboard\/texts\/opt-outs\/file\.csv$/, '/dashboard/customers/stopped.csv'],
  [/^\/dashboard\/operator\/phones(?=\/|$)/, '/dashboard/operator-phones'],
  [/^\/dashboard\/operator\/merchants(?=\/|$)/, '/dashboard/operator-money'],
  [/^\/dashboard\/operator\/repair(?=\/|$)/, '/dashboard/operator-repair'],
];

/** Returns the new URL of a moved page, with its query. Takes a decoded path. */
export function movedTo(rawPath: string, rawQuery: string): string | undefined {
  const path = rawPath.toWellFormed().replace(/\/$/, '').split('/').map(encodeURIComponent).join('/');
  const found = MOVED.find(([from]) => from.test(path));
  if (!found) return undefined;
  const address = path.replace(...found);
  return rawQuery ? `${address}${address.includes('?') ? '&' : '?'}${rawQuery}` : address;
}

import { keyKindsOf } from '../../shared/runtime/triggers/row.ts';
import { type DocumentedRoute, documentedRoutes } from './documented-routes.ts';

const HEAD = '| method | path | key | |\n|---|---|---|---|\n';

/** A document with its table of routes as the manifest and the reference have them. @throws if it has no such table. */
export function withRouteTable(markdown: string): string {
  const [before, after, ...more] = markdown.split(HEAD);
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`There is not one table ${HEAD}`);
  const rest = after.slice(after.search(/^(?!\|)/m));
  return `${before}${HEAD}${documentedRoutes.map(line).join('')}${rest}`;
}

function line({ row, operation }: DocumentedRoute): string {
  const what = 'leftOut' in operation ? operation.leftOut : operation.summary;
  return `| ${row.method} | ${row.path} | ${keyKindsOf(row).join(', ')} | ${what} |\n`;
}

import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import { areas } from './dashboard.ts';
import { type CalledByHttp, httpRoutes, isCalledByHttp, loadRoute } from './routes.ts';

/** All are loaded at once: a call that first had to load its function would meet others in another order than the next. */
const handlers = new Map<string, HttpHandler>();
for (const { name } of [...httpRoutes(), ...areas()]) handlers.set(name, await loadRoute(name));

/** What HTTP requests call: the handler of a route, or of an area of the dashboard. */
export function httpFunction(name: CalledByHttp): HttpHandler {
  const handler = handlers.get(name);
  if (!handler) throw new Error(`There is no function ${name}`);
  return handler;
}

/** The area of the dashboard that a path is in. */
export function areaAt(path: string): CalledByHttp {
  const { name = '' } = areas().find(({ row }) => path === row.path || path.startsWith(`${row.path}/`)) ?? {};
  if (!isCalledByHttp(name)) throw new Error(`No area of the dashboard has ${path}`);
  return name;
}

import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import { areas } from './dashboard.ts';
import { type CalledByHttp, httpRoutes, isCalledByHttp, loadRoute } from './routes.ts';

/** Handlers, loaded in advance. Loading a function during a call would reorder concurrent calls. */
const handlers = new Map<string, HttpHandler>();
for (const { name } of [...httpRoutes(), ...areas()]) handlers.set(name, await loadRoute(name));

export function httpFunction(name: CalledByHttp): HttpHandler {
  const handler = handlers.get(name);
  if (!handler) throw new Error(`There is no function ${name}`);
  return handler;
}

export function areaAt(path: string): CalledByHttp {
  const { name = '' } = areas().find(({ row }) => path === row.path || path.startsWith(`${row.path}/`)) ?? {};
  if (!isCalledByHttp(name)) throw new Error(`No area of the dashboard has ${path}`);
  return name;
}

import { existsSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { manifest } from '../../functions/manifest.ts';
import type { Answer } from '../../shared/runtime/http/answer.ts';
import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import { isWithin, matchRoute } from '../../shared/runtime/http/match-route.ts';
import { packagedChromium } from './chromium.ts';
import { areas, loadArea } from './dashboard.ts';
import { httpRoutes, loadRoute } from './routes.ts';
import { startServer } from './server.ts';
import { httpEvent, type World } from './world.ts';

/** Launches headless Chromium from `CHROMIUM_PATH`, the npm package (Linux on x64), or the system. */
export async function launchBrowser(): Promise<Browser> {
  const named = process.env.CHROMIUM_PATH;
  const installed = INSTALLED.map((executablePath) => ({ executablePath, env: {} }));
  const candidates = named ? [{ executablePath: named, env: {} }] : [packagedChromium(), ...installed];
  let cause: unknown;
  // A busy machine sometimes fails to start Chromium once.
  for (const found of [...candidates, ...candidates]) {
    if (!found || !existsSync(found.executablePath)) continue;
    const { executablePath, env } = found;
    try {
      return await chromium.launch({ executablePath, env: { ...process.env, ...env } });
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(
    named
      ? `CHROMIUM_PATH is ${named}, but no Chromium starts from there.`
      : 'No Chromium starts on this machine. Install Chromium or Chrome, or set CHROMIUM_PATH.',
    { cause },
  );
}

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export interface OpenBrowser {
  readonly browser: Browser;
  readonly complaints: string[];
  /** Opens a page in a new window. Reports browser errors and warnings unless they contain `forgiven`. */
  newPage(options?: BrowserContextOptions, forgiven?: string): Promise<Page>;
}

export function browserForTests(): OpenBrowser {
  const complaints: string[] = [];
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());
  return {
    get browser() {
      return browser;
    },
    complaints,
    newPage: async (options, forgiven) => {
      const page = await (await browser.newContext(options)).newPage();
      page.on('console', (message) => {
        const text = message.text();
        const isFault = ['error', 'warning'].includes(message.type()) && !(forgiven && text.includes(forgiven));
        if (isFault) complaints.push(text);
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      return page;
    },
  };
}

export function serveToTests(...given: Parameters<typeof serve>): void {
  let stop: () => void;
  beforeAll(async () => {
    ({ stop } = await serve(...given));
  });
  afterAll(() => stop());
}

export interface Served {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly status: number;
}

/**
 * Serves the named routes, or all routes if none are named, on a free port, which becomes part of the world's base URL.
 * `served` lists the requests so far. `inFront` maps a script's path to code that is prepended to it.
 */
export async function serve(
  world: World,
  names?: readonly (keyof typeof manifest)[],
  inFront: ReadonlyMap<string, string> = new Map(),
): Promise<{ readonly served: Served[]; stop(): Promise<void> }> {
  const named = httpRoutes().filter(({ name }) => !names || names.some((one) => one === name));
  const routes = await Promise.all(named.map(load));
  const pages = await Promise.all(
    areas().map(async ({ name, row }) => ({ path: row.path, handler: await loadArea(name) })),
  );
  const served: Served[] = [];
  const { url, stop } = await startServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    const front = inFront.get(request.url ?? '');
    if (front !== undefined) delete request.headers['accept-encoding'];
    const text = bytes.toString();
    const {
      statusCode,
      headers,
      cookies = [],
      body,
      isBase64Encoded,
    } = await answer(world, { routes, pages }, request, isOfParts(request) ? bytes : text);
    const { method = '', url: path = '' } = request;
    served.push({ method, path, headers: request.headers, body: text, status: statusCode });
    const withCookies = { ...headers, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) };
    const whole = statusCode === 200 && front !== undefined ? `${front}${body}` : body;
    response.writeHead(statusCode, withCookies).end(Buffer.from(whole, isBase64Encoded ? 'base64' : 'utf8'));
  });
  world.outside.baseUrl = url;
  return { served, stop };
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly handler: HttpHandler;
}

async function load({ name, row: { method, path } }: ReturnType<typeof httpRoutes>[number]): Promise<Route> {
  return { method, path, handler: await loadRoute(name) };
}

function isOfParts({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('multipart/') === true;
}

async function answer(
  world: World,
  { routes, pages }: { routes: readonly Route[]; pages: readonly Pick<Route, 'path' | 'handler'>[] },
  request: IncomingMessage,
  sent: string | Buffer,
): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', world.outside.baseUrl);
  for (const { method, path, handler } of routes) {
    const parameters = method === request.method ? matchRoute(path, pathname) : undefined;
    if (!parameters) continue;
    return ask(handler, method, parameters);
  }
  const found = pages.find(({ path }) => isWithin(path, pathname));
  if (found) return ask(found.handler, request.method ?? 'GET', {});
  return { statusCode: 404, headers: {}, body: '' };

  function ask(handler: HttpHandler, method: string, parameters: Record<string, string>): Promise<Answer> {
    const { cookie, ...given } = request.headers;
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
    const body = ['POST', 'PUT'].includes(method) ? { body: sent } : {};
    const query = Object.fromEntries(searchParams);
    const cookies = cookie?.split(/; */) ?? [];
    const event = httpEvent({ method, path: pathname, parameters, query, headers, cookies, ...body });
    return handler.with(world.outside)(event, {} as Parameters<HttpHandler>[1]);
  }
}

import { manifest } from '../../functions/manifest.ts';
import { plain } from '../../infra/local/story/visitor.ts';
import { COMMAND_LINE } from '../../shared/merchants/audit/audit.table.ts';
import { addUser } from '../../shared/merchants/user/manage-users.ts';
import type { Role } from '../../shared/merchants/user/permissions.ts';
import { startSession } from '../../shared/merchants/user/session.ts';
import type { User } from '../../shared/merchants/user/user.table.ts';
import type { AreaHandler } from '../../shared/pages/dashboard/area.ts';
import type { AdminOutside } from '../../shared/runtime/stage/deployment.ts';
import type { AreaRow, Row } from '../../shared/runtime/triggers/row.ts';
import { loadFunction } from './load-function.ts';
import { type Call, call, type World } from './world.ts';

export function areas(): { name: string; row: AreaRow }[] {
  return Object.entries<Row>(manifest).flatMap(([name, row]) => (row.on === 'area' ? [{ name, row }] : []));
}

export function loadArea(name: string): Promise<AreaHandler> {
  return loadFunction(name);
}

export async function allPages() {
  const tables = await Promise.all(
    areas().map(async ({ name: area, row }) => {
      const handler = await loadArea(area);
      return handler.pages.map((page) => {
        const pattern = page.path === '/' ? row.path : `${row.path}${page.path}`;
        return { name: `${page.method} ${pattern}`, pattern, page, handler };
      });
    }),
  );
  return tables.flat();
}

export interface Person {
  readonly user: User;
  readonly token: string;
}

interface Signed {
  readonly freshSeconds?: number;
}

export async function signIn(
  { outside }: { readonly outside: AdminOutside },
  role: Role,
  merchantId?: string,
  signed?: Signed,
): Promise<Person> {
  const merchant_id = role === 'operator' ? undefined : merchantId;
  const user = await addUser(outside, { name: `Canary the ${role}`, role, merchant_id }, { by: COMMAND_LINE });
  return signInAgain({ outside }, user, signed);
}

export async function signInAgain(
  { outside }: { readonly outside: AdminOutside },
  user: User,
  signed: Signed = {},
): Promise<Person> {
  const { token, write } = startSession(outside, user, { browser: 'Chrome on Android', ...signed });
  await outside.table.write([write]);
  return { user, token };
}

export interface PageCall extends Pick<Call, 'method' | 'query' | 'headers'> {
  readonly by?: Pick<Person, 'token'> | undefined;
  readonly form?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly files?: Readonly<Record<string, Buffer>>;
}

/** Opens a page or submits a form as a browser does. The world's clock advances a little before each visit. */
export async function visit(
  world: Pick<World, 'outside' | 'clock'>,
  handler: AreaHandler,
  path: string,
  request: PageCall = {},
) {
  world.clock.nowMs += 200;
  return call(world, handler, callOf(path, request));
}

/** Like `visit`, but derives the dashboard area from the path. */
export async function visitPath(world: Pick<World, 'outside' | 'clock'>, address: string, request?: PageCall) {
  const [path = '', search] = address.split(/\?(.*)/s);
  const query = search === undefined ? {} : { query: Object.fromEntries(new URLSearchParams(search)) };
  const area = areas().find(({ row }) => path === row.path || path.startsWith(`${row.path}/`));
  if (!area) throw new Error(`No area of the dashboard has ${path}`);
  return visit(world, await loadArea(area.name), path, { ...query, ...request });
}

export function callOf(path: string, request: PageCall): Call {
  const { by, form, files, cookies = [], headers, ...rest } = request;
  return {
    ...rest,
    path,
    ...(form && { method: 'POST', body: files ? inParts(form, files) : new URLSearchParams(form).toString() }),
    cookies: [...(by ? [`__Host-session=${by.token}`] : []), ...cookies],
    headers: {
      accept: 'text/html',
      ...(form && {
        'content-type': files ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/x-www-form-urlencoded',
      }),
      ...(form && !headers && { 'sec-fetch-site': 'same-origin' }),
      ...headers,
    },
  };
}

const BOUNDARY = 'between-parts';

/** Encodes a multipart form as browsers do for file uploads. */
function inParts(fields: Readonly<Record<string, string>>, files: Readonly<Record<string, Buffer>>): Buffer {
  const part = (name: string, more: string, value: string | Buffer) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ];
  return Buffer.concat([
    ...Object.entries(fields).flatMap(([name, value]) => part(name, '', value)),
    ...Object.entries(files).flatMap(([name, bytes]) =>
      part(name, '; filename="logo.svg"\r\nContent-Type: image/svg+xml', bytes),
    ),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

/** Returns an open page's version. The page reloads when its version changes. */
export function versionIn(page: string): string {
  return /data-version="([^"]+)"/.exec(page)?.[1] ?? '';
}

/** Returns the hidden fields of the first form that has this field. */
export function hiddenIn(page: string, name: string): Record<string, string> {
  const forms = page.split('<form ').map((form) => form.split('</form>')[0] ?? '');
  const form = forms.find((one) => one.includes(`name="${name}"`)) ?? '';
  const fields = form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, field = '', value = '']) => [field, plain(value)]));
}

/** Returns the one-time notice for the next page from a response's cookies. */
export function noticeIn(cookies: readonly string[]): string {
  const [, value = ''] = /__Host-notice=([\w-]+)/.exec(cookies.join()) ?? [];
  const { notice }: { notice: string } = JSON.parse(Buffer.from(value, 'base64url').toString() || '{"notice":""}');
  return notice;
}

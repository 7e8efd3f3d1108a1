import { html } from 'hono/html';
import type { Answer } from '../../../runtime/http/answer.ts';
import { jsonAnswer } from '../../../runtime/http/answer.ts';
import { staticAnswer, staticText } from '../../../runtime/http/static-answer.ts';
import { DAY_SECONDS } from '../../../runtime/values/calendar.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { dashboardStyle } from '../assets.ts';
import { APP, SIGN_IN } from '../parts/addresses.ts';
import type { Shown, Visit } from '../parts/visit.ts';
import assets from './assets.json' with { type: 'json' };

export async function showManifest(): Promise<Answer> {
  const icons = [192, 512].map((size) => ({
    src: `${APP}/icon/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  }));
  const manifest = {
    id: '/dashboard/',
    name: 'Momo Kiosk',
    short_name: 'Momo Kiosk',
    start_url: SIGN_IN,
    scope: '/dashboard/',
    display: 'standalone',
    background_color: '#f4f2ee',
    theme_color: '#14804a',
    icons,
  };
  return jsonAnswer(200, JSON.stringify(manifest), {
    'content-type': 'application/manifest+json',
    'cache-control': `public, max-age=${DAY_SECONDS}`,
  });
}

const icons = new Map(Object.entries(assets).filter(([name]) => name.endsWith('.png')));

export async function showIcon({ path }: Visit<'name'>): Promise<Answer> {
  const body = icons.get(path.name);
  if (body === undefined) throw new PublicError('not_found', 'This icon does not exist.');
  const headers = { 'content-type': 'image/png', 'cache-control': `public, max-age=${DAY_SECONDS}` };
  return { statusCode: 200, headers, body, isBase64Encoded: true };
}

const worker = staticText(assets['worker.js']);

/** Serves the service worker. Browsers request it again to check for updates. */
export async function showWorker({ headers }: Visit): Promise<Answer> {
  const answer = staticAnswer(worker, headers, 'text/javascript; charset=utf-8', 0);
  return { ...answer, headers: { ...answer.headers, 'service-worker-allowed': '/dashboard/' } };
}

const pushScript = staticText(assets['push.js']);

export async function showPushScript({ headers }: Visit): Promise<Answer> {
  return staticAnswer(pushScript, headers, 'text/javascript; charset=utf-8', 0);
}

/** Renders the offline page, which is the same for everybody. */
export async function showOffline(): Promise<Shown> {
  return {
    title: 'No connection',
    style: dashboardStyle,
    main: html`<p>This device is offline, or the service cannot be reached.</p>
<p><b>Have you just sent something?</b> It may have arrived. Check before you send it again.</p>
<p><a class="button" href="${SIGN_IN}">Try again</a></p>`,
  };
}

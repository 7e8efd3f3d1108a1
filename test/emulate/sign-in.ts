import assert from 'node:assert/strict';
import { newPasskey } from '../support/passkeys.ts';

/**
 * Acts as a person with an invitation to a stage's dashboard, who opens the link, creates a passkey, signs out, and
 * signs in with the passkey. Sends the same HTTP requests as the browser's script
 * (shared/pages/dashboard/sign-in/passkey.js). The argument is the link.
 */
const link = process.argv[2] ?? '';
const { origin } = new URL(link);
const OWN = { 'sec-fetch-site': 'same-origin' };
const cookies = new Map<string, string>();

const invitation = await page(link);
const { user } = JSON.parse(optionsOf(invitation));
const passkey = newPasskey(origin, user.id);
const home = await send(invitation, link, passkey.make(await challenge()));
assert.match(home, /Your passkey was created, and you are signed in/);

const account = await page(`${origin}/dashboard/sign-in/account`);
assert.match(account, /Your only one/);
cookies.clear();
const asked = await page(`${origin}/dashboard`);
const inside = await send(asked, `${origin}/dashboard/sign-in`, passkey.sign(await challenge()));
const [, title = ''] = /<h1[^>]*>(.*?)<\/h1>/s.exec(inside) ?? [];
assert.ok(cookies.size > 0 && !/Sign in/.test(title), `not signed in: ${title}`);
console.log(`Signed in at ${origin}/dashboard: ${title.trim()}`);

async function page(url: string, init: RequestInit = {}): Promise<string> {
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { ...(cookie && { cookie }), ...init.headers };
  const response = await fetch(url, { ...init, headers, redirect: 'manual' });
  for (const set of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value) cookies.set(name, value);
    else cookies.delete(name);
  }
  const location = response.headers.get('location');
  if (location) return page(new URL(location, url).href);
  const text = await response.text();
  assert.equal(response.status, 200, `${url} answered ${response.status}: ${text.slice(0, 500)}`);
  return text;
}

function optionsOf(text: string): string {
  const [, options = ''] = /data-options="([^"]*)"/.exec(text) ?? [];
  return unescaped(options);
}

async function challenge(): Promise<string> {
  const answer = await page(`${origin}/dashboard/sign-in/challenge`, { method: 'POST', headers: OWN });
  return JSON.parse(answer).challenge;
}

function send(text: string, url: string, credential: string): Promise<string> {
  const [, form = ''] = /<form[^>]*>((?:(?!<\/form>).)*data-passkey.*?)<\/form>/s.exec(text) ?? [];
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const body = new URLSearchParams();
  for (const [, name = '', value = ''] of hidden) body.set(name, unescaped(value));
  body.set('credential', credential);
  return page(url, { method: 'POST', headers: OWN, body });
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

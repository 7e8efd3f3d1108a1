import { html } from 'hono/html';
import { counted } from '../../runtime/values/counted.ts';
import type { Html } from './html.ts';

/** `20 Nov 2026, 14:03`, in Accra, where it is the same time as UTC all year. Without Intl, which costs a cold start. */
export function shownTime(at: string): string {
  const [, day, month, year, time] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month} ${year}, ${time?.slice(0, 5)}`;
}

/** `20 Nov 2026`. */
export function shownDay(at: string): string {
  return shownTime(at).split(',')[0] ?? '';
}

/** How long ago something was, roughly; the whole time is in the element's title. */
export function ago({ now }: { now(): number }, at: string): Html {
  const seconds = Math.max(0, Math.round((now() - Date.parse(at)) / 1000));
  return html`<time datetime="${at}" title="${shownTime(at)}">${inWords(seconds)}</time>`;
}

function inWords(seconds: number): string {
  if (seconds < 60) return 'just now';
  const [count, unit] =
    seconds < 3600 ? [seconds / 60, 'minute'] : seconds < 86_400 ? [seconds / 3600, 'hour'] : [seconds / 86_400, 'day'];
  return `${counted(Math.floor(count), unit)} ago`;
}

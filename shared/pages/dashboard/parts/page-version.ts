import type { Clock } from '../../../runtime/outside/outside.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { sha256Bytes } from '../../../runtime/values/sha256.ts';

/** Maximum time between reloads of a list, for changes that its version misses. */
const LATEST_MS = MINUTE_MS;

/** Returns a page's version, which changes with `content` and at least every `latestMs`. */
export function pageVersion({ now }: Clock, content: readonly unknown[], latestMs = LATEST_MS): string {
  const text = JSON.stringify([...content, Math.floor(now() / latestMs)]);
  return sha256Bytes(text).toString('base64url').slice(0, 16);
}

import type { Clock } from '../../../runtime/outside/outside.ts';
import { sha256Bytes } from '../../../runtime/values/sha256.ts';

/** How often a list is made anew though nothing new is in it: for what becomes of its entries, and for what only the time does. */
const LATEST_MS = 60_000;

/** The version of a page, from what moves with it, and now and then besides. */
export function pageVersion({ now }: Clock, says: readonly unknown[], latestMs = LATEST_MS): string {
  const text = JSON.stringify([...says, Math.floor(now() / latestMs)]);
  return sha256Bytes(text).toString('base64url').slice(0, 16);
}

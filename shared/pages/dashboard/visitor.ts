import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import { twinOf } from '../../merchants/merchant/twin.ts';
import { sessionToken, signedIn } from '../../merchants/user/session.ts';
import type { Authenticate } from '../../runtime/http/middleware/authenticate.ts';
import { cached } from '../../runtime/outside/cached.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Visitor } from './visit.ts';

/** More than a person taps, with several pages open that refresh themselves. */
const REQUESTS_PER_SECOND = 10;
const COUNTED_SECONDS = 60;

/** Who asks, by the session in their cookie; undefined for a stranger. */
export const visitorOf: Authenticate<Visitor | undefined> = async ({ cookies = [] }, outside) => {
  const found = await signedIn(outside, sessionToken(outside, cookies));
  if (!found) return undefined;
  const { user, session } = found;
  const merchantId = user.merchant_id ?? session.opened_merchant_id;
  const shop = merchantId === undefined ? undefined : await merchantCache.get(outside, merchantId);
  const merchant = shop && session.is_test ? twinOf(shop) : shop;
  const countedBy = (await counters.get(outside, session.hash)) ?? session;
  const rate = { countedBy, requestsPerSecond: REQUESTS_PER_SECOND };
  return { ...found, user_id: user.user_id, merchant_id: merchant?.merchant_id, merchant, shop, rate };
};

/** What each session's requests are counted by. */
const counters = cached(COUNTED_SECONDS, async (_: Outside, _session) => ({}));

import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { listChanges } from '../../../merchants/merchant/money-change.table.ts';
import type { MoneyChange } from '../../../merchants/merchant/money-change.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Day } from '../../../money/booking/days.ts';
import { listReceipts } from '../../../money/receipt/receipt.table.ts';
import type { TimedOutside } from '../../../runtime/outside/outside.ts';
import { keyKinds } from '../../../runtime/triggers/row.ts';
import { getCredits, isLow } from '../../../texts/credits/credits.table.ts';
import { getWebhookEndpoint, type WebhookEndpoint } from '../../../webhook/endpoint.table.ts';
import { balanceAddress, CHANGES, CREDITS, chargeAddress, FAILED_TEXTS, HELD, WEBHOOKS } from '../addresses.ts';
import { type Html, section, shownDay, shownTime, tile, tiles } from '../parts/content.ts';
import { changeInWords, KINDS_OF_CHANGE, peopleOf, personInWords, unseenBy } from '../settings/changes.ts';
import { ownersQuestion } from '../wallet/owners-word.ts';
import type { WalletSeen } from './wallets.ts';

/** As many held payments as are counted; more than that are "or more". */
const MAX_COUNTED = 50;
/** What failed longer ago has been seen, or nobody misses it. */
const LOOKED_BACK_DAYS = 7;
/** Each has a tile of its own. */
const MAX_DISPUTED = 6;
/** A webhook's first tries fail whenever its server starts anew. */
const FAILING_MS = 10 * 60 * 1000;

/** What waits for a person, as far as this one may see it, each leading to where it is solved. */
export async function waiting(
  outside: TimedOutside,
  merchantId: string,
  user: User,
  { days, wallets }: { readonly days: readonly Day[]; readonly wallets: readonly WalletSeen[] },
): Promise<Html> {
  const lately = days.slice(-LOOKED_BACK_DAYS);
  const [changes, held, credits, webhooks] = await Promise.all([
    may(user, 'settings:approve') ? changeTiles(outside, merchantId, user) : [],
    may(user, 'receipts:read') ? heldTile(outside, merchantId) : undefined,
    may(user, 'credits:read') ? creditsTile(outside, merchantId) : undefined,
    may(user, 'webhooks:read') ? webhookTiles(outside, merchantId) : [],
  ]);
  const found = [
    ...changes,
    ...(may(user, 'proof:confirm') ? wallets.flatMap((wallet) => questionTile(wallet) ?? []) : []),
    held,
    ...disputedTiles(lately),
    ...webhooks,
    may(user, 'texts:read') ? failedTextsTile(lately) : undefined,
    credits,
  ].filter((one) => one !== undefined);
  if (found.length === 0)
    return section(
      'Waits for you',
      html`<p class="hint">Nothing is waiting for you. What needs a person shows here.</p>`,
    );
  return html`<section class="bare stacked"><h2>Waits for you</h2>
${tiles(...found)}</section>`;
}

async function heldTile(outside: TimedOutside, merchantId: string): Promise<Html | undefined> {
  const { receipts, next } = await listReceipts(outside, merchantId, 'held', { limit: MAX_COUNTED });
  // For what is being checked nobody can do anything yet.
  const waits = receipts.filter(({ reason }) => reason !== 'checking');
  if (waits.length === 0) return undefined;
  const pesewas = waits.reduce((sum, { amount_pesewas = 0 }) => sum + amount_pesewas, 0);
  const many = next ? ' or more' : '';
  return tile(`Held payment${waits.length === 1 ? '' : 's'}`, `${waits.length}${many}`, {
    href: HELD,
    hint: `${shownMoney(pesewas)}${many} in your wallet, given to no charge yet`,
    isUrgent: true,
  });
}

function disputedTiles(days: readonly Day[]): Html[] {
  const found = days.flatMap(({ day, disputed }) => disputed.map((reference) => ({ day, reference }))).toReversed();
  return found.slice(0, MAX_DISPUTED).map(({ day, reference }) =>
    tile('Disputed charge', html`<span class="number">${reference}</span>`, {
      href: chargeAddress(reference),
      hint: `Since ${shownDay(day)}: a text contradicts its payment. Check your wallet before the goods leave`,
      isUrgent: true,
    }),
  );
}

function failedTextsTile(days: readonly Day[]): Html | undefined {
  const count = days.reduce((sum, { totals }) => sum + totals.texts_failed, 0);
  if (count === 0) return undefined;
  return tile(`Failed text${count === 1 ? '' : 's'}`, String(count), {
    href: FAILED_TEXTS,
    hint: `In the last ${LOOKED_BACK_DAYS} days; each credit was given back`,
    isUrgent: true,
  });
}

async function webhookTiles(outside: TimedOutside, merchantId: string): Promise<Html[]> {
  const found = await Promise.all(
    keyKinds.map((key_kind) => getWebhookEndpoint(outside, { merchant_id: merchantId, key_kind })),
  );
  return found.flatMap((webhook) => (webhook ? (webhookTile(outside, webhook) ?? []) : []));
}

function webhookTile(outside: TimedOutside, webhook: WebhookEndpoint): Html | undefined {
  const { key_kind, disabled_at, failing_since } = webhook;
  const isFailing = failing_since && outside.now() - Date.parse(failing_since) >= FAILING_MS;
  if (!disabled_at && !isFailing) return undefined;
  const about = key_kind === 'sms' ? 'Webhook of texts' : 'Webhook';
  return tile(about, disabled_at ? 'Switched off' : 'Failing', {
    href: WEBHOOKS,
    hint: disabled_at
      ? 'Your server hears of nothing until the webhook is set again'
      : `Every try has failed since ${shownTime(failing_since ?? '')}`,
    isUrgent: true,
  });
}

/** A merchant that never had credits sends no texts. */
async function creditsTile(outside: TimedOutside, merchantId: string): Promise<Html | undefined> {
  const credits = await getCredits(outside, merchantId);
  const { balance, lifted_by } = credits;
  if (!isLow(credits) || (balance === 0 && lifted_by === undefined)) return undefined;
  return tile('Credits for texts', String(balance), {
    href: CREDITS,
    hint: 'Low: ask the operator for more',
    isUrgent: true,
  });
}

function questionTile({ account, askedPesewas }: WalletSeen): Html | undefined {
  if (askedPesewas === undefined) return undefined;
  const wallet = { network: account.network, momo_number: account.number };
  return tile(`Your ${account.network} wallet`, 'One question', {
    href: balanceAddress(wallet),
    hint: ownersQuestion(wallet, askedPesewas),
    isUrgent: true,
  });
}

/** Each has a tile of its own. */
const MAX_TILES = 4;

/** What only an owner decides, and what others have changed since this one looked. */
async function changeTiles(outside: TimedOutside, merchantId: string, user: User): Promise<Html[]> {
  const changes = await listChanges(outside, merchantId);
  const [waits, news] = [changes.waiting, unseenBy(user, changes)];
  const more = waits.length + news.length - MAX_TILES;
  if (waits.length + news.length === 0) return [];
  const people = await peopleOf(outside, changes);
  const who = ({ by, at }: { readonly by: string; readonly at: string }) =>
    `By ${personInWords(people, by)}, ${shownTime(at)}`;
  const shown = [
    ...waits.map((one) => changeTile('Needs your confirmation', [one.change], ['Now', 'Then'], who(one))),
    ...news.map((one) => changeTile('Was changed', one.changes, ['Was', 'Now'], who(one))),
  ].slice(0, MAX_TILES);
  const hint = 'Of numbers, names and limits';
  return more > 0 ? [...shown, tile('Changes', `${more} more`, { href: CHANGES, hint, isUrgent: true })] : shown;
}

function changeTile(
  name: string,
  changes: readonly MoneyChange[],
  [before, after]: readonly [string, string],
  who: string,
): Html {
  const kinds = [...new Set(changes.map(({ kind }) => KINDS_OF_CHANGE[kind]))].join(', ');
  const [first] = changes.map(changeInWords);
  const rest = changes.length > 1 ? ` And ${changes.length - 1} more.` : '';
  const hint = `${first?.what}. ${before}: ${first?.before}. ${after}: ${first?.after}.${rest} ${who}`;
  return tile(name, kinds, { href: CHANGES, hint, isUrgent: true });
}

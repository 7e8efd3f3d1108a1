import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { listChanges, type ShopChanges } from '../../../merchants/merchant/money-change.table.ts';
import { sendersOf } from '../../../merchants/merchant/senders.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { getCredits } from '../../../texts/credits/credits.table.ts';
import { type MenuItem, menuOf } from '../menu.ts';
import { ANSWERS, CHANGES, SETTINGS } from '../parts/addresses.ts';
import { pill } from '../parts/content.ts';
import { type Lead, leadGroups } from '../parts/leads.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { waitingNotices } from './changes.ts';
import { changesToReview, countOf, openOf } from './changes-view.ts';
import { CHECKOUT } from './checkout-page.ts';
import { CONTACT, shownContact } from './contact.ts';
import { SENDER } from './default-sender.ts';
import { LOW_CREDITS } from './low-credits.ts';
import { MATCHING, shownLimits } from './matching.ts';
import { QUIET_HOURS } from './quiet-hours.ts';
import { RECEIPTS } from './receipts.ts';

export async function showSettings(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  const mayChange = may(user, 'settings:write');
  const [senders, { low_below }, changes] = await Promise.all([
    sendersOf(outside, merchant),
    getCredits(outside, merchant.merchant_id),
    mayChange ? listChanges(outside, merchant.merchant_id) : undefined,
  ]);
  const { default_from, contact } = merchant;
  const [verified, byName, notVerified] = shownLimits(merchant);
  const sender = senders.find(({ number }) => number === default_from);
  const groups: Record<string, Lead[]> = {
    Shop: [
      {
        name: 'Contact',
        path: CONTACT,
        now: shownContact(contact) ?? 'Not set',
        more: contact ? undefined : 'Customers cannot reach you',
      },
      {
        name: 'Checkout page',
        path: CHECKOUT,
        now: merchant.logo ? 'Your logo' : 'No logo',
        more: merchant.pay_texts_per_day ? `Texts ${merchant.pay_texts_per_day} customers a day` : undefined,
      },
      {
        name: 'Receipts',
        path: RECEIPTS,
        now: merchant.text_receipts ? 'Texted to the payer' : 'On the bill’s page',
        more: merchant.text_receipts ? 'One credit each' : undefined,
      },
    ],
    Money: [
      { name: 'Automatic confirmation', path: MATCHING, now: html`${verified}<br>${byName}<br>${notVerified}` },
      ...(changes ? [changesLead(merchant, user, changes)] : []),
    ],
    Texts: [
      {
        name: 'Usual number for texts',
        path: SENDER,
        now: default_from ? shownNumber(default_from) : 'Any number that can send',
        more: default_from && !sender?.available ? 'Cannot send now' : undefined,
      },
      {
        name: 'Replies',
        path: ANSWERS,
        now: merchant.answers ? 'Kept and shown' : 'Not kept',
        more:
          merchant.stop_words &&
          `${merchant.stop_words.join(', ')} also ${merchant.stop_words.length === 1 ? 'means' : 'mean'} STOP`,
      },
      {
        name: 'Quiet hours',
        path: QUIET_HOURS,
        now: merchant.quiet_hours?.replace('-', ' to ') ?? 'None',
        more: 'Offers are never sent at night',
      },
      {
        name: 'Low credits',
        path: LOW_CREDITS,
        now: low_below === 0 ? 'Never notified' : `Below ${low_below}`,
      },
    ],
    ...otherPlaces(visit),
  };
  return {
    title: 'Settings',
    main: html`${changes && (await waitingNotices(visit, outside, changes))}${leadGroups(groups)}`,
  };
}

/** Returns the menu's other places under Settings. */
function otherPlaces(visit: MerchantVisit): Record<string, Lead[]> {
  const entry = menuOf(visit).find(({ places }) => places[0]?.path === SETTINGS);
  const byGroup = Map.groupBy(entry?.places.slice(1) ?? [], ({ group = '' }) => group);
  const leadOf = ({ name, path, about }: MenuItem): Lead => ({ name, path, now: '', more: about });
  return Object.fromEntries([...byGroup].map(([group, places]) => [group, places.map(leadOf)]));
}

function changesLead(merchant: Merchant, user: User, changes: ShopChanges): Lead {
  const open = openOf(merchant, changes).length;
  const { waiting, outdated, unseen } = changesToReview(merchant, user, changes);
  const others = [
    ...(outdated.length > 0 ? [`${outdated.length} outdated`] : []),
    ...(unseen.length > 0 ? [`${countOf(unseen)} changed`] : []),
  ].join(', ');
  const forSupport = open - waiting.length - outdated.length;
  const now =
    waiting.length > 0
      ? pill('look', `${waiting.length} to confirm`)
      : forSupport > 0
        ? `${counted(forSupport, 'change')} ${forSupport === 1 ? 'is' : 'are'} waiting for support`
        : 'Nothing waiting';
  const about = waiting.length > 0 ? 'An owner must confirm' : 'Changes to numbers, names and limits';
  return { name: 'Changes', path: CHANGES, now, more: others || about };
}
